//! Checks of asynchronous copies by the invocations of a workgroup, and of waits for their events.
//!
//! All invocations must reach the same copies and waits in the same order, with the same operands. The copies and waits
//! of each invocation are compared with those of the invocation that came first.
//!
//! Spec: OpenCL C, "Async Copies from Global to Local Memory, Local to Global Memory, and Prefetch".

use quadrille_jit::interp::watch::{View, lanes};
use quadrille_jit::ir::{Inst, Note};
use rustc_hash::FxHashMap;

use super::identity::address;
use crate::kind::Kind;
use crate::pending::{Pending, Where};
use crate::place::{self, Order};
use crate::report::Report;

/// Copies and waits of the unit, since the last control barrier.
#[derive(Default)]
pub struct Copies {
    /// Number of invocations of the unit.
    all: u32,
    /// Copies and waits of the invocation that came first at each.
    list: Vec<Collective>,
    /// State of each invocation, by lane group and lane.
    each: FxHashMap<(u32, usize), Invocation>,
}

/// A copy or wait that all invocations must reach.
struct Collective {
    inst: usize,
    operands: Vec<u64>,
    what: &'static str,
    /// Number of invocations that have reached it.
    lanes: u32,
    order: Order,
    report: Report,
}

#[derive(Default)]
struct Invocation {
    /// Number of its copies and waits since the last control barrier.
    count: usize,
    /// Events of its copies, with a report about each that it has not waited for.
    events: FxHashMap<u64, Option<Report>>,
}

impl Copies {
    /// Records the start of a lane group.
    pub fn start(&mut self, at: &View<'_>) {
        self.all += at.full().count_ones();
    }

    /// Called after a note about a copy or a wait.
    pub fn note(&mut self, pending: &mut Pending, at: &View<'_>, inst: &Inst, note: Note) {
        for lane in lanes(at.active()) {
            let operands: Vec<u64> = inst.args.iter().map(|&v| at.value(v, lane)).collect();
            match (note, &operands[..]) {
                (Note::GroupCopy, &[event, ref operands @ ..]) => {
                    self.reach(pending, (at, lane), inst, "copy", operands);
                    let report = || {
                        let message = "the copy has no wait for its event before the invocation ends";
                        place::report(at, inst, "OpGroupAsyncCopy", Kind::CopyUnwaited, message.into())
                    };
                    let events = &mut self.each.entry((at.group(), lane)).or_default().events;
                    let unwaited = events.entry(event).or_default();
                    *unwaited = unwaited.take().or_else(|| Some(report()));
                }
                (Note::GroupWait, &[event]) => {
                    self.reach(pending, (at, lane), inst, "wait", &operands);
                    let events = &mut self.each.entry((at.group(), lane)).or_default().events;
                    match events.get_mut(&event) {
                        Some(unwaited) => *unwaited = None,
                        None => {
                            let key = (Where::instruction(inst.src, address(inst)), 0, Kind::EventInvalid);
                            pending.add(at, lane, key, || {
                                let message = "a wait for an event that no copy of the invocation made";
                                place::report(
                                    at,
                                    inst,
                                    "OpGroupWaitEvents",
                                    Kind::EventInvalid,
                                    message.into(),
                                )
                            });
                        }
                    }
                }
                _ => {} // other notes, which have no copies
            }
        }
    }

    /// Compares a copy or wait of a lane with that of the invocation that came first.
    fn reach(
        &mut self,
        pending: &mut Pending,
        (at, lane): (&View<'_>, usize),
        inst: &Inst,
        what: &'static str,
        operands: &[u64],
    ) {
        let count = &mut self.each.entry((at.group(), lane)).or_default().count;
        let number = *count;
        *count += 1;
        let name = if what == "copy" { "OpGroupAsyncCopy" } else { "OpGroupWaitEvents" };
        let Some(first) = self.list.get_mut(number) else {
            let report = place::report(at, inst, name, Kind::CopyDivergent, String::new());
            let report = report.by(place::who(at, lane, pending.session().step()));
            let (inst, operands, order) = (address(inst), operands.to_vec(), place::order(at, lane));
            self.list.push(Collective { inst, operands, what, lanes: 1, order, report });
            return;
        };
        if first.inst == address(inst) && first.operands == operands {
            first.lanes += 1;
            return;
        }
        let how = match first.inst == address(inst) {
            true => "with other operands than another invocation of the workgroup",
            false => "while another invocation of the workgroup reaches another copy or wait",
        };
        first.lanes = self.all;
        let key = (Where::instruction(inst.src, address(inst)), 0, Kind::CopyDivergent);
        pending.add(at, lane, key, || {
            place::report(at, inst, name, Kind::CopyDivergent, format!("the {what} is reached {how}"))
        });
    }

    /// All lane groups wait at a barrier or have ended: reports copies and waits that not all invocations reached.
    pub fn released(&mut self, pending: &mut Pending) {
        for reached in self.list.drain(..) {
            let (n, all) = (reached.lanes, self.all);
            if n >= all {
                continue;
            }
            let key = (Where::Address(reached.inst), 0, Kind::CopyDivergent);
            pending.add_in(reached.order, key, || {
                let reach = if n == 1 { "reaches" } else { "reach" };
                let message =
                    format!("{n} of {all} invocations of the workgroup {reach} the {}", reached.what);
                Report { message, ..reached.report }
            });
        }
        self.each.values_mut().for_each(|invocation| invocation.count = 0);
    }

    /// A lane group has ended: reports copies for which it has not waited.
    pub fn finish(&mut self, pending: &mut Pending, at: &View<'_>) {
        for lane in lanes(at.full()) {
            let Some(invocation) = self.each.remove(&(at.group(), lane)) else { continue };
            for (event, report) in invocation.events {
                if let Some(report) = report {
                    pending.add(at, lane, (Where::Shader, event, Kind::CopyUnwaited), || report);
                }
            }
        }
    }
}
