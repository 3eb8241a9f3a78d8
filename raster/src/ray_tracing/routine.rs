//! The calls that shaders make: the routine behind [`RayTracer`](quadrille_jit::abi::RayTracer).

#![expect(unsafe_code, reason = "a routine that generated code calls, with rows in its memory")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use quadrille_jit::abi::{MAX_LANES, RayCallArgs};
use quadrille_jit::ir::{RayCall, Report, Stage};
use smallvec::SmallVec;

use super::bad_record::Table;
use super::call::{Call, Frame, Rows};
use super::hit_object;
use super::shaders::{Input, Output};
use super::walk::{self, batches};

/// Executes a call for each active lane.
///
/// # Safety
/// As [`RayCallArgs`] states. The tracer of its context is the first field of a [`Frame`], which lives until the call
/// returns.
pub(super) unsafe extern "C" fn routine(args: *mut RayCallArgs) {
    // SAFETY: the caller passes arguments that nothing else accesses during the call.
    let args = unsafe { *args };
    // SAFETY: the context is that of the caller, and lives during the call. This routine is in no tracer but those of
    // frames.
    let frame = unsafe { &*(*args.ctx).tracer.cast::<Frame<'_>>() };
    let Some(call) = RayCall::from_number(args.call) else { return };
    let (lanes, operands) = (args.lanes as usize, call.operand_words());
    if lanes > MAX_LANES {
        return;
    }
    // SAFETY: the caller has `lanes` words in each row, a row for each word of the operands and `words` more, and does
    // not access them during the call.
    let words =
        unsafe { std::slice::from_raw_parts_mut(args.rows, (operands + args.words) as usize * lanes) };
    let mut rows = Rows::new(words, lanes, args.mask, operands, args.words);
    let run = || match call {
        _ if frame.running.is_over() => ignore(call, &mut rows),
        RayCall::Trace => walk::trace(frame, &mut rows),
        RayCall::Execute => execute(frame, &mut rows),
        RayCall::HitTrace => hit_object::trace(frame, &mut rows),
        RayCall::HitExecute => hit_object::execute(frame, &mut rows),
        RayCall::HitGet => hit_object::get(frame, &mut rows),
        RayCall::Report => match frame.reports {
            Some(reports) => reports.report(frame, &mut rows),
            None => ignore(call, &mut rows),
        },
    };
    // Generated code must not be unwound.
    if let Err(panic) = catch_unwind(AssertUnwindSafe(run)) {
        frame.running.fail(panic);
    }
}

/// Ends a call without an effect.
fn ignore(call: RayCall, rows: &mut Rows<'_>) {
    if call == RayCall::Report {
        for lane in rows.active() {
            rows.set_operand(0, lane, Report::Ignored as u32);
        }
    }
}

/// Executes callable shaders.
fn execute(frame: &Frame<'_>, rows: &mut Rows<'_>) {
    let running = frame.running;
    if frame.callables >= running.callable_depth {
        return;
    }
    let mut needs = SmallVec::<[_; MAX_LANES]>::new();
    for lane in rows.active() {
        let at = (Table::Callable, rows.operand(0, lane).into());
        if let Some((shader, record)) = running.general(Some(lane), at, Stage::Callable) {
            needs.push((shader, lane, record.data));
        }
    }
    needs.sort_unstable();
    for needs in batches(running, &needs, |need| need.0) {
        let mut callee = frame.callee(needs.iter().map(|need| need.1));
        callee.callables += 1;
        let shader = &running.pipeline.shaders[needs[0].0];
        let operands = &*rows;
        let mut call = Call::new(&callee, shader, needs.len(), |k| {
            let (_, lane, data) = needs[k];
            move |of| match of {
                Input::Payload(word) => operands.scalar(word, lane),
                Input::Record(part) => (data >> (32 * part)) as u32,
                Input::Attribute(_) | Input::BuiltIn(..) => 0,
            }
        });
        call.run(&callee);
        call.outputs(&callee, |of, k, bits| match of {
            Output::Payload(word) => rows.set_scalar(word, needs[k].1, bits),
            Output::End => {}
        });
    }
}
