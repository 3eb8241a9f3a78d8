//! Quotients by a power of two of values that advance from lane to lane by a multiple of it. They advance by a constant, too,
//! unless the dividend wraps within the group.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::{Lane, LaneBuilder, Parts, Vecs};
use crate::ir::Ty;

/// I32 `((base + stride * lane) >> shift) + add`; sums wrap.
#[derive(Clone, Debug)]
pub(crate) struct Quotient {
    base: Value,
    /// A positive multiple of `1 << shift`.
    stride: u32,
    shift: u32,
    add: Value,
}

/// Where `holds`, a quotient is `first` plus its step times the lane, wrapping.
pub(super) struct Steps {
    pub first: Value,
    /// Truth value.
    pub holds: Value,
}

impl Quotient {
    /// Difference from lane to lane where the dividend does not wrap.
    pub fn step(&self) -> i32 {
        (self.stride >> self.shift) as i32
    }
}

impl LaneBuilder<'_> {
    /// `a >> shift` as a quotient, if it advances by a constant.
    pub(super) fn steady_quotient(&mut self, a: Lane, shift: u64) -> Option<Lane> {
        let Parts::Affine { base, stride } = self.repr(a).parts else { return None };
        let (stride, shift) = (u32::try_from(stride).ok()?, u32::try_from(shift).ok()?);
        if shift == 0 || stride == 0 || stride.trailing_zeros() < shift {
            return None;
        }
        stride.checked_mul(self.lanes - 1)?;
        let add = self.fb.ins().iconst(types::I32, 0);
        Some(self.push(Ty::I32, Parts::Quotient(Box::new(Quotient { base, stride, shift, add }))))
    }

    /// Adds a uniform value to a quotient by `f`.
    pub(super) fn moved_quotient(
        &mut self,
        a: Lane,
        b: Lane,
        f: impl Fn(&mut Self, Value, Value) -> Value,
    ) -> Option<Lane> {
        let Parts::Quotient(q) = self.repr(a).parts.clone() else { return None };
        if !matches!(self.repr(b).parts, Parts::Const(_) | Parts::Uniform(_)) {
            return None;
        }
        let b = self.scalar(b);
        let add = f(self, q.add, b);
        Some(self.push(Ty::I32, Parts::Quotient(Box::new(Quotient { add, ..*q }))))
    }

    /// The quotient in a form that is right where the dividend does not wrap.
    pub(super) fn steps(&mut self, q: &Quotient) -> Steps {
        let most = u32::MAX - q.stride * (self.lanes - 1);
        let most = self.fb.ins().iconst(types::I32, i64::from(most));
        let holds = self.fb.ins().icmp(IntCC::UnsignedLessThanOrEqual, q.base, most);
        let first = self.fb.ins().ushr_imm_u(q.base, i64::from(q.shift));
        let first = self.fb.ins().iadd(first, q.add);
        Steps { first, holds }
    }

    /// The quotient in each lane.
    pub(super) fn quotients(&mut self, q: &Quotient) -> Vecs {
        let dividend = self.push(Ty::I32, Parts::Affine { base: q.base, stride: q.stride as i32 });
        let ty = self.vector_type(Ty::I32);
        let add = self.fb.ins().splat(ty, q.add);
        let vecs = self.vecs(dividend).into_iter();
        vecs.map(|v| {
            let v = self.fb.ins().ushr_imm_u(v, i64::from(q.shift));
            self.fb.ins().iadd(v, add)
        })
        .collect()
    }
}
