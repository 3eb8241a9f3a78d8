//! Checks that all invocations of a workgroup reach each control barrier and each operation on a matrix of the workgroup, in
//! the same iteration of the loops around it. Spec: SPIR-V, OpControlBarrier: all invocations execute the same dynamic
//! instance.

use quadrille_jit::interp::watch::View;
use quadrille_jit::ir::Inst;
use rustc_hash::FxHashMap;

use super::identity::address;
use super::matrices;
use crate::kind::Kind;
use crate::pending::{Pending, Where};
use crate::place::{self, Order};
use crate::report::Report;

/// Largest number of instructions and iterations that are compared at the next barrier. Operations on matrices may occur
/// more often between two barriers.
const MAX_WAITING: usize = 1 << 16;

/// Barriers at which lane groups of the unit wait, or operations that they have executed.
pub struct Barriers {
    kind: Kind,
    /// Number of invocations of the unit.
    all: u32,
    /// By the barrier, and the iterations of the loops around it.
    waiting: FxHashMap<(usize, Vec<u64>), Waiting>,
}

struct Waiting {
    lanes: u32,
    place: Where,
    order: Order,
    report: Report,
}

impl Barriers {
    /// Starts a unit. `kind` is that of the reports.
    pub fn new(kind: Kind) -> Barriers {
        Barriers { kind, all: 0, waiting: FxHashMap::default() }
    }

    /// Records the start of a lane group.
    pub fn start(&mut self, at: &View<'_>) {
        self.all += at.full().count_ones();
    }

    /// Records that the active lanes of a group have reached a barrier, in these iterations of the loops around it.
    pub fn arrive(&mut self, pending: &Pending, at: &View<'_>, inst: &Inst, rounds: Vec<u64>) {
        let lane = at.active().trailing_zeros() as usize;
        let key = (address(inst), rounds);
        if self.waiting.len() >= MAX_WAITING && !self.waiting.contains_key(&key) {
            return;
        }
        let kind = self.kind;
        let waiting = self.waiting.entry(key).or_insert_with(|| {
            let (name, place) = match kind {
                Kind::MatrixDivergent => (matrices::NAME, Where::line(at.shader(), inst.src, address(inst))),
                _ => ("OpControlBarrier", Where::Address(address(inst))),
            };
            let (frame, calls) = place::frames(at.shader(), inst.src, name);
            let who = place::who(at, lane, pending.session().step());
            let mut report = Report::new(kind, "").at(frame).by(who);
            report.called_from = calls;
            Waiting { lanes: 0, place, order: place::order(at, lane), report }
        });
        waiting.lanes += at.active().count_ones();
    }

    /// All lane groups wait at a barrier or have ended: reports barriers that not all of them reached.
    pub fn released(&mut self, pending: &mut Pending) {
        let mut all: Vec<((usize, Vec<u64>), Waiting)> = self.waiting.drain().collect();
        all.sort_unstable_by_key(|((inst, _), waiting)| (*inst, waiting.order));
        for of_one in all.chunk_by(|a, b| a.0.0 == b.0.0) {
            // Operations that all of them executed stay until the next barrier, too.
            if let Some((_, waiting)) = of_one.iter().find(|(_, waiting)| waiting.lanes < self.all) {
                let (n, all) = (waiting.lanes, self.all);
                let report = || {
                    let reach = if n == 1 { "reaches" } else { "reach" };
                    let when = if of_one.len() > 1 { " in the same iteration" } else { "" };
                    let who = format!("{n} of {all} invocations of the workgroup");
                    let what = match self.kind {
                        Kind::MatrixDivergent => "the operation on a cooperative matrix",
                        _ => "the barrier",
                    };
                    Report { message: format!("{who} {reach} {what}{when}"), ..waiting.report.clone() }
                };
                let key = (waiting.place, 0, self.kind);
                pending.add_in(waiting.order, key, report);
            }
        }
    }
}
