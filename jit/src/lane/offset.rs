//! Byte offsets made of indices: sums of `index * stride` that saturate instead of wrapping.
//!
//! Offsets that advance by a constant from lane to lane stay one 64-bit scalar and a stride, so that the
//! one range check of a vector access is exact and costs what it did without saturation.

use cranelift_codegen::ir::{InstBuilder, Value, types};
use smallvec::SmallVec;

use super::{Lane, LaneBuilder, Parts, Vecs};
use crate::ir::Ty;

/// `index * stride`; `bound` is the greatest value the index can have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    pub index: Lane,
    pub stride: u32,
    pub bound: u64,
}

/// See [`Parts::Offset`].
#[derive(Clone, Debug)]
pub(crate) struct Offset {
    /// Offset of lane 0 (I64).
    pub base: Value,
    /// Bytes from lane to lane, not negative.
    pub stride: i32,
    /// What it is the sum of.
    pub terms: SmallVec<[Term; 2]>,
}

/// Strides up to this one are multiplied in 64 bits without a check: 2^32 times it, summed over the
/// deepest type, is below 2^63.
const PLAIN_STRIDE: u32 = 1 << 24;
/// Most terms that are summed in 64 bits without a check.
const PLAIN_TERMS: usize = 64;

impl LaneBuilder<'_> {
    /// Sum of indices (I32, unsigned) times strides, at most 2^32 - 1; a sum past that is some value from
    /// 2^31 on, which no buffer reaches. Strides are not zero.
    pub(crate) fn byte_offset(&mut self, terms: &[Term]) -> Lane {
        if let [Term { index, stride: 1, .. }] = *terms {
            return index;
        }
        let known: Option<u64> = terms.iter().try_fold(0u64, |sum, t| {
            Some(sum.saturating_add((self.as_const(t.index)? & 0xffff_ffff) * u64::from(t.stride)))
        });
        if let Some(sum) = known {
            return self.u32(u32::try_from(sum).unwrap_or(u32::MAX));
        }
        match self.linear(terms) {
            Some(offset) => self.push(Ty::I32, Parts::Offset(Box::new(offset))),
            None => {
                let v = self.saturated(terms);
                self.push(Ty::I32, Parts::Varying(v))
            }
        }
    }

    /// The sum in 64 bits if no term decreases from lane to lane: then a lane whose index wraps lies
    /// beyond 2^32 here too.
    fn linear(&mut self, terms: &[Term]) -> Option<Offset> {
        if terms.len() > PLAIN_TERMS {
            return None;
        }
        let mut stride = 0i32;
        for t in terms {
            match self.repr(t.index).parts {
                Parts::Affine { stride: s, .. } if s >= 0 && t.stride <= PLAIN_STRIDE => {
                    let step = s.checked_mul(i32::try_from(t.stride).ok()?)?;
                    stride = stride.checked_add(step)?;
                }
                _ if self.is_uniform(t.index) => {}
                _ => return None,
            }
        }
        let mut base: Option<Value> = None;
        for t in terms {
            let index = match self.repr(t.index).parts {
                Parts::Affine { base, .. } => base,
                _ if t.stride > PLAIN_STRIDE => {
                    let most = self.u32(u32::MAX / t.stride);
                    let clamped = self.umin(t.index, most);
                    self.scalar(clamped)
                }
                _ => self.scalar(t.index),
            };
            let wide = self.fb.ins().uextend(types::I64, index);
            let step = self.times(wide, t.stride);
            base = Some(match base {
                Some(sum) => self.fb.ins().iadd(sum, step),
                None => step,
            });
        }
        Some(Offset { base: base?, stride, terms: terms.into() })
    }

    /// Each lane's sum.
    pub(crate) fn saturated(&mut self, terms: &[Term]) -> Vecs {
        let mut sum: Option<(Lane, u64)> = None;
        for t in terms {
            let most = u64::from(u32::MAX / t.stride);
            let (index, bound) = if t.bound <= most {
                (t.index, t.bound)
            } else {
                let most = self.u32(most as u32);
                let index = self.splat(t.index);
                (self.umin(index, most), u64::from(u32::MAX / t.stride))
            };
            let step = if t.stride.is_power_of_two() {
                let n = self.u32(t.stride.trailing_zeros());
                self.shl(index, n)
            } else {
                let k = self.u32(t.stride);
                self.imul(index, k)
            };
            let bound = bound * u64::from(t.stride);
            sum = Some(match sum {
                None => (step, bound),
                Some((a, known)) if known + bound <= u64::from(u32::MAX) => {
                    (self.iadd(a, step), known + bound)
                }
                Some((a, _)) => {
                    let a = self.splat(a);
                    let room = self.not(a);
                    let step = self.umin(step, room);
                    (self.iadd(a, step), u64::from(u32::MAX))
                }
            });
        }
        let sum = match sum {
            Some((sum, _)) => sum,
            None => self.u32(0),
        };
        self.vecs(sum)
    }

    /// The scalar of a uniform offset.
    pub(crate) fn saturated_scalar(&mut self, base: Value) -> Value {
        let max = self.fb.ins().iconst(types::I64, i64::from(u32::MAX));
        let v = self.fb.ins().umin(base, max);
        self.fb.ins().ireduce(types::I32, v)
    }

    /// A uniform offset in 64 bits, not saturated.
    pub(crate) fn wide_offset(&mut self, offset: Lane) -> Lane {
        match self.repr(offset).parts.clone() {
            Parts::Offset(o) if o.stride == 0 => self.push(Ty::I64, Parts::Uniform(o.base)),
            _ => self.u32_to_i64(offset),
        }
    }

    /// `(offset of lane 0 in 64 bits, stride)` of an offset that advances by a constant.
    pub(crate) fn as_wide_affine(&mut self, l: Lane) -> Option<(Lane, i32)> {
        match self.repr(l).parts.clone() {
            Parts::Affine { base, stride } => {
                let wide = self.fb.ins().uextend(types::I64, base);
                Some((self.push(Ty::I64, Parts::Uniform(wide)), stride))
            }
            Parts::Offset(o) if o.stride != 0 => Some((self.push(Ty::I64, Parts::Uniform(o.base)), o.stride)),
            _ => None,
        }
    }
}
