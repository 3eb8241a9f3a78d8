//! Checks that all invocations of a workgroup reach each control barrier, in the same iteration of the loops around it.
//! Spec: SPIR-V, OpControlBarrier: all invocations execute the same dynamic instance.

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
    /// By the barrier, and the iterations of the loops around it.
    waiting: FxHashMap<(usize, Vec<u64>), Waiting>,
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

    /// Records that the active lanes of a group have reached a barrier, in these iterations of the loops around it.
    pub fn arrive(&mut self, pending: &Pending, at: &View<'_>, inst: &Inst, rounds: Vec<u64>) {
        let lane = at.active().trailing_zeros() as usize;
        let waiting = self.waiting.entry((address(inst), rounds)).or_insert_with(|| {
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
        let mut all: Vec<((usize, Vec<u64>), Waiting)> = self.waiting.drain().collect();
        all.sort_unstable_by_key(|((inst, _), waiting)| (*inst, waiting.order));
        for of_one in all.chunk_by(|a, b| a.0.0 == b.0.0) {
            let ((inst, _), waiting) = &of_one[0];
            if waiting.lanes < self.all {
                let (n, all) = (waiting.lanes, self.all);
                let report = || {
                    let reach = if n == 1 { "reaches" } else { "reach" };
                    let when = if of_one.len() > 1 { " in the same iteration" } else { "" };
                    let who = format!("{n} of {all} invocations of the workgroup");
                    Report { message: format!("{who} {reach} the barrier{when}"), ..waiting.report.clone() }
                };
                let key = (Where::Address(*inst), 0, Kind::BarrierDivergent);
                pending.add_in(waiting.order, key, report);
            }
        }
    }
}
