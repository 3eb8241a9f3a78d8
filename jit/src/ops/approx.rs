//! Shader maths: polynomials from exact f32 and i32 operations, written once over [`Maths`].
//!
//! The evaluator runs them on plain numbers, the code generator on lane groups. Both perform the same operations in the
//! same order, so the results have the same bits on every host. They use no libm and no estimates. Products and sums
//! are fused; hosts without such an instruction compute the same result in f64.
//!
//! Error bounds, measured by the tests of [`super::math`]. Vulkan, "Precision of GLSL.std.450 Instructions", requires
//! much less:
//!
//! | function | error |
//! |---|---|
//! | sin, cos | 2^-22 absolute for abs x <= 2^16; always within [-1, 1] |
//! | tan | 3 ulp for abs x <= 100 away from multiples of pi/2 |
//! | exp, exp2 | 2 ulp |
//! | log, log2 | 3 ulp |
//! | asin, acos, atan, atan2 | 4 ulp |
//! | sinh, cosh, tanh, asinh, acosh, atanh | 5 ulp |
//! | pow | that of `exp2(y * log2(x))` |
//!
//! Logarithms treat denormal operands as zero. Exponentials return zero instead of a denormal result.
//!
//! Coefficients are minimax fits (Remez exchange) on the reduced range: of the absolute error for cosines and powers of
//! two, of the relative error otherwise. They are rounded to f32 one by one from the lowest; after each rounding, the
//! higher ones are fitted again to the remainder. For logarithms all are rounded at once.

use std::f32::consts::{FRAC_1_PI, FRAC_2_PI, FRAC_PI_2, FRAC_PI_4, LN_2, LOG2_E, PI};

/// Operations on f32 and i32 numbers, which may be scalars or lane groups.
///
/// `F`, `I` and `B` are a float, an integer and a truth value. Integer operations wrap.
pub(crate) trait Maths {
    type F: Copy;
    type I: Copy;
    type B: Copy;

    fn f(&mut self, x: f32) -> Self::F;
    fn i(&mut self, x: i32) -> Self::I;

    fn add(&mut self, x: Self::F, y: Self::F) -> Self::F;
    fn sub(&mut self, x: Self::F, y: Self::F) -> Self::F;
    fn mul(&mut self, x: Self::F, y: Self::F) -> Self::F;
    /// `x * y + z`, rounded once.
    fn fma(&mut self, x: Self::F, y: Self::F, z: Self::F) -> Self::F;
    fn div(&mut self, x: Self::F, y: Self::F) -> Self::F;
    fn sqrt(&mut self, x: Self::F) -> Self::F;
    fn abs(&mut self, x: Self::F) -> Self::F;
    fn floor(&mut self, x: Self::F) -> Self::F;

    /// `x < y`, false for NaN.
    fn lt(&mut self, x: Self::F, y: Self::F) -> Self::B;
    /// `x == y`, false for NaN.
    fn eq(&mut self, x: Self::F, y: Self::F) -> Self::B;
    fn both(&mut self, x: Self::B, y: Self::B) -> Self::B;
    /// `c ? x : y`.
    fn select(&mut self, c: Self::B, x: Self::F, y: Self::F) -> Self::F;
    /// `c ? other : usual`, where `c` is rarely true.
    fn rare(&mut self, c: Self::B, usual: Self::F, other: impl FnOnce(&mut Self) -> Self::F) -> Self::F;
    /// The result of `make` for `x`, possibly reused from an earlier call with the same `x`. Only [`half_turns`] uses
    /// it.
    fn shared(&mut self, x: Self::F, make: impl FnOnce(&mut Self) -> [Self::F; 3]) -> [Self::F; 3];
    /// `x < y ? x : y`: y if either is NaN.
    fn min(&mut self, x: Self::F, y: Self::F) -> Self::F;
    /// `y < x ? x : y`: y if either is NaN.
    fn max(&mut self, x: Self::F, y: Self::F) -> Self::F;

    /// The bits of a float.
    fn bits(&mut self, x: Self::F) -> Self::I;
    /// The float with these bits.
    fn float(&mut self, x: Self::I) -> Self::F;
    /// Signed integer to float.
    fn to_f(&mut self, x: Self::I) -> Self::F;

    fn iadd(&mut self, x: Self::I, y: Self::I) -> Self::I;
    fn isub(&mut self, x: Self::I, y: Self::I) -> Self::I;
    fn and(&mut self, x: Self::I, y: Self::I) -> Self::I;
    fn or(&mut self, x: Self::I, y: Self::I) -> Self::I;
    fn xor(&mut self, x: Self::I, y: Self::I) -> Self::I;
    fn shl(&mut self, x: Self::I, n: u32) -> Self::I;
    fn ushr(&mut self, x: Self::I, n: u32) -> Self::I;
    fn sshr(&mut self, x: Self::I, n: u32) -> Self::I;
    fn smin(&mut self, x: Self::I, y: Self::I) -> Self::I;
    fn smax(&mut self, x: Self::I, y: Self::I) -> Self::I;
    /// Signed `x < y`.
    fn ilt(&mut self, x: Self::I, y: Self::I) -> Self::B;
    fn iselect(&mut self, c: Self::B, x: Self::I, y: Self::I) -> Self::I;
}

/// Adding this constant rounds a small float to an integer, ties to even, in the low bits of the sum.
const ROUND: f32 = 12_582_912.0;
/// Smallest normal number.
const MIN_NORMAL: f32 = f32::MIN_POSITIVE;
/// `ln 2 - LN_2`: the negative rounding error of [`LN_2`].
const LN2_LO: f32 = -1.904_654_3e-9;

/// `((c[n-1] * x + c[n-2]) * x + ...) + c[0]`.
fn horner<M: Maths>(m: &mut M, x: M::F, c: &[f32]) -> M::F {
    let (last, rest) = c.split_last().expect("a polynomial has at least one coefficient");
    let mut sum = m.f(*last);
    for &k in rest.iter().rev() {
        let k = m.f(k);
        sum = m.fma(sum, x, k);
    }
    sum
}

/// `x + x^3 * poly(x^2)`, with `z = x^2`.
fn odd<M: Maths>(m: &mut M, x: M::F, z: M::F, c: &[f32]) -> M::F {
    let q = horner(m, z, c);
    let cube = m.mul(x, z);
    m.fma(cube, q, x)
}

/// `x` with its sign flipped if `y` is negative.
fn xor_sign<M: Maths>(m: &mut M, x: M::F, y: M::F) -> M::F {
    let (xb, yb, top) = (m.bits(x), m.bits(y), m.i(i32::MIN));
    let sign = m.and(yb, top);
    let bits = m.xor(xb, sign);
    m.float(bits)
}

/// `x - k * (p[0] + p[1])`, clamped to `limit` for arguments so large that `k` is wrong.
fn reduce<M: Maths>(m: &mut M, x: M::F, k: M::F, p: [f32; 2], limit: f32) -> M::F {
    let mut r = x;
    for part in p {
        let part = m.f(-part);
        r = m.fma(k, part, r);
    }
    let (low, high) = (m.f(-limit), m.f(limit));
    r = m.max(low, r);
    m.min(high, r)
}

/// Pi in two parts. `x - k * PI_PARTS[0]` is exact as long as `k` is right.
const PI_PARTS: [f32; 2] = [PI, -8.742_278e-8];
const HALF_PI_PARTS: [f32; 2] = [FRAC_PI_2, -4.371_139e-8];
/// For a large argument the nearest multiple of pi may be missed by this much; the fits cover that range.
const SLACK: f32 = 0.02;
/// Among fits of the same precision, this one yields 1 near pi/2 and nowhere more than 1.
const SIN: [f32; 4] = [-0.166_666_6, 8.333_046e-3, -1.980_716_3e-4, 2.599_041_6e-6];
/// Fit of the absolute error.
const COS: [f32; 6] = [1.0, -0.5, 4.166_665_3e-2, -1.388_851e-3, 2.476_541_5e-5, -2.611_445_2e-7];

/// `[r, r^2, sign]` with `x = n * pi + r`, which sine and cosine of the same argument share. `sign` is a sign bit that
/// is set for odd n, where both functions change their sign.
fn half_turns<M: Maths>(m: &mut M, x: M::F) -> [M::F; 3] {
    m.shared(x, |m| {
        let (inv_pi, round) = (m.f(FRAC_1_PI), m.f(ROUND));
        let n = m.fma(x, inv_pi, round);
        let k = m.sub(n, round);
        let r = reduce(m, x, k, PI_PARTS, FRAC_PI_2 + SLACK);
        let z = m.mul(r, r);
        let n = m.bits(n);
        let parity = m.shl(n, 31);
        [r, z, m.float(parity)]
    })
}

/// `x` with its sign flipped if `sign` has the sign bit; `sign` has no other bits.
fn flip<M: Maths>(m: &mut M, x: M::F, sign: M::F) -> M::F {
    let (x, sign) = (m.bits(x), m.bits(sign));
    let x = m.xor(x, sign);
    m.float(x)
}

pub(crate) fn sin<M: Maths>(m: &mut M, x: M::F) -> M::F {
    let [r, z, sign] = half_turns(m, x);
    let s = odd(m, r, z, &SIN);
    flip(m, s, sign)
}

pub(crate) fn cos<M: Maths>(m: &mut M, x: M::F) -> M::F {
    let [_, z, sign] = half_turns(m, x);
    let c = horner(m, z, &COS);
    flip(m, c, sign)
}

/// tan r = (r + r^3 * over(r^2)) / under(r^2).
const TAN_OVER: [f32; 1] = [-0.100_157_9];
const TAN_UNDER: [f32; 4] = [1.0, -0.433_491_23, 1.116_369_2e-2, 1.095_334e-4];

pub(crate) fn tan<M: Maths>(m: &mut M, x: M::F) -> M::F {
    let (two_by_pi, round) = (m.f(FRAC_2_PI), m.f(ROUND));
    let n = m.fma(x, two_by_pi, round);
    let k = m.sub(n, round);
    let r = reduce(m, x, k, HALF_PI_PARTS, FRAC_PI_4 + SLACK);
    let z = m.mul(r, r);
    let over = odd(m, r, z, &TAN_OVER);
    let under = horner(m, z, &TAN_UNDER);
    // For odd multiples of pi/2 the result is -1 / tan.
    let n = m.bits(n);
    let parity = m.shl(n, 31);
    let zero = m.i(0);
    let odd_quarter = m.ilt(parity, zero);
    let numerator = m.select(odd_quarter, under, over);
    let denominator = m.select(odd_quarter, over, under);
    let t = m.div(numerator, denominator);
    let sign = m.float(parity);
    flip(m, t, sign)
}

const ASIN: [f32; 4] = [0.166_655_8, 7.540_55e-2, 4.003_345e-2, 4.995_679e-2];

/// `(|x| > 1/2, p)`, where p is the arc sine of |x|, or of `sqrt((1 - |x|) / 2)` if |x| > 1/2.
fn asin_core<M: Maths>(m: &mut M, x: M::F) -> (M::B, M::F) {
    let (half, minus_half) = (m.f(0.5), m.f(-0.5));
    let a = m.abs(x);
    let big = m.lt(half, a);
    let rest = m.fma(a, minus_half, half);
    let square = m.mul(a, a);
    // The two agree at 1/2. NaN is kept.
    let z = m.min(rest, square);
    let root = m.sqrt(rest);
    let t = m.select(big, root, a);
    (big, odd(m, t, z, &ASIN))
}

pub(crate) fn asin<M: Maths>(m: &mut M, x: M::F) -> M::F {
    let (big, p) = asin_core(m, x);
    let (half_pi, minus_two) = (m.f(FRAC_PI_2), m.f(-2.0));
    let large = m.fma(p, minus_two, half_pi);
    let r = m.select(big, large, p);
    xor_sign(m, r, x)
}

pub(crate) fn acos<M: Maths>(m: &mut M, x: M::F) -> M::F {
    let (big, p) = asin_core(m, x);
    let (half_pi, pi, zero) = (m.f(FRAC_PI_2), m.f(PI), m.f(0.0));
    let (two, minus_one) = (m.f(2.0), m.f(-1.0));
    // pi/2 - p, 2 p, or pi - 2 p, where p has the sign of x.
    let p = xor_sign(m, p, x);
    let negative = m.lt(x, zero);
    let base = m.select(negative, pi, zero);
    let base = m.select(big, base, half_pi);
    let factor = m.select(big, two, minus_one);
    m.fma(p, factor, base)
}

const ATAN: [f32; 7] = [
    -0.333_323_93,
    0.199_742_29,
    -0.140_414_07,
    9.968_682e-2,
    -6.020_597e-2,
    2.473_600_2e-2,
    -4.823_059_3e-3,
];

pub(crate) fn atan<M: Maths>(m: &mut M, x: M::F) -> M::F {
    let (one, half_pi) = (m.f(1.0), m.f(FRAC_PI_2));
    let a = m.abs(x);
    let inverse = m.div(one, a);
    let big = m.lt(one, a);
    let t = m.select(big, inverse, a);
    let z = m.mul(t, t);
    let p = odd(m, t, z, &ATAN);
    let large = m.sub(half_pi, p);
    let r = m.select(big, large, p);
    xor_sign(m, r, x)
}

/// Arc tangent of y/x in the quadrant of (x, y). Signed zeros and infinities behave as in C.
pub(crate) fn atan2<M: Maths>(m: &mut M, y: M::F, x: M::F) -> M::F {
    let (zero, one, half_pi, pi) = (m.f(0.0), m.f(1.0), m.f(FRAC_PI_2), m.f(PI));
    let (ax, ay) = (m.abs(x), m.abs(y));
    let steep = m.lt(ax, ay);
    let low = m.select(steep, ax, ay);
    let high = m.select(steep, ay, ax);
    let ratio = m.div(low, high);
    // 0/0 counts as 0, inf/inf as 1.
    let same = m.eq(ax, ay);
    let none = m.eq(ax, zero);
    let even = m.select(none, zero, one);
    let t = m.select(same, even, ratio);
    let z = m.mul(t, t);
    let p = odd(m, t, z, &ATAN);
    let turned = m.sub(half_pi, p);
    let p = m.select(steep, turned, p);
    let left = m.sub(pi, p);
    let (x_bits, izero) = (m.bits(x), m.i(0));
    let negative = m.ilt(x_bits, izero);
    let p = m.select(negative, left, p);
    xor_sign(m, p, y)
}

/// `p * 2^(k + shift)` for an integral k with -127 <= k + shift <= 128. The two ends yield 0 and infinity.
fn scale<M: Maths>(m: &mut M, p: M::F, k: M::F, shift: i32) -> M::F {
    // Compute the exponent field in the low bits of a float.
    let round = m.f(ROUND + 127.0 + shift as f32);
    let n = m.add(k, round);
    let n = m.bits(n);
    let power = m.shl(n, 23);
    let power = m.float(power);
    m.mul(p, power)
}

/// Fit of 2^r for r in [0, 1], by absolute error, because all results have the same exponent.
#[expect(clippy::approx_constant, reason = "a coefficient of a fit, not ln 2")]
const EXP2: [f32; 7] =
    [1.0, 0.693_147, 0.240_229_9, 5.548_244_7e-2, 9.681_268e-3, 1.241_386_4e-3, 2.179_877_7e-4];

pub(crate) fn exp2<M: Maths>(m: &mut M, x: M::F) -> M::F {
    let (low, high) = (m.f(-127.0), m.f(128.0));
    let x = m.max(low, x);
    let x = m.min(high, x);
    let k = m.floor(x);
    let r = m.sub(x, k);
    let p = horner(m, r, &EXP2);
    scale(m, p, k, 0)
}

/// Fit of e^r for r in [0, ln 2], by absolute error.
const EXP: [f32; 7] =
    [1.0, 0.999_999_76, 0.500_006_8, 0.166_603_24, 4.193_588_3e-2, 7.763_887e-3, 1.963_008_7e-3];

/// `e^x`, or `e^x / 2` if `halved` (x must not be negative). The latter overflows only where the halved value itself
/// does.
fn exp_or_half<M: Maths>(m: &mut M, x: M::F, halved: bool) -> M::F {
    // Beyond these limits the result is 0 or infinity.
    let (low, high) = (m.f(-88.02), m.f(if halved { 90.0 } else { 88.8 }));
    let x = m.max(low, x);
    let x = m.min(high, x);
    let log2_e = m.f(LOG2_E);
    let t = m.mul(x, log2_e);
    let k = m.floor(t);
    let (hi, lo) = (m.f(-LN_2), m.f(-LN2_LO));
    let r = m.fma(k, hi, x);
    let r = m.fma(k, lo, r);
    let p = horner(m, r, &EXP);
    scale(m, p, k, if halved { -1 } else { 0 })
}

pub(crate) fn exp<M: Maths>(m: &mut M, x: M::F) -> M::F {
    exp_or_half(m, x, false)
}

/// `(e, f)` with `x = 2^e * (1 + f)` and `1 + f` in [sqrt(1/2), sqrt(2)).
fn log_core<M: Maths>(m: &mut M, x: M::F) -> (M::F, M::F) {
    let (root_half, low) = (m.i(0x3f35_04f3), m.i(0x007f_ffff));
    let bits = m.bits(x);
    let bits = m.isub(bits, root_half);
    let e = m.sshr(bits, 23);
    let e = m.to_f(e);
    let significand = m.and(bits, low);
    let significand = m.iadd(significand, root_half);
    let significand = m.float(significand);
    let one = m.f(1.0);
    (e, m.sub(significand, one))
}

/// The logarithm `r`, which is right for normal positive `x`, corrected for all other `x`.
fn log_special<M: Maths>(m: &mut M, x: M::F, r: M::F) -> M::F {
    // Maps the bits of normal positive numbers to the smallest signed integers.
    let (bits, to_least, last) = (m.bits(x), m.i(0x7f80_0000), m.i(-0x0100_0001));
    let moved = m.iadd(bits, to_least);
    let special = m.ilt(last, moved);
    m.rare(special, r, |m| {
        let (zero, minus_inf, nan) = (m.f(0.0), m.f(f32::NEG_INFINITY), m.f(f32::NAN));
        let negative = m.lt(x, zero);
        let outside = m.select(negative, nan, minus_inf);
        let least = m.f(MIN_NORMAL);
        let below = m.lt(x, least);
        // Infinity and NaN are kept.
        m.select(below, outside, x)
    })
}

/// Fits of ln(1 + f) / f, and of log2(1 + f) / f.
const LOG: [f32; 9] = [
    1.0,
    -0.499_999_9,
    0.333_339_5,
    -0.250_017_55,
    0.199_620_74,
    -0.165_705_03,
    0.149_179_44,
    -0.143_075_48,
    8.734_957e-2,
];
const LOG2: [f32; 9] = [
    LOG2_E,
    -0.721_347_33,
    0.480_910_33,
    -0.360_707_04,
    0.287_903_22,
    -0.238_848_12,
    0.215_846_57,
    -0.208_041_76,
    0.126_310_21,
];

pub(crate) fn log2<M: Maths>(m: &mut M, x: M::F) -> M::F {
    let (e, f) = log_core(m, x);
    let q = horner(m, f, &LOG2);
    let r = m.fma(f, q, e);
    log_special(m, x, r)
}

pub(crate) fn log<M: Maths>(m: &mut M, x: M::F) -> M::F {
    let (e, f) = log_core(m, x);
    let q = horner(m, f, &LOG);
    let fraction = m.mul(f, q);
    let ln2 = m.f(LN_2);
    let r = m.fma(e, ln2, fraction);
    log_special(m, x, r)
}

pub(crate) fn pow<M: Maths>(m: &mut M, x: M::F, y: M::F) -> M::F {
    let (log, zero) = (log2(m, x), m.f(0.0));
    let product = m.mul(y, log);
    // The logarithm may be infinite.
    let none = m.eq(y, zero);
    let product = m.select(none, zero, product);
    exp2(m, product)
}

const SINH: [f32; 3] = [0.166_667_16, 8.330_283e-3, 2.037_224_9e-4];

/// `(e^a / 2, e^-a / 2)`; infinite where `e^a` is, because the required precision of sinh and cosh is that of `(exp(a)
/// - exp(-a)) * 0.5`.
fn half_exps<M: Maths>(m: &mut M, a: M::F) -> (M::F, M::F) {
    let up = exp_or_half(m, a, true);
    let (limit, infinity) = (m.f(88.722_84), m.f(f32::INFINITY));
    let over = m.lt(limit, a);
    let up = m.select(over, infinity, up);
    let quarter = m.f(0.25);
    (up, m.div(quarter, up))
}

pub(crate) fn sinh<M: Maths>(m: &mut M, x: M::F) -> M::F {
    let a = m.abs(x);
    let (up, down) = half_exps(m, a);
    let large = m.sub(up, down);
    let z = m.mul(a, a);
    let small = odd(m, a, z, &SINH);
    let one = m.f(1.0);
    let near = m.lt(a, one);
    let r = m.select(near, small, large);
    xor_sign(m, r, x)
}

pub(crate) fn cosh<M: Maths>(m: &mut M, x: M::F) -> M::F {
    let a = m.abs(x);
    let (up, down) = half_exps(m, a);
    m.add(up, down)
}

const TANH: [f32; 4] = [-0.333_323_42, 0.133_081_84, -5.194_825_3e-2, 1.519_580_4e-2];

pub(crate) fn tanh<M: Maths>(m: &mut M, x: M::F) -> M::F {
    let a = m.abs(x);
    let (one, two, limit) = (m.f(1.0), m.f(2.0), m.f(0.625));
    let twice = m.add(a, a);
    let e = exp(m, twice);
    let sum = m.add(e, one);
    let part = m.div(two, sum);
    let large = m.sub(one, part);
    let z = m.mul(a, a);
    let small = odd(m, a, z, &TANH);
    let near = m.lt(a, limit);
    let r = m.select(near, small, large);
    xor_sign(m, r, x)
}

/// `ln(1 + u)`; infinity is kept.
fn log1p<M: Maths>(m: &mut M, u: M::F) -> M::F {
    let (one, zero, inf) = (m.f(1.0), m.f(0.0), m.f(f32::INFINITY));
    let w = m.add(u, one);
    let kept = m.sub(w, one);
    let lost = m.sub(u, kept);
    let correction = m.div(lost, w);
    let finite = m.lt(u, inf);
    let correction = m.select(finite, correction, zero);
    let log = log(m, w);
    m.add(log, correction)
}

/// `ln(1 + u)`, or `ln(2 a)` if a is so large that u may have overflowed.
fn log1p_or_double<M: Maths>(m: &mut M, u: M::F, a: M::F) -> M::F {
    let (one, limit, ln2) = (m.f(1.0), m.f(268_435_456.0), m.f(LN_2));
    let big = m.lt(limit, a);
    let w = m.add(u, one);
    let kept = m.sub(w, one);
    let lost = m.sub(u, kept);
    let correction = m.div(lost, w);
    let w = m.select(big, a, w);
    let correction = m.select(big, ln2, correction);
    let log = log(m, w);
    m.add(log, correction)
}

pub(crate) fn asinh<M: Maths>(m: &mut M, x: M::F) -> M::F {
    let a = m.abs(x);
    let one = m.f(1.0);
    // a + sqrt(1 + a^2) = 1 + (a + a^2 / (1 + sqrt(1 + a^2)))
    let square = m.mul(a, a);
    let sum = m.add(square, one);
    let root = m.sqrt(sum);
    let root = m.add(root, one);
    let rest = m.div(square, root);
    let u = m.add(a, rest);
    let r = log1p_or_double(m, u, a);
    xor_sign(m, r, x)
}

pub(crate) fn acosh<M: Maths>(m: &mut M, x: M::F) -> M::F {
    let (one, two, nan) = (m.f(1.0), m.f(2.0), m.f(f32::NAN));
    let t = m.sub(x, one);
    let sum = m.add(t, two);
    let product = m.mul(t, sum);
    let root = m.sqrt(product);
    let u = m.add(t, root);
    let r = log1p_or_double(m, u, x);
    let outside = m.lt(x, one);
    m.select(outside, nan, r)
}

pub(crate) fn atanh<M: Maths>(m: &mut M, x: M::F) -> M::F {
    let a = m.abs(x);
    let (one, half) = (m.f(1.0), m.f(0.5));
    let rest = m.sub(one, a);
    let twice = m.add(a, a);
    let u = m.div(twice, rest);
    let log = log1p(m, u);
    let r = m.mul(log, half);
    xor_sign(m, r, x)
}

/// Result of [`frexp`].
struct Parts<M: Maths> {
    /// False for zero, infinity and NaN, which have no parts.
    regular: M::B,
    mantissa: M::F,
    exponent: M::I,
}

/// `x = mantissa * 2^exponent`, where the mantissa's magnitude is in [0.5, 1).
fn frexp<M: Maths>(m: &mut M, x: M::F) -> Parts<M> {
    let (least, grow, zero, inf) = (m.f(MIN_NORMAL), m.f(16_777_216.0), m.f(0.0), m.f(f32::INFINITY));
    let a = m.abs(x);
    let tiny = m.lt(a, least);
    let grown = m.mul(x, grow);
    let y = m.select(tiny, grown, x);
    let (normal_bias, tiny_bias) = (m.i(126), m.i(150));
    let bias = m.iselect(tiny, tiny_bias, normal_bias);
    let bits = m.bits(y);
    let (keep, half, low) = (m.i(0x807f_ffff_u32 as i32), m.i(0x3f00_0000), m.i(0xff));
    let mantissa = m.and(bits, keep);
    let mantissa = m.or(mantissa, half);
    let mantissa = m.float(mantissa);
    let exponent = m.ushr(bits, 23);
    let exponent = m.and(exponent, low);
    let exponent = m.isub(exponent, bias);
    let (nonzero, finite) = (m.lt(zero, a), m.lt(a, inf));
    let regular = m.both(nonzero, finite);
    Parts { regular, mantissa, exponent }
}

pub(crate) fn frexp_mant<M: Maths>(m: &mut M, x: M::F) -> M::F {
    let parts = frexp(m, x);
    m.select(parts.regular, parts.mantissa, x)
}

pub(crate) fn frexp_exp<M: Maths>(m: &mut M, x: M::F) -> M::I {
    let parts = frexp(m, x);
    let zero = m.i(0);
    m.iselect(parts.regular, parts.exponent, zero)
}

/// `x * 2^e`, rounded once.
pub(crate) fn ldexp<M: Maths>(m: &mut M, x: M::F, e: M::I) -> M::F {
    let parts = frexp(m, x);
    // Larger exponents change nothing. Both sums then stay within the exponents of two factors.
    let (low, high) = (m.i(-400), m.i(400));
    let e = m.smax(e, low);
    let e = m.smin(e, high);
    let e = m.iadd(e, parts.exponent);
    let (low, high, bias) = (m.i(-200), m.i(200), m.i(127));
    let e = m.smax(e, low);
    let e = m.smin(e, high);
    let first = m.sshr(e, 1);
    let second = m.isub(e, first);
    let mut r = parts.mantissa;
    for part in [first, second] {
        let part = m.iadd(part, bias);
        let part = m.shl(part, 23);
        let part = m.float(part);
        r = m.mul(r, part);
    }
    m.select(parts.regular, r, x)
}
