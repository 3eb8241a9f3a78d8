//! Keys and arguments of merge kernels. Compiling and calling the kernels is left to [`super::kernel`].

use std::mem::offset_of;
use std::ptr;

use quadrille_jit::abi::{Plane, Stamp};

use super::MergeState;
use super::scalar::LateDepth;
use crate::limits::MAX_COLOR_TARGETS;
use crate::memory::target::TileMemory;
use crate::state::StencilDynamic;

/// Task of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Job {
    /// Tests depth and stencil before the fragment stage, and removes stamps without lanes.
    Early {
        /// `true` if depth and stencil are written, too.
        write: bool,
    },
    /// The same for one of several samples, whose masks lie beside the stamps: stamps stay.
    EarlyOfSample {
        /// `true` if depth and stencil are written, too.
        write: bool,
    },
    /// Tests or writes depth and stencil after the fragment stage, then merges colours.
    Late(LateDepth),
    /// Merges the colours of several samples without tests: converts the output of a stamp once for all of them.
    Samples,
}

/// All state that a kernel's code depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub lanes: u32,
    pub job: Job,
    pub merge: MergeState,
}

/// Arguments of kernels; generated code takes its offsets from this struct.
#[repr(C)]
pub(crate) struct Args {
    pub stamps: *mut Stamp,
    pub masks: *mut u32,
    pub output: *const u32,
    /// Number of stamps; early kernels store the number of remaining stamps.
    pub count: u32,
    /// Left column of the tile.
    pub tile_x: i32,
    /// Top row of the tile.
    pub tile_y: i32,
    /// Number of samples, each with arguments of its own from these on; only [`Job::Samples`] reads it.
    pub samples: u32,
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
    /// Arguments without attachments, for the tile at `tile`.
    pub fn new([tile_x, tile_y]: [i32; 2]) -> Args {
        Args {
            stamps: ptr::null_mut(),
            masks: ptr::null_mut(),
            output: ptr::null(),
            count: 0,
            tile_x,
            tile_y,
            samples: 1,
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

    /// Sets the stencil masks and reference of a face.
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
