//! Byte offsets computed from indices: sums of `index * stride` that saturate instead of wrapping.
//!
//! An offset that advances by a constant from lane to lane stays one 64-bit scalar and a stride. The single range check
//! of a vector access is then exact, and costs the same as without saturation.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use smallvec::SmallVec;

use super::{ICmp, Lane, LaneBuilder, Parts, Vecs};
use crate::abi::{ADDRESS_REACH, INSIDE};
use crate::ir::Ty;

/// `index * stride`; `bound` is the maximum value of the index.
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
    /// Bytes from lane to lane; not negative.
    pub stride: i32,
    /// False if the base is [`FAR`] where an index wraps, although the offsets may be in range.
    sure: bool,
    /// The terms of the sum.
    pub terms: SmallVec<[Term; 2]>,
}

/// Offsets `index * stride`, saturating; the index is `first + step * lane`, wrapping.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// Index in lane 0 (I32, uniform).
    pub first: Lane,
    pub step: u16,
    pub stride: u16,
}

/// Strides up to this limit are multiplied in 64 bits without a check: 2^32 times the limit, summed over the deepest
/// type, is below 2^63.
const PLAIN_STRIDE: u32 = 1 << 24;
/// For strides up to this limit, the greatest multiple below 2^32 is out of reach.
const NEAR_STRIDE: u32 = ((1 << 32) - ADDRESS_REACH) as u32;
/// An offset that is out of range of everything, even if the length of an access is added.
const FAR: i64 = 1 << 40;
/// Maximum number of terms that are summed in 64 bits without a check.
const PLAIN_TERMS: usize = 64;

impl LaneBuilder<'_> {
    /// Sum of indices (I32 or I64, unsigned) times strides, saturating: a sum of 2^32 or more becomes some value
    /// from [`ADDRESS_REACH`] to 2^32 - 1, which is out of reach in every buffer. Strides are not zero. With an index of 64 bits the
    /// sum is an offset in a buffer, see [`crate::ir::Op::Offset`].
    pub(crate) fn byte_offset(&mut self, terms: &[Term]) -> Lane {
        let wide = self.has_wide(terms);
        if let ([Term { index, stride: 1, .. }], false) = (terms, wide) {
            return *index;
        }
        let known: Option<u64> = terms.iter().try_fold(0u64, |sum, t| {
            let (index, stride) = (self.as_const(t.index)?, u64::from(t.stride));
            Some(match wide {
                true => index.wrapping_mul(stride).wrapping_add(sum) & INSIDE,
                false => sum.saturating_add((index & 0xffff_ffff) * stride),
            })
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

    /// True if an index has 64 bits.
    fn has_wide(&self, terms: &[Term]) -> bool {
        terms.iter().any(|t| self.ty(t.index) == Ty::I64)
    }

    /// The sum in 64 bits, if no term decreases from lane to lane. A lane whose index wraps then lies beyond 2^32 here,
    /// too. That does not hold with indices of 64 bits, which may be negative, nor with quotients: there, a sum in which an
    /// index or a dividend wraps becomes [`FAR`], so that accesses take the path that looks at each lane. So does a sum that
    /// is negative in lane 0.
    fn linear(&mut self, terms: &[Term]) -> Option<Offset> {
        if terms.len() > PLAIN_TERMS {
            return None;
        }
        let mut stride = 0i32;
        for t in terms {
            let steps = match &self.repr(t.index).parts {
                Parts::Affine { stride: s, .. } => *s,
                Parts::Quotient(q) => q.step(),
                _ if self.is_uniform(t.index) => continue,
                _ => return None,
            };
            if steps < 0 || t.stride > PLAIN_STRIDE {
                return None;
            }
            let step = steps.checked_mul(i32::try_from(t.stride).ok()?)?;
            stride = stride.checked_add(step)?;
        }
        let mut base: Option<Value> = None;
        // Truth values without which the sum is that of lane 0 only.
        let mut needs: SmallVec<[Value; 2]> = SmallVec::new();
        // Indices in lane 0, each with its difference from lane to lane.
        let mut advancing: SmallVec<[(Value, i32); 2]> = SmallVec::new();
        for t in terms {
            let index = match self.repr(t.index).parts.clone() {
                Parts::Affine { base, stride } => {
                    advancing.push((base, stride));
                    base
                }
                Parts::Quotient(q) => {
                    let steps = self.steps(&q);
                    needs.push(steps.holds);
                    advancing.push((steps.first, q.step()));
                    steps.first
                }
                _ if t.stride > PLAIN_STRIDE => {
                    // The smallest index beyond 32 bits.
                    let most = self.u32(u32::MAX / t.stride + 1);
                    let clamped = self.umin(t.index, most);
                    self.scalar(clamped)
                }
                _ => self.scalar(t.index),
            };
            let wide = match self.ty(t.index) {
                Ty::I64 => index,
                _ => self.extend_known(index),
            };
            let step = self.times(wide, t.stride);
            base = Some(match base {
                Some(sum) => self.fb.ins().iadd(sum, step),
                None => step,
            });
        }
        let mut base = base?;
        if self.has_wide(terms) {
            let inside = self.fb.ins().iconst(types::I64, INSIDE as i64);
            base = self.fb.ins().band(base, inside);
            for (first, step) in advancing {
                let most = u32::MAX.checked_sub((step as u32).checked_mul(self.lanes - 1)?)?;
                let most = self.fb.ins().iconst(types::I32, i64::from(most));
                needs.push(self.fb.ins().icmp(IntCC::UnsignedLessThanOrEqual, first, most));
            }
        }
        if !needs.is_empty() {
            let far = self.fb.ins().iconst(types::I64, FAR);
            base = needs.iter().fold(base, |base, &holds| self.fb.ins().select(holds, base, far));
        }
        Some(Offset { base, stride, sure: needs.is_empty(), terms: terms.into() })
    }

    /// The sum with indices of 64 bits in each lane, saturated.
    fn modular(&mut self, terms: &[Term]) -> Lane {
        let mut sum = None;
        for t in terms {
            let index = match self.ty(t.index) {
                Ty::I64 => t.index,
                _ => self.i32_to_i64(t.index, false),
            };
            let step = match t.stride {
                1 => index,
                stride if stride.is_power_of_two() => {
                    let n = self.u32(stride.trailing_zeros());
                    self.shl(index, n)
                }
                stride => {
                    let k = self.i64(i64::from(stride));
                    self.imul(index, k)
                }
            };
            sum = match sum {
                Some(sum) => Some(self.iadd(sum, step)),
                None => Some(step),
            };
        }
        let sum = match sum {
            Some(sum) => sum,
            None => self.i64(0),
        };
        let inside = self.i64(INSIDE as i64);
        let sum = self.and(sum, inside);
        let sum = self.splat(sum);
        self.saturated_word(sum)
    }

    /// An I64 as an I32, 2^32 - 1 if it does not fit.
    pub(crate) fn saturated_word(&mut self, wide: Lane) -> Lane {
        let (low, high) = (self.low_word(wide), self.high_word(wide));
        let zero = self.u32(0);
        let fits = self.icmp(ICmp::Eq, high, zero);
        let max = self.u32(u32::MAX);
        self.select(fits, low, max)
    }

    /// The sum in each lane.
    pub(crate) fn saturated(&mut self, terms: &[Term]) -> Vecs {
        if self.has_wide(terms) {
            let sum = self.modular(terms);
            return self.vecs(sum);
        }
        let mut sum: Option<(Lane, u64)> = None;
        for t in terms {
            let (step, bound) = self.saturated_step(t);
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

    /// `index * stride`, and its upper bound.
    fn saturated_step(&mut self, t: &Term) -> (Lane, u64) {
        let times = |b: &mut Self, index: Lane| match t.stride.is_power_of_two() {
            true => {
                let n = b.u32(t.stride.trailing_zeros());
                b.shl(index, n)
            }
            false => {
                let k = b.u32(t.stride);
                b.imul(index, k)
            }
        };
        let most = u32::MAX / t.stride;
        if t.bound <= u64::from(most) {
            return (times(self, t.index), t.bound * u64::from(t.stride));
        }
        let index = self.splat(t.index);
        let limit = self.u32(most);
        if t.stride <= NEAR_STRIDE {
            // The product is less than one stride below 2^32, which is out of reach.
            let index = self.umin(index, limit);
            return (times(self, index), u64::from(most) * u64::from(t.stride));
        }
        let fits = self.icmp(ICmp::Ule, index, limit);
        let (step, past) = (times(self, index), self.u32(u32::MAX));
        (self.select(fits, step, past), u64::from(u32::MAX))
    }

    /// The line of an offset with a single index that advances by a short constant step.
    pub(crate) fn as_line(&mut self, l: Lane) -> Option<Line> {
        let (first, step, stride) = match &self.repr(l).parts {
            Parts::Affine { base, stride } => (*base, *stride, 1),
            Parts::Offset(o) => match o.terms[..] {
                [Term { index, stride, .. }] => match self.repr(index).parts {
                    Parts::Affine { base, stride: step } => (base, step, stride),
                    _ => return None,
                },
                _ => return None,
            },
            _ => return None,
        };
        let (step, stride) = (u16::try_from(step).ok()?, u16::try_from(stride).ok()?);
        Some(Line { first: self.push(Ty::I32, Parts::Uniform(first)), step, stride })
    }

    /// The scalar of a uniform offset, saturated.
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
        match &self.repr(l).parts {
            Parts::Offset(o) if !o.sure => None,
            _ => self.as_checked_affine(l),
        }
    }

    /// The same, or [`FAR`] for lane 0 where an index wraps. The access must look at each lane where the vector is out of
    /// range.
    pub(crate) fn as_checked_affine(&mut self, l: Lane) -> Option<(Lane, i32)> {
        match self.repr(l).parts.clone() {
            Parts::Affine { base, stride } => {
                let wide = self.extend_known(base);
                Some((self.push(Ty::I64, Parts::Uniform(wide)), stride))
            }
            Parts::Offset(o) if o.stride != 0 => Some((self.push(Ty::I64, Parts::Uniform(o.base)), o.stride)),
            _ => None,
        }
    }
}
