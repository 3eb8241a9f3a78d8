//! Accesses at offsets of 64 bits that advance by a constant from lane to lane, as vectors.
//!
//! Such an offset is a sum of products with constants, of indices that the front end clamps. A test of lanes 0 and S - 1, at each
//! access, finds out that no lane wraps or is clamped. Other accesses look at each lane.

use smallvec::SmallVec;

use super::{Lanes, Shape};
use crate::codegen::{Buffer, Gen, Handle};
use crate::ir::{Inst, Op, Ty, Value};
use crate::lane::{ICmp, Lane};
use crate::{Error, Result};

/// Instructions from an offset to its indices.
const DEPTH: u32 = 16;
/// Greatest distance from lane to lane, in bytes or elements.
const FAR: i64 = 1 << 16;

/// Numbers of 64 bits that advance by a constant.
pub(super) struct Steps {
    /// The number of lane 0 (I64).
    first: Lane,
    /// From lane to lane; from 0 to [`FAR`].
    stride: i64,
    /// Truth values without which the numbers are not these.
    needs: SmallVec<[Lane; 4]>,
}

impl Gen<'_, '_, '_> {
    /// The value (I64) of each lane, if it advances by a constant.
    fn steps_of(&mut self, v: Value, depth: u32) -> Option<Steps> {
        let lane = self.val(v).ok()?;
        if self.b.is_uniform(lane) {
            return Some(Steps { first: lane, stride: 0, needs: SmallVec::new() });
        }
        // Behind a barrier, the group has this value back, but perhaps not those that it was computed from.
        if self.barriers.kept.contains(&v) {
            return None;
        }
        let i = self.ranges.def(v).filter(|_| depth > 0)?;
        let steps = match i.op {
            Op::SConvert | Op::UConvert if self.shader.ty(i.args[0]) == Ty::I32 => self.steps_of_index(i)?,
            Op::IAdd => {
                let a = self.steps_of(i.args[0], depth - 1)?;
                let b = self.steps_of(i.args[1], depth - 1)?;
                let first = self.b.iadd(a.first, b.first);
                Steps {
                    first,
                    stride: a.stride + b.stride,
                    needs: a.needs.into_iter().chain(b.needs).collect(),
                }
            }
            Op::IMul => {
                let k = usize::from(self.ranges.bits(i.args[1]).is_some());
                let by = self.ranges.bits(i.args[k])?;
                self.scaled_steps(i.args[1 - k], by, depth)?
            }
            Op::Shl => {
                let by = self.ranges.bits(i.args[1]).filter(|by| *by < 32)?;
                self.scaled_steps(i.args[0], 1 << by, depth)?
            }
            Op::SMax | Op::SMin => self.clamped_steps(i, depth)?,
            _ => return None,
        };
        (0..=FAR).contains(&steps.stride).then_some(steps)
    }

    /// An index of 32 bits that advances by a constant, in 64 bits.
    fn steps_of_index(&mut self, i: &Inst) -> Option<Steps> {
        let index = self.val(i.args[0]).ok()?;
        let (base, stride) = self.b.as_affine(index)?;
        let signed = i.op == Op::SConvert;
        let reach = u32::try_from(stride).ok()?.checked_mul(self.b.lanes() - 1)?;
        let most = if signed { i32::MAX as u32 } else { u32::MAX };
        let most = self.b.u32(most.checked_sub(reach)?);
        let holds = self.b.icmp(if signed { ICmp::Sle } else { ICmp::Ule }, base, most);
        let first = self.b.i32_to_i64(base, signed);
        Some(Steps { first, stride: stride.into(), needs: [holds].into_iter().collect() })
    }

    fn scaled_steps(&mut self, v: Value, by: u64, depth: u32) -> Option<Steps> {
        let by = i64::try_from(by).ok().filter(|by| *by <= FAR)?;
        let x = self.steps_of(v, depth - 1)?;
        let k = self.b.i64(by);
        Some(Steps { first: self.b.imul(x.first, k), stride: x.stride * by, ..x })
    }

    /// A minimum or maximum that is always the operand that advances.
    fn clamped_steps(&mut self, i: &Inst, depth: u32) -> Option<Steps> {
        let k = usize::from(self.ranges.bits(i.args[1]).is_some());
        let limit = self.ranges.bits(i.args[k])?;
        let mut x = self.steps_of(i.args[1 - k], depth - 1)?;
        let limit = self.b.i64(limit.cast_signed());
        let last = self.b.offset(x.first, x.stride * i64::from(self.b.lanes() - 1));
        let rises = self.b.icmp(ICmp::Sle, x.first, last);
        let (low, high) = if i.op == Op::SMax { (limit, x.first) } else { (last, limit) };
        let within = self.b.icmp(ICmp::Sle, low, high);
        x.needs.extend([rises, within]);
        Some(x)
    }

    /// The buffer of an access whose offsets of 64 bits advance by a constant that vector accesses can have.
    fn wide_line(&mut self, i: &Inst, shape: Shape) -> Result<Option<(Buffer, Steps)>> {
        if shape.mem.ordered || self.shader.ty(i.args[1]) != Ty::I64 {
            return Ok(None);
        }
        let Handle::Buffer(b) = self.handle(i.args[0])? else { return Ok(None) };
        let offset = self.val(i.args[1])?;
        if self.b.is_uniform(offset) || !(self.b.is_uniform(b.base) && self.b.is_uniform(b.size)) {
            return Ok(None);
        }
        let steps = self.steps_of(i.args[1], DEPTH);
        let fits = |s: &Steps| i32::try_from(s.stride).is_ok_and(|stride| self.affine_layout(shape, stride));
        Ok(steps.filter(fits).map(|steps| (b, steps)))
    }

    /// Emits the tests that the offsets are these and that all bytes are in range.
    fn line_holds(&mut self, b: Buffer, steps: &Steps, shape: Shape) -> SmallVec<[Lane; 4]> {
        let inside = self.b.icmp(ICmp::Ule, steps.first, b.size);
        let whole = self.affine_in_range(b, steps.first, steps.stride as u32, shape.end(shape.n - 1));
        [inside, whole].into_iter().chain(steps.needs.iter().copied()).collect()
    }

    /// Loads with offsets of 64 bits that advance by a constant; `None` for other offsets.
    pub(super) fn load_line(&mut self, i: &Inst, shape: Shape) -> Result<Option<Lanes>> {
        let Some((b, steps)) = self.wide_line(i, shape)? else { return Ok(None) };
        let ok = self.line_holds(b, &steps, shape);
        let (handle, offset) = self.placed(i)?;
        let Handle::BufferLanes(each) = handle else {
            return Err(Error::Internal("a line without buffers by lane".into()));
        };
        Ok(Some(self.load_fast_if(
            &ok,
            shape,
            |g| g.load_affine_rows(b, steps.first, steps.stride as u32, shape, false),
            |g| g.load_lanes(each, offset, shape),
        )))
    }

    /// Stores with offsets of 64 bits that advance by a constant; returns `false` for other offsets.
    pub(super) fn store_line(&mut self, i: &Inst, shape: Shape, values: &[Lane], mask: Lane) -> Result<bool> {
        let Some((b, steps)) = self.wide_line(i, shape)? else { return Ok(false) };
        let rows = shape.is_rows(steps.stride as i32);
        if self.missing || rows || steps.stride < i64::from(shape.ty.bytes() * shape.n) {
            return Ok(false);
        }
        let mut ok = self.line_holds(b, &steps, shape);
        ok.push(self.b.all(mask));
        let (handle, offset) = self.placed(i)?;
        let Handle::BufferLanes(each) = handle else {
            return Err(Error::Internal("a line without buffers by lane".into()));
        };
        self.fast_if(
            &ok,
            |g| g.store_affine_rows(b, steps.first, steps.stride as u32, shape, values),
            |g| g.store_lanes(each, offset, shape, values, mask),
        );
        Ok(true)
    }
}
