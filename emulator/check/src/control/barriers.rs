//! Checks that all invocations of a workgroup reach each control barrier.

use quadrille_jit::interp::watch::View;
use quadrille_jit::ir::Inst;
use rustc_hash::FxHashMap;

use super::identity::address;
use crate::kind::Kind;
use crate::pending::{Pending, Where};
use crate::place::{self, Order};
use crate::report::Report;

/// Barriers at which lane groups of the unit wait.
#[derive(Default)]
pub struct Barriers {
    /// Number of invocations of the unit.
    all: u32,
    waiting: FxHashMap<usize, Waiting>,
}

struct Waiting {
    lanes: u32,
    order: Order,
    report: Report,
}

impl Barriers {
    /// Records the start of a lane group.
    pub fn start(&mut self, at: &View<'_>) {
        self.all += at.full().count_ones();
    }

    /// Records that the active lanes of a group have reached a barrier.
    pub fn arrive(&mut self, pending: &Pending, at: &View<'_>, inst: &Inst) {
        let lane = at.active().trailing_zeros() as usize;
        let waiting = self.waiting.entry(address(inst)).or_insert_with(|| {
            let (frame, calls) = place::frames(at.shader(), inst.src, "OpControlBarrier");
            let who = place::who(at, lane, pending.session().step());
            let mut report = Report::new(Kind::BarrierDivergent, "").at(frame).by(who);
            report.called_from = calls;
            Waiting { lanes: 0, order: place::order(at, lane), report }
        });
        waiting.lanes += at.active().count_ones();
    }

    /// All lane groups wait at a barrier or have ended: reports barriers that not all of them reached.
    pub fn released(&mut self, pending: &mut Pending) {
        for (inst, waiting) in self.waiting.drain() {
            if waiting.lanes < self.all {
                let (n, all) = (waiting.lanes, self.all);
                let report = || {
                    let reach = if n == 1 { "reaches" } else { "reach" };
                    let message = format!("{n} of {all} invocations of the workgroup {reach} the barrier");
                    Report { message, ..waiting.report }
                };
                let key = (Where::Address(inst), 0, Kind::BarrierDivergent);
                pending.add_in(waiting.order, key, report);
            }
        }
    }
}
