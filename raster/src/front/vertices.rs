//! The vertex stage of a unit: finds the unique vertices of the unit and computes their records. Reading attributes is
//! left to [`super::fetch`].

use std::ops::Range;

use super::assembly::{RESTART, Span};
use super::bound::{FrontBoundState, FrontDrawContext};
use super::primitives;
use crate::invoke::{Lines, call_vertex};
use crate::record::{Draw, Stats, Unfinished};
use crate::state::Topology;

/// Recently used indices and their local vertices.
struct ReuseTable {
    slots: Vec<[u32; 3]>,
    stamp: u32,
}

impl Default for ReuseTable {
    fn default() -> Self {
        ReuseTable { slots: vec![[0; 3]; 4096], stamp: 0 }
    }
}

impl ReuseTable {
    fn clear(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.slots.fill([0; 3]);
            self.stamp = 1;
        }
    }

    /// The local vertex of an index; a new one if the table does not hold the index.
    #[inline]
    fn local(&mut self, index: u32, unique: &mut Vec<u32>) -> u32 {
        let slot = &mut self.slots[index as usize & 4095];
        if slot[0] == self.stamp && slot[1] == index {
            return slot[2];
        }
        let local = unique.len() as u32;
        unique.push(index);
        *slot = [self.stamp, index, local];
        local
    }
}

/// Vertices of a unit, in memory reused from unit to unit.
#[derive(Default)]
pub(super) struct Vertices {
    /// Local vertex of each position from `back` on; then that of a fan's start.
    locals: Vec<u32>,
    /// VertexIndex of each local vertex.
    unique: Vec<u32>,
    reuse: ReuseTable,
    vertex_ids: Vec<u32>,
    instance_ids: Vec<u32>,
    input: Lines,
    records: Lines,
    /// Words per record, and number of records of the last unit.
    words: usize,
    total: usize,
    /// First position that primitives of the unit read, apart from a fan's start; and whether the topology is a fan.
    back: u32,
    fan: bool,
}

impl Vertices {
    /// Runs the vertex stage for part of a draw. Fails if the stage did not complete.
    pub fn shade(
        &mut self,
        job: &mut FrontDrawContext<'_>,
        d: &Draw,
        instances: &Range<u32>,
        span: &Span,
        scratch: &mut Lines,
        stats: &mut Stats,
    ) -> Result<(), Unfinished> {
        let state = &*job.record.state;
        let (topology, patch) = (state.desc.topology, job.record.patch);

        // Positions that the unit reads: the same for every instance.
        self.fan = topology == Topology::TriangleFan;
        self.back = span.reach_back(topology, patch);
        let mut end = span.end;
        if state.later.is_some() {
            let back = span.first.saturating_sub(primitives::reach_back(topology)).max(span.start);
            self.back = self.back.min(back);
            end = end.saturating_add(primitives::reach_ahead(topology)).min(d.count);
        }
        self.find(job.record, d, span, end);
        let unique = self.unique.len();
        let lanes = job.record.stages[0].meta().lanes as usize;
        self.words = state.vertex_words as usize;
        self.total = unique * instances.len();
        if self.total == 0 {
            return Ok(());
        }

        // Ids of all invocations, padded to whole lane groups.
        self.vertex_ids.clear();
        self.instance_ids.clear();
        for i in instances.clone() {
            self.vertex_ids.extend_from_slice(&self.unique);
            self.instance_ids.resize(self.vertex_ids.len(), d.first_instance.wrapping_add(i));
        }
        let n_input = state.fetch.words as usize;
        let groups = self.total.div_ceil(lanes);
        let rows = self.input.room(groups * n_input * lanes * 4);
        self.vertex_ids.resize(groups * lanes, 0);
        self.instance_ids.resize(groups * lanes, 0);
        let ids = (&self.vertex_ids[..], &self.instance_ids[..]);
        state.fetch.run(&job.record.buffers, ids.0, ids.1, d.first_instance, lanes, rows);

        let records = self.records.room(groups * lanes * self.words * 4);
        stats.vertex_invocations += self.total as u64;
        let vertex = &job.record.stages[0];
        if !call_vertex(vertex, &mut job.ctx, ids.0, ids.1, rows, records, self.total, scratch) {
            return Err(job.called(0));
        }
        Ok(())
    }

    /// Records of all instances, one after the other.
    pub fn records(&self) -> &[u32] {
        &self.records.words()[..self.total * self.words]
    }

    /// Number of records per instance.
    pub fn per_instance(&self) -> usize {
        self.unique.len()
    }

    /// Number of vertices in a span, which are its positions without a restart index.
    pub fn count(&self, span: &Span) -> u64 {
        let own = self.locals.iter().skip((span.first - self.back) as usize);
        own.take((span.end - span.first) as usize).filter(|&&v| v != RESTART).count() as u64
    }

    /// The local vertex at a position; [`RESTART`] past the end, too.
    #[inline(always)]
    pub fn local(&self, p: u32) -> u32 {
        // A fan's start may lie before the positions in the list; its vertex is the last entry.
        let at = if self.fan && p < self.back { self.locals.len() - 1 } else { (p - self.back) as usize };
        self.locals.get(at).copied().unwrap_or(RESTART)
    }

    /// Fills `locals` and `unique`, up to position `end`.
    ///
    /// Positions before the span do not restart: its primitives need all vertices from `start` on, and the index buffer
    /// may have changed since the draw was split.
    fn find(&mut self, bind: &FrontBoundState, d: &Draw, span: &Span, end: u32) {
        self.locals.clear();
        self.unique.clear();
        let positions = (self.back..end).chain(self.fan.then_some(span.start));
        if !d.indexed {
            for p in positions {
                self.locals.push(self.unique.len() as u32);
                self.unique.push(d.first.wrapping_add(p));
            }
            return;
        }
        let Some(index) = &bind.index else { return };
        let restart = bind.state.desc.primitive_restart.then_some(index.restart);
        self.reuse.clear();
        for p in positions {
            let i = index.get(u64::from(d.first) + u64::from(p));
            if p >= span.first && restart == Some(i) {
                self.locals.push(RESTART);
            } else {
                let vertex = i.wrapping_add_signed(d.vertex_offset);
                self.locals.push(self.reuse.local(vertex, &mut self.unique));
            }
        }
    }
}
