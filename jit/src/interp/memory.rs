//! Every access of the interpreter to memory that it does not own: the context, device memory behind
//! descriptors, workgroup memory, image routines.
//!
//! Accesses by the shader are checked here, scalar by scalar: reads out of range give zero, writes
//! out of range are dropped.
#![expect(unsafe_code, reason = "follows the pointers of the context, as generated code does")]

use std::cell::Cell;
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

pub use super::events::Range as Buffer;
use super::watch::Watcher;
use crate::abi::{
    ADDRESS_REACH, ADDRESS_SHIFT, BindingLayout, Ctx, DESCRIPTOR_BYTES, Descriptor, DescriptorForm,
    ImageArgs, ImageView, MAX_IMAGE_OPS, MAX_SAMPLERS, NO_WORD, PUSH_BYTES, Plane, Primitive, Stamp,
    null_buffer, unwritten_buffer,
};
use crate::codegen::ImageOps;
use crate::handle::{Handle, HandleKind};
use crate::missing;

/// An image view, by address, and the number of a sampler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Image {
    /// Address of the [`ImageView`]; 0: there is none.
    pub view: u64,
    /// Sampler number.
    pub sampler: u64,
}

/// Views that are no images, by address; 0 where a device has none.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Views {
    /// Of null descriptors.
    pub null: u64,
    /// Of descriptors that nobody has written.
    pub unwritten: u64,
}

impl Views {
    pub fn of(ops: &dyn ImageOps) -> Views {
        Views { null: ops.null_view(), unwritten: ops.unwritten_view() }
    }
}

/// The context of a call.
///
/// Its methods are safe because `new` makes its caller promise that the pointers hold.
pub(super) struct Host<'a> {
    ctx: &'a Ctx,
    /// First unit of the call.
    pub first: u32,
    /// Who watches the call.
    pub watcher: Option<Watcher>,
    /// Task and mesh: the workgroup at hand has said what it puts out.
    pub said: Cell<bool>,
}

impl<'a> Host<'a> {
    /// # Safety
    /// The pointers of `ctx` that the stage uses are valid as [`Ctx`] states, for the life of the
    /// result, as are those in the descriptors that they lead to.
    pub unsafe fn new(ctx: &'a Ctx, first: u32) -> Self {
        Host { ctx, first, watcher: None, said: Cell::new(false) }
    }

    /// The context's plain fields.
    pub fn ctx(&self) -> &'a Ctx {
        self.ctx
    }

    /// The stop flag is set.
    pub fn stopped(&self) -> bool {
        // SAFETY: the flag is an aligned word that lives as long as the call and is only accessed
        // atomically.
        !self.ctx.stop.is_null()
            && unsafe { AtomicU32::from_ptr(self.ctx.stop.cast_mut()) }.load(Ordering::Relaxed) != 0
    }

    /// Rings the alarm.
    pub fn ring(&self) {
        // SAFETY: the caller of a shader with alarms gives a word that no other thread looks at.
        unsafe { self.ctx.alarm.write(1) };
    }

    /// Element `index` of a binding, as a buffer or as an image; `None` stands for a null descriptor.
    pub fn descriptor(
        &self,
        layout: &BindingLayout,
        index: u32,
        as_buffer: bool,
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
                // SAFETY: a record of the layout, all of which the set has.
                Some(unsafe { record.cast::<Descriptor>().read_unaligned() })
            }
            DescriptorForm::Handles if bound => {
                // SAFETY: within the bytes of the set, and aligned; the host may write it at the same time.
                let handle = Handle(unsafe { record.cast::<u64>().read_volatile() });
                Some(if as_buffer { self.buffer_of(handle) } else { self.image_of(handle, views) })
            }
            DescriptorForm::Resolved | DescriptorForm::Handles => None,
        }
    }

    /// What a handle leads to as a kind: pointer and size.
    fn resource(&self, handle: Handle, kind: HandleKind) -> Option<(u64, u64)> {
        if handle.slot() >= self.ctx.resource_slots {
            return None;
        }
        // SAFETY: the table has that many entries; other threads may write this one.
        let entry = unsafe { self.ctx.resources.add(handle.slot() as usize).read_volatile() };
        (entry.key == handle.key(kind)).then_some((entry.ptr, entry.size))
    }

    /// The buffer that a handle leads to. Those that lead nowhere and are not null count as never written.
    pub fn buffer_of(&self, handle: Handle) -> Descriptor {
        match self.resource(handle, HandleKind::Buffer) {
            Some((ptr, size)) => Descriptor { ptr, size },
            None if handle.is_null() => *null_buffer(),
            None => *unwritten_buffer(),
        }
    }

    /// The view that a handle leads to, and the number of its sampler. Those that lead nowhere and are not null count
    /// as never written.
    pub fn image_of(&self, handle: Handle, views: Views) -> Descriptor {
        let ptr = match self.resource(handle, HandleKind::View) {
            Some((ptr, _)) => ptr,
            None if handle.is_null() => views.null,
            None => views.unwritten,
        };
        Descriptor { ptr, size: handle.sampler().into() }
    }

    /// A dynamic buffer.
    pub fn dynamic(&self, index: u32) -> Option<Descriptor> {
        if self.ctx.dynamic.is_null() {
            return None;
        }
        // SAFETY: the layout says that a descriptor is there.
        Some(unsafe { self.ctx.dynamic.add(index as usize).read_unaligned() })
    }

    /// The push constants.
    pub fn push(&self) -> Buffer {
        Buffer {
            base: self.ctx.push as u64,
            size: if self.ctx.push.is_null() { 0 } else { PUSH_BYTES as u64 },
        }
    }

    /// What a device address points to, up to the end of its buffer or as far as accesses reach.
    pub fn at_address(&self, address: u64) -> Buffer {
        let slot = address >> ADDRESS_SHIFT;
        if slot >= u64::from(self.ctx.address_slots) {
            return Buffer::default();
        }
        // SAFETY: the table has that many entries.
        let entry = unsafe { self.ctx.addresses.add(slot as usize).read_volatile() };
        let offset = address & ((1 << ADDRESS_SHIFT) - 1);
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

    /// `size` bytes of the payload of workgroup number `k` of a call of task shaders, or of that of mesh shaders.
    pub fn payload(&self, k: u32, size: u32) -> Buffer {
        let base = self.ctx.payload as u64 + u64::from(k) * u64::from(self.ctx.payload_stride);
        Buffer { base, size: if self.ctx.payload.is_null() { 0 } else { u64::from(size) } }
    }

    /// Stores how many mesh workgroups workgroup number `k` of the call asks for in a dimension.
    pub fn put_task_groups(&self, k: u32, dimension: u32, n: u32) {
        // SAFETY: three words for each workgroup of the call.
        unsafe { self.ctx.task_groups.add(3 * k as usize + dimension as usize).write(n) }
    }

    fn mesh_at(&self, k: u32, word: u32) -> usize {
        k as usize * self.ctx.mesh_stride as usize + word as usize
    }

    /// A word of what workgroup number `k` of the call puts out.
    pub fn mesh(&self, k: u32, word: u32) -> u32 {
        // SAFETY: a workgroup has its two counts and the words of the shader's outputs.
        unsafe { self.ctx.mesh_records.add(self.mesh_at(k, word)).read() }
    }

    /// Stores a word of what workgroup number `k` of the call puts out.
    pub fn put_mesh(&self, k: u32, word: u32, bits: u32) {
        // SAFETY: a workgroup has its two counts and the words of the shader's outputs.
        unsafe { self.ctx.mesh_records.add(self.mesh_at(k, word)).write(bits) }
    }

    /// Clears workgroup memory, or the payload of a task workgroup.
    pub fn zero(&self, range: Buffer) {
        if range.size != 0 {
            // SAFETY: both are that large and private to the call.
            unsafe { std::ptr::write_bytes(range.base as *mut u8, 0, range.size as usize) };
        }
    }

    fn address(&self, buffer: Buffer, offset: u64, bytes: u32) -> Option<u64> {
        let end = offset.checked_add(u64::from(bytes))?;
        (end <= buffer.size).then(|| buffer.base + offset)
    }

    /// Scalar of `bytes` bytes; 0 out of range.
    pub fn load(&self, buffer: Buffer, offset: u64, bytes: u32) -> u64 {
        let Some(at) = self.address(buffer, offset, bytes) else { return 0 };
        // SAFETY: the range was checked against the descriptor. Other invocations may write at the
        // same time: aligned words are read atomically.
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

    /// Stores a scalar of `bytes` bytes; dropped out of range.
    pub fn store(&self, buffer: Buffer, offset: u64, bytes: u32, bits: u64) {
        let Some(at) = self.address(buffer, offset, bytes).filter(|at| missing::is_there(*at, bytes)) else {
            return;
        };
        // SAFETY: the range was checked against the descriptor. Other invocations may read at the same time:
        // aligned words are written atomically.
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

    /// Replaces a scalar by `f` of it, atomically if it is aligned; gives the old one, 0 out of range.
    pub fn update(&self, buffer: Buffer, offset: u64, bytes: u32, f: impl Fn(u64) -> u64) -> u64 {
        let Some(at) = self.address(buffer, offset, bytes).filter(|at| missing::is_there(*at, bytes)) else {
            return 0;
        };
        match bytes {
            2 if at % 2 == 0 => {
                // SAFETY: the range was checked against the descriptor and the address is aligned.
                let word = unsafe { AtomicU16::from_ptr(at as *mut u16) };
                let next = |old| Some(f(u64::from(old)) as u16);
                let (Ok(old) | Err(old)) = word.fetch_update(Ordering::SeqCst, Ordering::SeqCst, next);
                u64::from(old)
            }
            4 if at % 4 == 0 => {
                // SAFETY: the range was checked against the descriptor and the address is aligned.
                let word = unsafe { AtomicU32::from_ptr(at as *mut u32) };
                let next = |old| Some(f(u64::from(old)) as u32);
                let (Ok(old) | Err(old)) = word.fetch_update(Ordering::SeqCst, Ordering::SeqCst, next);
                u64::from(old)
            }
            8 if at % 8 == 0 => {
                // SAFETY: the range was checked against the descriptor and the address is aligned.
                let word = unsafe { AtomicU64::from_ptr(at as *mut u64) };
                let (Ok(old) | Err(old)) =
                    word.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |old| Some(f(old)));
                old
            }
            _ => {
                let old = self.load(buffer, offset, bytes);
                self.store(buffer, offset, bytes, f(old));
                old
            }
        }
    }

    /// VertexIndex of an invocation.
    pub fn vertex_id(&self, invocation: u32) -> u32 {
        // SAFETY: readable for every invocation of the call.
        unsafe { self.ctx.vertex_ids.add(invocation as usize).read_unaligned() }
    }

    /// InstanceIndex of an invocation.
    pub fn instance_id(&self, invocation: u32) -> u32 {
        // SAFETY: readable for every invocation of the call.
        unsafe { self.ctx.instance_ids.add(invocation as usize).read_unaligned() }
    }

    /// Word `index` of the vertex inputs.
    pub fn input_word(&self, index: usize) -> u32 {
        // SAFETY: the interpreter stays within the rows of the groups of the call.
        unsafe { self.ctx.input.cast::<u32>().add(index).read_unaligned() }
    }

    /// Stores word `index` of the outputs.
    pub fn put_output(&self, index: usize, word: u32) {
        // SAFETY: the interpreter stays within the records or stamps of the call.
        unsafe { self.ctx.output.cast::<u32>().add(index).write_unaligned(word) }
    }

    /// Word of the records before for word `k` of the inputs, if they have it.
    pub fn in_word(&self, k: u32) -> Option<u32> {
        // SAFETY: there is one for each word of the inputs.
        let word = unsafe { self.ctx.in_words.add(k as usize).read() };
        (word != NO_WORD).then_some(word)
    }

    /// Word of the patch for word `k` of its inputs, if it has it.
    pub fn patch_word(&self, k: u32) -> Option<u32> {
        // SAFETY: there is one for each word of the inputs of the patch.
        let word = unsafe { self.ctx.patch_words.add(k as usize).read() };
        (word != NO_WORD).then_some(word)
    }

    /// Record of a vertex of a primitive that has it.
    pub fn record_of(&self, primitive: u32, vertex: u32) -> u32 {
        let at = primitive as usize * self.ctx.in_vertex_count as usize + vertex as usize;
        // SAFETY: a row of records for each primitive of the call.
        unsafe { self.ctx.in_vertices.add(at).read() }
    }

    /// A word of a record of the stage before.
    pub fn record_word(&self, record: u32, word: u32) -> u32 {
        let at = record as usize * self.ctx.in_stride as usize + word as usize;
        // SAFETY: the records that vertices name are there, with the words that the table names.
        unsafe { self.ctx.in_records.add(at).read() }
    }

    /// PrimitiveId of a primitive of the call.
    pub fn primitive_id(&self, primitive: u32) -> u32 {
        // SAFETY: there is one for each.
        unsafe { self.ctx.primitive_ids.add(primitive as usize).read() }
    }

    /// A word of the record of a patch.
    pub fn patch(&self, patch: u32, word: u32) -> u32 {
        let at = patch as usize * self.ctx.patch_stride as usize + word as usize;
        // SAFETY: a patch of the call has the words that the shader or the table names.
        unsafe { self.ctx.patch_records.add(at).read() }
    }

    /// Stores a word of the record of a patch.
    pub fn put_patch(&self, patch: u32, word: u32, bits: u32) {
        let at = patch as usize * self.ctx.patch_stride as usize + word as usize;
        // SAFETY: a patch of the call has the words of the shader's outputs.
        unsafe { self.ctx.patch_records.add(at).write(bits) }
    }

    /// Component of TessCoord of an invocation.
    pub fn tess_coord(&self, c: usize, invocation: u32) -> f32 {
        // SAFETY: three rows with an element for each invocation of the call.
        unsafe { self.ctx.tess_coord[c.min(2)].add(invocation as usize).read() }
    }

    /// Stores word `index` of a stream's vertices.
    pub fn put_emitted(&self, stream: usize, index: usize, bits: u32) {
        // SAFETY: room for the vertices that each unit may emit.
        unsafe { self.ctx.emitted[stream].add(index).write(bits) }
    }

    /// Stores how many vertices a unit has emitted on a stream.
    pub fn put_emit_count(&self, stream: usize, unit: u32, n: u32) {
        // SAFETY: there is one for each unit of the call.
        unsafe { self.ctx.emit_counts[stream].add(unit as usize).write(n) }
    }

    /// Stores word `index` of where a stream's strips begin.
    pub fn put_emit_cut(&self, stream: usize, index: usize, bits: u32) {
        // SAFETY: room for a bit for each vertex that each unit may emit.
        unsafe { self.ctx.emit_cuts[stream].add(index).write(bits) }
    }

    /// A stamp of the call.
    pub fn stamp(&self, index: u32) -> Stamp {
        // SAFETY: `index` is a unit of the call.
        unsafe { *self.ctx.stamps.add(index as usize) }
    }

    /// The primitive.
    pub fn primitive(&self) -> Primitive {
        // SAFETY: a fragment call has one.
        unsafe { *self.ctx.primitive }
    }

    /// Plane `index` of the primitive's inputs.
    pub fn plane(&self, index: u32) -> Plane {
        // SAFETY: there is one per word of the inputs.
        unsafe { *(*self.ctx.primitive).inputs.add(index as usize) }
    }

    /// Stores the mask of a stamp.
    pub fn put_mask(&self, stamp: u32, mask: u32) {
        if !self.ctx.out_masks.is_null() {
            // SAFETY: there is one per stamp.
            unsafe { self.ctx.out_masks.add(stamp as usize).write(mask) }
        }
    }

    /// Covered samples of a lane, if there are several.
    pub fn sample_mask(&self, index: usize) -> Option<u32> {
        if self.ctx.in_sample_masks.is_null() {
            return None;
        }
        // SAFETY: a row per stamp.
        Some(unsafe { self.ctx.in_sample_masks.add(index).read() })
    }

    /// Where in its fragment a lane's centroid inputs are evaluated, if not in the middle.
    pub fn centroid(&self, unit: usize, lane: usize, lanes: usize) -> Option<[f32; 2]> {
        if self.ctx.centroids.is_null() {
            return None;
        }
        // SAFETY: two rows per stamp.
        Some([0, 1].map(|k| unsafe { self.ctx.centroids.add((2 * unit + k) * lanes + lane).read() }))
    }

    /// Position of a sample within its pixel; the centre if there is no such sample.
    pub fn sample_position(&self, sample: u32) -> [f32; 2] {
        if sample >= self.ctx.sample_count || self.ctx.sample_positions.is_null() {
            return [0.5; 2];
        }
        // SAFETY: one per sample.
        unsafe { self.ctx.sample_positions.add(sample as usize).read() }
    }

    /// The head of an image's view, if there is one.
    pub fn view(&self, image: Image) -> Option<ImageView> {
        let view = image.view as *const ImageView;
        // SAFETY: the descriptor holds a live view.
        (!view.is_null()).then(|| unsafe { view.read() })
    }

    /// Calls the routine of `args.op` for the view and sampler; false if there is none.
    pub fn image(&self, image: Image, args: &mut ImageArgs) -> bool {
        let sampler = usize::try_from(image.sampler).ok().filter(|&s| s < MAX_SAMPLERS).unwrap_or(0);
        if image.view == 0 || args.op as usize >= MAX_IMAGE_OPS {
            return false;
        }
        args.view = image.view as *const ImageView;
        args.sampler = sampler as u32;
        // SAFETY: the descriptor holds a live view, whose table has a row of routines for every
        // sampler number; the routine takes arguments of this layout.
        unsafe {
            let row = *(*args.view).table.add(sampler);
            let routine = *row.add(args.op as usize);
            routine(args);
        }
        true
    }
}
