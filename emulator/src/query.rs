//! Query pools: occlusion counts, pipeline statistics and timestamps.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use quadrille_jit::ir::MAX_STREAMS;
use quadrille_raster::Stats;

use crate::device::Device;
use crate::error::{Result, ensure};
use crate::memory::Words;
use crate::object::{objects, shared};

/// The time that timestamps are of: nanoseconds of the host's monotonic clock.
pub fn now() -> u64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64
}

/// What a pool counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryKind {
    /// Samples that passed the depth and stencil tests.
    Occlusion,
    /// The statistics of these bits, in their order. Spec: VkQueryPipelineStatisticFlagBits.
    PipelineStatistics(u32),
    /// Nanoseconds.
    Timestamp,
    /// Primitives that transform feedback has captured, and those that it would have with room for all.
    TransformFeedbackStream,
    /// Primitives that the last stage before rasterization has put out.
    PrimitivesGenerated,
    /// Primitives that mesh shaders have put out and not culled.
    MeshPrimitivesGenerated,
}

impl QueryKind {
    /// Values that a query has.
    pub fn values(self) -> usize {
        match self {
            QueryKind::PipelineStatistics(bits) => bits.count_ones() as usize,
            QueryKind::TransformFeedbackStream => 2,
            QueryKind::Occlusion
            | QueryKind::Timestamp
            | QueryKind::PrimitivesGenerated
            | QueryKind::MeshPrimitivesGenerated => 1,
        }
    }
}

/// Number of pipeline statistics.
const STATISTICS: usize = 13;
/// The number of compute invocations among them.
const COMPUTE_INVOCATIONS: usize = 10;

/// What queries count: sums over passes and dispatches.
#[derive(Clone, Copy, Default)]
pub(crate) struct Work {
    /// In the order of VkQueryPipelineStatisticFlagBits.
    pub statistics: [u64; STATISTICS],
    /// Primitives that the last stage before rasterization has put out, by stream.
    pub generated: [u64; MAX_STREAMS],
    /// Those of them put out while transform feedback was active.
    pub needed: [u64; MAX_STREAMS],
    /// Those that transform feedback has captured.
    pub captured: [u64; MAX_STREAMS],
    /// Primitives that mesh shaders have put out and not culled.
    pub meshes: [u64; 1],
}

impl Work {
    /// What a pass has done.
    pub fn of_pass(s: &Stats, feedback: bool) -> Work {
        let statistics = [
            s.input_vertices,
            s.input_primitives,
            s.vertex_invocations,
            s.geometry_invocations,
            s.geometry_primitives,
            s.clipping_invocations,
            s.clipping_primitives,
            s.fragment_invocations,
            s.control_patches,
            s.evaluation_invocations,
            0,
            s.task_invocations,
            s.mesh_invocations,
        ];
        let needed = if feedback { s.generated } else { Default::default() };
        Work { statistics, generated: s.generated, needed, captured: s.captured, meshes: [s.mesh_primitives] }
    }

    /// What a dispatch has done.
    pub fn of_dispatch(invocations: u64) -> Work {
        let mut work = Work::default();
        work.statistics[COMPUTE_INVOCATIONS] = invocations;
        work
    }

    /// Adds what has been done besides.
    pub fn add(&mut self, other: &Work) {
        self.each(other, u64::wrapping_add);
    }

    /// What has been done since.
    pub fn since(&self, before: &Work) -> Work {
        let mut work = *self;
        work.each(before, u64::wrapping_sub);
        work
    }

    fn each(&mut self, other: &Work, f: fn(u64, u64) -> u64) {
        let pairs = [
            (&mut self.statistics[..], &other.statistics[..]),
            (&mut self.generated, &other.generated),
            (&mut self.needed, &other.needed),
            (&mut self.captured, &other.captured),
            (&mut self.meshes, &other.meshes),
        ];
        for (to, other) in pairs {
            to.iter_mut().zip(other).for_each(|(to, other)| *to = f(*to, *other));
        }
    }

    /// The values of a query that has counted this much of a stream; none of kinds that do not count work.
    pub fn values(&self, kind: QueryKind, stream: u32) -> Vec<u64> {
        let stream = stream as usize % MAX_STREAMS;
        match kind {
            QueryKind::PipelineStatistics(bits) => {
                let asked = (0..STATISTICS).filter(|i| bits >> i & 1 != 0);
                asked.map(|i| self.statistics[i]).collect()
            }
            QueryKind::TransformFeedbackStream => vec![self.captured[stream], self.needed[stream]],
            QueryKind::PrimitivesGenerated => vec![self.generated[stream]],
            QueryKind::MeshPrimitivesGenerated => self.meshes.to_vec(),
            QueryKind::Occlusion | QueryKind::Timestamp => Vec::new(),
        }
    }
}

struct Inner {
    device: Device,
    kind: QueryKind,
    count: u32,
    /// Of each query whether it is available, and its values.
    words: Words,
}

/// A query in the memory of its pool.
struct Query<'a> {
    available: &'a AtomicU64,
    values: &'a [AtomicU64],
}

impl Query<'_> {
    fn is_available(&self) -> bool {
        self.available.load(Ordering::Acquire) != 0
    }

    fn reset(&self) {
        self.values.iter().for_each(|v| v.store(0, Ordering::Relaxed));
        self.available.store(0, Ordering::Release);
    }

    fn values(&self) -> Vec<u64> {
        self.values.iter().map(|v| v.load(Ordering::Relaxed)).collect()
    }
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
    pub(crate) fn new(device: &Device, kind: QueryKind, count: u32) -> Result<Self> {
        let words = Words::new(device.heap(), u64::from(count) * (kind.values() as u64 + 1))?;
        Ok(QueryPool(Arc::new(Inner { device: device.clone(), kind, count, words })))
    }

    fn query(&self, index: u32) -> Option<Query<'_>> {
        let n = self.0.kind.values() + 1;
        let all = self.0.words.all().get(index as usize * n..)?.get(..n)?;
        let (available, values) = all.split_first()?;
        Some(Query { available, values })
    }

    /// What it counts.
    pub fn kind(&self) -> QueryKind {
        self.0.kind
    }

    /// Number of queries.
    pub fn len(&self) -> u32 {
        self.0.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.count == 0
    }

    pub(crate) fn check(&self, first: u32, count: u32) -> Result<()> {
        let inside = first.checked_add(count).is_some_and(|end| end <= self.len());
        ensure(inside, || format!("queries {first}..+{count} of a pool of {}", self.len()))
    }

    /// Makes queries unavailable; those outside of the pool are ignored.
    pub fn reset(&self, first: u32, count: u32) {
        let end = first.saturating_add(count).min(self.len());
        (first..end).filter_map(|i| self.query(i)).for_each(|q| q.reset());
    }

    /// First value of a query if it is available.
    pub fn result(&self, index: u32) -> Option<u64> {
        self.results(index)?.first().copied()
    }

    /// Values of a query if it is available.
    pub fn results(&self, index: u32) -> Option<Vec<u64>> {
        self.query(index).filter(Query::is_available).map(|q| q.values())
    }

    /// Values of a query whether available or not (VK_QUERY_RESULT_PARTIAL_BIT).
    pub fn partial(&self, index: u32) -> Vec<u64> {
        self.query(index).map_or(Vec::new(), |q| q.values())
    }

    /// Waits until the queries are available; false when the time is over.
    pub fn wait(&self, first: u32, count: u32, timeout: Option<Duration>) -> Result<bool> {
        self.check(first, count)?;
        let done = |i: u32| self.query(i).is_none_or(|q| q.is_available());
        self.0.device.signal().wait(timeout, || (first..first + count).all(done))
    }

    /// Starts a query at zero.
    pub(crate) fn start(&self, index: u32) {
        self.reset(index, 1);
    }

    /// Makes a query available, with these values.
    pub(crate) fn finish(&self, index: u32, values: &[u64]) {
        if let Some(q) = self.query(index) {
            self.0.device.signal().announce(|| {
                for (to, value) in q.values.iter().zip(values) {
                    to.store(*value, Ordering::Relaxed);
                }
                q.available.store(1, Ordering::Release);
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DeviceOptions, Error};

    #[test]
    fn pools_of_any_size_are_made_or_refused() {
        let device = Device::new(DeviceOptions { heap_bytes: 1 << 30, ..Default::default() }).unwrap();
        for kind in [QueryKind::Occlusion, QueryKind::PipelineStatistics(0x1fff), QueryKind::Timestamp] {
            let refused = device.create_query_pool(kind, u32::MAX);
            assert!(matches!(refused, Err(Error::OutOfMemory(_))), "{refused:?}");
            let pool = device.create_query_pool(kind, 1 << 20).unwrap();
            assert!(device.heap_used() >= 16 << 20);
            let last = pool.len() - 1;
            assert_eq!(pool.results(last), None);
            pool.finish(last, &vec![7; kind.values()]);
            assert_eq!(pool.results(last), Some(vec![7; kind.values()]));
            assert_eq!(pool.results(last - 1), None);
            assert_eq!(pool.results(last + 1), None);
            pool.reset(0, u32::MAX);
            assert_eq!(pool.results(last), None);
        }
        assert_eq!(device.heap_used(), 0);
        assert!(device.create_query_pool(QueryKind::Occlusion, 0).unwrap().is_empty());
    }
}
