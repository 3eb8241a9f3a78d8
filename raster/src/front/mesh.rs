//! The mesh stage: workgroups in, primitives out, in batches of bounded size.
//!
//! A workgroup makes vertices and primitives of its own, so that there is nothing to assemble: its primitives go
//! to the bins in their order, one workgroup after the other.

use std::ops::Range;
use std::sync::atomic::Ordering;

use super::bound::Bound;
use super::emitter::{Emitter, Place, RasterScratch};
use super::job::{BoundJob, UnitOutput};
use super::stages::{Mesh, Primitives};
use crate::invoke::{Lines, call_mesh};
use crate::record::Recorded;

/// What mesh workgroups belong to: a draw, or a task workgroup.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    /// Number of the draw.
    pub draw: u32,
    /// Workgroups in x, y and z.
    pub counts: [u32; 3],
    /// What the task workgroup has left for them.
    pub payload: &'a [u32],
}

/// Runs some of the mesh workgroups of a source, and takes what they put out to the bins. A unit counts them in the
/// place of primitives: those below the first `resume` are passed over. The name of the lane function is returned
/// if it was stopped.
pub(super) fn run_groups(
    rec: &Recorded<'_, Bound>,
    job: &mut BoundJob<'_>,
    source: &Source<'_>,
    groups: Range<u32>,
    (records, raster): (&mut Lines, &mut RasterScratch),
    to: &mut UnitOutput<'_>,
) -> Result<(), String> {
    let state = &*job.record.state;
    let (Some(mesh), Some(f)) = (&state.mesh, job.record.stages.last()) else { return Ok(()) };
    job.ctx.num_workgroups = source.counts;
    let (stride, mut first) = (mesh.group_words(), groups.start);
    while first < groups.end {
        let left = groups.end - first;
        let done = to.at.resume.saturating_sub(to.at.primitives).min(left.into());
        if done > 0 {
            to.at.primitives += done;
            first += done as u32;
            continue;
        }
        // None runs twice: what comes begins with the next.
        if to.at.leaves_off(to.chunk, true) {
            return Ok(());
        }
        let count = mesh.at_once().min(left);
        let words = records.room(count as usize * stride as usize * 4);
        if rec.stop.load(Ordering::Relaxed) != 0
            || !call_mesh(f, &mut job.ctx, first, count, source.payload, (words, stride))
        {
            return Err(state.desc.last().name.clone());
        }
        to.stats.mesh_invocations += u64::from(count) * u64::from(mesh.invocations[1]);
        let place = Place { rec, bound: job.record, draw: source.draw };
        for group in words.chunks_exact(stride as usize).take(count as usize) {
            put_out(&place, mesh, group, raster, to);
        }
        to.at.primitives += u64::from(count);
        first += count;
    }
    Ok(())
}

/// What a workgroup has made to the bins. Primitives of vertices that are not there are left out.
fn put_out(
    place: &Place<'_>,
    mesh: &Mesh,
    group: &[u32],
    raster: &mut RasterScratch,
    to: &mut UnitOutput<'_>,
) {
    let modes = &mesh.modes;
    let (vertices, primitives) = (group[0].min(modes.max_vertices), group[1].min(modes.max_primitives));
    if primitives == 0 || mesh.primitive_words == 0 {
        return;
    }
    let (records, rest) = group[2..].split_at((modes.max_vertices * mesh.vertex_words) as usize);
    place.to_screen(records, vertices as usize, &mut raster.screen);
    let last = place.bound.state.desc.provoking_last;
    let mut out = Emitter::new(place, records, &raster.screen, &mut raster.clipper, to.chunk, to.stats);
    let (layout, mut put) = (&mesh.primitive, 0);
    for words in rest.chunks_exact(mesh.primitive_words as usize).take(primitives as usize) {
        let word = |at: Option<u32>| at.map_or(0, |at| words[at as usize]);
        let v = layout.vertices.map(word);
        if word(layout.cull) != 0 || v.iter().any(|&v| v >= vertices) {
            continue;
        }
        put += 1;
        let v = if last && mesh.output == Primitives::Triangles { [v[2], v[0], v[1]] } else { v };
        if out.of_primitive([word(layout.layer), word(layout.viewport)], &mesh.planes, words) {
            out.stipple_at = 0.0;
            out.primitive(mesh.output, v, last, word(layout.id));
        }
    }
    to.stats.mesh_primitives += put;
}
