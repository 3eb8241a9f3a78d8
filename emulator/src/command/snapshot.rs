//! Snapshots of the bindings and state that draws and dispatches use. Tables of a list hold the snapshots.

use std::sync::Arc;

use quadrille_jit::abi;
use quadrille_raster::buffer::IndexType;
use quadrille_raster::draw_state::DrawState;
use quadrille_raster::state::Dynamic;

use super::kept::{Ref, Run};
use crate::descriptor::{DescriptorSet, SetInBuffer};
use crate::pipeline::{ComputePipeline, GraphicsPipeline, RayTracingPipeline};
use crate::resource::buffer::Buffer;

/// Source of a bound descriptor set.
#[derive(Clone, Copy)]
pub(crate) enum SetPlace {
    /// A descriptor set object.
    Object(Ref<DescriptorSet>),
    /// A range of a buffer.
    Buffer(Ref<SetInBuffer>),
}

/// A descriptor set with its dynamic offsets.
#[derive(Clone, Copy)]
pub(crate) struct BoundSet {
    pub set: SetPlace,
    /// Dynamic offsets, in the list's `offsets`.
    pub offsets: Run,
}

/// Descriptor sets that a shader can reach.
pub(crate) struct Bindings {
    pub sets: [Option<BoundSet>; abi::BOUND_SETS],
    /// Number of dynamic buffers of each set of the layout, used or not.
    pub n_dynamic: [u32; abi::BOUND_SETS],
}

/// Push constants as shaders see them.
pub(crate) type Push = [u8; abi::PUSH_BYTES];

/// A compute pipeline with its bindings.
pub(crate) struct DispatchSnapshot {
    pub pipeline: Ref<ComputePipeline>,
    pub bindings: Ref<Bindings>,
}

/// A ray tracing pipeline with its bindings.
pub(crate) struct TraceSnapshot {
    pub pipeline: Ref<RayTracingPipeline>,
    pub bindings: Ref<Bindings>,
    /// Bytes of [`CommandBuffer::set_ray_tracing_stack_size`](super::record::CommandBuffer::set_ray_tracing_stack_size).
    pub stack: u32,
}

/// A range of a buffer.
#[derive(Clone, Copy)]
pub(crate) struct BufferSlice {
    pub buffer: Ref<Buffer>,
    pub offset: u64,
    pub size: u64,
}

/// A graphics pipeline with the values of its dynamic state.
pub(crate) struct PreparedPipeline {
    pub pipeline: Ref<GraphicsPipeline>,
    pub state: Ref<Arc<DrawState>>,
    pub dynamic: Dynamic,
}

/// A graphics pipeline with the state that consecutive draws share.
pub(crate) struct DrawSnapshot {
    pub prepared: Ref<PreparedPipeline>,
    pub bindings: Ref<Bindings>,
    /// Vertex buffers by binding number, in the list's `vertex_buffers`.
    pub vertex_buffers: Run,
    pub index: Option<Indices>,
}

/// A bound index buffer.
#[derive(Clone, Copy)]
pub(crate) struct Indices {
    /// `None` is a null buffer: every index is zero.
    pub slice: Option<BufferSlice>,
    pub ty: IndexType,
    /// The value that restarts a primitive.
    pub restart: u32,
}
