//! Active queries of a running list: occlusion queries of the scope, and queries that count work.
//!
//! Owns the work done so far and the active queries. Left to execution: running the draws that a query counts before
//! the query ends.

use quadrille_raster::Stats;
use smallvec::SmallVec;

use super::render::Occlusion;
use crate::object::Shared;
use crate::query::{QueryPool, Work};

/// An active query that counts work.
struct Counting {
    pool: QueryPool,
    query: u32,
    stream: u32,
    n_queries: u32,
    /// Work done before the query began.
    before: Work,
}

/// The active queries of a running list.
#[derive(Default)]
pub(super) struct Queries {
    pub occlusion: Option<Occlusion>,
    counting: SmallVec<[Counting; 2]>,
    /// Work done so far.
    work: Work,
}

impl Queries {
    /// Counts a pass that has run. `captured` is `true` if transform feedback captured it.
    pub fn passed(&mut self, stats: &Stats, captured: bool) {
        self.work.add(&Work::of_pass(stats, captured));
    }

    /// Counts a dispatch that has run.
    pub fn dispatched(&mut self, invocations: u64) {
        self.work.add(&Work::of_dispatch(invocations));
    }

    /// Begins a query that counts work. With multiview it uses `n_queries` consecutive queries.
    pub fn begin(&mut self, pool: &QueryPool, query: u32, stream: u32, n_queries: u32) {
        let (pool, before) = (pool.clone(), self.work);
        self.counting.push(Counting { pool, query, stream, n_queries, before });
    }

    /// Ends the query, if it is active, and makes its results available.
    pub fn end(&mut self, pool: &QueryPool, query: u32) {
        let running =
            self.counting.iter().position(|c| c.query == query && c.pool.address() == pool.address());
        let Some(c) = running.map(|at| self.counting.swap_remove(at)) else { return };
        let values = self.work.since(&c.before).values(pool.kind(), c.stream);
        pool.finish(query, &values);
        // With multiview the first query gets the whole result.
        let nothing = vec![0; values.len()];
        (1..c.n_queries).for_each(|i| pool.finish(query + i, &nothing));
    }
}
