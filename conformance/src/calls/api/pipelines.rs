//! Shader modules and pipelines.

use quadrille::frontend::{Options, compile_glsl};
use quadrille::*;

use super::super::kernels::KERNELS;
use super::super::shaders::{self, FRAGMENTS, Fragment, Later};
use super::{MOST, Object, Pipeline, World};

/// States that commands set.
const DYNAMIC: &[DynamicStates] = &[
    DynamicStates::LINE_WIDTH,
    DynamicStates::BLEND_CONSTANTS,
    DynamicStates::STENCIL_REFERENCE,
    DynamicStates::CULL_MODE,
    DynamicStates::DEPTH_TEST_ENABLE,
    DynamicStates::PRIMITIVE_TOPOLOGY,
    DynamicStates::DEPTH_BIAS,
    DynamicStates::PATCH_CONTROL_POINTS,
    DynamicStates::DISCARD_RECTANGLE,
    DynamicStates::DISCARD_RECTANGLE_ENABLE,
    DynamicStates::CONSERVATIVE_RASTERIZATION_MODE,
    DynamicStates::DEPTH_CLAMP_RANGE,
];

/// Modes of conservative rasterization; most pipelines have none.
const CONSERVATIVE: &[ConservativeMode] = &[
    ConservativeMode::Disabled,
    ConservativeMode::Disabled,
    ConservativeMode::Overestimate,
    ConservativeMode::Underestimate,
];

/// Topologies of pipelines without tessellation; lists of triangles are twice as likely.
const TOPOLOGIES: &[Topology] = &[
    Topology::TriangleList,
    Topology::TriangleList,
    Topology::TriangleStrip,
    Topology::TriangleFan,
    Topology::LineList,
    Topology::LineStrip,
    Topology::PointList,
];

impl World<'_> {
    /// Creates a shader module from the words of a valid one, some of them changed, and a pipeline with layouts of its
    /// own.
    pub(super) fn make_module(&mut self) {
        let kernel = *self.r.pick(&KERNELS);
        let mut words = kernel.words().to_vec();
        if self.spoil {
            for _ in 0..1 + self.r.below(3) {
                let at = self.r.below(words.len());
                let other = words[self.r.below(words.len())];
                words[at] = if self.r.one_in(2) { self.r.bits() as u32 } else { other };
            }
        }
        let device = self.device().clone();
        let mut bindings = super::bindings(self.r.one_in(2));
        bindings[6].binding = self.num32(6);
        let set = device.create_descriptor_set_layout(&bindings);
        let Some(set) = self.judge("create_descriptor_set_layout", set) else { return };
        let layout = device.create_pipeline_layout(std::slice::from_ref(&set), 16);
        let Some(layout) = self.judge("create_pipeline_layout", layout) else { return };
        drop(set);
        let made = device.create_shader_module(&words).and_then(|module| {
            let stage = ShaderStage::new(&module, "main");
            device.create_compute_pipeline(&ComputePipelineDesc { stage, layout })
        });
        self.judge("create_compute_pipeline", made);
    }

    /// Creates a shader object of a kernel, or drops one.
    pub(super) fn make_object(&mut self) {
        if self.objects.len() >= MOST / 6 {
            self.objects.swap_remove(0);
            self.tally.count("drop", true, 1);
        }
        let (kernel, layout) = (self.r.below(KERNELS.len()), self.r.below(self.shared.layouts.len()));
        let device = self.device().clone();
        let module = device.create_shader_module(KERNELS[kernel].words());
        let Some(module) = self.judge("create_shader_module", module) else { return };
        let made = device.create_shader_object(&ShaderObjectDesc {
            stage: ShaderStage::new(&module, "main"),
            kind: if self.spoil { Stage::Vertex } else { Stage::Compute },
            layout: self.shared.layouts[layout].layout.clone(),
        });
        if let Some(object) = self.judge("create_shader_object", made) {
            self.objects.push(Object { object, kernel, layout });
        }
    }

    /// Creates a graphics pipeline for one of the targets.
    pub(super) fn make_pipeline(&mut self) {
        if let Some(i) = self.index(self.targets.len()) {
            self.make_pipeline_for(i);
        }
    }

    pub(super) fn make_pipeline_for(&mut self, i: usize) {
        if self.pipelines.len() >= MOST {
            self.pipelines.swap_remove(0);
        }
        let target = self.targets[i].clone();
        let layout = self.r.below(self.shared.layouts.len());
        let (later, topology) = match self.r.one_in(2) {
            true => (Later::default(), None),
            false => {
                let (later, topology) = Later::random(&mut self.r);
                (later, Some(topology))
            }
        };
        let (later, topology) = match self.r.one_in(4) {
            true => (Later::random_mesh(&mut self.r), None),
            false => (later, topology),
        };
        // The scope does not use the vertex buffers that transform feedback writes as attributes.
        let attributes = self.r.one_in(2) && !later.captures && later.mesh.is_none();
        let colors: Vec<Format> = target.colors.iter().map(|c| c.image.format()).collect();
        let depth = target.depth.as_ref().map(|d| d.image.format());
        let kind = FRAGMENTS[self.r.below(FRAGMENTS.len())];
        let types: Vec<&str> = colors.iter().map(output_type).collect();
        let device = self.device().clone();
        let vertex = self.stage(Stage::Vertex, &shaders::vertex(attributes, &later));
        let fragment = self.stage(Stage::Fragment, &shaders::fragment(&types, kind));
        let (Some(vertex), Some(fragment)) = (vertex, fragment) else { return };
        let mut desc = GraphicsPipelineDesc::new(&self.shared.layouts[layout].layout, vertex, Some(fragment));
        if later.tessellation.is_some() {
            desc.tessellation_control = self.stage(Stage::TessellationControl, &later.control());
            desc.tessellation_evaluation = self.stage(Stage::TessellationEvaluation, &later.evaluation());
            desc.fixed.patch_control_points = 1 + self.r.below(5) as u32;
            desc.fixed.patch_control_points = self.num32(desc.fixed.patch_control_points);
        }
        if later.geometry.is_some() {
            desc.geometry = self.stage(Stage::Geometry, &later.geometry());
        }
        if let Some((_, task)) = later.mesh {
            (desc.mesh, desc.vertex) = (self.stage(Stage::Mesh, &later.mesh()), None);
            desc.task = task.then(|| self.stage(Stage::Task, &later.task())).flatten();
        }
        desc.state = self.draw_state(&colors, depth, target.samples, attributes);
        if let Some(topology) = topology {
            desc.state.topology = topology;
        }
        for state in DYNAMIC {
            let fits = topology.is_none() || *state != DynamicStates::PRIMITIVE_TOPOLOGY;
            if fits && self.r.one_in(4) {
                desc.dynamic |= *state;
            }
        }
        let dynamic = desc.dynamic;
        let made = device.create_graphics_pipeline(&desc);
        if let Some(pipeline) = self.judge("create_graphics_pipeline", made) {
            let formats = (colors, depth, target.samples);
            let (samples_image, stores) = (kind == Fragment::Sample, kind == Fragment::Store);
            self.pipelines.push(Pipeline {
                pipeline,
                formats,
                layout,
                attributes,
                samples_image,
                stores,
                later,
                dynamic,
            });
        }
    }

    /// Returns a stage of a pipeline.
    fn stage(&mut self, stage: Stage, text: &str) -> Option<ShaderStage> {
        let module = self.device().create_shader_module(&shader(stage, text));
        self.judge("create_shader_module", module).map(|m| ShaderStage::new(&m, "main"))
    }

    fn draw_state(
        &mut self,
        colors: &[Format],
        depth: Option<Format>,
        samples: u32,
        attributes: bool,
    ) -> DrawStateDesc {
        let compares = [CompareOp::Always, CompareOp::Less, CompareOp::GreaterOrEqual, CompareOp::NotEqual];
        let stencil_ops =
            [StencilOp::Keep, StencilOp::Replace, StencilOp::IncrementAndWrap, StencilOp::Invert];
        let has = |aspect| depth.is_some_and(|d| d.aspects().contains(aspect));
        let mut face = || StencilFace {
            fail: *self.r.pick(&stencil_ops),
            pass: *self.r.pick(&stencil_ops),
            depth_fail: *self.r.pick(&stencil_ops),
            compare: *self.r.pick(&compares),
        };
        let faces = [face(), face()];
        let blend = colors.iter().map(|f| match self.r.below(3) {
            0 if !f.is_integer() => BlendState::source_over(),
            1 => BlendState { write_mask: 5, ..BlendState::default() },
            _ => BlendState::default(),
        });
        let blend = blend.collect();
        let stride = [0, 8, 8, 12, 20][self.r.below(5)];
        let rate = if self.r.one_in(4) { VertexRate::Instance(1) } else { VertexRate::Vertex };
        DrawStateDesc {
            vertex_bindings: if attributes {
                vec![VertexBinding { binding: 0, stride, rate }]
            } else {
                vec![]
            },
            vertex_attributes: if attributes {
                let (at, color) = (Format::R16G16_SNORM, Format::R8G8B8A8_UNORM);
                vec![
                    VertexAttribute { location: 0, binding: 0, format: at, offset: 0 },
                    VertexAttribute { location: 1, binding: 0, format: color, offset: 4 },
                ]
            } else {
                vec![]
            },
            topology: *self.r.pick(TOPOLOGIES),
            cull: CullMode { front: false, back: self.r.one_in(4) },
            polygon_mode: *self.r.pick(&[
                PolygonMode::Fill,
                PolygonMode::Fill,
                PolygonMode::Fill,
                PolygonMode::Line,
            ]),
            depth_clamp: self.r.one_in(4),
            conservative: *self.r.pick(CONSERVATIVE),
            depth: DepthState {
                test: has(Aspects::DEPTH) && self.r.one_in(2),
                write: self.r.one_in(2),
                compare: *self.r.pick(&compares),
                bounds: has(Aspects::DEPTH) && self.r.one_in(6),
            },
            stencil_test: has(Aspects::STENCIL) && self.r.one_in(2),
            stencil: faces,
            blend,
            color_formats: colors.iter().copied().map(Some).collect(),
            depth_format: depth.filter(|_| has(Aspects::DEPTH)),
            stencil_format: depth.filter(|_| has(Aspects::STENCIL)),
            samples,
            sample_shading: samples > 1 && self.r.one_in(3),
            alpha_to_coverage: samples > 1 && self.r.one_in(4),
            ..DrawStateDesc::default()
        }
    }
}

/// Returns the GLSL type of a shader output for an attachment format.
fn output_type(format: &Format) -> &'static str {
    match format.info().numeric {
        Numeric::Uint => "uvec4",
        Numeric::Sint => "ivec4",
        _ => "vec4",
    }
}

/// Returns the SPIR-V of a GLSL text, which is compiled once.
pub(super) fn shader(stage: Stage, text: &str) -> std::sync::Arc<Vec<u32>> {
    use std::collections::HashMap;
    use std::sync::{Arc, Mutex, OnceLock};
    static DONE: OnceLock<Mutex<HashMap<String, Arc<Vec<u32>>>>> = OnceLock::new();
    let mut done = DONE.get_or_init(Mutex::default).lock().unwrap_or_else(|e| e.into_inner());
    let compiled = done.entry(text.to_owned()).or_insert_with(|| {
        Arc::new(compile_glsl(text, stage, &Options::named("shader.glsl")).expect("a shader compiles"))
    });
    compiled.clone()
}
