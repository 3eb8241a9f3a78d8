//! Buffers, workgroup memory and private arrays; every access is checked.
//!
//! An access has a uniform base and size, a byte offset per lane, a number of scalars, and a stride between them. A
//! uniform offset takes one load. Offsets that advance by a constant from lane to lane take vector loads after one
//! range check. All others are gathered from clamped offsets. The rare cases are those partly out of range, partly masked,
//! and scattered stores: gathers and scatters where the host has them, and functions of `crate::runtime`.
//!
//! * `descriptor`: descriptors of buffers and images
//! * `load`, `store`: buffers and workgroup memory
//! * `constant`: tables of constants
//! * `private`: private variables that stayed in memory
//! * `apart`: loads at known distances from the first lane
//! * `lines`: tests at run time for consecutive elements
//! * `wide`: offsets of 64 bits that advance by a constant
//! * `runs`: consecutive scalars of 8 or 16 bits, accessed as words

mod ahead;
mod apart;
mod constant;
mod descriptor;
mod lines;
mod load;
mod private;
mod runs;
mod store;
mod wide;

pub(super) use constant::Constants;

use smallvec::SmallVec;

use super::{Buffer, Gen, Handle};
use crate::abi;
use crate::ir::{Imm, Inst, Mem, Ty};
use crate::lane::{ICmp, Lane, LaneBuilder, Line};
use crate::{Error, Result, Tier};

pub(super) type Lanes = SmallVec<[Lane; 4]>;

/// Static shape of an access: `n` scalars of `ty` from `mem`.
#[derive(Clone, Copy)]
pub(in crate::codegen) struct Shape {
    pub ty: Ty,
    pub n: u32,
    pub mem: Mem,
}

impl Shape {
    /// Bytes from the dynamic offset to the end of scalar `k`.
    pub fn end(&self, k: u32) -> u64 {
        self.start(k) + u64::from(self.ty.bytes())
    }
    /// Bytes from the dynamic offset to scalar `k`; may exceed 2^32.
    pub fn start(&self, k: u32) -> u64 {
        u64::from(self.mem.offset) + u64::from(k) * u64::from(self.mem.stride)
    }
    /// Address of scalar `k`, as an address and a displacement that fits in an instruction.
    fn place(&self, b: &mut LaneBuilder, at: Lane, k: u32) -> (Lane, i32) {
        match i32::try_from(self.start(k)) {
            Ok(near) if near < 1 << 30 => (at, near),
            _ => (b.offset(at, self.start(k) as i64), 0),
        }
    }
    /// The shape, packed for runtime helpers.
    pub fn packed(&self) -> (u64, u64) {
        (
            u64::from(self.mem.offset) | u64::from(self.mem.stride) << 32,
            u64::from(self.n) | u64::from(self.ty.bytes()) << 8,
        )
    }
    /// The same for words whose offsets form a line; see `crate::runtime`.
    fn packed_line(&self, line: Line, lanes: u32) -> (u64, u64) {
        (
            u64::from(self.mem.offset) | u64::from(line.stride) << 32,
            u64::from(self.n) | u64::from(lanes) << 8 | u64::from(line.step) << 16,
        )
    }
    /// The offsets as a line. Only in the first tier, where emitting few instructions matters.
    fn line(&self, g: &mut Gen, offset: Lane) -> Option<Line> {
        if g.tier == Tier::First && self.is_words() { g.b.as_line(offset) } else { None }
    }
    /// Returns true for consecutive 32-bit words.
    fn is_words(&self) -> bool {
        self.ty.bytes() == 4 && (self.n == 1 || self.mem.stride == 4)
    }
}

impl Gen<'_, '_, '_> {
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

    /// Buffer and offset (I32) of an access. With an offset of 64 bits, that is the buffer from there on, which is empty if the
    /// offset is past the end.
    pub(super) fn placed(&mut self, i: &Inst) -> Result<(Handle, Lane)> {
        let (handle, offset) = (self.handle(i.args[0])?, self.val(i.args[1])?);
        if self.b.ty(offset) != Ty::I64 {
            return Ok((handle, offset));
        }
        let (base, size) = self.parts_of(handle)?;
        let uniform = [base, size, offset].iter().all(|&l| self.b.is_uniform(l));
        let [base, size, offset] = [base, size, offset].map(|l| if uniform { l } else { self.b.splat(l) });
        let inside = self.b.icmp(ICmp::Ule, offset, size);
        let left = self.b.isub(size, offset);
        let nothing = self.b.i64(0);
        let left = self.b.select(inside, left, nothing);
        let base = self.b.iadd(base, offset);
        Ok((self.buffer_at(base, left), self.b.u32(0)))
    }

    /// Returns true if rare cases are better emitted in place, since in some shaders they are the usual ones. The first tier
    /// emits few instructions instead.
    pub(super) fn avoids_calls(&self) -> bool {
        self.tier == Tier::Optimized
    }

    /// Returns true if an access to workgroup memory is known to be in range in every lane, so that no check is needed.
    pub(super) fn always_in_range(&mut self, i: &Inst, shape: Shape) -> Result<bool> {
        let offset = i.args[0];
        let known = self.ranges.upper(offset) + shape.end(shape.n - 1) <= u64::from(self.shader.shared_size);
        if known {
            self.claim_bound(i, offset, true)?;
        }
        Ok(known && !self.verifies())
    }

    /// Returns true for layouts that vector loads can read: rows of scalars, or up to 4 words per lane at a constant
    /// stride.
    fn affine_layout(&self, shape: Shape, stride: i32) -> bool {
        let words = shape.is_words() || shape.as_words().is_some();
        words && stride > 0 && stride <= 4096 && stride % 4 == 0
            || shape.is_narrow_row(stride)
            || shape.is_rows(stride)
    }

    /// Emits the test that in lanes `0..S` from byte offset `first` (I64) the bytes up to `end` are all in range.
    pub(super) fn affine_in_range(&mut self, b: Buffer, first: Lane, stride: u32, end: u64) -> Lane {
        let last = u64::from(stride) * u64::from(self.b.lanes() - 1) + end;
        let last = self.b.i64(last as i64);
        let end = self.b.iadd(first, last);
        self.b.icmp(ICmp::Ule, end, b.size)
    }

    /// The lanes with `need` bytes in range at their offset. The greatest offset, where offsets saturate, never is.
    fn lanes_in_range(&mut self, b: Buffer, offset: Lane, need: u64) -> Lane {
        let n = self.b.i64(need as i64);
        let some = self.b.icmp(ICmp::Uge, b.size, n);
        let room = self.b.offset(b.size, 1 - need as i64);
        let none = self.b.i64(0);
        let room = self.b.select(some, room, none);
        let max = self.b.i64(i64::from(u32::MAX));
        let room = self.b.umin(room, max);
        let room = self.b.i64_to_i32(room);
        self.b.icmp(ICmp::Ult, offset, room)
    }

    /// Greatest offset that has `need` bytes in range, and the base address for scalar `start` at offset 0. If not even
    /// offset 0 is in range: 0, and the address of zeros.
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
        let zeros = self.b.ptr(abi::zeros());
        (limit, self.b.select(ok, base, zeros))
    }
}
