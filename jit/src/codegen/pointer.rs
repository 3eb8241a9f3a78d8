//! Pointers as values: buffers that are given by base and size, looked up by device address or handle, or different in
//! each lane.
//!
//! A buffer with uniform base and size is accessed like one behind a descriptor. If they differ per lane, loads are
//! gathered from checked addresses, and `crate::runtime` performs stores and atomics.

use std::mem::offset_of;

use smallvec::SmallVec;

use super::memory::{Lanes, Shape};
use super::{Buffer, Count, Gen, Handle, Level, PerLane};
use crate::abi::{
    self, ADDRESS_REACH, ADDRESS_SHIFT, Ctx, DESCRIPTOR_BYTES, Descriptor, RESOURCE_BYTES, ResourceEntry,
};
use crate::handle::{self, HandleKind, HandleRecord};
use crate::ir::{AtomicOp, Imm, Inst, Op, Ty};
use crate::lane::{ICmp, Lane, is_wide};
use crate::runtime;
use crate::runtime::MISSING_BYTES;
use crate::{Error, Result};

/// Buffers that differ per lane.
#[derive(Clone, Copy)]
pub(super) struct BufferLanes {
    /// Addresses (I64).
    pub base: Lane,
    /// Sizes in bytes (I64).
    pub size: Lane,
}

impl Gen<'_, '_, '_> {
    /// Handle of the buffer with this base and size.
    pub(super) fn buffer_at(&self, base: Lane, size: Lane) -> Handle {
        if self.b.is_uniform(base) && self.b.is_uniform(size) {
            Handle::Buffer(Buffer { base, size })
        } else {
            Handle::BufferLanes(BufferLanes { base, size })
        }
    }

    pub(super) fn pointer(&mut self, i: &Inst) -> Result<()> {
        let (base, size) = match i.op {
            Op::BufferAt => {
                self.handles.insert(i.results[0], Handle::At(i.args[0], i.args[1]));
                return Ok(());
            }
            Op::HandleImage => {
                let image = self.image_of(i)?;
                self.handles.insert(i.results[0], image);
                return Ok(());
            }
            Op::NullImage => {
                self.handles.insert(i.results[0], Handle::NullImage);
                return Ok(());
            }
            Op::BufferParts => {
                let handle = self.handle(i.args[0])?;
                self.parts_of(handle)?
            }
            Op::HandleBuffer => {
                let (handle, range) = (self.val(i.args[0])?, self.val(i.args[1])?);
                self.resolve_buffer(handle, range)
            }
            _ => {
                let address = self.val(i.args[0])?;
                self.look_up(address)
            }
        };
        self.def(i.results[0], base);
        self.def(i.results[1], size);
        Ok(())
    }

    /// Base and size of a buffer.
    pub(super) fn parts_of(&mut self, handle: Handle) -> Result<(Lane, Lane)> {
        Ok(match handle {
            Handle::Buffer(b) => (b.base, b.size),
            Handle::BufferLanes(b) => (b.base, b.size),
            Handle::BufferPerLane(p) => {
                let b = self.gather_descriptors(p);
                (b.base, b.size)
            }
            _ => return Err(Error::Internal("parts of an image".into())),
        })
    }

    /// The buffer of each lane from an array of descriptors; null where the index is out of range.
    fn gather_descriptors(&mut self, p: PerLane) -> BufferLanes {
        let index = self.b.splat(p.index);
        match p.count {
            Count::Resolved(count) => {
                let last = self.b.u32(count.max(1) - 1);
                let clamped = self.b.umin(index, last);
                let ok = self.b.icmp(ICmp::Eq, clamped, index);
                let (base, size) = self.gather_entries(p.array, clamped);
                let zero = self.b.i64(0);
                BufferLanes { base, size: self.b.select(ok, size, zero) }
            }
            Count::Handles(count) => {
                let (ok, first) = (self.b.icmp(ICmp::Ult, index, count), self.b.u32(0));
                let index = self.b.select(ok, index, first);
                let shift = self.b.u32(DESCRIPTOR_BYTES.trailing_zeros());
                let at = self.b.shl(index, shift);
                // Lanes without a bound record read the first. If none is bound, memory may end here.
                let (empty, zeros) = (self.b.icmp(ICmp::Eq, count, first), self.b.ptr(abi::zeros()));
                let array = self.b.select(empty, zeros, p.array);
                let handle = self.b.gather(Ty::I64, array, at);
                let null = self.b.i64(0);
                let handle = self.b.select(ok, handle, null);
                let ranges = self.b.offset(array, offset_of!(HandleRecord, range) as i64);
                let range = self.b.gather(Ty::I64, ranges, at);
                let (base, size) = self.resolve_buffer(handle, range);
                BufferLanes { base, size }
            }
        }
    }

    /// The resource of a handle: base and size of a whole buffer, or a view. The size of a view has no meaning.
    fn resolve(&mut self, handle: Lane, kind: HandleKind) -> (Lane, Lane) {
        let table = self.load_ctx(Ty::I64, offset_of!(Ctx, resources));
        // The entry after the last is null.
        let slots = self.load_ctx(Ty::I32, offset_of!(Ctx, resource_slots));
        let low = self.b.low_word(handle);
        let slot_bits = self.b.u32((1 << handle::SLOT_BITS) - 1);
        let slot = self.b.and(low, slot_bits);
        let slot = self.b.umin(slot, slots);
        let (generation, as_kind) = (handle::GENERATION, (kind as u64) << handle::KIND_SHIFT);
        let (generation, as_kind) = (self.b.i64(generation as i64), self.b.i64(as_kind as i64));
        let key = self.b.and(handle, generation);
        let key = self.b.or(key, as_kind);
        let null = match kind {
            HandleKind::Buffer => self.b.ptr(abi::zeros()),
            HandleKind::Image | HandleKind::TexelBuffer => self.b.i64(self.null_view as i64),
        };
        let shift = self.b.u32(RESOURCE_BYTES.trailing_zeros());
        let at = self.b.shl(slot, shift);
        // The fields are read in this order: while an entry has the state that was read, its pointer does not change.
        let field = |g: &mut Self, offset: usize| {
            let from = g.b.offset(table, offset as i64);
            g.b.gather(Ty::I64, from, at)
        };
        let state = field(self, offset_of!(ResourceEntry, state));
        self.b.order_loads();
        let pointer = field(self, offset_of!(ResourceEntry, ptr));
        let [key_bits, size_bits] = [handle::KEY, !handle::KEY].map(|bits| self.b.i64(bits as i64));
        let found = self.b.and(state, key_bits);
        let size = self.b.and(state, size_bits);
        let ok = self.b.icmp(ICmp::Eq, found, key);
        let nothing = self.b.i64(0);
        (self.b.select(ok, pointer, null), self.b.select(ok, size, nothing))
    }

    /// Base and size of the range of a buffer that a handle and the word behind it describe, as
    /// [`HandleRecord::cut`] returns it.
    pub(super) fn resolve_buffer(&mut self, handle: Lane, range: Lane) -> (Lane, Lane) {
        let (pointer, all) = self.resolve(handle, HandleKind::Buffer);
        let (offset_bits, high_bits) = (handle::RANGE_OFFSET, handle::RANGE_SIZE_HIGH);
        let [offset_bits, high_bits] = [offset_bits, high_bits].map(|bits| self.b.i64(bits as i64));
        let offset = self.b.and(range, offset_bits);
        let offset = self.lesser(offset, all);
        let shift = self.b.u32(handle::RANGE_SIZE_SHIFT);
        let low = self.b.ushr(range, shift);
        let high = self.b.and(handle, high_bits);
        let size = self.b.or(low, high);
        let left = self.b.isub(all, offset);
        (self.b.iadd(pointer, offset), self.lesser(size, left))
    }

    /// The lesser of two numbers far below 2^63, for which a signed comparison is correct.
    fn lesser(&mut self, a: Lane, b: Lane) -> Lane {
        let less = self.b.icmp(ICmp::Slt, a, b);
        self.b.select(less, a, b)
    }

    /// View and sampler word (I64) of a handle (uniform). The view is of an image or a texel buffer.
    pub(super) fn resolve_image(&mut self, handle: Lane, kind: HandleKind) -> (Lane, Lane) {
        let (view, _) = self.resolve(handle, kind);
        (view, self.sampler_of(handle))
    }

    /// Sampler word (I64) of a handle (uniform): see [`abi::sampler_word`].
    pub(super) fn sampler_of(&mut self, handle: Lane) -> Lane {
        let shift = self.b.u32(handle::SAMPLER_SHIFT);
        let number = self.b.ushr(handle, shift);
        let bits = self.b.i64((1 << handle::SAMPLER_BITS) - 1);
        let low = self.b.and(number, bits);
        // A sampler alone has the high bits of its number in place of a slot.
        let [key_bits, slot_bits] =
            [handle::KEY, (1 << handle::SLOT_BITS) - 1].map(|bits| self.b.i64(bits as i64));
        let (key, slot) = (self.b.and(handle, key_bits), self.b.and(handle, slot_bits));
        let nothing = self.b.i64(0);
        let alone = self.b.icmp(ICmp::Eq, key, nothing);
        let high = self.b.select(alone, slot, nothing);
        let above = self.b.u32(handle::SAMPLER_BITS);
        let high = self.b.shl(high, above);
        let number = self.b.or(low, high);
        let last = self.b.i64(abi::SAMPLER_ROWS as i64 - 1);
        let row = self.lesser(number, last);
        let half = self.b.u32(32);
        let high = self.b.shl(number, half);
        self.b.or(row, high)
    }

    /// The image of a `HandleImage`: looked up here, unless a barrier may lie before its use.
    fn image_of(&mut self, i: &Inst) -> Result<Handle> {
        let &Imm::Handle(kind) = &i.imm else {
            return Err(Error::Internal(format!("malformed {}", i.op.name())));
        };
        let handle = self.val(i.args[0])?;
        let stays = !self.shader.has_barrier || self.levels[i.results[0].0 as usize] != Level::Place;
        if !stays || !self.b.is_uniform(handle) {
            return Ok(Handle::ImageOf(i.args[0], kind));
        }
        let (view, sampler) = self.resolve_image(handle, kind);
        Ok(Handle::Image { view, sampler })
    }

    /// Pointers and sizes of the array's records, one per lane.
    fn gather_entries(&mut self, array: Lane, index: Lane) -> (Lane, Lane) {
        let shift = self.b.u32(DESCRIPTOR_BYTES.trailing_zeros());
        let at = self.b.shl(index, shift);
        let sizes = self.b.offset(array, offset_of!(Descriptor, size) as i64);
        let size = self.b.gather(Ty::I64, sizes, at);
        self.b.order_loads();
        let pointers = self.b.offset(array, offset_of!(Descriptor, ptr) as i64);
        (self.b.gather(Ty::I64, pointers, at), size)
    }

    /// Resolves device addresses: the host address, and the bytes left in the buffer, up to the reach of an access.
    fn look_up(&mut self, address: Lane) -> (Lane, Lane) {
        let table = self.load_ctx(Ty::I64, offset_of!(Ctx, addresses));
        // The entry after the last is null.
        let slots = self.load_ctx(Ty::I32, offset_of!(Ctx, address_slots));
        let uniform = self.b.is_uniform(address);
        let address = if uniform { address } else { self.b.splat(address) };
        let high = self.b.high_word(address);
        let shift = self.b.u32(ADDRESS_SHIFT - 32);
        let slot = self.b.ushr(high, shift);
        let slot = self.b.umin(slot, slots);
        let (pointer, size) = if uniform {
            let at = self.b.index(table, slot, DESCRIPTOR_BYTES);
            let size = self.b.load(Ty::I64, at, offset_of!(Descriptor, size) as i32);
            self.b.order_loads();
            (self.b.load(Ty::I64, at, offset_of!(Descriptor, ptr) as i32), size)
        } else {
            self.gather_entries(table, slot)
        };
        let mask = self.b.i64(abi::INSIDE as i64);
        let offset = self.b.and(address, mask);
        let base = self.b.iadd(pointer, offset);
        // Both numbers are far below 2^63, so that a signed comparison is correct.
        let inside = self.b.icmp(ICmp::Sle, offset, size);
        let left = self.b.isub(size, offset);
        let (zero, reach) = (self.b.i64(0), self.b.i64(ADDRESS_REACH as i64));
        let left = self.b.select(inside, left, zero);
        let near = self.b.icmp(ICmp::Sle, left, reach);
        (base, self.b.select(near, left, reach))
    }

    /// Sizes as I32, saturating: bytes beyond 32 bits are out of reach.
    pub(super) fn sizes(&mut self, b: BufferLanes) -> Lane {
        let size = self.b.splat(b.size);
        self.b.saturated_word(size)
    }

    pub(super) fn load_lanes(&mut self, b: BufferLanes, offset: Lane, shape: Shape) -> Lanes {
        let (base, size, offset) = (self.b.splat(b.base), self.b.splat(b.size), self.b.splat(offset));
        let wide = self.b.i32_to_i64(offset, false);
        let at = self.b.iadd(base, wide);
        let mask = self.mask();
        let zeros = self.b.ptr(abi::zeros());
        (0..shape.n)
            .map(|k| {
                let need = self.b.i64(shape.end(k) as i64);
                let end = self.b.iadd(wide, need);
                let ok = self.b.icmp(ICmp::Sle, end, size);
                let ok = self.b.and(ok, mask);
                let start = self.b.i64(shape.start(k) as i64);
                let here = self.b.iadd(at, start);
                let here = self.b.select(ok, here, zeros);
                self.b.gather_at(shape.ty, here, shape.mem.ordered)
            })
            .collect()
    }

    pub(super) fn store_lanes(
        &mut self,
        b: BufferLanes,
        offset: Lane,
        shape: Shape,
        values: &[Lane],
        mask: Lane,
    ) {
        let row = self.b.lanes() * if is_wide(shape.ty) { 8 } else { 4 };
        let mark = self.b.mark_temporaries();
        let rows = self.b.temporary(row * shape.n + MISSING_BYTES);
        self.hand_over_missing(rows, row * shape.n);
        for (k, &v) in values.iter().enumerate() {
            let w = self.b.to_word(v);
            self.b.store_row(w, rows, (row * k as u32) as i32);
        }
        let (place, form) = shape.packed();
        self.call_lanes(runtime::store_lanes as *const u8, b, offset, rows, place, form, mask);
        self.b.release_temporaries(mark);
    }

    pub(super) fn atomic_lanes(
        &mut self,
        b: BufferLanes,
        offset: Lane,
        op: AtomicOp,
        shape: Shape,
        operands: &[Lane],
        mask: Lane,
    ) -> Lane {
        let row = self.b.lanes() * if is_wide(shape.ty) { 8 } else { 4 };
        let mark = self.b.mark_temporaries();
        // The rows hold the operands on entry; on return the first row holds the old values.
        let rows = self.b.temporary(row * 2 + MISSING_BYTES);
        self.hand_over_missing(rows, row * 2);
        for (k, &v) in operands.iter().enumerate() {
            let w = self.b.to_word(v);
            self.b.store_row(w, rows, (row * k as u32) as i32);
        }
        let code = runtime::atomic_code(op, shape.ty.is_float());
        let place = u64::from(shape.mem.offset) | u64::from(code) << 32;
        let form = u64::from(shape.ty.bytes()) << 8;
        self.call_lanes(runtime::atomic_lanes as *const u8, b, offset, rows, place, form, mask);
        let wide = is_wide(shape.ty);
        let old = self.b.load_row(if wide { shape.ty } else { Ty::I32 }, rows, 0);
        let old = if wide { old } else { self.b.word_to(old, shape.ty) };
        self.b.release_temporaries(mark);
        old
    }

    fn call_lanes(
        &mut self,
        f: *const u8,
        b: BufferLanes,
        offset: Lane,
        rows: Lane,
        place: u64,
        form: u64,
        mask: Lane,
    ) {
        let s = self.b.lanes();
        let (bases, sizes) = (self.b.spill(b.base), self.b.spill(b.size));
        let offsets = self.b.spill(offset);
        let f = self.b.ptr(f);
        let place = self.b.i64(place as i64);
        let form = self.b.i64((form | u64::from(s) << 16) as i64);
        let bits = self.b.mask_bits(mask);
        let bits = self.b.u32_to_i64(bits);
        let thirty_two = self.b.i32(32);
        let bits = self.b.shl(bits, thirty_two);
        let form = self.b.or(form, bits);
        let args: SmallVec<[Lane; 6]> = [bases, sizes, offsets, rows, place, form].into_iter().collect();
        self.b.call_values(f, &args, None);
    }
}
