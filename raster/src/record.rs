//! Recorded draws, as the front and the tiles read them while a pass is flushed.

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
    /// Takes its vertices from the index buffer.
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

/// A draw of meshes. Spec: vkCmdDrawMeshTasksEXT.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshDraw {
    /// Workgroups of the task stage, or of the mesh stage where it is the first, in x, y and z.
    pub groups: [u32; 3],
    /// DrawIndex.
    pub draw_index: u32,
    /// ViewIndex.
    pub view_index: u32,
}

/// Workgroups in x, y and z, in all; none where that is more than there may be.
pub(crate) fn total_groups(groups: [u32; 3]) -> u32 {
    let total = groups.iter().try_fold(1u32, |n, &g| n.checked_mul(g));
    total.filter(|&n| n <= MAX_MESH_GROUPS).unwrap_or(0)
}

/// What a pass has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Vertices that draws asked for.
    pub input_vertices: u64,
    /// Primitives that draws asked for.
    pub input_primitives: u64,
    /// Invocations of the vertex stage.
    pub vertex_invocations: u64,
    /// Patches that the tessellation control stage has run for.
    pub control_patches: u64,
    /// Invocations of the tessellation evaluation stage.
    pub evaluation_invocations: u64,
    /// Invocations of the geometry stage.
    pub geometry_invocations: u64,
    /// Primitives that the geometry stage has put out.
    pub geometry_primitives: u64,
    /// Invocations of the task stage.
    pub task_invocations: u64,
    /// Invocations of the mesh stage.
    pub mesh_invocations: u64,
    /// Primitives that the mesh stage has put out, those that it culls left out.
    pub mesh_primitives: u64,
    /// Primitives that the last stage before rasterization has put out, by stream; the mesh stage has none.
    pub generated: [u64; MAX_STREAMS],
    /// Those that transform feedback has written.
    pub captured: [u64; MAX_STREAMS],
    /// Primitives that reached clipping.
    pub clipping_invocations: u64,
    /// Primitives that clipping put out.
    pub clipping_primitives: u64,
    /// Invocations of the fragment stage, without helpers.
    pub fragment_invocations: u64,
}

impl Stats {
    /// Adds what another pass has done.
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
    }
}

/// A recorded draw.
pub(crate) struct DrawRecord {
    /// Number of what was bound.
    pub bind: u32,
    /// Number of the push constants.
    pub push: u32,
    /// Of a draw of meshes only its indices.
    pub draw: Draw,
    /// Of a draw of meshes.
    pub groups: [u32; 3],
}

/// What is recorded; `B` is what the reader needs of what was bound.
pub(crate) struct Recorded<'a, B> {
    /// Render area, clipped to the attachments: x0, y0, x1, y1.
    pub area: [i32; 4],
    pub grid: TileGrid,
    pub samples: u32,
    pub binds: &'a [B],
    /// What shaders can reach, for each of `binds`.
    pub resources: &'a [KeptResources],
    pub pushes: &'a [[u8; PUSH_BYTES]],
    pub draws: &'a [DrawRecord],
    pub stop: &'a AtomicU32,
}

impl<B> Recorded<'_, B> {
    /// A context for the lane functions of a draw.
    pub fn ctx(&self, d: &DrawRecord) -> Ctx {
        ctx_for(&self.resources[d.bind as usize].with(&self.pushes[d.push as usize]), self.stop)
    }
}
