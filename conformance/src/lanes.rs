//! Runs lane functions on plain buffers, in every variant: the interpreter and the code generator, both tiers, every
//! host level, every lane group size.
#![expect(unsafe_code, reason = "calls lane functions, which take raw pointers")]

mod fragments;
mod job;
mod lines;
mod meshes;
mod stages;
mod variant;

pub use job::{Buffer, Emitted, Given, InHeap, Job, Outcome, Records, Work, layout};
pub use meshes::{Mesh, Task};
pub use variant::{Builder, Variant, a_sixth, build, every_variant, few_variants, variants};

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use quadrille_jit::abi::{self, Ctx, Descriptor, Layout, MAX_SETS, PUSH_BYTES, ResourceEntry};
use quadrille_jit::call::LaneFn;
use quadrille_jit::codegen::NoImageOps;
use quadrille_jit::handle::{Handle, HandleKind, HandleRecord};
use quadrille_jit::ir::{Shader, Stage};
use quadrille_jit::{Error, Result, interp, runtime};

use fragments::Area;
use lines::Lines;

/// Runs the units of a job in two calls, the second of which does not begin at a multiple of S.
fn in_two(f: &LaneFn, ctx: &mut Ctx, count: u32) -> u32 {
    in_two_with(f, ctx, count, |_| {})
}

/// Like [`in_two`]; `step` advances the context to the memory of the second call's units.
fn in_two_with(f: &LaneFn, ctx: &mut Ctx, count: u32, step: impl Fn(&mut Ctx)) -> u32 {
    let first = count.min(1);
    // SAFETY: `run_until`, which built `ctx`, points it to live memory of the sizes that the function's `meta` states.
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

/// Like [`run`], but stops the shader after a time limit.
///
/// # Errors
/// Those of [`run`]; `DeviceLost` if the shader was stopped.
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

/// Runs `f`, which was compiled from `shader` under [`layout`] of the job's buffers.
///
/// # Errors
/// `Invalid` if the job does not fit the shader's stage.
pub fn run(shader: &Shader, f: &LaneFn, job: &Job) -> Result<Outcome> {
    run_until(shader, f, job, &AtomicU32::new(0))
}

/// Runs a shader that was lowered for observers, under the watcher of default devices.
///
/// # Errors
/// Those of [`run`]; `Invalid` if default devices have no watcher.
pub fn run_watched(shader: &Arc<Shader>, layout: &Layout, job: &Job, lanes: u32) -> Result<Outcome> {
    let watch = quadrille::DeviceOptions::default()
        .watch
        .ok_or_else(|| Error::invalid("nobody watches"))?
        .watch()
        .clone();
    let f = interp::build_watched(shader.clone(), layout, lanes, &NoImageOps, watch.clone())?;
    watch.next(true);
    run(shader, &f, job)
}

/// The handle of buffer `i` of a job.
fn handle(i: usize) -> Handle {
    Handle::new(HandleKind::Buffer, i as u32 + 1, 1)
}

/// Writes the descriptors of a job into the memory of its buffers.
fn write_descriptors(job: &Job, memory: &mut [Lines]) -> Result<()> {
    for d in &job.descriptors {
        let find = |place| job.buffers.iter().position(|b| (b.set, b.binding) == place);
        let (Some(heap), Some(of)) = (find(d.heap), find(d.of)) else {
            return Err(Error::invalid(format!("no buffers for {d:?}")));
        };
        let record = HandleRecord::of_range(handle(of), 0, job.buffers[of].bytes.len() as u64);
        let bytes = [record.handle.0, record.range].map(u64::to_ne_bytes);
        let place = memory[heap].bytes().get_mut(d.offset..d.offset + size_of::<HandleRecord>());
        let place = place.ok_or_else(|| Error::invalid("a descriptor past its heap"))?;
        place.copy_from_slice(bytes.as_flattened());
    }
    Ok(())
}

fn run_until(shader: &Shader, f: &LaneFn, job: &Job, stop: &AtomicU32) -> Result<Outcome> {
    let meta = f.meta();
    let mut memory: Vec<Lines> = job.buffers.iter().map(|b| Lines::of(&b.bytes)).collect();
    let mut in_order = Vec::new();
    let mut sets: Vec<Vec<Descriptor>> = vec![Vec::new(); MAX_SETS];
    for (b, m) in job.buffers.iter().zip(&mut memory) {
        let Some(set) = sets.get_mut(b.set as usize) else {
            return Err(Error::invalid(format!("set {}", b.set)));
        };
        let descriptor = Descriptor { ptr: m.pointer() as u64, size: b.bytes.len() as u64 };
        set.push(descriptor);
        in_order.push(descriptor);
    }
    write_descriptors(job, &mut memory)?;
    let mut push = Lines::new(PUSH_BYTES);
    let n = job.push.len().min(PUSH_BYTES);
    push.bytes()[..n].copy_from_slice(&job.push[..n]);
    let mut scratch = Lines::new(meta.scratch_bytes);
    // The contents of scratch memory must not matter.
    scratch.bytes().fill(0xa5);
    let mut shared = Lines::new(meta.shared_bytes);
    shared.bytes().fill(0xa5);

    // SAFETY: zero is valid for every field of `Ctx` (pointers and integers); the fields that the stage reads are set
    // below.
    let mut ctx: Ctx = unsafe { std::mem::zeroed() };
    for (at, set) in ctx.sets.iter_mut().zip(&sets) {
        *at = set.as_ptr().cast();
    }
    ctx.push = push.pointer();
    ctx.stop = stop.as_ptr();
    (ctx.rays, ctx.tracer) = (runtime::no_rays(), runtime::no_tracer());
    // Buffer `i` has the device address (i + 1) << 40.
    let null = *abi::null_buffer();
    let all = in_order.iter().copied();
    let table: Vec<Descriptor> = [null].into_iter().chain(all).chain([null]).collect();
    ctx.addresses = table.as_ptr();
    ctx.address_slots = table.len() as u32 - 1;
    let entry = |(i, Descriptor { ptr, size }): (usize, &Descriptor)| {
        let key = handle(i).key(HandleKind::Buffer);
        ResourceEntry { state: key | *size, ptr: *ptr }
    };
    let all = in_order.iter().enumerate().map(entry);
    let null = *abi::null_resource();
    let resources: Vec<ResourceEntry> = [null].into_iter().chain(all).chain([null]).collect();
    (ctx.resources, ctx.resource_slots) = (resources.as_ptr(), resources.len() as u32 - 1);
    ctx.scratch = scratch.pointer();
    ctx.shared = shared.pointer();

    let (status, mut outcome) = run_stage(shader, f, job, &mut ctx)?;
    if let Some(claim) = f.broken_claim() {
        return Err(Error::Internal(claim));
    }
    if status != abi::DONE {
        return Err(match f.take_abort() {
            Some(abort) => Error::Aborted { text: abort.text, message: abort.message },
            None => Error::DeviceLost(format!("`{}` stopped", shader.name)),
        });
    }
    outcome.buffers = job.buffers.clone();
    read_back(job, &mut memory, &mut outcome)?;
    Ok(outcome)
}

/// Copies the contents of memory to the buffers of an outcome, without descriptors, which differ between runs.
fn read_back(job: &Job, memory: &mut [Lines], outcome: &mut Outcome) -> Result<()> {
    for (b, m) in outcome.buffers.iter_mut().zip(memory) {
        b.bytes.copy_from_slice(m.bytes());
        if m.was_damaged() {
            return Err(Error::Internal(format!("written outside of set {}, binding {}", b.set, b.binding)));
        }
        for d in job.descriptors.iter().filter(|d| d.heap == (b.set, b.binding)) {
            b.bytes[d.offset..][..size_of::<Descriptor>()].fill(0);
        }
    }
    Ok(())
}

/// Runs the job's work, and returns its status and all results other than the buffers.
fn run_stage(shader: &Shader, f: &LaneFn, job: &Job, ctx: &mut Ctx) -> Result<(u32, Outcome)> {
    let given = &job.given;
    match (&job.work, shader.stage) {
        (Work::Compute(groups), Stage::Compute) => {
            ctx.num_workgroups = *groups;
            // SAFETY: the caller, `run_until`, points `ctx` to live memory of the sizes that the function's `meta`
            // states.
            let status = unsafe { f.call(ctx, 0, groups.iter().product()) };
            Ok((status, Outcome::default()))
        }
        (Work::Tasks(groups), Stage::Task) => {
            (ctx.draw_index, ctx.view_index) = (given.draw_index, given.view_index);
            let (status, tasks) = meshes::tasks(f, ctx, *groups)?;
            Ok((status, Outcome { tasks, ..Outcome::default() }))
        }
        (Work::Meshes { groups, payload }, Stage::Mesh) => {
            (ctx.draw_index, ctx.view_index) = (given.draw_index, given.view_index);
            let (status, meshes) = meshes::meshes(f, ctx, *groups, payload)?;
            Ok((status, Outcome { meshes, ..Outcome::default() }))
        }
        // Ray tracing stages have the inputs and outputs of vertices.
        (Work::Vertex { count, input }, stage) if stage == Stage::Vertex || stage.is_of_rays() => {
            Ok(stages::vertices(f, ctx, given, *count, input))
        }
        (Work::Patches { size, count, vertices }, Stage::TessellationControl) => {
            stages::patches(f, ctx, given, (*size, *count), vertices)
        }
        (Work::Points { vertices, patch, coords }, Stage::TessellationEvaluation) => {
            Ok(stages::points(f, ctx, given, (vertices, patch), coords))
        }
        (Work::Primitives { count, vertices }, Stage::Geometry) => {
            stages::primitives(shader, f, ctx, given, (*count, vertices))
        }
        (Work::Fragment { width, height, covered, planes, inv_w }, Stage::Fragment) => {
            let (width, height) = (*width, *height);
            let area = Area { width, height, covered, planes, inv_w };
            Ok(fragments::fragments(f, ctx, given, &area, shader.sample_shading))
        }
        (_, stage) => Err(Error::invalid(format!("the job does not fit a {stage:?} shader"))),
    }
}
