//! Recorded draws, as the front and the tiles read them while a pass is flushed. The memory that draws refer to is left
//! to [`crate::resources`].

use std::sync::atomic::AtomicU32;

use quadrille_jit::abi::{Ctx, PUSH_BYTES};
use quadrille_jit::ir::MAX_STREAMS;

use crate::bins::TileGrid;
use crate::invoke::ctx_for;
use crate::limits::MAX_MESH_GROUPS;
use crate::resources::KeptResources;

/// A draw. Spec: vkCmdDraw, vkCmdDrawIndexed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Draw {
    /// `true` if vertices are fetched through the index buffer.
    pub indexed: bool,
    /// firstVertex or firstIndex.
    pub first: u32,
    /// vertexCount or indexCount.
    pub count: u32,
    /// firstInstance.
    pub first_instance: u32,
    /// instanceCount.
    pub instances: u32,
    /// vertexOffset, added to indices.
    pub vertex_offset: i32,
    /// DrawIndex.
    pub draw_index: u32,
    /// ViewIndex.
    pub view_index: u32,
}

/// A draw with a mesh stage. Spec: vkCmdDrawMeshTasksEXT.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshDraw {
    /// Number of workgroups in x, y and z, of the task stage or, without one, of the mesh stage.
    pub groups: [u32; 3],
    /// DrawIndex.
    pub draw_index: u32,
    /// ViewIndex.
    pub view_index: u32,
}

/// Total number of workgroups; 0 if it exceeds [`MAX_MESH_GROUPS`].
pub(crate) fn total_groups(groups: [u32; 3]) -> u32 {
    let total = groups.iter().try_fold(1u32, |n, &g| n.checked_mul(g));
    total.filter(|&n| n <= MAX_MESH_GROUPS).unwrap_or(0)
}

/// Counters of the work that a pass has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Number of vertices that draws specify, without restart indices.
    pub input_vertices: u64,
    /// Number of primitives that draws specify.
    pub input_primitives: u64,
    /// Invocations of the vertex stage.
    pub vertex_invocations: u64,
    /// Number of patches that the tessellation control stage has processed.
    pub control_patches: u64,
    /// Invocations of the tessellation evaluation stage.
    pub evaluation_invocations: u64,
    /// Invocations of the geometry stage.
    pub geometry_invocations: u64,
    /// Number of primitives that the geometry stage has emitted.
    pub geometry_primitives: u64,
    /// Invocations of the task stage.
    pub task_invocations: u64,
    /// Invocations of the mesh stage.
    pub mesh_invocations: u64,
    /// Number of primitives that the mesh stage has emitted, without culled primitives.
    pub mesh_primitives: u64,
    /// Number of primitives that the last stage before rasterization has emitted, by stream; 0 for the mesh stage.
    pub generated: [u64; MAX_STREAMS],
    /// Number of primitives that transform feedback has written, by stream.
    pub captured: [u64; MAX_STREAMS],
    /// Number of primitives that reached clipping.
    pub clipping_invocations: u64,
    /// Number of primitives that clipping has emitted.
    pub clipping_primitives: u64,
    /// Invocations of the fragment stage, without helper invocations, but with those that are skipped because later
    /// primitives overwrite all that they write.
    pub fragment_invocations: u64,
    /// Number of tiles that have run with primitives. A tile of a layer runs once for each batch of draws that reaches it.
    pub tiles: u64,
}

impl Stats {
    /// Adds the counters of another pass.
    pub fn add(&mut self, other: &Stats) {
        self.input_vertices += other.input_vertices;
        self.input_primitives += other.input_primitives;
        self.vertex_invocations += other.vertex_invocations;
        self.control_patches += other.control_patches;
        self.evaluation_invocations += other.evaluation_invocations;
        self.geometry_invocations += other.geometry_invocations;
        self.geometry_primitives += other.geometry_primitives;
        self.task_invocations += other.task_invocations;
        self.mesh_invocations += other.mesh_invocations;
        self.mesh_primitives += other.mesh_primitives;
        self.generated.iter_mut().zip(other.generated).for_each(|(a, b)| *a += b);
        self.captured.iter_mut().zip(other.captured).for_each(|(a, b)| *a += b);
        self.clipping_invocations += other.clipping_invocations;
        self.clipping_primitives += other.clipping_primitives;
        self.fragment_invocations += other.fragment_invocations;
        self.tiles += other.tiles;
    }
}

/// Owner of a bind, whose name errors give.
pub trait Owner: Send + Sync {
    /// Kind and name of the owner, if it has a name: `graphics pipeline "sky"`.
    fn given_name(&self) -> Option<String>;
}

/// A shader of a bind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShaderAt {
    /// A stage before rasterization, by position in pipeline order.
    PreRaster(usize),
    /// The fragment stage.
    Fragment,
}

/// A shader that did not complete, because the pass was stopped or the lane function's claim was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unfinished {
    /// Number of the bind.
    pub bind: u32,
    pub shader: ShaderAt,
    /// `true` if the lane function returned early, `false` if it was not called because the pass had been stopped.
    pub called: bool,
}

impl Unfinished {
    /// A shader whose lane function returned early.
    pub fn called(bind: u32, shader: ShaderAt) -> Self {
        Unfinished { bind, shader, called: true }
    }

    /// A shader that was next when the pass had been stopped.
    pub fn not_called(bind: u32, shader: ShaderAt) -> Self {
        Unfinished { bind, shader, called: false }
    }
}

/// A recorded draw.
pub(crate) struct DrawRecord {
    /// Number of the bind that was current.
    pub bind: u32,
    /// Number of the push constants.
    pub push: u32,
    /// Parameters of the draw; a mesh draw sets only `draw_index` and `view_index`.
    pub draw: Draw,
    /// Number of workgroups of a mesh draw, in x, y and z.
    pub groups: [u32; 3],
}

/// Recorded draws of a pass; `B` is the reader's part of the bound state.
pub(crate) struct RecordedDraws<'a, B> {
    /// Render area, clipped to the attachments: x0, y0, x1, y1.
    pub area: [i32; 4],
    pub grid: TileGrid,
    pub samples: u32,
    pub binds: &'a [B],
    /// Resources that shaders can access, for each of `binds`.
    pub resources: &'a [KeptResources],
    pub pushes: &'a [[u8; PUSH_BYTES]],
    pub draws: &'a [DrawRecord],
    pub stop: &'a AtomicU32,
}

impl<B> RecordedDraws<'_, B> {
    /// Returns a context for the lane functions of a draw.
    pub fn ctx(&self, d: &DrawRecord) -> Ctx {
        ctx_for(&self.resources[d.bind as usize].with(&self.pushes[d.push as usize]), self.stop)
    }
}
