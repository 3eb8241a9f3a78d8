//! Invocations: reports to the device's watcher the shaders of draws and dispatches, and the state that they run with.

use std::sync::Arc;

use quadrille_check::events::{Attribute, Event, Fixed, Numeric, Runs};
use quadrille_jit::ir::{Shader, Stage};
use quadrille_raster::format::Format;
use quadrille_raster::state::{
    AdvancedBlend, AdvancedOp, BlendEquation, BlendFactor, BlendOp, BlendState, DrawStateDesc,
    VertexAttribute,
};

use super::super::list::CommandList;
use super::{Invoked, Observer};
use crate::limits::LIMITS;
use crate::observation::watching::Watching;

/// Reports to the device's watcher the shaders that run, and their bindings and state.
pub(super) struct Invocations<'d> {
    watch: &'d Watching,
    /// `true` if only barriers order commands. Then work is never reported as ordered after earlier work.
    is_explicit: bool,
    /// `true` if vertex inputs may have no attribute.
    absent_attributes: bool,
}

impl<'d> Invocations<'d> {
    pub fn new(watch: &'d Watching, is_explicit: bool, absent_attributes: bool) -> Self {
        Invocations { watch, is_explicit, absent_attributes }
    }

    fn tell(&self, runs: &Runs<'_>) {
        self.watch.tell(&Event::Runs(runs));
    }
}

impl<'l> Observer<'l> for Invocations<'_> {
    fn work_begins(&mut self, ordered: bool) {
        self.watch.watch().next(ordered && !self.is_explicit);
    }

    fn invokes(&mut self, list: &'l CommandList, invoked: Invoked<'_>) {
        let absent_attributes = self.absent_attributes;
        match invoked {
            Invoked::Dispatch { snapshot, push } => {
                let stages = [list.compute[snapshot.pipeline].variant().shader.clone()];
                let (pushed, fixed) = (push.len as u32, Fixed::default());
                let (attributes, reads_in_order) = (None, false);
                self.tell(&Runs {
                    stages: &stages,
                    pushed,
                    fixed,
                    attributes,
                    absent_attributes,
                    reads_in_order,
                });
            }
            Invoked::Draw { snapshot, push, captured } => {
                let prepared = &list.prepared[list.draw_snapshots[snapshot].prepared];
                let variants = list.graphics[prepared.pipeline].variants();
                let stages: Vec<Arc<Shader>> = variants.map(|v| v.shader.clone()).collect();
                let state = list.states[prepared.state].desc();
                let fixed = Fixed { captured, ..fixed(state) };
                let attributes: Vec<Attribute> = state.vertex_attributes.iter().map(attribute).collect();
                let fetches = stages.first().is_some_and(|s| s.stage == Stage::Vertex);
                let attributes = fetches.then_some(&attributes[..]);
                let (pushed, reads_in_order) = (push.len as u32, state.reads_in_order != [false; 2]);
                self.tell(&Runs {
                    stages: &stages,
                    pushed,
                    fixed,
                    attributes,
                    absent_attributes,
                    reads_in_order,
                });
            }
        }
    }
}

fn attribute(of: &VertexAttribute) -> Attribute {
    Attribute { location: of.location, numeric: numeric(of.format) }
}

/// Numeric type of a format's components in shaders.
fn numeric(format: Format) -> Numeric {
    use quadrille_raster::format::Numeric as N;
    match format.info().numeric {
        N::Unorm | N::Snorm | N::Uscaled | N::Sscaled | N::Ufloat | N::Sfloat | N::Srgb | N::SharedExp => {
            Numeric::Float
        }
        N::Uint => Numeric::Unsigned,
        N::Sint => Numeric::Signed,
    }
}

/// The shader outputs that fixed-function stages use.
fn fixed(state: &DrawStateDesc) -> Fixed {
    // Spec: Vulkan, VkPipelineDepthStencilStateCreateInfo, writes are disabled if the test is.
    let depth = state.depth_format.is_some() && state.depth.test;
    let mut fixed = Fixed {
        rasterized: !state.rasterizer_discard,
        stream: state.rasterization_stream,
        captured: false,
        colors: [0; 8],
        numeric: [None; 8],
        depth,
        stencil: state.stencil_format.is_some() && state.stencil_test,
        provoking_last: state.provoking_last,
        mesh_groups: (LIMITS.max_mesh_work_group_count, LIMITS.max_mesh_work_group_total_count),
    };
    let mut integers = false;
    for (i, format) in state.color_formats.iter().enumerate() {
        let location = match state.color_locations.get(i) {
            Some(&location) => location,
            None => Some(i as u32),
        };
        let colors = location.and_then(|l| fixed.colors.get_mut(l as usize));
        let (Some(format), Some(colors)) = (format, colors) else { continue };
        integers |= location == Some(0) && format.is_integer();
        if state.color_write_enable.get(i).copied().unwrap_or(true) {
            let fields = format.info().fields;
            let present = (0..4).filter(|&c| fields[c].bits != 0).fold(0, |m, c| m | 1 << c);
            // Spec: Vulkan, "Logical Operations": blending is treated as if it were disabled.
            let blends = !state.logic_op_enable && !format.is_integer();
            let takes = !state.logic_op_enable || !format.has_logic_ops() || state.logic_op.takes_source();
            let taken = if takes { taken(state.blend.get(i), present, blends) } else { 0 };
            *colors |= taken;
            if let (Some(location), true) = (location, taken != 0) {
                fixed.numeric[location as usize] = Some(numeric(*format));
            }
        }
    }
    // Spec: Vulkan, "Multisample Coverage": alpha at location 0 is for coverage, and may then be replaced by one. Integers
    // have no such alpha.
    if state.alpha_to_one && !integers {
        fixed.colors[0] &= !ALPHA;
    }
    if state.alpha_to_coverage && !integers {
        fixed.colors[0] |= ALPHA;
    }
    fixed
}

const ALPHA: u8 = 8;

/// Mask of the components that an attachment with the components `present` takes of its output color. `blends` is `false` if
/// the attachment is not blended, whatever its state.
fn taken(blend: Option<&BlendState>, present: u8, blends: bool) -> u8 {
    let Some(blend) = blend else { return present };
    if blends && blend.enable && takes_nothing(blend.equations[0].op) {
        return 0;
    }
    let written = blend.write_mask & present;
    // The equation of alpha takes no other component than the one that it writes.
    let by_alpha = blends && blend.enable && written & !ALPHA != 0 && takes_alpha(&blend.equations[0]);
    if by_alpha { written | ALPHA } else { written }
}

/// `true` if an operation does not use the source. Spec: Vulkan, "Advanced Blend Operations".
fn takes_nothing(op: BlendOp) -> bool {
    matches!(op, BlendOp::Advanced(AdvancedBlend { op: AdvancedOp::Zero | AdvancedOp::Dst, .. }))
}

/// `true` if colors depend on the alpha of the source. Spec: Vulkan, "Blending".
fn takes_alpha(color: &BlendEquation) -> bool {
    use BlendFactor::{OneMinusSrcAlpha, SrcAlpha, SrcAlphaSaturate};
    let is_alpha = |factor| matches!(factor, SrcAlpha | OneMinusSrcAlpha | SrcAlphaSaturate);
    match color.op {
        BlendOp::Add | BlendOp::Subtract | BlendOp::ReverseSubtract => {
            is_alpha(color.src) || is_alpha(color.dst)
        }
        BlendOp::Min | BlendOp::Max => false,
        BlendOp::Advanced(_) => true,
    }
}
