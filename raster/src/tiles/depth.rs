//! Chooses when depth and stencil are tested and written. The tests are left to [`super::merge`].

use quadrille_jit::ir::{BuiltIn, DepthLayout, Slot};

use crate::state::{CompareOp, DrawStateDesc, StencilFace};

/// Point at which depth and stencil are tested and written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DepthMode {
    /// Never.
    None,
    /// Before the fragment stage.
    Early,
    /// Tested before the fragment stage; depth is written after it, because the stage may discard. Stencil stays
    /// unchanged.
    EarlyTest,
    /// Tested with the interpolated depth before the fragment stage, which fails only if the shader's depth fails, too;
    /// tested again and written after the fragment stage.
    Cull,
    /// After the fragment stage.
    Late,
}

/// Chooses the mode for a draw state.
pub(super) fn depth_mode(d: &DrawStateDesc) -> DepthMode {
    let depth = d.depth.test && d.depth_format.is_some();
    let bounds = d.depth.bounds && d.depth_format.is_some();
    let stencil = (d.stencil_test && d.stencil_format.is_some()).then_some(d.stencil);
    if !depth && !bounds && stencil.is_none() {
        return DepthMode::None;
    }
    let Some(f) = &d.fragment else { return DepthMode::Early };
    let has = |b: BuiltIn| f.outputs.iter().any(|o| matches!(o.slot, Slot::BuiltIn(out, _) if out == b));
    let masks = d.alpha_to_coverage || has(BuiltIn::SampleMask);
    let may_drop = f.discards || masks;
    let keeps_stencil = stencil.is_none_or(|faces| faces.iter().all(StencilFace::keeps));
    if f.early_fragment_tests {
        DepthMode::Early
    } else if f.writes_memory || f.reads_attachments[0] || (stencil.is_some() && has(BuiltIn::FragStencilRef))
    {
        DepthMode::Late
    } else if depth && has(BuiltIn::FragDepth) {
        // Spec: SPIR-V, DepthGreater, DepthLess and DepthUnchanged.
        let greater = matches!(f.depth_layout, DepthLayout::Greater | DepthLayout::Unchanged);
        let less = matches!(f.depth_layout, DepthLayout::Less | DepthLayout::Unchanged);
        let culls = match d.depth.compare {
            CompareOp::Less | CompareOp::LessOrEqual => greater,
            CompareOp::Greater | CompareOp::GreaterOrEqual => less,
            _ => false,
        };
        if culls && stencil.is_none() { DepthMode::Cull } else { DepthMode::Late }
    } else if !may_drop || (keeps_stencil && !(depth && d.depth.write)) {
        DepthMode::Early
    } else if keeps_stencil {
        DepthMode::EarlyTest
    } else {
        DepthMode::Late
    }
}
