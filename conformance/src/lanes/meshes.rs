//! Runs task and mesh shaders on plain memory, and collects the outputs of their workgroups.

use quadrille_jit::abi::{self, Ctx};
use quadrille_jit::call::LaneFn;
use quadrille_jit::{Error, Result};

use super::in_two_with;
use super::lines::{Lines, dirty};

/// Outputs of a task workgroup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// Mesh workgroups in x, y and z.
    pub groups: Vec<u32>,
    /// Words of its payload.
    pub payload: Vec<u32>,
}

/// Outputs of a mesh workgroup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mesh {
    /// Words of each vertex.
    pub vertices: Vec<Vec<u32>>,
    /// Words of each primitive.
    pub primitives: Vec<Vec<u32>>,
}

/// Marks words that the shader must not write.
const GAP: u32 = 0xa5a5_a5a5;

/// Words of the units, each of which has `used` words followed by padding.
fn units(mut lines: Lines, stride: usize, used: usize) -> Result<Vec<Vec<u32>>> {
    let words = lines.words();
    let beyond = words.chunks(stride).any(|unit| unit[used..].iter().any(|&w| w != GAP));
    if beyond || lines.was_damaged() {
        return Err(Error::Internal("the shader wrote outside of a workgroup's outputs".into()));
    }
    Ok(words.chunks(stride).map(|unit| unit[..used].to_vec()).collect())
}

/// Runs task workgroups.
pub(super) fn tasks(f: &LaneFn, ctx: &mut Ctx, groups: [u32; 3]) -> Result<(u32, Vec<Task>)> {
    let meta = f.meta();
    let count = groups.iter().product::<u32>();
    let used = meta.payload_bytes.div_ceil(4) as usize;
    // Room for more words than the shader writes.
    let stride = (used + 1).next_multiple_of(4);
    let (mut said, mut payloads) = (dirty(3 * count as usize), dirty(stride * count as usize));
    ctx.num_workgroups = groups;
    ctx.task_groups = said.pointer().cast();
    ctx.payload = payloads.pointer();
    ctx.payload_stride = 4 * stride as u32;
    let status = in_two_with(f, ctx, count, |ctx| {
        ctx.task_groups = ctx.task_groups.wrapping_add(3);
        ctx.payload = ctx.payload.wrapping_add(4 * stride);
    });
    let (said, payloads) = (units(said, 3, 3)?, units(payloads, stride, used)?);
    let list = said.into_iter().zip(payloads).map(|(groups, payload)| Task { groups, payload });
    Ok((status, list.collect()))
}

/// Runs mesh workgroups with one common payload.
pub(super) fn meshes(
    f: &LaneFn,
    ctx: &mut Ctx,
    groups: [u32; 3],
    payload: &[u8],
) -> Result<(u32, Vec<Mesh>)> {
    let meta = f.meta();
    let count = groups.iter().product::<u32>();
    let mut bytes = payload.to_vec();
    bytes.resize((meta.payload_bytes as usize).max(16), 0);
    let mut payload = Lines::of(&bytes);
    let [vertex, primitive] = [meta.n_output_words, meta.n_primitive_words].map(|n| n as usize);
    let first_primitive = 2 + meta.max_vertices as usize * vertex;
    let used = first_primitive + meta.max_primitives as usize * primitive;
    let stride = used + 1;
    let mut records = dirty(stride * count as usize);
    ctx.num_workgroups = groups;
    ctx.payload = payload.pointer();
    ctx.mesh_records = records.pointer().cast();
    ctx.mesh_stride = stride as u32;
    let status = in_two_with(f, ctx, count, |ctx| {
        ctx.mesh_records = ctx.mesh_records.wrapping_add(stride);
    });
    if payload.bytes() != bytes {
        return Err(Error::Internal("a mesh shader wrote its payload".into()));
    }
    let mut list = Vec::new();
    for unit in units(records, stride, used)? {
        if status == abi::DONE && (unit[0] > meta.max_vertices || unit[1] > meta.max_primitives) {
            return Err(Error::Internal(format!("{} vertices and {} primitives", unit[0], unit[1])));
        }
        let one = |from: usize, words: usize, k: usize| unit[from + k * words..][..words].to_vec();
        let [vertices, primitives] = [unit[0].min(meta.max_vertices), unit[1].min(meta.max_primitives)];
        list.push(Mesh {
            vertices: (0..vertices as usize).map(|k| one(2, vertex, k)).collect(),
            primitives: (0..primitives as usize).map(|k| one(first_primitive, primitive, k)).collect(),
        });
    }
    Ok((status, list))
}
