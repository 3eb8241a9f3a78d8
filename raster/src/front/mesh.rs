//! The mesh stage: runs workgroups and bins their primitives, in batches of bounded size.
//!
//! A workgroup emits its own vertices and primitives, so no assembly is needed. The primitives are binned in order, one
//! workgroup after the other. Clipping and binning are left to [`super::emitter`].

use std::ops::Range;
use std::sync::atomic::Ordering;

use quadrille_jit::ir::MeshModes;

use super::bound::{FrontBoundState, FrontDrawContext};
use super::emitter::{Emitter, Place, RasterScratch};
use super::output::Output;
use super::stages::{Mesh, Primitives};
use crate::invoke::{Lines, call_mesh};
use crate::record::{RecordedDraws, Unfinished};

/// Origin of mesh workgroups: a draw, or a task workgroup.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    /// Number of the draw.
    pub draw: u32,
    /// Number of workgroups in x, y and z.
    pub counts: [u32; 3],
    /// Payload that the task workgroup has written for the mesh workgroups.
    pub payload: &'a [u32],
}

/// Runs some of the mesh workgroups of a source, and bins their primitives, starting where the work was suspended.
/// Fails if the stage did not complete.
pub(super) fn run_groups(
    rec: &RecordedDraws<'_, FrontBoundState>,
    job: &mut FrontDrawContext<'_>,
    source: &Source<'_>,
    groups: Range<u32>,
    (records, raster): (&mut Lines, &mut RasterScratch),
    to: &mut Output<'_>,
) -> Result<(), Unfinished> {
    let state = &*job.record.state;
    let (Some(mesh), Some(f)) = (&state.mesh, job.record.stages.last()) else { return Ok(()) };
    job.ctx.num_workgroups = source.counts;
    let stride = mesh.group_words();
    while to.at.inputs < groups.len() {
        let first = groups.start + to.at.inputs as u32;
        let count = mesh.at_once().min(groups.end - first);
        if !to.at.emitted {
            if to.at.leaves_off(to.chunk) {
                return Ok(());
            }
            let words = records.room(count as usize * stride as usize * 4);
            if rec.stop.load(Ordering::Relaxed) != 0 {
                return Err(job.not_called(job.last()));
            }
            if !call_mesh(f, &mut job.ctx, first, count, source.payload, (words, stride)) {
                return Err(job.called(job.last()));
            }
            to.at.emitted = true;
            to.stats.mesh_invocations += u64::from(count) * u64::from(mesh.invocations[1]);
        }
        let place = Place { rec, bound: job.record, draw: source.draw };
        let mut skip = to.at.primitives;
        for group in records.words().chunks_exact(stride as usize).take(count as usize) {
            put_out(&place, mesh, group, &mut skip, raster, to);
            if to.at.full {
                return Ok(());
            }
        }
        to.at.next_inputs(count as usize);
    }
    Ok(())
}

/// Bins the primitives of a workgroup, after skipping the first `skip`. Primitives with vertex indices out of range are
/// dropped.
fn put_out(
    place: &Place<'_>,
    mesh: &Mesh,
    group: &[u32],
    skip: &mut u64,
    raster: &mut RasterScratch,
    to: &mut Output<'_>,
) {
    let modes = &mesh.modes;
    let (vertices, primitives) = (group[0].min(modes.max_vertices), group[1].min(modes.max_primitives));
    if primitives == 0 || mesh.primitive_words == 0 {
        return;
    }
    let (before, rest) = group.split_at(modes.primitives_at(mesh.vertex_words) as usize);
    let records = &before[MeshModes::HEAD as usize..];
    place.to_screen(records, vertices as usize, &mut raster.screen);
    let last = place.bound.state.desc.provoking_last;
    let done = to.at.primitives;
    let mut out = Emitter::new(place, records, raster, to);
    let layout = &mesh.primitive;
    let selects = layout.layer.is_some() || layout.viewport.is_some() || !mesh.planes.is_empty();
    for words in rest.chunks_exact(mesh.primitive_words as usize).take(primitives as usize) {
        let word = |at: Option<u32>| at.map_or(0, |at| words[at as usize]);
        let v = layout.vertices.map(word);
        if word(layout.cull) != 0 || v.iter().any(|&v| v >= vertices) {
            continue;
        }
        if *skip > 0 {
            *skip -= 1;
            continue;
        }
        if out.is_full() {
            break;
        }
        let v = if last && mesh.output == Primitives::Triangles { [v[2], v[0], v[1]] } else { v };
        let own = || [word(layout.layer), word(layout.viewport)];
        if selects && !out.of_primitive(own(), &mesh.planes, words) {
            out.pass_over();
        } else {
            out.next(mesh.output, v, last, word(layout.id), true);
        }
    }
    let emitted = out.finish() - done;
    to.stats.mesh_primitives += emitted;
}
