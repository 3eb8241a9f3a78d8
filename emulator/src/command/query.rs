//! Recording of queries.

use quadrille_jit::ir::MAX_STREAMS;

use super::list::{Command, CopyQueryResults};
use super::parameters::result_bytes;
use super::record::CommandBuffer;
use crate::error::{Error, ensure};
use crate::flags::BufferUsage;
use crate::query::{QueryKind, QueryPool};
use crate::resource::buffer::Buffer;

impl CommandBuffer {
    /// Makes queries unavailable.
    pub fn reset_query_pool(&mut self, pool: &QueryPool, first: u32, count: u32) -> &mut Self {
        self.step(|c| {
            c.outside("reset of queries")?;
            pool.check(first, count)?;
            let pool = c.keep(pool)?;
            c.add(0, Command::ResetQueries { pool, first, count })
        })
    }

    /// Begins a query.
    pub fn begin_query(&mut self, pool: &QueryPool, query: u32) -> &mut Self {
        self.begin_query_indexed(pool, query, 0)
    }

    /// Ends a query.
    pub fn end_query(&mut self, pool: &QueryPool, query: u32) -> &mut Self {
        self.step(|c| {
            pool.check(query, 1)?;
            let pool = c.keep(pool)?;
            c.add(0, Command::EndQuery { pool, query })
        })
    }

    /// Writes the time at which all earlier commands have completed.
    pub fn write_timestamp(&mut self, pool: &QueryPool, query: u32) -> &mut Self {
        self.step(|c| {
            pool.check(query, 1)?;
            ensure(pool.kind() == QueryKind::Timestamp, || "the pool is not for timestamps".into())?;
            let pool = c.keep(pool)?;
            c.add(0, Command::WriteTimestamp { pool, query })
        })
    }

    /// Copies results to a buffer, as 64-bit words if `wide`. Each result is followed by its availability if
    /// `availability`. `partial` also copies values that are not available. A wait flag is not needed: the queue runs
    /// commands in order. Spec: Vulkan, vkCmdCopyQueryPoolResults.
    pub fn copy_query_pool_results(
        &mut self,
        (pool, first, count): (&QueryPool, u32, u32),
        (dst, offset, stride): (&Buffer, u64, u64),
        [wide, availability, partial]: [bool; 3],
    ) -> &mut Self {
        self.step(|c| {
            c.outside("copy")?;
            pool.check(first, count)?;
            dst.need(BufferUsage::TRANSFER_DST, "copy of queries")?;
            let results = result_bytes(pool.kind(), wide, availability);
            let span = stride.saturating_mul(u64::from(count).saturating_sub(1)).saturating_add(results);
            dst.check(offset, if count == 0 { 0 } else { span })?;
            let (pool, dst) = (c.keep(pool)?, c.keep(dst)?);
            let copy =
                CopyQueryResults { pool, first, count, dst, offset, stride, wide, availability, partial };
            let copy = c.list.parameters.put(copy);
            c.add((results / 4).saturating_mul(count.into()), Command::CopyQueryResults(copy))
        })
    }

    /// Begins a query that counts one vertex stream.
    pub fn begin_query_indexed(&mut self, pool: &QueryPool, query: u32, stream: u32) -> &mut Self {
        self.step(|c| {
            pool.check(query, 1)?;
            let streams =
                matches!(pool.kind(), QueryKind::TransformFeedbackStream | QueryKind::PrimitivesGenerated);
            ensure(streams || stream == 0, || "a query of a stream by a pool without streams".into())?;
            ensure((stream as usize) < MAX_STREAMS, || format!("stream {stream}"))?;
            if !pool.kind().begins() {
                return Err(Error::invalid(format!("queries of {:?} are written, not begun", pool.kind())));
            }
            let pool = c.keep(pool)?;
            c.add(0, Command::BeginQuery { pool, query, stream })
        })
    }
}
