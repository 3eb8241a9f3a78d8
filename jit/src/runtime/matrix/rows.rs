//! The products by rows of C, in loops over columns that compile to the vectors of any processor.

use std::slice;

use half::f16;

use super::{Shape, unpack};
use crate::sys::maths::fma_f32;

/// Largest number of columns.
const MOST: usize = 32;

/// Replaces each element of C by the fold of `add(sum, x, y)` over the elements `x` of its row of A and `y` of its column
/// of B, which `end` completes.
///
/// # Safety
/// `a` and `b` are valid for reads and `c` for reads and writes of matrices of the sizes in the shape.
#[inline(always)]
unsafe fn product<T: Copy + Default>(
    a: *const T,
    b: *const T,
    c: *mut T,
    shape: Shape,
    add: impl Fn(T, T, T) -> T,
    end: impl Fn(T) -> T,
) {
    let Shape { rows, columns, inner } = shape;
    for row in 0..rows {
        let mut sums = [T::default(); MOST];
        let sums = &mut sums[..columns];
        // SAFETY: `row` and `k` are below the sizes of the matrices, which are valid by contract. `sums` is other memory, and
        // nothing writes B while its row is read.
        unsafe {
            c.add(row * columns).copy_to_nonoverlapping(sums.as_mut_ptr(), columns);
            for k in 0..inner {
                let x = a.add(row * inner + k).read();
                let row = slice::from_raw_parts(b.add(k * columns), columns);
                sums.iter_mut().zip(row).for_each(|(sum, y)| *sum = add(*sum, x, *y));
            }
            sums.iter_mut().for_each(|sum| *sum = end(*sum));
            c.add(row * columns).copy_from_nonoverlapping(sums.as_ptr(), columns);
        }
    }
}

/// `C += A * B` of F32. The results are half floats if they are `ROUNDED`.
///
/// # Safety
/// See `plain::multiply_floats`.
pub(super) unsafe extern "C" fn multiply_floats<const ROUNDED: bool>(
    a: *const f32,
    b: *const f32,
    c: *mut f32,
    shape: u64,
) {
    let end = |sum: f32| if ROUNDED { f16::from_f32(sum).to_f32() } else { sum };
    // SAFETY: the contract of this function.
    unsafe { product(a, b, c, unpack(shape), |sum, x, y| fma_f32(x, y, sum), end) }
}

/// `C += A * B` of packed integers.
///
/// # Safety
/// See `plain::multiply_integers`.
pub(super) unsafe extern "C" fn multiply_integers(a: *const i32, b: *const i32, c: *mut i32, shape: u64) {
    let mut shape = unpack(shape);
    shape.inner /= 2;
    // Products of halves fit in 32 bits, and sums wrap.
    let add = |sum: i32, x: i32, y: i32| {
        let low = i32::from(x as i16).wrapping_mul(i32::from(y as i16));
        sum.wrapping_add(low).wrapping_add((x >> 16).wrapping_mul(y >> 16))
    };
    // SAFETY: the contract of this function; packed factors have half the inner elements.
    unsafe { product(a, b, c, shape, add, |sum| sum) }
}
