//! Per-thread memory for units of the front. Its contents are left to the stages that use it.

use std::cell::RefCell;

use super::emitter::RasterScratch;
use super::tessellate::Tessellator;
use super::vertices::Vertices;
use crate::invoke::{Emitted, Lines};

/// Memory for the units that a thread runs, reused from unit to unit.
#[derive(Default)]
pub(super) struct Scratch {
    pub vertices: Vertices,
    /// Output of the evaluation stage for a batch of patches.
    pub evaluated: Lines,
    /// Output of the geometry stage for some primitives.
    pub emitted: Emitted,
    /// Output of the mesh stage for some workgroups.
    pub meshes: Lines,
    /// Zeroed payload for a mesh stage without a task stage.
    pub no_payload: Lines,
    /// Input primitives of the stage after the vertex stage: their vertices, and PrimitiveIds.
    pub list: Vec<u32>,
    pub ids: Vec<u32>,
    pub lane: Lines,
    pub raster: RasterScratch,
}

thread_local! {
    static SCRATCH: RefCell<Scratch> = RefCell::default();
    static TESSELLATOR: RefCell<Tessellator> = RefCell::default();
}

/// Calls `f` with this thread's scratch.
pub(super) fn with_scratch<R>(f: impl FnOnce(&mut Scratch) -> R) -> R {
    SCRATCH.with_borrow_mut(f)
}

/// Calls `f` with this thread's tessellator, which is not part of the scratch that suspended work keeps.
pub(super) fn with_tessellator<R>(f: impl FnOnce(&mut Tessellator) -> R) -> R {
    TESSELLATOR.with_borrow_mut(f)
}
