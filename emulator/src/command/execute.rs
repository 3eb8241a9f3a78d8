//! Execution: the list to the rasterizer.
//!
//! Here resources become pointers. What they point to lives: the list holds the descriptor sets, sets
//! hold what is written to them (or a driver's caller promised so), and the list lives until the
//! submission is done.

#![expect(unsafe_code, reason = "descriptor sets become pointers for shaders")]

use std::time::Instant;

use quadrille_jit::abi::{Descriptor, MAX_SETS};
use quadrille_raster::{BoundResources, ComputeJob, dispatch};

use super::list::{Bindings, Command, ComputeCall, CopyQueryResults, Recorded};
use super::transfer;
use crate::device::{Device, Order};
use crate::error::{Error, Result};
use crate::limits::LIMITS;
use crate::memory::null_buffer;

/// Runs a list to its end.
pub(crate) fn execute(device: &Device, list: &Recorded) -> Result<()> {
    let mut executor = Executor { device };
    executor.run(list)
}

struct Executor<'d> {
    device: &'d Device,
}

/// Nanoseconds since an arbitrary moment.
fn now() -> u64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64 + 1
}

/// Records of dynamic buffers with their offsets applied.
fn dynamic_records(bindings: &Bindings) -> Vec<Descriptor> {
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
fn resources<'a>(bindings: &'a Bindings, dynamic: &'a [Descriptor]) -> BoundResources<'a> {
    let mut sets = [std::ptr::null(); MAX_SETS];
    for (to, bound) in sets.iter_mut().zip(&bindings.sets) {
        if let Some(bound) = bound {
            *to = bound.set.as_ptr();
        }
    }
    // SAFETY: recording has checked that every set that a shader uses is bound with the layout that the
    // shader was compiled for; `bindings` keeps the sets alive, and they their resources.
    unsafe { BoundResources::new(sets, dynamic, &bindings.push) }
}

impl Executor<'_> {
    fn run(&mut self, list: &Recorded) -> Result<()> {
        for command in &list.commands {
            self.command(command)?;
        }
        Ok(())
    }

    fn command(&mut self, command: &Command) -> Result<()> {
        match command {
            Command::Dispatch { call, groups, base } => self.dispatch(call, *groups, *base),
            Command::DispatchIndirect { call, buffer, offset } => {
                let words = buffer.read::<u32>(*offset, 3)?;
                let most = LIMITS.max_compute_work_group_count;
                let groups: [u32; 3] = std::array::from_fn(|i| words[i].min(most[i]));
                self.dispatch(call, groups, [0; 3])
            }
            Command::BeginRendering(_)
            | Command::EndRendering
            | Command::Draw { .. }
            | Command::DrawIndirect { .. }
            | Command::ClearAttachments { .. } => Err(Error::unsupported("render passes")),
            Command::CopyBuffer { src, dst, regions } => transfer::copy_buffer(src, dst, regions),
            Command::CopyImage { src, dst, regions } => transfer::copy_image(src, dst, regions),
            Command::CopyBufferToImage { src, dst, regions } => {
                transfer::copy_buffer_to_image(src, dst, regions)
            }
            Command::CopyImageToBuffer { src, dst, regions } => {
                transfer::copy_image_to_buffer(src, dst, regions)
            }
            Command::Blit { src, dst, regions, linear } => transfer::blit(src, dst, regions, *linear),
            Command::Resolve { src, dst, regions } => transfer::resolve(src, dst, regions),
            Command::FillBuffer { dst, offset, size, word } => {
                let (memory, base) = dst.memory()?;
                memory.fill_u32(base + offset, *size, *word)
            }
            Command::UpdateBuffer { dst, offset, data } => dst.write(*offset, data),
            Command::ClearImage { image, value, ranges } => transfer::clear(image, *value, ranges),
            Command::ResetQueries { pool, first, count } => {
                pool.reset(*first, *count);
                Ok(())
            }
            Command::BeginQuery { pool, query } => {
                pool.start(*query);
                Ok(())
            }
            Command::EndQuery { pool, query } => {
                pool.finish(*query, None);
                Ok(())
            }
            Command::WriteTimestamp { pool, query } => {
                pool.finish(*query, Some(now()));
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

    fn dispatch(&mut self, call: &ComputeCall, groups: [u32; 3], base: [u32; 3]) -> Result<()> {
        let variant = call.pipeline.variant();
        let dynamic = dynamic_records(&call.bindings);
        let job = ComputeJob {
            lane_fn: variant.lane_fn(),
            name: &variant.shader.name,
            resources: resources(&call.bindings, &dynamic),
            groups,
            base,
            ordered: variant.needs_order && self.device.options().order == Order::Strict,
            budget: self.device.budget(),
        };
        let start = Instant::now();
        dispatch(self.device.pool(), &job)?;
        variant.worked(self.device, start.elapsed());
        Ok(())
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
