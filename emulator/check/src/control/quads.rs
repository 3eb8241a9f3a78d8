//! Checks derivatives and implicit levels of detail in incomplete quads.

use quadrille_jit::abi::ImageView;
use quadrille_jit::interp::watch::{View, lanes};
use quadrille_jit::ir::{ImageOp, ImageOpKind, Inst, LodMode};

use super::identity::address;
use crate::kind::Kind;
use crate::pending::{Pending, Where};
use crate::place;
use crate::report::Report;

/// Checks a derivative.
pub fn derivative(pending: &mut Pending, at: &View<'_>, inst: &Inst) {
    look(pending, at, inst, at.active(), Kind::DerivativeDivergent, "OpDPdx");
}

/// Checks a sample operation with an implicit level of detail. An image with a single level needs no derivatives.
pub fn sample(pending: &mut Pending, at: &View<'_>, inst: &Inst, op: &ImageOp, view: Option<&ImageView>) {
    let implicit = matches!(op.lod, LodMode::Implicit | LodMode::Bias);
    let sampled = matches!(op.kind, ImageOpKind::Sample | ImageOpKind::QueryLod);
    if implicit && sampled && at.shader().needs_quads && view.is_some_and(|v| v.levels > 1) {
        look(pending, at, inst, at.active(), Kind::ImplicitLodDivergent, "OpImageSampleImplicitLod");
    }
}

fn look(pending: &mut Pending, at: &View<'_>, inst: &Inst, active: u32, kind: Kind, instruction: &str) {
    // In WGSL, discarded invocations become helpers. Spec: WGSL, "Discard Statement".
    let demotes = at.shader().debug.as_ref().is_some_and(|d| d.wgsl);
    let (full, real) = (at.full(), active & !at.helpers());
    if active == full {
        return;
    }
    for first in (0..at.lanes()).step_by(4) {
        let of = |mask: u32| mask >> first & 15;
        let missing = of(full & !active);
        if of(real) == 0 || missing == 0 {
            continue;
        }
        let discarded = missing & !of(at.killed()) == 0;
        let kind = if discarded { Kind::DerivativeAfterDiscard } else { kind };
        if discarded && demotes || !pending.session().reports.wants(kind) {
            continue;
        }
        let lane = lanes(real & 15 << first).next().unwrap_or(0);
        let report = || {
            let (frame, calls) = place::frames(at.shader(), inst.src, instruction);
            let n = missing.count_ones();
            let what = match kind {
                Kind::ImplicitLodDivergent => "a texture is sampled with an implicit level of detail",
                _ => "a derivative is taken",
            };
            let why = if discarded { "have been discarded" } else { "are in other control flow" };
            let mut report = Report::new(kind, format!("{what} while {n} of the quad's 4 invocations {why}"));
            report.called_from = calls;
            report.at(frame)
        };
        pending.add(at, lane, (Where::instruction(inst.src, address(inst)), 0, kind), report);
    }
}
