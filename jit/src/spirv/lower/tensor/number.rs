//! Arithmetic of coordinates: operations with constants that change nothing are left out, and bounds of numbers are kept.

use crate::ir::{Op, Ty, Value};
use crate::spirv::lower::Lower;

/// A number of 32 bits, unsigned, with an exclusive upper bound if one is known.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub value: Value,
    pub below: Option<u64>,
}

/// Number of an element, as the number of a row of this width and a number below the width.
pub(super) struct Linear {
    pub high: Number,
    pub low: Number,
    pub width: Value,
}

impl Lower<'_> {
    pub(super) fn known(&self, v: Value) -> Option<u64> {
        self.known_bits(v)
    }

    /// A product, sum or difference of 32 bits; constants that change nothing are left out.
    pub(super) fn times(&mut self, a: Value, b: Value) -> Value {
        match (self.known(a), self.known(b)) {
            (Some(x), Some(y)) => self.i32((x as u32).wrapping_mul(y as u32)),
            (Some(0), _) | (_, Some(1)) => a,
            (_, Some(0)) | (Some(1), _) => b,
            _ => self.op(Op::IMul, Ty::I32, &[a, b]),
        }
    }

    pub(super) fn plus(&mut self, a: Value, b: Value) -> Value {
        match (self.known(a), self.known(b)) {
            (Some(x), Some(y)) => self.i32((x as u32).wrapping_add(y as u32)),
            (Some(0), _) => b,
            (_, Some(0)) => a,
            _ => self.op(Op::IAdd, Ty::I32, &[a, b]),
        }
    }

    pub(super) fn minus(&mut self, a: Value, b: Value) -> Value {
        match self.known(b) {
            Some(0) => a,
            _ => self.op(Op::ISub, Ty::I32, &[a, b]),
        }
    }

    /// Quotient and remainder.
    pub(super) fn divided(&mut self, a: Number, by: Value) -> [Number; 2] {
        let known = self.known(by);
        match (known, a.below) {
            (Some(1), _) => [a, Number { value: self.i32(0), below: Some(1) }],
            (Some(d), Some(below)) if below <= d => [Number { value: self.i32(0), below: Some(1) }, a],
            _ => {
                let quotient = match self.known(a.value).zip(known) {
                    Some((x, d)) if d > 0 => self.i32((x / d) as u32),
                    _ => self.op(Op::UDiv, Ty::I32, &[a.value, by]),
                };
                let below = a.below.zip(known).map(|(below, d)| below.div_ceil(d.max(1)));
                let whole = self.times(quotient, by);
                let rest = self.minus(a.value, whole);
                [Number { value: quotient, below }, Number { value: rest, below: known }]
            }
        }
    }

    /// Splits the number of an element by a dimension.
    pub(super) fn split(&mut self, x: Linear, by: Value) -> (Linear, Number) {
        let one = self.i32(1);
        let same = x.width == by || self.known(x.width).is_some_and(|w| self.known(by) == Some(w));
        if same && x.low.below.is_some_and(|below| self.known(by).is_some_and(|d| below <= d)) {
            let low = Number { value: self.i32(0), below: Some(1) };
            return (Linear { high: x.high, low, width: one }, x.low);
        }
        let whole = self.whole_number(&x);
        let [high, rest] = self.divided(whole, by);
        let low = Number { value: self.i32(0), below: Some(1) };
        (Linear { high, low, width: one }, rest)
    }

    /// The number of an element as one number.
    pub(super) fn whole_number(&mut self, x: &Linear) -> Number {
        let first = self.times(x.high.value, x.width);
        let value = self.plus(first, x.low.value);
        let width = self.known(x.width);
        let below = x.high.below.zip(width).zip(x.low.below).and_then(|((high, width), low)| {
            Some((high.checked_sub(1)?.checked_mul(width)?).checked_add(low)?).filter(|&n| n < 1 << 31)
        });
        Number { value, below }
    }
}
