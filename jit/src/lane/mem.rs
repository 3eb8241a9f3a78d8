//! Raw memory access of the lane builder. The code that computes addresses checks them.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use quadrille_wide::intrinsics::Intrinsic;

use super::masked::has_words;
use super::shape::{self, vector_of};
use super::{Lane, LaneBuilder, Parts, element_type, is_wide, scalar_type};
use crate::ir::Ty;

/// Guarantee about changes of the memory that a load reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// The memory may change.
    Plain,
    /// The access must not be merged with or forwarded to others.
    Ordered,
    /// The memory does not change while the function runs, so loads may move to their use.
    Steady,
}

impl LaneBuilder<'_> {
    /// Promises that memory read by gathers from here on does not change while the function runs.
    pub fn gather_steady(&mut self) {
        self.gather_access = Access::Steady;
    }

    pub(super) fn access_flags(access: Access) -> MemFlagsData {
        let flags = Self::flags();
        if access == Access::Steady { flags.with_readonly().with_can_move() } else { flags }
    }

    /// An address plus a constant.
    pub fn offset(&mut self, addr: Lane, bytes: i64) -> Lane {
        if bytes == 0 {
            return addr;
        }
        let a = self.scalar(addr);
        let v = self.fb.ins().iadd_imm_s(a, bytes);
        self.push(Ty::I64, Parts::Uniform(v))
    }
    /// An address plus a uniform unsigned I32 times a constant.
    pub fn index(&mut self, addr: Lane, i: Lane, scale: u32) -> Lane {
        let (a, i) = (self.scalar(addr), self.scalar(i));
        let i = self.extend_known(i);
        let i = self.times(i, scale);
        let v = self.fb.ins().iadd(a, i);
        self.push(Ty::I64, Parts::Uniform(v))
    }

    /// A scalar integer times a constant; a shift if possible, which address modes can absorb.
    pub(crate) fn times(&mut self, v: Value, k: u32) -> Value {
        match k {
            1 => v,
            k if k.is_power_of_two() => {
                let n = self.int_known(self.fb.func.dfg.value_type(v), i64::from(k.trailing_zeros()));
                self.fb.ins().ishl(v, n)
            }
            k => {
                let k = self.int_known(self.fb.func.dfg.value_type(v), i64::from(k));
                self.fb.ins().imul(v, k)
            }
        }
    }

    /// Loads one scalar of `ty` at `addr + offset` (I8 and I16 zero-extended; Bool is a byte).
    pub fn load(&mut self, ty: Ty, addr: Lane, offset: i32) -> Lane {
        let a = self.scalar(addr);
        let v = self.load_scalar(ty, a, offset, Access::Plain);
        self.push(ty, Parts::Uniform(v))
    }

    pub(crate) fn load_scalar(&mut self, ty: Ty, addr: Value, offset: i32, access: Access) -> Value {
        let flags = Self::access_flags(access);
        let ordered = access == Access::Ordered && matches!(ty, Ty::I32 | Ty::F32 | Ty::I64 | Ty::F64);
        if ordered {
            let addr = if offset == 0 { addr } else { self.fb.ins().iadd_imm_s(addr, i64::from(offset)) };
            let int = scalar_type(ty.as_int());
            let v = self.fb.ins().atomic_load(int, flags, addr);
            let t = scalar_type(ty);
            return if t == int { v } else { self.fb.ins().bitcast(t, shape::le(), v) };
        }
        match ty {
            Ty::I8 => self.fb.ins().uload8(types::I32, flags, addr, offset),
            Ty::I16 => self.fb.ins().uload16(types::I32, flags, addr, offset),
            Ty::F16 => {
                let bits = self.fb.ins().uload16(types::I32, flags, addr, offset);
                let bits = self.push(Ty::I32, Parts::Uniform(bits));
                let f = self.f16_bits_to_f32(bits);
                self.scalar(f)
            }
            _ => self.fb.ins().load(scalar_type(ty), flags, addr, offset),
        }
    }

    /// Stores a uniform scalar at `addr + offset`.
    pub fn store(&mut self, value: Lane, addr: Lane, offset: i32) {
        let ty = self.ty(value);
        let (v, a) = (self.scalar(value), self.scalar(addr));
        self.store_scalar(ty, v, a, offset);
    }

    pub(crate) fn store_scalar(&mut self, ty: Ty, v: Value, addr: Value, offset: i32) {
        let flags = Self::flags();
        match ty {
            Ty::I8 => self.fb.ins().istore8(flags, v, addr, offset),
            Ty::I16 => self.fb.ins().istore16(flags, v, addr, offset),
            Ty::F16 => {
                let f = self.push(Ty::F32, Parts::Uniform(v));
                let bits = self.f16_encoding(f);
                let bits = self.scalar(bits);
                self.fb.ins().istore16(flags, bits, addr, offset)
            }
            _ => self.fb.ins().store(flags, v, addr, offset),
        };
    }

    /// Asks for the cache line at `addr + offset`, of which nothing need be there; nothing where the host has no vectors of
    /// 256 bits.
    pub(crate) fn prefetch(&mut self, addr: Lane, offset: i64) {
        if self.is_wide_code() {
            let a = self.scalar(addr);
            let at = self.fb.ins().iadd_imm_s(a, offset);
            self.intrinsic_call(Intrinsic::Prefetch, &[at], types::INVALID);
        }
    }

    /// Loads a row: S consecutive scalars of a 32- or 64-bit type.
    pub fn load_row(&mut self, ty: Ty, addr: Lane, offset: i32) -> Lane {
        let a = self.scalar(addr);
        let (vt, bytes) = (self.vector_type(ty), self.vector_bytes() as i32);
        let v = (0..self.n_vecs(ty) as i32)
            .map(|i| {
                let v = self.fb.ins().load(vt, Self::flags(), a, offset + bytes * i);
                if ty == Ty::Bool && self.has_mask_registers() {
                    // The sign bits become a mask in a mask register.
                    let zero = self.vconst32(vt, &[0]);
                    return self.fb.ins().icmp(IntCC::SignedLessThan, v, zero);
                }
                v
            })
            .collect();
        self.push(ty, Parts::Varying(v))
    }

    /// Loads S consecutive bytes or 16-bit words, zero-extended to I32 lanes.
    pub fn load_row_narrow(&mut self, bytes: u32, addr: Lane, offset: i32) -> Lane {
        let a = self.scalar(addr);
        if self.is_wide_code() {
            return self.load_row_widened(bytes, a, offset);
        }
        let n = self.n_vecs(Ty::I32) as i32;
        let v = (0..n).map(|i| self.load_narrow(bytes, a, offset + 4 * bytes as i32 * i)).collect();
        self.push(Ty::I32, Parts::Varying(v))
    }

    /// As [`Self::load_row_narrow`], a whole vector at a time.
    fn load_row_widened(&mut self, bytes: u32, a: Value, offset: i32) -> Lane {
        let vt = self.int_vector();
        let size = vt.lane_count() * bytes;
        let narrow = if bytes == 2 { types::I16 } else { types::I8 };
        let v = (0..self.n_vecs(Ty::I32) as i32)
            .map(|i| {
                let at = offset + size as i32 * i;
                let row = if size < 16 {
                    let low = self.fb.ins().load(types::I64, Self::flags(), a, at);
                    let v = self.fb.ins().scalar_to_vector(types::I64X2, low);
                    self.vcast(vector_of(narrow, 128), v)
                } else {
                    self.fb.ins().load(vector_of(narrow, 8 * size), Self::flags(), a, at)
                };
                self.intrinsic(Intrinsic::WidenUnsigned, &[row], vt)
            })
            .collect();
        self.push(Ty::I32, Parts::Varying(v))
    }

    /// Loads S consecutive f16. NaN keeps its payload, unless [`Self::has_quiet_halves`].
    pub(crate) fn load_row_half(&mut self, addr: Lane, offset: i32) -> Lane {
        if !self.has_quiet_halves() {
            let bits = self.load_row_narrow(2, addr, offset);
            return self.word_to(bits, Ty::F16);
        }
        let (a, vt) = (self.scalar(addr), self.vector_type(Ty::F32));
        let size = 2 * vt.lane_count();
        let v = (0..self.n_vecs(Ty::F32) as i32)
            .map(|i| {
                let at = offset + size as i32 * i;
                let row = if size < 16 {
                    let low = self.fb.ins().load(types::I64, Self::flags(), a, at);
                    let v = self.fb.ins().scalar_to_vector(types::I64X2, low);
                    self.vcast(types::I16X8, v)
                } else {
                    self.fb.ins().load(vector_of(types::I16, 8 * size), Self::flags(), a, at)
                };
                self.intrinsic(Intrinsic::F16ToF32, &[row], vt)
            })
            .collect();
        self.push(Ty::F16, Parts::Varying(v))
    }

    /// Stores S consecutive f16. Signaling NaNs may become quiet.
    pub(crate) fn store_row_half(&mut self, value: Lane, addr: Lane, offset: i32) {
        if !self.is_wide_code() {
            let (word, at) = (self.to_word(value), self.offset(addr, i64::from(offset)));
            return self.store_row_narrow(word, 2, at);
        }
        let (a, vt) = (self.scalar(addr), self.vector_type(Ty::F32));
        let size = 2 * vt.lane_count();
        let value = self.splat(value);
        for (i, v) in self.vecs(value).into_iter().enumerate() {
            let at = offset + (size as usize * i) as i32;
            let row = self.intrinsic(Intrinsic::F32ToF16, &[v], vector_of(types::I16, (8 * size).max(128)));
            let row = if size < 16 {
                let pairs = self.vcast(types::I64X2, row);
                self.fb.ins().extractlane(pairs, 0)
            } else {
                row
            };
            self.fb.ins().store(Self::flags(), row, a, at);
        }
    }

    /// Loads four consecutive bytes or 16-bit words, zero-extended, into every quad of an I32 row: quad q
    /// comes from `addrs[q]`.
    pub fn load_quads_narrow(&mut self, bytes: u32, addrs: &[Lane]) -> Lane {
        let v: shape::Quads = addrs
            .iter()
            .map(|&a| {
                let a = self.scalar(a);
                self.load_narrow(bytes, a, 0)
            })
            .collect();
        self.push_quads(Ty::I32, &v)
    }

    /// Stores quad `i` of an I32 row as four bytes or 16-bit words; the lanes must fit.
    pub fn store_quad_narrow(&mut self, value: Lane, i: u32, bytes: u32, addr: Lane, offset: i32) {
        let v = self.quads(value)[i as usize];
        let a = self.scalar(addr);
        let v = self.fb.ins().unarrow(v, v);
        let x = if bytes == 2 {
            let v = self.fb.ins().bitcast(types::I64X2, shape::le(), v);
            self.fb.ins().extractlane(v, 0)
        } else {
            let v = self.fb.ins().unarrow(v, v);
            let v = self.fb.ins().bitcast(types::I32X4, shape::le(), v);
            self.fb.ins().extractlane(v, 0)
        };
        self.fb.ins().store(Self::flags(), x, a, offset);
    }

    /// Stores S consecutive bytes or 16-bit words from I32 lanes; the lanes must fit.
    pub(crate) fn store_row_narrow(&mut self, value: Lane, bytes: u32, addr: Lane) {
        let value = self.splat(value);
        for i in 0..self.lanes() / 4 {
            self.store_quad_narrow(value, i, bytes, addr, (4 * bytes * i) as i32);
        }
    }

    /// Returns true if [`Self::store_row_bytes`] emits code: a vector has at least 8 words.
    pub(crate) fn has_byte_rows(&self) -> bool {
        self.is_wide_code()
    }

    /// Stores the low bytes of S words at `addr + offset`, combined with `flip` by exclusive or, where
    /// [`Self::has_byte_rows`] is true.
    pub(crate) fn store_row_bytes(&mut self, value: Lane, flip: u8, addr: Lane, offset: i32) {
        let (a, mut offset) = (self.scalar(addr), offset);
        for v in self.vecs(value) {
            let mut bytes = self.bytes_of(v);
            if flip != 0 {
                let flips = self.vconst32(types::I8X16, &[u32::from_ne_bytes([flip; 4])]);
                bytes = self.fb.ins().bxor(bytes, flips);
            }
            let count = self.fb.func.dfg.value_type(v).lane_count() as i32;
            if count == 8 {
                // As a float, the low half leaves the vector register in one instruction.
                let pair = self.vcast(types::F64X2, bytes);
                bytes = self.fb.ins().extractlane(pair, 0);
            }
            self.fb.ins().store(Self::flags(), bytes, a, offset);
            offset += count;
        }
    }

    /// Returns true if [`Self::copy_bytes`] copies the bytes of two rows of S: they are as long as a vector of 128 bits.
    pub(crate) fn copies_bytes(&self) -> bool {
        self.is_wide_code() && self.lanes() == 8
    }

    /// Copies 16 bytes, combined with `flip` by exclusive or.
    pub(crate) fn copy_bytes(&mut self, from: Lane, flip: u8, to: Lane) {
        let (from, to) = (self.scalar(from), self.scalar(to));
        let mut bytes = self.fb.ins().load(types::I8X16, Self::flags(), from, 0);
        if flip != 0 {
            let flips = self.vconst32(types::I8X16, &[u32::from_ne_bytes([flip; 4])]);
            bytes = self.fb.ins().bxor(bytes, flips);
        }
        self.fb.ins().store(Self::flags(), bytes, to, 0);
    }

    /// The low bytes of a vector of 8 or 16 words, with zeros behind 8. If the words were widened, those from which they were.
    pub(super) fn bytes_of(&mut self, v: Value) -> Value {
        let dfg = &self.fb.func.dfg;
        let widened = dfg.value_def(dfg.resolve_aliases(v)).inst().and_then(|inst| {
            let called = Intrinsic::called(self.fb.func, inst)?;
            let bytes = *dfg.inst_args(inst).first()?;
            let widens = matches!(called, Intrinsic::WidenUnsigned | Intrinsic::WidenSigned);
            (widens && dfg.value_type(bytes) == types::I8X16).then_some(bytes)
        });
        widened.unwrap_or_else(|| self.intrinsic(Intrinsic::Truncate, &[v], types::I8X16))
    }

    fn load_narrow(&mut self, bytes: u32, a: Value, offset: i32) -> Value {
        let f = Self::flags();
        if bytes == 2 {
            return self.fb.ins().uload16x4(f, a, offset);
        }
        let w = self.fb.ins().load(types::I32, f, a, offset);
        let v = self.fb.ins().scalar_to_vector(types::I32X4, w);
        let v = self.fb.ins().bitcast(types::I8X16, shape::le(), v);
        let v = self.fb.ins().uwiden_low(v);
        self.fb.ins().uwiden_low(v)
    }

    /// Stores a row: S consecutive scalars of a 32- or 64-bit type.
    pub fn store_row(&mut self, value: Lane, addr: Lane, offset: i32) {
        let (a, bytes) = (self.scalar(addr), self.vector_bytes() as i32);
        for (i, v) in self.vecs(value).into_iter().enumerate() {
            self.fb.ins().store(Self::flags(), v, a, offset + bytes * i as i32);
        }
    }

    /// Loads four consecutive 32-bit scalars into every quad of the result: quad q of the value comes
    /// from `addrs[q]` (uniform addresses, one per quad).
    pub fn load_quads(&mut self, ty: Ty, addrs: &[Lane]) -> Lane {
        let vt = vector_of(element_type(ty), 128);
        let v: shape::Quads = addrs
            .iter()
            .map(|&a| {
                let a = self.scalar(a);
                self.fb.ins().load(vt, Self::flags(), a, 0)
            })
            .collect();
        self.push_quads(ty, &v)
    }

    /// Loads `words` consecutive 32-bit scalars, a multiple of four, from each of these uniform addresses, one after the other.
    pub fn load_spans(&mut self, ty: Ty, addrs: &[Lane], words: u32) -> Lane {
        let bits = self.span_bits(words);
        let vt = vector_of(element_type(ty), bits);
        let mut parts = shape::Quads::new();
        for &addr in addrs {
            let a = self.scalar(addr);
            for k in 0..32 * words / bits {
                parts.push(self.fb.ins().load(vt, Self::flags(), a, (bits / 8 * k) as i32));
            }
        }
        self.push_parts(ty, &parts)
    }

    /// Stores the scalars of a 32-bit row as [`Self::load_spans`] loads them.
    pub fn store_spans(&mut self, value: Lane, addrs: &[Lane], words: u32) {
        let bits = self.span_bits(words);
        let mut parts = self.cut_all(value, bits).into_iter();
        for &addr in addrs {
            let a = self.scalar(addr);
            for (k, part) in (0..32 * words / bits).zip(&mut parts) {
                self.fb.ins().store(Self::flags(), part, a, (bits / 8 * k) as i32);
            }
        }
    }

    /// Bits of the widest vectors that make up so many words.
    fn span_bits(&self, words: u32) -> u32 {
        [512, 256]
            .into_iter()
            .find(|&bits| bits <= self.vector_bits && (32 * words).is_multiple_of(bits))
            .unwrap_or(128)
    }

    /// Stores quad `i` of a 32-bit row to 16 bytes at `addr + offset`.
    pub fn store_quad(&mut self, value: Lane, i: u32, addr: Lane, offset: i32) {
        let v = self.quads(value)[i as usize];
        let a = self.scalar(addr);
        self.fb.ins().store(Self::flags(), v, a, offset);
    }

    /// Addresses `base + zext(offset)` of each lane; the offset is I32, the base uniform.
    pub(crate) fn lane_addresses(&mut self, base: Value, offset: Lane) -> Vec<Value> {
        let mut out = Vec::with_capacity(self.lanes() as usize);
        for four in self.quads(offset) {
            out.extend(self.quad_offsets(four).map(|o| self.fb.ins().iadd(base, o)));
        }
        out
    }

    /// The offsets of four lanes, zero-extended, from a vector of 128 bits.
    pub(super) fn quad_offsets(&mut self, offsets: Value) -> [Value; 4] {
        let pairs = self.fb.ins().bitcast(types::I64X2, shape::le(), offsets);
        // As a float, the low half leaves the vector register in one instruction.
        let low = self.fb.ins().bitcast(types::F64X2, shape::le(), pairs);
        let low = self.fb.ins().extractlane(low, 0);
        let low = self.fb.ins().bitcast(types::I64, shape::le(), low);
        let high = self.fb.ins().extractlane(pairs, 1);
        let mut halves = |pair: Value| {
            let low = self.fb.ins().ireduce(types::I32, pair);
            [self.fb.ins().uextend(types::I64, low), self.fb.ins().ushr_imm_u(pair, 32)]
        };
        let ([a, b], [c, d]) = (halves(low), halves(high));
        [a, b, c, d]
    }

    /// Gathers one scalar per lane from `base + zext(offset)`; every address must be readable.
    pub fn gather(&mut self, ty: Ty, base: Lane, offset: Lane) -> Lane {
        if self.is_uniform(offset) {
            let a = self.index(base, offset, 1);
            return self.load(ty, a, 0);
        }
        self.gather_from(ty, base, offset, self.gather_access)
    }

    /// As [`Self::gather`], for a varying offset.
    pub(super) fn gather_from(&mut self, ty: Ty, base: Lane, offset: Lane, access: Access) -> Lane {
        let b = self.scalar(base);
        if self.is_wide_code() && access != Access::Ordered && has_words(ty) {
            let v = self.gather_vectors(element_type(ty), b, offset, None);
            return self.push(ty, Parts::Varying(v));
        }
        let addrs = self.lane_addresses(b, offset);
        self.load_scalars(ty, addrs, access)
    }

    /// Loads one scalar from each address.
    fn load_scalars(&mut self, ty: Ty, addresses: Vec<Value>, access: Access) -> Lane {
        // Encodings are converted for all lanes at once.
        let held = if ty == Ty::F16 { Ty::I16 } else { ty };
        let s: Vec<Value> = addresses.into_iter().map(|a| self.load_scalar(held, a, 0, access)).collect();
        let row = self.from_scalars(held, &s);
        if held == ty { row } else { self.word_to(row, ty) }
    }

    /// Gathers one scalar per lane from addresses (I64), all of which must be readable; as ordered accesses if
    /// `ordered`.
    pub(crate) fn gather_at(&mut self, ty: Ty, addresses: Lane, ordered: bool) -> Lane {
        let access = if ordered { Access::Ordered } else { Access::Plain };
        let addresses = self.lane_scalars(addresses);
        self.load_scalars(ty, addresses, access)
    }

    /// Gathers two consecutive 32-bit scalars per lane from `base + zext(offset)`; returns the row of the first and the
    /// row of the second ones. Every address must be readable for 8 bytes.
    pub fn gather_pairs(&mut self, base: Lane, offset: Lane) -> (Lane, Lane) {
        let b = self.scalar(base);
        if self.is_wide_code() {
            let pairs = self.gather_vectors(types::I64, b, offset, None);
            return self.part_pairs(&pairs);
        }
        let addrs = self.lane_addresses(b, offset);
        let flags = Self::access_flags(self.gather_access);
        // As integers, loads that move to their use become memory operands. As floats, loads that stay go directly to
        // vector registers.
        let (one, vector) = match self.gather_access {
            Access::Steady => (types::I64, types::I64X2),
            _ => (types::F64, types::F64X2),
        };
        let two = |s: &mut Self, a: &[Value]| {
            let lo = s.fb.ins().load(one, flags, a[0], 0);
            let v = s.fb.ins().scalar_to_vector(vector, lo);
            let hi = s.fb.ins().load(one, flags, a[1], 0);
            let v = s.fb.ins().insertlane(v, hi, 1);
            s.fb.ins().bitcast(types::I32X4, shape::le(), v)
        };
        let (mut first, mut second) = (super::Vecs::new(), super::Vecs::new());
        for a in addrs.chunks(4) {
            let (x, y) = (two(self, &a[..2]), two(self, &a[2..]));
            first.push(self.shuffle32(x, y, [0, 2, 4, 6]));
            second.push(self.shuffle32(x, y, [1, 3, 5, 7]));
        }
        let first = self.push(Ty::I32, Parts::Varying(first));
        (first, self.push(Ty::I32, Parts::Varying(second)))
    }

    /// Runs `f(lane)` for each lane where the mask is true, with the uniform lane number, in ascending order.
    pub fn for_each_active(&mut self, mask: Lane, f: impl FnOnce(&mut Self, Lane)) {
        let bits = self.mask_bits(mask);
        let rest = self.declare(Ty::I32, true);
        self.set(&rest, bits);
        let r = rest.clone();
        self.while_loop(
            |b| {
                let bits = b.get(&r);
                let zero = b.i32(0);
                b.icmp(super::ICmp::Ne, bits, zero)
            },
            |b| {
                let bits = b.get(&rest);
                let s = b.scalar(bits);
                let lane = b.fb.ins().ctz(s);
                let lane = b.push(Ty::I32, Parts::Uniform(lane));
                let less = b.fb.ins().iadd_imm_s(s, -1);
                let left = b.fb.ins().band(s, less);
                let left = b.push(Ty::I32, Parts::Uniform(left));
                b.set(&rest, left);
                f(b, lane);
            },
        );
        self.release(r);
    }

    /// Stores one scalar per lane where the mask is true, to `base + zext(offset) + at`; the addresses of those lanes
    /// must be writable. Never writes for other lanes.
    pub fn scatter(&mut self, values: &[(Lane, i32)], base: Lane, offset: Lane, mask: Lane) {
        if self.has_masked_stores() && values.iter().all(|&(v, _)| has_words(self.ty(v))) {
            for &(value, at) in values {
                let base = self.offset(base, i64::from(at));
                self.scatter_where(value, base, offset, mask);
            }
            return;
        }
        let full = self.all(mask);
        let full = self.scalar(full);
        let (fast, slow, done) = (self.fb.create_block(), self.fb.create_block(), self.fb.create_block());
        self.fb.ins().brif(full, fast, &[], slow, &[]);
        self.fb.seal_block(fast);
        self.fb.seal_block(slow);

        self.fb.switch_to_block(fast);
        let b = self.scalar(base);
        let addrs = self.lane_addresses(b, offset);
        for &(value, at) in values {
            let ty = self.ty(value);
            for (i, v) in self.lane_scalars(value).into_iter().enumerate() {
                self.store_scalar(ty, v, addrs[i], at);
            }
        }
        self.fb.ins().jump(done, &[]);

        self.fb.switch_to_block(slow);
        let mark = self.mark_temporaries();
        let rows: Vec<(Ty, Lane, i32)> =
            values.iter().map(|&(value, at)| (self.ty(value), self.spill(value), at)).collect();
        let offsets = self.spill(offset);
        self.for_each_active(mask, |s, lane| {
            let at = s.index(offsets, lane, 4);
            let at = s.load(Ty::I32, at, 0);
            let addr = s.index(base, at, 1);
            for (ty, row, k) in rows {
                let from = s.index(row, lane, if is_wide(ty) { 8 } else { 4 });
                let held = if ty == Ty::F16 {
                    Ty::F32
                } else if matches!(ty, Ty::I8 | Ty::I16) {
                    Ty::I32
                } else {
                    ty
                };
                let v = s.load(held, from, 0);
                let (v, a) = (s.scalar(v), s.scalar(addr));
                s.store_scalar(ty, v, a, k);
            }
        });
        self.release_temporaries(mark);
        self.fb.ins().jump(done, &[]);
        self.fb.seal_block(done);
        self.fb.switch_to_block(done);
    }

    /// Writes a row to the stack and returns its address. Rows of narrow types have 32-bit elements.
    pub fn spill(&mut self, value: Lane) -> Lane {
        let ty = self.ty(value);
        let at = self.temporary(self.row_bytes(ty));
        self.store_row(value, at, 0);
        at
    }

    /// Reads an atomic `u32`; reads are never merged.
    pub(crate) fn atomic_u32(&mut self, addr: Lane) -> Lane {
        let a = self.scalar(addr);
        let v = self.fb.ins().atomic_load(types::I32, MemFlagsData::new().with_notrap(), a);
        self.push(Ty::I32, Parts::Uniform(v))
    }
}
