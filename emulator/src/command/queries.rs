//! Queries that run while a list does: occlusion queries of the scope, and queries that count work.
//!
//! Owns what has been done so far and the queries that have begun. Left to execution: when the draws that a query counts
//! have run.

use quadrille_raster::Stats;
use smallvec::SmallVec;

use super::render::Occlusion;
use crate::object::Shared;
use crate::query::{QueryPool, Work};

/// A query of work that is running.
struct Counting {
    pool: QueryPool,
    query: u32,
    stream: u32,
    n_queries: u32,
    /// What had been done when it began.
    before: Work,
}

/// The queries of a list that runs.
#[derive(Default)]
pub(super) struct Queries {
    pub occlusion: Option<Occlusion>,
    counting: SmallVec<[Counting; 2]>,
    /// What has been done so far.
    work: Work,
}

impl Queries {
    /// A pass has run, which transform feedback captured or not.
    pub fn passed(&mut self, stats: &Stats, captured: bool) {
        self.work.add(&Work::of_pass(stats, captured));
    }

    /// A dispatch has run.
    pub fn dispatched(&mut self, invocations: u64) {
        self.work.add(&Work::of_dispatch(invocations));
    }

    /// A query of work begins; with multiview it takes several.
    pub fn begin(&mut self, pool: &QueryPool, query: u32, stream: u32, n_queries: u32) {
        let (pool, before) = (pool.clone(), self.work);
        self.counting.push(Counting { pool, query, stream, n_queries, before });
    }

    /// It ends, if it has begun: its results become available.
    pub fn end(&mut self, pool: &QueryPool, query: u32) {
        let running =
            self.counting.iter().position(|c| c.query == query && c.pool.address() == pool.address());
        let Some(c) = running.map(|at| self.counting.swap_remove(at)) else { return };
        let values = self.work.since(&c.before).values(pool.kind(), c.stream);
        pool.finish(query, &values);
        // With multiview the first query has all of it.
        let nothing = vec![0; values.len()];
        (1..c.n_queries).for_each(|i| pool.finish(query + i, &nothing));
    }
}
