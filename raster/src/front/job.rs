//! What a unit of front work carries along: the draw it is at, where its primitives go, how far it has come.

use quadrille_jit::abi::Ctx;

use super::bound::Bound;
use crate::bins::Chunk;
use crate::limits::CHUNK_BYTES;
use crate::record::{DrawRecord, Recorded, Stats};

/// Memory of the host that a unit finds: a full chunk, and the copy while its vectors grow.
pub(super) const CHUNK_ROOM: usize = 2 * CHUNK_BYTES;

/// What stays the same while the bound state does.
pub(super) struct BoundJob<'a> {
    pub bind: u32,
    pub ctx: Ctx,
    pub record: &'a Bound,
}

impl<'a> BoundJob<'a> {
    /// Lets the context refer to a draw, making it anew where the bound state is another.
    pub fn of_draw<'j>(
        rec: &'a Recorded<'_, Bound>,
        draw: u32,
        job: &'j mut Option<BoundJob<'a>>,
    ) -> &'j mut BoundJob<'a> {
        let recorded = &rec.draws[draw as usize];
        let DrawRecord { bind, push, draw: d } = recorded;
        if job.as_ref().is_some_and(|j| j.bind != *bind) {
            *job = None;
        }
        let job = job.get_or_insert_with(|| BoundJob {
            bind: *bind,
            ctx: rec.ctx(recorded),
            record: &rec.binds[*bind as usize],
        });
        let ctx = &mut job.ctx;
        ctx.push = rec.pushes[*push as usize].as_ptr();
        ctx.base_vertex = if d.indexed { d.vertex_offset } else { d.first as i32 };
        ctx.base_instance = d.first_instance;
        ctx.draw_index = d.draw_index;
        ctx.view_index = if job.record.state.desc.view_index_is_zero[0] { 0 } else { d.view_index };
        job
    }
}

/// Where a unit's primitives go.
pub(super) struct UnitOutput<'a> {
    pub chunk: &'a mut Chunk,
    pub stats: &'a mut Stats,
    pub at: Progress,
}

/// How far a unit has come.
pub(super) struct Progress {
    /// Primitives of the unit so far.
    pub primitives: u64,
    /// Those below were done before.
    pub resume: u64,
    /// The chunk is full: nothing more is taken.
    pub full: bool,
}

impl Progress {
    /// At the beginning of a unit of which this many primitives are done.
    pub fn from(resume: u64) -> Self {
        Progress { primitives: 0, resume, full: false }
    }

    /// Where to go on, 0 if all is done.
    pub fn left_off(&self) -> u64 {
        if self.full { self.primitives } else { 0 }
    }

    /// Whether nothing more is taken, since the chunk is full and what comes may run again.
    #[inline]
    pub fn leaves_off(&mut self, chunk: &Chunk, may_run_again: bool) -> bool {
        if may_run_again && self.primitives > self.resume && !self.full {
            self.full = chunk.bytes() > CHUNK_BYTES;
        }
        self.full
    }

    /// Whether the next primitive is to be worked on.
    #[inline]
    pub fn takes(&mut self, chunk: &Chunk, may_run_again: bool) -> bool {
        if self.leaves_off(chunk, may_run_again) {
            return false;
        }
        self.primitives += 1;
        self.primitives > self.resume
    }

    /// Primitives worked on since there were `before`.
    pub fn taken_since(&self, before: u64) -> u64 {
        self.primitives.saturating_sub(before.max(self.resume))
    }
}
