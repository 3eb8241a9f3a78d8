//! Memory in which a thread works on units of the front.

use std::cell::RefCell;

use super::emitter::RasterScratch;
use super::tessellate::Tessellator;
use super::vertices::Vertices;
use crate::invoke::{Emitted, Lines};

/// Where a thread works on units; kept from unit to unit.
#[derive(Default)]
pub(super) struct Scratch {
    pub vertices: Vertices,
    /// What the evaluation stage makes of some patches.
    pub evaluated: Lines,
    /// What the geometry stage makes of some primitives.
    pub emitted: Emitted,
    /// What the mesh stage makes in some workgroups.
    pub meshes: Lines,
    /// What a mesh stage without a task stage finds as payload.
    pub no_payload: Lines,
    /// Primitives for the stage after the vertex stage: their vertices, and PrimitiveId.
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

/// Calls `f` with this thread's tessellator, which no piece of work takes along.
pub(super) fn with_tessellator<R>(f: impl FnOnce(&mut Tessellator) -> R) -> R {
    TESSELLATOR.with_borrow_mut(f)
}
