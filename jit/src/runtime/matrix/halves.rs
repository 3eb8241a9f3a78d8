//! Loads of factors of half floats: conversions to F32, of the matrix in memory or of its transposed matrix.
//!
//! The matrix in memory has the rows and columns of `shape`, which are multiples of 8; its rows are `stride` bytes apart. NaNs
//! become quiet and keep their payload.

use half::f16;
use half::slice::HalfFloatSliceExt;

use super::{Shape, unpack};
use crate::CpuLevel;

/// Row `r` of the matrix at `from`.
///
/// # Safety
/// Rows of so many columns at `from`, `stride` bytes apart, are valid for reads up to row `r` during `'a`.
unsafe fn row<'a>(from: *const u8, r: usize, columns: usize, stride: u64) -> impl Iterator<Item = f16> + 'a {
    // SAFETY: the contract of this function; any address will do for an unaligned read.
    (0..columns).map(move |c| unsafe { from.add(r * stride as usize).cast::<f16>().add(c).read_unaligned() })
}

/// Loads the matrix.
///
/// # Safety
/// The matrix of the shape at `from` is valid for reads, and `to` for writes of as many F32.
pub(super) unsafe extern "C" fn load(from: *const u8, to: *mut f32, shape: u64, stride: u64) {
    let Shape { rows, columns, .. } = unpack(shape);
    for r in 0..rows {
        let mut halves = [f16::ZERO; 32];
        let halves = &mut halves[..columns];
        // SAFETY: `r` is below the number of rows; the matrices are valid by contract.
        let out = unsafe {
            halves.iter_mut().zip(row(from, r, columns, stride)).for_each(|(h, x)| *h = x);
            std::slice::from_raw_parts_mut(to.add(r * columns), columns)
        };
        halves.convert_to_f32_slice(out);
    }
}

/// Loads the transposed matrix.
///
/// # Safety
/// See [`load`].
pub(super) unsafe extern "C" fn load_transposed(from: *const u8, to: *mut f32, shape: u64, stride: u64) {
    let Shape { rows, columns, .. } = unpack(shape);
    for r in 0..rows {
        // SAFETY: `r` and `c` are below the numbers of rows and columns; the matrices are valid by contract.
        unsafe {
            for (c, x) in row(from, r, columns, stride).enumerate() {
                to.add(c * rows + r).write(x.to_f32());
            }
        }
    }
}

/// The routine that loads the matrix, or the transposed one, at a host level: `(from, to, shape, stride)`.
pub(crate) fn load_halves(cpu: CpuLevel, transposed: bool) -> *const u8 {
    #[cfg(target_arch = "x86_64")]
    if cpu.min(CpuLevel::host()) >= CpuLevel::V3 {
        return if transposed { host::load_transposed as *const u8 } else { host::load as *const u8 };
    }
    let _ = cpu;
    if transposed { load_transposed as *const u8 } else { load as *const u8 }
}

#[cfg(target_arch = "x86_64")]
mod host {
    use std::arch::x86_64::*;

    use super::{Shape, unpack};

    /// Loads the matrix, eight columns at a time.
    ///
    /// # Safety
    /// See [`super::load`]; the host has F16C and AVX2.
    #[target_feature(enable = "avx2,f16c")]
    pub unsafe extern "C" fn load(from: *const u8, to: *mut f32, shape: u64, stride: u64) {
        let Shape { rows, columns, .. } = unpack(shape);
        for r in 0..rows {
            for c in (0..columns).step_by(8) {
                // SAFETY: eight columns from `c`, a multiple of 8 below their number, lie in row `r` of both matrices.
                unsafe {
                    let halves = _mm_loadu_si128(from.add(r * stride as usize + 2 * c).cast());
                    _mm256_storeu_ps(to.add(r * columns + c), _mm256_cvtph_ps(halves));
                }
            }
        }
    }

    /// Loads the transposed matrix by blocks of 8 columns and 16 rows, of which the last may have 8.
    ///
    /// # Safety
    /// See [`super::load`]; the host has F16C and AVX2.
    #[target_feature(enable = "avx2,f16c")]
    pub unsafe extern "C" fn load_transposed(from: *const u8, to: *mut f32, shape: u64, stride: u64) {
        let (Shape { rows, columns, .. }, stride) = (unpack(shape), stride as usize);
        for r in (0..rows).step_by(16) {
            for c in (0..columns).step_by(8) {
                // SAFETY: the columns from `c` and the rows from `r` lie in the matrices: their numbers are multiples of 8, and
                // a block has 16 rows only if so many are left.
                unsafe {
                    let (from, to) = (from.add(r * stride + 2 * c), to.add(c * rows + r));
                    if rows - r >= 16 {
                        block::<true>(from, to, rows, stride);
                    } else {
                        block::<false>(from, to, rows, stride);
                    }
                }
            }
        }
    }

    /// Transposes 8 columns of 8 rows, or of 16 if there are `MORE`. The rows of the result have `rows` elements.
    ///
    /// # Safety
    /// 16 bytes at each of the 8 or 16 rows at `from` are valid for reads, and 8 or 16 elements of 8 rows at `to` for
    /// writes.
    #[target_feature(enable = "avx2,f16c")]
    unsafe fn block<const MORE: bool>(from: *const u8, to: *mut f32, rows: usize, stride: usize) {
        // SAFETY: the contract of this function; rows from 8 exist if there are `MORE`.
        unsafe {
            let row = |r: usize| _mm_loadu_si128(from.add(r * stride).cast());
            let pair = |r: usize| {
                let low = _mm256_castsi128_si256(row(r));
                if MORE { _mm256_inserti128_si256::<1>(low, row(r + 8)) } else { low }
            };
            for (c, column) in transposed(std::array::from_fn(pair)).into_iter().enumerate() {
                let to = to.add(c * rows);
                _mm256_storeu_ps(to, _mm256_cvtph_ps(_mm256_castsi256_si128(column)));
                if MORE {
                    _mm256_storeu_ps(to.add(8), _mm256_cvtph_ps(_mm256_extracti128_si256::<1>(column)));
                }
            }
        }
    }

    /// Transposes the eight rows of eight elements of 16 bits in the lower halves, and those in the upper halves.
    #[target_feature(enable = "avx2")]
    fn transposed(x: [__m256i; 8]) -> [__m256i; 8] {
        // Pairs of rows, groups of four, of eight.
        let pairs: [__m256i; 8] = std::array::from_fn(|i| match i % 2 {
            0 => _mm256_unpacklo_epi16(x[i], x[i + 1]),
            _ => _mm256_unpackhi_epi16(x[i - 1], x[i]),
        });
        let fours: [__m256i; 8] = std::array::from_fn(|i| {
            let at = i / 4 * 4 + i % 4 / 2;
            match i % 2 {
                0 => _mm256_unpacklo_epi32(pairs[at], pairs[at + 2]),
                _ => _mm256_unpackhi_epi32(pairs[at], pairs[at + 2]),
            }
        });
        std::array::from_fn(|i| match i % 2 {
            0 => _mm256_unpacklo_epi64(fours[i / 2], fours[i / 2 + 4]),
            _ => _mm256_unpackhi_epi64(fours[i / 2], fours[i / 2 + 4]),
        })
    }
}
