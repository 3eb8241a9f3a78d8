//! All accesses of the interpreter to memory that it does not own: the context, device memory behind descriptors,
//! workgroup memory, image routines.
//!
//! Shader accesses are checked here, scalar by scalar: out-of-range reads return zero, out-of-range writes are dropped.
#![expect(unsafe_code, reason = "dereferences the pointers of the context, as generated code does")]

use std::cell::Cell;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

pub use super::texels::Range as Buffer;
use super::watch::Watcher;
use crate::abi::{
    ADDRESS_REACH, ADDRESS_SHIFT, BindingLayout, Ctx, DESCRIPTOR_BYTES, Descriptor, DescriptorForm, INSIDE,
    ImageArgs, ImageView, MAX_IMAGE_OPS, MAX_SAMPLERS, NO_WORD, PUSH_BYTES, Plane, Primitive, RayArgs,
    RayCallArgs, RayTracer, Stamp, entries, null_buffer, sampler_of_word, sampler_word, unwritten_buffer,
};
use crate::codegen::ImageOps;
use crate::handle::{Handle, HandleKind, HandleRecord};

/// Address of an image view, and a sampler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Image {
    /// Address of the [`ImageView`]; 0 if there is none.
    pub view: u64,
    /// [`sampler_word`] of the sampler.
    pub sampler: u64,
}

/// Addresses of placeholder views; 0 if a device has none.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Views {
    /// For null descriptors.
    pub null: u64,
    /// For descriptors that were never written.
    pub unwritten: u64,
}

impl Views {
    pub fn of(ops: &dyn ImageOps) -> Views {
        Views { null: ops.null_view(), unwritten: ops.unwritten_view() }
    }
}

/// The context of a call.
///
/// Its methods are safe because the caller of `new` guarantees that the pointers are valid.
pub(super) struct Host<'a> {
    ctx: &'a Ctx,
    /// First unit of the call.
    pub first: u32,
    /// The observer of the call.
    pub watcher: Option<Watcher>,
    /// Task and mesh: true once the current workgroup has declared its outputs.
    pub said: Cell<bool>,
}

impl<'a> Host<'a> {
    /// Wraps the context of a call.
    ///
    /// # Safety
    /// The pointers of `ctx` that the stage uses are valid as [`Ctx`] states, for the life of the result. So are the
    /// pointers in the descriptors that they lead to.
    pub unsafe fn new(ctx: &'a Ctx, first: u32) -> Self {
        Host { ctx, first, watcher: None, said: Cell::new(false) }
    }

    /// The context, for reading its plain fields.
    pub fn ctx(&self) -> &'a Ctx {
        self.ctx
    }

    /// Returns true if the stop flag is set.
    pub fn stopped(&self) -> bool {
        // SAFETY: `new` requires `stop` to be null or an aligned word that lives as long as the call; it is only
        // accessed atomically.
        !self.ctx.stop.is_null()
            && unsafe { AtomicU32::from_ptr(self.ctx.stop.cast_mut()) }.load(Ordering::Relaxed) != 0
    }

    /// Sets the alarm flag.
    pub fn ring(&self) {
        // SAFETY: `new` requires `alarm` to be a word private to the call for shaders with alarms, which alone execute
        // this.
        unsafe { self.ctx.alarm.write(1) };
    }

    /// Address of element `index` of a binding in the memory of its set.
    pub fn descriptor_place(&self, layout: &BindingLayout, index: u32) -> Option<u64> {
        let base = *self.ctx.sets.get(layout.set as usize)?;
        let at = u64::from(index) * u64::from(DESCRIPTOR_BYTES);
        let there = !base.is_null() && index < layout.count && layout.dynamic.is_none();
        there.then(|| base as u64 + u64::from(layout.offset) + at)
    }

    /// Element `index` of a binding, as a buffer or as an image; `None` for a null descriptor.
    pub fn descriptor(
        &self,
        layout: &BindingLayout,
        index: u32,
        kind: HandleKind,
        views: Views,
    ) -> Option<Descriptor> {
        if let Some(first) = layout.dynamic {
            return (index < layout.count).then(|| self.dynamic(first + index))?;
        }
        let set = layout.set as usize;
        let base = *self.ctx.sets.get(set)?;
        let room = self.ctx.set_bytes.get(set)?.saturating_sub(layout.offset);
        if base.is_null() {
            return None;
        }
        let at = u64::from(index) * u64::from(DESCRIPTOR_BYTES);
        let record = (base as u64 + u64::from(layout.offset) + at) as *const u8;
        let bound = index < layout.count && at + u64::from(DESCRIPTOR_BYTES) <= room.into();
        match layout.form {
            DescriptorForm::Inline => {
                let ptr = base as u64 + u64::from(layout.offset);
                Some(Descriptor { ptr, size: room.min(layout.count).into() })
            }
            DescriptorForm::Resolved if index < layout.count => {
                // SAFETY: `index` is below the binding's count; `new` requires sets to have all records of their
                // layout.
                Some(unsafe { record.cast::<Descriptor>().read_unaligned() })
            }
            DescriptorForm::Handles if bound => {
                // SAFETY: `bound` shows that the record is within the bytes of the set; handles are aligned. The host
                // may write it concurrently, hence the volatile read.
                let record = unsafe { record.cast::<HandleRecord>().read_volatile() };
                Some(match kind {
                    HandleKind::Buffer => self.buffer_of(record),
                    HandleKind::Image | HandleKind::TexelBuffer => self.image_of(record.handle, kind, views),
                })
            }
            DescriptorForm::Resolved | DescriptorForm::Handles => None,
        }
    }

    /// The view or the whole buffer of a handle, if it has this kind.
    fn resource(&self, handle: Handle, kind: HandleKind) -> Option<Descriptor> {
        if handle.slot() >= self.ctx.resource_slots {
            return None;
        }
        // SAFETY: the slot was checked; `new` requires the table to have that many entries.
        unsafe { entries::read_resource(self.ctx.resources.add(handle.slot() as usize), handle.key(kind)) }
    }

    /// The buffer of a handle. A handle without a resource counts as never written, unless it is null.
    pub fn buffer_of(&self, record: HandleRecord) -> Descriptor {
        match self.resource(record.handle, HandleKind::Buffer) {
            Some(whole) => record.cut(whole),
            None if record.handle.is_null() => *null_buffer(),
            None => *unwritten_buffer(),
        }
    }

    /// View and sampler word of a handle. A handle without a resource counts as never written, unless it is null.
    pub fn image_of(&self, handle: Handle, kind: HandleKind, views: Views) -> Descriptor {
        let ptr = match self.resource(handle, kind) {
            Some(view) => view.ptr,
            None if handle.is_null() => views.null,
            None => views.unwritten,
        };
        Descriptor { ptr, size: sampler_word(handle.sampler()) }
    }

    /// A dynamic buffer, by number.
    pub fn dynamic(&self, index: u32) -> Option<Descriptor> {
        if self.ctx.dynamic.is_null() {
            return None;
        }
        // SAFETY: `descriptor` passes numbers of the layout; `new` requires `dynamic` to have a descriptor for each.
        Some(unsafe { self.ctx.dynamic.add(index as usize).read_unaligned() })
    }

    /// The push constants as a buffer.
    pub fn push(&self) -> Buffer {
        Buffer {
            base: self.ctx.push as u64,
            size: if self.ctx.push.is_null() { 0 } else { PUSH_BYTES as u64 },
        }
    }

    /// The buffer at a device address, up to the end of the buffer or the reach of an access.
    pub fn at_address(&self, address: u64) -> Buffer {
        let slot = address >> ADDRESS_SHIFT;
        if slot >= u64::from(self.ctx.address_slots) {
            return Buffer::default();
        }
        // SAFETY: the slot was checked; `new` requires the table to have that many entries.
        let entry = unsafe { entries::read_address(self.ctx.addresses.add(slot as usize)) };
        let offset = address & INSIDE;
        match entry.size.checked_sub(offset) {
            Some(size) => Buffer { base: entry.ptr + offset, size: size.min(ADDRESS_REACH) },
            None => Buffer::default(),
        }
    }

    /// `size` bytes of workgroup memory.
    pub fn shared(&self, size: u32) -> Buffer {
        let size = if self.ctx.shared.is_null() { 0 } else { u64::from(size) };
        Buffer { base: self.ctx.shared as u64, size }
    }

    /// `size` bytes of the payload of workgroup `k` of a call of task shaders, or of the one payload of mesh shaders.
    pub fn payload(&self, k: u32, size: u32) -> Buffer {
        let base = self.ctx.payload as u64 + u64::from(k) * u64::from(self.ctx.payload_stride);
        Buffer { base, size: if self.ctx.payload.is_null() { 0 } else { u64::from(size) } }
    }

    /// Stores the number of mesh workgroups that workgroup `k` of the call requests in a dimension.
    pub fn put_task_groups(&self, k: u32, dimension: u32, n: u32) {
        // SAFETY: `stage::mesh` passes workgroups of the call and dimensions below 3; `new` requires three words for
        // each.
        unsafe { self.ctx.task_groups.add(3 * k as usize + dimension as usize).write(n) }
    }

    fn mesh_at(&self, k: u32, word: u32) -> usize {
        k as usize * self.ctx.mesh_stride as usize + word as usize
    }

    /// A word of the outputs of workgroup `k` of the call.
    pub fn mesh(&self, k: u32, word: u32) -> u32 {
        // SAFETY: `stage::mesh` passes words of the record of a workgroup of the call; `new` requires the memory.
        unsafe { self.ctx.mesh_records.add(self.mesh_at(k, word)).read() }
    }

    /// Stores a word of the outputs of workgroup `k` of the call.
    pub fn put_mesh(&self, k: u32, word: u32, bits: u32) {
        // SAFETY: `stage::mesh` passes words of the record of a workgroup of the call; `new` requires the memory.
        unsafe { self.ctx.mesh_records.add(self.mesh_at(k, word)).write(bits) }
    }

    /// Zeroes workgroup memory, or the payload of a task workgroup.
    pub fn zero(&self, range: Buffer) {
        if range.size != 0 {
            // SAFETY: `range` comes from `shared` or `payload`; `new` requires both to be that large and private to the
            // call.
            unsafe { std::ptr::write_bytes(range.base as *mut u8, 0, range.size as usize) };
        }
    }

    fn address(&self, buffer: Buffer, offset: u64, bytes: u32) -> Option<u64> {
        buffer.holds(offset, bytes).then(|| buffer.base + offset)
    }

    /// Loads a scalar of `bytes` bytes; 0 if it is out of range.
    pub fn load(&self, buffer: Buffer, offset: u64, bytes: u32) -> u64 {
        let Some(at) = self.address(buffer, offset, bytes) else { return 0 };
        // SAFETY: `address` checked the range against the descriptor, whose memory `new` requires to be valid. Other
        // invocations may write concurrently, so aligned words are read atomically.
        unsafe {
            match bytes {
                1 => u64::from((at as *const u8).read()),
                2 => u64::from((at as *const u16).read_unaligned()),
                4 if at % 4 == 0 => u64::from(AtomicU32::from_ptr(at as *mut u32).load(Ordering::Relaxed)),
                4 => u64::from((at as *const u32).read_unaligned()),
                8 if at % 8 == 0 => AtomicU64::from_ptr(at as *mut u64).load(Ordering::Relaxed),
                8 => (at as *const u64).read_unaligned(),
                _ => 0,
            }
        }
    }

    /// Returns true unless the bytes at an address lie in a missing page.
    fn is_there(&self, at: u64, bytes: u32) -> bool {
        // SAFETY: `Ctx::missing` is null or valid for the life of the call, as `Host::new` demands.
        unsafe { self.ctx.missing.as_ref() }.is_none_or(|missing| missing.is_there(at, bytes))
    }

    /// Stores a scalar of `bytes` bytes; dropped if it is out of range.
    pub fn store(&self, buffer: Buffer, offset: u64, bytes: u32, bits: u64) {
        let Some(at) = self.address(buffer, offset, bytes).filter(|at| self.is_there(*at, bytes)) else {
            return;
        };
        // SAFETY: `address` checked the range against the descriptor, whose memory `new` requires to be valid, and its
        // pages are present. Other invocations may read concurrently, so aligned words are written atomically.
        unsafe {
            match bytes {
                1 => (at as *mut u8).write(bits as u8),
                2 => (at as *mut u16).write_unaligned(bits as u16),
                4 if at % 4 == 0 => AtomicU32::from_ptr(at as *mut u32).store(bits as u32, Ordering::Relaxed),
                4 => (at as *mut u32).write_unaligned(bits as u32),
                8 if at % 8 == 0 => AtomicU64::from_ptr(at as *mut u64).store(bits, Ordering::Relaxed),
                8 => (at as *mut u64).write_unaligned(bits),
                _ => {}
            }
        }
    }

    /// Like [`Self::load`]; 0 also if the address is not aligned.
    pub fn load_aligned(&self, buffer: Buffer, offset: u64, bytes: u32) -> u64 {
        let aligned = buffer.base.wrapping_add(offset).is_multiple_of(u64::from(bytes));
        if aligned { self.load(buffer, offset, bytes) } else { 0 }
    }

    /// Replaces a scalar `x` by `f(x)` atomically. Returns the old value. If it is out of range or not aligned, returns 0
    /// and replaces nothing.
    pub fn update(&self, buffer: Buffer, offset: u64, bytes: u32, f: impl Fn(u64) -> u64) -> u64 {
        let Some(at) = self.address(buffer, offset, bytes).filter(|at| self.is_there(*at, bytes)) else {
            return 0;
        };
        match bytes {
            2 if at % 2 == 0 => {
                // SAFETY: `address` checked the range against the descriptor, and the match arm the alignment.
                let word = unsafe { AtomicU16::from_ptr(at as *mut u16) };
                let next = |old| Some(f(u64::from(old)) as u16);
                let (Ok(old) | Err(old)) = word.fetch_update(Ordering::SeqCst, Ordering::SeqCst, next);
                u64::from(old)
            }
            4 if at % 4 == 0 => {
                // SAFETY: `address` checked the range against the descriptor, and the match arm the alignment.
                let word = unsafe { AtomicU32::from_ptr(at as *mut u32) };
                let next = |old| Some(f(u64::from(old)) as u32);
                let (Ok(old) | Err(old)) = word.fetch_update(Ordering::SeqCst, Ordering::SeqCst, next);
                u64::from(old)
            }
            8 if at % 8 == 0 => {
                // SAFETY: `address` checked the range against the descriptor, and the match arm the alignment.
                let word = unsafe { AtomicU64::from_ptr(at as *mut u64) };
                let (Ok(old) | Err(old)) =
                    word.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |old| Some(f(old)));
                old
            }
            _ => 0,
        }
    }

    /// VertexIndex of an invocation.
    pub fn vertex_id(&self, invocation: u32) -> u32 {
        // SAFETY: `stage::vertex` passes invocations of the call; `new` requires an element for each.
        unsafe { self.ctx.vertex_ids.add(invocation as usize).read_unaligned() }
    }

    /// InstanceIndex of an invocation.
    pub fn instance_id(&self, invocation: u32) -> u32 {
        // SAFETY: `stage::vertex` passes invocations of the call; `new` requires an element for each.
        unsafe { self.ctx.instance_ids.add(invocation as usize).read_unaligned() }
    }

    /// Word `index` of the vertex inputs.
    pub fn input_word(&self, index: usize) -> u32 {
        // SAFETY: `stage::vertex` passes words in the rows of the call's groups; `new` requires the memory.
        unsafe { self.ctx.input.cast::<u32>().add(index).read_unaligned() }
    }

    /// Stores word `index` of the outputs.
    pub fn put_output(&self, index: usize, word: u32) {
        // SAFETY: the stages pass words in the records or stamps of the call; `new` requires the memory.
        unsafe { self.ctx.output.cast::<u32>().add(index).write_unaligned(word) }
    }

    /// Word of the previous stage's records for word `k` of the inputs, if the records have it.
    pub fn in_word(&self, k: u32) -> Option<u32> {
        // SAFETY: `k` is a word of the shader's inputs; `new` requires an element for each.
        let word = unsafe { self.ctx.in_words.add(k as usize).read() };
        (word != NO_WORD).then_some(word)
    }

    /// Word of the patch for word `k` of the patch inputs, if the patch has it.
    pub fn patch_word(&self, k: u32) -> Option<u32> {
        // SAFETY: `k` is a word of the shader's patch inputs; `new` requires an element for each.
        let word = unsafe { self.ctx.patch_words.add(k as usize).read() };
        (word != NO_WORD).then_some(word)
    }

    /// Record of a vertex of a primitive; the primitive must have the vertex.
    pub fn record_of(&self, primitive: u32, vertex: u32) -> u32 {
        let at = primitive as usize * self.ctx.in_vertex_count as usize + vertex as usize;
        // SAFETY: the stages pass primitives of the call and checked vertices; `new` requires a row for each primitive.
        unsafe { self.ctx.in_vertices.add(at).read() }
    }

    /// A word of a record of the previous stage.
    pub fn record_word(&self, record: u32, word: u32) -> u32 {
        let at = record as usize * self.ctx.in_stride as usize + word as usize;
        // SAFETY: the record comes from `record_of` and the word from `in_word`; `new` requires records with these
        // words.
        unsafe { self.ctx.in_records.add(at).read() }
    }

    /// PrimitiveId of a primitive of the call.
    pub fn primitive_id(&self, primitive: u32) -> u32 {
        // SAFETY: the stages pass primitives of the call; `new` requires an element for each.
        unsafe { self.ctx.primitive_ids.add(primitive as usize).read() }
    }

    /// A word of the record of a patch.
    pub fn patch(&self, patch: u32, word: u32) -> u32 {
        let at = patch as usize * self.ctx.patch_stride as usize + word as usize;
        // SAFETY: the stages pass patches of the call, and words of the shader's outputs or from `patch_word`; `new`
        // requires them to exist.
        unsafe { self.ctx.patch_records.add(at).read() }
    }

    /// Stores a word of the record of a patch.
    pub fn put_patch(&self, patch: u32, word: u32, bits: u32) {
        let at = patch as usize * self.ctx.patch_stride as usize + word as usize;
        // SAFETY: the stages pass patches of the call and words of the shader's outputs; `new` requires the memory.
        unsafe { self.ctx.patch_records.add(at).write(bits) }
    }

    /// A component of TessCoord of an invocation.
    pub fn tess_coord(&self, c: usize, invocation: u32) -> f32 {
        // SAFETY: `stage::evaluation` passes invocations of the call; `new` requires three rows with an element for
        // each.
        unsafe { self.ctx.tess_coord[c.min(2)].add(invocation as usize).read() }
    }

    /// Stores word `index` of a stream's vertices.
    pub fn put_emitted(&self, stream: usize, index: usize, bits: u32) {
        // SAFETY: `stage::geometry` passes words of vertices below the limit of a unit; `new` requires the memory.
        unsafe { self.ctx.emitted[stream].add(index).write(bits) }
    }

    /// Stores the number of vertices that a unit has emitted on a stream.
    pub fn put_emit_count(&self, stream: usize, unit: u32, n: u32) {
        // SAFETY: `stage::geometry` passes units of the call; `new` requires an element for each.
        unsafe { self.ctx.emit_counts[stream].add(unit as usize).write(n) }
    }

    /// Stores word `index` of the cut bits of a stream.
    pub fn put_emit_cut(&self, stream: usize, index: usize, bits: u32) {
        // SAFETY: `stage::geometry` passes words of units of the call; `new` requires a bit for each vertex of a unit.
        unsafe { self.ctx.emit_cuts[stream].add(index).write(bits) }
    }

    /// A stamp of the call.
    pub fn stamp(&self, index: u32) -> Stamp {
        // SAFETY: `stage::fragment` passes units of the call; `new` requires a stamp for each.
        unsafe { *self.ctx.stamps.add(index as usize) }
    }

    /// The primitive of the call.
    pub fn primitive(&self) -> Primitive {
        // SAFETY: only fragment shaders get here; `new` requires the primitive for them.
        unsafe { *self.ctx.primitive }
    }

    /// Plane `index` of the primitive's inputs.
    pub fn plane(&self, index: u32) -> Plane {
        // SAFETY: `index` is a word of the shader's inputs; `new` requires a plane for each.
        unsafe { *(*self.ctx.primitive).inputs.add(index as usize) }
    }

    /// Stores the resulting mask of a stamp.
    pub fn put_mask(&self, stamp: u32, mask: u32) {
        if !self.ctx.out_masks.is_null() {
            // SAFETY: `stage::fragment` passes units of the call; `new` requires a mask for each.
            unsafe { self.ctx.out_masks.add(stamp as usize).write(mask) }
        }
    }

    /// Mask of the covered samples of a lane; `None` without multisampling.
    pub fn sample_mask(&self, index: usize) -> Option<u32> {
        if self.ctx.in_sample_masks.is_null() {
            return None;
        }
        // SAFETY: `stage::fragment` passes lanes of stamps of the call; `new` requires a row for each stamp.
        Some(unsafe { self.ctx.in_sample_masks.add(index).read() })
    }

    /// Location within the fragment at which a lane's centroid inputs are evaluated; `None`: its centre.
    pub fn centroid(&self, unit: usize, lane: usize, lanes: usize) -> Option<[f32; 2]> {
        if self.ctx.centroids.is_null() {
            return None;
        }
        // SAFETY: `stage::fragment` passes lanes of stamps of the call; `new` requires two rows for each stamp.
        Some([0, 1].map(|k| unsafe { self.ctx.centroids.add((2 * unit + k) * lanes + lane).read() }))
    }

    /// Location of a sample within its pixel; the pixel centre for samples beyond the last.
    pub fn sample_position(&self, sample: u32) -> [f32; 2] {
        if sample >= self.ctx.sample_count || self.ctx.sample_positions.is_null() {
            return [0.5; 2];
        }
        // SAFETY: `sample` was checked; `new` requires a position for each sample.
        unsafe { self.ctx.sample_positions.add(sample as usize).read() }
    }

    /// The view of an image, if there is one.
    pub fn view(&self, image: Image) -> Option<ImageView> {
        let view = image.view as *const ImageView;
        // SAFETY: the address is null or comes from a descriptor, which `new` requires to hold a live view.
        (!view.is_null()).then(|| unsafe { view.read() })
    }

    /// Calls the routine of `args.op` for the view and the sampler. Returns false if there is no view or no routine.
    pub fn image(&self, image: Image, args: &mut ImageArgs) -> bool {
        let sampler = sampler_of_word(image.sampler);
        let sampler = if (sampler as usize) < MAX_SAMPLERS { sampler_word(sampler) } else { 0 };
        if image.view == 0 || args.op as usize >= MAX_IMAGE_OPS {
            return false;
        }
        args.view = image.view as *const ImageView;
        (args.sampler_row, args.sampler) = (sampler as u32, sampler_of_word(sampler));
        // SAFETY: `view` is not null and comes from a descriptor, which `new` requires to hold a live view. Its table
        // has `SAMPLER_ROWS` rows of [`MAX_IMAGE_OPS`] routines; `sampler_word` gives one of them, and the operation
        // was checked. Routines take `ImageArgs`.
        unsafe {
            let row = *(*args.view).table.add(args.sampler_row as usize);
            let routine = *row.add(args.op as usize);
            routine(args);
        }
        true
    }

    /// Calls the routine of ray queries with the arguments of a group.
    pub fn rays(&self, args: &mut RayArgs) {
        let host = self.ctx().rays;
        args.host = host;
        // SAFETY: `new` requires a live host. The states are those of the group that made the arguments, which has
        // `queries` of them for each of `lanes` lanes and does not access them during the call.
        unsafe { ((*host).routine)(args) }
    }

    /// Owner of the ray tracing pipeline that runs.
    pub fn tracer(&self) -> &RayTracer {
        // SAFETY: `new` requires a live pipeline, whose fields nothing changes during the call.
        unsafe { &*self.ctx().tracer }
    }

    /// Calls the routine of the ray tracing pipeline with these rows, which hold the operands and scalars of the call.
    pub fn ray_call(&self, mut args: RayCallArgs, rows: &mut [u32]) {
        let (ctx, tracer) = (self.ctx(), self.ctx().tracer);
        (args.ctx, args.rows) = (ctx, rows.as_mut_ptr());
        // SAFETY: `new` requires a live pipeline. The rows are those of the group that made the arguments, which has as
        // many as the call has operands and scalars, and does not access them during the call.
        unsafe { ((*tracer).routine)(&mut args) }
    }
}
