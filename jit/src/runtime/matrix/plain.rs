//! The routines as loops over the elements. Those that have faster twins on every host are for tests.

use super::{Shape, unpack};
#[cfg(test)]
use crate::sys::maths::fma_f32;

/// `C += A * B` of F32: each product is added with one rounding, in ascending order of the inner index. Sums that are
/// `ROUNDED` become half floats then.
///
/// # Safety
/// `a` and `b` are valid for reads and `c` for reads and writes of matrices of the sizes in `shape`.
#[cfg(test)]
pub(super) unsafe extern "C" fn multiply_floats<const ROUNDED: bool>(
    a: *const f32,
    b: *const f32,
    c: *mut f32,
    shape: u64,
) {
    let Shape { rows, columns, inner } = unpack(shape);
    for row in 0..rows {
        for column in 0..columns {
            // SAFETY: `row`, `column` and `k` are below the sizes of the matrices, which are valid by contract.
            unsafe {
                let out = c.add(row * columns + column);
                let term = |sum, k| {
                    let (x, y) = (a.add(row * inner + k).read(), b.add(k * columns + column).read());
                    fma_f32(x, y, sum)
                };
                let sum = (0..inner).fold(out.read(), term);
                out.write(if ROUNDED { half::f16::from_f32(sum).to_f32() } else { sum });
            }
        }
    }
}

/// Packs the factor A of I32: the low halves of its elements, one after another.
///
/// # Safety
/// `a` is valid for reads and writes of a matrix of `rows` times `columns` elements in `shape`.
pub(crate) unsafe extern "C" fn pack_rows(a: *mut i32, shape: u64) {
    let Shape { rows, columns, .. } = unpack(shape);
    for at in (0..rows * columns).step_by(8) {
        // SAFETY: `at` is a multiple of 8 below the number of elements, which is one, too. The halves are written at most
        // where the elements are read, and later ones are not changed.
        unsafe {
            let words = a.add(at).cast::<[i32; 8]>().read_unaligned();
            a.cast::<i16>().add(at).cast::<[i16; 8]>().write_unaligned(words.map(|x| x as i16));
        }
    }
}

/// Packs the factor B of I32: word `n` of row `k` consists of the low halves of the elements `n` of rows `2k` and
/// `2k + 1`, in this order.
///
/// # Safety
/// See [`pack_rows`].
pub(crate) unsafe extern "C" fn pack_columns(b: *mut i32, shape: u64) {
    let Shape { rows, columns, .. } = unpack(shape);
    for k in 0..rows / 2 {
        for n in (0..columns).step_by(8) {
            // SAFETY: rows `2k` and `2k + 1` exist, since `k` is below half of their number, and `n` is a multiple of 8 below
            // the number of columns, which is one, too. Row `k` is not read after it is written.
            unsafe {
                let row = |r: usize| b.add(r * columns + n).cast::<[i32; 8]>();
                let (low, high) = (row(2 * k).read_unaligned(), row(2 * k + 1).read_unaligned());
                let pair = |i: usize| low[i] & 0xffff | high[i] << 16;
                row(k).write_unaligned(std::array::from_fn(pair));
            }
        }
    }
}

/// Sum of the products of the halves of a row of A and of a column of B.
///
/// # Safety
/// See [`multiply_integers`]; `row` and `column` are below the numbers of rows and columns.
unsafe fn products(a: *const i32, b: *const i32, row: usize, column: usize, shape: Shape) -> i64 {
    let halves = |word: i32| [i64::from(word as i16), i64::from(word >> 16)];
    let product = |k: usize| {
        // SAFETY: `row` and `column` are below the sizes of the matrices, and `k` is below half of the number of inner
        // elements; the packed matrices are valid by contract.
        let (x, y) =
            unsafe { (a.add(row * shape.inner / 2 + k).read(), b.add(k * shape.columns + column).read()) };
        let ([x, xx], [y, yy]) = (halves(x), halves(y));
        x * y + xx * yy
    };
    (0..shape.inner / 2).map(product).sum()
}

/// Replaces each element of C by `sum(element, products)`.
///
/// # Safety
/// See [`multiply_integers`].
unsafe fn each(a: *const i32, b: *const i32, c: *mut i32, shape: u64, sum: impl Fn(i32, i64) -> i32) {
    let shape = unpack(shape);
    for row in 0..shape.rows {
        for column in 0..shape.columns {
            // SAFETY: `row` and `column` are below the sizes of the matrices, which are valid by contract.
            unsafe {
                let out = c.add(row * shape.columns + column);
                out.write(sum(out.read(), products(a, b, row, column, shape)));
            }
        }
    }
}

/// `C += A * B` of integers: the factors are packed, their halves are signed numbers, and sums wrap.
///
/// # Safety
/// `a` and `b` are valid for reads of factors of the sizes in `shape` that [`pack_rows`] and [`pack_columns`] have packed,
/// and `c` is valid for reads and writes.
#[cfg(test)]
pub(super) unsafe extern "C" fn multiply_integers(a: *const i32, b: *const i32, c: *mut i32, shape: u64) {
    // SAFETY: the contract of this function.
    unsafe { each(a, b, c, shape, |c, sum| c.wrapping_add(sum as i32)) }
}

/// `C += A * B` of bytes; sums wrap. `signed` tells which factors have signed elements. If both factors are of the same kind,
/// the elements of A are given with the highest bit flipped.
///
/// # Safety
/// `a` and `b` are valid for reads of bytes and `c` for reads and writes of words of matrices of the sizes in `shape`.
#[cfg(test)]
pub(super) unsafe fn multiply_bytes(a: *const u8, b: *const u8, c: *mut i32, shape: u64, signed: [bool; 2]) {
    let Shape { rows, columns, inner } = unpack(shape);
    let flip = if signed[0] == signed[1] { 0x80 } else { 0 };
    let number = |byte: u8, signed: bool| if signed { i32::from(byte as i8) } else { i32::from(byte) };
    for row in 0..rows {
        for column in 0..columns {
            // SAFETY: `row`, `column` and `k` are below the sizes of the matrices, which are valid by contract.
            unsafe {
                let out = c.add(row * columns + column);
                let term = |sum: i32, k: usize| {
                    let (x, y) = (a.add(row * inner + k).read() ^ flip, b.add(k * columns + column).read());
                    sum.wrapping_add(number(x, signed[0]) * number(y, signed[1]))
                };
                out.write((0..inner).fold(out.read(), term));
            }
        }
    }
}

/// Like [`multiply_integers`], but sums are clamped to the range of signed numbers.
///
/// # Safety
/// See [`multiply_integers`].
pub(crate) unsafe extern "C" fn multiply_saturating_signed(
    a: *const i32,
    b: *const i32,
    c: *mut i32,
    shape: u64,
) {
    let clamp =
        |c: i32, sum: i64| (i64::from(c) + sum).clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
    // SAFETY: the contract of this function.
    unsafe { each(a, b, c, shape, clamp) }
}

/// Like [`multiply_integers`], but the elements of C are unsigned, and sums are clamped to the range of unsigned numbers.
///
/// # Safety
/// See [`multiply_integers`].
pub(crate) unsafe extern "C" fn multiply_saturating_unsigned(
    a: *const i32,
    b: *const i32,
    c: *mut i32,
    shape: u64,
) {
    let clamp = |c: i32, sum: i64| (i64::from(c as u32) + sum).clamp(0, i64::from(u32::MAX)) as u32 as i32;
    // SAFETY: the contract of this function.
    unsafe { each(a, b, c, shape, clamp) }
}

/// Transposes a matrix of `rows` times `columns` elements.
///
/// # Safety
/// `from` is valid for reads and `to` for writes of a matrix of the size in `shape`; they do not overlap.
pub(super) unsafe extern "C" fn transpose(from: *const u32, to: *mut u32, shape: u64) {
    let Shape { rows, columns, .. } = unpack(shape);
    for row in 0..rows {
        for column in 0..columns {
            // SAFETY: `row` and `column` are below the sizes of the matrices, which are valid by contract.
            unsafe { to.add(column * rows + row).write(from.add(row * columns + column).read()) }
        }
    }
}
