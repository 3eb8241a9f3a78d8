//! What is bound while a command buffer is recorded, and the snapshots that draws and dispatches take
//! of it.

use std::sync::Arc;

use quadrille_jit::{abi, ir};
use quadrille_raster::buffer::IndexType;
use quadrille_raster::state::Dynamic;
use smallvec::SmallVec;

use super::list::{Bindings, BoundSet, BufferSlice, ComputeCall, DrawCall, Push};
use crate::error::{Error, Result, ensure};
use crate::flags::DynamicStates;
use crate::pipeline::{ComputePipeline, Extended, GraphicsPipeline};
use crate::pipeline_layout::PipelineLayout;

/// Which kind of pipeline descriptor sets are bound for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BindPoint {
    /// Draws.
    Graphics,
    /// Dispatches.
    Compute,
}

/// Sets of a bind point and the last snapshot of them.
#[derive(Default)]
pub(super) struct SetBindings {
    sets: [Option<BoundSet>; abi::MAX_SETS],
    snapshot: Option<(PipelineLayout, Arc<Bindings>)>,
}

impl SetBindings {
    pub fn bind(&mut self, number: usize, set: BoundSet) {
        self.sets[number] = Some(set);
        self.snapshot = None;
    }

    /// What shaders of `layout` can reach. `Invalid` if a shader uses a set that is not bound, or that
    /// is bound with another layout.
    fn snapshot(&mut self, layout: &PipelineLayout, shaders: &[&ir::Shader]) -> Result<Arc<Bindings>> {
        let known = self.snapshot.as_ref().filter(|(of, _)| of.same(layout)).map(|(_, b)| b.clone());
        let bindings = known.unwrap_or_else(|| {
            let mut bindings = Bindings { sets: Default::default(), n_dynamic: Default::default() };
            for (i, wanted) in layout.sets().iter().enumerate() {
                bindings.n_dynamic[i] = wanted.n_dynamic();
                let bound = self.sets[i].as_ref().filter(|b| b.set.layout().compatible(wanted));
                bindings.sets[i] = bound.cloned();
            }
            Arc::new(bindings)
        });
        for shader in shaders {
            for b in &shader.bindings {
                if bindings.sets.get(b.set as usize).is_none_or(Option::is_none) {
                    return Err(Error::invalid(format!(
                        "`{}` uses set {} binding {}, but no set of the pipeline's layout is bound there",
                        shader.name, b.set, b.binding
                    )));
                }
            }
        }
        self.snapshot = Some((layout.clone(), bindings.clone()));
        Ok(bindings)
    }
}

/// Everything that commands set and later commands use.
#[derive(Default)]
pub(super) struct State {
    pub compute: Option<ComputePipeline>,
    pub graphics: Option<GraphicsPipeline>,
    pub compute_sets: SetBindings,
    pub graphics_sets: SetBindings,
    push: Option<Arc<Push>>,
    pub vertex_buffers: Vec<Option<BufferSlice>>,
    /// Bindings to which nothing was bound on purpose (nullDescriptor), one per bit: they read as zero.
    pub null_vertex_buffers: u32,
    pub index: Option<(Option<BufferSlice>, IndexType)>,
    /// Values of dynamic state; those that the pipeline fixes are not looked at.
    pub dynamic: Dynamic,
    pub extended: Option<Extended>,
    compute_call: Option<Arc<ComputeCall>>,
    draw_call: Option<Arc<DrawCall>>,
    /// Calls made since anything but the pipeline has changed: programs go back and forth between few.
    recent: SmallVec<[Arc<DrawCall>; 4]>,
}

/// No push constants set.
fn none() -> Arc<Push> {
    Arc::new([0; abi::PUSH_BYTES])
}

impl State {
    /// Forgets the snapshots of a bind point.
    pub fn changed(&mut self, point: BindPoint) {
        match point {
            BindPoint::Compute => self.compute_call = None,
            BindPoint::Graphics => {
                self.draw_call = None;
                self.recent.clear();
            }
        }
    }

    /// Binds a graphics pipeline.
    pub fn set_graphics(&mut self, pipeline: &GraphicsPipeline) {
        self.draw_call = self.recent.iter().find(|c| c.pipeline.same(pipeline)).cloned();
        self.graphics = Some(pipeline.clone());
    }

    pub fn sets(&mut self, point: BindPoint) -> &mut SetBindings {
        match point {
            BindPoint::Compute => &mut self.compute_sets,
            BindPoint::Graphics => &mut self.graphics_sets,
        }
    }

    /// Sets push constants; the range has been checked.
    pub fn push(&mut self, offset: usize, data: &[u8]) {
        let push = Arc::make_mut(self.push.get_or_insert_with(none));
        push[offset..offset + data.len()].copy_from_slice(data);
    }

    /// The push constants, now.
    pub fn pushed(&mut self) -> Arc<Push> {
        self.push.get_or_insert_with(none).clone()
    }

    /// The compute pipeline with what it can reach, now.
    pub fn compute_call(&mut self) -> Result<Arc<ComputeCall>> {
        if let Some(call) = &self.compute_call {
            return Ok(call.clone());
        }
        let pipeline = self.compute.clone();
        let pipeline = pipeline.ok_or_else(|| Error::invalid("dispatch without a compute pipeline"))?;
        let bindings = self.compute_sets.snapshot(pipeline.layout(), &[pipeline.shader()])?;
        let call = Arc::new(ComputeCall { pipeline, bindings });
        self.compute_call = Some(call.clone());
        Ok(call)
    }

    /// The graphics pipeline with everything around it, now.
    pub fn draw_call(&mut self) -> Result<Arc<DrawCall>> {
        if let Some(call) = &self.draw_call {
            return Ok(call.clone());
        }
        let pipeline = self.graphics.clone();
        let pipeline = pipeline.ok_or_else(|| Error::invalid("draw without a graphics pipeline"))?;
        let shaders: Vec<_> =
            [Some(pipeline.vertex_shader()), pipeline.fragment_shader()].into_iter().flatten().collect();
        let bindings = self.graphics_sets.snapshot(pipeline.layout(), &shaders)?;
        let dynamic = Arc::new(self.dynamic_for(&pipeline));
        let state = pipeline.state(&self.extended_for(&pipeline))?;
        ensure(!state.desc().vertex_input_later, || "draw without vertex input state".into())?;
        for b in &state.desc().vertex_bindings {
            let bound = self.vertex_buffers.get(b.binding as usize).is_some_and(Option::is_some)
                || self.null_vertex_buffers >> b.binding & 1 == 1;
            let used = state.desc().vertex_attributes.iter().any(|a| a.binding == b.binding);
            if used && !bound {
                return Err(Error::invalid(format!("draw without vertex buffer {}", b.binding)));
            }
        }
        let call = Arc::new(DrawCall {
            pipeline,
            state,
            dynamic,
            bindings,
            vertex_buffers: self.vertex_buffers.clone(),
            index: self.index.clone(),
        });
        self.draw_call = Some(call.clone());
        if self.recent.len() == 4 {
            self.recent.remove(0);
        }
        self.recent.push(call.clone());
        Ok(call)
    }

    fn dynamic_for(&self, pipeline: &GraphicsPipeline) -> Dynamic {
        use DynamicStates as D;
        let (set, mut out) = (&self.dynamic, pipeline.fixed().clone());
        let dynamic = pipeline.dynamic();
        if dynamic.intersects(D::VIEWPORT | D::VIEWPORT_WITH_COUNT) {
            out.viewports = set.viewports.clone();
        }
        if dynamic.intersects(D::SCISSOR | D::SCISSOR_WITH_COUNT) {
            out.scissors = set.scissors.clone();
        }
        if dynamic.contains(D::BLEND_CONSTANTS) {
            out.blend_constants = set.blend_constants;
        }
        if dynamic.contains(D::DEPTH_BIAS) {
            out.depth_bias = set.depth_bias;
        }
        if dynamic.contains(D::LINE_WIDTH) {
            out.line_width = set.line_width;
        }
        if dynamic.contains(D::LINE_STIPPLE) {
            out.line_stipple = set.line_stipple;
        }
        if dynamic.contains(D::DEPTH_BOUNDS) {
            out.depth_bounds = set.depth_bounds;
        }
        for (out, set) in out.stencil.iter_mut().zip(&set.stencil) {
            if dynamic.contains(D::STENCIL_COMPARE_MASK) {
                out.compare_mask = set.compare_mask;
            }
            if dynamic.contains(D::STENCIL_WRITE_MASK) {
                out.write_mask = set.write_mask;
            }
            if dynamic.contains(D::STENCIL_REFERENCE) {
                out.reference = set.reference;
            }
        }
        out
    }

    fn extended_for(&self, pipeline: &GraphicsPipeline) -> Extended {
        use DynamicStates as D;
        let mut out = pipeline.own().clone();
        let Some(set) = &self.extended else { return out };
        let dynamic = pipeline.dynamic();
        macro_rules! take {
            ($($flag:ident: $($field:ident),+;)*) => {
                $(if dynamic.contains(D::$flag) { $(out.$field = set.$field.clone();)+ })*
            };
        }
        take! {
            CULL_MODE: cull;
            FRONT_FACE: front_face;
            PRIMITIVE_TOPOLOGY: topology;
            PRIMITIVE_RESTART_ENABLE: restart;
            RASTERIZER_DISCARD_ENABLE: discard;
            DEPTH_BIAS_ENABLE: depth_bias;
            DEPTH_TEST_ENABLE: depth_test;
            DEPTH_WRITE_ENABLE: depth_write;
            DEPTH_COMPARE_OP: depth_compare;
            DEPTH_BOUNDS_TEST_ENABLE: depth_bounds;
            STENCIL_TEST_ENABLE: stencil_test;
            STENCIL_OP: stencil;
            LOGIC_OP: logic_op;
            LOGIC_OP_ENABLE: logic_op_enable;
            COLOR_WRITE_ENABLE: write_enable;
            DEPTH_CLAMP_ENABLE: depth_clamp;
            DEPTH_CLIP_ENABLE: depth_clip;
            DEPTH_CLIP_NEGATIVE_ONE_TO_ONE: negative_one_to_one;
            POLYGON_MODE: polygon_mode;
            RASTERIZATION_SAMPLES: samples;
            SAMPLE_MASK: sample_mask;
            ALPHA_TO_COVERAGE_ENABLE: alpha_to_coverage;
            ALPHA_TO_ONE_ENABLE: alpha_to_one;
            COLOR_BLEND_ENABLE: blend_enable;
            COLOR_BLEND_EQUATION: blend_equations;
            COLOR_WRITE_MASK: write_masks;
            VERTEX_INPUT: vertex_input_later, vertex_bindings, vertex_attributes, strides;
        }
        // More attachments than the pipeline has do not count.
        let n = pipeline.attachments();
        out.write_enable.truncate(n);
        out.blend_enable.resize(n, false);
        out.blend_equations.resize(n, Default::default());
        out.write_masks.resize(n, 0);
        if dynamic.contains(D::VERTEX_INPUT_BINDING_STRIDE) {
            for (binding, stride) in out.strides.iter_mut().enumerate() {
                *stride = set.strides.get(binding).copied().unwrap_or(*stride);
            }
        }
        out
    }
}
