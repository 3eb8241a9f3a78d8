//! Output and progress of a piece of front work, which allow suspending and resuming it. Running the stages is left to
//! [`super::unit`], [`super::patches`] and [`super::tasks`].

use quadrille_jit::reserve::{Room, carry};

use super::scratch::{Scratch, with_scratch};
use crate::bins::Chunk;
use crate::limits::CHUNK_BYTES;
use crate::record::{Stats, Unfinished};

/// Host memory reserved for a piece of work: a full chunk, and its copy while its vectors grow.
const CHUNK_ROOM: usize = 2 * CHUNK_BYTES;

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

/// A piece of work suspended because its chunk was full, with all outputs of its stages. Stages run only once per
/// input, and less than a part is kept.
pub(crate) struct LeftOff {
    at: Progress,
    scratch: Box<Scratch>,
}

/// Runs a piece of work into an empty chunk, starting where it was suspended. Returns the rest if the chunk gets full.
/// An allocation failure unwinds to the next enclosing guard of `reserve`.
pub(super) fn run(
    resume: Option<LeftOff>,
    chunk: &mut Chunk,
    stats: &mut Stats,
    work: impl FnOnce(&mut Scratch, &mut Output<'_>) -> Result<(), Unfinished>,
) -> Result<Option<LeftOff>, Unfinished> {
    let _room = carry(Room::quick(CHUNK_ROOM));
    with_scratch(|s| {
        let mut at = Progress::default();
        if let Some(left) = resume {
            (*s, at) = (*left.scratch, Progress { full: false, ..left.at });
        }
        let mut to = Output { chunk, stats, at };
        work(s, &mut to)?;
        let at = to.at;
        Ok(at.full.then(|| LeftOff { at, scratch: Box::new(std::mem::take(s)) }))
    })
}
