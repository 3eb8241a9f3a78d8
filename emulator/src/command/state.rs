//! State of a command buffer during recording: the bindings, and the snapshots of them for draws and dispatches.

use std::sync::Arc;

use quadrille_jit::ir::MAX_STREAMS;
use quadrille_jit::{abi, ir};
use quadrille_raster::buffer::IndexType;
use quadrille_raster::draw_state::DrawState;
use quadrille_raster::state::{DrawStateDesc, Dynamic};
use smallvec::SmallVec;

use super::list::{
    Bindings, BoundSet, BufferSlice, CommandList, DispatchSnapshot, DrawSnapshot, Indices, Kept, Listed,
    PreparedPipeline, Push, Ref, Run, SetPlace, Table, TraceSnapshot,
};
use crate::descriptor::{DescriptorSet, SetInBuffer};
use crate::error::{Error, Result, ensure};
use crate::object::Shared;
use crate::pipeline::layout::PipelineLayout;
use crate::pipeline::{ComputePipeline, GraphicsPipeline, RayTracingPipeline};

/// Kind of pipeline that descriptor sets are bound for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BindPoint {
    /// Graphics pipelines.
    Graphics,
    /// Compute pipelines.
    Compute,
    /// Ray tracing pipelines.
    RayTracing,
}

/// Descriptor sets of a bind point, and the last snapshot of these.
#[derive(Clone, Default)]
pub(super) struct SetBindings {
    sets: [Option<BoundSet>; abi::BOUND_SETS],
    /// The last snapshot with the address of its pipeline layout. A pipeline of the list keeps the layout alive.
    snapshot: Option<(usize, Ref<Bindings>)>,
}

impl SetBindings {
    pub fn bind(&mut self, number: usize, set: BoundSet) {
        self.sets[number] = Some(set);
        self.snapshot = None;
    }

    /// Snapshot of the descriptor sets for shaders of `layout`. `Invalid` if a shader uses a set that is not bound, or
    /// that is bound with another layout.
    fn snapshot(
        &mut self,
        taken: &mut Table<Bindings>,
        (objects, in_buffers): (&Kept<DescriptorSet>, &Table<SetInBuffer>),
        layout: &PipelineLayout,
        shaders: &[&ir::Shader],
    ) -> Result<Ref<Bindings>> {
        let layout_of = |place| match place {
            SetPlace::Object(set) => objects[set].layout(),
            SetPlace::Buffer(set) => in_buffers[set].layout(),
        };
        let known = self.snapshot.filter(|(of, _)| *of == layout.address()).map(|(_, b)| b);
        let at = known.unwrap_or_else(|| {
            let mut bindings = Bindings { sets: Default::default(), n_dynamic: Default::default() };
            for (i, wanted) in layout.sets().iter().enumerate() {
                bindings.n_dynamic[i] = wanted.n_dynamic();
                bindings.sets[i] = self.sets[i].filter(|b| layout_of(b.set).compatible(wanted));
            }
            taken.push(bindings)
        });
        let bindings = &taken[at];
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
        self.snapshot = Some((layout.address(), at));
        Ok(at)
    }
}

/// Current push constants.
#[derive(Clone)]
struct PushState {
    bytes: Push,
    /// End of the bytes that were ever set.
    end: usize,
    /// Copy of the current bytes in the list, if there is one.
    stored: Option<Run>,
}

impl Default for PushState {
    fn default() -> Self {
        PushState { bytes: [0; abi::PUSH_BYTES], end: 0, stored: None }
    }
}

/// Number of recent pipelines that are remembered, for programs that alternate between a few.
pub(super) const RECENT: usize = 4;

/// All state that commands set and that later commands use.
#[derive(Clone, Default)]
pub(super) struct State {
    pub(super) compute: Option<Ref<ComputePipeline>>,
    pub(super) graphics: Option<Ref<GraphicsPipeline>>,
    pub(super) ray_tracing: Option<Ref<RayTracingPipeline>>,
    pub compute_sets: SetBindings,
    pub graphics_sets: SetBindings,
    ray_tracing_sets: SetBindings,
    ray_tracing_stack: u32,
    push: PushState,
    vertex_buffers: Vec<Option<BufferSlice>>,
    /// Copy of the current vertex buffers in the list, if there is one.
    stored_vertex_buffers: Option<Run>,
    /// Mask of the bindings with a null buffer (nullDescriptor), which reads as zero.
    null_vertex_buffers: u32,
    index: Option<Indices>,
    /// Buffers that transform feedback captures into.
    pub feedback_buffers: [Option<BufferSlice>; MAX_STREAMS],
    /// `true` if transform feedback is active.
    pub feedback: bool,
    /// Values of dynamic state that are applied at each draw. Values that the pipeline fixes are ignored.
    pub dynamic: Dynamic,
    /// Values of dynamic state that pipelines are prepared for; `None` until a command sets one.
    prepared_for: Option<Box<DrawStateDesc>>,
    dispatch_snapshot: Option<Ref<DispatchSnapshot>>,
    trace_snapshot: Option<Ref<TraceSnapshot>>,
    draw_snapshot: Option<Ref<DrawSnapshot>>,
    /// Pipelines prepared since dynamic state changed.
    prepared: SmallVec<[Ref<PreparedPipeline>; RECENT]>,
    /// Draw states that the rasterizer prepared since the values in `prepared_for` changed.
    states: SmallVec<[(Ref<GraphicsPipeline>, Ref<Arc<DrawState>>); RECENT]>,
    /// Draw calls made since anything but the pipeline changed.
    recent: SmallVec<[Ref<DrawSnapshot>; RECENT]>,
}

/// Appends to a list of recent items, and removes the oldest item if the list is full.
pub(super) fn remember<T>(recent: &mut SmallVec<[T; RECENT]>, item: T) {
    if recent.len() == RECENT {
        recent.remove(0);
    }
    recent.push(item);
}

impl State {
    /// Resets everything to its initial value, but keeps the allocations.
    pub fn clear(&mut self) {
        let State {
            compute,
            graphics,
            ray_tracing,
            compute_sets,
            graphics_sets,
            ray_tracing_sets,
            ray_tracing_stack,
            push,
            vertex_buffers,
            stored_vertex_buffers,
            null_vertex_buffers,
            index,
            feedback_buffers,
            feedback,
            dynamic,
            prepared_for,
            dispatch_snapshot,
            trace_snapshot,
            draw_snapshot,
            prepared,
            states,
            recent,
        } = self;
        (*compute, *graphics, *dispatch_snapshot, *draw_snapshot) = (None, None, None, None);
        (*ray_tracing, *trace_snapshot, *ray_tracing_stack) = (None, None, 0);
        (*compute_sets, *graphics_sets) = (SetBindings::default(), SetBindings::default());
        *ray_tracing_sets = SetBindings::default();
        push.bytes[..push.end].fill(0);
        (push.end, push.stored) = (0, None);
        vertex_buffers.clear();
        (*stored_vertex_buffers, *null_vertex_buffers, *index) = (None, 0, None);
        (*feedback_buffers, *feedback) = ([None; MAX_STREAMS], false);
        dynamic.clear();
        *prepared_for = None;
        prepared.clear();
        states.clear();
        recent.clear();
    }

    /// The same state for another list, which from then on keeps the bound objects alive.
    pub fn carried(&self, from: &CommandList, to: &mut CommandList) -> State {
        fn keep<T: Listed>(object: &T, to: &mut CommandList) -> Ref<T> {
            let known = T::kept(to).find(object);
            known.unwrap_or_else(|| T::kept(to).keep(object))
        }
        let slice = |slice: BufferSlice, to: &mut CommandList| BufferSlice {
            buffer: keep(&from.buffers[slice.buffer], to),
            ..slice
        };
        let sets = |sets: &SetBindings, to: &mut CommandList| SetBindings {
            sets: sets.sets.map(|bound| {
                bound.map(|bound| BoundSet {
                    set: match bound.set {
                        SetPlace::Object(set) => SetPlace::Object(keep(&from.sets[set], to)),
                        SetPlace::Buffer(set) => {
                            SetPlace::Buffer(to.sets_in_buffers.push(from.sets_in_buffers[set].clone()))
                        }
                    },
                    offsets: Run::put(&mut to.offsets, from.offsets(bound.offsets)),
                })
            }),
            snapshot: None,
        };
        State {
            compute: self.compute.map(|pipeline| keep(&from.compute[pipeline], to)),
            graphics: self.graphics.map(|pipeline| keep(&from.graphics[pipeline], to)),
            ray_tracing: self.ray_tracing.map(|pipeline| keep(&from.ray_tracing[pipeline], to)),
            compute_sets: sets(&self.compute_sets, to),
            graphics_sets: sets(&self.graphics_sets, to),
            ray_tracing_sets: sets(&self.ray_tracing_sets, to),
            ray_tracing_stack: self.ray_tracing_stack,
            push: PushState { stored: None, ..self.push.clone() },
            vertex_buffers: self.vertex_buffers.iter().map(|v| v.map(|v| slice(v, to))).collect(),
            null_vertex_buffers: self.null_vertex_buffers,
            index: self.index.map(|index| Indices { slice: index.slice.map(|s| slice(s, to)), ..index }),
            feedback: self.feedback,
            dynamic: self.dynamic.clone(),
            prepared_for: self.prepared_for.clone(),
            ..State::default()
        }
    }

    /// Records a use of all sets of a bind point.
    pub fn keep_sets(&mut self, point: BindPoint, list: &mut CommandList) {
        let sets = self.sets(point).sets;
        list.bindings.push(Bindings { sets, n_dynamic: Default::default() });
    }

    /// Drops the snapshots of a bind point.
    pub fn changed(&mut self, point: BindPoint) {
        match point {
            BindPoint::Compute => self.dispatch_snapshot = None,
            BindPoint::RayTracing => self.trace_snapshot = None,
            BindPoint::Graphics => {
                self.draw_snapshot = None;
                self.recent.clear();
            }
        }
    }

    /// Drops the snapshots that depend on `dynamic`.
    pub fn changed_dynamic(&mut self) {
        self.changed(BindPoint::Graphics);
        self.prepared.clear();
    }

    /// The values of dynamic state that pipelines are prepared for, for modification.
    pub fn prepared_for(&mut self) -> &mut DrawStateDesc {
        self.changed_dynamic();
        self.states.clear();
        let unset = || Box::new(DrawStateDesc { vertex_input_later: true, ..DrawStateDesc::default() });
        self.prepared_for.get_or_insert_with(unset)
    }

    /// Binds a compute pipeline; `None` unbinds it.
    pub fn set_compute(&mut self, pipeline: Option<Ref<ComputePipeline>>) {
        if self.compute != pipeline {
            self.compute = pipeline;
            self.changed(BindPoint::Compute);
        }
    }

    /// Binds a ray tracing pipeline.
    pub fn set_ray_tracing(&mut self, pipeline: Ref<RayTracingPipeline>) {
        if self.ray_tracing != Some(pipeline) {
            self.ray_tracing = Some(pipeline);
            self.changed(BindPoint::RayTracing);
        }
    }

    /// Sets the stack for nested shaders of rays, in bytes.
    pub fn set_ray_tracing_stack(&mut self, bytes: u32) {
        if self.ray_tracing_stack != bytes {
            self.ray_tracing_stack = bytes;
            self.changed(BindPoint::RayTracing);
        }
    }

    /// Binds a graphics pipeline.
    pub fn set_graphics(&mut self, list: &CommandList, pipeline: Ref<GraphicsPipeline>) {
        if self.graphics != Some(pipeline) {
            let of =
                |snapshot: Ref<DrawSnapshot>| list.prepared[list.draw_snapshots[snapshot].prepared].pipeline;
            self.draw_snapshot = self.recent.iter().copied().find(|snapshot| of(*snapshot) == pipeline);
            self.graphics = Some(pipeline);
        }
    }

    pub fn sets(&mut self, point: BindPoint) -> &mut SetBindings {
        match point {
            BindPoint::Compute => &mut self.compute_sets,
            BindPoint::RayTracing => &mut self.ray_tracing_sets,
            BindPoint::Graphics => &mut self.graphics_sets,
        }
    }

    /// Binds a vertex buffer; `None` reads as zero. The caller has checked `binding` against the limit.
    pub fn set_vertex_buffer(&mut self, binding: usize, slice: Option<BufferSlice>) {
        if self.vertex_buffers.len() <= binding {
            self.vertex_buffers.resize(binding + 1, None);
        }
        self.null_vertex_buffers &= !(1 << binding);
        self.null_vertex_buffers |= u32::from(slice.is_none()) << binding;
        self.vertex_buffers[binding] = slice;
        self.stored_vertex_buffers = None;
        self.changed(BindPoint::Graphics);
    }

    /// Binds an index buffer.
    pub fn set_index_buffer(&mut self, slice: Option<BufferSlice>, ty: IndexType) {
        self.index = Some(Indices { slice, ty, restart: ty.restart() });
        self.changed(BindPoint::Graphics);
    }

    /// Sets the index that restarts primitives, until an index buffer is bound.
    pub fn set_restart_index(&mut self, restart: u32) {
        if let Some(index) = &mut self.index {
            index.restart = restart;
            self.changed(BindPoint::Graphics);
        }
    }

    /// `true` if an index buffer is bound, including a null buffer.
    pub fn has_indices(&self) -> bool {
        self.index.is_some()
    }

    /// Sets push constants. The caller has checked the range.
    pub fn push(&mut self, offset: usize, data: &[u8]) {
        let end = offset + data.len();
        self.push.bytes[offset..end].copy_from_slice(data);
        self.push.end = self.push.end.max(end);
        self.push.stored = None;
    }

    /// Copies the current push constants to the list.
    pub fn pushed(&mut self, list: &mut CommandList) -> Run {
        let push = &mut self.push;
        *push.stored.get_or_insert_with(|| Run::put(&mut list.pushes, &push.bytes[..push.end]))
    }

    /// Snapshot of the compute pipeline and its bindings.
    pub fn dispatch_snapshot(&mut self, list: &mut CommandList) -> Result<Ref<DispatchSnapshot>> {
        if let Some(snapshot) = self.dispatch_snapshot {
            return Ok(snapshot);
        }
        let at = self.compute.ok_or_else(|| Error::invalid("dispatch without a compute pipeline"))?;
        let pipeline = &list.compute[at];
        let bindings = self.compute_sets.snapshot(
            &mut list.bindings,
            (&list.sets, &list.sets_in_buffers),
            pipeline.layout(),
            &[pipeline.shader()],
        )?;
        let snapshot = list.dispatch_snapshots.push(DispatchSnapshot { pipeline: at, bindings });
        self.dispatch_snapshot = Some(snapshot);
        Ok(snapshot)
    }

    /// Snapshot of the ray tracing pipeline and its bindings.
    pub fn trace_snapshot(&mut self, list: &mut CommandList) -> Result<Ref<TraceSnapshot>> {
        if let Some(snapshot) = self.trace_snapshot {
            return Ok(snapshot);
        }
        let at = self.ray_tracing.ok_or_else(|| Error::invalid("trace without a ray tracing pipeline"))?;
        let pipeline = &list.ray_tracing[at];
        let shaders: Vec<&ir::Shader> = pipeline.variants().iter().map(|v| &*v.shader).collect();
        let bindings = self.ray_tracing_sets.snapshot(
            &mut list.bindings,
            (&list.sets, &list.sets_in_buffers),
            pipeline.layout(),
            &shaders,
        )?;
        let snapshot = list.trace_snapshots.push(TraceSnapshot {
            pipeline: at,
            bindings,
            stack: self.ray_tracing_stack,
        });
        self.trace_snapshot = Some(snapshot);
        Ok(snapshot)
    }

    /// Snapshot of the graphics pipeline and its bindings and state.
    pub fn draw_snapshot(&mut self, list: &mut CommandList) -> Result<Ref<DrawSnapshot>> {
        if let Some(snapshot) = self.draw_snapshot {
            return Ok(snapshot);
        }
        let at = self.graphics.ok_or_else(|| Error::invalid("draw without a graphics pipeline"))?;
        let prepared = self.prepared(list, at)?;
        let pipeline = &list.graphics[at];
        let shaders: SmallVec<[_; 5]> = pipeline.shaders().collect();
        let bindings = self.graphics_sets.snapshot(
            &mut list.bindings,
            (&list.sets, &list.sets_in_buffers),
            pipeline.layout(),
            &shaders,
        )?;
        let desc = list.states[list.prepared[prepared].state].desc();
        for b in &desc.vertex_bindings {
            let bound = self.vertex_buffers.get(b.binding as usize).is_some_and(Option::is_some)
                || self.null_vertex_buffers >> b.binding & 1 == 1;
            if !bound && desc.attributes_read().any(|a| a.binding == b.binding) {
                return Err(Error::invalid(format!("draw without vertex buffer {}", b.binding)));
            }
        }
        let vertex_buffers = *self
            .stored_vertex_buffers
            .get_or_insert_with(|| Run::put(&mut list.vertex_buffers, &self.vertex_buffers));
        let snapshot =
            list.draw_snapshots.push(DrawSnapshot { prepared, bindings, vertex_buffers, index: self.index });
        self.draw_snapshot = Some(snapshot);
        remember(&mut self.recent, snapshot);
        Ok(snapshot)
    }

    /// Prepares a pipeline with the current dynamic state.
    fn prepared(
        &mut self,
        list: &mut CommandList,
        at: Ref<GraphicsPipeline>,
    ) -> Result<Ref<PreparedPipeline>> {
        if let Some(known) = self.prepared.iter().find(|p| list.prepared[**p].pipeline == at) {
            return Ok(*known);
        }
        let pipeline = &list.graphics[at];
        let state = match self.states.iter().find(|(of, _)| *of == at) {
            Some((_, known)) => *known,
            None => {
                let state = pipeline.state(self.prepared_for.as_deref())?;
                ensure(!state.desc().vertex_input_later, || "draw without vertex input state".into())?;
                let state = list.states.push(state);
                remember(&mut self.states, (at, state));
                state
            }
        };
        let dynamic = pipeline.per_draw(&self.dynamic);
        let prepared = list.prepared.push(PreparedPipeline { pipeline: at, state, dynamic });
        remember(&mut self.prepared, prepared);
        Ok(prepared)
    }
}
