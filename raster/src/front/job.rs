//! What a piece of front work carries along: where its primitives go, how far it has come.

use quadrille_jit::reserve::{Room, carry};

use super::scratch::{Scratch, with_scratch};
use crate::bins::Chunk;
use crate::limits::CHUNK_BYTES;
use crate::record::Stats;

/// Memory of the host that a piece of work finds: a full chunk, and the copy while its vectors grow.
const CHUNK_ROOM: usize = 2 * CHUNK_BYTES;

/// Where the primitives of a piece of work go.
pub(super) struct Output<'a> {
    pub chunk: &'a mut Chunk,
    pub stats: &'a mut Stats,
    pub at: Progress,
}

/// How far a piece of work has come.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    /// Parts of it that are done.
    pub parts: usize,
    /// The stages before the geometry stage have run for the next part; their output is in the scratch memory.
    pub shaded: bool,
    /// Of that part, primitives that the geometry stage is done with, or workgroups of the mesh stage.
    pub inputs: usize,
    /// That stage has run for what comes next, likewise.
    pub emitted: bool,
    /// Of the primitives that the last stage has put out then, those that are done.
    pub primitives: u64,
    /// How far the stipple of a strip has come.
    pub stipple_at: f32,
    /// The chunk is full: nothing more is taken.
    pub full: bool,
}

impl Progress {
    /// Whether the work leaves off here, since the chunk is full.
    pub fn leaves_off(&mut self, chunk: &Chunk) -> bool {
        self.full = self.full || chunk.bytes() > CHUNK_BYTES;
        self.full
    }

    /// Whether one more primitive is taken: where each is small, every few of them are asked.
    #[inline]
    pub fn takes(&mut self, chunk: &Chunk) -> bool {
        let asks = self.primitives & chunk.takes_unasked() == 0;
        if self.full || (asks && self.leaves_off(chunk)) {
            return false;
        }
        self.primitives += 1;
        true
    }

    /// The geometry stage is done with so many primitives more of the part, or the mesh stage with workgroups.
    pub fn next_inputs(&mut self, count: usize) {
        *self = Progress { parts: self.parts, shaded: true, inputs: self.inputs + count, ..Self::default() };
    }

    /// Goes on to the next part, if this one is done: says whether it is.
    pub fn ends_part(&mut self) -> bool {
        if !self.full {
            *self = Progress { parts: self.parts + 1, ..Self::default() };
        }
        !self.full
    }
}

/// A piece of work that left off because its chunk was full, with all that its stages had put out: they run once,
/// and less than a part is kept.
pub(crate) struct LeftOff {
    at: Progress,
    scratch: Box<Scratch>,
}

/// Runs a piece of work into an empty chunk, from where it left off. Where the chunk gets full, the rest is given
/// back. Where memory is out, the error goes to the next guard.
pub(super) fn run(
    resume: Option<LeftOff>,
    chunk: &mut Chunk,
    stats: &mut Stats,
    work: impl FnOnce(&mut Scratch, &mut Output<'_>) -> Result<(), String>,
) -> Result<Option<LeftOff>, String> {
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
