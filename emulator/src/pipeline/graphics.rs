//! Graphics pipelines: stages before rasterization and a fragment stage, with fixed-function state.
//!
//! There are two kinds of dynamic state: values that the rasterizer takes per draw ([`Dynamic`]), and values that it
//! prepares for (topology, culling, depth test, ...). For the latter a pipeline keeps one prepared [`DrawState`] per
//! combination seen while recording. `states` lists the kind of each state and copies the values.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use quadrille_jit::ir::{self, Stage};
use quadrille_raster::draw_state::DrawState;
use quadrille_raster::pass::Owner;
use quadrille_raster::state::{
    BlendState, DrawStateDesc, Dynamic, ShadingRate, StageInfo, Topology, VertexAttribute, VertexBinding,
};
use smallvec::SmallVec;

use super::compile::Wanted;
use super::layout::PipelineLayout;
use super::stages;
use super::states::{DynamicStates, Fields, StateRow};
use crate::device::Device;
use crate::error::{Result, ensure};
use crate::flags::PipelineParts;
use crate::limits::{LIMITS, at_most};
use crate::object::{Object, objects, same_device, shared};
use crate::shader::{ShaderStage, Variant};

/// Creation parameters of a graphics pipeline.
#[derive(Clone, Debug)]
pub struct GraphicsPipelineDesc {
    /// The vertex stage; `None` exactly when there is a mesh stage.
    pub vertex: Option<ShaderStage>,
    /// The tessellation control stage. Both tessellation stages are present or neither; if present, the topology is
    /// patch list.
    pub tessellation_control: Option<ShaderStage>,
    /// The tessellation evaluation stage.
    pub tessellation_evaluation: Option<ShaderStage>,
    /// The geometry stage.
    pub geometry: Option<ShaderStage>,
    /// The task stage, which chooses the number of mesh stage workgroups.
    pub task: Option<ShaderStage>,
    /// The mesh stage, which replaces all of the above except the task stage: vertex input and topology are ignored.
    pub mesh: Option<ShaderStage>,
    /// The fragment stage.
    pub fragment: Option<ShaderStage>,
    /// Layout of descriptors and push constants of the stages.
    pub layout: PipelineLayout,
    /// Vertex input, rasterization, tests, blending, formats of the attachments. Its fields `stages` and `fragment` are
    /// filled in from the shaders.
    pub state: DrawStateDesc,
    /// Viewports, scissors and other per-draw state that is not dynamic.
    pub fixed: Dynamic,
    /// State that commands set.
    pub dynamic: DynamicStates,
    /// Views rendered at once (multiview), one bit each; 0 without multiview.
    pub view_mask: u32,
}

impl GraphicsPipelineDesc {
    /// Returns a pipeline of two stages with default state (see [`DrawStateDesc`]); viewport and scissor are dynamic.
    pub fn new(layout: &PipelineLayout, vertex: ShaderStage, fragment: Option<ShaderStage>) -> Self {
        GraphicsPipelineDesc {
            vertex: Some(vertex),
            tessellation_control: None,
            tessellation_evaluation: None,
            geometry: None,
            task: None,
            mesh: None,
            fragment,
            layout: layout.clone(),
            state: DrawStateDesc::default(),
            fixed: Dynamic::default(),
            dynamic: DynamicStates::VIEWPORT | DynamicStates::SCISSOR,
            view_mask: 0,
        }
    }

    /// Returns a pipeline like [`new`](Self::new), with a mesh stage in place of the vertex stage.
    pub fn mesh(layout: &PipelineLayout, mesh: ShaderStage, fragment: Option<ShaderStage>) -> Self {
        let desc = GraphicsPipelineDesc::new(layout, mesh, fragment);
        GraphicsPipelineDesc { mesh: desc.vertex, vertex: None, ..desc }
    }

    /// Returns the state without the parts that a mesh stage ignores.
    fn without_vertex_input(&self) -> (DrawStateDesc, DynamicStates) {
        let (mut state, mut dynamic) = (self.state.clone(), self.dynamic);
        if self.mesh.is_some() {
            dynamic = dynamic.without(DynamicStates::of(PipelineParts::VERTEX_INPUT));
            state.vertex_bindings.clear();
            state.vertex_attributes.clear();
            state.topology = Topology::default();
        }
        state.vertex_input_later = dynamic.contains(DynamicStates::VERTEX_INPUT);
        (state, dynamic)
    }
}

/// Number of prepared states that a pipeline keeps. Programs use few values, but some count through many.
const PREPARED: usize = 64;

struct Inner {
    device: Device,
    layout: PipelineLayout,
    /// Stages before rasterization, in pipeline order.
    stages: Vec<Arc<Variant>>,
    fragment: Option<Arc<Variant>>,
    /// State prepared for the pipeline's own values.
    state: Arc<DrawState>,
    /// States prepared for values that commands set, least recently used first.
    others: Mutex<VecDeque<Arc<DrawState>>>,
    fixed: Dynamic,
    /// Rows of the states that commands set.
    rows: Vec<&'static StateRow>,
}

/// Compiled graphics shaders with their state. Spec: Vulkan, "Graphics Pipelines".
#[derive(Clone)]
pub struct GraphicsPipeline(Arc<Inner>);

objects! { GraphicsPipeline: "graphics pipeline" = |p| p.0.device.device_id(); }
shared!(GraphicsPipeline);

impl Owner for Inner {
    fn given_name(&self) -> Option<String> {
        self.device.given_names().given_at(GraphicsPipeline::NAME, std::ptr::from_ref(self).addr())
    }
}

impl std::fmt::Debug for GraphicsPipeline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = self.shaders().map(|s| &s.name).collect();
        f.debug_tuple("GraphicsPipeline").field(&names).finish()
    }
}

impl GraphicsPipeline {
    /// The pipeline as the owner of its draws.
    pub(crate) fn owner(&self) -> Arc<dyn Owner> {
        self.0.clone()
    }

    pub(crate) fn new(device: &Device, desc: &GraphicsPipelineDesc) -> Result<Self> {
        same_device(&desc.layout, device)?;
        // Checked even if the fragment stage is ignored below.
        if let Some(fragment) = &desc.fragment {
            same_device(&fragment.module, device)?;
        }
        let shaders = device.shaders();
        stages::check(desc)?;
        let (mut state, dynamic) = desc.without_vertex_input();
        for (clamps, always) in state.depth_zero_one.iter_mut().zip(device.options().depth_zero_one) {
            *clamps |= always;
        }
        // Attachments without a blend state get the default.
        state.blend.resize(state.color_formats.len(), BlendState::default());
        // Without rasterization the fragment stage is ignored.
        let discards =
            desc.state.rasterizer_discard && !desc.dynamic.contains(DynamicStates::RASTERIZER_DISCARD_ENABLE);
        let stages = [
            (Stage::Vertex, desc.vertex.as_ref()),
            (Stage::TessellationControl, desc.tessellation_control.as_ref()),
            (Stage::TessellationEvaluation, desc.tessellation_evaluation.as_ref()),
            (Stage::Geometry, desc.geometry.as_ref()),
            (Stage::Task, desc.task.as_ref()),
            (Stage::Mesh, desc.mesh.as_ref()),
        ];
        let vertices = stages::stated_by_evaluation(device, desc)?;
        let fragment = desc.fragment.as_ref().filter(|_| !discards);
        let stages = stages.into_iter().chain([(Stage::Fragment, fragment)]);
        let wanted: SmallVec<[Wanted<'_>; 4]> = stages
            .filter_map(|(kind, stage)| Some((kind, stage?)))
            .map(|(kind, stage)| {
                let output_vertices = vertices.filter(|_| kind == Stage::TessellationControl);
                Wanted { stage, kind, output_vertices }
            })
            .collect();
        let mut stages = shaders.variants(device, &wanted, &desc.layout)?;
        let fragment = fragment.and_then(|_| stages.pop());
        check(&state, &desc.fixed, dynamic)?;
        state.stages = stages::linked(&stages)?;
        if dynamic.contains(DynamicStates::PRIMITIVE_TOPOLOGY) {
            state.topology = stages::topology(&state.stages, state.topology);
        }
        let always_runs = device.options().watch.as_ref().is_some_and(|w| w.watch().looks_at_outputs());
        let info = |f: &Arc<Variant>| StageInfo { always_runs, ..StageInfo::from(&*f.shader) };
        state.fragment = fragment.as_ref().map(info);
        stages::check_per_primitive(&state)?;
        Ok(GraphicsPipeline(Arc::new(Inner {
            device: device.clone(),
            layout: desc.layout.clone(),
            stages,
            fragment,
            state: Arc::new(DrawState::new(state, device.kernels())?),
            others: Mutex::default(),
            fixed: desc.fixed.clone(),
            rows: dynamic.rows().collect(),
        })))
    }

    /// Entry points, in pipeline order.
    pub fn shaders(&self) -> impl Iterator<Item = &ir::Shader> {
        self.variants().map(|v| &*v.shader)
    }

    /// Layout of the pipeline.
    pub fn layout(&self) -> &PipelineLayout {
        &self.0.layout
    }

    /// Variants of all stages, in pipeline order.
    pub(crate) fn variants(&self) -> impl Iterator<Item = &Arc<Variant>> {
        self.0.stages.iter().chain(&self.0.fragment)
    }
    /// Variants of the stages before rasterization, in pipeline order.
    pub(crate) fn stages(&self) -> &[Arc<Variant>] {
        &self.0.stages
    }
    pub(crate) fn fragment(&self) -> Option<&Arc<Variant>> {
        self.0.fragment.as_ref()
    }

    /// Returns the state prepared for the values that commands have set; `None` selects the pipeline's own values.
    pub(crate) fn state(&self, set: Option<&DrawStateDesc>) -> Result<Arc<DrawState>> {
        let own = &self.0.state;
        let Some(set) = set else { return Ok(own.clone()) };
        let fits = |state: &DrawState| {
            self.0.rows.iter().all(|row| match row.fields {
                Some(Fields::Prepared { same, .. }) => same(state.desc(), set),
                _ => true,
            })
        };
        if fits(own) {
            return Ok(own.clone());
        }
        let mut others = self.0.others.lock().unwrap_or_else(|e| e.into_inner());
        // Searched from the most recently used, the likeliest match.
        let known = others.iter().rposition(|state| fits(state));
        let state = match known.and_then(|at| others.remove(at)) {
            Some(known) => known,
            None => {
                let mut desc = own.desc().clone();
                for row in &self.0.rows {
                    if let Some(Fields::Prepared { copy, .. }) = row.fields {
                        copy(&mut desc, set);
                    }
                }
                Arc::new(DrawState::new(desc, self.0.device.kernels())?)
            }
        };
        if others.len() >= PREPARED {
            others.pop_front();
        }
        others.push_back(state.clone());
        Ok(state)
    }

    /// Returns the per-draw state, with the values that commands have set.
    pub(crate) fn per_draw(&self, set: &Dynamic) -> Dynamic {
        let mut out = self.0.fixed.clone();
        for row in &self.0.rows {
            if let Some(Fields::PerDraw { copy }) = row.fields {
                copy(&mut out, set);
            }
        }
        out
    }
}

/// Checks vertex input against the limits and for consistency.
pub(crate) fn check_vertex_input(bindings: &[VertexBinding], attributes: &[VertexAttribute]) -> Result<()> {
    at_most("vertex attributes", attributes.len() as u64, LIMITS.max_vertex_input_attributes.into())?;
    for b in bindings {
        at_most("vertex binding", b.binding.into(), u64::from(LIMITS.max_vertex_input_bindings) - 1)?;
        at_most("vertex stride", b.stride.into(), LIMITS.max_vertex_input_binding_stride.into())?;
    }
    for a in attributes {
        at_most("attribute offset", a.offset.into(), LIMITS.max_vertex_input_attribute_offset.into())?;
        ensure(bindings.iter().any(|b| b.binding == a.binding), || {
            format!("attribute at location {} reads binding {}, which does not exist", a.location, a.binding)
        })?;
    }
    Ok(())
}

/// Checks the fragment size of a shading rate.
pub(crate) fn check_shading_rate(rate: &ShadingRate) -> Result<()> {
    let offered = |v: u32| v.is_power_of_two() && v <= LIMITS.max_fragment_size;
    ensure(rate.size.into_iter().all(offered), || format!("fragments of {:?} pixels", rate.size))
}

/// Checks the number of discard rectangles.
pub(crate) fn check_discard_rectangles(count: u64) -> Result<()> {
    at_most("discard rectangles", count, LIMITS.max_discard_rectangles.into())
}

/// Checks the number of vertices of a patch.
pub(crate) fn check_patch_control_points(points: u32) -> Result<()> {
    ensure(points > 0, || "a patch without vertices".into())?;
    at_most("vertices of a patch", points.into(), LIMITS.max_tessellation_patch_size.into())
}

/// Checks state against the limits and for consistency.
fn check(state: &DrawStateDesc, fixed: &Dynamic, dynamic: DynamicStates) -> Result<()> {
    at_most("colour attachments", state.color_formats.len() as u64, LIMITS.max_color_attachments.into())?;
    at_most("viewports", fixed.viewports.len() as u64, LIMITS.max_viewports.into())?;
    check_vertex_input(&state.vertex_bindings, &state.vertex_attributes)?;
    check_shading_rate(&fixed.shading_rate)?;
    check_discard_rectangles(fixed.discard_rectangles.rects.len() as u64)?;
    if state.topology == Topology::PatchList && !dynamic.contains(DynamicStates::PATCH_CONTROL_POINTS) {
        check_patch_control_points(fixed.patch_control_points)?;
    }
    let viewport = DynamicStates::VIEWPORT | DynamicStates::VIEWPORT_WITH_COUNT;
    ensure(state.rasterizer_discard || dynamic.intersects(viewport) || !fixed.viewports.is_empty(), || {
        "a pipeline needs a viewport, fixed or dynamic".into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeviceOptions;

    /// A program that counts through values of dynamic state does not fill memory with prepared states.
    #[test]
    fn few_values_of_dynamic_state_stay_prepared() {
        let device = Device::new(DeviceOptions::default()).unwrap();
        let source = "@vertex fn main() -> @builtin(position) vec4f { return vec4f(0); }";
        let words = crate::frontend::compile_wgsl(source, &Default::default()).unwrap();
        let module = device.create_shader_module(&words).unwrap();
        let layout = device.create_pipeline_layout(&[], 0).unwrap();
        let vertex = ShaderStage::only(&module, Stage::Vertex).unwrap();
        let mut desc = GraphicsPipelineDesc::new(&layout, vertex, None);
        desc.dynamic |= DynamicStates::SAMPLE_MASK;
        let pipeline = device.create_graphics_pipeline(&desc).unwrap();
        let prepare = |mask| {
            let set = DrawStateDesc { sample_mask: Some(mask), ..DrawStateDesc::default() };
            let state = pipeline.state(Some(&set)).unwrap();
            assert_eq!(state.desc().sample_mask, Some(mask));
            state
        };
        let used = prepare(1);
        for mask in 2..1000 {
            prepare(mask);
            assert!(Arc::ptr_eq(&prepare(1), &used));
        }
        assert_eq!(pipeline.0.others.lock().unwrap().len(), PREPARED);
        // The pipeline's own state is kept separately.
        let own = pipeline.state(Some(&DrawStateDesc::default())).unwrap();
        assert!(Arc::ptr_eq(&own, &pipeline.0.state));
    }
}
