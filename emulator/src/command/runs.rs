//! What shaders run with, for those who watch the device.

use std::sync::Arc;

use quadrille_jit::interp::events::{Event, Fixed, Runs};
use quadrille_jit::ir::Shader;
use quadrille_raster::state::{BlendFactor, BlendState, DrawStateDesc};

use super::list::{ComputeCall, DrawCall, Recorded, Ref, Run};
use crate::watching::Watching;

/// Tells of a dispatch.
pub(super) fn dispatch(watch: &Watching, list: &Recorded, call: &ComputeCall, push: Run) {
    let stages = [list.compute[call.pipeline].variant().shader.clone()];
    let runs = Runs { stages: &stages, pushed: push.len as u32, fixed: Fixed::default() };
    watch.0.told(&Event::Runs(&runs));
}

/// Tells of a draw, which transform feedback captures or not.
pub(super) fn draw(watch: &Watching, list: &Recorded, call: Ref<DrawCall>, push: Run, captured: bool) {
    let prepared = &list.prepared[list.draw_calls[call].prepared];
    let stages: Vec<Arc<Shader>> =
        list.graphics[prepared.pipeline].variants().map(|v| v.shader.clone()).collect();
    let fixed = Fixed { captured, ..fixed(list.states[prepared.state].desc()) };
    watch.0.told(&Event::Runs(&Runs { stages: &stages, pushed: push.len as u32, fixed }));
}

/// What fixed function takes of the outputs of shaders.
fn fixed(state: &DrawStateDesc) -> Fixed {
    let depth = state.depth_format.is_some() && (state.depth.test || state.depth.write);
    let mut fixed = Fixed {
        rasterized: !state.rasterizer_discard,
        stream: state.rasterization_stream,
        captured: false,
        colors: [0; 8],
        depth,
        stencil: state.stencil_format.is_some() && state.stencil_test,
    };
    for (i, format) in state.color_formats.iter().enumerate() {
        let location = match state.color_locations.get(i) {
            Some(&location) => location,
            None => Some(i as u32),
        };
        let colors = location.and_then(|l| fixed.colors.get_mut(l as usize));
        let (Some(format), Some(colors)) = (format, colors) else { continue };
        if state.color_write_enable.get(i).copied().unwrap_or(true) {
            let fields = format.info().fields;
            let present = (0..4).filter(|&c| fields[c].bits != 0).fold(0, |m, c| m | 1 << c);
            *colors |= taken(state.blend.get(i), present);
        }
    }
    if state.alpha_to_coverage {
        fixed.colors[0] |= ALPHA;
    }
    fixed
}

const ALPHA: u8 = 8;

/// Components that an attachment which has these takes of its color.
fn taken(blend: Option<&BlendState>, present: u8) -> u8 {
    let Some(blend) = blend else { return present };
    let written = blend.write_mask & present;
    let by_alpha = |factor: BlendFactor| {
        use BlendFactor::{OneMinusSrcAlpha, SrcAlpha, SrcAlphaSaturate};
        matches!(factor, SrcAlpha | OneMinusSrcAlpha | SrcAlphaSaturate)
    };
    let blends = blend.enable && blend.equations.iter().any(|e| by_alpha(e.src) || by_alpha(e.dst));
    if written != 0 && blends { written | ALPHA } else { written }
}
