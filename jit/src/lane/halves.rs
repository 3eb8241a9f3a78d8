//! Conversions between half precision, as memory and words hold it, and the f32 that lanes hold.

use cranelift_codegen::ir::{InstBuilder, Type, Value, types};
use quadrille_wide::intrinsics::Intrinsic;

use super::shape::vector_of;
use super::{FCmp, ICmp, Lane, LaneBuilder, Parts};
use crate::ir::Ty;

impl LaneBuilder<'_> {
    /// f16 encodings (low 16 bits of I32) to f32; exact, denormals are kept.
    pub fn f16_bits_to_f32(&mut self, h: Lane) -> Lane {
        self.f16_of_word(h, false)
    }

    /// The f16 in the low or in the high half of a word, as f32; exact, denormals are kept. NaN keeps its payload, unless
    /// [`Self::has_quiet_halves`].
    pub(crate) fn f16_of_word(&mut self, word: Lane, high: bool) -> Lane {
        if !self.has_quiet_halves() {
            return self.half_by_words(word, high);
        }
        if self.converts_halves(word) || self.as_const(word).is_none() {
            return self.half_by_host(word, high);
        }
        let half = self.half_by_words(word, high);
        self.quiet(half)
    }

    /// The f16 in the low or in the high half of a word by operations on words.
    fn half_by_words(&mut self, word: Lane, high: bool) -> Lane {
        let mut upper = word;
        if !high {
            let sixteen = self.i32(16);
            upper = self.shl(word, sixteen);
        }
        // Moves exponent and mantissa to their position in f32, and scales by 2^112: exact for denormals, too.
        let three = self.i32(3);
        let shifted = self.sshr(upper, three);
        let kept = self.u32(0x8fff_e000);
        let small = self.and(shifted, kept);
        let small = self.bitcast(small, Ty::F32);
        let scale = self.bits(Ty::F32, 0x7780_0000);
        let scaled = self.fmul(small, scale);
        let bits = self.bitcast(scaled, Ty::I32);
        // Infinity and NaN, with all exponent bits set, are now 2^16 and more; finite values are at most 65504.
        let magnitude = self.u32(0x7fff_ffff);
        let magnitude = self.and(bits, magnitude);
        let finite = self.i32(0x477f_ffff);
        let special = self.icmp(ICmp::Sgt, magnitude, finite);
        let ones = self.i32(0x7f80_0000);
        let infinite = self.or(bits, ones);
        let bits = self.select(special, infinite, bits);
        self.bitcast(bits, Ty::F32)
    }

    /// Encodings of f16 values held as f32. NaN keeps its payload, so that copies preserve all bits; a signaling one may not,
    /// if [`Self::has_quiet_halves`].
    pub(crate) fn f16_encoding(&mut self, f: Lane) -> Lane {
        if self.has_quiet_halves() && self.converts_halves(f) {
            return self.halves_by_host(f);
        }
        let r = if self.converts_halves(f) { self.halves_by_host(f) } else { self.f32_to_f16_bits(f) };
        let bits = self.bitcast(f, Ty::I32);
        let thirteen = self.i32(13);
        let mantissa = self.ushr(bits, thirteen);
        let ten = self.i32(0x3ff);
        let payload = self.and(mantissa, ten);
        let (zero, quiet) = (self.i32(0), self.i32(0x200));
        let none = self.icmp(ICmp::Eq, payload, zero);
        let payload = self.select(none, quiet, payload);
        let top = self.u32(0xfc00);
        let exponent = self.and(r, top);
        let nan = self.or(exponent, payload);
        let m = self.u32(0x7fff_ffff);
        let a = self.and(bits, m);
        let max = self.u32(0x7f80_0000);
        let is_nan = self.icmp(ICmp::Ugt, a, max);
        self.select(is_nan, nan, r)
    }

    /// The f16 in the low or in the high half of a word by the host's conversion.
    fn half_by_host(&mut self, word: Lane, high: bool) -> Lane {
        let mut low = word;
        if high {
            let sixteen = self.i32(16);
            low = self.ushr(word, sixteen);
        }
        if self.is_uniform(low) {
            let v = self.scalar(low);
            let v = self.fb.ins().scalar_to_vector(types::I32X4, v);
            let v = self.vcast(types::I16X8, v);
            let v = self.intrinsic(Intrinsic::F16ToF32, &[v], types::F32X4);
            let v = self.fb.ins().extractlane(v, 0);
            return self.push(Ty::F32, Parts::Uniform(v));
        }
        let vt = self.vector_type(Ty::F32);
        let halves = self.halves_of(vt);
        self.map1(low, Ty::F32, |s, v| {
            let v = s.intrinsic(Intrinsic::Truncate, &[v], halves);
            s.intrinsic(Intrinsic::F16ToF32, &[v], vt)
        })
    }

    /// True if the halves that the next operation makes or converts hold no signaling NaN.
    pub(crate) fn has_quiet_halves(&self) -> bool {
        self.quiets_halves && self.is_wide_code()
    }

    /// F32 with quiet NaNs, which keep their payload.
    pub(crate) fn quiet(&mut self, x: Lane) -> Lane {
        let is_nan = self.fcmp(FCmp::Unordered, x, x);
        let (quiet, none) = (self.u32(1 << 22), self.u32(0));
        let quiet = self.select(is_nan, quiet, none);
        let bits = self.bitcast(x, Ty::I32);
        let bits = self.or(bits, quiet);
        self.bitcast(bits, Ty::F32)
    }

    /// True if the host converts the halves of a value, which differ from lane to lane.
    fn converts_halves(&self, v: Lane) -> bool {
        self.is_wide_code() && !self.is_uniform(v)
    }

    /// The vector that holds a half for each lane of a vector.
    fn halves_of(&self, ty: Type) -> Type {
        vector_of(types::I16, (16 * ty.lane_count()).max(128))
    }

    /// Rounds F32 to the nearest f16 value, ties to even, if the host does.
    pub(crate) fn round_to_half(&mut self, f: Lane) -> Option<Lane> {
        self.converts_halves(f).then(|| {
            let vt = self.vector_type(Ty::F32);
            let halves = self.halves_of(vt);
            self.map1(f, Ty::F16, |s, v| {
                let v = s.intrinsic(Intrinsic::F32ToF16, &[v], halves);
                s.intrinsic(Intrinsic::F16ToF32, &[v], vt)
            })
        })
    }

    /// The encodings by the host. A NaN keeps the upper bits of its payload and becomes quiet.
    fn halves_by_host(&mut self, f: Lane) -> Lane {
        let (halves, words) = (self.halves_of(self.vector_type(Ty::F32)), self.int_vector());
        self.map1(f, Ty::I32, |s, v| {
            let v = s.half_before(v).unwrap_or_else(|| s.intrinsic(Intrinsic::F32ToF16, &[v], halves));
            s.intrinsic(Intrinsic::WidenUnsigned, &[v], words)
        })
    }

    /// The halves that a vector was converted from: converting it back has the same bits, since conversions make NaNs quiet.
    fn half_before(&self, v: Value) -> Option<Value> {
        let inst = self.fb.func.dfg.value_def(v).inst()?;
        let of = Intrinsic::called(self.fb.func, inst);
        let rounded = |half: &Value| {
            let made = self.fb.func.dfg.value_def(*half).inst();
            made.and_then(|inst| Intrinsic::called(self.fb.func, inst)) == Some(Intrinsic::F32ToF16)
        };
        let half = (of == Some(Intrinsic::F16ToF32)).then(|| self.fb.func.dfg.inst_args(inst)[0]);
        half.filter(rounded)
    }

    /// f32 to f16 encodings (low 16 bits of I32), rounded to nearest even; NaN becomes 0x7e00 with the sign.
    pub fn f32_to_f16_bits(&mut self, f: Lane) -> Lane {
        if self.converts_halves(f) {
            let r = self.halves_by_host(f);
            let bits = self.bitcast(f, Ty::I32);
            let (sixteen, sign, quiet) = (self.i32(16), self.i32(0x8000), self.i32(0x7e00));
            let nan = self.ushr(bits, sixteen);
            let nan = self.and(nan, sign);
            let nan = self.or(nan, quiet);
            let is_nan = self.fcmp(FCmp::Unordered, f, f);
            return self.select(is_nan, nan, r);
        }
        let bits = self.bitcast(f, Ty::I32);
        let m = self.u32(0x7fff_ffff);
        let a = self.and(bits, m);
        // Normal results: rebias the exponent, and round by adding half an ulp minus one, plus the lowest kept bit.
        let (thirteen, one) = (self.i32(13), self.i32(1));
        let odd = self.ushr(a, thirteen);
        let odd = self.and(odd, one);
        let bias = self.u32((((15i32 - 127) << 23) as u32).wrapping_add(0xfff));
        let r = self.iadd(a, bias);
        let r = self.iadd(r, odd);
        let normal = self.ushr(r, thirteen);
        // Small results: an addition that leaves the rounded mantissa in the low bits.
        let magic = self.bits(Ty::F32, u64::from((((127 - 15) + (23 - 10) + 1) as u32) << 23));
        let af = self.bitcast(a, Ty::F32);
        let sum = self.fadd(af, magic);
        let sum = self.bitcast(sum, Ty::I32);
        let magic_bits = self.u32(((127 - 15) + (23 - 10) + 1) << 23);
        let small = self.isub(sum, magic_bits);
        let least = self.u32(113 << 23);
        let is_small = self.icmp(ICmp::Ult, a, least);
        let r = self.select(is_small, small, normal);
        // Overflow: values from 65520 on become infinity.
        let top = self.u32(0x477f_f000);
        let is_inf = self.icmp(ICmp::Uge, a, top);
        let inf = self.i32(0x7c00);
        let r = self.select(is_inf, inf, r);
        let max = self.u32(0x7f80_0000);
        let is_nan = self.icmp(ICmp::Ugt, a, max);
        let nan = self.i32(0x7e00);
        let r = self.select(is_nan, nan, r);
        let sixteen = self.i32(16);
        let sign = self.ushr(bits, sixteen);
        let sm = self.i32(0x8000);
        let sign = self.and(sign, sm);
        self.or(r, sign)
    }
}
