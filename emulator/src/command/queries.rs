//! Active queries of a running list: occlusion queries of the scope, and queries that count work.
//!
//! Owns the work done so far and the active queries. Left to execution: running the draws that a query counts before
//! the query begins and ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use quadrille_raster::Stats;
use quadrille_raster::sampling::CountingTexels;
use smallvec::SmallVec;

use crate::device::Device;
use crate::object::Shared;
use crate::query::{Counter, QueryKind, QueryPool, Work};

/// An active query that counts work.
struct Counting {
    pool: QueryPool,
    query: u32,
    stream: u32,
    n_queries: u32,
    /// Work done before the query began.
    before: Work,
    /// Makes the device count texels, if the query asks for them.
    texels: Option<CountingTexels>,
}

/// An active occlusion query.
struct Occlusion {
    pool: QueryPool,
    query: u32,
    /// Samples counted before the query began.
    before: u64,
    /// Number of consecutive queries in use: one per view. The first gets the count, the others 0.
    n_queries: u32,
}

/// Counting that the active queries ask of the draws of a scope.
#[derive(Clone, Default)]
pub(super) struct Counted {
    /// Counter of the samples that pass all tests.
    pub samples: Option<Arc<AtomicU64>>,
    /// `true` if texels are counted. The fragment stage then runs in its own lane groups, not those of its twins.
    pub texels: bool,
}

/// The active queries of a running list.
#[derive(Default)]
pub(super) struct Queries {
    occlusion: Option<Occlusion>,
    counting: SmallVec<[Counting; 2]>,
    /// Work done so far.
    work: Work,
    /// Samples that draws have counted so far, for whatever query.
    samples: Arc<AtomicU64>,
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

    /// Counting that the active queries ask of draws.
    pub fn counted(&self) -> Counted {
        let texels = self.counting.iter().any(|c| c.texels.is_some());
        // Draws with a counter of samples shade the fragments that later draws hide, so that their texels count, too.
        let samples = texels
            || self.occlusion.is_some()
            || self.counting.iter().any(|c| c.pool.kind().counts(Counter::Samples));
        Counted { samples: samples.then(|| self.samples.clone()), texels }
    }

    fn samples(&self) -> u64 {
        self.samples.load(Ordering::Relaxed)
    }

    /// Begins an occlusion query, after the one before has ended.
    pub fn begin_occlusion(&mut self, pool: &QueryPool, query: u32, n_queries: u32) {
        let before = self.samples();
        self.occlusion = Some(Occlusion { pool: pool.clone(), query, before, n_queries });
    }

    /// `true` if an occlusion query is active.
    pub fn is_occlusion_active(&self) -> bool {
        self.occlusion.is_some()
    }

    /// Ends the active occlusion query, and makes its count available. The caller has ended the passes that it counts.
    pub fn end_occlusion(&mut self) {
        let Some(o) = self.occlusion.take() else { return };
        o.pool.finish(o.query, &[self.samples() - o.before]);
        (1..o.n_queries).for_each(|i| o.pool.finish(o.query + i, &[0]));
    }

    /// Work done so far, with the counters that a kind of query needs.
    fn work(&self, device: &Device, kind: QueryKind) -> Work {
        let mut work = self.work;
        work.read(device, kind, self.samples());
        work
    }

    /// Begins a query that counts work. With multiview it uses `n_queries` consecutive queries.
    pub fn begin(&mut self, device: &Device, pool: &QueryPool, query: u32, stream: u32, n_queries: u32) {
        let kind = pool.kind();
        let counts_texels = kind.counts(Counter::Lookups) || kind.counts(Counter::Stores);
        let texels = counts_texels.then(|| device.images().tables().counting_texels());
        let before = self.work(device, kind);
        self.counting.push(Counting { pool: pool.clone(), query, stream, n_queries, before, texels });
    }

    /// Ends the query, if it is active, and makes its results available.
    pub fn end(&mut self, device: &Device, pool: &QueryPool, query: u32) {
        let running =
            self.counting.iter().position(|c| c.query == query && c.pool.address() == pool.address());
        let Some(c) = running.map(|at| self.counting.swap_remove(at)) else { return };
        let values = self.work(device, pool.kind()).since(&c.before).values(pool.kind(), c.stream);
        pool.finish(query, &values);
        // With multiview the first query gets the whole result.
        let nothing = vec![0; values.len()];
        (1..c.n_queries).for_each(|i| pool.finish(query + i, &nothing));
    }

    /// Runs `f`, in which other queues have the turn. Their texels and CPU time do not count.
    pub fn paused<T>(&mut self, device: &Device, f: impl FnOnce() -> T) -> T {
        let away = |c: &Counting| {
            let mut work = Work::default();
            work.read(device, c.pool.kind(), 0);
            work
        };
        let began: SmallVec<[Work; 2]> = self.counting.iter().map(away).collect();
        // No shader of another queue must find its tables changed while it runs.
        let counted: SmallVec<[bool; 2]> = self.counting.iter().map(|c| c.texels.is_some()).collect();
        self.counting.iter_mut().for_each(|c| c.texels = None);
        let done = f();
        for ((c, began), counted) in self.counting.iter_mut().zip(began).zip(counted) {
            c.texels = counted.then(|| device.images().tables().counting_texels());
            c.before.add(&away(c).since(&began));
        }
        done
    }
}
