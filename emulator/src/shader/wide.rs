//! Fragment stages with wide lane groups, where vectors have 512 bits and primitives are large.
//!
//! A shader that does not see its subgroup gives the same bits at every lane group size. One whose primitives cover
//! many pixels gets a twin with stamps of 4x4 pixels, or of 8x4, compiled in the background like second tiers; which of
//! both runs is decided anew whenever it is bound.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use quadrille_jit::call::LaneFn;
use quadrille_jit::ir::{self, Stage};
use quadrille_jit::{CpuLevel, passes};
use quadrille_raster::{DrawState, Footprint};

use super::Variant;
use crate::error::Result;

/// Invocations of a vector of 512 bits.
const LANES: u32 = 16;

/// What a fragment stage knows of its wide twin.
#[derive(Default)]
pub(crate) struct Wide {
    /// How large its primitives are.
    pub footprint: Arc<Footprint>,
    asked: AtomicBool,
    /// Once it has been made; `None` in it: the shader cannot have one.
    twin: OnceLock<Option<LaneFn>>,
}

impl Wide {
    /// For a stage whose subgroup has a size that nobody asked for.
    pub fn of(shader: &ir::Shader, cpu: CpuLevel, lanes: u32) -> Option<Box<Wide>> {
        let may = shader.stage == Stage::Fragment
            && cpu >= CpuLevel::V4
            && lanes < LANES
            // Fragments that write memory do it in the order of their stamps.
            && !shader.writes_memory;
        may.then(Box::default)
    }
}

/// Invocations of the wide lane groups of a shader. What only computes gets two vectors for each value, so that one
/// computes while the other waits; calls of image routines would have twice as much to keep.
fn lanes(shader: &ir::Shader) -> u32 {
    let mut images = false;
    ir::each_inst(&shader.body, &mut |i| images |= matches!(i.imm, ir::Imm::Image(_)));
    if images { LANES } else { 2 * LANES }
}

impl Variant {
    /// The lane function for draws with a state: the wide twin where that is worth it and all that it takes is there.
    pub fn lane_fn_for(self: &Arc<Self>, state: &Arc<DrawState>) -> &LaneFn {
        let Some(wide) = self.wide.as_ref().filter(|w| w.footprint.is_large()) else { return &self.lane_fn };
        match wide.twin.get() {
            Some(None) => return &self.lane_fn,
            Some(Some(twin)) if state.is_prepared(twin.meta().lanes) => return twin,
            _ => {}
        }
        // The second tier comes first.
        let second = self.lane_fn.is_upgraded();
        if second && (!wide.asked.swap(true, Ordering::Relaxed) | state.begin_preparing()) {
            self.optimizer.widen(Arc::downgrade(self), state.clone());
        }
        &self.lane_fn
    }

    /// Makes the wide twin, if there is none yet, and the kernels for it.
    pub(super) fn widen(&self, state: &DrawState) -> Result<()> {
        let Some(wide) = &self.wide else { return Ok(()) };
        if wide.twin.get().is_none() {
            let twin = match passes::sees_group_size(&self.shader) {
                true => None,
                false => Some(self.optimized(lanes(&self.shader))?),
            };
            let _ = wide.twin.set(twin);
        }
        match wide.twin.get() {
            Some(Some(twin)) => state.prepare(twin.meta().lanes),
            _ => Ok(()),
        }
    }
}

#[cfg(feature = "glsl")]
#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::{
        BufferDesc, BufferImageCopy, BufferUsage, Device, DeviceOptions, Format, GraphicsPipelineDesc,
        ImageDesc, ImageUsage, ImageViewDesc, Opt, Rect, RenderingAttachment, RenderingInfo, ShaderStage,
        frontend,
    };

    /// Triangles that cover much, with derivatives, discards and a loop; the second argument sees the subgroup.
    const FRAGMENT: &str = "#version 450
        #extension GL_KHR_shader_subgroup_basic : enable
        layout(location = 0) out vec4 color;
        void main() {
            vec2 p = gl_FragCoord.xy / 17.0;
            float x = 0.0;
            for (int i = 0; i < 40; i++) x = sin(x + p.x * p.y);
            if (fract(x * 13.0) < 0.1) discard;
            color = vec4(x, fwidth(x), SEES, 1.0);
        }";

    const VERTEX: &str = "#version 450
        void main() { gl_Position = vec4(gl_VertexIndex % 2 * 4 - 1, gl_VertexIndex / 2 * 4 - 1, 0.5, 1.0); }";

    fn stage(device: &Device, text: &str, stage: Stage) -> ShaderStage {
        let words = frontend::compile_glsl(text, stage, &frontend::Options::default()).unwrap();
        ShaderStage::only(&device.create_shader_module(&words).unwrap(), stage).unwrap()
    }

    /// Draws until the fragment stage runs with wide lane groups, at most for so long; the first picture and the last,
    /// and whether it does.
    fn draw(device: &Device, sees: &str, time: Duration) -> (Vec<u8>, Vec<u8>, bool) {
        let (size, format) = (256, Format::R8G8B8A8_UNORM);
        let layout = device.create_pipeline_layout(&[], 0).unwrap();
        let fragment = stage(device, &FRAGMENT.replace("SEES", sees), Stage::Fragment);
        let mut desc =
            GraphicsPipelineDesc::new(&layout, stage(device, VERTEX, Stage::Vertex), Some(fragment));
        desc.state.color_formats = vec![Some(format)];
        let pipeline = device.create_graphics_pipeline(&desc).unwrap();
        let usage = ImageUsage::COLOR_ATTACHMENT | ImageUsage::TRANSFER_SRC;
        let image = device.create_bound_image(ImageDesc::new_2d(format, size, size, usage)).unwrap();
        let view = device.create_image_view(&image, ImageViewDesc::new_2d(format)).unwrap();
        let bytes = u64::from(size * size * 4);
        let back = BufferDesc { size: bytes, usage: BufferUsage::TRANSFER_DST };
        let back = device.create_bound_buffer(back).unwrap();
        let color = RenderingAttachment::clear(&view, [0.0; 4]);
        let area = Rect::of_size(size, size);
        let mut commands = device.create_command_buffer();
        commands.begin_rendering(&RenderingInfo { area, colors: vec![Some(color)], ..Default::default() });
        commands.bind_graphics_pipeline(&pipeline).set_size(size, size).draw(3, 1, 0, 0).end_rendering();
        let copy = BufferImageCopy::whole([size, size, 1]);
        commands.copy_image_to_buffer(&image, &back, &[copy]).end().unwrap();
        let frame = || {
            device.queue().run(&commands).unwrap();
            back.read_all::<u8>().unwrap()
        };
        let (state, variant) = (pipeline.state(None).unwrap(), pipeline.fragment().unwrap());
        let (first, start) = (frame(), Instant::now());
        loop {
            let wide = variant.lane_fn_for(&state).meta().lanes == 2 * LANES;
            let last = frame();
            if wide || start.elapsed() > time {
                return (first, last, wide);
            }
        }
    }

    #[test]
    fn large_primitives_get_wide_lane_groups_and_the_same_bits() {
        let options = |opt| DeviceOptions { threads: 2, opt, interp: false, ..DeviceOptions::default() };
        let device = Device::new(options(Opt::Auto)).unwrap();
        if device.options().cpu < CpuLevel::V4 || device.options().lanes >= LANES {
            return println!("passed over: vectors of less than 512 bits");
        }
        let (first, last, wide) = draw(&device, "0.0", Duration::from_secs(60));
        assert!(wide && first == last && first.iter().any(|&b| b != 0));
        // The first tier alone.
        let plain = Device::new(options(Opt::None)).unwrap();
        assert!(draw(&plain, "0.0", Duration::ZERO).0 == first);
        // Who sees the subgroup keeps its size.
        let (first, last, wide) = draw(&device, "gl_SubgroupInvocationID / 8.0", Duration::from_millis(300));
        assert!(!wide && first == last);
    }
}
