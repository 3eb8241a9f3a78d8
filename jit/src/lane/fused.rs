//! Fused multiply-add with one rounding on every host.
//!
//! On hosts without the instruction, f32 is computed in f64, in which the product of two f32 is exact. The sum is
//! rounded to odd, so that the rounding to f32 can tell on which side of a tie the exact sum lies. This happens out of
//! line ([`routine`]), and only if the plain sum may be wrong. For f64 there is no wider type, so each lane calls a
//! helper.

mod routine;

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::shape::le;
use super::{Lane, LaneBuilder, Parts};
use crate::ir::Ty;
use crate::sys::maths::fma_f64;

impl LaneBuilder<'_> {
    /// Fused `a * b + c` with one rounding on every host.
    pub fn fma(&mut self, a: Lane, b: Lane, c: Lane) -> Lane {
        let ty = self.ty(a);
        let uniform = [a, b, c].iter().all(|&x| self.is_uniform(x));
        if self.cpu().has_fma() {
            if uniform {
                let (a, b, c) = (self.scalar(a), self.scalar(b), self.scalar(c));
                let v = self.fb.ins().fma(a, b, c);
                return self.push(ty, Parts::Uniform(v));
            }
            let (a, b, c) = (self.vecs(a), self.vecs(b), self.vecs(c));
            let v = (0..a.len()).map(|i| self.fb.ins().fma(a[i], b[i], c[i])).collect();
            return self.push(ty, Parts::Varying(v));
        }
        if ty == Ty::F32 {
            return self.fma_by_routine([a, b, c]).unwrap_or_else(|| self.fma_in_f64(a, b, c));
        }
        let helper = exact_fma64 as extern "C" fn(f64, f64, f64) -> f64 as usize;
        self.call_lanes(helper, &[a, b, c], ty)
    }

    /// Fused multiply-add of F32 through F64, inline.
    fn fma_in_f64(&mut self, a: Lane, b: Lane, c: Lane) -> Lane {
        let uniform = [a, b, c].iter().all(|&x| self.is_uniform(x));
        let [a, b, c] = [a, b, c].map(|x| {
            let x = self.splat(x);
            self.f32_to_f64(x)
        });
        let product = self.fmul(a, b);
        let sums = self.sums_to_odd(product, c);
        let rounded = self.f64_to_f32(sums);
        if !uniform {
            return rounded;
        }
        let first = self.vecs(rounded)[0];
        let first = self.fb.ins().extractlane(first, 0);
        self.push(Ty::F32, Parts::Uniform(first))
    }

    /// `x + y` of varying F64, rounded to odd as in [`Self::sum_to_odd`].
    fn sums_to_odd(&mut self, x: Lane, y: Lane) -> Lane {
        let (x, y) = (self.vecs(x), self.vecs(y));
        let sums = x.into_iter().zip(y).map(|(x, y)| self.sum_to_odd(x, y)).collect();
        self.push(Ty::F64, Parts::Varying(sums))
    }

    /// `x + y` of f64 vectors, rounded to odd: toward zero, with the last bit of the significand set if the sum is
    /// inexact. Infinities and NaN are unchanged, because the error term is then NaN.
    fn sum_to_odd(&mut self, x: Value, y: Value) -> Value {
        let top = self.vconst32(types::F64X2, &[0, 1 << 31]);
        let zero = self.vconst32(types::F64X2, &[0]);
        let fb = &mut self.fb;
        let sum = fb.ins().fadd(x, y);
        let part = fb.ins().fsub(sum, x);
        let rest = fb.ins().fsub(sum, part);
        let of_x = fb.ins().fsub(x, rest);
        let of_y = fb.ins().fsub(y, part);
        let lost = fb.ins().fadd(of_x, of_y);
        // `lost` becomes negative where the sum was rounded away from zero.
        let sign = fb.ins().band(sum, top);
        let lost = fb.ins().bxor(lost, sign);
        let away = fb.ins().fcmp(FloatCC::LessThan, lost, zero);
        let toward = fb.ins().fcmp(FloatCC::LessThan, zero, lost);
        let inexact = fb.ins().bor(away, toward);
        let last = fb.ins().ushr_imm_u(inexact, 63);
        // `away` is -1 in lanes where it is true.
        let bits = fb.ins().bitcast(types::I64X2, le(), sum);
        let bits = fb.ins().iadd(bits, away);
        let bits = fb.ins().bor(bits, last);
        fb.ins().bitcast(types::F64X2, le(), bits)
    }
}

/// Fused multiply-add of f64, rounded once on every host.
extern "C" fn exact_fma64(a: f64, b: f64, c: f64) -> f64 {
    fma_f64(a, b, c)
}

#[cfg(test)]
#[expect(unsafe_code, reason = "calls kernels")]
mod tests {
    use super::*;
    use crate::cpu::{CpuLevel, Tier};
    use crate::lane::build_kernel;
    use crate::sys::maths::fma_f32;

    const SPECIAL: [u32; 24] = [
        0x0000_0000,
        0x8000_0000,
        0x0000_0001,
        0x8000_0001,
        0x007f_ffff,
        0x807f_ffff,
        0x0080_0000,
        0x8080_0000,
        0x0080_0001,
        0x3f80_0000,
        0xbf80_0000,
        0x3f80_0001,
        0xbf7f_ffff,
        0x3f00_0000,
        0x4040_0000,
        0x2000_0000,
        0x1a00_0001,
        0x7e80_0000,
        0x7f7f_ffff,
        0xff7f_ffff,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0000,
        0xffc0_0001,
    ];

    /// Checks both methods for the lowest level.
    fn check<I: Iterator<Item = [u32; 3]>>(triples: impl Fn() -> I) {
        check_one(|l, [a, b, c]| l.fma(a, b, c), triples());
        check_one(|l, [a, b, c]| l.fma_in_f64(a, b, c), triples());
    }

    /// Compares a method with the standard library, on triples of bits.
    fn check_one(way: fn(&mut LaneBuilder<'_>, [Lane; 3]) -> Lane, triples: impl Iterator<Item = [u32; 3]>) {
        const LANES: usize = 32;
        let k = build_kernel(LANES as u32, CpuLevel::V2, Tier::First, |l, at| {
            let operands = [0, 128, 256].map(|row| l.load_row(Ty::F32, at, row));
            let r = way(l, operands);
            l.store_row(r, at, 384);
        })
        .unwrap();
        let mut mem = [[0u32; LANES]; 4];
        let mut triples = triples.fuse().peekable();
        while triples.peek().is_some() {
            for lane in 0..LANES {
                let triple = triples.next().unwrap_or_default();
                (0..3).for_each(|i| mem[i][lane] = triple[i]);
            }
            // SAFETY: the kernel reads and writes 512 bytes at its argument, all of which `mem` has.
            unsafe { (k.entry())(mem.as_mut_ptr().cast()) };
            for lane in 0..LANES {
                let [a, b, c, got] = [0, 1, 2, 3].map(|i| f32::from_bits(mem[i][lane]));
                let want = fma_f32(a, b, c);
                let same = got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan();
                assert!(same, "fma({a:e}, {b:e}, {c:e}) is {want:e}, not {got:e}");
            }
        }
    }

    /// Random triples: arbitrary bits, and sums that nearly cancel or lie near a tie.
    fn random(n: u32) -> impl Iterator<Item = [u32; 3]> {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 32) as u32
        };
        (0..n).map(move |i| {
            let (a, b, c) = (next(), next(), next());
            // Exponents near one and few bits in the product, so that ties occur.
            let near = |x: u32, keep: u32| x & (0x8000_0000 | keep) | 0x3f00_0000;
            let (few_a, few_b) = (near(a, 0x00ff_f000), near(b, 0x00ff_e000));
            let product = f32::from_bits(few_a) * f32::from_bits(few_b);
            match i % 5 {
                0 => [a, b, c],
                1 => [few_a, few_b, c],
                2 => [few_a, few_b, (-product).to_bits().wrapping_add(c % 5)],
                // An addend about 24 binary places above or below the product.
                3 => [few_a, few_b, few_a ^ few_b ^ (c << 31) ^ ((c >> 8) % 50 + 1) << 23 & 0x7f80_0000],
                // Denormal products.
                _ => [a & 0x80ff_ffff | 0x2000_0000, b & 0x80ff_ffff | 0x1f00_0000, c & 0x80ff_ffff],
            }
        })
    }

    #[test]
    fn fma_without_the_instruction_rounds_once() {
        let s = SPECIAL;
        check(|| {
            s.into_iter().flat_map(|a| s.into_iter().flat_map(move |b| s.into_iter().map(move |c| [a, b, c])))
        });
        let thousands = crate::env::TEST_ROUNDS.get().unwrap_or(200);
        check(|| random(1000 * thousands));
    }

    #[test]
    fn fma_of_uniform_values_rounds_once() {
        let k = build_kernel(8, CpuLevel::V2, Tier::Optimized, |l, at| {
            let [a, b, c] = [0, 4, 8].map(|offset| l.load(Ty::F32, at, offset));
            let r = l.fma(a, b, c);
            l.store(r, at, 12);
            let r = l.fma_in_f64(a, b, c);
            l.store(r, at, 16);
        })
        .unwrap();
        for triple in random(1000).chain([[0x3f80_0000, 0x3f80_0000, 0x3380_0000], [0; 3]]) {
            let [a, b, c] = triple.map(f32::from_bits);
            let mut mem = [a, b, c, 0.0, 0.0];
            // SAFETY: the kernel reads and writes 20 bytes at its argument, all of which `mem` has.
            unsafe { (k.entry())(mem.as_mut_ptr().cast()) };
            let want = fma_f32(a, b, c);
            for got in &mem[3..] {
                let same = got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan();
                assert!(same, "fma({a:e}, {b:e}, {c:e}) is {want:e}, not {got:e}");
            }
        }
    }

    /// Tests more values that live across a call of the routine than there are registers.
    #[test]
    fn fma_without_the_instruction_keeps_registers() {
        const N: usize = 24;
        for tier in [Tier::First, Tier::Optimized] {
            let k = build_kernel(8, CpuLevel::V2, tier, |l, at| {
                let rows: Vec<Lane> = (0..N).map(|i| l.load_row(Ty::F32, at, 32 * i as i32)).collect();
                let mut sum = rows[0];
                for &row in &rows {
                    sum = l.fma(sum, row, row);
                }
                l.store_row(sum, at, 0);
                (1..N).for_each(|i| l.store_row(rows[N - i], at, 32 * i as i32));
            })
            .unwrap();
            let start: Vec<f32> = (0..8 * N).map(|i| 1.0 + i as f32 / 1024.0).collect();
            let mut mem = start.clone();
            // SAFETY: the kernel reads and writes `8 * N` floats at its argument, all of which `mem` has.
            unsafe { (k.entry())(mem.as_mut_ptr().cast()) };
            for lane in 0..8 {
                let row = |i: usize| start[8 * i + lane];
                assert_eq!(mem[lane], (0..N).fold(row(0), |sum, i| fma_f32(sum, row(i), row(i))));
                (1..N).for_each(|i| assert_eq!(mem[8 * i + lane], row(N - i)));
            }
        }
    }
}
