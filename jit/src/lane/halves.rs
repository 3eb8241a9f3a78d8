//! Conversions between half precision, as memory and words hold it, and the f32 that lanes hold.

use cranelift_codegen::ir::{InstBuilder, Type, Value, types};
use quadrille_wide::intrinsics::Intrinsic;

use smallvec::SmallVec;

use super::shape::vector_of;
use super::{FCmp, ICmp, Lane, LaneBuilder, Parts, Vecs};
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

    /// The f16 in the low and in the high half of a word, as [`Self::f16_of_word`].
    pub(crate) fn f16s_of_word(&mut self, word: Lane) -> [Lane; 2] {
        // Hosts with mask registers narrow words to their halves in one instruction.
        if !self.has_quiet_halves() || !self.converts_halves(word) || self.has_mask_registers() {
            return [false, true].map(|high| self.f16_of_word(word, high));
        }
        let mut rows = [Vecs::new(), Vecs::new()];
        for v in self.vecs(word) {
            let sorted = self.sort_halves(&[v]);
            rows.iter_mut().zip(sorted).for_each(|(row, v)| row.push(v));
        }
        rows.map(|row| self.push(Ty::F32, Parts::Varying(row)))
    }

    /// Loads two or four consecutive f16 of each lane, which lie side by side, and returns a row for each; `None` for other numbers
    /// and without [`Self::has_quiet_halves`].
    pub(crate) fn load_half_records(&mut self, addr: Lane, n: u32) -> Option<SmallVec<[Lane; 4]>> {
        if !self.has_quiet_halves() || !matches!(n, 2 | 4) {
            return None;
        }
        let (a, ty, bytes) = (self.scalar(addr), self.int_vector(), self.vector_bytes());
        let mut rows: SmallVec<[Vecs; 4]> = (0..n).map(|_| Vecs::new()).collect();
        for first in (0..self.n_vecs(Ty::F32) as u32).map(|i| i * n / 2) {
            let at = |k: u32| ((first + k) * bytes) as i32;
            let loads: Vecs = (0..n / 2).map(|k| self.fb.ins().load(ty, Self::flags(), a, at(k))).collect();
            let sorted = self.sort_halves(&loads);
            rows.iter_mut().zip(sorted).for_each(|(row, v)| row.push(v));
        }
        Some(rows.into_iter().map(|row| self.push(Ty::F16, Parts::Varying(row))).collect())
    }

    /// Loads one f16 of each lane, `apart` bytes behind a uniform address; `None` if a vector has more than four different
    /// distances, and without [`Self::has_quiet_halves`].
    pub(super) fn load_halves_apart(&mut self, at: Lane, apart: &[u32]) -> Option<Lane> {
        let lanes = apart.chunks(self.per_vec(Ty::F32) as usize);
        let different = |lanes: &[u32]| {
            let mut places: SmallVec<[u32; 16]> = SmallVec::from_slice(lanes);
            places.sort_unstable();
            places.dedup();
            places
        };
        if !self.has_quiet_halves() || lanes.clone().any(|lanes| different(lanes).len() > 4) {
            return None;
        }
        let (a, vt) = (self.scalar(at), self.vector_type(Ty::F32));
        let (halves, flags) = (self.halves_of(vt), Self::access_flags(self.gather_access));
        let v = lanes
            .map(|lanes| {
                let places = different(lanes);
                let half = |s: &mut Self, place: u32| {
                    let x = s.fb.ins().uload16(types::I32, flags, a, place as i32);
                    s.fb.ins().uextend(types::I64, x)
                };
                let mut four = half(self, places[0]);
                for (&place, shift) in places[1..].iter().zip((16..).step_by(16)) {
                    let x = half(self, place);
                    let x = self.fb.ins().ishl_imm_u(x, shift);
                    four = self.fb.ins().bor(four, x);
                }
                let v = self.fb.ins().scalar_to_vector(vector_of(types::I64, halves.bits()), four);
                let v = self.vcast(halves, v);
                let v = self.intrinsic(Intrinsic::F16ToF32, &[v], vt);
                let order: SmallVec<[u32; 16]> =
                    lanes.iter().map(|d| places.partition_point(|p| p < d) as u32).collect();
                let order = self.vconst32(self.int_vector(), &order);
                self.intrinsic(Intrinsic::Permute, &[v, order], vt)
            })
            .collect();
        Some(self.push(Ty::F16, Parts::Varying(v)))
    }

    /// Converts the halves of one or two vectors, which hold two or four for each lane, side by side, to a vector for each place.
    fn sort_halves(&mut self, words: &[Value]) -> SmallVec<[Value; 4]> {
        let (ty, vt) = (self.int_vector(), self.vector_type(Ty::F32));
        let n = 2 * words.len() as u32;
        // In 16 bytes, the halves of each place come to lie side by side, and so fill `run` words.
        let (run, lanes) = (4 / n, 8 / n);
        let halves: SmallVec<[u32; 8]> = (0..8).map(|i| i % lanes * n + i / lanes).collect();
        let bytes_of = |half: u32| 0x100 + 0x202 * half;
        let bytes = halves.chunks(2).map(|pair| bytes_of(pair[0]) | bytes_of(pair[1]) << 16);
        let bytes: SmallVec<[u32; 4]> = bytes.collect();
        let bytes = self.vconst32(ty, &bytes);
        let grouped: Vecs =
            words.iter().map(|&v| self.intrinsic(Intrinsic::ShuffleBytes, &[v, bytes], ty)).collect();
        // Each half of these vectors has the halves of one place.
        let (placed, order): ([Value; 2], [usize; 4]) = match grouped[..] {
            [x] => {
                let v = self.words_by_place(&[x], 0, run);
                ([v, v], [0, 1, 0, 1])
            }
            [x, y] if self.has_mask_registers() => {
                ([0, 2].map(|place| self.words_by_place(&[x, y], place, run)), [0, 1, 2, 3])
            }
            _ => {
                let [x, y] = [0, 1].map(|i| self.words_by_place(&[grouped[i]], 0, run));
                ([[0, 1, 4, 5], [2, 3, 6, 7]].map(|words| self.shuffle32(x, y, words)), [0, 2, 1, 3])
            }
        };
        let halves = self.halves_of(vt);
        order[..n as usize]
            .iter()
            .map(|&k| {
                let v = self.half(placed[k / 2], k % 2 == 1);
                let v = self.vcast(halves, v);
                self.intrinsic(Intrinsic::F16ToF32, &[v], vt)
            })
            .collect()
    }

    /// Of vectors whose groups of 16 bytes have `run` words for each place: the words of places from `first` on, place by place.
    fn words_by_place(&mut self, grouped: &[Value], first: u32, run: u32) -> Value {
        let ty = self.int_vector();
        let groups = grouped.len() as u32 * ty.lane_count() / 4;
        let place = |i: u32| (i / (groups * run) + first, i % (groups * run));
        let order: SmallVec<[u32; 16]> =
            (0..ty.lane_count()).map(place).map(|(p, i)| i / run * 4 + p * run + i % run).collect();
        let order = self.vconst32(ty, &order);
        match *grouped {
            [x, y] => self.intrinsic(Intrinsic::Permute2, &[x, y, order], ty),
            _ => self.intrinsic(Intrinsic::Permute, &[grouped[0], order], ty),
        }
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
