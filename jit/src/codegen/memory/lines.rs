//! Loads and stores that test at run time whether the elements of the group are consecutive, and then access one vector.
//!
//! A program on tensors divides the number of an invocation by sizes known only at run time, and multiplies the quotients by
//! strides. The elements of a group are mostly consecutive, but only a comparison of the offsets of all lanes can tell. It costs
//! much less than a gather or a scatter. The test is made for offsets with such a quotient and without a loaded index; other
//! offsets that are not known to be consecutive seldom are.

use smallvec::SmallVec;

use super::store::Facts;
use super::{Lanes, Shape};
use crate::Result;
use crate::codegen::{Buffer, Gen};
use crate::ir::op::Effect;
use crate::ir::{Op, Ty, Value};
use crate::lane::{ICmp, Lane};

/// Most operations that are visited for an offset.
const MOST_VISITS: usize = 64;

type Visited = SmallVec<[Value; MOST_VISITS]>;

/// Offsets that are consecutive if the tests hold.
struct LikelyLine {
    /// The offset in lane 0 (I64).
    first: Lane,
    /// Distance from lane to lane, in bytes.
    stride: u32,
    /// Tests (Bools): the offsets are these, none wraps, and all bytes are in range.
    holds: [Lane; 3],
}

impl Gen<'_, '_, '_> {
    /// Emits the tests for an access at offset `v`. `None` if the elements are known to be consecutive or unlikely to be, or if
    /// one vector does not hold them.
    fn likely_line(&mut self, b: Buffer, v: Value, shape: Shape) -> Result<Option<LikelyLine>> {
        let offset = self.val(v)?;
        let known = self.b.is_uniform(offset) || self.b.as_checked_affine(offset).is_some();
        let stride = shape.ty.bytes() * shape.n;
        let dense = shape.n == 1 || shape.mem.stride == shape.ty.bytes();
        let suits = dense && !shape.mem.ordered && self.affine_layout(shape, stride as i32);
        let uniform = self.b.is_uniform(b.base) && self.b.is_uniform(b.size);
        if known || !suits || !uniform || !self.avoids_calls() || !self.b.gathers(Ty::I32) {
            return Ok(None);
        }
        let mut visited = Visited::new();
        let computed = self.is_computed(v, &mut visited);
        if !computed || !visited.iter().any(|&v| self.is_quotient(v)) {
            return Ok(None);
        }
        let first = self.b.extract(offset, 0);
        let (index, step) = (self.b.lane_index(), self.b.u32(stride));
        let beyond = self.b.imul(index, step);
        let line = self.b.iadd(first, beyond);
        let same = self.b.icmp(ICmp::Eq, offset, line);
        let same = self.b.all(same);
        let most = self.b.u32(u32::MAX - stride * (self.b.lanes() - 1));
        let whole = self.b.icmp(ICmp::Ule, first, most);
        let first = self.b.wide_offset(first);
        let in_range = self.affine_in_range(b, first, stride, shape.end(shape.n - 1));
        Ok(Some(LikelyLine { first, stride, holds: [same, whole, in_range] }))
    }

    /// Loads elements that are likely to be consecutive; `None` as [`Gen::likely_line`].
    pub(super) fn load_likely_line(&mut self, b: Buffer, v: Value, shape: Shape) -> Result<Option<Lanes>> {
        let Some(line) = self.likely_line(b, v, shape)? else { return Ok(None) };
        let offset = self.val(v)?;
        Ok(Some(self.load_fast_if(
            &line.holds,
            shape,
            |g| g.load_affine_rows(b, line.first, line.stride, shape, false),
            |g| g.load_from(b, offset, shape),
        )))
    }

    /// Stores elements that are likely to be consecutive. Returns false, and emits nothing, if they are not.
    pub(super) fn store_likely_line(
        &mut self,
        b: Buffer,
        v: Value,
        shape: Shape,
        values: &[Lane],
        mask: Lane,
        facts: Facts,
    ) -> Result<bool> {
        let Some(line) = self.likely_line(b, v, shape)? else { return Ok(false) };
        let offset = self.val(v)?;
        let [same, whole, in_range] = line.holds;
        let ok = [self.b.all(mask), same, whole, in_range];
        self.fast_if(
            &ok,
            |g| g.store_affine_rows(b, line.first, line.stride, shape, values),
            |g| g.store_to(b, offset, shape, values, mask, facts),
        );
        Ok(true)
    }

    /// Returns true if an integer is computed without loads. Values that a loop or a selection hands on count as computed.
    fn is_computed(&mut self, v: Value, visited: &mut Visited) -> bool {
        let ty = self.shader.ty(v);
        let Some(i) = self.ranges.def(v) else { return ty.is_int() };
        if visited.contains(&v) {
            return true;
        }
        if visited.len() == MOST_VISITS || !(ty.is_int() || ty == Ty::Bool) {
            return false;
        }
        visited.push(v);
        let known = i.op == Op::BuiltIn || self.val(v).is_ok_and(|lane| self.b.is_uniform(lane));
        known || i.op.effect() == Effect::Pure && i.args.iter().all(|&a| self.is_computed(a, visited))
    }

    /// Returns true for a quotient or a remainder by a number that is known only when the code runs, and for the high half of
    /// a product, by which programs divide.
    fn is_quotient(&self, v: Value) -> bool {
        self.ranges.def(v).is_some_and(|i| match i.op {
            Op::UMulHigh => true,
            Op::UDiv | Op::UMod | Op::SDiv | Op::SMod | Op::SRem => self.ranges.bits(i.args[1]).is_none(),
            _ => false,
        })
    }
}
