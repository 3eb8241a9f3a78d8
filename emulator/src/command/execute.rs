//! Execution: the list to the rasterizer.
//!
//! Here resources become pointers. What they point to lives: the list holds the descriptor sets, sets
//! hold what is written to them (or a driver's caller promised so), and the list lives until the
//! submission is done.

#![expect(unsafe_code, reason = "descriptor sets become pointers for shaders")]

use std::time::Instant;

use quadrille_jit::abi::{Descriptor, MAX_SETS};
use quadrille_raster::{BoundResources, ComputeJob, dispatch};

use super::list::{Bindings, Command, ComputeCall, CopyQueryResults, Push, Recorded};
use super::render::{Occlusion, Scope};
use super::transfer;
use crate::device::{Device, Order};
use crate::error::{Error, Result};
use crate::limits::LIMITS;
use crate::memory::null_buffer;

/// Runs a list to its end.
pub(crate) fn execute(device: &Device, list: &Recorded) -> Result<()> {
    let mut executor = Executor { device, scope: None, occlusion: None };
    executor.run(list)?;
    executor.end_scope()
}

struct Executor<'d, 'l> {
    device: &'d Device,
    scope: Option<Scope<'d, 'l>>,
    occlusion: Option<Occlusion>,
}

/// Nanoseconds since an arbitrary moment.
fn now() -> u64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64 + 1
}

/// Records of dynamic buffers with their offsets applied.
pub(super) fn dynamic_records(bindings: &Bindings) -> Vec<Descriptor> {
    let mut out = Vec::new();
    for (bound, n) in bindings.sets.iter().zip(bindings.n_dynamic) {
        match bound {
            Some(bound) => bound.set.dynamic_records(&bound.offsets, &mut out),
            None => out.extend((0..n).map(|_| null_buffer())),
        }
    }
    out
}

/// What shaders can reach through `bindings`, which must live as long as they run.
pub(super) fn resources<'a>(
    bindings: &'a Bindings,
    push: &'a Push,
    dynamic: &'a [Descriptor],
) -> BoundResources<'a> {
    let mut sets = [std::ptr::null(); MAX_SETS];
    for (to, bound) in sets.iter_mut().zip(&bindings.sets) {
        if let Some(bound) = bound {
            *to = bound.set.as_ptr();
        }
    }
    // SAFETY: recording has checked that every set that a shader uses is bound with the layout that the
    // shader was compiled for; `bindings` keeps the sets alive, and they their resources.
    unsafe { BoundResources::new(sets, dynamic, push) }
}

impl<'d, 'l> Executor<'d, 'l> {
    fn end_scope(&mut self) -> Result<()> {
        self.scope.take().map_or(Ok(()), Scope::end)
    }

    fn scope(&mut self) -> Result<&mut Scope<'d, 'l>> {
        self.scope.as_mut().ok_or_else(|| Error::invalid("draw or clear outside of a render pass"))
    }

    fn run(&mut self, list: &'l Recorded) -> Result<()> {
        for command in &list.commands {
            self.command(command)?;
        }
        Ok(())
    }

    fn command(&mut self, command: &'l Command) -> Result<()> {
        match command {
            Command::Dispatch { call, push, groups, base } => self.dispatch(call, push, *groups, *base),
            Command::DispatchIndirect { call, push, buffer, offset } => {
                let words = buffer.read::<u32>(*offset, 3)?;
                let most = LIMITS.max_compute_work_group_count;
                let groups: [u32; 3] = std::array::from_fn(|i| words[i].min(most[i]));
                self.dispatch(call, push, groups, [0; 3])
            }
            Command::BeginRendering(info) => {
                self.end_scope()?;
                self.scope = Some(Scope::new(self.device, info, self.occlusion.as_ref()));
                Ok(())
            }
            Command::EndRendering => self.end_scope(),
            Command::Draw { call, push, draw } => self.scope()?.draw(call, push, draw),
            Command::DrawIndirect { call, push, indirect } => {
                self.scope()?.draw_indirect(call, push, indirect)
            }
            Command::ClearAttachments { attachments, rects } => self.scope()?.clear(attachments, rects),
            Command::CopyBuffer { .. }
            | Command::CopyImage { .. }
            | Command::CopyBufferToImage { .. }
            | Command::CopyImageToBuffer { .. }
            | Command::Blit { .. }
            | Command::Resolve { .. }
            | Command::FillBuffer { .. }
            | Command::UpdateBuffer { .. }
            | Command::ClearImage { .. } => transfer::run(self.device.pool(), command),
            Command::ResetQueries { pool, first, count } => {
                pool.reset(*first, *count);
                Ok(())
            }
            Command::BeginQuery { pool, query } => {
                let n = self.n_queries();
                (0..n).for_each(|i| pool.start(*query + i));
                self.set_occlusion(Some(Occlusion::new(pool, *query, n)))
            }
            Command::EndQuery => self.set_occlusion(None),
            Command::WriteTimestamp { pool, query } => {
                (0..self.n_queries()).for_each(|i| pool.finish(*query + i, Some(now())));
                Ok(())
            }
            Command::CopyQueryResults(copy) => copy_query_results(copy),
            Command::SetEvent(event) => {
                event.set();
                Ok(())
            }
            Command::ResetEvent(event) => {
                event.reset();
                Ok(())
            }
            Command::WaitEvents(events) => {
                self.device.signal().wait(None, || events.iter().all(|e| e.is_set())).map(|_| ())
            }
            Command::Execute(list) => self.run(list),
        }
    }

    /// Queries that a command takes: with multiview one per view.
    fn n_queries(&self) -> u32 {
        self.scope.as_ref().map_or(1, Scope::n_queries)
    }

    /// Begins or ends an occlusion query. Its draws have run when its result becomes available.
    fn set_occlusion(&mut self, next: Option<Occlusion>) -> Result<()> {
        if let Some(scope) = &mut self.scope {
            scope.set_occlusion(next.as_ref())?;
        }
        if let Some(last) = std::mem::replace(&mut self.occlusion, next) {
            last.finish();
        }
        Ok(())
    }

    fn dispatch(&mut self, call: &ComputeCall, push: &Push, groups: [u32; 3], base: [u32; 3]) -> Result<()> {
        let variant = call.pipeline.variant();
        let dynamic = dynamic_records(&call.bindings);
        let job = ComputeJob {
            lane_fn: variant.lane_fn(),
            name: &variant.shader.name,
            resources: resources(&call.bindings, push, &dynamic),
            groups,
            base,
            ordered: variant.needs_order && self.device.options().order == Order::Strict,
            budget: self.device.budget(),
        };
        dispatch(self.device.pool(), &job)
    }
}

fn copy_query_results(copy: &CopyQueryResults) -> Result<()> {
    for i in 0..copy.count {
        let query = copy.first + i;
        let result = copy.pool.result(query);
        let value = match result {
            None if copy.partial => Some(copy.pool.partial(query)),
            value => value,
        };
        let at = copy.offset + u64::from(i) * copy.stride;
        let put = |slot: u64, value: u64| match copy.wide {
            true => copy.dst.write(at + slot * 8, &[value]),
            false => copy.dst.write(at + slot * 4, &[value as u32]),
        };
        if let Some(value) = value {
            put(0, value)?;
        }
        if copy.availability {
            put(1, u64::from(result.is_some()))?;
        }
    }
    Ok(())
}
