//! What merge kernels depend on, and their arguments.

use std::mem::offset_of;
use std::ptr;

use quadrille_jit::abi::{Plane, Stamp};

use super::MergeState;
use super::scalar::LateDepth;
use crate::limits::MAX_COLOR_TARGETS;
use crate::memory::target::TileMemory;
use crate::state::StencilDynamic;

/// What a kernel is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Job {
    /// Depth test before the fragment stage; removes stamps without lanes.
    Early {
        /// Depth is written too.
        write: bool,
    },
    /// Depth as asked for, then colours.
    Late(LateDepth),
}

/// Everything a kernel depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub lanes: u32,
    pub job: Job,
    pub merge: MergeState,
}

/// Arguments of kernels; generated code takes its offsets from here.
#[repr(C)]
pub(crate) struct Args {
    pub stamps: *mut Stamp,
    pub masks: *mut u32,
    pub output: *const u32,
    /// Stamps; early kernels leave the number that remain.
    pub count: u32,
    /// Left column of the tile.
    pub tile_x: i32,
    /// Top row of the tile.
    pub tile_y: i32,
    pub pad: u32,
    pub colors: [TileMemory; MAX_COLOR_TARGETS],
    pub depth: TileMemory,
    pub stencil: TileMemory,
    pub constants: [f32; 4],
    pub z: Plane,
    pub origin: [f32; 2],
    pub depth_range: [f32; 2],
    pub depth_bounds: [f32; 2],
    pub stencil_compare_mask: u32,
    pub stencil_write_mask: u32,
    pub stencil_reference: u32,
}

impl Args {
    /// Arguments without attachments, on the tile at `tile`.
    pub fn new([tile_x, tile_y]: [i32; 2]) -> Args {
        Args {
            stamps: ptr::null_mut(),
            masks: ptr::null_mut(),
            output: ptr::null(),
            count: 0,
            tile_x,
            tile_y,
            pad: 0,
            colors: [TileMemory::NONE; MAX_COLOR_TARGETS],
            depth: TileMemory::NONE,
            stencil: TileMemory::NONE,
            constants: [0.0; 4],
            z: Plane::default(),
            origin: [0.0; 2],
            depth_range: [f32::NEG_INFINITY, f32::INFINITY],
            depth_bounds: [0.0, 1.0],
            stencil_compare_mask: 0,
            stencil_write_mask: 0,
            stencil_reference: 0,
        }
    }

    /// Takes over stencil masks and reference of a face.
    pub fn face(&mut self, d: &StencilDynamic) {
        self.stencil_compare_mask = d.compare_mask;
        self.stencil_write_mask = d.write_mask;
        self.stencil_reference = d.reference;
    }
}

/// Offset of a colour attachment's memory in [`Args`].
pub(crate) fn color_offset(i: usize) -> i32 {
    (offset_of!(Args, colors) + i * size_of::<TileMemory>()) as i32
}
