//! Checks subgroup operations whose results depend on the implementation, and descriptor indices that must be uniform.

use quadrille_jit::interp::watch::{View, lanes};
use quadrille_jit::ir::{GroupOp, Inst, Loop};
use rustc_hash::FxHashMap;

use super::identity::address;
use super::shape::Shape;
use crate::kind::Kind;
use crate::pending::{Pending, Where};
use crate::place;
use crate::report::Report;

/// Active lanes at the start of the current iteration of each loop, by lane group and loop.
#[derive(Default)]
pub struct Rounds(FxHashMap<(u32, usize), u32>);

impl Rounds {
    /// Records the start of a loop iteration.
    pub fn begin(&mut self, at: &View<'_>, node: &Loop) {
        self.0.insert((at.group(), address(node)), at.active());
    }
}

/// Reports an operation that depends on the active lanes, in an arm that leaves a loop. Without maximal reconvergence,
/// lanes that leave in other iterations may take part.
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
        let message = format!("{op:?} over {n} of {all} invocations that left a loop before it");
        let mut report = Report::new(Kind::SubgroupReconvergence, message).at(frame);
        report.called_from = calls;
        report
    };
    let place = Where::instruction(inst.src, address(inst));
    pending.add(at, lane, (place, 0, Kind::SubgroupReconvergence), report);
}

/// Reports a descriptor index that must be uniform but differs between lanes.
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
