//! Lane functions run on plain buffers, in every variant: the interpreter and the code generator, both
//! tiers, every host level, every lane group size.
#![expect(unsafe_code, reason = "calls lane functions, which take raw pointers")]

mod job;
mod lines;
mod meshes;
mod variant;

pub use job::{Buffer, Emitted, Given, Job, Outcome, Records, Work, layout};
pub use meshes::{Mesh, Task};
pub use variant::{Variant, build, few_variants, variants};

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use quadrille_jit::Result;
use quadrille_jit::abi::{self, Ctx, Descriptor, MAX_SETS, PUSH_BYTES, Plane, Primitive, Stamp};
use quadrille_jit::call::LaneFn;
use quadrille_jit::ir::{MAX_STREAMS, Shader, Stage, StageKind};

use lines::{Lines, bytes_of};

/// Records in reverse order.
fn reversed(mut records: Lines, stride: u32) -> Lines {
    let words = records.words();
    let list: Vec<u32> = words.chunks(stride as usize).rev().flatten().copied().collect();
    Lines::of(&bytes_of(list))
}

/// Runs the units of a job in two calls, of which the second begins with no multiple of S.
fn in_two(f: &LaneFn, ctx: &mut Ctx, count: u32) -> u32 {
    in_two_with(f, ctx, count, |_| {})
}

/// As [`in_two`]; `step` goes on to the memory of the second call's units.
fn in_two_with(f: &LaneFn, ctx: &mut Ctx, count: u32, step: impl Fn(&mut Ctx)) -> u32 {
    let first = count.min(1);
    // SAFETY: the context names live memory of the sizes that the function's `meta` states.
    unsafe {
        match f.call(ctx, 0, first) {
            abi::DONE if count > first => {
                step(ctx);
                f.call(ctx, first, count - first)
            }
            status => status,
        }
    }
}

/// As [`run`], but stops after a while.
///
/// # Errors
/// As there; `DeviceLost` if it was stopped.
pub fn run_for(shader: &Shader, f: &LaneFn, job: &Job, limit: Duration) -> Result<Outcome> {
    let stop = AtomicU32::new(0);
    let (done, wait) = mpsc::channel::<()>();
    let stop = &stop;
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if wait.recv_timeout(limit) == Err(mpsc::RecvTimeoutError::Timeout) {
                stop.store(1, Ordering::Relaxed);
            }
        });
        let outcome = run_until(shader, f, job, stop);
        drop(done);
        outcome
    })
}

/// Runs `f`, made of `shader` under [`layout`] of the same buffers.
///
/// # Errors
/// `Invalid` if the job does not fit the shader's stage.
pub fn run(shader: &Shader, f: &LaneFn, job: &Job) -> Result<Outcome> {
    run_until(shader, f, job, &AtomicU32::new(0))
}

fn run_until(shader: &Shader, f: &LaneFn, job: &Job, stop: &AtomicU32) -> Result<Outcome> {
    let meta = f.meta();
    let mut memory: Vec<Lines> = job.buffers.iter().map(|b| Lines::of(&b.bytes)).collect();
    let mut in_order = Vec::new();
    let mut sets: Vec<Vec<Descriptor>> = vec![Vec::new(); MAX_SETS];
    for (b, m) in job.buffers.iter().zip(&mut memory) {
        let Some(set) = sets.get_mut(b.set as usize) else {
            return Err(quadrille_jit::Error::invalid(format!("set {}", b.set)));
        };
        let descriptor = Descriptor { ptr: m.pointer() as u64, size: b.bytes.len() as u64 };
        set.push(descriptor);
        in_order.push(descriptor);
    }
    let mut push = Lines::new(PUSH_BYTES);
    let n = job.push.len().min(PUSH_BYTES);
    push.bytes()[..n].copy_from_slice(&job.push[..n]);
    let mut scratch = Lines::new(meta.scratch_bytes);
    // What is in scratch memory must not matter.
    scratch.bytes().fill(0xa5);
    let mut shared = Lines::new(meta.shared_bytes);
    shared.bytes().fill(0xa5);

    // SAFETY: zero is valid for every field (pointers, integers); those of the stage are set below.
    let mut ctx: Ctx = unsafe { std::mem::zeroed() };
    for (at, set) in ctx.sets.iter_mut().zip(&sets) {
        *at = set.as_ptr().cast();
    }
    ctx.push = push.pointer();
    ctx.stop = stop.as_ptr();
    // Buffer i has the address (i + 1) << 40.
    let null = *abi::null_buffer();
    let all = in_order.iter().copied();
    let table: Vec<Descriptor> = [null].into_iter().chain(all).chain([null]).collect();
    ctx.addresses = table.as_ptr();
    ctx.address_slots = table.len() as u32 - 1;
    ctx.scratch = scratch.pointer();
    ctx.shared = shared.pointer();

    let s = meta.lanes;
    let mut output = Vec::new();
    let mut alive = Vec::new();
    let mut patches = Vec::new();
    let mut streams = Vec::new();
    let (mut tasks, mut meshes) = (Vec::new(), Vec::new());
    let status = match (&job.work, shader.stage) {
        (Work::Compute(groups), Stage::Compute) => {
            ctx.num_workgroups = *groups;
            // SAFETY: the context names live memory of the sizes that `meta` states.
            unsafe { f.call(&mut ctx, 0, groups.iter().product()) }
        }
        (Work::Tasks(groups), Stage::Task) => {
            (ctx.draw_index, ctx.view_index) = (job.given.draw_index, job.given.view_index);
            let (status, list) = meshes::tasks(f, &mut ctx, *groups)?;
            tasks = list;
            status
        }
        (Work::Meshes { groups, payload }, Stage::Mesh) => {
            (ctx.draw_index, ctx.view_index) = (job.given.draw_index, job.given.view_index);
            let (status, list) = meshes::meshes(f, &mut ctx, *groups, payload)?;
            meshes = list;
            status
        }
        (Work::Vertex { count, input }, Stage::Vertex) => {
            let round = count.next_multiple_of(s);
            let mut ids = Lines::of(&bytes_of(0..round));
            let mut instances = Lines::of(&bytes_of((0..round).map(|_| job.given.instance)));
            let rows = meta.n_input_words;
            let mut words = Vec::new();
            for group in 0..round / s {
                for row in 0..rows {
                    for lane in 0..s {
                        let vertex = input.get((group * s + lane) as usize);
                        words.push(vertex.and_then(|v| v.get(row as usize)).copied().unwrap_or(0));
                    }
                }
            }
            let mut input = Lines::of(&bytes_of(words));
            let record = meta.n_output_words as usize;
            // Whole groups are written.
            let mut out = Lines::new(4 * record * round as usize);
            ctx.base_vertex = job.given.base_vertex;
            ctx.base_instance = job.given.base_instance;
            ctx.draw_index = job.given.draw_index;
            ctx.view_index = job.given.view_index;
            ctx.vertex_ids = ids.pointer().cast();
            ctx.instance_ids = instances.pointer().cast();
            ctx.input = input.pointer();
            ctx.output = out.pointer();
            // SAFETY: the context names live memory of the sizes that `meta` states; ids, input rows and
            // output records are there up to the next multiple of S.
            let status = unsafe { f.call(&mut ctx, 0, *count) };
            let words = out.words();
            output = (0..*count as usize).map(|v| words[v * record..(v + 1) * record].to_vec()).collect();
            status
        }
        (Work::Patches { size, count, vertices }, Stage::TessellationControl) => {
            let mut linked = vertices.link();
            let (patch_words, words) = (meta.n_patch_words as usize, meta.n_output_words as usize);
            let n = meta.output_vertices as usize;
            // A word more than there need be.
            let stride = patch_words + n * words + 1;
            let mut records = Lines::new(4 * stride * *count as usize);
            records.bytes().fill(0xa5);
            let all = size * count;
            let mut list = Lines::of(&bytes_of((0..all).rev()));
            // The last vertex has the first record.
            linked.memory = reversed(linked.memory, linked.stride);
            let mut ids = Lines::of(&bytes_of((0..*count).map(|p| job.given.primitive_id + p)));
            ctx.in_records = linked.memory.pointer().cast();
            ctx.in_stride = linked.stride;
            ctx.in_words = linked.table.pointer().cast();
            ctx.in_vertices = list.pointer().cast();
            ctx.in_vertex_count = *size;
            ctx.primitive_ids = ids.pointer().cast();
            ctx.patch_records = records.pointer().cast();
            ctx.patch_stride = stride as u32;
            ctx.view_index = job.given.view_index;
            let status = in_two(f, &mut ctx, *count);
            for patch in records.words().chunks(stride).take(*count as usize) {
                patches.push(patch[..patch_words].to_vec());
                let one = |v: usize| patch[patch_words + v * words..][..words].to_vec();
                output.extend((0..n).map(one));
                if patch[stride - 1] != 0xa5a5_a5a5 {
                    return Err(quadrille_jit::Error::Internal("written past the end of a patch".into()));
                }
            }
            status
        }
        (Work::Points { vertices, patch, coords }, Stage::TessellationEvaluation) => {
            let (mut linked, mut patch) = (vertices.link(), patch.link());
            let count = coords.len() as u32;
            let round = count.next_multiple_of(s) as usize;
            let row = |c: usize| (0..round).map(move |i| coords.get(i).map_or(f32::NAN, |p| p[c]).to_bits());
            let mut rows = [0, 1, 2].map(|c| Lines::of(&bytes_of(row(c))));
            let mut id = Lines::of(&bytes_of([job.given.primitive_id]));
            let record = meta.n_output_words as usize;
            let mut out = Lines::new(4 * record * round);
            ctx.in_records = linked.memory.pointer().cast();
            ctx.in_stride = linked.stride;
            ctx.in_words = linked.table.pointer().cast();
            ctx.in_vertex_count = vertices.words.len() as u32;
            ctx.primitive_ids = id.pointer().cast();
            ctx.patch_records = patch.memory.pointer().cast();
            ctx.patch_stride = patch.stride;
            ctx.patch_words = patch.table.pointer().cast();
            for (at, row) in ctx.tess_coord.iter_mut().zip(&mut rows) {
                *at = row.pointer().cast();
            }
            ctx.output = out.pointer();
            ctx.view_index = job.given.view_index;
            // SAFETY: the context names live memory of the sizes that `meta` states; coordinates and records are
            // there up to the next multiple of S.
            let status = unsafe { f.call(&mut ctx, 0, count) };
            let words = out.words();
            output = (0..count as usize).map(|v| words[v * record..(v + 1) * record].to_vec()).collect();
            status
        }
        (Work::Primitives { count, vertices }, Stage::Geometry) => {
            let StageKind::Geometry(modes) = shader.kind else {
                return Err(quadrille_jit::Error::invalid("no geometry"));
            };
            let size = modes.input.vertices();
            let mut linked = vertices.link();
            linked.memory = reversed(linked.memory, linked.stride);
            let mut list = Lines::of(&bytes_of((0..size * count).rev()));
            let mut ids = Lines::of(&bytes_of((0..*count).map(|p| job.given.primitive_id + p)));
            ctx.in_records = linked.memory.pointer().cast();
            ctx.in_stride = linked.stride;
            ctx.in_words = linked.table.pointer().cast();
            ctx.in_vertices = list.pointer().cast();
            ctx.in_vertex_count = size;
            ctx.primitive_ids = ids.pointer().cast();
            ctx.view_index = job.given.view_index;
            let units = (count * meta.invocations) as usize;
            let (most, cut_words) = (meta.max_vertices as usize, meta.max_vertices.div_ceil(32) as usize);
            let mut room: Vec<[Lines; 3]> = (0..MAX_STREAMS)
                .map(|k| {
                    let words = meta.stream_words[k] as usize;
                    [words * most, cut_words, 1].map(|n| {
                        let mut lines = Lines::new(4 * units * n);
                        lines.bytes().fill(0xa5);
                        lines
                    })
                })
                .collect();
            for (k, [vertices, cuts, counts]) in room.iter_mut().enumerate() {
                if meta.streams >> k & 1 == 1 {
                    ctx.emitted[k] = vertices.pointer().cast();
                    ctx.emit_cuts[k] = cuts.pointer().cast();
                    ctx.emit_counts[k] = counts.pointer().cast();
                }
            }
            let status = in_two(f, &mut ctx, units as u32);
            for (k, [vertices, cuts, counts]) in room.iter_mut().enumerate() {
                if meta.streams >> k & 1 == 0 {
                    streams.push(Emitted::default());
                    continue;
                }
                let damaged = [vertices.was_damaged(), cuts.was_damaged(), counts.was_damaged()];
                if damaged.contains(&true) {
                    return Err(quadrille_jit::Error::Internal("written outside of what is emitted".into()));
                }
                let words = meta.stream_words[k] as usize;
                let (all, cuts) = (vertices.words(), cuts.words());
                let mut e = Emitted { counts: counts.words(), ..Emitted::default() };
                for (unit, &n) in e.counts.iter().enumerate() {
                    for v in 0..(n as usize).min(most) {
                        e.vertices.push(all[(unit * most + v) * words..][..words].to_vec());
                        e.begins.push(cuts[unit * cut_words + v / 32] >> (v % 32) & 1);
                    }
                }
                streams.push(e);
            }
            status
        }
        (Work::Fragment { width, height, covered, planes, inv_w }, Stage::Fragment) => {
            let given = &job.given;
            let plane = |p: &[f32; 3]| Plane { a0: p[0], dadx: p[1], dady: p[2] };
            let inputs: Vec<Plane> = planes.iter().map(plane).collect();
            let primitive = Primitive {
                origin: [0.0, 0.0],
                z: Plane { a0: 0.5, ..Plane::default() },
                inv_w: plane(inv_w),
                inputs: inputs.as_ptr(),
                front_facing: given.front_facing,
                primitive_id: given.primitive_id,
                layer: given.layer,
                viewport_index: given.viewport_index,
            };
            let (w, h) = abi::stamp_size(s);
            let mut stamps = Vec::new();
            for y in (0..*height).step_by(h as usize) {
                for x in (0..*width).step_by(w as usize) {
                    let mut mask = 0;
                    for lane in 0..s {
                        let (dx, dy) = abi::stamp_lane(s, lane);
                        let pixel = ((y + dy) * width + x + dx) as usize;
                        if y + dy < *height && x + dx < *width && covered.get(pixel).copied().unwrap_or(true)
                        {
                            mask |= 1 << lane;
                        }
                    }
                    if mask != 0 {
                        stamps.push(Stamp { x: x as i32, y: y as i32, mask });
                    }
                }
            }
            let words = meta.n_output_words as usize;
            let mut out = Lines::new(4 * words * s as usize * stamps.len());
            let mut masks = Lines::of(&bytes_of(stamps.iter().map(|t| t.mask)));
            let samples: &[[f32; 2]] = match given.samples {
                4 => &[[0.375, 0.125], [0.875, 0.375], [0.125, 0.625], [0.625, 0.875]],
                _ => &[[0.5, 0.5]],
            };
            let mut positions = [[0.5f32, 0.5]; abi::SAMPLE_POSITIONS];
            positions[..samples.len()].copy_from_slice(samples);
            // Inside the covered area: the centre, or the first covered sample.
            let covered = given.sample_mask & ((1 << samples.len()) - 1);
            let full = covered.count_ones() as usize == samples.len();
            let centroid =
                if full || covered == 0 { [0.5; 2] } else { positions[covered.trailing_zeros() as usize] };
            let rows = centroid.iter().flat_map(|v| std::iter::repeat_n(v.to_bits(), s as usize));
            let mut centroids = Lines::of(&bytes_of(rows.collect::<Vec<_>>().repeat(stamps.len())));
            let lane_masks = vec![given.sample_mask; s as usize * stamps.len()];
            let mut in_samples = Lines::of(&bytes_of(lane_masks));
            ctx.stamps = stamps.as_ptr();
            ctx.primitive = &primitive;
            ctx.output = out.pointer();
            ctx.out_masks = masks.pointer().cast();
            ctx.view_index = given.view_index;
            ctx.sample_id = given.sample_id;
            ctx.sample_count = samples.len() as u32;
            if given.samples != 1 {
                ctx.in_sample_masks = in_samples.pointer().cast();
                ctx.centroids = centroids.pointer().cast();
            }
            ctx.sample_positions = positions.as_ptr();
            let sample = (given.sample_id as usize).min(positions.len() - 1);
            ctx.pixel_offset = if shader.sample_shading { positions[sample] } else { [0.5; 2] };
            // SAFETY: the context names live memory of the sizes that `meta` states: one row of S words per
            // stamp and output word, one mask per stamp.
            let status = unsafe { f.call(&mut ctx, 0, stamps.len() as u32) };
            let (out, masks) = (out.words(), masks.words());
            output = vec![vec![0; words]; (width * height) as usize];
            alive = vec![false; (width * height) as usize];
            for (i, stamp) in stamps.iter().enumerate() {
                for lane in (0..s).filter(|l| masks[i] >> l & 1 == 1) {
                    let (dx, dy) = abi::stamp_lane(s, lane);
                    let pixel = ((stamp.y as u32 + dy) * width + stamp.x as u32 + dx) as usize;
                    alive[pixel] = true;
                    for (word, to) in output[pixel].iter_mut().enumerate() {
                        *to = out[(i * words + word) * s as usize + lane as usize];
                    }
                }
            }
            status
        }
        (_, stage) => {
            return Err(quadrille_jit::Error::invalid(format!("the job is not one of a {stage:?} shader")));
        }
    };
    if let Some(claim) = f.broken_claim() {
        return Err(quadrille_jit::Error::Internal(claim));
    }
    if status != abi::DONE {
        return Err(quadrille_jit::Error::DeviceLost(format!("`{}` stopped", shader.name)));
    }
    let mut buffers = job.buffers.clone();
    for (b, m) in buffers.iter_mut().zip(&mut memory) {
        b.bytes.copy_from_slice(m.bytes());
        if m.was_damaged() {
            return Err(quadrille_jit::Error::Internal(format!(
                "written outside of set {}, binding {}",
                b.set, b.binding
            )));
        }
    }
    Ok(Outcome { buffers, output, patches, streams, tasks, meshes, alive })
}
