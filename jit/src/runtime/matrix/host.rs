//! The routines with vectors of 256 and 512 bits. Blocks of C stay in registers while the inner index advances.

use std::arch::x86_64::*;

use super::{Shape, unpack};

/// Largest number of rows, columns or inner elements.
const MOST: usize = 32;

/// `C += A * B` of F32 with 512-bit vectors.
///
/// # Safety
/// See `plain::multiply_floats`; the host has AVX-512 F and AVX2 and FMA.
pub(super) unsafe extern "C" fn floats_avx512(a: *const f32, b: *const f32, c: *mut f32, shape: u64) {
    // SAFETY: the contract of this function.
    unsafe { floats512(a, b, c, shape) }
}

/// `C += A * B` of F32 with 256-bit vectors.
///
/// # Safety
/// See `plain::multiply_floats`; the host has AVX2 and FMA.
pub(super) unsafe extern "C" fn floats_avx2(a: *const f32, b: *const f32, c: *mut f32, shape: u64) {
    // SAFETY: the contract of this function.
    unsafe { floats256(a, b, c, shape) }
}

#[target_feature(enable = "avx512f,avx2,fma")]
unsafe fn floats512(a: *const f32, b: *const f32, c: *mut f32, shape: u64) {
    const ROWS: usize = 8;
    let Shape { rows, columns, inner } = unpack(shape);
    if !columns.is_multiple_of(16) {
        // SAFETY: the contract of the caller.
        return unsafe { floats256(a, b, c, shape) };
    }
    for row in (0..rows).step_by(ROWS) {
        for column in (0..columns).step_by(16) {
            // SAFETY: the block of 8 rows and 16 columns lies in C, whose sides are multiples of them; row `k` of B and
            // column `k` of A exist since `k` is below `inner`.
            unsafe {
                let c = c.add(row * columns + column);
                let mut sums: [__m512; ROWS] = std::array::from_fn(|r| _mm512_loadu_ps(c.add(r * columns)));
                for k in 0..inner {
                    let y = _mm512_loadu_ps(b.add(k * columns + column));
                    for (r, sum) in sums.iter_mut().enumerate() {
                        let x = _mm512_set1_ps(a.add((row + r) * inner + k).read());
                        *sum = _mm512_fmadd_ps(x, y, *sum);
                    }
                }
                for (r, sum) in sums.into_iter().enumerate() {
                    _mm512_storeu_ps(c.add(r * columns), sum);
                }
            }
        }
    }
}

#[target_feature(enable = "avx2,fma")]
unsafe fn floats256(a: *const f32, b: *const f32, c: *mut f32, shape: u64) {
    const ROWS: usize = 8;
    let Shape { rows, columns, inner } = unpack(shape);
    for row in (0..rows).step_by(ROWS) {
        for column in (0..columns).step_by(8) {
            // SAFETY: the block of 8 rows and 8 columns lies in C, whose sides are multiples of them; row `k` of B and
            // column `k` of A exist since `k` is below `inner`.
            unsafe {
                let c = c.add(row * columns + column);
                let mut sums: [__m256; ROWS] = std::array::from_fn(|r| _mm256_loadu_ps(c.add(r * columns)));
                for k in 0..inner {
                    let y = _mm256_loadu_ps(b.add(k * columns + column));
                    for (r, sum) in sums.iter_mut().enumerate() {
                        let x = _mm256_set1_ps(a.add((row + r) * inner + k).read());
                        *sum = _mm256_fmadd_ps(x, y, *sum);
                    }
                }
                for (r, sum) in sums.into_iter().enumerate() {
                    _mm256_storeu_ps(c.add(r * columns), sum);
                }
            }
        }
    }
}

/// Pairs of elements of the rows of A with inner indices 2i and 2i + 1: the low half of each, in one word.
///
/// # Safety
/// `a` is valid for reads of a matrix of `rows` times `inner` elements, which are at most [`MOST`] each.
unsafe fn pairs_of_rows(a: *const i32, shape: Shape) -> [i32; MOST * MOST / 2] {
    let mut out = [0; MOST * MOST / 2];
    let n = (shape.rows * shape.inner / 2).min(out.len());
    for (i, pair) in out[..n].iter_mut().enumerate() {
        // SAFETY: `inner` is even, so the elements 2i and 2i + 1 are of one row, and `i` is below half of their number.
        let (low, high) = unsafe { (a.add(2 * i).read(), a.add(2 * i + 1).read()) };
        *pair = low & 0xffff | high << 16;
    }
    out
}

/// `C += A * B` of I32 with 512-bit vectors.
///
/// # Safety
/// See `plain::multiply_integers`; the host has AVX-512 F and BW and AVX2.
pub(super) unsafe extern "C" fn integers_avx512(a: *const i32, b: *const i32, c: *mut i32, shape: u64) {
    // SAFETY: the contract of this function.
    unsafe { integers512(a, b, c, shape) }
}

/// `C += A * B` of I32 with 256-bit vectors.
///
/// # Safety
/// See `plain::multiply_integers`; the host has AVX2.
pub(super) unsafe extern "C" fn integers_avx2(a: *const i32, b: *const i32, c: *mut i32, shape: u64) {
    // SAFETY: the contract of this function.
    unsafe { integers256(a, b, c, shape) }
}

#[target_feature(enable = "avx512f,avx512bw,avx2")]
unsafe fn integers512(a: *const i32, b: *const i32, c: *mut i32, shape: u64) {
    const ROWS: usize = 8;
    let sides = unpack(shape);
    let Shape { rows, columns, inner } = sides;
    if !columns.is_multiple_of(16) {
        // SAFETY: the contract of the caller.
        return unsafe { integers256(a, b, c, shape) };
    }
    // SAFETY: the contract of the caller.
    let pairs = unsafe { pairs_of_rows(a, sides) };
    let low = _mm512_set1_epi32(0xffff);
    for row in (0..rows).step_by(ROWS) {
        for column in (0..columns).step_by(16) {
            // SAFETY: the block of 8 rows and 16 columns lies in C, whose sides are multiples of them; rows `2k` and
            // `2k + 1` of B exist since `k` is below half of `inner`, which is even.
            unsafe {
                let c = c.add(row * columns + column);
                let load = |at: *const i32| _mm512_loadu_si512(at.cast());
                let mut sums: [__m512i; ROWS] = std::array::from_fn(|r| load(c.add(r * columns)));
                for k in 0..inner / 2 {
                    let y = b.add(2 * k * columns + column);
                    let high = _mm512_slli_epi32(load(y.add(columns)), 16);
                    let y = _mm512_or_si512(_mm512_and_si512(load(y), low), high);
                    for (r, sum) in sums.iter_mut().enumerate() {
                        let x = _mm512_set1_epi32(pairs[(row + r) * inner / 2 + k]);
                        *sum = _mm512_add_epi32(*sum, _mm512_madd_epi16(x, y));
                    }
                }
                for (r, sum) in sums.into_iter().enumerate() {
                    _mm512_storeu_si512(c.add(r * columns).cast(), sum);
                }
            }
        }
    }
}

#[target_feature(enable = "avx2")]
unsafe fn integers256(a: *const i32, b: *const i32, c: *mut i32, shape: u64) {
    const ROWS: usize = 8;
    let sides = unpack(shape);
    let Shape { rows, columns, inner } = sides;
    // SAFETY: the contract of the caller.
    let pairs = unsafe { pairs_of_rows(a, sides) };
    let low = _mm256_set1_epi32(0xffff);
    for row in (0..rows).step_by(ROWS) {
        for column in (0..columns).step_by(8) {
            // SAFETY: the block of 8 rows and 8 columns lies in C, whose sides are multiples of them; rows `2k` and
            // `2k + 1` of B exist since `k` is below half of `inner`, which is even.
            unsafe {
                let c = c.add(row * columns + column);
                let load = |at: *const i32| _mm256_loadu_si256(at.cast());
                let mut sums: [__m256i; ROWS] = std::array::from_fn(|r| load(c.add(r * columns)));
                for k in 0..inner / 2 {
                    let y = b.add(2 * k * columns + column);
                    let high = _mm256_slli_epi32(load(y.add(columns)), 16);
                    let y = _mm256_or_si256(_mm256_and_si256(load(y), low), high);
                    for (r, sum) in sums.iter_mut().enumerate() {
                        let x = _mm256_set1_epi32(pairs[(row + r) * inner / 2 + k]);
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
