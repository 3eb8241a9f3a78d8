//! Lane functions that are observed only where observers may have something to report. Compiled code with alarms runs
//! first. Calls in which an alarm was set run again, interpreted, under the watcher.
//!
//! Generated code and the interpreter produce the same bits, so results do not depend on which of them ran last.

use std::cell::Cell;
use std::sync::Arc;

use super::memory::{Host, Views};
use super::watch::{Bound, Call, Range, Watch};
use crate::abi::{BindingLayout, Ctx, DONE, EntryMeta, Layout, sampler_of_word};
use crate::call::LaneFn;
use crate::codegen::ImageOps;
use crate::ir::{HandleKind, ResourceKind, Shader, Stage};
use crate::{Error, Result};

/// Maximum number of resources that are reported to the watcher in each call.
const MOST_BOUND: u32 = 64;

/// State that the calls of a lane function share.
struct Alarmed {
    /// The compiled shader with alarms.
    quick: LaneFn,
    /// The same shader without alarms, interpreted under the watcher.
    watched: LaneFn,
    shader: Arc<Shader>,
    /// Resources that the shader may use; `None` if there are too many.
    bindings: Option<Vec<(BindingLayout, ResourceKind)>>,
    watch: Arc<dyn Watch>,
    views: Views,
}

/// Combines two lane functions: `quick` is compiled from the copy of `shader` with the alarms of [`Watch::alarmed`];
/// `watched` is the result of [`super::build_watched`] for `shader`, with the same layout.
///
/// # Errors
/// The interfaces of the two differ.
pub fn build(
    quick: LaneFn,
    watched: LaneFn,
    shader: Arc<Shader>,
    layout: &Layout,
    watch: Arc<dyn Watch>,
    ops: &dyn ImageOps,
) -> Result<LaneFn> {
    let (a, b) = (quick.meta(), watched.meta());
    let meta = EntryMeta {
        scratch_bytes: a.scratch_bytes.max(b.scratch_bytes),
        shared_bytes: a.shared_bytes.max(b.shared_bytes),
        ..a
    };
    if meta != (EntryMeta { scratch_bytes: meta.scratch_bytes, shared_bytes: meta.shared_bytes, ..b }) {
        return Err(Error::Internal(format!("'{}' with alarms has a different interface", shader.name)));
    }
    let bindings: Vec<_> = shader
        .bindings
        .iter()
        .filter_map(|b| Some((layout.find(b.set, b.binding)?.clone(), b.kind)))
        .collect();
    let few = bindings.iter().fold(0u32, |n, b| n.saturating_add(b.0.descriptors())) <= MOST_BOUND;
    let bindings = few.then_some(bindings);
    let alarmed = Arc::new(Alarmed { quick, watched, shader, bindings, watch, views: Views::of(ops) });
    let at: *const Alarmed = &*alarmed;
    Ok(LaneFn::new(entry, at.cast(), meta, alarmed))
}

impl Alarmed {
    /// Returns true if the watcher wants to observe the whole call.
    fn needs_all(&self, call: &Call<'_>, host: &Host<'_>) -> bool {
        let Some(bindings) = &self.bindings else { return true };
        let mut bound = Vec::new();
        for (layout, kind) in bindings {
            let binding = (layout.set, layout.binding);
            for i in 0..layout.descriptors() {
                let Some(found) = host.descriptor(layout, i, kind.handle(), self.views) else { continue };
                if kind.handle() == HandleKind::Buffer {
                    bound.push(Bound::Buffer(Range { base: found.ptr, size: found.size }));
                    continue;
                }
                if *kind != ResourceKind::Sampler {
                    let place = host.descriptor_place(layout, i).unwrap_or(0);
                    bound.push(Bound::Image { binding, record: found.ptr, place });
                }
                if matches!(kind, ResourceKind::Sampler | ResourceKind::CombinedImageSampler) {
                    let number = sampler_of_word(found.size).into();
                    bound.push(Bound::Sampler { binding, number });
                }
            }
        }
        self.watch.needs_all(call, &bound)
    }
}

/// The entry of all such lane functions; [`Ctx::program`] selects the function.
///
/// # Safety
/// The conditions of `LaneFn::call` hold, and the program of `ctx` is an [`Alarmed`] that outlives the call.
#[expect(unsafe_code, reason = "has the signature of generated code")]
unsafe extern "C" fn entry(ctx: *const Ctx, first: u32, count: u32) -> u32 {
    // SAFETY: by the contract of `LaneFn::call`, `ctx` is valid for the call, and its copy is plain data. `LaneFn` set
    // `program` to the `Alarmed` that `build` created and that the `LaneFn` keeps alive.
    let (mut own, alarmed) = unsafe { (ctx.read(), &*(*ctx).program.cast::<Alarmed>()) };
    let alarm = Cell::new(0);
    own.alarm = alarm.as_ptr();
    let quick = |own: &mut Ctx, first: u32, count: u32| {
        alarm.set(0);
        // SAFETY: `own` is a copy of the caller's context, valid as that is, with its own alarm word. `build` reports
        // the larger memory requirements of both functions, so that the memory suffices for `quick`.
        let done = unsafe { alarmed.quick.call(own, first, count) };
        (done, alarm.get() != 0)
    };
    let watched = |own: &mut Ctx, first: u32, count: u32| {
        // SAFETY: `own` is a copy of the caller's context, valid as that is. `build` reports the larger memory
        // requirements of both functions, so that the memory suffices for `watched`.
        unsafe { alarmed.watched.call(own, first, count) }
    };
    let call = Call { shader: &alarmed.shader, lanes: alarmed.quick.meta().lanes, first, count, ctx: &own };
    // SAFETY: by the contract of `LaneFn::call`, the pointers of the context and those in its descriptors are valid for
    // the call, and `host` does not outlive it.
    let host = unsafe { Host::new(&own, first) };
    if alarmed.needs_all(&call, &host) {
        return watched(&mut own, first, count);
    }
    let (done, rings) = quick(&mut own, first, count);
    if done != DONE || !rings {
        return done;
    }
    // Stamps are independent, so each can run alone. In other stages, a lane group cannot begin at an arbitrary unit.
    if count == 1 || alarmed.shader.stage != Stage::Fragment {
        return watched(&mut own, first, count);
    }
    let mut from = None;
    for unit in first..first + count {
        let (done, rings) = quick(&mut own, unit, 1);
        if done != DONE {
            return done;
        }
        match (rings, from) {
            (true, None) => from = Some(unit),
            (false, Some(start)) => {
                from = None;
                let done = watched(&mut own, start, unit - start);
                if done != DONE {
                    return done;
                }
            }
            _ => {}
        }
    }
    from.map_or(DONE, |start| watched(&mut own, start, first + count - start))
}
