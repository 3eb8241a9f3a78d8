//! Elements of a matrix at regular distances, as [`MatrixOp::Pick`](crate::ir::MatrixOp::Pick) defines them.

use crate::ir::{Steps, Tiles};

/// Packs four numbers of 16 bits, the first one in the lowest bits.
fn packed(numbers: [u16; 4]) -> u64 {
    numbers.into_iter().rev().fold(0, |bits, n| bits << 16 | u64::from(n))
}

fn unpacked(bits: u64) -> [u16; 4] {
    [0, 16, 32, 48].map(|at| (bits >> at) as u16)
}

/// The operands `sizes` and `steps` of [`pick`].
pub(crate) fn operands(from: [u16; 2], to: [u16; 2], row: Steps, column: Steps) -> [u64; 2] {
    [packed([from[0], from[1], to[0], to[1]]), packed([row.first, row.step, column.first, column.step])]
}

/// Writes the picked elements of `from` to `to`, and zeros up to the next multiple of `lanes`.
///
/// # Safety
/// `sizes` and `steps` are [`operands`] of an operation that is in range. `from` is valid for reads and `to` for writes
/// of matrices of these sizes, rounded up to a multiple of `lanes` elements. They do not overlap.
pub(crate) unsafe extern "C" fn pick(from: *const u32, to: *mut u32, sizes: u64, steps: u64, lanes: u64) {
    let [rows, columns, to_rows, to_columns] = unpacked(sizes);
    let [row, row_step, column, column_step] = unpacked(steps);
    let row = Steps { first: row, step: row_step };
    let column = Steps { first: column, step: column_step };
    let (source, target) = (Tiles::of([rows, columns]), Tiles::of([to_rows, to_columns]));
    let [to_rows, to_columns] = target.size;
    for c in 0..to_columns {
        let (read, write) = (source.column(column.at(c)), target.column(c));
        for r in 0..to_rows {
            // SAFETY: by contract, the picked row and column are below the sizes of the source, and `r` and `c` are
            // below those of the target, so that both elements are in their matrices.
            unsafe {
                let element = from.add(source.row(row.at(r)) + read).read();
                to.add(target.row(r) + write).write(element);
            }
        }
    }
    let count = to_rows * to_columns;
    for at in count..count.next_multiple_of(lanes.max(1) as usize) {
        // SAFETY: by contract, `to` has room for a multiple of `lanes` elements.
        unsafe { to.add(at).write(0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Picks elements of a matrix whose elements are `1000 * row + column`.
    fn picked(from: [u16; 2], to: [u16; 2], row: Steps, column: Steps) -> Vec<Vec<u32>> {
        let source = Tiles::of(from);
        let mut x = vec![0; source.size[0] * source.size[1]];
        for r in 0..source.size[0] {
            for c in 0..source.size[1] {
                x[source.row(r) + source.column(c)] = (1000 * r + c) as u32;
            }
        }
        let target = Tiles::of(to);
        let mut out = vec![7; (target.size[0] * target.size[1]).next_multiple_of(32)];
        let [sizes, steps] = operands(from, to, row, column);
        // SAFETY: the matrices have the sizes in the operands, and the target is a multiple of 32 elements.
        unsafe { pick(x.as_ptr(), out.as_mut_ptr(), sizes, steps, 32) };
        assert!(out[target.size[0] * target.size[1]..].iter().all(|&zero| zero == 0));
        let row = |r| (0..target.size[1]).map(|c| out[target.row(r) + target.column(c)]).collect();
        (0..target.size[0]).map(row).collect()
    }

    #[test]
    fn elements_are_picked_by_row_and_column() {
        for from in [[8, 8], [24, 16], [48, 96], [128, 40]] {
            let to = from.map(|n| n / 2);
            let odd = picked(from, to, Steps::ODD, Steps::EVEN);
            for (r, row) in odd.iter().enumerate() {
                for (c, &element) in row.iter().enumerate() {
                    assert_eq!(element as usize, 1000 * (2 * r + 1) + 2 * c, "{from:?}");
                }
            }
            let all = picked(from, [from[0], 3], Steps::ALL, Steps::only(5));
            assert!(all.iter().enumerate().all(|(r, row)| row == &[1000 * r as u32 + 5; 3]));
        }
    }

    #[test]
    fn tiles_hold_each_element_once() {
        for size in [[8, 8], [16, 32], [24, 8], [48, 96], [3, 5], [1, 36]] {
            let tiles = Tiles::of(size);
            let mut seen = vec![false; tiles.size[0] * tiles.size[1]];
            for r in 0..tiles.size[0] {
                for c in 0..tiles.size[1] {
                    assert!(!std::mem::replace(&mut seen[tiles.row(r) + tiles.column(c)], true));
                }
            }
            assert!(seen.into_iter().all(|s| s), "{size:?}");
        }
    }
}
