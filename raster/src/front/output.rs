//! Destination and progress of a piece of front work. Suspending it is left to [`super::job`].

use crate::bins::Chunk;
use crate::limits::CHUNK_BYTES;
use crate::record::Stats;

/// Destination of the primitives of a piece of work.
pub(super) struct Output<'a> {
    pub chunk: &'a mut Chunk,
    pub stats: &'a mut Stats,
    pub at: Progress,
}

/// Progress of a piece of work.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    /// Number of completed parts.
    pub parts: usize,
    /// `true` if the stages before the geometry stage have run for the current part; their output is in the scratch
    /// memory.
    pub shaded: bool,
    /// Number of the current part's primitives that the geometry stage has completed, or of workgroups for the mesh
    /// stage.
    pub inputs: usize,
    /// `true` if the geometry or mesh stage has run for the next inputs.
    pub emitted: bool,
    /// Number of binned primitives among those that the last stage emitted for the current inputs.
    pub primitives: u64,
    /// Distance along a line strip at which the stipple pattern continues.
    pub stipple_at: f32,
    /// `true` once the chunk is full and takes no more primitives.
    pub full: bool,
}

impl Progress {
    /// Suspends the work if the chunk is full; returns whether it is.
    pub fn leaves_off(&mut self, chunk: &Chunk) -> bool {
        self.full = self.full || chunk.bytes() > CHUNK_BYTES;
        self.full
    }

    /// Returns whether the chunk takes one more primitive, and counts it. With small primitives, the size of the chunk
    /// is checked only every few primitives.
    #[inline]
    pub fn takes(&mut self, chunk: &Chunk) -> bool {
        let asks = self.primitives & chunk.takes_unasked() == 0;
        if self.full || (asks && self.leaves_off(chunk)) {
            return false;
        }
        self.primitives += 1;
        true
    }

    /// Records that the geometry stage has completed `count` more primitives of the part, or the mesh stage as many
    /// workgroups.
    pub fn next_inputs(&mut self, count: usize) {
        *self = Progress { parts: self.parts, shaded: true, inputs: self.inputs + count, ..Self::default() };
    }

    /// Proceeds to the next part if the chunk is not full; returns whether it did.
    pub fn ends_part(&mut self) -> bool {
        if !self.full {
            *self = Progress { parts: self.parts + 1, ..Self::default() };
        }
        !self.full
    }
}
