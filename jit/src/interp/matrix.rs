//! Operations on matrices whose elements are spread over the lane group, element by element.

use super::group::{Row, Rows};
use crate::abi::MAX_LANES;
use crate::ir::{MatrixOp, Tiles, Ty};
use crate::ops;

/// The elements of a matrix in row-major order; those of inactive lanes are 0.
fn elements(rows: &[Row], lanes: usize, active: u32) -> Vec<u64> {
    let element = |row: &Row, l: usize| if active >> l & 1 == 1 { row[l] } else { 0 };
    rows.iter().flat_map(|row| (0..lanes).map(move |l| element(row, l))).collect()
}

/// Rows of the values of elements in row-major order.
fn rows(elements: &[u64], lanes: usize) -> Rows {
    let row = |part: &[u64]| {
        let mut row = [0; MAX_LANES];
        row[..part.len()].copy_from_slice(part);
        row
    };
    elements.chunks(lanes).map(row).collect()
}

/// Matrix operations. `args` are rows, all of type `ty`.
pub(super) fn eval_matrix(op: MatrixOp, ty: Ty, lanes: usize, active: u32, args: &[Row]) -> Rows {
    let mut rest = args;
    let mut matrices = op.elements().map(|n| {
        let (own, others) = rest.split_at(n.div_ceil(lanes).min(rest.len()));
        rest = others;
        elements(own, lanes, active)
    });
    let mut next = || matrices.next().unwrap_or_default();
    let out = match op {
        MatrixOp::MulAdd { rows, columns, inner, saturates } => {
            let (a, b, c) = (next(), next(), next());
            let (n, k) = (usize::from(columns), usize::from(inner));
            let element = |at: usize| {
                let pairs = (0..k).map(|i| (a[at / n * k + i], b[i * n + at % n]));
                if ty == Ty::F32 {
                    return mul_add_floats(pairs, c[at]);
                }
                mul_add_integers(pairs, c[at], saturates)
            };
            (0..usize::from(rows) * n).map(element).collect::<Vec<_>>()
        }
        MatrixOp::Transpose { rows, columns } => {
            let x = next();
            let (m, n) = (usize::from(rows), usize::from(columns));
            (0..m * n).map(|at| x[at % m * n + at / m]).collect()
        }
        MatrixOp::Pick { from, to, row, column } => {
            let (x, source, target) = (next(), Tiles::of(from), Tiles::of(to));
            let mut out = vec![0; target.size[0] * target.size[1]];
            for r in 0..target.size[0] {
                for c in 0..target.size[1] {
                    out[target.row(r) + target.column(c)] =
                        x[source.row(row.at(r)) + source.column(column.at(c))];
                }
            }
            out
        }
    };
    rows(&out, lanes)
}

/// Sum of products of F32, each added with one rounding.
fn mul_add_floats(pairs: impl Iterator<Item = (u64, u64)>, c: u64) -> u64 {
    let types = [Ty::F32; 3];
    pairs.fold(c, |sum, (a, b)| ops::eval(crate::ir::Op::Fma, &types, Ty::F32, &[a, b, sum]))
}

/// Sum of products of I32: wrapping, or clamped to the range of signed or unsigned numbers.
fn mul_add_integers(pairs: impl Iterator<Item = (u64, u64)>, c: u64, saturates: Option<bool>) -> u64 {
    let signed = |bits: u64| i128::from(bits as u32 as i32);
    let start = if saturates == Some(false) { i128::from(c as u32) } else { signed(c) };
    let half = |bits: u64| i128::from(bits as u16 as i16);
    let sum = pairs.fold(start, |sum, (a, b)| sum + half(a) * half(b));
    let sum = match saturates {
        None => sum,
        Some(true) => sum.clamp(i128::from(i32::MIN), i128::from(i32::MAX)),
        Some(false) => sum.clamp(0, i128::from(u32::MAX)),
    };
    u64::from(sum as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_wrap_or_saturate() {
        let int = |x: i64| u64::from(x as u32);
        let sum = |a: i64, b: i64, c: i64, how| mul_add_integers([(int(a), int(b))].into_iter(), int(c), how);
        assert_eq!(sum(127, 127, i64::from(i32::MAX), Some(true)), int(i64::from(i32::MAX)));
        assert_eq!(sum(127, -128, i64::from(i32::MIN), Some(true)), int(i64::from(i32::MIN)));
        assert_eq!(sum(1, 1, i64::from(i32::MAX), None), int(i64::from(i32::MIN)));
        assert_eq!(sum(255, 255, i64::from(u32::MAX), Some(false)), int(-1));
        assert_eq!(sum(-1, 1, 0, Some(false)), 0);
    }

    #[test]
    fn transposing_swaps_rows_and_columns() {
        // A matrix of 8 rows and 16 columns whose elements are their numbers.
        let all: Vec<u64> = (0..128).collect();
        let args = rows(&all, 8);
        let out = eval_matrix(MatrixOp::Transpose { rows: 8, columns: 16 }, Ty::I32, 8, 0xff, &args);
        let out = elements(&out, 8, 0xff);
        assert!((0..128).all(|at| out[at] == (at % 8 * 16 + at / 8) as u64));
    }
}
