//! Transcendental functions, Ldexp and Frexp.
//!
//! f32 uses the functions of [`super::approx`]; f16 is computed in f32, and f64 by the routines of [`super::double`].
//! Ldexp and Frexp are exact for every type.

use super::approx::{self, Maths};
use super::double::{self, Binary, Unary};
use super::held::{abs, exact, float, wide};
use super::number::Scalar;
use super::value::{Args, from_f32};
use crate::ir::Ty;
use crate::lane::{FCmp, ICmp, Lane, LaneBuilder};

macro_rules! unary {
    ($($eval:ident $lower:ident $function:ident),* $(,)?) => {
        $(pub(crate) fn $eval(a: &Args) -> u64 {
            match a.result {
                Ty::F64 => double::$function(a.f(0)).to_bits(),
                ty => from_f32(ty, approx::$function(&mut Scalar, a.f32(0))),
            }
        }
        pub(crate) fn $lower(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
            if ty == Ty::F64 {
                return double::lower(b, ty, a, double::$function as Unary as usize);
            }
            let x = wide(b, a[0]);
            let r = approx::$function(b, x);
            float(b, ty, r)
        })*
    };
}

unary! {
    eval_sin lower_sin sin,
    eval_cos lower_cos cos,
    eval_tan lower_tan tan,
    eval_asin lower_asin asin,
    eval_acos lower_acos acos,
    eval_atan lower_atan atan,
    eval_sinh lower_sinh sinh,
    eval_cosh lower_cosh cosh,
    eval_tanh lower_tanh tanh,
    eval_asinh lower_asinh asinh,
    eval_acosh lower_acosh acosh,
    eval_atanh lower_atanh atanh,
    eval_exp lower_exp exp,
    eval_log lower_log log,
    eval_exp2 lower_exp2 exp2,
    eval_log2 lower_log2 log2,
}

macro_rules! binary {
    ($($eval:ident $lower:ident $function:ident),* $(,)?) => {
        $(pub(crate) fn $eval(a: &Args) -> u64 {
            match a.result {
                Ty::F64 => double::$function(a.f(0), a.f(1)).to_bits(),
                ty => from_f32(ty, approx::$function(&mut Scalar, a.f32(0), a.f32(1))),
            }
        }
        pub(crate) fn $lower(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
            if ty == Ty::F64 {
                return double::lower(b, ty, a, double::$function as Binary as usize);
            }
            let (x, y) = (wide(b, a[0]), wide(b, a[1]));
            let r = approx::$function(b, x, y);
            float(b, ty, r)
        })*
    };
}

binary! {
    eval_atan2 lower_atan2 atan2,
    eval_pow lower_pow pow,
}

pub(crate) fn eval_ldexp(a: &Args) -> u64 {
    let exponent = a.s(1) as i32;
    match a.result {
        Ty::F64 => ldexp64(a.f(0), exponent).to_bits(),
        // The smallest f32 is 2^-125 times the smallest f16, so nothing is rounded twice in range: values that f32
        // rounds are far below the smallest f16.
        ty => from_f32(ty, approx::ldexp(&mut Scalar, a.f32(0), exponent)),
    }
}
pub(crate) fn lower_ldexp(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    if ty == Ty::F64 {
        return b.call_lanes(ldexp64 as extern "C" fn(f64, i32) -> f64 as usize, a, ty);
    }
    let x = wide(b, a[0]);
    let r = approx::ldexp(b, x, a[1]);
    float(b, ty, r)
}
pub(crate) fn eval_frexp_mant(a: &Args) -> u64 {
    match a.result {
        Ty::F64 => frexp64(a.f(0)).0.to_bits(),
        ty => from_f32(ty, approx::frexp_mant(&mut Scalar, a.f32(0))),
    }
}
pub(crate) fn lower_frexp_mant(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    if ty == Ty::F64 {
        return b.call_lanes(frexp64_mant as extern "C" fn(f64) -> f64 as usize, a, ty);
    }
    let x = wide(b, a[0]);
    let r = approx::frexp_mant(b, x);
    exact(b, ty, r)
}
pub(crate) fn eval_frexp_exp(a: &Args) -> u64 {
    let exponent = match a.ty(0) {
        Ty::F64 => frexp64(a.f(0)).1,
        _ => approx::frexp_exp(&mut Scalar, a.f32(0)),
    };
    u64::from(exponent as u32)
}
pub(crate) fn lower_frexp_exp(b: &mut LaneBuilder, ty: Ty, a: &[Lane]) -> Lane {
    if b.ty(a[0]) == Ty::F64 {
        return b.call_lanes(frexp64_exp as extern "C" fn(f64) -> i32 as usize, a, ty);
    }
    let x = wide(b, a[0]);
    approx::frexp_exp(b, x)
}

/// `2^e` for e in the range of normal exponents.
fn power_of_two(e: i32) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}

fn frexp64(x: f64) -> (f64, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    let (y, bias) = if x.abs() < f64::MIN_POSITIVE { (x * power_of_two(54), 1076) } else { (x, 1022) };
    let bits = y.to_bits();
    let mantissa = f64::from_bits(bits & 0x800f_ffff_ffff_ffff | 0x3fe0_0000_0000_0000);
    (mantissa, (bits >> 52 & 0x7ff) as i32 - bias)
}

extern "C" fn frexp64_mant(x: f64) -> f64 {
    frexp64(x).0
}
extern "C" fn frexp64_exp(x: f64) -> i32 {
    frexp64(x).1
}

extern "C" fn ldexp64(x: f64, e: i32) -> f64 {
    let (mantissa, own) = frexp64(x);
    let e = (e.clamp(-4000, 4000) + own).clamp(-1400, 1400);
    // The first product is exact, so only the second one rounds.
    if x == 0.0 || !x.is_finite() { x } else { mantissa * power_of_two(e >> 1) * power_of_two(e - (e >> 1)) }
}

/// The operations on lane groups.
impl Maths for LaneBuilder<'_> {
    type F = Lane;
    type I = Lane;
    type B = Lane;

    fn f(&mut self, x: f32) -> Lane {
        self.f32(x)
    }
    fn i(&mut self, x: i32) -> Lane {
        self.i32(x)
    }
    fn add(&mut self, x: Lane, y: Lane) -> Lane {
        self.fadd(x, y)
    }
    fn sub(&mut self, x: Lane, y: Lane) -> Lane {
        self.fsub(x, y)
    }
    fn mul(&mut self, x: Lane, y: Lane) -> Lane {
        self.fmul(x, y)
    }
    fn div(&mut self, x: Lane, y: Lane) -> Lane {
        self.fdiv(x, y)
    }
    fn fma(&mut self, x: Lane, y: Lane, z: Lane) -> Lane {
        LaneBuilder::fma(self, x, y, z)
    }
    fn sqrt(&mut self, x: Lane) -> Lane {
        LaneBuilder::sqrt(self, x)
    }
    fn abs(&mut self, x: Lane) -> Lane {
        abs(self, x)
    }
    fn floor(&mut self, x: Lane) -> Lane {
        LaneBuilder::floor(self, x)
    }
    fn lt(&mut self, x: Lane, y: Lane) -> Lane {
        self.fcmp(FCmp::OrdLt, x, y)
    }
    fn eq(&mut self, x: Lane, y: Lane) -> Lane {
        if let (Some(x), Some(y)) = (self.as_const(x), self.as_const(y)) {
            return self.bool(f32::from_bits(x as u32) == f32::from_bits(y as u32));
        }
        self.fcmp(FCmp::OrdEq, x, y)
    }
    fn both(&mut self, x: Lane, y: Lane) -> Lane {
        LaneBuilder::and(self, x, y)
    }
    fn select(&mut self, c: Lane, x: Lane, y: Lane) -> Lane {
        LaneBuilder::select(self, c, x, y)
    }
    fn rare(&mut self, c: Lane, usual: Lane, other: impl FnOnce(&mut Self) -> Lane) -> Lane {
        if self.is_uniform(c) {
            let other = other(self);
            return LaneBuilder::select(self, c, other, usual);
        }
        let var = self.declare(Ty::F32, false);
        self.set(&var, usual);
        let any = self.any(c);
        self.if_(any, |b| {
            let other = other(b);
            let v = LaneBuilder::select(b, c, other, usual);
            b.set(&var, v);
        });
        self.take(var)
    }
    fn shared(&mut self, x: Lane, make: impl FnOnce(&mut Self) -> [Lane; 3]) -> [Lane; 3] {
        if let Some(parts) = self.kept_parts(x) {
            return parts;
        }
        let parts = make(self);
        self.keep_parts(x, parts);
        parts
    }
    fn min(&mut self, x: Lane, y: Lane) -> Lane {
        self.fmin(x, y)
    }
    fn max(&mut self, x: Lane, y: Lane) -> Lane {
        self.fmax(x, y)
    }
    fn bits(&mut self, x: Lane) -> Lane {
        self.bitcast(x, Ty::I32)
    }
    fn float(&mut self, x: Lane) -> Lane {
        self.bitcast(x, Ty::F32)
    }
    fn to_f(&mut self, x: Lane) -> Lane {
        self.s32_to_f32(x)
    }
    fn iadd(&mut self, x: Lane, y: Lane) -> Lane {
        LaneBuilder::iadd(self, x, y)
    }
    fn isub(&mut self, x: Lane, y: Lane) -> Lane {
        LaneBuilder::isub(self, x, y)
    }
    fn and(&mut self, x: Lane, y: Lane) -> Lane {
        LaneBuilder::and(self, x, y)
    }
    fn or(&mut self, x: Lane, y: Lane) -> Lane {
        LaneBuilder::or(self, x, y)
    }
    fn xor(&mut self, x: Lane, y: Lane) -> Lane {
        LaneBuilder::xor(self, x, y)
    }
    fn shl(&mut self, x: Lane, n: u32) -> Lane {
        let n = self.u32(n);
        LaneBuilder::shl(self, x, n)
    }
    fn ushr(&mut self, x: Lane, n: u32) -> Lane {
        let n = self.u32(n);
        LaneBuilder::ushr(self, x, n)
    }
    fn sshr(&mut self, x: Lane, n: u32) -> Lane {
        let n = self.u32(n);
        LaneBuilder::sshr(self, x, n)
    }
    fn smin(&mut self, x: Lane, y: Lane) -> Lane {
        LaneBuilder::smin(self, x, y)
    }
    fn smax(&mut self, x: Lane, y: Lane) -> Lane {
        LaneBuilder::smax(self, x, y)
    }
    fn ilt(&mut self, x: Lane, y: Lane) -> Lane {
        self.icmp(ICmp::Slt, x, y)
    }
    fn iselect(&mut self, c: Lane, x: Lane, y: Lane) -> Lane {
        LaneBuilder::select(self, c, x, y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distance between `got` and `want` in units in the last place of f32 at `want`.
    fn ulp(got: f32, want: f64) -> f64 {
        let near = want as f32;
        if near.is_infinite() || near.is_nan() || got.is_nan() || got.is_infinite() {
            let same = got == near || got.is_nan() && near.is_nan();
            // Rounding to infinity and to the largest finite number are both within one ulp.
            let edge = got.abs() >= f32::MAX && near.abs() >= f32::MAX && got.signum() == near.signum();
            return if same || edge { 0.0 } else { f64::INFINITY };
        }
        let exponent = (near.abs().to_bits() >> 23).max(1) as i32 - 127;
        (f64::from(got) - want).abs() / 2f64.powi(exponent - 23)
    }

    /// Floats spread over the range, evenly by value and evenly by bits.
    fn sweep(low: f32, high: f32, n: u32) -> impl Iterator<Item = f32> {
        let even = (0..n).map(move |i| {
            let at = f64::from(i) / f64::from(n);
            (f64::from(low) * (1.0 - at) + f64::from(high) * at) as f32
        });
        let bits =
            (0..n).map(move |i| f32::from_bits((u64::from(i) * 0x7f80_0000 / u64::from(n)) as u32 + i % 97));
        even.chain(bits.flat_map(|x| [x, -x]).filter(move |&x| low <= x && x <= high))
    }

    fn worst(
        low: f32,
        high: f32,
        function: fn(&mut Scalar, f32) -> f32,
        error: impl Fn(f32, f32) -> f64,
    ) -> (f64, f32) {
        let mut worst = (0.0, 0.0);
        for x in sweep(low, high, 60_000) {
            let e = error(function(&mut Scalar, x), x);
            if e.is_nan() || e > worst.0 {
                worst = (e, x);
            }
        }
        worst
    }

    #[track_caller]
    fn within_ulp(
        low: f32,
        high: f32,
        function: fn(&mut Scalar, f32) -> f32,
        std: fn(f64) -> f64,
        bound: f64,
    ) {
        let (e, x) = worst(low, high, function, |got, x| ulp(got, std(f64::from(x))));
        println!("[{low}, {high}]: {e:.2} ulp at {x}");
        assert!(e <= bound, "{e} ulp at {x}: {} for {}", function(&mut Scalar, x), std(f64::from(x)));
    }

    #[track_caller]
    fn within_abs(
        low: f32,
        high: f32,
        function: fn(&mut Scalar, f32) -> f32,
        std: fn(f64) -> f64,
        bound: f64,
    ) {
        let (e, x) = worst(low, high, function, |got, x| (f64::from(got) - std(f64::from(x))).abs());
        println!("[{low}, {high}]: 2^{:.2} at {x}", e.log2());
        assert!(e <= bound, "{e} at {x}: {} for {}", function(&mut Scalar, x), std(f64::from(x)));
    }

    #[test]
    fn sine_and_cosine_are_close() {
        use approx::{cos, sin};
        within_abs(-3.15, 3.15, sin, f64::sin, 1.5e-7);
        within_abs(-3.15, 3.15, cos, f64::cos, 1.5e-7);
        within_abs(-65536.0, 65536.0, sin, f64::sin, 2.5e-7);
        within_abs(-65536.0, 65536.0, cos, f64::cos, 2.5e-7);
        within_ulp(-1.6, 1.6, sin, f64::sin, 2.0);
        for x in sweep(f32::MIN, f32::MAX, 60_000) {
            assert!(sin(&mut Scalar, x).abs() <= 1.0, "sin {x}");
            assert!(cos(&mut Scalar, x).abs() <= 1.0, "cos {x}");
        }
        assert_eq!(cos(&mut Scalar, 0.0), 1.0);
        assert_eq!(sin(&mut Scalar, 0.0), 0.0);
        assert_eq!(sin(&mut Scalar, std::f32::consts::FRAC_PI_2), 1.0);
        assert!(sin(&mut Scalar, f32::INFINITY).is_nan() && cos(&mut Scalar, f32::NAN).is_nan());
    }

    #[test]
    fn tangent_is_close() {
        within_ulp(-0.8, 0.8, approx::tan, f64::tan, 3.0);
        within_ulp(-1.5, 1.5, approx::tan, f64::tan, 3.0);
        assert!(approx::tan(&mut Scalar, f32::INFINITY).is_nan());
    }

    #[test]
    fn exponentials_are_close() {
        use approx::{exp, exp2};
        within_ulp(-126.0, 135.0, exp2, f64::exp2, 2.0);
        within_ulp(-87.336, 95.0, exp, f64::exp, 2.0);
        for x in sweep(-1000.0, -126.001, 1000) {
            let e = exp2(&mut Scalar, x);
            assert!(e == 0.0 || f64::from(e) <= 2f64.powi(-126), "2^{x} = {e}");
        }
        for x in sweep(-1e30, -87.34, 1000) {
            let e = exp(&mut Scalar, x);
            assert!(e == 0.0 || f64::from(e) <= 2f64.powi(-126), "e^{x} = {e}");
        }
        for k in -126..=127 {
            assert_eq!(f64::from(exp2(&mut Scalar, k as f32)), 2f64.powi(k), "2^{k}");
        }
        for f in [exp, exp2] {
            assert_eq!(f(&mut Scalar, f32::INFINITY), f32::INFINITY);
            assert_eq!(f(&mut Scalar, f32::NEG_INFINITY), 0.0);
            assert_eq!(f(&mut Scalar, 0.0), 1.0);
            assert!(f(&mut Scalar, f32::NAN).is_nan());
        }
    }

    #[test]
    fn logarithms_are_close() {
        use approx::{log, log2};
        within_ulp(f32::MIN_POSITIVE, 0.5, log, f64::ln, 3.0);
        within_ulp(f32::MIN_POSITIVE, 0.5, log2, f64::log2, 3.0);
        within_ulp(0.5, 2.0, log, f64::ln, 3.0);
        within_ulp(0.5, 2.0, log2, f64::log2, 4.0);
        within_ulp(2.0, f32::MAX, log, f64::ln, 3.0);
        within_ulp(2.0, f32::MAX, log2, f64::log2, 3.0);
        for k in -126..=127 {
            assert_eq!(log2(&mut Scalar, 2f64.powi(k) as f32), k as f32);
        }
        for f in [log, log2] {
            assert_eq!(f(&mut Scalar, f32::INFINITY), f32::INFINITY);
            assert_eq!(f(&mut Scalar, 0.0), f32::NEG_INFINITY);
            assert_eq!(f(&mut Scalar, -0.0), f32::NEG_INFINITY);
            assert_eq!(f(&mut Scalar, 1e-40), f32::NEG_INFINITY);
            assert_eq!(f(&mut Scalar, 1.0), 0.0);
            assert!(f(&mut Scalar, -1.0).is_nan() && f(&mut Scalar, f32::NAN).is_nan());
            assert!(f(&mut Scalar, f32::NEG_INFINITY).is_nan());
        }
    }

    #[test]
    fn powers_follow_the_composition() {
        let pow = |x: f32, y: f32| approx::pow(&mut Scalar, x, y);
        assert_eq!(pow(2.0, 10.0), 1024.0);
        assert_eq!(pow(4.0, -0.5), 0.5);
        assert_eq!(pow(0.0, 2.0), 0.0);
        assert_eq!(pow(7.0, 0.0), 1.0);
        assert!(pow(-2.0, 2.0).is_nan());
        for x in sweep(1e-3, 100.0, 2000) {
            for y in [0.4545f32, 2.2, -1.5, 3.0] {
                let want = f64::from(x).powf(f64::from(y));
                let exponent = (f64::from(y) * f64::from(x).log2()).abs();
                assert!(ulp(pow(x, y), want) <= 4.0 + 3.0 * exponent, "pow({x}, {y})");
            }
        }
    }

    #[test]
    fn inverse_trigonometry_is_close() {
        use approx::{acos, asin, atan};
        within_ulp(-1.0, 1.0, asin, f64::asin, 4.0);
        within_ulp(-1.0, 1.0, acos, f64::acos, 4.0);
        within_ulp(f32::MIN, f32::MAX, atan, f64::atan, 4.0);
        within_ulp(-3.0, 3.0, atan, f64::atan, 4.0);
        assert!(asin(&mut Scalar, 1.1).is_nan() && acos(&mut Scalar, -1.1).is_nan());
        assert_eq!(acos(&mut Scalar, 1.0), 0.0);
        assert_eq!(atan(&mut Scalar, f32::INFINITY), std::f32::consts::FRAC_PI_2);
        assert_eq!(atan(&mut Scalar, -0.0).to_bits(), (-0f32).to_bits());
    }

    #[test]
    fn atan2_knows_its_quadrants() {
        let edge = [0.0, -0.0, 1.0, -1.0, 3.0, f32::INFINITY, f32::NEG_INFINITY, 1e-40, -1e-40, 1e38];
        for y in edge {
            for x in edge {
                let want = f64::from(y).atan2(f64::from(x));
                let got = approx::atan2(&mut Scalar, y, x);
                assert!(ulp(got, want) <= 4.0, "atan2({y}, {x}) = {got}, not {want}");
                assert_eq!(got.is_sign_negative(), want.is_sign_negative(), "atan2({y}, {x})");
            }
        }
        for i in 0..10_000 {
            let (y, x) = ((i % 101) as f32 - 50.3, (i / 101) as f32 - 49.7);
            let want = f64::from(y).atan2(f64::from(x));
            assert!(ulp(approx::atan2(&mut Scalar, y, x), want) <= 4.0, "atan2({y}, {x})");
        }
        assert!(approx::atan2(&mut Scalar, f32::NAN, 1.0).is_nan());
        assert!(approx::atan2(&mut Scalar, 1.0, f32::NAN).is_nan());
    }

    #[test]
    fn hyperbolic_functions_are_close() {
        use approx::{acosh, asinh, atanh, cosh, sinh, tanh};
        // The range in which e^x is finite.
        within_ulp(-88.7, 88.7, sinh, f64::sinh, 5.0);
        within_ulp(-88.7, 88.7, cosh, f64::cosh, 5.0);
        assert_eq!(sinh(&mut Scalar, 89.0), f32::INFINITY);
        assert_eq!(sinh(&mut Scalar, -89.0), f32::NEG_INFINITY);
        assert_eq!(cosh(&mut Scalar, -89.0), f32::INFINITY);
        within_ulp(f32::MIN, f32::MAX, tanh, f64::tanh, 5.0);
        within_ulp(-2.0, 2.0, tanh, f64::tanh, 5.0);
        within_ulp(f32::MIN, f32::MAX, asinh, f64::asinh, 5.0);
        within_ulp(-2.0, 2.0, asinh, f64::asinh, 5.0);
        within_ulp(1.0, f32::MAX, acosh, f64::acosh, 5.0);
        within_ulp(1.0, 3.0, acosh, f64::acosh, 5.0);
        within_ulp(-1.0, 1.0, atanh, f64::atanh, 5.0);
        assert!(acosh(&mut Scalar, 0.5).is_nan() && acosh(&mut Scalar, -1e6).is_nan());
        assert!(atanh(&mut Scalar, 1.5).is_nan());
        assert_eq!(atanh(&mut Scalar, -1.0), f32::NEG_INFINITY);
        for f in [sinh, asinh, tanh, atanh] {
            assert!(f(&mut Scalar, f32::NAN).is_nan());
        }
    }

    #[test]
    fn floats_come_apart_and_together() {
        for x in sweep(f32::MIN, f32::MAX, 5000) {
            let (mantissa, e) = (approx::frexp_mant(&mut Scalar, x), approx::frexp_exp(&mut Scalar, x));
            assert!(x == 0.0 || (0.5..1.0).contains(&mantissa.abs()), "frexp {x}");
            assert_eq!(approx::ldexp(&mut Scalar, mantissa, e), x);
            for by in [-300, -140, -126, -25, -1, 0, 1, 24, 150, 300, i32::MAX, i32::MIN] {
                // f64 holds every product with a moderate exponent exactly.
                let want = (f64::from(x) * 2f64.powi(by.clamp(-400, 400))) as f32;
                assert_eq!(approx::ldexp(&mut Scalar, x, by), want, "ldexp({x}, {by})");
            }
        }
        assert_eq!(ldexp64(1.5, -1075), f64::from_bits(1));
        assert_eq!(ldexp64(1.0, 1023), 2f64.powi(1023));
        assert_eq!(frexp64(5e-324), (0.5, -1073));
        assert_eq!(frexp64(-8.0), (-0.5, 4));
    }
}
