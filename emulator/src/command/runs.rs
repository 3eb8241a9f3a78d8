//! What shaders run with, for those who watch the device.

use std::sync::Arc;

use quadrille_jit::interp::events::{Event, Runs};
use quadrille_jit::ir::Shader;

use super::list::{ComputeCall, DrawCall, Recorded, Ref, Run};
use crate::watching::Watching;

/// Tells of a dispatch.
pub(super) fn dispatch(watch: &Watching, list: &Recorded, call: &ComputeCall, push: Run) {
    let stages = [list.compute[call.pipeline].variant().shader.clone()];
    watch.0.told(&Event::Runs(&Runs { stages: &stages, pushed: push.len as u32 }));
}

/// Tells of a draw.
pub(super) fn draw(watch: &Watching, list: &Recorded, call: Ref<DrawCall>, push: Run) {
    let prepared = &list.prepared[list.draw_calls[call].prepared];
    let stages: Vec<Arc<Shader>> =
        list.graphics[prepared.pipeline].variants().map(|v| v.shader.clone()).collect();
    watch.0.told(&Event::Runs(&Runs { stages: &stages, pushed: push.len as u32 }));
}
