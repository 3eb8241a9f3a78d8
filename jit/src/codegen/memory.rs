//! Buffers, workgroup memory and private arrays, every access checked.
//!
//! An access is described by a uniform base and size, a byte offset per lane, and how many scalars lie
//! how far apart. Uniform offsets take one load; offsets that advance by a constant from lane to lane
//! take vectors after one range check; the rest is gathered from clamped offsets. What is rare (partly
//! out of range, partly masked, scattered stores) is done by `crate::runtime`.

use cranelift_codegen::ir::InstBuilder;
use smallvec::SmallVec;

use super::{Buffer, Gen, Handle, Level, PerLane};
use crate::abi::{DESCRIPTOR_BYTES, Descriptor};
use crate::ir::{Imm, Inst, Mem, Op, Ty, Value, Var};
use crate::lane::{ICmp, Lane, LaneBuilder, LaneVar, Term, is_wide};
use crate::runtime;
use crate::{Error, Result};
use std::mem::offset_of;

pub(super) type Lanes = SmallVec<[Lane; 4]>;

/// Bytes of private variables that a group may have in memory.
const MAX_FRAME: u64 = 128 << 20;

/// Static shape of an access: `n` scalars of `ty` from `mem`.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub ty: Ty,
    pub n: u32,
    pub mem: Mem,
}

impl Shape {
    /// Bytes from the dynamic offset to the end of scalar `k`.
    pub fn end(&self, k: u32) -> u64 {
        self.start(k) + u64::from(self.ty.bytes())
    }
    /// Bytes from the dynamic offset to scalar `k`: may be past 2^32.
    pub fn start(&self, k: u32) -> u64 {
        u64::from(self.mem.offset) + u64::from(k) * u64::from(self.mem.stride)
    }
    /// Scalar `k` from an address: the address, and a displacement that instructions have room for.
    fn place(&self, b: &mut LaneBuilder, at: Lane, k: u32) -> (Lane, i32) {
        match i32::try_from(self.start(k)) {
            Ok(near) if near < 1 << 30 => (at, near),
            _ => (b.offset(at, self.start(k) as i64), 0),
        }
    }
    /// For runtime helpers.
    pub fn packed(&self) -> (u64, u64) {
        (
            u64::from(self.mem.offset) | u64::from(self.mem.stride) << 32,
            u64::from(self.n) | u64::from(self.ty.bytes()) << 8,
        )
    }
    /// Consecutive 32-bit words.
    fn is_words(&self) -> bool {
        self.ty.bytes() == 4 && (self.n == 1 || self.mem.stride == 4)
    }
}

impl Gen<'_, '_, '_> {
    // Descriptors.

    pub(super) fn descriptor(&mut self, i: &Inst) -> Result<()> {
        let result = i.results[0];
        match (i.op, &i.imm) {
            (Op::PushConstants, _) => {
                let size = self.b.i64(crate::abi::PUSH_BYTES as i64);
                self.handles.insert(result, Handle::Buffer(Buffer { base: self.env.push, size }));
            }
            (Op::SampledImage, _) => {
                self.handles.insert(result, Handle::Sampled(i.args[0], i.args[1]));
            }
            (Op::BufferDescriptor | Op::ImageDescriptor, Imm::Binding { set, binding }) => {
                let layout = self
                    .layout
                    .find(*set, *binding)
                    .ok_or_else(|| {
                        Error::invalid(format!("set {set}, binding {binding} is not in the pipeline layout"))
                    })?
                    .clone();
                let is_buffer = i.op == Op::BufferDescriptor;
                let array = match layout.dynamic {
                    Some(k) => self.b.offset(self.env.dynamic, i64::from(k * DESCRIPTOR_BYTES)),
                    None => {
                        let base = self.env.sets.get(*set as usize).copied().flatten().ok_or_else(|| {
                            Error::Limit(format!("descriptor set {set}: at most {}", crate::abi::MAX_SETS))
                        })?;
                        let first = if is_buffer { layout.offset } else { layout.images };
                        self.b.offset(base, i64::from(first))
                    }
                };
                let index = self.val(i.args[0])?;
                let p = PerLane { array, count: layout.count, index };
                let h = if self.b.is_uniform(index) {
                    let at = self.descriptor_address(p, index, is_buffer);
                    if is_buffer { Handle::Buffer(self.load_buffer(at)) } else { self.load_image(at) }
                } else if is_buffer {
                    Handle::BufferPerLane(p)
                } else {
                    Handle::ImagePerLane(p)
                };
                self.handles.insert(result, h);
            }
            _ => return Err(Error::Internal(format!("malformed {}", i.op.name()))),
        }
        Ok(())
    }

    /// Address of descriptor `index` (uniform); out of range: a null buffer, or the last image.
    pub(super) fn descriptor_address(&mut self, p: PerLane, index: Lane, buffer: bool) -> Lane {
        let count = p.count.max(1);
        if let Some(k) = self.b.as_const(index)
            && k < u64::from(count)
        {
            return self.b.offset(p.array, k as i64 * i64::from(DESCRIPTOR_BYTES));
        }
        let last = self.b.u32(count - 1);
        let clamped = self.b.umin(index, last);
        let at = self.b.index(p.array, clamped, DESCRIPTOR_BYTES);
        if !buffer {
            return at;
        }
        let ok = self.b.icmp(ICmp::Eq, clamped, index);
        let null = self.b.ptr(runtime::null_buffer());
        self.b.select(ok, at, null)
    }

    pub(super) fn load_buffer_at(&mut self, at: Lane) -> (Lane, Lane) {
        (
            self.b.load(Ty::I64, at, offset_of!(Descriptor, ptr) as i32),
            self.b.load(Ty::I64, at, offset_of!(Descriptor, size) as i32),
        )
    }

    pub(super) fn load_buffer(&mut self, at: Lane) -> Buffer {
        let (base, size) = self.load_buffer_at(at);
        Buffer { base, size }
    }

    pub(super) fn load_image(&mut self, at: Lane) -> Handle {
        let (view, sampler) = self.load_buffer_at(at);
        Handle::Image { view, sampler }
    }

    pub(super) fn handle(&mut self, v: Value) -> Result<Handle> {
        // A group that has waited at a barrier has only its values back.
        if self.shader.has_barrier
            && self.levels[v.0 as usize] == Level::Place
            && let Some(i) = self.ranges.def(v)
            && matches!(i.op, Op::BufferDescriptor | Op::ImageDescriptor)
        {
            self.descriptor(i)?;
        }
        match self.handles.get(&v).copied() {
            Some(Handle::At(base, size)) => {
                let (base, size) = (self.val(base)?, self.val(size)?);
                Ok(self.buffer_at(base, size))
            }
            Some(handle) => Ok(handle),
            None => Err(Error::unsupported("a selected or merged descriptor")),
        }
    }

    /// Runs `f` for each distinct index among the lanes of `mask`: with the descriptor's address and the
    /// lanes that chose it.
    pub(super) fn for_each_descriptor(
        &mut self,
        p: PerLane,
        mask: Lane,
        buffer: bool,
        f: impl FnOnce(&mut Self, Lane, Lane) -> Result<()>,
    ) -> Result<()> {
        let mark = self.b.mark_temporaries();
        let row = self.b.spill(p.index);
        let bits = self.b.mask_bits(mask);
        let rest = self.b.declare(Ty::I32, true);
        self.b.set(&rest, bits);
        let (head, body, exit) = (self.block(), self.block(), self.block());
        self.jump(head);
        self.b.fb.switch_to_block(head);
        let left = self.b.get(&rest);
        let zero = self.b.u32(0);
        let more = self.b.icmp(ICmp::Ne, left, zero);
        self.branch(more, body, exit);
        self.start_sealed(body);
        let lane = self.b.lowest_bit(left);
        let at = self.b.index(row, lane, 4);
        let index = self.b.load(Ty::I32, at, 0);
        let same = self.b.icmp(ICmp::Eq, p.index, index);
        let left_mask = self.b.mask_from_bits(left);
        let these = self.b.and(same, left_mask);
        let address = self.descriptor_address(p, index, buffer);
        f(self, address, these)?;
        let done = self.b.mask_bits(these);
        let left = self.b.and_not(left, done);
        self.b.set(&rest, left);
        self.jump(head);
        self.b.fb.seal_block(head);
        self.start_sealed(exit);
        self.b.release(rest);
        self.b.release_temporaries(mark);
        Ok(())
    }

    pub(super) fn buffer_size(&mut self, i: &Inst) -> Result<()> {
        let size = match self.handle(i.args[0])? {
            Handle::Buffer(b) => self.clamp_size(b.size),
            Handle::BufferPerLane(p) => {
                let var = self.b.declare(Ty::I32, false);
                let zero = self.b.u32(0);
                self.b.set(&var, zero);
                let mask = self.mask();
                self.for_each_descriptor(p, mask, true, |g, at, these| {
                    let (_, size) = g.load_buffer_at(at);
                    let size = g.clamp_size(size);
                    let old = g.b.get(&var);
                    let new = g.b.select(these, size, old);
                    g.b.set(&var, new);
                    Ok(())
                })?;
                self.b.take(var)
            }
            Handle::BufferLanes(b) => self.sizes(b),
            _ => return Err(Error::Internal("size of an image".into())),
        };
        self.def(i.results[0], size);
        Ok(())
    }

    /// Size as I32; what is beyond 32 bits cannot be addressed.
    fn clamp_size(&mut self, size: Lane) -> Lane {
        let max = self.b.i64(i64::from(u32::MAX));
        let size = self.b.umin(size, max);
        self.b.i64_to_i32(size)
    }

    pub(super) fn byte_offset(&mut self, i: &Inst) -> Result<()> {
        let Imm::Strides(strides) = &i.imm else {
            return Err(Error::Internal(format!("malformed {}", i.op.name())));
        };
        let mut terms: SmallVec<[Term; 4]> = SmallVec::new();
        for (&a, &stride) in i.args.iter().zip(strides) {
            self.claim_bound(i, a, false)?;
            let bound = self.ranges.upper(a);
            terms.push(Term { index: self.val(a)?, stride, bound });
        }
        let offset = self.b.byte_offset(&terms);
        self.def(i.results[0], offset);
        Ok(())
    }

    // Loads.

    pub(super) fn shared_buffer(&mut self) -> Buffer {
        let size = self.b.i64(i64::from(self.shader.shared_size));
        Buffer { base: self.env.compute.shared, size }
    }

    pub(super) fn mem_of(i: &Inst) -> Result<Mem> {
        match &i.imm {
            Imm::Mem(m) | Imm::Atomic(_, m) => Ok(*m),
            _ => Err(Error::Internal(format!("malformed {}", i.op.name()))),
        }
    }

    pub(super) fn load(&mut self, i: &Inst) -> Result<()> {
        let shape =
            Shape { ty: self.shader.ty(i.results[0]), n: i.results.len() as u32, mem: Self::mem_of(i)? };
        if i.op == Op::LoadShared {
            let offset = self.val(i.args[0])?;
            let b = self.shared_buffer();
            let v = if self.always_in_range(i, shape)? {
                self.load_unchecked(b, offset, shape)
            } else {
                self.load_from(b, offset, shape)
            };
            return self.def_all(i, &v);
        }
        let offset = self.val(i.args[1])?;
        match self.handle(i.args[0])? {
            Handle::Buffer(b) => {
                let v = if self.is_proven(i, b, offset, shape) {
                    self.load_unchecked(b, offset, shape)
                } else {
                    self.load_from(b, offset, shape)
                };
                self.def_all(i, &v)
            }
            Handle::BufferPerLane(p) => {
                let vars: SmallVec<[LaneVar; 4]> =
                    (0..shape.n).map(|_| self.b.declare(shape.ty, false)).collect();
                for var in &vars {
                    let zero = self.b.bits(shape.ty, 0);
                    self.b.set(var, zero);
                }
                let mask = self.mask();
                self.for_each_descriptor(p, mask, true, |g, at, these| {
                    let b = g.load_buffer(at);
                    let v = g.load_from(b, offset, shape);
                    for (var, &v) in vars.iter().zip(&v) {
                        let old = g.b.get(var);
                        let new = g.b.select(these, v, old);
                        g.b.set(var, new);
                    }
                    Ok(())
                })?;
                let v: Lanes = vars.into_iter().map(|var| self.b.take(var)).collect();
                self.def_all(i, &v)
            }
            Handle::BufferLanes(b) => {
                let v = self.load_lanes(b, offset, shape);
                self.def_all(i, &v)
            }
            _ => Err(Error::Internal("load from an image".into())),
        }
    }

    fn def_all(&mut self, i: &Inst, v: &[Lane]) -> Result<()> {
        for (&r, &v) in i.results.iter().zip(v) {
            self.def(r, v);
        }
        Ok(())
    }

    /// Whether an access to workgroup memory is known to be in range in every lane, and need not be checked.
    pub(super) fn always_in_range(&mut self, i: &Inst, shape: Shape) -> Result<bool> {
        let offset = i.args[0];
        let known = self.ranges.upper(offset) + shape.end(shape.n - 1) <= u64::from(self.shader.shared_size);
        if known {
            self.claim_bound(i, offset, true)?;
        }
        Ok(known && !self.verifies())
    }

    /// A load that is known to be in range.
    fn load_unchecked(&mut self, b: Buffer, offset: Lane, shape: Shape) -> Lanes {
        if self.b.is_uniform(offset) {
            let at = match self.b.const_u32(offset) {
                Some(k) => self.b.offset(b.base, i64::from(k)),
                None => {
                    let wide = self.b.wide_offset(offset);
                    self.b.iadd(b.base, wide)
                }
            };
            return (0..shape.n).map(|k| self.load_one(shape, at, k)).collect();
        }
        if !shape.mem.ordered
            && let Some((first, stride)) = self.b.as_wide_affine(offset)
            && self.affine_layout(shape, stride)
        {
            return self.load_affine_rows(b, first, stride as u32, shape);
        }
        (0..shape.n)
            .map(|k| {
                let base = self.b.offset(b.base, shape.start(k) as i64);
                self.b.gather_access(shape.ty, base, offset, shape.mem.ordered)
            })
            .collect()
    }

    /// Vectors from where lanes lie at a constant distance.
    fn load_affine_rows(&mut self, b: Buffer, first: Lane, stride: u32, shape: Shape) -> Lanes {
        let at = self.b.iadd(b.base, first);
        if stride == 4 && shape.mem.offset < 1 << 16 {
            return (0..shape.n).map(|k| self.b.load_row(shape.ty, at, shape.start(k) as i32)).collect();
        }
        let at = self.b.offset(at, i64::from(shape.mem.offset));
        if stride == 4 {
            return (0..shape.n).map(|k| self.b.load_row(shape.ty, at, 4 * k as i32)).collect();
        }
        self.b.load_records(shape.ty, at, stride, shape.n)
    }

    fn load_from(&mut self, b: Buffer, offset: Lane, shape: Shape) -> Lanes {
        if self.b.is_uniform(offset) {
            return self.load_uniform(b, offset, shape);
        }
        if !shape.mem.ordered
            && let Some((first, stride)) = self.b.as_wide_affine(offset)
            && self.affine_layout(shape, stride)
        {
            return self.load_affine(b, offset, first, stride as u32, shape);
        }
        self.load_gather(b, offset, shape)
    }

    /// One load for the group.
    fn load_uniform(&mut self, b: Buffer, offset: Lane, shape: Shape) -> Lanes {
        let known = match (self.b.const_u32(offset), self.b.as_const(b.size)) {
            (Some(o), Some(size)) => u64::from(o) + shape.end(shape.n - 1) <= size,
            _ => false,
        };
        if known {
            let at = self.b.index_const(b.base, offset);
            return (0..shape.n).map(|k| self.load_one(shape, at, k)).collect();
        }
        let wide = self.b.wide_offset(offset);
        (0..shape.n)
            .map(|k| {
                let need = self.b.i64(shape.end(k) as i64);
                let end = self.b.iadd(wide, need);
                let ok = self.b.icmp(ICmp::Ule, end, b.size);
                // An out-of-range access reads the zero page.
                let good = self.b.iadd(b.base, wide);
                let good = self.b.offset(good, shape.start(k) as i64);
                let zeros = self.b.ptr(runtime::zeros());
                let at = self.b.select(ok, good, zeros);
                self.b.load_access(shape.ty, at, 0, shape.mem.ordered)
            })
            .collect()
    }

    fn load_one(&mut self, shape: Shape, at: Lane, k: u32) -> Lane {
        let (at, near) = shape.place(self.b, at, k);
        self.b.load_access(shape.ty, at, near, shape.mem.ordered)
    }

    /// Layouts that vectors can read: rows of words, or records of words up to 4 per lane.
    fn affine_layout(&self, shape: Shape, stride: i32) -> bool {
        shape.is_words() && stride > 0 && stride <= 4096 && stride % 4 == 0
    }

    /// Whether lanes `0..S` from `first` (I64) are all in range.
    fn affine_in_range(&mut self, b: Buffer, first: Lane, stride: u32, shape: Shape) -> Lane {
        let last = u64::from(stride) * u64::from(self.b.lanes() - 1) + shape.end(shape.n - 1);
        let last = self.b.i64(last as i64);
        let end = self.b.iadd(first, last);
        self.b.icmp(ICmp::Ule, end, b.size)
    }

    fn load_affine(&mut self, b: Buffer, offset: Lane, first: Lane, stride: u32, shape: Shape) -> Lanes {
        let vars: SmallVec<[LaneVar; 4]> = (0..shape.n).map(|_| self.b.declare(shape.ty, false)).collect();
        let ok = self.affine_in_range(b, first, stride, shape);
        let (fast, slow, done) = (self.block(), self.block(), self.block());
        self.branch(ok, fast, slow);
        self.b.set_cold(slow);
        self.start_sealed(fast);
        for (var, v) in vars.iter().zip(self.load_affine_rows(b, first, stride, shape)) {
            self.b.set(var, v);
        }
        self.jump(done);
        self.start_sealed(slow);
        for (var, v) in vars.iter().zip(self.load_by_helper(b, offset, shape)) {
            self.b.set(var, v);
        }
        self.jump(done);
        self.start_sealed(done);
        vars.into_iter().map(|v| self.b.take(v)).collect()
    }

    fn load_by_helper(&mut self, b: Buffer, offset: Lane, shape: Shape) -> Lanes {
        let s = self.b.lanes();
        let row = s * if is_wide(shape.ty) { 8 } else { 4 };
        let mark = self.b.mark_temporaries();
        let offsets = self.b.spill(offset);
        let out = self.b.temporary(row * shape.n);
        let f = self.b.ptr(runtime::load_rows as *const u8);
        let (place, form) = shape.packed();
        let (place, form) = (self.b.i64(place as i64), self.b.i64((form | u64::from(s) << 16) as i64));
        self.b.call_values(f, &[b.base, b.size, offsets, out, place, form], None);
        let rows = (0..shape.n)
            .map(|k| {
                let at = (row * k) as i32;
                if is_wide(shape.ty) {
                    self.b.load_row(shape.ty, out, at)
                } else {
                    let w = self.b.load_row(Ty::I32, out, at);
                    self.b.word_to(w, shape.ty)
                }
            })
            .collect();
        self.b.release_temporaries(mark);
        rows
    }

    /// Clamps offsets into range, gathers, and zeroes what was out of range.
    fn load_gather(&mut self, b: Buffer, offset: Lane, shape: Shape) -> Lanes {
        (0..shape.n)
            .map(|k| {
                let need = shape.end(k);
                let (limit, base) = self.offset_limit(b, need, shape.start(k));
                let safe = self.b.umin(offset, limit);
                let ok = self.b.icmp(ICmp::Eq, safe, offset);
                let v = self.b.gather_access(shape.ty, base, safe, shape.mem.ordered);
                let zero = self.b.bits(shape.ty, 0);
                self.b.select(ok, v, zero)
            })
            .collect()
    }

    /// The greatest offset at which `need` bytes are in range, and the base at which scalar `start` lies for
    /// offset 0. If not even offset 0 is in range: 0, and zeros.
    pub(super) fn offset_limit(&mut self, b: Buffer, need: u64, start: u64) -> (Lane, Lane) {
        let base = self.b.offset(b.base, start as i64);
        if let Some(size) = self.b.as_const(b.size)
            && size >= need
        {
            let limit = (size - need).min(u64::from(u32::MAX)) as u32;
            return (self.b.u32(limit), base);
        }
        let n = self.b.i64(need as i64);
        let ok = self.b.icmp(ICmp::Uge, b.size, n);
        let room = self.b.isub(b.size, n);
        let max = self.b.i64(i64::from(u32::MAX));
        let room = self.b.umin(room, max);
        let zero = self.b.i64(0);
        let room = self.b.select(ok, room, zero);
        let limit = self.b.i64_to_i32(room);
        let zeros = self.b.ptr(runtime::zeros());
        (limit, self.b.select(ok, base, zeros))
    }

    // Stores.

    pub(super) fn store(&mut self, i: &Inst) -> Result<()> {
        let shared = i.op == Op::StoreShared;
        let first = if shared { 1 } else { 2 };
        let values = i.args[first..].iter().map(|&a| self.val(a)).collect::<Result<Lanes>>()?;
        let shape = Shape { ty: self.b.ty(values[0]), n: values.len() as u32, mem: Self::mem_of(i)? };
        let offset = self.val(i.args[first - 1])?;
        let mask = self.store_mask();
        if shared {
            let b = self.shared_buffer();
            let known = self.always_in_range(i, shape)?;
            self.store_to(b, offset, shape, &values, mask, known);
            return Ok(());
        }
        match self.handle(i.args[0])? {
            Handle::Buffer(b) => {
                let known = self.is_proven(i, b, offset, shape);
                self.store_to(b, offset, shape, &values, mask, known);
                Ok(())
            }
            Handle::BufferPerLane(p) => self.for_each_descriptor(p, mask, true, |g, at, these| {
                let b = g.load_buffer(at);
                g.store_to(b, offset, shape, &values, these, false);
                Ok(())
            }),
            Handle::BufferLanes(b) => {
                self.store_lanes(b, offset, shape, &values, mask);
                Ok(())
            }
            _ => Err(Error::Internal("store to an image".into())),
        }
    }

    /// `known`: the access is in range in every lane.
    fn store_to(&mut self, b: Buffer, offset: Lane, shape: Shape, values: &[Lane], mask: Lane, known: bool) {
        let Some((first, stride)) = self.b.as_wide_affine(offset) else {
            if self.b.is_uniform(offset) && values.iter().all(|&v| self.b.is_uniform(v)) {
                return self.store_uniform(b, offset, shape, values, mask);
            }
            return self.store_by_helper(b, offset, shape, values, mask);
        };
        if !self.affine_layout(shape, stride) || (stride as u32) < 4 * shape.n {
            return self.store_by_helper(b, offset, shape, values, mask);
        }
        if known && self.b.as_const(mask) == Some(1) {
            return self.store_affine_rows(b, first, stride as u32, shape, values);
        }
        let ok = self.affine_in_range(b, first, stride as u32, shape);
        let full = self.b.all(mask);
        let ok = self.b.and(ok, full);
        let (fast, slow, done) = (self.block(), self.block(), self.block());
        self.branch(ok, fast, slow);
        self.b.set_cold(slow);
        self.start_sealed(fast);
        self.store_affine_rows(b, first, stride as u32, shape, values);
        self.jump(done);
        self.start_sealed(slow);
        self.store_by_helper(b, offset, shape, values, mask);
        self.jump(done);
        self.start_sealed(done);
    }

    fn store_affine_rows(&mut self, b: Buffer, first: Lane, stride: u32, shape: Shape, values: &[Lane]) {
        let at = self.b.iadd(b.base, first);
        if stride == 4 && shape.mem.offset < 1 << 16 {
            let word = self.b.to_word(values[0]);
            return self.b.store_row(word, at, shape.mem.offset as i32);
        }
        let at = self.b.offset(at, i64::from(shape.mem.offset));
        let words: Lanes = values.iter().map(|&v| self.b.to_word(v)).collect();
        if stride == 4 {
            self.b.store_row(words[0], at, 0);
        } else {
            self.b.store_records(&words, at, stride);
        }
    }

    fn store_uniform(&mut self, b: Buffer, offset: Lane, shape: Shape, values: &[Lane], mask: Lane) {
        let any = self.b.any(mask);
        let wide = self.b.wide_offset(offset);
        for (k, &v) in values.iter().enumerate() {
            let need = self.b.i64(shape.end(k as u32) as i64);
            let end = self.b.iadd(wide, need);
            let ok = self.b.icmp(ICmp::Ule, end, b.size);
            let ok = self.b.and(ok, any);
            self.b.if_(ok, |l| {
                let at = l.iadd(b.base, wide);
                let (at, near) = shape.place(l, at, k as u32);
                l.store(v, at, near);
            });
        }
    }

    fn store_by_helper(&mut self, b: Buffer, offset: Lane, shape: Shape, values: &[Lane], mask: Lane) {
        let s = self.b.lanes();
        let row = s * if is_wide(shape.ty) { 8 } else { 4 };
        let mark = self.b.mark_temporaries();
        let offsets = self.b.spill(offset);
        let rows = self.b.temporary(row * shape.n);
        for (k, &v) in values.iter().enumerate() {
            let w = self.b.to_word(v);
            self.b.store_row(w, rows, (row * k as u32) as i32);
        }
        let bits = self.b.mask_bits(mask);
        let f = self.b.ptr(runtime::store_rows as *const u8);
        let (place, form) = shape.packed();
        let place = self.b.i64(place as i64);
        let form = self.b.i64((form | u64::from(s) << 16) as i64);
        let bits = self.b.u32_to_i64(bits);
        let thirty_two = self.b.i32(32);
        let bits = self.b.shl(bits, thirty_two);
        let form = self.b.or(form, bits);
        self.b.call_values(f, &[b.base, b.size, offsets, rows, place, form], None);
        self.b.release_temporaries(mark);
    }

    // Private variables that stayed in memory.

    pub(super) fn place_private_variables(&mut self) -> Result<()> {
        let mut used = vec![false; self.shader.vars.len()];
        crate::ir::each_inst(&self.shader.body, &mut |i| {
            if let Imm::Var { var, .. } = &i.imm {
                used[var.0 as usize] = true;
            }
        });
        let mut bytes = 0u64;
        for (k, var) in self.shader.vars.iter().enumerate() {
            if used[k] {
                self.var_at[k] = Some(bytes as u32);
                bytes += u64::from(self.row_of(Var(k as u32))) * var.elems.len().max(1) as u64;
            }
            if bytes > MAX_FRAME {
                return Err(Error::Limit(format!(
                    "private variables of one group take over {MAX_FRAME} bytes"
                )));
            }
        }
        self.frame_bytes = (bytes as u32).next_multiple_of(64);
        Ok(())
    }

    /// Bytes of one element's row.
    fn row_of(&self, var: Var) -> u32 {
        let wide = self.shader.vars[var.0 as usize].elems.iter().any(|&t| is_wide(t));
        self.b.lanes() * if wide { 8 } else { 4 }
    }

    fn row_load(&mut self, ty: Ty, at: Lane, offset: i32) -> Lane {
        if is_wide(ty) {
            return self.b.load_row(ty, at, offset);
        }
        // Rows hold values as registers do.
        if ty == Ty::F16 {
            let w = self.b.load_row(Ty::F32, at, offset);
            return self.b.retype(w, Ty::F16);
        }
        let w = self.b.load_row(Ty::I32, at, offset);
        if ty == Ty::Bool {
            let zero = self.b.u32(0);
            return self.b.icmp(ICmp::Ne, w, zero);
        }
        self.b.word_to(w, ty)
    }

    fn row_store(&mut self, v: Lane, at: Lane, offset: i32) {
        self.b.store_row(v, at, offset);
    }

    pub(super) fn variable(&mut self, i: &Inst) -> Result<()> {
        let Imm::Var { var, elem } = i.imm else {
            return Err(Error::Internal(format!("malformed {}", i.op.name())));
        };
        let n = self.shader.vars[var.0 as usize].elems.len() as u32;
        let row = self.row_of(var);
        let base =
            self.var_at[var.0 as usize].ok_or_else(|| Error::Internal("variable without a place".into()))?;
        let frame = self.env.frame;
        match i.op {
            Op::VarGet => {
                let ty = self.shader.ty(i.results[0]);
                let v = self.row_load(ty, frame, (base + elem * row) as i32);
                self.def(i.results[0], v);
            }
            Op::VarSet => {
                let v = self.val(i.args[0])?;
                let at = (base + elem * row) as i32;
                let v = self.merge_row(v, frame, at);
                self.row_store(v, frame, at);
            }
            Op::VarGetDyn => {
                let ty = self.shader.ty(i.results[0]);
                let index = self.val(i.args[0])?;
                let (safe, ok) = self.element(index, elem, n);
                let at = self.b.offset(frame, i64::from(base));
                let v = if self.b.is_uniform(safe) {
                    let at = self.b.index(at, safe, row);
                    self.row_load(ty, at, 0)
                } else {
                    let offset = self.lane_offset(safe, row, ty);
                    let held = if matches!(ty, Ty::Bool | Ty::I8 | Ty::I16) {
                        Ty::I32
                    } else if ty == Ty::F16 {
                        Ty::F32
                    } else {
                        ty
                    };
                    let v = self.b.gather_access(held, at, offset, false);
                    match ty {
                        Ty::Bool => {
                            let zero = self.b.u32(0);
                            self.b.icmp(ICmp::Ne, v, zero)
                        }
                        _ => self.b.retype(v, ty),
                    }
                };
                let zero = self.b.bits(ty, 0);
                let v = self.b.select(ok, v, zero);
                let v = self.b.splat(v);
                self.def(i.results[0], v);
            }
            Op::VarSetDyn => {
                let index = self.val(i.args[0])?;
                let v = self.val(i.args[1])?;
                let (safe, ok) = self.element(index, elem, n);
                let at = self.b.offset(frame, i64::from(base));
                if self.b.is_uniform(safe) {
                    let at = self.b.index(at, safe, row);
                    self.b.fb.ins().nop();
                    let merged = self.merge_row(v, at, 0);
                    let at2 = at;
                    let ok_any = self.b.any(ok);
                    let this = self.b.splat(merged);
                    self.b.if_(ok_any, |l| l.store_row(this, at2, 0));
                } else {
                    let ty = self.b.ty(v);
                    let offset = self.lane_offset(safe, row, ty);
                    let m = self.mask();
                    let m = self.b.and(m, ok);
                    let v = self.b.splat(v);
                    let held = match ty {
                        Ty::Bool | Ty::I8 | Ty::I16 => self.b.retype(v, Ty::I32),
                        Ty::F16 => self.b.retype(v, Ty::F32),
                        _ => v,
                    };
                    let m = self.b.splat(m);
                    self.b.scatter(&[(held, 0)], at, offset, m);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The value in active lanes, what is in memory in the others.
    fn merge_row(&mut self, v: Lane, at: Lane, offset: i32) -> Lane {
        let m = self.mask();
        if self.b.as_const(m) == Some(1) {
            return self.b.splat(v);
        }
        let ty = self.b.ty(v);
        let old = self.b.load_row(ty, at, offset);
        self.b.select(m, v, old)
    }

    /// Element number clamped to the variable, and whether it was in range.
    fn element(&mut self, index: Lane, elem: u32, n: u32) -> (Lane, Lane) {
        let index = if self.b.is_uniform(index) { index } else { self.b.splat(index) };
        let last = self.b.u32(n.saturating_sub(1).saturating_sub(elem));
        let safe = self.b.umin(index, last);
        let ok = self.b.icmp(ICmp::Eq, safe, index);
        let e = self.b.u32(elem);
        (self.b.iadd(safe, e), ok)
    }

    /// Byte offset of each lane's scalar in its element's row.
    fn lane_offset(&mut self, element: Lane, row: u32, ty: Ty) -> Lane {
        let row = self.b.u32(row);
        let at = self.b.imul(element, row);
        let width = self.b.u32(if is_wide(ty) { 8 } else { 4 });
        let lane = self.b.lane_index();
        let lane = self.b.imul(lane, width);
        let lane = self.b.splat(lane);
        self.b.iadd(at, lane)
    }
}
