//! Texels with 512 bits. They stay contiguous as in memory until byte permutations separate the components: a vector of
//! values is one component of eight lanes, then another component. Other operations are left to [`super::avx512`].

use std::arch::x86_64::*;

use super::super::super::super::state::CompareOp;
use super::avx2::{F8, I8, M8};
use super::avx512::{Avx512, F16, I16};
use super::{Rare, Values, Vectors, Wide, mix, normalized};
use crate::memory::format::srgb::DECODE_BITS;

/// Index of the source byte for each byte of a vector.
type Bytes = [u8; 64];

/// Bytes for components `2 * i` and `2 * i + 1` of eight lanes, from pairs of texels of four bytes: both bytes of a
/// pair at positions 0 and 2 of a word.
const fn of_pairs(i: usize) -> Bytes {
    let mut b = [0; 64];
    let mut slot = 0;
    while slot < 16 {
        let byte = 8 * (slot % 8) + 2 * i + slot / 8;
        b[4 * slot] = byte as u8;
        b[4 * slot + 2] = byte as u8 + 4;
        slot += 1;
    }
    b
}

/// Bytes for components `2 * i` and `2 * i + 1` of eight lanes, from texels of four bytes: a byte at position 0 of a
/// word.
const fn of_texels(i: usize) -> Bytes {
    let mut b = [0; 64];
    let mut slot = 0;
    while slot < 16 {
        b[4 * slot] = (4 * (slot % 8) + 2 * i + slot / 8) as u8;
        slot += 1;
    }
    b
}

/// Bytes for component `c` of eight lanes, from pairs of texels of four bytes: of the first texels, then of the second,
/// each byte at position 0 of a word.
const fn of_component(c: usize) -> Bytes {
    let mut b = [0; 64];
    let mut slot = 0;
    while slot < 16 {
        b[4 * slot] = (8 * (slot % 8) + 4 * (slot / 8) + c) as u8;
        slot += 1;
    }
    b
}

/// Order of bytes from which [`Avx512::decoded`] makes four vectors. Vector `k` holds components `2 * (k / per)` and the next
/// of eight lanes, for texel `k % per` of `per` texels of four bytes.
const fn to_decode(per: usize) -> Bytes {
    let mut b = [0; 64];
    let mut k = 0;
    while k < 2 * per {
        let mut slot = 0;
        while slot < 16 {
            let to = 16 * (slot / 4) + 4 * k + slot % 4;
            b[to] = (4 * per * (slot % 8) + 4 * (k % per) + 2 * (k / per) + slot / 8) as u8;
            slot += 1;
        }
        k += 1;
    }
    b
}

static PAIRS: [Bytes; 2] = [of_pairs(0), of_pairs(1)];
static TEXELS: [Bytes; 2] = [of_texels(0), of_texels(1)];
static COMPONENTS: [Bytes; 4] = [of_component(0), of_component(1), of_component(2), of_component(3)];
static TO_DECODE: [Bytes; 2] = [to_decode(1), to_decode(2)];
/// Bytes for the alpha of eight lanes, in the second half of a vector.
static SECOND_ALPHAS: Bytes = {
    let mut b = [0; 64];
    let mut lane = 0;
    while lane < 8 {
        b[4 * (8 + lane)] = 4 * lane as u8 + 3;
        lane += 1;
    }
    b
};

/// Bytes of the linear values of all sRGB codes: byte `i` of each value.
static DECODE_BYTES: [[u8; 256]; 4] = {
    let mut bytes = [[0; 256]; 4];
    let mut code = 0;
    while code < 256 {
        let all = DECODE_BITS[code].to_le_bytes();
        let mut i = 0;
        while i < 4 {
            bytes[i][code] = all[i];
            i += 1;
        }
        code += 1;
    }
    bytes
};

impl Avx512 {
    operations! { "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx2,fma,f16c";
        /// Permutes bytes.
        fn permuted(words: I16, bytes: &Bytes) -> I16 {
            I16(_mm512_permutexvar_epi8(loaded(bytes), words.0))
        }
        /// Selects bytes at position 0 of words, and converts them to floats.
        fn chosen(words: I16, bytes: &Bytes) -> F16 {
            let codes = _mm512_maskz_permutexvar_epi8(0x1111_1111_1111_1111, loaded(bytes), words.0);
            F16(_mm512_cvtepi32_ps(codes))
        }
        /// Decodes 64 sRGB codes to linear values; see [`to_decode`].
        fn decoded(codes: I16) -> [F16; 4] {
            let above = _mm512_movepi8_mask(codes.0);
            // Byte `i` of the values.
            let [a, b, c, d] = each!(4, i in [0, 1, 2, 3] => {
                let (t, _) = DECODE_BYTES[i].as_chunks::<64>();
                let low = _mm512_permutex2var_epi8(loaded(&t[0]), codes.0, loaded(&t[1]));
                let high = _mm512_permutex2var_epi8(loaded(&t[2]), codes.0, loaded(&t[3]));
                _mm512_mask_mov_epi8(low, above, high)
            });
            let (low0, low1) = (_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b));
            let (high0, high1) = (_mm512_unpacklo_epi8(c, d), _mm512_unpackhi_epi8(c, d));
            let v = [
                _mm512_unpacklo_epi16(low0, high0),
                _mm512_unpackhi_epi16(low0, high0),
                _mm512_unpacklo_epi16(low1, high1),
                _mm512_unpackhi_epi16(low1, high1),
            ];
            each!(4, v in v => F16(_mm512_castsi512_ps(v)))
        }
        /// One component of eight texels of four 16-bit floats, then the next component.
        fn by_component(texels: I16) -> I16 {
            let order = _mm512_set_epi16(
                31, 27, 23, 19, 15, 11, 7, 3, 30, 26, 22, 18, 14, 10, 6, 2, 29, 25, 21, 17, 13, 9, 5, 1, 28,
                24, 20, 16, 12, 8, 4, 0,
            );
            I16(_mm512_permutexvar_epi16(order, texels.0))
        }
        /// Converts the 16-bit floats of both halves.
        fn floats(x: I16) -> [F16; 2] {
            let (low, high) = (_mm512_castsi512_si256(x.0), _mm512_extracti64x4_epi64::<1>(x.0));
            [F16(_mm512_cvtph_ps(low)), F16(_mm512_cvtph_ps(high))]
        }
        /// Filters bytes `2 * i` and `2 * i + 1` of pairs of texels along x; weights are side by side.
        fn along_x(row: I16, i: usize, wx: I16) -> I16 {
            let pairs = _mm512_maskz_permutexvar_epi8(0x5555_5555_5555_5555, loaded(&PAIRS[i]), row.0);
            I16(_mm512_madd_epi16(pairs, wx.0))
        }
        /// The first words of the pairs of both vectors, then the second words.
        fn columns(pairs: [I16; 2]) -> [F16; 2] {
            let [a, b] = each!(2, row in pairs => _mm512_castsi512_ps(row.0));
            let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
            let odd = _mm512_or_si512(even, _mm512_set1_epi32(1));
            [F16(_mm512_permutex2var_ps(a, even, b)), F16(_mm512_permutex2var_ps(a, odd, b))]
        }
        /// From pairs of texels of four 16-bit floats, components 0 and 1, or with `next` 2 and 3: of eight lanes from
        /// the first texels, then from the second.
        fn of_quads(row: [I16; 2], next: bool) -> [F16; 2] {
            let first = _mm512_set_epi16(
                61, 53, 45, 37, 29, 21, 13, 5, 60, 52, 44, 36, 28, 20, 12, 4, 57, 49, 41, 33, 25, 17, 9, 1,
                56, 48, 40, 32, 24, 16, 8, 0,
            );
            let order = if next { _mm512_add_epi16(first, _mm512_set1_epi16(2)) } else { first };
            let v = _mm512_permutex2var_epi16(row[0].0, order, row[1].0);
            let (low, high) = (_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64::<1>(v));
            [F16(_mm512_cvtph_ps(low)), F16(_mm512_cvtph_ps(high))]
        }
        /// Pairs side by side, for four lanes per vector.
        fn side_by_side(a: I16, b: I16) -> [I16; 2] {
            let low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
            let high = _mm512_add_epi64(low, _mm512_set1_epi64(4));
            each!(2, order in [low, high] => I16(_mm512_permutex2var_epi64(a.0, order, b.0)))
        }
        /// Eight lanes in the first half, and anything in the second.
        fn wider(x: I8) -> I16 {
            I16(_mm512_castsi256_si512(x.0))
        }
        /// The first half of both operands.
        fn first_halves(x: F16, y: F16) -> F16 {
            F16(_mm512_insertf32x8::<1>(x.0, _mm512_castps512_ps256(y.0)))
        }
        /// The second half of both operands.
        fn second_halves(x: F16, y: F16) -> F16 {
            F16(_mm512_shuffle_f32x4::<0b11_10_11_10>(x.0, y.0))
        }
        /// Stores the slots.
        fn put(to: &mut [u32; 16], x: F16) -> () {
            // SAFETY: `to` has 64 bytes, and the store is unaligned.
            unsafe { _mm512_storeu_ps(to.as_mut_ptr().cast(), x.0) }
        }
        /// `x` in the first half, `y` in the second half of vectors whose slots there hold it.
        fn halves_of(x: F16, y: F16) -> F16 {
            F16(_mm512_mask_mov_ps(x.0, 0xff00, y.0))
        }
    }

    /// Values in two vectors.
    #[inline(always)]
    fn values(self, [a, b]: [F16; 2]) -> Values<Self> {
        let zero = self.f(0.0);
        [a, b, zero, zero]
    }

    /// Loads sixteen bytes at byte offsets, for four lanes per vector.
    ///
    /// # Safety
    /// The bytes must be readable.
    #[inline(always)]
    unsafe fn load_row_of_quads(self, base: *const u8, at: I8, gathers: bool) -> [I16; 2] {
        if gathers {
            // SAFETY: the caller promises sixteen readable bytes at each offset.
            let [a, b] = unsafe { [self.load_pairs(base, at, true), self.load_pairs(base.add(8), at, true)] };
            return self.side_by_side(a, b);
        }
        let offsets = self.eight().offsets(at);
        // SAFETY: `self` is a token, which exists only on hosts with the features. The caller promises readable bytes;
        // all loads are unaligned.
        unsafe {
            each!(2, i in [0, 4] => {
                let [a, b, c, d] =
                    each!(4, k in [0, 1, 2, 3] => _mm_loadu_si128(base.add(offsets[i + k]).cast()));
                let (low, high) = (_mm256_set_m128i(b, a), _mm256_set_m128i(d, c));
                I16(_mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high))
            })
        }
    }
}

/// Loads byte indices or bytes of a table.
#[inline]
#[target_feature(enable = "avx512f")]
fn loaded(b: &Bytes) -> __m512i {
    // SAFETY: `b` has 64 bytes, the size of the load.
    unsafe { _mm512_loadu_si512(b.as_ptr().cast()) }
}

impl Wide for Avx512 {
    /// Lane by lane.
    type Pairs = I16;
    /// Two rows of two vectors, with four lanes each.
    type Quads = [[I16; 2]; 2];

    const BYTE_FACTOR: f32 = 256.0;

    #[inline(always)]
    fn rarely<R: Rare>(self, part: R) -> R::Output<Self> {
        #[cold]
        #[inline(never)]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx2,fma,f16c")]
        fn run<R: Rare>(host: Avx512, part: R) -> R::Output<Avx512> {
            part.run(host)
        }
        // SAFETY: `self` is a token, which exists only on hosts with the features.
        unsafe { run(self, part) }
    }

    #[inline(always)]
    fn component(self, v: &Values<Self>, c: usize) -> F8 {
        self.half(v[(c / 2) & 1], c % 2)
    }

    #[inline(always)]
    fn put_sixteen(self, to: &mut [u32; 16], [a, b]: [&Values<Self>; 2], c: usize) {
        let (a, b) = (a[(c / 2) & 1], b[(c / 2) & 1]);
        self.put(to, if c.is_multiple_of(2) { self.first_halves(a, b) } else { self.second_halves(a, b) });
    }

    #[inline(always)]
    fn bytes(self, texels: I8) -> Values<Self> {
        let texels = self.wider(texels);
        self.values(each!(2, i in [0, 1] => self.chosen(texels, &TEXELS[i])))
    }

    #[inline(always)]
    fn srgb(self, texels: I8, _: bool) -> Values<Self> {
        let texels = self.wider(texels);
        let [a, b, _, _] = self.decoded(self.permuted(texels, &TO_DECODE[0]));
        let alpha = normalized(self, self.chosen(texels, &SECOND_ALPHAS));
        self.values([a, self.halves_of(b, alpha)])
    }

    #[inline(always)]
    fn words(self, texels: I8) -> Values<Self> {
        self.values([self.as_f(self.wider(texels)), self.f(0.0)])
    }

    #[inline(always)]
    fn halves(self, texels: I16) -> Values<Self> {
        self.values(self.floats(self.by_component(texels)))
    }

    operations! { "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx2,fma,f16c";
        fn keep_pairs(m: M8, pairs: I16) -> I16 {
            I16(_mm512_maskz_mov_epi64(_mm256_movemask_ps(m.0) as u8, pairs.0))
        }
        fn pairs_of(first: I8, second: I8) -> I16 {
            let order = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
            let [a, b] = each!(2, x in [first, second] => _mm512_castsi256_si512(x.0));
            I16(_mm512_permutex2var_epi32(a, order, b))
        }
        fn split(pairs: I16) -> [F16; 4] {
            let order = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
            let (v, zero) = (_mm512_castsi512_ps(_mm512_permutexvar_epi32(order, pairs.0)), _mm512_setzero_ps());
            [F16(v), F16(zero), F16(zero), F16(zero)]
        }
    }

    #[inline(always)]
    fn unorm_of(self, pairs: I16, c: u32) -> Values<Self> {
        self.values([normalized(self, self.chosen(pairs, &COMPONENTS[c as usize & 3])), self.f(0.0)])
    }

    #[inline(always)]
    fn linear_bytes(self, rows: [I16; 2], wx: I8, wy: I8) -> Values<Self> {
        let h = self.eight();
        // Weights of the two texels side by side.
        let wx = self.spread_i(h.shl(wx, 16) | (h.i(256) - wx));
        let wy = self.spread(h.float(wy) * h.f(1.0 / 256.0));
        let v = each!(2, i in [0, 1] => {
            let [a, b] = each!(2, row in rows => self.along_x(row, i, wx));
            self.fused(self.float(b - a), wy, self.float(a))
        });
        self.values(v)
    }

    #[inline(always)]
    fn linear_srgb(self, rows: [I16; 2], wx: F16, wy: F16, _: bool) -> Values<Self> {
        let [a, b] = each!(2, row in rows => {
            let [a0, a1, b0, b1] = self.decoded(self.permuted(row, &TO_DECODE[1]));
            // Alpha of the first texels, then of the second.
            let alpha = normalized(self, self.chosen(row, &COMPONENTS[3]));
            let b0 = self.join(self.half(b0, 0), self.half(alpha, 0));
            let b1 = self.halves_of(b1, alpha);
            [mix(a0, a1, wx), mix(b0, b1, wx)]
        });
        self.values(each!(2, i in [0, 1] => mix(a[i], b[i], wy)))
    }

    #[inline(always)]
    fn linear_words(self, rows: [I16; 2], wx: F16, wy: F16, test: Option<(CompareOp, F8)>) -> Values<Self> {
        let [x, y] = each!(2, v in self.columns(rows) => match test {
            Some((op, reference)) => self.keep(self.compare(op, self.spread(reference), v), self.f(1.0)),
            None => v,
        });
        let both = mix(x, y, wx);
        let second = self.spread(self.half(both, 1));
        self.values([mix(both, second, wy), self.f(0.0)])
    }

    #[inline(always)]
    fn linear_words_of_lanes(
        self,
        [a, b]: [[I16; 2]; 2],
        wx: F16,
        wy: F16,
        test: Option<(CompareOp, F16)>,
    ) -> F16 {
        let [first, second] = each!(2, rows in [[a[0], b[0]], [a[1], b[1]]] => {
            let [x, y] = each!(2, v in self.columns(rows) => match test {
                Some((op, reference)) => self.keep(self.compare(op, reference, v), self.f(1.0)),
                None => v,
            });
            mix(x, y, wx)
        });
        mix(first, second, wy)
    }

    #[inline(always)]
    fn linear_halves(self, rows: [[I16; 2]; 2], wx: F16, wy: F16) -> Values<Self> {
        let v = each!(2, next in [false, true] => {
            let [a, b] = each!(2, row in rows => {
                let [x, y] = self.of_quads(row, next);
                mix(x, y, wx)
            });
            mix(a, b, wy)
        });
        self.values(v)
    }

    #[inline(always)]
    unsafe fn load_pairs(self, base: *const u8, at: I8, gathers: bool) -> I16 {
        let offsets = self.eight().offsets(at);
        // SAFETY: `self` is a token, which exists only on hosts with the features. The caller promises readable bytes;
        // all loads are unaligned.
        unsafe {
            if gathers {
                return I16(_mm512_i32gather_epi64::<1>(at.0, base.cast()));
            }
            let mut pairs = [_mm_setzero_pd(); 4];
            unroll!(i in 0 1 2 3 => {
                let low = _mm_load_sd(base.add(offsets[2 * i]).cast());
                pairs[i] = _mm_loadh_pd(low, base.add(offsets[2 * i + 1]).cast());
            });
            let (a, b) = (_mm256_set_m128d(pairs[1], pairs[0]), _mm256_set_m128d(pairs[3], pairs[2]));
            I16(_mm512_castpd_si512(_mm512_insertf64x4::<1>(_mm512_castpd256_pd512(a), b)))
        }
    }

    #[inline(always)]
    unsafe fn load_row_of_pairs(self, at: *const u8) -> I16 {
        // SAFETY: `self` is a token, which exists only on hosts with the features. The caller promises 64 readable
        // bytes; the load is unaligned.
        unsafe { I16(_mm512_loadu_si512(at.cast())) }
    }

    #[inline(always)]
    unsafe fn load_quads(self, base: *const u8, pitch: usize, at: I8, gathers: bool) -> [[I16; 2]; 2] {
        // SAFETY: the caller promises readable bytes in both rows.
        unsafe {
            [self.load_row_of_quads(base, at, gathers), self.load_row_of_quads(base.add(pitch), at, gathers)]
        }
    }

    #[inline(always)]
    unsafe fn load_far_quads(self, base: *const u8, at: &[I8; 4]) -> [[I16; 2]; 2] {
        // SAFETY: the caller promises readable bytes at all offsets.
        let [a, b, c, d] = unsafe { each!(4, at in *at => self.load_pairs(base, at, true)) };
        [self.side_by_side(a, b), self.side_by_side(c, d)]
    }
}
