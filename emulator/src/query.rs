//! Query pools: occlusion counts, pipeline statistics and timestamps.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use quadrille_raster::Stats;

use crate::device::Device;
use crate::error::{Result, ensure};
use crate::object::{objects, shared};

/// What a pool counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryKind {
    /// Samples that passed the depth and stencil tests.
    Occlusion,
    /// The statistics of these bits, in their order. Spec: VkQueryPipelineStatisticFlagBits.
    PipelineStatistics(u32),
    /// Nanoseconds.
    Timestamp,
}

impl QueryKind {
    /// Values that a query has.
    pub fn values(self) -> usize {
        match self {
            QueryKind::PipelineStatistics(bits) => bits.count_ones() as usize,
            QueryKind::Occlusion | QueryKind::Timestamp => 1,
        }
    }
}

/// Number of pipeline statistics.
pub(crate) const STATISTICS: usize = 11;

/// What a pass did, and a dispatch, in the order of VkQueryPipelineStatisticFlagBits.
pub(crate) fn statistics(s: &Stats, compute_invocations: u64) -> [u64; STATISTICS] {
    [
        s.input_vertices,
        s.input_primitives,
        s.vertex_invocations,
        0,
        0,
        s.clipping_invocations,
        s.clipping_primitives,
        s.fragment_invocations,
        0,
        0,
        compute_invocations,
    ]
}

struct Query {
    values: Box<[AtomicU64]>,
    available: AtomicU64,
}

struct Inner {
    device: Device,
    kind: QueryKind,
    queries: Vec<Query>,
}

/// A list of queries. Spec: Vulkan, "Queries".
#[derive(Clone)]
pub struct QueryPool(Arc<Inner>);

objects! { QueryPool: "query pool" = |q| q.0.device.device_id(); }
shared!(QueryPool);

impl std::fmt::Debug for QueryPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "QueryPool({:?}, {})", self.kind(), self.len())
    }
}

impl QueryPool {
    pub(crate) fn new(device: &Device, kind: QueryKind, count: u32) -> Self {
        let values = || (0..kind.values()).map(|_| AtomicU64::new(0)).collect();
        let query = |_| Query { values: values(), available: AtomicU64::new(0) };
        let queries = (0..count).map(query).collect();
        QueryPool(Arc::new(Inner { device: device.clone(), kind, queries }))
    }

    /// What it counts.
    pub fn kind(&self) -> QueryKind {
        self.0.kind
    }

    /// Number of queries.
    pub fn len(&self) -> u32 {
        self.0.queries.len() as u32
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.queries.is_empty()
    }

    pub(crate) fn check(&self, first: u32, count: u32) -> Result<()> {
        let inside = first.checked_add(count).is_some_and(|end| end <= self.len());
        ensure(inside, || format!("queries {first}..+{count} of a pool of {}", self.len()))
    }

    /// Makes queries unavailable; those outside of the pool are ignored.
    pub fn reset(&self, first: u32, count: u32) {
        for q in self.0.queries.iter().skip(first as usize).take(count as usize) {
            q.values.iter().for_each(|v| v.store(0, Ordering::Relaxed));
            q.available.store(0, Ordering::Release);
        }
    }

    /// First value of a query if it is available.
    pub fn result(&self, index: u32) -> Option<u64> {
        self.results(index)?.first().copied()
    }

    /// Values of a query if it is available.
    pub fn results(&self, index: u32) -> Option<Vec<u64>> {
        let q = self.0.queries.get(index as usize)?;
        (q.available.load(Ordering::Acquire) != 0).then(|| self.partial(index))
    }

    /// Values of a query whether available or not (VK_QUERY_RESULT_PARTIAL_BIT).
    pub fn partial(&self, index: u32) -> Vec<u64> {
        let q = self.0.queries.get(index as usize);
        q.map_or(Vec::new(), |q| q.values.iter().map(|v| v.load(Ordering::Relaxed)).collect())
    }

    /// Waits until the queries are available; false when the time is over.
    pub fn wait(&self, first: u32, count: u32, timeout: Option<Duration>) -> Result<bool> {
        self.check(first, count)?;
        let range = first as usize..(first + count) as usize;
        self.0.device.signal().wait(timeout, || {
            self.0.queries[range.clone()].iter().all(|q| q.available.load(Ordering::Acquire) != 0)
        })
    }

    /// Starts a query at zero.
    pub(crate) fn start(&self, index: u32) {
        self.reset(index, 1);
    }

    /// Makes a query available, with these values.
    pub(crate) fn finish(&self, index: u32, values: &[u64]) {
        if let Some(q) = self.0.queries.get(index as usize) {
            self.0.device.signal().announce(|| {
                for (to, value) in q.values.iter().zip(values) {
                    to.store(*value, Ordering::Relaxed);
                }
                q.available.store(1, Ordering::Release);
            });
        }
    }
}
