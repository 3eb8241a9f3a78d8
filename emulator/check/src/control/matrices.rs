//! Checks that all invocations of a subgroup, or none, execute each operation on a matrix of the subgroup. Spec: SPIR-V,
//! OpTypeCooperativeMatrixKHR.

use quadrille_jit::interp::watch::View;
use quadrille_jit::ir::Inst;

use super::identity::address;
use crate::kind::Kind;
use crate::pending::{Pending, Where};
use crate::place;
use crate::report::Report;

/// Name of the operations in reports on shaders without source.
pub const NAME: &str = "an operation on a cooperative matrix";

/// Reports an operation that only some invocations of the subgroup execute.
pub fn subgroup(pending: &mut Pending, at: &View<'_>, inst: &Inst) {
    let (active, full) = (at.active(), at.full());
    if active == full {
        return;
    }
    let lane = active.trailing_zeros() as usize;
    let report = || {
        let (frame, calls) = place::frames(at.shader(), inst.src, NAME);
        let (n, all) = (active.count_ones(), full.count_ones());
        let reach = if n == 1 { "reaches" } else { "reach" };
        let message =
            format!("{n} of {all} invocations of the subgroup {reach} the operation on a cooperative matrix");
        let mut report = Report::new(Kind::MatrixDivergent, message).at(frame);
        report.called_from = calls;
        report
    };
    let place = Where::line(at.shader(), inst.src, address(inst));
    pending.add(at, lane, (place, 0, Kind::MatrixDivergent), report);
}
