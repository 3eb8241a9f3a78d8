//! Deferred shading: for consecutive opaque primitives, stamps covered by later primitives are not shaded.
//!
//! Such primitives write every texel of all attachments regardless of previous contents, and have no other effect.
//! Their depth and stencil tests run immediately, in order. Their fragment stage is deferred until another kind of
//! primitive follows, or many stamps wait. Then stamps are dropped whose covered pixels are all overwritten later. The
//! remaining stamps are shaded in order, exactly as without deferral, so that only the execution time differs. Reads of
//! the pass's own attachments see the state of the last barrier, because each barrier ends the tiles' work. The list of
//! waiting stamps is left to [`super::waiting`].

use quadrille_jit::abi::Stamp;

use super::merge::count_lanes;
use super::tile::{Primitive, TileDrawContext, TileRun, stamps_of};
use super::waiting::{Deferred, Waiting};
use crate::bins::Command;
use crate::limits::{MAX_RUN_STAMPS, TILE_PX};
use crate::record::Unfinished;

/// Number of waiting stamps at which they are culled.
const MAX_WAITING: usize = 8192;

impl<'a> TileRun<'a> {
    /// Returns whether shading of a draw's primitives may be deferred.
    pub(super) fn defers(&mut self, draw: u32) -> bool {
        let bind = self.rec.draws[draw as usize].bind;
        if self.asked.is_none_or(|(of, _)| of != bind) {
            let record = &self.rec.binds[bind as usize];
            let defers = self.samples == 1
                && record.defers()
                && record.covers(&self.desc.colors)
                && self.views.attached(&record.state.merge);
            self.asked = Some((bind, defers));
        }
        self.asked.is_some_and(|(_, defers)| defers)
    }

    /// Runs the early tests of a primitive, and defers its shading.
    pub(super) fn defer(
        &mut self,
        job: &mut Option<TileDrawContext<'a>>,
        chunk: usize,
        c: Command,
    ) -> Result<(), Unfinished> {
        let p = self.primitive(chunk, c.prim());
        let record = &self.rec.binds[self.rec.draws[p.prim.draw as usize].bind as usize];
        let (shape, early) = (record.shape, record.state.early_tests().is_some());
        if self.scratch.deferred.shape.is_some_and(|s| s.full != shape.full) {
            self.shade_deferred(job)?;
        }
        let mut waiting = std::mem::take(&mut self.scratch.deferred);
        waiting.shape = Some(shape);
        let first = waiting.stamps.len();
        let whole = c.full() && !early;
        if whole {
            // The primitive hides all waiting stamps.
            waiting.stamps.clear();
            waiting.primitives.clear();
            self.stats.fragment_invocations += u64::from(TILE_PX * TILE_PX);
        } else if c.full() {
            let all = self.take_whole(shape);
            waiting.stamps.extend_from_slice(&all);
            self.scratch.whole = all;
        } else {
            stamps_of(&p, self.at, record, &mut |s| waiting.stamps.push(s));
        }
        if early {
            self.bind(job, p.prim.draw);
            if let Some(job) = job
                && let Some(k) = job.kernels
            {
                let back = p.prim.back();
                k.early(job.aim(p.prim, 0, [0.5; 2]), back, &mut waiting.stamps, first);
            }
        }
        let end = waiting.stamps.len();
        if whole || end > first {
            waiting.primitives.push(Waiting { chunk, prim: c.prim(), end, whole });
        }
        if end > first {
            let masks = waiting.stamps[first..].iter().map(|s| s.mask);
            self.stats.fragment_invocations += u64::from(count_lanes(masks, shape.full));
        }
        let mut many = end >= MAX_WAITING;
        if many {
            waiting.cull(self.at, shape);
            many = waiting.stamps.len() >= MAX_WAITING / 2;
        }
        self.scratch.deferred = waiting;
        if many { self.shade_deferred(job) } else { Ok(()) }
    }

    /// Counts the fragments of a command that is hidden: their number must not depend on the draws that are recorded
    /// together.
    pub(super) fn count_hidden(&mut self, chunk: usize, c: Command) {
        let p = self.primitive(chunk, c.prim());
        let record = &self.rec.binds[self.rec.draws[p.prim.draw as usize].bind as usize];
        let state = &record.state;
        if !state.shades || record.fragment.is_none() || state.masked_out() {
            return;
        }
        let mut covered = 0;
        if c.full() {
            covered = TILE_PX * TILE_PX;
        } else {
            stamps_of(&p, self.at, record, &mut |s| covered += s.mask.count_ones());
        }
        self.stats.fragment_invocations += u64::from(covered);
    }

    /// Shades all waiting stamps. Binds the state of their draws to `job`.
    pub(super) fn shade_deferred(&mut self, job: &mut Option<TileDrawContext<'a>>) -> Result<(), Unfinished> {
        let mut waiting = std::mem::take(&mut self.scratch.deferred);
        let result = self.shade_waiting(job, &mut waiting);
        waiting.clear();
        self.scratch.deferred = waiting;
        result
    }

    fn shade_waiting(
        &mut self,
        job: &mut Option<TileDrawContext<'a>>,
        waiting: &mut Deferred,
    ) -> Result<(), Unfinished> {
        let Some(shape) = waiting.shape else { return Ok(()) };
        let several = waiting.primitives.len() > 1;
        if several {
            waiting.cull(self.at, shape);
        }
        let mut first = 0;
        for w in &waiting.primitives {
            let p = self.primitive(w.chunk, w.prim);
            self.bind(job, p.prim.draw);
            let Some(job) = job else { return Ok(()) };
            if w.whole {
                let all = self.take_whole(shape);
                let shows = |s: &&Stamp| waiting.covered[Deferred::number(s, self.at, shape)] != shape.full;
                let result = if several {
                    let left: Vec<Stamp> = all.iter().filter(shows).copied().collect();
                    self.shade_stamps(job, &p, &left)
                } else {
                    self.shade_whole(job, &p, &all)
                };
                self.scratch.whole = all;
                result?;
            }
            self.shade_stamps(job, &p, &waiting.stamps[first..w.end])?;
            first = w.end;
        }
        Ok(())
    }

    /// Shades stamps of a primitive, in runs that may start with stamps of earlier primitives.
    fn shade_stamps(
        &mut self,
        job: &mut TileDrawContext<'a>,
        p: &Primitive<'_>,
        mut stamps: &[Stamp],
    ) -> Result<(), Unfinished> {
        while !stamps.is_empty() {
            if self.scratch.stamps.len() == MAX_RUN_STAMPS {
                self.merge_shaded(job);
            }
            let room = MAX_RUN_STAMPS - self.scratch.stamps.len();
            let (run, rest) = stamps.split_at(stamps.len().min(room));
            self.scratch.stamps.extend_from_slice(run);
            self.run(job, p, None)?;
            stamps = rest;
        }
        Ok(())
    }
}
