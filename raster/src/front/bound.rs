//! What the front reads of what was bound when a draw was recorded.

use std::sync::Arc;

use quadrille_jit::call::LaneFn;
use smallvec::SmallVec;

use super::setup::ViewTransform;
use super::state::FrontState;
use crate::bins::StampShape;
use crate::feedback::TransformFeedback;
use crate::memory::buffer::{BufferRange, IndexBuffer};
use crate::state::{DepthBias, LineStipple};

/// What was bound when draws were recorded.
pub(crate) struct Bound {
    pub state: Arc<FrontState>,
    /// The stages before rasterization, in pipeline order.
    pub stages: SmallVec<[LaneFn; 1]>,
    /// Vertices of a patch.
    pub patch: u32,
    /// Vertices of a draw without later stages that are about as much work as one of this.
    pub weight: u32,
    pub depth_bias: DepthBias,
    pub line_width: f32,
    pub line_stipple: LineStipple,
    pub buffers: Box<[BufferRange]>,
    pub index: Option<IndexBuffer>,
    /// Takes the primitives of the last stage before rasterization.
    pub feedback: Option<Arc<TransformFeedback>>,
    /// Shape of the fragment stage's stamps.
    pub shape: &'static StampShape,
    /// Viewports that primitives can be in.
    pub views: SmallVec<[ViewTransform; 1]>,
}

impl Bound {
    /// Bytes from the payload of a task workgroup to the next: whole for the task and for the mesh stage.
    pub fn payload_stride(&self) -> u32 {
        let largest = self.stages.iter().map(|f| f.meta().payload_bytes).max();
        largest.unwrap_or(0).max(16).next_multiple_of(16)
    }
}
