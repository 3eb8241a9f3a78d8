//! Calls of lane functions, with the memory they need on each thread.
//!
//! Owns the promise that every pointer in [`Ctx`] is valid for the call. Left to others: validity of the device memory
//! behind the pointers ([`crate::resources`]), and the memory of a call itself ([`Lines`]).

mod lines;

use std::cell::RefCell;
use std::ptr;
use std::sync::atomic::AtomicU32;

use quadrille_jit::abi::{
    self, Ctx, DONE, EntryMeta, MAX_SETS, NO_WORD, Plane, Primitive, SAMPLE_POSITIONS, Stamp,
};
use quadrille_jit::call::LaneFn;
use quadrille_jit::ir::{MAX_STREAMS, MeshModes};
use quadrille_jit::missing;

use crate::counted;
use crate::resources::{BoundResources, NO_PUSH};
pub(crate) use lines::Lines;

/// Scratch and workgroup memory of a thread.
#[derive(Default)]
struct WorkMem {
    scratch: Lines,
    shared: Lines,
}

thread_local! {
    static WORK: RefCell<WorkMem> = RefCell::default();
}

static PIXEL_CENTER: [[f32; 2]; SAMPLE_POSITIONS] = [[0.5; 2]; SAMPLE_POSITIONS];

/// Stop flag of contexts without one of their own.
static NEVER: AtomicU32 = AtomicU32::new(0);

/// Returns a context with no resources bound, and a stop flag that is never set.
#[inline]
pub(crate) fn empty_ctx() -> Ctx {
    Ctx {
        program: ptr::null(),
        sets: [ptr::null(); MAX_SETS],
        set_bytes: [0; MAX_SETS],
        dynamic: ptr::null(),
        push: NO_PUSH.as_ptr(),
        addresses: abi::null_buffer(),
        resources: abi::null_resource(),
        resource_slots: 0,
        rays: quadrille_jit::runtime::no_rays(),
        tracer: quadrille_jit::runtime::no_tracer(),
        missing: &raw const missing::NONE,
        address_slots: 0,
        stop: NEVER.as_ptr(),
        alarm: ptr::null_mut(),
        scratch: ptr::null_mut(),
        shared: ptr::null_mut(),
        num_workgroups: [1; 3],
        base_workgroup: [0; 3],
        vertex_ids: ptr::null(),
        instance_ids: ptr::null(),
        input: ptr::null(),
        output: ptr::null_mut(),
        base_vertex: 0,
        base_instance: 0,
        draw_index: 0,
        view_index: 0,
        in_records: ptr::null(),
        in_stride: 0,
        in_words: ptr::null(),
        in_vertices: ptr::null(),
        in_vertex_count: 0,
        primitive_ids: ptr::null(),
        patch_records: ptr::null_mut(),
        patch_stride: 0,
        patch_words: ptr::null(),
        tess_coord: [ptr::null(); 3],
        emitted: [ptr::null_mut(); MAX_STREAMS],
        emit_counts: [ptr::null_mut(); MAX_STREAMS],
        emit_cuts: [ptr::null_mut(); MAX_STREAMS],
        payload: ptr::null_mut(),
        payload_stride: 0,
        task_groups: ptr::null_mut(),
        mesh_records: ptr::null_mut(),
        mesh_stride: 0,
        stamps: ptr::null(),
        primitive: ptr::null(),
        out_masks: ptr::null_mut(),
        sample_id: 0,
        sample_count: 1,
        in_sample_masks: ptr::null(),
        sample_positions: PIXEL_CENTER.as_ptr(),
        pixel_offset: [0.5; 2],
        centroids: ptr::null(),
        shading_rate: 0,
        frag_size: [1; 2],
        frag_invocations: 1,
    }
}

/// Returns a context with resources and stop flag.
#[inline]
pub(crate) fn ctx_for(resources: &BoundResources<'_>, stop: &AtomicU32) -> Ctx {
    let mut ctx = empty_ctx();
    resources.bind(&mut ctx);
    ctx.stop = stop.as_ptr();
    ctx
}

/// Runs workgroups `first..first + count` of a dispatch, or of a stage whose memory `ctx` refers to. Returns false when
/// stopped.
#[inline]
pub(crate) fn call_compute(f: &LaneFn, ctx: &mut Ctx, first: u32, count: u32) -> bool {
    WORK.with_borrow_mut(|mem| {
        let f = f.current();
        let meta = f.meta();
        ctx.scratch = mem.scratch.room(meta.scratch_bytes).as_mut_ptr().cast();
        ctx.shared = mem.shared.room(meta.shared_bytes).as_mut_ptr().cast();
        // SAFETY: `room` made scratch and shared memory as large as `meta` demands, and the borrow of `WORK` keeps them
        // for this thread. All contexts begin as `empty_ctx`, whose pointers are valid; `ctx_for` replaced the
        // stop flag by one that lives, and the resources by those that the caller of `BoundResources::new` promised to be valid. `call_task` and `call_mesh` check the sizes of their payloads and records, and borrow
        // them during the call.
        #[expect(unsafe_code, reason = "calls a lane function")]
        unsafe {
            f.call(ctx, first, count) == DONE
        }
    })
}

/// Runs vertex invocations `0..count`; returns false when stopped. `vertex_ids` and `instance_ids` hold whole lane
/// groups, `rows` their inputs; `records` receives the outputs.
pub(crate) fn call_vertex(
    f: &LaneFn,
    ctx: &mut Ctx,
    vertex_ids: &[u32],
    instance_ids: &[u32],
    rows: &[u32],
    records: &mut [u32],
    count: usize,
    scratch: &mut Lines,
) -> bool {
    let f = f.current();
    let meta = f.meta();
    let padded = count.next_multiple_of(meta.lanes as usize);
    assert!(vertex_ids.len() >= padded && instance_ids.len() >= padded, "ids must fill whole lane groups");
    assert!(rows.len() >= padded * meta.n_input_words as usize, "rows must fill whole lane groups");
    assert!(records.len() >= padded * meta.n_output_words as usize, "records must fill whole lane groups");
    ctx.scratch = scratch.room(meta.scratch_bytes).as_mut_ptr().cast();
    ctx.vertex_ids = vertex_ids.as_ptr();
    ctx.instance_ids = instance_ids.as_ptr();
    ctx.input = rows.as_ptr().cast();
    ctx.output = records.as_mut_ptr().cast();
    // SAFETY: the assertions above check the sizes of ids, inputs and outputs, which the parameters borrow during the
    // call. `room` made `scratch` large enough. `ctx_for` bound the resources, which the caller of
    // `BoundResources::new` promised to be valid.
    #[expect(unsafe_code, reason = "calls a lane function")]
    unsafe {
        f.call(ctx, 0, count as u32) == DONE
    }
}

/// Runs invocations `0..count` of a ray tracing stage; returns false when stopped. `rows` holds the inputs of whole lane
/// groups; `records` receives the outputs. `ctx.tracer` is that of a frame which lives during the call.
pub(crate) fn call_rays(
    f: &LaneFn,
    ctx: &mut Ctx,
    rows: &[u32],
    records: &mut [u32],
    count: usize,
    scratch: &mut Lines,
) -> bool {
    let f = f.current();
    let meta = f.meta();
    let padded = count.next_multiple_of(meta.lanes as usize);
    assert!(rows.len() >= padded * meta.n_input_words as usize, "rows must fill whole lane groups");
    assert!(records.len() >= padded * meta.n_output_words as usize, "records must fill whole lane groups");
    ctx.scratch = scratch.room(meta.scratch_bytes).as_mut_ptr().cast();
    ctx.input = rows.as_ptr().cast();
    ctx.output = records.as_mut_ptr().cast();
    // SAFETY: the assertions above check the sizes of inputs and outputs, which the parameters borrow during the call.
    // `ray_tracing` borrows the frame of the tracer, too. `room` made `scratch` large enough. `ctx_for` bound the resources, which the caller of
    // `BoundResources::new` promised to be valid.
    #[expect(unsafe_code, reason = "calls a lane function")]
    unsafe {
        f.call(ctx, 0, count as u32) == DONE
    }
}

/// Primitives whose vertices are records of the previous stage.
#[derive(Clone, Copy)]
pub(crate) struct PrimitiveInput<'a> {
    /// Records of the previous stage.
    pub records: &'a [u32],
    /// Words per record.
    pub stride: u32,
    /// Word of a record for each input word of the stage, or [`NO_WORD`].
    pub words: &'a [u32],
    /// Record index of each vertex, primitive by primitive; more may follow.
    pub vertices: &'a [u32],
    /// Vertices per primitive.
    pub per_primitive: u32,
    /// PrimitiveId of each primitive; more may follow.
    pub ids: &'a [u32],
}

impl PrimitiveInput<'_> {
    /// Checks that `count` primitives can be read, and points `ctx` to them.
    fn bind(&self, meta: &EntryMeta, ctx: &mut Ctx, count: usize) {
        let n = count * self.per_primitive as usize;
        assert!(self.vertices.len() >= n && self.ids.len() >= count, "too few vertices or ids");
        assert!(reads_within(self.words, meta.n_input_words, self.stride), "words exceed a record");
        // Records of zero words take no memory, so any index is valid.
        let records = self.records.len().checked_div(self.stride as usize).map_or(u64::MAX, |n| n as u64);
        assert!(self.vertices.iter().all(|&v| u64::from(v) < records), "vertices must refer to records");
        ctx.in_records = readable(self.records);
        ctx.in_stride = self.stride;
        ctx.in_words = self.words.as_ptr();
        ctx.in_vertices = self.vertices.as_ptr();
        ctx.in_vertex_count = self.per_primitive;
        ctx.primitive_ids = self.ids.as_ptr();
    }
}

/// Pointer to the first word, or to a readable zero if there are none: generated code may read it.
fn readable(words: &[u32]) -> *const u32 {
    static ZERO: u32 = 0;
    words.first().map_or(&raw const ZERO, ptr::from_ref)
}

/// True if `words` maps at least `n` input words, all to places inside a record of `stride` words.
fn reads_within(words: &[u32], n: u32, stride: u32) -> bool {
    words.len() >= n as usize && words.iter().all(|&w| w == NO_WORD || w < stride)
}

/// Runs the control stage for `count` patches; returns false when stopped. `patches` receives `stride` words per patch.
pub(crate) fn call_control(
    f: &LaneFn,
    ctx: &mut Ctx,
    input: &PrimitiveInput<'_>,
    count: usize,
    patches: &mut [u32],
    stride: u32,
    scratch: &mut Lines,
) -> bool {
    let f = f.current();
    let meta = f.meta();
    input.bind(&meta, ctx, count);
    let words = meta.n_patch_words + meta.output_vertices * meta.n_output_words;
    assert!(stride >= words && patches.len() >= count * stride as usize, "all patches must fit");
    ctx.patch_records = patches.as_mut_ptr();
    ctx.patch_stride = stride;
    ctx.scratch = scratch.room(meta.scratch_bytes).as_mut_ptr().cast();
    // SAFETY: `bind` and the assertion above check the sizes of records, vertices and patches, which the parameters
    // borrow during the call. `room` made `scratch` large enough. `ctx_for` bound the resources, which the caller of
    // `BoundResources::new` promised to be valid.
    #[expect(unsafe_code, reason = "calls a lane function")]
    unsafe {
        f.call(ctx, 0, count as u32) == DONE
    }
}

/// A patch as the evaluation stage reads it.
#[derive(Clone, Copy)]
pub(crate) struct PatchInput<'a> {
    /// Output of the control stage: words of the patch, then its vertices, then one more word.
    pub patch: &'a [u32],
    /// Number of words of the patch itself.
    pub patch_words: u32,
    /// Words per vertex.
    pub vertex_words: u32,
    /// Number of vertices.
    pub vertices: u32,
    /// Word of a vertex for each input word of the stage, or [`NO_WORD`].
    pub words: &'a [u32],
    /// Word of the patch for each per-patch input word of the stage, or [`NO_WORD`].
    pub words_of_patch: &'a [u32],
    /// PrimitiveId.
    pub id: u32,
}

/// Runs the evaluation stage at the first `count` domain points; returns false when stopped. `coords` hold whole lane
/// groups, `records` receives the outputs.
pub(crate) fn call_evaluation(
    f: &LaneFn,
    ctx: &mut Ctx,
    input: &PatchInput<'_>,
    coords: [&[f32]; 3],
    count: usize,
    records: &mut [u32],
    scratch: &mut Lines,
) -> bool {
    let f = f.current();
    let meta = f.meta();
    let padded = count.next_multiple_of(meta.lanes as usize);
    assert!(coords.iter().all(|c| c.len() >= padded), "coordinates must fill whole lane groups");
    assert!(records.len() >= padded * meta.n_output_words as usize, "records must fill whole lane groups");
    assert!(reads_within(input.words, meta.n_input_words, input.vertex_words), "words exceed a vertex");
    assert!(
        reads_within(input.words_of_patch, meta.n_patch_words, input.patch_words),
        "words exceed a patch"
    );
    let words = input.patch_words + input.vertices * input.vertex_words;
    assert!(input.patch.len() > words as usize, "the patch must be followed by one word");
    let vertices = &input.patch[input.patch_words as usize..];
    ctx.in_records = vertices.as_ptr();
    ctx.in_stride = input.vertex_words;
    ctx.in_words = input.words.as_ptr();
    ctx.in_vertex_count = input.vertices;
    ctx.primitive_ids = &raw const input.id;
    ctx.patch_records = input.patch.as_ptr().cast_mut();
    ctx.patch_stride = words;
    ctx.patch_words = input.words_of_patch.as_ptr();
    ctx.tess_coord = coords.map(<[f32]>::as_ptr);
    ctx.output = records.as_mut_ptr().cast();
    ctx.scratch = scratch.room(meta.scratch_bytes).as_mut_ptr().cast();
    // SAFETY: the assertions above check the sizes of patch, coordinates and records, which the parameters borrow
    // during the call. The evaluation stage only reads the patch, so the cast from `*const` is sound. `room` made
    // `scratch` large enough. `ctx_for` bound the resources, which the caller of `BoundResources::new` promised to be
    // valid.
    #[expect(unsafe_code, reason = "calls a lane function")]
    unsafe {
        f.call(ctx, 0, count as u32) == DONE
    }
}

/// Memory for the vertices that units of the geometry stage emit, by stream.
#[derive(Default)]
pub(crate) struct Emitted {
    records: [Lines; MAX_STREAMS],
    counts: [Lines; MAX_STREAMS],
    cuts: [Lines; MAX_STREAMS],
}

/// Vertices that the units of a call have emitted on one stream.
#[derive(Clone, Copy)]
pub(crate) struct EmittedStream<'a> {
    /// Records of vertices, `max_vertices` for each unit.
    pub records: &'a [u32],
    /// Number of vertices that each unit emitted.
    pub counts: &'a [u32],
    /// Bit per vertex that starts a strip, in whole words for each unit.
    pub cuts: &'a [u32],
}

impl Emitted {
    /// Vertices that the units of the last call have emitted on a stream.
    pub fn stream(&self, stream: usize) -> EmittedStream<'_> {
        let [records, counts, cuts] = [&self.records, &self.counts, &self.cuts].map(|l| l[stream].words());
        EmittedStream { records, counts, cuts }
    }
}

/// Runs the geometry stage for `count` primitives; returns false when stopped. The arrays of `input` must extend to the
/// next whole lane group.
pub(crate) fn call_geometry(
    f: &LaneFn,
    ctx: &mut Ctx,
    input: &PrimitiveInput<'_>,
    count: usize,
    out: &mut Emitted,
    scratch: &mut Lines,
) -> bool {
    let f = f.current();
    let meta = f.meta();
    let units = count * meta.invocations.max(1) as usize;
    let padded = units.next_multiple_of(meta.lanes as usize);
    input.bind(&meta, ctx, padded.div_ceil(meta.invocations.max(1) as usize));
    let max_vertices = meta.max_vertices as usize;
    for s in 0..MAX_STREAMS {
        let words = meta.stream_words[s] as usize;
        ctx.emitted[s] = out.records[s].room(padded * max_vertices * words * 4).as_mut_ptr();
        let counts = out.counts[s].room(padded * 4);
        counts[..padded].fill(0);
        ctx.emit_counts[s] = counts.as_mut_ptr();
        ctx.emit_cuts[s] = out.cuts[s].room(padded * max_vertices.div_ceil(32) * 4).as_mut_ptr();
    }
    ctx.scratch = scratch.room(meta.scratch_bytes).as_mut_ptr().cast();
    // SAFETY: `bind` checks the input primitives up to the next whole group. `room` made memory for the vertices that
    // whole groups of units emit, and made `scratch` large enough. The parameters borrow all of it during the call.
    // `ctx_for` bound the resources, which the caller of `BoundResources::new` promised to be valid.
    #[expect(unsafe_code, reason = "calls a lane function")]
    unsafe {
        f.call(ctx, 0, units as u32) == DONE
    }
}

/// Runs workgroups `first..first + count` of the task stage; returns false when stopped. Per workgroup, `payloads`
/// receives `stride` bytes and `groups` three words.
pub(crate) fn call_task(
    f: &LaneFn,
    ctx: &mut Ctx,
    first: u32,
    count: u32,
    (payloads, stride): (&mut [u32], u32),
    groups: &mut [u32],
) -> bool {
    let meta = f.meta();
    assert!(stride.is_multiple_of(16) && stride >= meta.payload_bytes, "a payload must fit its stride");
    assert!(payloads.len() as u64 * 4 >= u64::from(count) * u64::from(stride), "all payloads must fit");
    assert!(groups.len() as u64 >= 3 * u64::from(count), "each workgroup needs three counts");
    ctx.payload = payloads.as_mut_ptr().cast();
    ctx.payload_stride = stride;
    ctx.task_groups = groups.as_mut_ptr();
    let done = call_compute(f, ctx, first, count);
    (ctx.payload, ctx.task_groups) = (ptr::null_mut(), ptr::null_mut());
    done
}

/// Runs workgroups `first..first + count` of the mesh stage; returns false when stopped. All belong to the task
/// workgroup that wrote `payload`; `records` receives `stride` words per workgroup.
pub(crate) fn call_mesh(
    f: &LaneFn,
    ctx: &mut Ctx,
    first: u32,
    count: u32,
    payload: &[u32],
    (records, stride): (&mut [u32], u32),
) -> bool {
    let meta = f.meta();
    assert!(payload.len() * 4 >= (meta.payload_bytes as usize).max(16), "the payload must be complete");
    let (max_vertices, max_primitives) = (meta.max_vertices, meta.max_primitives);
    let modes = MeshModes { max_vertices, max_primitives, ..MeshModes::default() };
    let words = modes.output_words(meta.n_output_words, meta.n_primitive_words);
    assert!(stride >= words, "a workgroup must fit its stride");
    assert!(records.len() as u64 >= u64::from(count) * u64::from(stride), "all workgroups must fit");
    // The mesh stage only reads the payload, so the cast from `*const` is sound.
    ctx.payload = payload.as_ptr().cast_mut().cast();
    ctx.mesh_records = records.as_mut_ptr();
    ctx.mesh_stride = stride;
    let done = call_compute(f, ctx, first, count);
    (ctx.payload, ctx.mesh_records) = (ptr::null_mut(), ptr::null_mut());
    done
}

/// Shades the stamps of one primitive, starting with number `first`; returns false when stopped. `output` receives a
/// row per output word and stamp, `masks` the remaining lanes of each stamp.
pub(crate) fn call_fragment(
    f: &LaneFn,
    ctx: &mut Ctx,
    prim: &Primitive,
    planes: &[Plane],
    stamps: &[Stamp],
    first: usize,
    output: &mut [u32],
    masks: &mut [u32],
    scratch: &mut Lines,
) -> bool {
    let f = f.current();
    let meta = f.meta();
    let n = stamps.len();
    assert!(!meta.packed, "the lane function must not be packed");
    assert!(first <= n, "the first stamp must exist");
    assert!(output.len() >= n * (meta.n_output_words * meta.lanes) as usize, "each output needs a row");
    assert!(masks.len() >= n, "each stamp needs a mask");
    assert!(planes.len() >= meta.n_input_words as usize, "each input needs a plane");
    let prim = Primitive { inputs: planes.as_ptr(), ..*prim };
    ctx.scratch = scratch.room(meta.scratch_bytes).as_mut_ptr().cast();
    ctx.primitive = &prim;
    ctx.stamps = stamps.as_ptr();
    ctx.output = output.as_mut_ptr().cast();
    ctx.out_masks = masks.as_mut_ptr();
    let mut call = |first: usize, n: usize| {
        // SAFETY: the assertions above check the sizes of stamps, planes and outputs, which the parameters borrow during
        // the call; `first + n` is at most the number of stamps. `room` made `scratch` large enough. `prim` lives on the
        // caller's stack frame until the call returns. `ctx_for` bound the resources, which the caller of
        // `BoundResources::new` promised to be valid.
        #[expect(unsafe_code, reason = "calls a lane function")]
        unsafe {
            f.call(ctx, first as u32, n as u32) == DONE
        }
    };
    let done = match counted::is_on() {
        false => call(first, n - first),
        true => (first..n).all(|i| counted::covered(stamps[i].mask, meta.lanes, || call(i, 1))),
    };
    ctx.primitive = ptr::null();
    done
}

/// Shades packed groups of the fragment stage; returns false when stopped. `rows` describes the primitives of their
/// quads, `output` receives a row per output word and group, `masks` the remaining lanes of each group.
pub(crate) fn call_packed(
    f: &LaneFn,
    ctx: &mut Ctx,
    rows: &[u32],
    groups: &[Stamp],
    output: &mut [u32],
    masks: &mut [u32],
    scratch: &mut Lines,
) -> bool {
    let f = f.current();
    let meta = f.meta();
    let n = groups.len();
    assert!(meta.packed, "the lane function must be packed");
    let n_rows = abi::packed_row::count(meta.n_input_words);
    assert!(rows.len() >= n * (n_rows * meta.lanes) as usize, "each group needs its rows");
    assert!(output.len() >= n * (meta.n_output_words * meta.lanes) as usize, "each output needs a row");
    assert!(masks.len() >= n, "each group needs a mask");
    ctx.scratch = scratch.room(meta.scratch_bytes).as_mut_ptr().cast();
    ctx.input = rows.as_ptr().cast();
    ctx.stamps = groups.as_ptr();
    ctx.output = output.as_mut_ptr().cast();
    ctx.out_masks = masks.as_mut_ptr();
    // SAFETY: the assertions above check the sizes of rows, groups and outputs, which the parameters borrow during the
    // call. `room` made `scratch` large enough. Packed lane functions do not read `ctx.primitive`. `ctx_for` bound the
    // resources, which the caller of `BoundResources::new` promised to be valid.
    #[expect(unsafe_code, reason = "calls a lane function")]
    unsafe {
        f.call(ctx, 0, n as u32) == DONE
    }
}
