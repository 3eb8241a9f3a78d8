//! Texels with 256 bits: a vector for each component. Other operations are left to [`super::avx2`].

use std::arch::x86_64::*;

use super::super::super::super::state::CompareOp;
use super::avx2::{Avx2, F8, I8, M8};
use super::{Rare, Vectors, Wide, mix, normalized};
use crate::memory::format::srgb::DECODE_BITS;

impl Avx2 {
    operations! { "avx2,fma,f16c";
        /// Byte `i` of words.
        pub fn code(words: I8, i: u32) -> I8 {
            let low = _mm256_set1_epi32(255);
            I8(_mm256_and_si256(_mm256_srl_epi32(words.0, _mm_cvtsi32_si128(8 * i as i32)), low))
        }
        /// Filters the even or the odd bytes of texels in integers.
        fn alternate_bytes(rows: &[[I8; 2]; 2], odd: bool, wx: I8, wy: I8) -> [F8; 2] {
            let whole = _mm256_set1_epi16(256);
            // Weights along x in both halves of the words.
            let wx = _mm256_or_si256(wx.0, _mm256_slli_epi32::<16>(wx.0));
            let wx0 = _mm256_sub_epi16(whole, wx);
            // Weights of the two rows side by side.
            let wy0 = _mm256_sub_epi32(_mm256_set1_epi32(256), wy.0);
            let wy = _mm256_or_si256(_mm256_slli_epi32::<16>(wy.0), wy0);
            let low = _mm256_set1_epi16(255);
            let top = _mm256_set1_epi16(i16::MIN);
            // Filters two bytes of each texel along x, in 16 bits each, and subtracts 2^15 to make them signed.
            let [a, b] = each!(2, row in *rows => {
                let [x, y] = each!(2, w in row => match odd {
                    false => _mm256_and_si256(w.0, low),
                    true => _mm256_srli_epi16::<8>(w.0),
                });
                let sum = _mm256_add_epi16(_mm256_mullo_epi16(x, wx0), _mm256_mullo_epi16(y, wx));
                _mm256_xor_si256(sum, top)
            });
            let first = _mm256_blend_epi16::<0xaa>(a, _mm256_slli_epi32::<16>(b));
            let second = _mm256_blend_epi16::<0xaa>(_mm256_srli_epi32::<16>(a), b);
            each!(2, pair in [first, second] => {
                // The weights add up to 256, so the subtraction above amounts to 2^23.
                let sum = _mm256_cvtepi32_ps(_mm256_madd_epi16(pair, wy));
                F8(_mm256_add_ps(sum, _mm256_set1_ps(8_388_608.0)))
            })
        }
        /// Transposes, within each half, eight lanes by eight 16-bit floats, and converts them: component `i` of the
        /// first texels of both rows, then of the second.
        fn transposed(lanes: &[I8; 8]) -> [[[F8; 2]; 2]; 4] {
            let zero = _mm256_setzero_si256();
            let (mut x, mut y) = ([zero; 8], [zero; 8]);
            unroll!(i in 0 1 2 3 => {
                x[2 * i] = _mm256_unpacklo_epi16(lanes[2 * i].0, lanes[2 * i + 1].0);
                x[2 * i + 1] = _mm256_unpackhi_epi16(lanes[2 * i].0, lanes[2 * i + 1].0);
            });
            unroll!(i in 0 2 4 6 => {
                let (a, b) = (x[i - i % 4 + i / 2 % 2], x[i - i % 4 + i / 2 % 2 + 2]);
                y[i] = _mm256_unpacklo_epi32(a, b);
                y[i + 1] = _mm256_unpackhi_epi32(a, b);
            });
            each!(4, i in [0, 1, 2, 3] => each!(2, k in [0, 2] => {
                let v = match i % 2 {
                    0 => _mm256_unpacklo_epi64(y[i / 2 + k], y[i / 2 + k + 4]),
                    _ => _mm256_unpackhi_epi64(y[i / 2 + k], y[i / 2 + k + 4]),
                };
                let (low, high) = (_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
                [F8(_mm256_cvtph_ps(low)), F8(_mm256_cvtph_ps(high))]
            }))
        }
        /// Two vectors, each with the same half of both operands.
        fn swapped(a: I8, b: I8) -> [I8; 2] {
            [
                I8(_mm256_permute2x128_si256::<0x20>(a.0, b.0)),
                I8(_mm256_permute2x128_si256::<0x31>(a.0, b.0)),
            ]
        }
    }

    /// The first and the second words of pairs.
    #[inline(always)]
    fn words_of(self, pairs: Pairs) -> [F8; 2] {
        let [first, second, ..] = self.split(pairs);
        [first, second]
    }

    /// Decodes component `i` of sRGB texels.
    #[inline(always)]
    fn decoded(self, texels: I8, i: u32, gathers: bool) -> F8 {
        let four_times = match i {
            0 => self.shl(texels, 2),
            _ => self.shr(texels, 8 * i - 2),
        };
        let at = four_times & self.i(0x3fc);
        // SAFETY: the offsets are at most 0x3fc, so all loads are inside the 256 words of `DECODE_BITS`.
        self.as_f(unsafe { self.load(DECODE_BITS.as_ptr().cast(), at, gathers) })
    }

    /// Loads words at byte offsets: with `gathers` by the host's gathers, else one by one.
    ///
    /// # Safety
    /// The words must be readable.
    #[inline(always)]
    pub unsafe fn load(self, base: *const u8, at: I8, gathers: bool) -> I8 {
        let offsets = self.offsets(at);
        // SAFETY: `self` is a token, which exists only on hosts with the features. The caller promises readable words;
        // all loads are unaligned.
        unsafe {
            if gathers {
                return I8(_mm256_i32gather_epi32::<1>(base.cast(), at.0));
            }
            let mut quads = [_mm_setzero_ps(); 2];
            for i in 0..2 {
                let [a, b, c, d] =
                    each!(4, k in [0, 1, 2, 3] => _mm_load_ss(base.add(offsets[4 * i + k]).cast()));
                quads[i] = _mm_movelh_ps(_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d));
            }
            I8(_mm256_castps_si256(_mm256_set_m128(quads[1], quads[0])))
        }
    }

    /// Loads eight contiguous words.
    ///
    /// # Safety
    /// The 32 bytes must be readable.
    #[inline(always)]
    pub unsafe fn load_row(self, at: *const u8) -> I8 {
        // SAFETY: `self` is a token, which exists only on hosts with the features. The caller promises readable bytes;
        // the load is unaligned.
        unsafe { I8(_mm256_loadu_si256(at.cast())) }
    }

    /// Stores eight contiguous words.
    ///
    /// # Safety
    /// The 32 bytes must be writable.
    #[inline(always)]
    pub unsafe fn store_row(self, at: *mut u8, x: I8) {
        // SAFETY: `self` is a token, which exists only on hosts with the features. The caller promises writable bytes;
        // the store is unaligned.
        unsafe { _mm256_storeu_si256(at.cast(), x.0) }
    }
}

/// A pair of each of the lanes 0, 1, 4, 5, then of the lanes 2, 3, 6, 7.
type Pairs = [I8; 2];

impl Wide for Avx2 {
    type Pairs = Pairs;
    /// A vector for each lane, with a row in each half.
    type Quads = [I8; 8];

    const BYTE_FACTOR: f32 = 65536.0;

    #[inline(always)]
    fn rarely<R: Rare>(self, part: R) -> R::Output<Self> {
        #[cold]
        #[inline(never)]
        #[target_feature(enable = "avx2,fma,f16c")]
        fn run<R: Rare>(host: Avx2, part: R) -> R::Output<Avx2> {
            part.run(host)
        }
        // SAFETY: `self` is a token, which exists only on hosts with the features.
        unsafe { run(self, part) }
    }

    #[inline(always)]
    fn component(self, v: &[F8; 4], c: usize) -> F8 {
        v[c & 3]
    }

    #[inline(always)]
    fn put_sixteen(self, to: &mut [u32; 16], v: [&[F8; 4]; 2], c: usize) {
        let (to, _) = to.as_chunks_mut();
        self.put(&mut to[0], v[0][c & 3]);
        self.put(&mut to[1], v[1][c & 3]);
    }

    #[inline(always)]
    fn bytes(self, texels: I8) -> [F8; 4] {
        each!(4, i in [0, 1, 2, 3] => self.float(self.code(texels, i)))
    }

    #[inline(always)]
    fn srgb(self, texels: I8, gathers: bool) -> [F8; 4] {
        let [r, g, b] = each!(3, i in [0, 1, 2] => self.decoded(texels, i, gathers));
        [r, g, b, normalized(self, self.float(self.code(texels, 3)))]
    }

    #[inline(always)]
    fn words(self, texels: I8) -> [F8; 4] {
        let zero = self.f(0.0);
        [self.as_f(texels), zero, zero, zero]
    }

    operations! { "avx2,fma,f16c";
        fn halves(texels: Pairs) -> [F8; 4] {
            let [a, b] = [texels[0].0, texels[1].0];
            // Each 128-bit half is transposed: first lanes 0, 2 (4, 6) and 1, 3 (5, 7) of components 0 to 3, then all
            // four lanes.
            let (x, y) = (_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b));
            let (low, high) = (_mm256_unpacklo_epi16(x, y), _mm256_unpackhi_epi16(x, y));
            let [low, high] = each!(2, v in [low, high] => {
                let v = _mm256_permute4x64_epi64::<0b11_01_10_00>(v);
                let (low, high) = (_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v));
                [F8(_mm256_cvtph_ps(low)), F8(_mm256_cvtph_ps(high))]
            });
            [low[0], low[1], high[0], high[1]]
        }
        fn keep_pairs(m: M8, pairs: Pairs) -> Pairs {
            // Twice the masks of lanes 0, 1, 4, 5, then of lanes 2, 3, 6, 7.
            let m = _mm256_castps_si256(m.0);
            let (low, high) = (_mm256_unpacklo_epi32(m, m), _mm256_unpackhi_epi32(m, m));
            [I8(_mm256_and_si256(pairs[0].0, low)), I8(_mm256_and_si256(pairs[1].0, high))]
        }
        fn pairs_of(first: I8, second: I8) -> Pairs {
            [
                I8(_mm256_unpacklo_epi32(first.0, second.0)),
                I8(_mm256_unpackhi_epi32(first.0, second.0)),
            ]
        }
        fn split(pairs: Pairs) -> [F8; 4] {
            let (a, b) = (_mm256_castsi256_ps(pairs[0].0), _mm256_castsi256_ps(pairs[1].0));
            let (first, second) =
                (_mm256_shuffle_ps::<0b10_00_10_00>(a, b), _mm256_shuffle_ps::<0b11_01_11_01>(a, b));
            [F8(first), F8(second), F8(_mm256_setzero_ps()), F8(_mm256_setzero_ps())]
        }
    }

    #[inline(always)]
    fn unorm_of(self, pairs: Pairs, c: u32) -> [F8; 4] {
        let [first, second, rest, _] = self.split(pairs);
        let [first, second] = each!(2, words in [first, second] => normalized(self, self.float(self.code(self.as_i(words), c))));
        [first, second, rest, rest]
    }

    #[inline(always)]
    fn linear_bytes(self, rows: [Pairs; 2], wx: I8, wy: I8) -> [F8; 4] {
        let rows = each!(2, row in rows => each!(2, words in self.words_of(row) => self.as_i(words)));
        let even = self.alternate_bytes(&rows, false, wx, wy);
        let odd = self.alternate_bytes(&rows, true, wx, wy);
        [even[0], odd[0], even[1], odd[1]]
    }

    #[inline(always)]
    fn linear_srgb(self, rows: [Pairs; 2], wx: F8, wy: F8, gathers: bool) -> [F8; 4] {
        let [a, b] = each!(2, row in rows => {
            let [x, y] = each!(2, words in self.words_of(row) => self.srgb(self.as_i(words), gathers));
            each!(4, i in [0, 1, 2, 3] => mix(x[i], y[i], wx))
        });
        each!(4, i in [0, 1, 2, 3] => mix(a[i], b[i], wy))
    }

    #[inline(always)]
    fn linear_words(self, rows: [Pairs; 2], wx: F8, wy: F8, test: Option<(CompareOp, F8)>) -> [F8; 4] {
        let [a, b] = each!(2, row in rows => {
            let [x, y] = each!(2, v in self.words_of(row) => match test {
                Some((op, reference)) => self.keep(self.compare(op, reference, v), self.f(1.0)),
                None => v,
            });
            mix(x, y, wx)
        });
        let zero = self.f(0.0);
        [mix(a, b, wy), zero, zero, zero]
    }

    #[inline(always)]
    fn linear_words_of_lanes(
        self,
        [rows, _]: [[Pairs; 2]; 2],
        wx: F8,
        wy: F8,
        test: Option<(CompareOp, F8)>,
    ) -> F8 {
        self.linear_words(rows, wx, wy, test)[0]
    }

    #[inline(always)]
    fn linear_halves(self, lanes: [I8; 8], wx: F8, wy: F8) -> [F8; 4] {
        let all = self.transposed(&lanes);
        each!(4, v in all => {
            let [[a0, a1], [b0, b1]] = v;
            mix(mix(a0, b0, wx), mix(a1, b1, wx), wy)
        })
    }

    #[inline(always)]
    unsafe fn load_pairs(self, base: *const u8, at: I8, gathers: bool) -> Pairs {
        let offsets = self.offsets(at);
        // SAFETY: `self` is a token, which exists only on hosts with the features. The caller promises readable bytes;
        // all loads are unaligned.
        unsafe {
            if gathers {
                // Offsets of lanes 0, 1, 4, 5, and of lanes 2, 3, 6, 7.
                let at = _mm256_permute4x64_epi64::<0b11_01_10_00>(at.0);
                let a = _mm256_i32gather_epi64::<1>(base.cast(), _mm256_castsi256_si128(at));
                let b = _mm256_i32gather_epi64::<1>(base.cast(), _mm256_extracti128_si256::<1>(at));
                return [I8(a), I8(b)];
            }
            let mut pairs = [_mm_setzero_pd(); 4];
            for i in 0..4 {
                let low = _mm_load_sd(base.add(offsets[2 * i]).cast());
                pairs[i] = _mm_loadh_pd(low, base.add(offsets[2 * i + 1]).cast());
            }
            let (a, b) = (_mm256_set_m128d(pairs[2], pairs[0]), _mm256_set_m128d(pairs[3], pairs[1]));
            [I8(_mm256_castpd_si256(a)), I8(_mm256_castpd_si256(b))]
        }
    }

    #[inline(always)]
    unsafe fn load_row_of_pairs(self, at: *const u8) -> Pairs {
        // SAFETY: the caller promises 64 readable bytes.
        let [a, b] = unsafe { [self.load_row(at), self.load_row(at.add(32))] };
        self.swapped(a, b)
    }

    #[inline(always)]
    unsafe fn load_quads(self, base: *const u8, pitch: usize, at: I8, _: bool) -> [I8; 8] {
        let offsets = self.offsets(at);
        let mut lanes = [self.i(0); 8];
        // SAFETY: `self` is a token, which exists only on hosts with the features. The caller promises readable bytes;
        // all loads are unaligned.
        unsafe {
            unroll!(i in 0 1 2 3 4 5 6 7 => {
                let row = base.add(offsets[i]);
                let first = _mm_loadu_si128(row.cast());
                lanes[i] = I8(_mm256_set_m128i(_mm_loadu_si128(row.add(pitch).cast()), first));
            });
        }
        lanes
    }

    #[inline(always)]
    unsafe fn load_far_quads(self, base: *const u8, at: &[I8; 4]) -> [I8; 8] {
        let offsets = each!(4, at in *at => self.offsets(at));
        let mut lanes = [self.i(0); 8];
        // SAFETY: `self` is a token, which exists only on hosts with the features. The caller promises readable bytes;
        // all loads are unaligned.
        unsafe {
            for i in 0..8 {
                let [a, b, c, d] =
                    each!(4, k in [0, 1, 2, 3] => _mm_loadl_epi64(base.add(offsets[k][i]).cast()));
                lanes[i] = I8(_mm256_set_m128i(_mm_unpacklo_epi64(c, d), _mm_unpacklo_epi64(a, b)));
            }
        }
        lanes
    }
}
