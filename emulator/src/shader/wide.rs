//! Alternative compilations ("twins") of fragment stages: wide lane groups for large primitives, packed groups for
//! small ones.
//!
//! A shader that does not observe its subgroup computes the same bits at every lane group size. If its primitives cover
//! many pixels, it gets a wide twin with stamps of 4x4 or 8x4 pixels: more pixels share the work of each stamp, and one
//! vector of a value computes while another waits. If its primitives are small and the shader is expensive, it gets a
//! packed twin, whose lane groups combine quads of several primitives. Both are compiled in the background like second
//! tiers. Each time the stage is bound, one of the compilations is selected.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use quadrille_jit::call::LaneFn;
use quadrille_jit::ir::{self, Stage};
use quadrille_jit::{CpuLevel, passes};
use quadrille_raster::{DrawState, Footprint};

use super::Variant;
use crate::error::Result;

/// Numbers of invocations in wide lane groups.
const WIDE: [u32; 2] = [16, 32];

/// Smallest number of operations for which packing quads pays off, and the weight of an image operation.
const PACKED_OPERATIONS: u32 = 60;
const IMAGE_OPERATIONS: u32 = 30;
/// Largest number of operations for which values may take four of 16 vector registers.
const SHORT_OPERATIONS: u32 = 128;

/// A compilation of a fragment stage for other lane groups.
#[derive(Default)]
struct Twin {
    asked: AtomicBool,
    /// The twin once it is compiled; `Some(None)` if the shader cannot have one.
    made: OnceLock<Option<LaneFn>>,
}

/// State of the twins of a fragment stage.
pub(crate) struct Wide {
    /// Measured size of the primitives.
    pub footprint: Arc<Footprint>,
    /// Index into [`WIDE`] for draws without blending, and for draws with it; `None` if they get no wide twin.
    sizes: [Option<usize>; 2],
    /// The wide twins, as in [`WIDE`].
    wide: [Twin; 2],
    packed: Twin,
    /// Number of invocations in packed lane groups. Groups of 16 are not faster without AVX-512.
    packed_lanes: u32,
}

impl Wide {
    /// Creates the state if the stage may have twins; `lanes` is the default subgroup size.
    pub fn of(shader: &ir::Shader, cpu: CpuLevel, lanes: u32) -> Option<Box<Wide>> {
        let may = shader.stage == Stage::Fragment
            && lanes == 8
            // Memory writes happen in stamp order, so another stamp size would change their order.
            && !shader.writes_memory;
        may.then(|| {
            let sizes = sizes(shader, cpu);
            let packed_lanes = match sizes[0] {
                Some(size) if cpu == CpuLevel::V4 => WIDE[size],
                _ => lanes,
            };
            let footprint = Arc::default();
            Box::new(Wide {
                footprint,
                sizes,
                wide: Default::default(),
                packed: Twin::default(),
                packed_lanes,
            })
        })
    }

    /// The wide twin for draws with a state, and its number of lanes.
    fn twin(&self, state: &DrawState) -> Option<(&Twin, u32)> {
        let blends = state.desc().blend.iter().any(|b| b.enable);
        let size = self.sizes[usize::from(blends)]?;
        Some((&self.wide[size], WIDE[size]))
    }
}

/// Sizes of wide lane groups of a shader, as [`Wide::sizes`].
///
/// With AVX-512 there are 32 registers of sixteen lanes. A shader without image operations gets two vectors per value, so
/// that one computes while the other waits. Calls of image routines would have to save twice as many values.
///
/// Other hosts have 16 registers of eight lanes, or 32 of four. Short shaders get a quarter of them per value, others an
/// eighth, as do all in draws with blending, whose kernels hold two colours at once. Shaders with image operations get
/// no wide twin: they wait for the routines, which take several operations in one call and thus fill their vectors anyway.
/// Without AVX2 there are 16 registers of four lanes, enough only for short shaders.
fn sizes(shader: &ir::Shader, cpu: CpuLevel) -> [Option<usize>; 2] {
    let mut images = false;
    ir::each_inst(&shader.body, &mut |i| images |= matches!(i.imm, ir::Imm::Image(_)));
    let short = operations(shader) <= SHORT_OPERATIONS;
    match cpu {
        CpuLevel::V4 if images => [Some(0); 2],
        CpuLevel::V4 => [Some(1); 2],
        CpuLevel::V2 | CpuLevel::V3 if images => [None; 2],
        CpuLevel::V3 if short => [Some(1), Some(0)],
        CpuLevel::V3 => [Some(0); 2],
        CpuLevel::V2 if short => [Some(0), None],
        CpuLevel::V2 => [None; 2],
    }
}

/// Estimates the number of operations of a shader.
fn operations(shader: &ir::Shader) -> u32 {
    let mut n = 0;
    ir::each_inst(&shader.body, &mut |i| {
        n += match i.imm {
            ir::Imm::Image(_) => IMAGE_OPERATIONS,
            _ if i.op.sig() != ir::Sig::Free => 1,
            _ => 0,
        }
    });
    n
}

impl Variant {
    /// Returns the lane function for draws with a state: the wide twin if it pays off and its kernels are ready.
    /// Otherwise starts to compile the twin if necessary.
    pub fn lane_fn_for(self: &Arc<Self>, state: &Arc<DrawState>) -> &LaneFn {
        let large = |w: &&Wide| w.footprint.is_large();
        let Some(wide) = self.wide.as_deref().filter(large) else { return &self.lane_fn };
        let Some((twin, _)) = wide.twin(state) else { return &self.lane_fn };
        match twin.made.get() {
            Some(None) => return &self.lane_fn,
            Some(Some(made)) if state.is_prepared(made.meta().lanes) => return made,
            _ => {}
        }
        // The wide twin is compiled only after the second tier.
        let second = self.lane_fn.is_upgraded();
        if second && (!twin.asked.swap(true, Ordering::Relaxed) | state.begin_preparing()) {
            self.optimizer.widen(Arc::downgrade(self), state.clone());
        }
        &self.lane_fn
    }

    /// Returns the packed twin for draws of small primitives, if it is ready.
    pub fn packed_fn(self: &Arc<Self>) -> Option<&LaneFn> {
        let wide = self.wide.as_ref().filter(|w| w.footprint.is_small())?;
        match wide.packed.made.get() {
            Some(packed) => packed.as_ref(),
            None => {
                if self.lane_fn.is_upgraded() && !wide.packed.asked.swap(true, Ordering::Relaxed) {
                    self.optimizer.pack(Arc::downgrade(self));
                }
                None
            }
        }
    }

    /// Compiles the packed twin.
    pub(super) fn pack(&self) -> Result<()> {
        let Some(wide) = &self.wide else { return Ok(()) };
        let made = match passes::sees_group_size(&self.shader) || operations(&self.shader) < PACKED_OPERATIONS
        {
            true => None,
            false => {
                let packed = ir::Shader { packed: true, ..ir::Shader::clone(&self.shader) };
                Some(self.optimized(&packed, wide.packed_lanes)?)
            }
        };
        let _ = wide.packed.made.set(made);
        Ok(())
    }

    /// Compiles the wide twin for draws with a state, if it does not exist yet, and its kernels.
    pub(super) fn widen(&self, state: &DrawState) -> Result<()> {
        let Some((twin, lanes)) = self.wide.as_ref().and_then(|wide| wide.twin(state)) else { return Ok(()) };
        if twin.made.get().is_none() {
            let made = match passes::sees_group_size(&self.shader) {
                true => None,
                false => Some(self.optimized(&self.shader, lanes)?),
            };
            let _ = twin.made.set(made);
        }
        match twin.made.get() {
            Some(Some(made)) => state.prepare(made.meta().lanes),
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
        BlendEquation, BlendFactor, BlendState, BufferDesc, BufferImageCopy, BufferUsage, CompareOp,
        DepthState, Device, DeviceOptions, Format, GraphicsPipelineDesc, ImageDesc, ImageUsage,
        ImageViewDesc, Opt, Rect, RenderingAttachment, RenderingInfo, ShaderStage, frontend,
    };

    /// Large triangles with derivatives, discards and a loop; `SEES` may observe the subgroup.
    const LARGE: [&str; 2] = [
        "#version 450
        void main() { gl_Position = vec4(gl_VertexIndex % 2 * 4 - 1, gl_VertexIndex / 2 * 4 - 1, 0.5, 1.0); }",
        "#version 450
        #extension GL_KHR_shader_subgroup_basic : enable
        layout(location = 0) out vec4 color;
        void main() {
            vec2 p = gl_FragCoord.xy / 17.0;
            float x = 0.0;
            for (int i = 0; i < 40; i++) x = sin(x + p.x * p.y);
            if (fract(x * 13.0) < 0.1) discard;
            color = vec4(x, fwidth(x), SEES, 1.0);
        }",
    ];

    /// Overlapping triangles of a few pixels, with all inputs that a primitive passes to the fragment stage.
    const SMALL: [&str; 2] = [
        "#version 450
        layout(location = 0) out vec2 p;
        layout(location = 1) flat out uvec2 k;
        layout(location = 2) noperspective out float q;
        float random(uint n) {
            n = (n ^ 61u ^ n >> 16) * 9u;
            n = (n ^ n >> 4) * 0x27d4eb2du;
            return float((n ^ n >> 15) & 0xffffu) / 65536.0;
        }
        void main() {
            uint k0 = gl_VertexIndex / 3u, v = gl_VertexIndex;
            vec2 at = vec2(random(k0 * 2u), random(k0 * 2u + 1u)) * 2.0 - 1.0;
            at += (vec2(random(v * 5u + 7u), random(v * 5u + 9u)) - 0.5) * 0.06;
            float w = 0.5 + random(v + 77u);
            p = vec2(at.x * 3.0, random(v));
            k = uvec2(k0, v);
            q = random(v + 3u);
            gl_Position = vec4(at, random(k0 + 5u), 1.0) * w;
        }",
        "#version 450
        #extension GL_KHR_shader_subgroup_basic : enable
        layout(location = 0) in vec2 p;
        layout(location = 1) flat in uvec2 k;
        layout(location = 2) noperspective in float q;
        layout(location = 0) out vec4 color;
        void main() {
            float x = p.x, y = p.y;
            x = sin(x + y * 1.3) + 0.3 * cos(q); y = cos(x * 3.0) * q + sqrt(abs(y));
            x = sin(x + y * 1.7) + 0.4 * cos(q); y = cos(x * 5.0) * q + sqrt(abs(y));
            x = sin(x + y * 1.1) + 0.5 * cos(q); y = cos(x * 7.0) * q + sqrt(abs(y));
            x = exp2(x) * 0.3 + normalize(vec3(x, y, q)).y; y = pow(abs(x), 0.7) + y * inversesqrt(1.0 + x * x);
            x = mix(x, y, clamp(x * y, 0.0, 1.0)) + log2(1.0 + x * x); y += mod(x, 0.3) + x / (2.0 + y * y);
            for (uint i = 0u; i < (k.x & 3u); i++) x = fract(x * 3.0 + q);
            if (DISCARD && fract(x * 13.0) < 0.1) discard;
            float who = float(gl_PrimitiveID & 255) / 300.0 + (gl_FrontFacing ? 0.1 : 0.0);
            ivec2 at = ivec2(gl_FragCoord.xy);
            float place = gl_FragCoord.z * 0.3 + gl_FragCoord.w * 0.2 + float(at.x & at.y & 15) / 40.0;
            color = vec4(fract(x), fwidth(x) + SEES, who + float(k.y & 7u) / 100.0, place);
        }",
    ];

    /// Twin of the fragment stage under test.
    #[derive(Clone, Copy, PartialEq)]
    enum Kind {
        /// With a number of invocations in lane groups.
        Wide(u32),
        Packed,
    }

    struct Case<'a> {
        stages: [&'a str; 2],
        vertices: u32,
        sees: &'a str,
        discards: bool,
        depth: bool,
        blends: bool,
    }

    fn stage(device: &Device, text: &str, stage: Stage) -> ShaderStage {
        let words = frontend::compile_glsl(text, stage, &frontend::Options::default()).unwrap();
        ShaderStage::only(&device.create_shader_module(&words).unwrap(), stage).unwrap()
    }

    /// Draws until the twin of the fragment stage runs, at most for `time`. Returns the first and the last picture, and
    /// `true` if the twin runs.
    fn draw(device: &Device, case: &Case<'_>, kind: Kind, time: Duration) -> (Vec<u8>, Vec<u8>, bool) {
        let (size, format) = (256, Format::R8G8B8A8_UNORM);
        let layout = device.create_pipeline_layout(&[], 0).unwrap();
        let text = case.stages[1].replace("SEES", case.sees).replace("DISCARD", &case.discards.to_string());
        let fragment = stage(device, &text, Stage::Fragment);
        let vertex = stage(device, case.stages[0], Stage::Vertex);
        let mut desc = GraphicsPipelineDesc::new(&layout, vertex, Some(fragment));
        desc.state.color_formats = vec![Some(format)];
        if case.blends {
            let (src, dst) = (BlendFactor::SrcColor, BlendFactor::OneMinusSrcColor);
            let equations = [BlendEquation { src, dst, ..Default::default() }; 2];
            desc.state.blend = vec![BlendState { enable: true, equations, ..Default::default() }];
        }
        if case.depth {
            desc.state.depth_format = Some(Format::D32_SFLOAT);
            let compare = CompareOp::Less;
            desc.state.depth = DepthState { test: true, write: true, compare, bounds: false };
        }
        let pipeline = device.create_graphics_pipeline(&desc).unwrap();
        let usage = ImageUsage::COLOR_ATTACHMENT | ImageUsage::TRANSFER_SRC;
        let image = device.create_bound_image(ImageDesc::new_2d(format, size, size, usage)).unwrap();
        let view = device.create_image_view(&image, ImageViewDesc::new_2d(format)).unwrap();
        let usage = ImageUsage::DEPTH_STENCIL_ATTACHMENT;
        let depth = ImageDesc::new_2d(Format::D32_SFLOAT, size, size, usage);
        let depth = device.create_bound_image(depth).unwrap();
        let depth = device.create_image_view(&depth, ImageViewDesc::new_2d(Format::D32_SFLOAT)).unwrap();
        let bytes = u64::from(size * size * 4);
        let back = BufferDesc { size: bytes, usage: BufferUsage::TRANSFER_DST };
        let back = device.create_bound_buffer(back).unwrap();
        let color = RenderingAttachment::clear(&view, [0.0; 4]);
        let depth = case.depth.then(|| RenderingAttachment::clear_depth(&depth, 1.0));
        let area = Rect::of_size(size, size);
        let mut commands = device.create_command_buffer();
        let rendering = RenderingInfo { area, colors: vec![Some(color)], depth, ..Default::default() };
        commands.begin_rendering(&rendering);
        commands.bind_graphics_pipeline(&pipeline).set_size(size, size).draw(case.vertices, 1, 0, 0);
        commands.end_rendering();
        let copy = BufferImageCopy::whole([size, size, 1]);
        commands.copy_image_to_buffer(&image, &back, &[copy]).end().unwrap();
        let frame = || {
            device.queue().run(&commands).unwrap();
            back.read_all::<u8>().unwrap()
        };
        let (state, variant) = (pipeline.state(None).unwrap(), pipeline.fragment().unwrap());
        let (first, start) = (frame(), Instant::now());
        loop {
            let runs = match kind {
                Kind::Wide(lanes) => variant.lane_fn_for(&state).meta().lanes == lanes,
                Kind::Packed => variant.packed_fn().is_some_and(|f| f.meta().packed),
            };
            let last = frame();
            if runs || start.elapsed() > time {
                return (first, last, runs);
            }
        }
    }

    fn device(opt: Opt, cpu: CpuLevel) -> Device {
        let options = DeviceOptions { threads: 2, opt, interp: false, cpu, ..DeviceOptions::default() };
        Device::new(options).unwrap()
    }

    #[test]
    fn large_primitives_get_wide_lane_groups_and_the_same_bits() {
        // Lanes without blending, and with it.
        let sizes = [[16, 8], [32, 16], [32, 32]];
        for (cpu, lanes) in CpuLevel::ALL.into_iter().zip(sizes) {
            if DeviceOptions::default().cpu < cpu || DeviceOptions::default().lanes != 8 {
                println!("passed over: {cpu:?}");
                continue;
            }
            let (first_tier, both) = (device(Opt::None, cpu), device(Opt::Auto, cpu));
            let case = |sees, blends| Case {
                stages: LARGE,
                vertices: 3,
                sees,
                discards: true,
                depth: false,
                blends,
            };
            for (blends, lanes) in [(false, lanes[0]), (true, lanes[1])] {
                let case = case("0.0", blends);
                let (first, last, wide) = draw(&both, &case, Kind::Wide(lanes), Duration::from_secs(60));
                assert!(wide, "no twin of {lanes} lanes, with {cpu:?}");
                assert!(first == last && first.iter().any(|&b| b != 0), "{lanes} lanes, with {cpu:?}");
                assert!(draw(&first_tier, &case, Kind::Wide(lanes), Duration::ZERO).0 == first);
            }
            // A shader that observes the subgroup keeps its subgroup size.
            let seeing = case("gl_SubgroupInvocationID / 8.0", false);
            let (first, last, wide) = draw(&both, &seeing, Kind::Wide(32), Duration::from_millis(300));
            assert!(!wide && first == last);
        }
    }

    #[test]
    fn small_primitives_share_lane_groups_and_give_the_same_bits() {
        for cpu in CpuLevel::ALL {
            if DeviceOptions::default().cpu < cpu || DeviceOptions::default().lanes != 8 {
                println!("passed over: {cpu:?}");
                continue;
            }
            let (first_tier, both) = (device(Opt::None, cpu), device(Opt::Auto, cpu));
            for (discards, depth) in [(false, true), (true, true), (false, false), (true, false)] {
                let case =
                    |sees| Case { stages: SMALL, vertices: 9_000, sees, discards, depth, blends: false };
                let (first, last, packed) = draw(&both, &case("0.0"), Kind::Packed, Duration::from_secs(60));
                assert!(packed && first.iter().any(|&b| b != 0));
                let different = first.iter().zip(&last).filter(|(a, b)| a != b).count();
                assert_eq!(different, 0, "bytes, with {cpu:?}, discards {discards}, depth {depth}");
                assert!(draw(&first_tier, &case("0.0"), Kind::Packed, Duration::ZERO).0 == first);
            }
            let sees = "gl_SubgroupInvocationID / 8.0";
            let (discards, depth, blends) = (false, true, false);
            let seeing = Case { stages: SMALL, vertices: 9_000, sees, discards, depth, blends };
            let (first, last, packed) = draw(&both, &seeing, Kind::Packed, Duration::from_millis(300));
            assert!(!packed && first == last);
        }
    }
}
