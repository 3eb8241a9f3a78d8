//! Pieces of front work, which are suspended when their chunk is full. Running the stages is left to [`super::unit`],
//! [`super::patches`] and [`super::tasks`].

use quadrille_jit::reserve::{Room, carry};

use super::output::{Output, Progress};
use super::scratch::{Scratch, with_scratch};
use crate::bins::Chunk;
use crate::limits::CHUNK_BYTES;
use crate::record::{Stats, Unfinished};

/// Host memory reserved for a piece of work: a full chunk, and its copy while its vectors grow.
const CHUNK_ROOM: usize = 2 * CHUNK_BYTES;

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
