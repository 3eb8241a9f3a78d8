//! Graphics pipelines: a vertex and a fragment stage with the state around them.
//!
//! Dynamic state comes in two sorts: what the rasterizer takes per draw as numbers ([`Dynamic`]), and
//! what it prepares for (topology, culling, depth test, ...). Of the latter a pipeline keeps one
//! prepared [`DrawState`] per combination seen while recording.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use quadrille_jit::ir::{self, Stage};
use quadrille_raster::draw_state::DrawState;
use quadrille_raster::state::{
    BlendEquation, BlendState, CompareOp, CullMode, DrawStateDesc, Dynamic, FrontFace, LogicOp, PolygonMode,
    PreRasterStage, StageInfo, StencilFace, Topology, VertexAttribute, VertexBinding,
};

use crate::device::Device;
use crate::error::{Result, ensure};
use crate::flags::DynamicStates;
use crate::limits::{LIMITS, at_most};
use crate::object::{objects, same_device, shared};
use crate::pipeline_layout::PipelineLayout;
use crate::shader::{ShaderStage, Variant};

/// What a graphics pipeline is made of.
#[derive(Clone, Debug)]
pub struct GraphicsPipelineDesc {
    /// The vertex stage.
    pub vertex: ShaderStage,
    /// The fragment stage.
    pub fragment: Option<ShaderStage>,
    /// Where the stages find descriptors and push constants.
    pub layout: PipelineLayout,
    /// Vertex input, rasterization, tests, blending, formats of the attachments. Its `vertex` and
    /// `fragment` are filled in from the shaders.
    pub state: DrawStateDesc,
    /// Viewports, scissors and the like, as far as they are not dynamic.
    pub fixed: Dynamic,
    /// What commands set.
    pub dynamic: DynamicStates,
    /// Views rendered at once (multiview), one per bit; 0 for none.
    pub view_mask: u32,
}

impl GraphicsPipelineDesc {
    /// A pipeline of two stages with default state (see [`DrawStateDesc`]) and with viewport and scissor
    /// as dynamic state.
    pub fn new(layout: &PipelineLayout, vertex: ShaderStage, fragment: Option<ShaderStage>) -> Self {
        GraphicsPipelineDesc {
            vertex,
            fragment,
            layout: layout.clone(),
            state: DrawStateDesc::default(),
            fixed: Dynamic::default(),
            dynamic: DynamicStates::VIEWPORT | DynamicStates::SCISSOR,
            view_mask: 0,
        }
    }
}

/// Dynamic state that the rasterizer prepares for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Extended {
    pub cull: CullMode,
    pub front_face: FrontFace,
    pub topology: Topology,
    pub restart: bool,
    pub discard: bool,
    pub depth_bias: bool,
    pub depth_test: bool,
    pub depth_write: bool,
    pub depth_compare: CompareOp,
    pub depth_bounds: bool,
    pub stencil_test: bool,
    pub stencil: [StencilFace; 2],
    /// By binding number.
    pub strides: Vec<u32>,
    pub logic_op: LogicOp,
    pub logic_op_enable: bool,
    pub depth_clamp: bool,
    pub depth_clip: Option<bool>,
    pub negative_one_to_one: bool,
    pub polygon_mode: PolygonMode,
    pub samples: u32,
    pub sample_mask: u32,
    pub alpha_to_coverage: bool,
    pub alpha_to_one: bool,
    /// By colour attachment, as are those that follow.
    pub blend_enable: Vec<bool>,
    pub blend_equations: Vec<[BlendEquation; 2]>,
    pub write_masks: Vec<u8>,
    pub write_enable: Vec<bool>,
    pub vertex_input_later: bool,
    pub vertex_bindings: Vec<VertexBinding>,
    pub vertex_attributes: Vec<VertexAttribute>,
}

impl Extended {
    /// The pipeline's own values.
    pub fn of(desc: &DrawStateDesc) -> Self {
        let count = desc.vertex_bindings.iter().map(|b| b.binding + 1).max().unwrap_or(0);
        let mut strides = vec![0; count as usize];
        for b in &desc.vertex_bindings {
            strides[b.binding as usize] = b.stride;
        }
        Extended {
            cull: desc.cull,
            front_face: desc.front_face,
            topology: desc.topology,
            restart: desc.primitive_restart,
            discard: desc.rasterizer_discard,
            depth_bias: desc.depth_bias,
            depth_test: desc.depth.test,
            depth_write: desc.depth.write,
            depth_compare: desc.depth.compare,
            depth_bounds: desc.depth.bounds,
            stencil_test: desc.stencil.is_some(),
            stencil: desc.stencil.unwrap_or_default(),
            strides,
            logic_op: desc.logic_op.unwrap_or(LogicOp::Copy),
            logic_op_enable: desc.logic_op.is_some(),
            depth_clamp: desc.depth_clamp,
            depth_clip: desc.depth_clip,
            negative_one_to_one: desc.negative_one_to_one,
            polygon_mode: desc.polygon_mode,
            samples: desc.samples,
            sample_mask: desc.sample_mask,
            alpha_to_coverage: desc.alpha_to_coverage,
            alpha_to_one: desc.alpha_to_one,
            blend_enable: desc.blend.iter().map(|b| b.equations.is_some()).collect(),
            blend_equations: desc.blend.iter().map(|b| b.equations.unwrap_or_default()).collect(),
            write_masks: desc.blend.iter().map(|b| b.write_mask).collect(),
            write_enable: Vec::new(),
            vertex_input_later: desc.vertex_input_later,
            vertex_bindings: desc.vertex_bindings.clone(),
            vertex_attributes: desc.vertex_attributes.clone(),
        }
    }

    fn apply(&self, desc: &mut DrawStateDesc) {
        desc.cull = self.cull;
        desc.front_face = self.front_face;
        desc.topology = self.topology;
        desc.primitive_restart = self.restart;
        desc.rasterizer_discard = self.discard;
        desc.depth_bias = self.depth_bias;
        desc.depth.test = self.depth_test;
        desc.depth.write = self.depth_write;
        desc.depth.compare = self.depth_compare;
        desc.depth.bounds = self.depth_bounds;
        desc.stencil = self.stencil_test.then_some(self.stencil);
        desc.logic_op = self.logic_op_enable.then_some(self.logic_op);
        desc.depth_clamp = self.depth_clamp;
        desc.depth_clip = self.depth_clip;
        desc.negative_one_to_one = self.negative_one_to_one;
        desc.polygon_mode = self.polygon_mode;
        desc.samples = self.samples;
        desc.sample_mask = self.sample_mask;
        desc.alpha_to_coverage = self.alpha_to_coverage;
        desc.alpha_to_one = self.alpha_to_one;
        let at = |i: usize| {
            let enabled = self.blend_enable.get(i).copied().unwrap_or(false);
            let written = self.write_enable.get(i).copied().unwrap_or(true);
            BlendState {
                equations: self.blend_equations.get(i).copied().filter(|_| enabled),
                write_mask: self.write_masks.get(i).copied().filter(|_| written).unwrap_or(0),
            }
        };
        desc.blend = (0..desc.color_formats.len()).map(at).collect();
        desc.vertex_input_later = self.vertex_input_later;
        desc.vertex_bindings.clone_from(&self.vertex_bindings);
        desc.vertex_attributes.clone_from(&self.vertex_attributes);
        for b in &mut desc.vertex_bindings {
            b.stride = self.strides.get(b.binding as usize).copied().unwrap_or(b.stride);
        }
    }
}

/// Values of the dynamic state that a pipeline stays prepared for: programs have few, but may count through many.
const PREPARED: usize = 64;

struct Inner {
    device: Device,
    layout: PipelineLayout,
    vertex: Arc<Variant>,
    fragment: Option<Arc<Variant>>,
    own: Extended,
    state: Arc<DrawState>,
    /// Prepared for values of the dynamic state, those not used for longest first.
    others: Mutex<VecDeque<(Extended, Arc<DrawState>)>>,
    fixed: Dynamic,
    dynamic: DynamicStates,
}

/// Compiled graphics shaders with their state. Spec: Vulkan, "Graphics Pipelines".
#[derive(Clone)]
pub struct GraphicsPipeline(Arc<Inner>);

objects! { GraphicsPipeline: "graphics pipeline" = |p| p.0.device.device_id(); }
shared!(GraphicsPipeline);

impl std::fmt::Debug for GraphicsPipeline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let fragment = self.0.fragment.as_ref().map(|v| &v.shader.name);
        write!(f, "GraphicsPipeline({}, {fragment:?})", self.0.vertex.shader.name)
    }
}

impl GraphicsPipeline {
    pub(crate) fn new(device: &Device, desc: &GraphicsPipelineDesc) -> Result<Self> {
        same_device(&desc.layout, device)?;
        // Ignored or not.
        if let Some(fragment) = &desc.fragment {
            same_device(&fragment.module, device)?;
        }
        let shaders = device.shaders();
        let mut state = desc.state.clone();
        state.vertex_input_later = desc.dynamic.contains(DynamicStates::VERTEX_INPUT);
        // Attachments that nothing is said about are replaced.
        state.blend.resize(state.color_formats.len(), BlendState::default());
        // Without rasterization the fragment stage is ignored.
        let discards =
            desc.state.rasterizer_discard && !desc.dynamic.contains(DynamicStates::RASTERIZER_DISCARD_ENABLE);
        let vertex = shaders.variant(device, &desc.vertex, Stage::Vertex, &desc.layout)?;
        let fragment = desc.fragment.as_ref().filter(|_| !discards);
        let fragment =
            fragment.map(|f| shaders.variant(device, f, Stage::Fragment, &desc.layout)).transpose()?;
        check(&state, &desc.fixed, desc.dynamic)?;
        state.stages = vec![PreRasterStage::vertex(StageInfo::from(&*vertex.shader))];
        state.fragment = fragment.as_ref().map(|f| StageInfo::from(&*f.shader));
        Ok(GraphicsPipeline(Arc::new(Inner {
            device: device.clone(),
            layout: desc.layout.clone(),
            vertex,
            fragment,
            own: Extended::of(&state),
            state: Arc::new(DrawState::new(state)?),
            others: Mutex::default(),
            fixed: desc.fixed.clone(),
            dynamic: desc.dynamic,
        })))
    }

    /// The vertex stage's entry point.
    pub fn vertex_shader(&self) -> &ir::Shader {
        &self.0.vertex.shader
    }

    /// The fragment stage's entry point.
    pub fn fragment_shader(&self) -> Option<&ir::Shader> {
        self.0.fragment.as_ref().map(|f| &*f.shader)
    }

    /// Its layout.
    pub fn layout(&self) -> &PipelineLayout {
        &self.0.layout
    }

    pub(crate) fn vertex(&self) -> &Arc<Variant> {
        &self.0.vertex
    }
    pub(crate) fn fragment(&self) -> Option<&Arc<Variant>> {
        self.0.fragment.as_ref()
    }
    pub(crate) fn fixed(&self) -> &Dynamic {
        &self.0.fixed
    }
    pub(crate) fn dynamic(&self) -> DynamicStates {
        self.0.dynamic
    }
    /// Number of colour attachments.
    pub(crate) fn attachments(&self) -> usize {
        self.0.state.desc().color_formats.len()
    }
    pub(crate) fn own(&self) -> &Extended {
        &self.0.own
    }

    /// The prepared state for these values of the dynamic state.
    pub(crate) fn state(&self, extended: &Extended) -> Result<Arc<DrawState>> {
        if *extended == self.0.own {
            return Ok(self.0.state.clone());
        }
        let mut others = self.0.others.lock().unwrap_or_else(|e| e.into_inner());
        // The latest are the likeliest.
        let known = others.iter().rposition(|(e, _)| e == extended);
        let entry = match known.and_then(|at| others.remove(at)) {
            Some(known) => known,
            None => {
                let mut desc = self.0.state.desc().clone();
                extended.apply(&mut desc);
                (extended.clone(), Arc::new(DrawState::new(desc)?))
            }
        };
        let state = entry.1.clone();
        if others.len() >= PREPARED {
            others.pop_front();
        }
        others.push_back(entry);
        Ok(state)
    }
}

/// Checks vertex input against the limits and against itself.
pub(crate) fn check_vertex_input(bindings: &[VertexBinding], attributes: &[VertexAttribute]) -> Result<()> {
    at_most("vertex attributes", attributes.len() as u64, LIMITS.max_vertex_input_attributes.into())?;
    for b in bindings {
        at_most("vertex binding", b.binding.into(), u64::from(LIMITS.max_vertex_input_bindings) - 1)?;
        at_most("vertex stride", b.stride.into(), LIMITS.max_vertex_input_binding_stride.into())?;
    }
    for a in attributes {
        at_most("attribute offset", a.offset.into(), LIMITS.max_vertex_input_attribute_offset.into())?;
        ensure(bindings.iter().any(|b| b.binding == a.binding), || {
            format!("attribute at location {} reads binding {}, which is not there", a.location, a.binding)
        })?;
    }
    Ok(())
}

/// Checks against the limits and against itself.
fn check(state: &DrawStateDesc, fixed: &Dynamic, dynamic: DynamicStates) -> Result<()> {
    at_most("colour attachments", state.color_formats.len() as u64, LIMITS.max_color_attachments.into())?;
    at_most("viewports", fixed.viewports.len() as u64, LIMITS.max_viewports.into())?;
    check_vertex_input(&state.vertex_bindings, &state.vertex_attributes)?;
    let viewport = DynamicStates::VIEWPORT | DynamicStates::VIEWPORT_WITH_COUNT;
    ensure(state.rasterizer_discard || dynamic.intersects(viewport) || !fixed.viewports.is_empty(), || {
        "a pipeline needs a viewport, fixed or dynamic".into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeviceOptions;

    /// A program that counts through values of dynamic state does not fill memory with what each needs.
    #[test]
    fn few_values_of_dynamic_state_stay_prepared() {
        let device = Device::new(DeviceOptions::default()).unwrap();
        let source = "@vertex fn main() -> @builtin(position) vec4f { return vec4f(0); }";
        let words = crate::frontend::compile_wgsl(source, &Default::default()).unwrap();
        let module = device.create_shader_module(&words).unwrap();
        let layout = device.create_pipeline_layout(&[], 0).unwrap();
        let vertex = ShaderStage::only(&module, Stage::Vertex).unwrap();
        let pipeline =
            device.create_graphics_pipeline(&GraphicsPipelineDesc::new(&layout, vertex, None)).unwrap();
        let prepare = |mask| {
            let state = pipeline.state(&Extended { sample_mask: mask, ..pipeline.own().clone() }).unwrap();
            assert_eq!(state.desc().sample_mask, mask);
            state
        };
        let used = prepare(1);
        for mask in 2..1000 {
            prepare(mask);
            assert!(Arc::ptr_eq(&prepare(1), &used));
        }
        assert_eq!(pipeline.0.others.lock().unwrap().len(), PREPARED);
        // The pipeline's own state has a place of its own.
        assert!(Arc::ptr_eq(&pipeline.state(pipeline.own()).unwrap(), &pipeline.0.state));
    }
}
