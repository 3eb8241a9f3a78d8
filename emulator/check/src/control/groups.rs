//! Operations across a subgroup whose result is up to the implementation, and indices of descriptors that differ.

use quadrille_jit::interp::watch::{View, lanes};
use quadrille_jit::ir::{GroupOp, Inst, Loop};
use rustc_hash::FxHashMap;

use super::shape::{Shape, address};
use crate::kind::Kind;
use crate::pending::{Pending, Where};
use crate::place;
use crate::report::Report;

/// Lanes at the start of the round that each loop is in, by lane group.
#[derive(Default)]
pub struct Rounds(FxHashMap<(u32, usize), u32>);

impl Rounds {
    /// A round of a loop begins.
    pub fn begin(&mut self, at: &View<'_>, node: &Loop) {
        self.0.insert((at.group(), address(node)), at.active());
    }
}

/// An operation that looks at the active lanes, in an arm that leaves a loop: without maximal reconvergence, lanes
/// that leave in other rounds may take part.
pub fn reconvergence(
    pending: &mut Pending,
    shape: &Shape,
    rounds: &Rounds,
    at: &View<'_>,
    inst: &Inst,
    op: GroupOp,
) {
    let Some(of) = shape.leaving.get(&address(inst)).filter(|_| !shape.reconverges) else { return };
    let there = rounds.0.get(&(at.group(), *of)).copied().unwrap_or(0);
    if at.active() == there {
        return;
    }
    let (n, all) = (at.active().count_ones(), there.count_ones());
    let lane = at.active().trailing_zeros() as usize;
    let report = || {
        let (frame, calls) = place::frames(at.shader(), inst.src, "OpGroupNonUniform");
        let message = format!("{op:?} over {n} of {all} invocations that leave a loop here");
        let mut report = Report::new(Kind::SubgroupReconvergence, message).at(frame);
        report.called_from = calls;
        report
    };
    let place = Where::instruction(inst.src, address(inst));
    pending.add(at, lane, (place, 0, Kind::SubgroupReconvergence), report);
}

/// An index of a descriptor that has to be the same in all lanes.
pub fn index(pending: &mut Pending, at: &View<'_>, inst: &Inst) {
    let row = at.row(inst.args[0]);
    let mut real = lanes(at.active() & !at.helpers());
    let Some(first) = real.next() else { return };
    let Some(other) = real.find(|&l| row[l] != row[first]) else { return };
    let report = || {
        let (frame, calls) = place::frames(at.shader(), inst.src, "OpAccessChain");
        let message = format!(
            "an array of descriptors is indexed by {} and {} at the same time, without NonUniform",
            row[first], row[other]
        );
        let mut report = Report::new(Kind::DescriptorIndexNonUniform, message).at(frame);
        report.called_from = calls;
        report
    };
    let place = Where::instruction(inst.src, address(inst));
    pending.add(at, first, (place, 0, Kind::DescriptorIndexNonUniform), report);
}
