//! The routines with vectors of 256 and 512 bits. Blocks of C stay in registers while the inner index advances.

use std::arch::x86_64::*;

use super::{Shape, unpack};

/// Rounding of half floats: to nearest, ties to even.
const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT;

/// `C += A * B` of F32 with 512-bit vectors. The results are half floats if they are `ROUNDED`.
///
/// # Safety
/// See `plain::multiply_floats`; the host has AVX-512 F and AVX2, FMA and F16C.
pub(super) unsafe extern "C" fn floats_avx512<const ROUNDED: bool>(
    a: *const f32,
    b: *const f32,
    c: *mut f32,
    shape: u64,
) {
    // SAFETY: the contract of this function.
    unsafe { floats512::<ROUNDED>(a, b, c, shape) }
}

/// `C += A * B` of F32 with 256-bit vectors. The results are half floats if they are `ROUNDED`.
///
/// # Safety
/// See `plain::multiply_floats`; the host has AVX2, FMA and F16C.
pub(super) unsafe extern "C" fn floats_avx2<const ROUNDED: bool>(
    a: *const f32,
    b: *const f32,
    c: *mut f32,
    shape: u64,
) {
    // SAFETY: the contract of this function.
    unsafe { floats256::<ROUNDED>(a, b, c, shape) }
}

#[target_feature(enable = "avx512f,avx2,fma,f16c")]
unsafe fn floats512<const ROUNDED: bool>(a: *const f32, b: *const f32, c: *mut f32, shape: u64) {
    let sides = unpack(shape);
    let blocks = match (sides.columns.is_multiple_of(16), sides.rows.is_multiple_of(16), sides.inner) {
        (false, ..) => floats256::<ROUNDED>,
        (true, false, 8) => float_blocks512::<8, 8, ROUNDED>,
        (true, false, 16) => float_blocks512::<8, 16, ROUNDED>,
        (true, false, _) => float_blocks512::<8, 32, ROUNDED>,
        (true, true, 8) => float_blocks512::<16, 8, ROUNDED>,
        (true, true, 16) => float_blocks512::<16, 16, ROUNDED>,
        (true, true, _) => float_blocks512::<16, 32, ROUNDED>,
    };
    // SAFETY: the contract of the caller; `INNER` is the number of inner elements, and the blocks divide C.
    unsafe { blocks(a, b, c, shape) }
}

/// The product by blocks of `ROWS` rows and 16 columns. All elements of A have a constant distance from the first of
/// their block, so that each is an operand of its multiplication.
#[target_feature(enable = "avx512f,avx2,fma,f16c")]
unsafe fn float_blocks512<const ROWS: usize, const INNER: usize, const ROUNDED: bool>(
    a: *const f32,
    b: *const f32,
    c: *mut f32,
    shape: u64,
) {
    let Shape { rows, columns, .. } = unpack(shape);
    for row in (0..rows).step_by(ROWS) {
        for column in (0..columns).step_by(16) {
            // SAFETY: the block lies in C, whose sides are multiples of its sides; row `k` of B and column `k` of A exist
            // since `k` is below the number of inner elements.
            unsafe {
                let (a, c) = (a.add(row * INNER), c.add(row * columns + column));
                let mut sums: [__m512; ROWS] = std::array::from_fn(|r| _mm512_loadu_ps(c.add(r * columns)));
                for k in 0..INNER {
                    let y = _mm512_loadu_ps(b.add(k * columns + column));
                    for (r, sum) in sums.iter_mut().enumerate() {
                        *sum = _mm512_fmadd_ps(_mm512_set1_ps(a.add(r * INNER + k).read()), y, *sum);
                    }
                }
                for (r, mut sum) in sums.into_iter().enumerate() {
                    if ROUNDED {
                        sum = _mm512_cvtph_ps(_mm512_cvtps_ph::<NEAREST>(sum));
                    }
                    _mm512_storeu_ps(c.add(r * columns), sum);
                }
            }
        }
    }
}

#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn floats256<const ROUNDED: bool>(a: *const f32, b: *const f32, c: *mut f32, shape: u64) {
    let sides = unpack(shape);
    let blocks = match (sides.columns.is_multiple_of(16), sides.inner) {
        (false, 8) => float_blocks256::<8, 1, 8, ROUNDED>,
        (false, 16) => float_blocks256::<8, 1, 16, ROUNDED>,
        (false, _) => float_blocks256::<8, 1, 32, ROUNDED>,
        (true, 8) => float_blocks256::<4, 2, 8, ROUNDED>,
        (true, 16) => float_blocks256::<4, 2, 16, ROUNDED>,
        (true, _) => float_blocks256::<4, 2, 32, ROUNDED>,
    };
    // SAFETY: the contract of the caller; `INNER` is the number of inner elements, and the blocks divide C.
    unsafe { blocks(a, b, c, shape) }
}

/// The product by blocks of `ROWS` rows and `VECTORS` times 8 columns.
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn float_blocks256<
    const ROWS: usize,
    const VECTORS: usize,
    const INNER: usize,
    const ROUNDED: bool,
>(
    a: *const f32,
    b: *const f32,
    c: *mut f32,
    shape: u64,
) {
    let Shape { rows, columns, .. } = unpack(shape);
    for row in (0..rows).step_by(ROWS) {
        for column in (0..columns).step_by(8 * VECTORS) {
            // SAFETY: the block lies in C, whose sides are multiples of its sides; row `k` of B and column `k` of A exist
            // since `k` is below the number of inner elements.
            unsafe {
                let (a, c) = (a.add(row * INNER), c.add(row * columns + column));
                let load = |at: *const f32| -> [__m256; VECTORS] {
                    std::array::from_fn(|v| _mm256_loadu_ps(at.add(8 * v)))
                };
                let mut sums: [[__m256; VECTORS]; ROWS] = std::array::from_fn(|r| load(c.add(r * columns)));
                for k in 0..INNER {
                    let y = load(b.add(k * columns + column));
                    for (r, sums) in sums.iter_mut().enumerate() {
                        let x = _mm256_set1_ps(a.add(r * INNER + k).read());
                        for (sum, y) in sums.iter_mut().zip(y) {
                            *sum = _mm256_fmadd_ps(x, y, *sum);
                        }
                    }
                }
                for (r, sums) in sums.into_iter().enumerate() {
                    for (v, mut sum) in sums.into_iter().enumerate() {
                        if ROUNDED {
                            sum = _mm256_cvtph_ps(_mm256_cvtps_ph::<NEAREST>(sum));
                        }
                        _mm256_storeu_ps(c.add(r * columns + 8 * v), sum);
                    }
                }
            }
        }
    }
}

/// `C += A * B` of packed integers with 512-bit vectors and dot products of two pairs.
///
/// # Safety
/// See `plain::multiply_integers`; the host has AVX-512 F, BW and VNNI.
pub(super) unsafe extern "C" fn integers_vnni(a: *const i32, b: *const i32, c: *mut i32, shape: u64) {
    #[target_feature(enable = "avx512f,avx512bw,avx512vnni,avx2")]
    unsafe fn with_features(a: *const i32, b: *const i32, c: *mut i32, shape: u64) {
        // SAFETY: the contract of the caller.
        unsafe { integers512(a, b, c, shape, |sum, x, y| _mm512_dpwssd_epi32(sum, x, y)) }
    }
    // SAFETY: the contract of this function.
    unsafe { with_features(a, b, c, shape) }
}

/// `C += A * B` of packed integers with 512-bit vectors.
///
/// # Safety
/// See `plain::multiply_integers`; the host has AVX-512 F and BW and AVX2.
pub(super) unsafe extern "C" fn integers_avx512(a: *const i32, b: *const i32, c: *mut i32, shape: u64) {
    #[target_feature(enable = "avx512f,avx512bw,avx2")]
    unsafe fn with_features(a: *const i32, b: *const i32, c: *mut i32, shape: u64) {
        let dot = |sum, x, y| _mm512_add_epi32(sum, _mm512_madd_epi16(x, y));
        // SAFETY: the contract of the caller.
        unsafe { integers512(a, b, c, shape, dot) }
    }
    // SAFETY: the contract of this function.
    unsafe { with_features(a, b, c, shape) }
}

/// `C += A * B` of packed integers with 256-bit vectors.
///
/// # Safety
/// See `plain::multiply_integers`; the host has AVX2.
pub(super) unsafe extern "C" fn integers_avx2(a: *const i32, b: *const i32, c: *mut i32, shape: u64) {
    // SAFETY: the contract of this function.
    unsafe { integers256(a, b, c, shape) }
}

/// The product by blocks of 8 or 16 rows and 16 columns. `dot` adds the products of two pairs to each element.
///
/// # Safety
/// See `plain::multiply_integers`; the host has the features of the caller, AVX-512 F and AVX2 among them.
#[inline(always)]
unsafe fn integers512(
    a: *const i32,
    b: *const i32,
    c: *mut i32,
    shape: u64,
    dot: impl Fn(__m512i, __m512i, __m512i) -> __m512i,
) {
    let sides = unpack(shape);
    // SAFETY: the contract of the caller; `PAIRS` is half of the number of inner elements, and the blocks divide C.
    unsafe {
        match (sides.columns.is_multiple_of(16), sides.rows.is_multiple_of(16), sides.inner) {
            (false, ..) => integers256(a, b, c, shape),
            (true, false, 8) => integer_blocks512::<8, 4>(a, b, c, sides, dot),
            (true, false, 16) => integer_blocks512::<8, 8>(a, b, c, sides, dot),
            (true, false, _) => integer_blocks512::<8, 16>(a, b, c, sides, dot),
            (true, true, 8) => integer_blocks512::<16, 4>(a, b, c, sides, dot),
            (true, true, 16) => integer_blocks512::<16, 8>(a, b, c, sides, dot),
            (true, true, _) => integer_blocks512::<16, 16>(a, b, c, sides, dot),
        }
    }
}

/// The product by blocks of `ROWS` rows and 16 columns, with `PAIRS` pairs of inner elements.
///
/// # Safety
/// See [`integers512`].
#[inline(always)]
unsafe fn integer_blocks512<const ROWS: usize, const PAIRS: usize>(
    a: *const i32,
    b: *const i32,
    c: *mut i32,
    Shape { rows, columns, .. }: Shape,
    dot: impl Fn(__m512i, __m512i, __m512i) -> __m512i,
) {
    for row in (0..rows).step_by(ROWS) {
        for column in (0..columns).step_by(16) {
            // SAFETY: the block lies in C, whose sides are multiples of its sides; row `k` of pairs of B and pair `k` of the
            // rows of A exist, since `k` is below the number of pairs.
            unsafe {
                let (a, c) = (a.add(row * PAIRS), c.add(row * columns + column));
                let load = |at: *const i32| _mm512_loadu_si512(at.cast());
                let mut sums: [__m512i; ROWS] = std::array::from_fn(|r| load(c.add(r * columns)));
                for k in 0..PAIRS {
                    let y = load(b.add(k * columns + column));
                    for (r, sum) in sums.iter_mut().enumerate() {
                        *sum = dot(*sum, _mm512_set1_epi32(a.add(r * PAIRS + k).read()), y);
                    }
                }
                for (r, sum) in sums.into_iter().enumerate() {
                    _mm512_storeu_si512(c.add(r * columns).cast(), sum);
                }
            }
        }
    }
}

/// The routine `C += A * B` of bytes with 512-bit vectors and dot products of four pairs, by numbers of rows, columns and
/// inner elements, and signs of A and B. It needs AVX-512 F, BW, VBMI and VNNI.
pub(super) fn bytes(sides: [u8; 3], signs: [bool; 2]) -> Option<*const u8> {
    Some(match sides {
        [16, 16, 16] => bytes_of::<16, 16, 4>(signs),
        [16, 16, 32] => bytes_of::<16, 16, 8>(signs),
        [16, 32, 16] => bytes_of::<16, 32, 4>(signs),
        [16, 32, 32] => bytes_of::<16, 32, 8>(signs),
        [32, 16, 16] => bytes_of::<32, 16, 4>(signs),
        [32, 16, 32] => bytes_of::<32, 16, 8>(signs),
        [32, 32, 16] => bytes_of::<32, 32, 4>(signs),
        [32, 32, 32] => bytes_of::<32, 32, 8>(signs),
        _ => return None,
    })
}

fn bytes_of<const ROWS: usize, const COLUMNS: usize, const QUADS: usize>(signs: [bool; 2]) -> *const u8 {
    match signs {
        [false, false] => bytes_vnni::<ROWS, COLUMNS, QUADS, false, false> as *const u8,
        [false, true] => bytes_vnni::<ROWS, COLUMNS, QUADS, false, true> as *const u8,
        [true, false] => bytes_vnni::<ROWS, COLUMNS, QUADS, true, false> as *const u8,
        [true, true] => bytes_vnni::<ROWS, COLUMNS, QUADS, true, true> as *const u8,
    }
}

/// `C += A * B` of bytes, by 16 columns of a row. `QUADS` is a quarter of the number of inner elements; `A` and `B` tell if
/// the elements are signed. Four groups of A are loaded at once and shuffled, which leaves the processor's loads for C.
///
/// # Safety
/// See `plain::multiply_bytes`, with `ROWS` rows, `COLUMNS` columns and `4 * QUADS` inner elements.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vnni")]
unsafe extern "C" fn bytes_vnni<
    const ROWS: usize,
    const COLUMNS: usize,
    const QUADS: usize,
    const A: bool,
    const B: bool,
>(
    a: *const u8,
    b: *const u8,
    c: *mut i32,
) {
    // The instruction takes an unsigned factor and a signed one. If both are of one kind, A was moved to the other.
    let dot = |sum, x, y| if B { _mm512_dpbusd_epi32(sum, x, y) } else { _mm512_dpbusd_epi32(sum, y, x) };
    for column in (0..COLUMNS).step_by(16) {
        // SAFETY: `column` is a multiple of 16 below the number of columns, which is one, too; rows `4k` to `4k + 3` of B exist
        // since `k` is below a quarter of the number of inner elements.
        let y: [__m512i; QUADS] =
            std::array::from_fn(|k| unsafe { four_rows::<COLUMNS>(b.add(4 * k * COLUMNS + column)) });
        // Products with the distance of the move are in each sum of the column.
        let distance = if A == B { _mm512_set1_epi8(i8::MIN) } else { _mm512_setzero_si512() };
        let excess = y.iter().fold(_mm512_setzero_si512(), |sum, &y| dot(sum, distance, y));
        for row in 0..ROWS {
            // SAFETY: 16 columns of the row lie in C, whose sides are multiples of 16. A row of A has `4 * QUADS` bytes, a
            // multiple of 16.
            unsafe {
                let (a, c) = (a.add(4 * row * QUADS), c.add(row * COLUMNS + column));
                let mut sum = _mm512_loadu_si512(c.cast());
                if A == B {
                    sum = _mm512_sub_epi32(sum, excess);
                }
                for (n, y) in y.as_chunks::<4>().0.iter().enumerate() {
                    let x = _mm512_broadcast_i32x4(_mm_loadu_si128(a.add(16 * n).cast()));
                    sum = dot(sum, _mm512_shuffle_epi32::<0b00_00_00_00>(x), y[0]);
                    sum = dot(sum, _mm512_shuffle_epi32::<0b01_01_01_01>(x), y[1]);
                    sum = dot(sum, _mm512_shuffle_epi32::<0b10_10_10_10>(x), y[2]);
                    sum = dot(sum, _mm512_shuffle_epi32::<0b11_11_11_11>(x), y[3]);
                }
                _mm512_storeu_si512(c.cast(), sum);
            }
        }
    }
}

/// 16 columns of four rows of `COLUMNS` bytes: word `n` consists of the bytes `n` of the rows, in their order.
///
/// # Safety
/// 16 bytes at `b`, and at each of the three next multiples of `COLUMNS` from there, are valid for reads.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
unsafe fn four_rows<const COLUMNS: usize>(b: *const u8) -> __m512i {
    const FROM: [u8; 64] = {
        let mut from = [0; 64];
        let mut at = 0;
        while at < 64 {
            from[at] = (at % 4 * 16 + at / 4) as u8;
            at += 1;
        }
        from
    };
    // SAFETY: the contract of this function; rows of 16 columns are consecutive, and `FROM` has 64 bytes.
    unsafe {
        let rows = if COLUMNS == 16 {
            _mm512_loadu_si512(b.cast())
        } else {
            let row = |r: usize| _mm_loadu_si128(b.add(r * COLUMNS).cast());
            let rows = _mm512_castsi128_si512(row(0));
            let rows = _mm512_inserti32x4::<1>(rows, row(1));
            let rows = _mm512_inserti32x4::<2>(rows, row(2));
            _mm512_inserti32x4::<3>(rows, row(3))
        };
        _mm512_permutexvar_epi8(_mm512_loadu_si512(FROM.as_ptr().cast()), rows)
    }
}

/// The product by blocks of 8 rows and 8 columns.
///
/// # Safety
/// See `plain::multiply_integers`.
#[target_feature(enable = "avx2")]
unsafe fn integers256(a: *const i32, b: *const i32, c: *mut i32, shape: u64) {
    const ROWS: usize = 8;
    let Shape { rows, columns, inner } = unpack(shape);
    for row in (0..rows).step_by(ROWS) {
        for column in (0..columns).step_by(8) {
            // SAFETY: the block of 8 rows and 8 columns lies in C, whose sides are multiples of them; row `k` of pairs of B
            // and pair `k` of the rows of A exist since `k` is below half of `inner`, which is even.
            unsafe {
                let c = c.add(row * columns + column);
                let load = |at: *const i32| _mm256_loadu_si256(at.cast());
                let mut sums: [__m256i; ROWS] = std::array::from_fn(|r| load(c.add(r * columns)));
                for k in 0..inner / 2 {
                    let y = load(b.add(k * columns + column));
                    for (r, sum) in sums.iter_mut().enumerate() {
                        let x = _mm256_set1_epi32(a.add((row + r) * inner / 2 + k).read());
                        *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(x, y));
                    }
                }
                for (r, sum) in sums.into_iter().enumerate() {
                    _mm256_storeu_si256(c.add(r * columns).cast(), sum);
                }
            }
        }
    }
}

/// Transposes a matrix of `rows` times `columns` elements.
///
/// # Safety
/// See `plain::transpose`; the host has AVX2.
pub(super) unsafe extern "C" fn transpose_avx2(from: *const u32, to: *mut u32, shape: u64) {
    // SAFETY: the contract of this function.
    unsafe { transpose256(from.cast(), to.cast(), unpack(shape)) }
}

/// Transposes blocks of 8 rows and 8 columns.
#[target_feature(enable = "avx2")]
unsafe fn transpose256(from: *const f32, to: *mut f32, shape: Shape) {
    let Shape { rows, columns, .. } = shape;
    for row in (0..rows).step_by(8) {
        for column in (0..columns).step_by(8) {
            // SAFETY: the block of 8 rows and 8 columns lies in both matrices, whose sides are multiples of 8.
            unsafe {
                let from = from.add(row * columns + column);
                let x: [__m256; 8] = std::array::from_fn(|r| _mm256_loadu_ps(from.add(r * columns)));
                // Pairs of rows, then groups of four rows, then both halves.
                let mut pairs = [x[0]; 8];
                let mut fours = [x[0]; 8];
                for i in 0..4 {
                    pairs[2 * i] = _mm256_unpacklo_ps(x[2 * i], x[2 * i + 1]);
                    pairs[2 * i + 1] = _mm256_unpackhi_ps(x[2 * i], x[2 * i + 1]);
                }
                for i in [0, 4] {
                    fours[i] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0x44);
                    fours[i + 1] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0xee);
                    fours[i + 2] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0x44);
                    fours[i + 3] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0xee);
                }
                for i in 0..4 {
                    let low = _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x20);
                    let high = _mm256_permute2f128_ps(fours[i], fours[i + 4], 0x31);
                    _mm256_storeu_ps(to.add((column + i) * rows + row), low);
                    _mm256_storeu_ps(to.add((column + i + 4) * rows + row), high);
                }
            }
        }
    }
}
