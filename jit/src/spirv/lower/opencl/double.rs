//! Exponential, logarithm, sine and cosine in 64 bits, from operations that are exact or rounded once.
//!
//! The reductions leave arguments so small that Taylor polynomials converge within an ulp. Errors, of 64-bit floats: exp
//! 2 ulp; log 2 ulp; sin and cos 1 ulp of the result for absolute arguments up to 2^20, and 2^-51 absolute there. Sums
//! and products are fused where the code says so, on every host.

use std::f64::consts::{FRAC_2_PI, LN_2, LOG2_E, PI, SQRT_2};

use super::super::Lower;
use crate::ir::{Imm, Op, Ty, Value};

const D: Ty = Ty::F64;
/// ln 2, the bits of its double that products with exponents leave exact, and the rest.
const LN_2_HIGH: f64 = f64::from_bits(LN_2.to_bits() & 0xffff_ffff_0000_0000);
const LN_2_LOW: f64 = 4.749_325_039_031_672_6e-7;
/// pi/2 in three parts, the first two of 33 bits each.
const HALF_PI: [f64; 3] = [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];
/// 2/pi in words of 32 bits, the most significant first, after 32 bits of zeros.
const TWO_OVER_PI: [u32; 8] =
    [0, 0xa2f9_836e, 0x4e44_1529, 0xfc27_57d1, 0xf534_ddc0, 0xdb62_9599, 0x3c43_9041, 0xfe51_63ab];

impl Lower<'_> {
    /// A constant of 64 bits.
    pub(super) fn d(&mut self, v: f64) -> Value {
        self.constant(D, v.to_bits())
    }

    pub(super) fn add(&mut self, x: Value, y: Value) -> Value {
        let ty = self.ty(x);
        self.op(Op::FAdd, ty, &[x, y])
    }

    pub(super) fn sub(&mut self, x: Value, y: Value) -> Value {
        let ty = self.ty(x);
        self.op(Op::FSub, ty, &[x, y])
    }

    pub(super) fn mul(&mut self, x: Value, y: Value) -> Value {
        let ty = self.ty(x);
        self.op(Op::FMul, ty, &[x, y])
    }

    pub(super) fn div(&mut self, x: Value, y: Value) -> Value {
        let ty = self.ty(x);
        self.op(Op::FDiv, ty, &[x, y])
    }

    /// `x * y + z`, rounded once.
    pub(super) fn fused(&mut self, x: Value, y: Value, z: Value) -> Value {
        let ty = self.ty(x);
        self.op(Op::Fma, ty, &[x, y, z])
    }

    pub(super) fn negate(&mut self, x: Value) -> Value {
        let ty = self.ty(x);
        self.op(Op::FNeg, ty, &[x])
    }

    pub(super) fn magnitude(&mut self, x: Value) -> Value {
        let ty = self.ty(x);
        self.op(Op::FAbs, ty, &[x])
    }

    /// `x < y`.
    pub(in crate::spirv::lower) fn below(&mut self, x: Value, y: Value) -> Value {
        self.op(Op::FOrdLt, Ty::Bool, &[x, y])
    }

    /// Polynomial with the coefficients from the highest to the lowest.
    pub(super) fn polynomial(&mut self, x: Value, coefficients: &[f64]) -> Value {
        let mut list = coefficients.iter();
        let mut sum = self.d(list.next().copied().unwrap_or(0.0));
        for &c in list {
            let c = self.d(c);
            sum = self.fused(sum, x, c);
        }
        sum
    }

    /// e to the x.
    pub(super) fn exp64(&mut self, x: Value) -> Value {
        // Beyond these bounds the result is infinite or 0.
        let (low, high) = (self.d(-760.0), self.d(720.0));
        let bounded = self.op(Op::FMax, D, &[x, low]);
        let bounded = self.op(Op::FMin, D, &[bounded, high]);
        let log2e = self.d(LOG2_E);
        let n = self.mul(bounded, log2e);
        let n = self.op(Op::FRound, D, &[n]);
        let (ln2_high, ln2_low) = (self.d(-LN_2_HIGH), self.d(-LN_2_LOW));
        let r = self.fused(n, ln2_high, bounded);
        let r = self.fused(n, ln2_low, r);
        // 1/14!, ..., 1/1!, 1: with |r| <= ln(2)/2 the next term is below 2^-62.
        let mut coefficients = [1.0; 15];
        for k in 1..15 {
            coefficients[14 - k] = coefficients[15 - k] / k as f64;
        }
        let power = self.polynomial(r, &coefficients);
        let n = self.op(Op::FToS, Ty::I32, &[n]);
        let out = self.op(Op::Ldexp, D, &[power, n]);
        let is_nan = self.op(Op::IsNan, Ty::Bool, &[x]);
        self.select(is_nan, x, out)
    }

    /// Natural logarithm of `m * 2^e`, in two parts whose sum it is; `x` must be positive and finite.
    fn log_parts(&mut self, x: Value) -> (Value, Value) {
        let (m, e) = (self.op(Op::FrexpMant, D, &[x]), self.op(Op::FrexpExp, Ty::I32, &[x]));
        // m in [sqrt(1/2), sqrt(2)).
        let root = self.d(SQRT_2 / 2.0);
        let small = self.below(m, root);
        let two_m = self.add(m, m);
        let m = self.select(small, two_m, m);
        let one = self.i32(1);
        let less = self.op(Op::ISub, Ty::I32, &[e, one]);
        let e = self.select(small, less, e);
        let e = self.op(Op::SToF, D, &[e]);
        let (one, two) = (self.d(1.0), self.d(2.0));
        let f = self.sub(m, one);
        let sum = self.add(two, f);
        let s = self.div(f, sum);
        let z = self.mul(s, s);
        // log(1 + f) = f - s * (f - R), with R = 2 z (1/3 + z/5 + z^2/7 + ...): z is below 0.0295.
        let coefficients: [f64; 11] = std::array::from_fn(|k| 2.0 / (2 * (11 - k) + 1) as f64);
        let r = self.polynomial(z, &coefficients);
        let r = self.mul(r, z);
        let rest = self.sub(f, r);
        let (ln2_high, ln2_low) = (self.d(LN_2_HIGH), self.d(LN_2_LOW));
        let high = self.mul(e, ln2_high);
        let low = self.mul(e, ln2_low);
        let s_rest = self.mul(s, rest);
        let low = self.sub(low, s_rest);
        let low = self.add(low, f);
        (high, low)
    }

    /// Natural logarithm: -inf of 0, NaN of negative numbers.
    pub(super) fn log64(&mut self, x: Value) -> Value {
        let (high, low) = self.log_parts(x);
        let out = self.add(high, low);
        let (zero, infinity) = (self.d(0.0), self.d(f64::INFINITY));
        let (nan, nothing) = (self.d(f64::NAN), self.d(f64::NEG_INFINITY));
        let positive = self.below(zero, x);
        let is_zero = self.op(Op::FOrdEq, Ty::Bool, &[x, zero]);
        let other = self.select(is_zero, nothing, nan);
        let out = self.select(positive, out, other);
        let infinite = self.op(Op::FOrdEq, Ty::Bool, &[x, infinity]);
        self.select(infinite, infinity, out)
    }

    /// Sine and cosine of the remainder `r` of a quarter turn, |r| <= pi/4.
    fn quarter(&mut self, r: Value) -> (Value, Value) {
        let z = self.mul(r, r);
        // Signed inverse factorials: the terms after the last are below 2^-60.
        let term = |k: i32| {
            let factorial = (1..=k).fold(1.0, |product, i| product * f64::from(i));
            if k / 2 % 2 == 1 { -1.0 / factorial } else { 1.0 / factorial }
        };
        let sines: Vec<f64> = [17, 15, 13, 11, 9, 7, 5, 3].map(term).to_vec();
        let cosines: Vec<f64> = [18, 16, 14, 12, 10, 8, 6, 4].map(term).to_vec();
        let sine = self.polynomial(z, &sines);
        let cube = self.mul(z, r);
        let sine = self.fused(sine, cube, r);
        let cosine = self.polynomial(z, &cosines);
        let square = self.mul(z, z);
        let (half, one) = (self.d(-0.5), self.d(1.0));
        let first = self.fused(half, z, one);
        (sine, self.fused(cosine, square, first))
    }

    /// `-v` where bit 1 of `quarters` is set, else `v`.
    fn half_turned(&mut self, v: Value, quarters: Value) -> Value {
        let (two, zero) = (self.i32(2), self.i32(0));
        let bit = self.op(Op::And, Ty::I32, &[quarters, two]);
        let negative = self.op(Op::INe, Ty::Bool, &[bit, zero]);
        let other = self.negate(v);
        self.select(negative, other, v)
    }

    /// Sine and cosine of `quarters` quarter turns plus `r`.
    fn turned(&mut self, quarters: Value, r: Value) -> (Value, Value) {
        let (sine, cosine) = self.quarter(r);
        let (one, zero) = (self.i32(1), self.i32(0));
        let odd = self.op(Op::And, Ty::I32, &[quarters, one]);
        let odd = self.op(Op::INe, Ty::Bool, &[odd, zero]);
        let (s, c) = (self.select(odd, cosine, sine), self.select(odd, sine, cosine));
        let s = self.half_turned(s, quarters);
        let next = self.op(Op::IAdd, Ty::I32, &[quarters, one]);
        let c = self.half_turned(c, next);
        (s, c)
    }

    /// Sine and cosine of radians; `x` is a float of at most 32 bits in 64 bits. NaN of infinities.
    pub(super) fn sincos64(&mut self, x: Value) -> (Value, Value) {
        let scale = self.d(FRAC_2_PI);
        let n = self.mul(x, scale);
        let n = self.op(Op::FRound, D, &[n]);
        let mut r = x;
        for part in HALF_PI {
            let part = self.d(-part);
            r = self.fused(n, part, r);
        }
        let quarters = self.op(Op::FToS, Ty::I32, &[n]);
        let size = self.magnitude(x);
        let (near, infinity) = (self.d(1_048_576.0), self.d(f64::INFINITY));
        let is_near = self.below(size, near);
        let is_far = self.op(Op::Not, Ty::Bool, &[is_near]);
        // The quarter in the low word, the remainder as bits.
        let packed = self.new_var(vec![Ty::I32, D], "");
        let set = |lower: &mut Self, list: [Value; 2]| {
            for (elem, v) in (0..).zip(list) {
                lower.emit(Op::VarSet, &[v], Imm::Var { var: packed, elem }, &[]);
            }
        };
        set(self, [quarters, r]);
        let saved = std::mem::take(&mut self.cur);
        self.forget();
        let far = self.far(x);
        set(self, far);
        let nodes = std::mem::replace(&mut self.cur, saved);
        let then = crate::ir::Region { nodes, end: crate::ir::End::Yield(Vec::new()) };
        self.push_if(is_far, then, crate::ir::Region::default());
        let (quarters, r) = (self.get_var(packed, 0, Ty::I32), self.get_var(packed, 1, D));
        let (s, c) = self.turned(quarters, r);
        // The sine of a zero is that zero: only zeros are smaller than the smallest float.
        let zero = self.d(1e-50);
        let is_zero = self.below(size, zero);
        let s = self.select(is_zero, x, s);
        let finite = self.below(size, infinity);
        let nan = self.d(f64::NAN);
        (self.select(finite, s, nan), self.select(finite, c, nan))
    }

    /// Quarter turns and remainder of a large float with at most 24 significant bits: the product with the bits of 2/pi
    /// that matter. Method: M. Payne, R. Hanek (1983).
    fn far(&mut self, x: Value) -> [Value; 2] {
        let words = self.new_var(vec![Ty::I32; TWO_OVER_PI.len()], "");
        for (elem, &word) in (0..).zip(&TWO_OVER_PI) {
            let word = self.i32(word);
            self.emit(Op::VarSet, &[word], Imm::Var { var: words, elem }, &[]);
        }
        let size = self.magnitude(x);
        let (m, e) = (self.op(Op::FrexpMant, D, &[size]), self.op(Op::FrexpExp, Ty::I32, &[size]));
        // x = whole * 2^(e - 24), and the bits of 2/pi from `e - 26` on matter, of which the first is worth 4 * 2^-2.
        let bits24 = self.i32(24);
        let whole = self.op(Op::Ldexp, D, &[m, bits24]);
        let whole = self.op(Op::FToU, Ty::I64, &[whole]);
        let skip = self.i32(32 - 26);
        let at = self.op(Op::IAdd, Ty::I32, &[e, skip]);
        let (five, low_five, zero) = (self.i32(5), self.i32(31), self.i32(0));
        let first = self.op(Op::ShrU, Ty::I32, &[at, five]);
        let shift = self.op(Op::And, Ty::I32, &[at, low_five]);
        let mut window: Vec<Value> = Vec::new();
        for elem in 0..4 {
            let word = self.emit(Op::VarGetDyn, &[first], Imm::Var { var: words, elem }, &[Ty::I32])[0];
            window.push(self.op(Op::UConvert, Ty::I64, &[word]));
        }
        let thirty_two = self.i32(32);
        let mut parts: Vec<Value> = Vec::new();
        for k in 0..3 {
            let high = self.op(Op::Shl, Ty::I64, &[window[k], thirty_two]);
            let both = self.op(Op::Or, Ty::I64, &[high, window[k + 1]]);
            let both = self.op(Op::Shl, Ty::I64, &[both, shift]);
            parts.push(self.op(Op::ShrU, Ty::I64, &[both, thirty_two]));
        }
        // The product modulo 4, in units of 2^-62: 24 bits times 96, without the bits above and below.
        let high = self.op(Op::IMul, Ty::I64, &[parts[0], whole]);
        let high = self.op(Op::Shl, Ty::I64, &[high, thirty_two]);
        let middle = self.op(Op::IMul, Ty::I64, &[parts[1], whole]);
        let low = self.op(Op::IMul, Ty::I64, &[parts[2], whole]);
        let low = self.op(Op::ShrU, Ty::I64, &[low, thirty_two]);
        let sum = self.op(Op::IAdd, Ty::I64, &[high, middle]);
        let sum = self.op(Op::IAdd, Ty::I64, &[sum, low]);
        // Round to the nearest quarter; the rest is signed.
        let (sixty_two, two, half) = (self.i32(62), self.i32(2), self.constant(Ty::I64, 1 << 61));
        let rounded = self.op(Op::IAdd, Ty::I64, &[sum, half]);
        let quarters = self.op(Op::ShrU, Ty::I64, &[rounded, sixty_two]);
        let quarters = self.op(Op::UConvert, Ty::I32, &[quarters]);
        let rest = self.op(Op::Shl, Ty::I64, &[sum, two]);
        let rest = self.op(Op::SToF, D, &[rest]);
        let unit = self.d(PI / 2.0 / 18_446_744_073_709_551_616.0);
        let r = self.mul(rest, unit);
        // The sine is odd: quarters and rest of the negative number.
        let nothing = self.d(0.0);
        let negative = self.below(x, nothing);
        let (other_quarters, other_r) = (self.op(Op::ISub, Ty::I32, &[zero, quarters]), self.negate(r));
        [self.select(negative, other_quarters, quarters), self.select(negative, other_r, r)]
    }

    /// Sine and cosine of `x` half turns.
    pub(super) fn sincospi64(&mut self, x: Value) -> (Value, Value) {
        let two = self.d(2.0);
        let doubled = self.mul(x, two);
        let n = self.op(Op::FRound, D, &[doubled]);
        let rest = self.sub(doubled, n);
        let half_pi = self.d(PI / 2.0);
        let r = self.mul(rest, half_pi);
        // The quarter modulo 4, also of numbers beyond 32 bits.
        let quarter = self.d(0.25);
        let fours = self.mul(n, quarter);
        let fours = self.op(Op::FFloor, D, &[fours]);
        let four = self.d(-4.0);
        let left = self.fused(fours, four, n);
        let quarters = self.op(Op::FToS, Ty::I32, &[left]);
        let (s, c) = self.turned(quarters, r);
        // A sine of 0 has the sign of x, a cosine of 0 is +0.
        let zero = self.d(0.0);
        let signed = self.mul(x, zero);
        let [no_s, no_c] = [s, c].map(|v| self.op(Op::FOrdEq, Ty::Bool, &[v, zero]));
        let (s, c) = (self.select(no_s, signed, s), self.select(no_c, zero, c));
        let (size, infinity, nan) = (self.magnitude(x), self.d(f64::INFINITY), self.d(f64::NAN));
        let finite = self.below(size, infinity);
        (self.select(finite, s, nan), self.select(finite, c, nan))
    }
}
