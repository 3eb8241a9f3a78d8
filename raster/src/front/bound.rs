//! Bound state of recorded draws as the front reads it, and the shader context made from it. The state of the fragment
//! stage is left to [`crate::tiles`].

use std::sync::Arc;

use quadrille_jit::abi::Ctx;
use quadrille_jit::call::LaneFn;
use smallvec::SmallVec;

use super::setup::ViewTransform;
use super::state::FrontState;
use crate::bins::StampShape;
use crate::feedback::TransformFeedback;
use crate::memory::buffer::{BufferRange, IndexBuffer};
use crate::record::{DrawRecord, Owner, RecordedDraws, ShaderAt, Unfinished};
use crate::state::{DepthBias, LineStipple};

/// The part of the bound state that the front reads.
pub(crate) struct FrontBoundState {
    pub state: Arc<FrontState>,
    /// Owner of the state and the shaders.
    pub owner: Option<Arc<dyn Owner>>,
    /// The stages before rasterization, in pipeline order.
    pub stages: SmallVec<[LaneFn; 1]>,
    /// Number of control points per patch.
    pub patch: u32,
    /// Cost of a vertex of the draw, in vertices of a draw without later stages.
    pub weight: u32,
    pub depth_bias: DepthBias,
    pub line_width: f32,
    pub line_stipple: LineStipple,
    pub buffers: Box<[BufferRange]>,
    pub index: Option<IndexBuffer>,
    /// Transform feedback that receives the primitives of the last stage before rasterization.
    pub feedback: Option<Arc<TransformFeedback>>,
    /// Shape of the fragment stage's stamps.
    pub shape: &'static StampShape,
    /// Greatest distance of a sample from the pixel centre along an axis, in 1/256 pixels.
    pub reach_fx8: i32,
    /// Bits of [`kind`](crate::bins::kind) of all primitives.
    pub kind: u16,
    /// Distance in 1/256 pixels by which the pixels grow that triangles touch or, if it is negative, must contain.
    /// `None` if coverage is that of samples.
    pub grow_fx8: Option<i32>,
    /// Viewports that primitives can select.
    pub views: SmallVec<[ViewTransform; 1]>,
}

impl FrontBoundState {
    /// Bytes from one task workgroup's payload to the next: enough for the payload types of both task and mesh stage.
    pub fn payload_stride(&self) -> u32 {
        let largest = self.stages.iter().map(|f| f.meta().payload_bytes).max();
        largest.unwrap_or(0).max(16).next_multiple_of(16)
    }
}

/// Shader context of a draw in the front. It is made anew only if the bound state changes.
pub(super) struct FrontDrawContext<'a> {
    pub bind: u32,
    pub ctx: Ctx,
    pub record: &'a FrontBoundState,
}

impl<'a> FrontDrawContext<'a> {
    /// Points the context to a draw. Makes a new job if the draw has another bind.
    pub fn of_draw<'j>(
        rec: &'a RecordedDraws<'_, FrontBoundState>,
        draw: u32,
        job: &'j mut Option<FrontDrawContext<'a>>,
    ) -> &'j mut FrontDrawContext<'a> {
        let recorded = &rec.draws[draw as usize];
        let DrawRecord { bind, push, draw: d, .. } = recorded;
        if job.as_ref().is_some_and(|j| j.bind != *bind) {
            *job = None;
        }
        let job = job.get_or_insert_with(|| FrontDrawContext {
            bind: *bind,
            ctx: rec.ctx(recorded),
            record: &rec.binds[*bind as usize],
        });
        let ctx = &mut job.ctx;
        ctx.push = rec.pushes[*push as usize].as_ptr();
        ctx.base_vertex = if d.indexed { d.vertex_offset } else { d.first as i32 };
        ctx.base_instance = d.first_instance;
        ctx.draw_index = d.draw_index;
        ctx.view_index = if job.record.state.desc.view_index_is_zero[0] { 0 } else { d.view_index };
        job
    }

    /// A stage before rasterization whose lane function returned early.
    pub fn called(&self, stage: usize) -> Unfinished {
        Unfinished::called(self.bind, ShaderAt::PreRaster(stage))
    }

    /// A stage before rasterization that was next when the pass had been stopped.
    pub fn not_called(&self, stage: usize) -> Unfinished {
        Unfinished::not_called(self.bind, ShaderAt::PreRaster(stage))
    }

    /// Position of the last stage before rasterization.
    pub fn last(&self) -> usize {
        self.record.stages.len().saturating_sub(1)
    }
}
