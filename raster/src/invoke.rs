//! Calls of lane functions: the memory they need on each thread, and the unsafe edge.
//!
//! Owns the promise that every pointer in [`Ctx`] is valid for the call. What the pointers into
//! device memory refer to is the promise of whoever makes a [`BoundResources`].

use std::cell::RefCell;
use std::ptr;
use std::sync::atomic::AtomicU32;

use quadrille_jit::abi::{
    self, Ctx, DONE, Descriptor, MAX_SETS, PUSH_BYTES, Plane, Primitive, SAMPLE_POSITIONS, Stamp,
};
use quadrille_jit::call::LaneFn;
use quadrille_jit::guarded::{self, Guarded};
use quadrille_jit::ir::MAX_STREAMS;
use quadrille_jit::reserve;

use crate::limits::WORKER_SCRATCH_KEEP_BYTES;

/// Buffers that have device addresses; see [`Ctx::addresses`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressTable {
    entries: *const Descriptor,
    slots: u32,
}

impl AddressTable {
    /// `slots` entries, and a null one behind them.
    ///
    /// # Safety
    /// The entries are there and refer to live memory as long as shaders run that were given the table.
    #[expect(unsafe_code, reason = "the caller vouches for device memory")]
    pub unsafe fn new(entries: *const Descriptor, slots: u32) -> Self {
        AddressTable { entries, slots }
    }
}

impl Default for AddressTable {
    fn default() -> Self {
        AddressTable { entries: abi::no_addresses(), slots: 0 }
    }
}

/// Resources of recorded draws, without push constants.
#[derive(Debug)]
pub(crate) struct KeptResources {
    sets: [*const u8; MAX_SETS],
    dynamic: Box<[Descriptor]>,
    addresses: AddressTable,
}

impl KeptResources {
    /// The resources that these were taken from, with these push constants.
    pub fn with<'a>(&'a self, push: &'a [u8; PUSH_BYTES]) -> BoundResources<'a> {
        BoundResources { sets: self.sets, dynamic: &self.dynamic, push, addresses: self.addresses }
    }
}

// SAFETY: made from a `BoundResources` only, which any thread may use.
#[expect(unsafe_code, reason = "raw pointers to set memory")]
unsafe impl Send for KeptResources {}
// SAFETY: made from a `BoundResources` only, which any thread may use.
#[expect(unsafe_code, reason = "raw pointers to set memory")]
unsafe impl Sync for KeptResources {}

/// What a shader can reach besides its stage's own inputs.
#[derive(Clone, Copy)]
pub struct BoundResources<'a> {
    sets: [*const u8; MAX_SETS],
    dynamic: &'a [Descriptor],
    push: &'a [u8; PUSH_BYTES],
    addresses: AddressTable,
}

// SAFETY: the pointers refer to device memory that any thread may use, as `new` demands.
#[expect(unsafe_code, reason = "raw pointers to set memory")]
unsafe impl Send for BoundResources<'_> {}
// SAFETY: the pointers refer to device memory that any thread may use, as `new` demands.
#[expect(unsafe_code, reason = "raw pointers to set memory")]
unsafe impl Sync for BoundResources<'_> {}

impl<'a> BoundResources<'a> {
    /// Sets, dynamic buffers and push constants.
    ///
    /// # Safety
    /// Each pointer in `sets` that the shader uses refers to set memory as its
    /// [`Layout`](quadrille_jit::abi::Layout) says, whose descriptors (and those in `dynamic`) refer
    /// to live memory, from any thread, until the dispatch has returned or the pass has ended.
    #[expect(unsafe_code, reason = "the caller vouches for device memory")]
    pub unsafe fn new(
        sets: [*const u8; MAX_SETS],
        dynamic: &'a [Descriptor],
        push: &'a [u8; PUSH_BYTES],
    ) -> Self {
        BoundResources { sets, dynamic, push, addresses: AddressTable::default() }
    }

    /// The same with a table of addresses.
    pub fn with_addresses(self, addresses: AddressTable) -> Self {
        BoundResources { addresses, ..self }
    }

    /// Resources of a shader that uses none.
    pub fn none() -> BoundResources<'static> {
        let (sets, addresses) = ([ptr::null(); MAX_SETS], AddressTable::default());
        BoundResources { sets, dynamic: &[], push: &NO_PUSH, addresses }
    }

    /// The sets.
    pub fn sets(&self) -> &[*const u8; MAX_SETS] {
        &self.sets
    }

    /// The same to be kept until recorded draws run.
    pub(crate) fn keep(&self) -> KeptResources {
        KeptResources { sets: self.sets, dynamic: self.dynamic.into(), addresses: self.addresses }
    }

    /// The dynamic buffers.
    pub fn dynamic(&self) -> &'a [Descriptor] {
        self.dynamic
    }

    /// The push constants.
    pub fn push(&self) -> &'a [u8; PUSH_BYTES] {
        self.push
    }
}

/// Memory in lines of 64 bytes, aligned likewise.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Line(pub [u32; 16]);

/// Grow-only aligned memory; while guard pages are on, of exactly the size that was asked for last.
#[derive(Default)]
pub(crate) struct Lines {
    lines: Vec<Line>,
    guarded: Option<Guarded>,
}

impl Lines {
    /// Room for `bytes` bytes; contents arbitrary. Where memory is out, the error goes to the next guard.
    pub fn room(&mut self, bytes: usize) -> &mut [u32] {
        let n = bytes.div_ceil(64).max(1);
        if guarded::on() && self.guard(n * 64) {
            return self.guarded_words();
        }
        if self.lines.len() < n || self.lines.len() > n.max(WORKER_SCRATCH_KEEP_BYTES / 64) {
            self.lines.clear();
            self.lines.shrink_to(n);
            reserve::carry(reserve::more_room(&mut self.lines, n));
            self.lines.resize(n, Line([0; 16]));
        }
        self.lines.as_flattened_words()
    }

    /// Memory of this size between guard pages; false where the host has no more mappings.
    #[cold]
    fn guard(&mut self, bytes: usize) -> bool {
        if self.guarded.as_ref().is_none_or(|g| g.size() != bytes) {
            self.guarded = Guarded::new(bytes, 0, 64).ok();
        }
        self.guarded.is_some()
    }

    #[cold]
    fn guarded_words(&mut self) -> &mut [u32] {
        let Some(memory) = &mut self.guarded else { return &mut [] };
        // SAFETY: so many initialized bytes at a multiple of 64, borrowed mutably as `self` is.
        #[expect(unsafe_code, reason = "a mapping seen as words")]
        unsafe {
            std::slice::from_raw_parts_mut(memory.as_ptr().cast::<u32>(), memory.size() / 4)
        }
    }
}

trait Flatten {
    fn as_flattened_words(&mut self) -> &mut [u32];
}

impl Flatten for Vec<Line> {
    fn as_flattened_words(&mut self) -> &mut [u32] {
        let n = self.len() * 16;
        // SAFETY: `Line` is 16 words without padding, and the vector is borrowed mutably.
        #[expect(unsafe_code, reason = "a vector of lines seen as words")]
        unsafe {
            std::slice::from_raw_parts_mut(self.as_mut_ptr().cast::<u32>(), n)
        }
    }
}

/// Scratch and workgroup memory of a thread.
#[derive(Default)]
struct WorkMem {
    scratch: Lines,
    shared: Lines,
}

thread_local! {
    static WORK: RefCell<WorkMem> = RefCell::default();
}

static NO_PUSH: [u8; PUSH_BYTES] = [0; PUSH_BYTES];
static PIXEL_CENTER: [[f32; 2]; SAMPLE_POSITIONS] = [[0.5; 2]; SAMPLE_POSITIONS];

/// A context without anything bound.
pub(crate) fn empty_ctx() -> Ctx {
    Ctx {
        program: ptr::null(),
        sets: [ptr::null(); MAX_SETS],
        dynamic: ptr::null(),
        push: NO_PUSH.as_ptr(),
        addresses: abi::no_addresses(),
        address_slots: 0,
        stop: ptr::null(),
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
        stamps: ptr::null(),
        primitive: ptr::null(),
        out_masks: ptr::null_mut(),
        sample_id: 0,
        sample_count: 1,
        in_sample_masks: ptr::null(),
        sample_positions: PIXEL_CENTER.as_ptr(),
        pixel_offset: [0.5; 2],
        centroids: ptr::null(),
    }
}

/// A context with resources and stop flag.
pub(crate) fn ctx_for(resources: &BoundResources<'_>, stop: &AtomicU32) -> Ctx {
    let mut ctx = empty_ctx();
    ctx.sets = resources.sets;
    ctx.dynamic = resources.dynamic.as_ptr();
    ctx.push = resources.push.as_ptr();
    ctx.addresses = resources.addresses.entries;
    ctx.address_slots = resources.addresses.slots;
    ctx.stop = stop.as_ptr();
    ctx
}

/// Workgroups `first..first + count` of a dispatch; false when stopped.
pub(crate) fn call_compute(f: &LaneFn, ctx: &mut Ctx, first: u32, count: u32) -> bool {
    WORK.with_borrow_mut(|mem| {
        let meta = f.meta();
        ctx.scratch = mem.scratch.room(meta.scratch_bytes).as_mut_ptr().cast();
        ctx.shared = mem.shared.room(meta.shared_bytes).as_mut_ptr().cast();
        // SAFETY: scratch and shared are this thread's and large enough; resources and stop flag are
        // valid as `BoundResources::new` and `ctx_for` promise.
        #[expect(unsafe_code, reason = "calls a lane function")]
        unsafe {
            f.call(ctx, first, count) == DONE
        }
    })
}

/// Vertex invocations `0..count`; false when stopped. `ids` hold whole groups, `rows` their inputs,
/// `records` gets the outputs.
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
    let meta = f.meta();
    let padded = count.next_multiple_of(meta.lanes as usize);
    assert!(vertex_ids.len() >= padded && instance_ids.len() >= padded, "ids fill whole groups");
    assert!(rows.len() >= padded * meta.n_input_words as usize, "rows fill whole groups");
    assert!(records.len() >= padded * meta.n_output_words as usize, "records fill whole groups");
    ctx.scratch = scratch.room(meta.scratch_bytes).as_mut_ptr().cast();
    ctx.vertex_ids = vertex_ids.as_ptr();
    ctx.instance_ids = instance_ids.as_ptr();
    ctx.input = rows.as_ptr().cast();
    ctx.output = records.as_mut_ptr().cast();
    // SAFETY: ids, inputs and outputs have the sizes just checked and outlive the call; scratch is this
    // thread's; resources are valid as `BoundResources::new` and `ctx_for` promise.
    #[expect(unsafe_code, reason = "calls a lane function")]
    unsafe {
        f.call(ctx, 0, count as u32) == DONE
    }
}

/// The stamps of one primitive, from number `first` on; false when stopped. `output` gets a row per
/// output word and stamp, `masks` the lanes that are left.
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
    let meta = f.meta();
    let n = stamps.len();
    assert!(first <= n, "stamps from one on");
    assert!(output.len() >= n * (meta.n_output_words * meta.lanes) as usize, "a row per output");
    assert!(masks.len() >= n, "a mask per stamp");
    assert!(planes.len() >= meta.n_input_words as usize, "a plane per input");
    let prim = Primitive { inputs: planes.as_ptr(), ..*prim };
    ctx.scratch = scratch.room(meta.scratch_bytes).as_mut_ptr().cast();
    ctx.primitive = &prim;
    ctx.stamps = stamps.as_ptr();
    ctx.output = output.as_mut_ptr().cast();
    ctx.out_masks = masks.as_mut_ptr();
    // SAFETY: stamps, planes and outputs have the sizes just checked and outlive the call; scratch is this
    // thread's and large enough; the primitive lives on this stack frame during the call.
    #[expect(unsafe_code, reason = "calls a lane function")]
    let done = unsafe { f.call(ctx, first as u32, (n - first) as u32) == DONE };
    ctx.primitive = ptr::null();
    done
}
