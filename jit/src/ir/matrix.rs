//! Operations on matrices whose elements are spread over the lane group.

use super::{Shader, Ty};
use crate::error::{Error, Result};

/// Operation of [`Op::Matrix`](super::Op::Matrix) on matrices.
///
/// Elements count in row-major order. Lane `l` of a group of S lanes holds element `i * S + l` as scalar `i`. An argument
/// that is a matrix consists of its scalars in order, and so do the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatrixOp {
    /// `A * B + C`. Arguments: A (`rows` times `inner`), B (`inner` times `columns`), C (`rows` times `columns`), all of
    /// F32 or all of I32. Results: a matrix of the size of C.
    ///
    /// F32: each element starts as that of C, and each product is added with one rounding (`Fma`), in ascending order of
    /// the inner index. I32: the elements of A and B are their low 16 bits as signed numbers. The sum wraps, or
    /// `saturates` tells if the exact sum is clamped to the range of signed (`true`) or unsigned (`false`) numbers.
    MulAdd {
        /// Rows of A and C.
        rows: u8,
        /// Columns of B and C.
        columns: u8,
        /// Columns of A, rows of B.
        inner: u8,
        /// Range to which sums are clamped.
        saturates: Option<bool>,
    },
    /// Transposed matrix. Argument: a matrix of numbers of at most 32 bits. Results: a matrix of the same type with
    /// `columns` rows and `rows` columns.
    Transpose {
        /// Rows of the argument.
        rows: u8,
        /// Columns of the argument.
        columns: u8,
    },
    /// Elements at regular distances. Argument: a matrix of numbers of at most 32 bits. Results: a matrix of the same type
    /// whose element in row `r` and column `c` is the element of the argument in row `row.at(r)` and column
    /// `column.at(c)`. The elements of both matrices lie in [`Tiles`].
    Pick {
        /// Rows and columns of the argument.
        from: [u16; 2],
        /// Rows and columns of the results.
        to: [u16; 2],
        /// Rows that are picked.
        row: Steps,
        /// Columns that are picked.
        column: Steps,
    },
}

/// Indices at a regular distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Steps {
    /// The first index.
    pub first: u16,
    /// Distance of the others.
    pub step: u16,
}

impl Steps {
    /// All indices.
    pub const ALL: Steps = Steps { first: 0, step: 1 };
    /// Every second index.
    pub const EVEN: Steps = Steps { first: 0, step: 2 };
    /// The indices between them.
    pub const ODD: Steps = Steps { first: 1, step: 2 };

    /// The same index again and again.
    pub fn only(first: u16) -> Steps {
        Steps { first, step: 0 }
    }

    /// Index number `i`.
    pub fn at(self, i: usize) -> usize {
        usize::from(self.first) + i * usize::from(self.step)
    }
}

/// Order of the elements of a large matrix: tile by tile in row-major order, and in row-major order in each tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiles {
    /// Rows and columns of the matrix.
    pub size: [usize; 2],
    /// Rows and columns of a tile.
    pub tile: [usize; 2],
}

impl Tiles {
    /// Tiles of a matrix of this size. A side of a tile is that of the matrix, 8, 16 or 32.
    pub fn of(size: [u16; 2]) -> Tiles {
        let size = size.map(usize::from);
        let side =
            |n: usize| [32, 16, 8].into_iter().find(|tile| n > 8 && n.is_multiple_of(*tile)).unwrap_or(n);
        Tiles { size, tile: size.map(side) }
    }

    /// Numbers of tiles in a column and in a row of tiles.
    pub fn grid(self) -> [usize; 2] {
        [0, 1].map(|axis| self.size[axis] / self.tile[axis].max(1))
    }

    /// Part of the number of an element that depends on its row.
    pub fn row(self, row: usize) -> usize {
        let [height, width] = self.tile;
        row / height * height * self.size[1] + row % height * width
    }

    /// Part of the number of an element that depends on its column.
    pub fn column(self, column: usize) -> usize {
        let [height, width] = self.tile;
        column / width * height * width + column % width
    }
}

impl MatrixOp {
    /// Number of elements of each argument.
    pub fn elements(self) -> impl Iterator<Item = usize> {
        let size = |m: u8, n: u8| usize::from(m) * usize::from(n);
        let (sizes, n) = match self {
            MatrixOp::MulAdd { rows, columns, inner, .. } => {
                ([size(rows, inner), size(inner, columns), size(rows, columns)], 3)
            }
            MatrixOp::Transpose { rows, columns } => ([size(rows, columns); 3], 1),
            MatrixOp::Pick { from, .. } => ([usize::from(from[0]) * usize::from(from[1]); 3], 1),
        };
        sizes.into_iter().take(n)
    }

    /// Number of results of the operation in a group of `lanes` lanes.
    pub fn results(self, lanes: usize) -> usize {
        let elements = match self {
            MatrixOp::Pick { to, .. } => usize::from(to[0]) * usize::from(to[1]),
            MatrixOp::MulAdd { .. } | MatrixOp::Transpose { .. } => self.elements().last().unwrap_or(0),
        };
        elements.div_ceil(lanes)
    }

    /// `true` for a product whose sums are not clamped.
    pub fn wraps(self) -> bool {
        matches!(self, MatrixOp::MulAdd { saturates: None, .. })
    }

    /// `true` if the matrices of products and transpositions have 8, 16 or 32 rows and columns, as the routines that run
    /// them require.
    fn has_sides(self) -> bool {
        let known = |side: u8| matches!(side, 8 | 16 | 32);
        match self {
            MatrixOp::MulAdd { rows, columns, inner, .. } => [rows, columns, inner].into_iter().all(known),
            MatrixOp::Transpose { rows, columns } => known(rows) && known(columns),
            MatrixOp::Pick { .. } => true,
        }
    }

    /// `true` if the operation reads no element past the end of an argument.
    pub fn in_range(self) -> bool {
        let MatrixOp::Pick { from, to, row, column } = self else { return true };
        let inside = |axis: usize, steps: Steps| {
            to[axis] > 0 && steps.at(usize::from(to[axis]) - 1) < usize::from(from[axis])
        };
        inside(0, row) && inside(1, column)
    }
}

/// True for the argument and result types of an operation in a group of `lanes` lanes.
pub(super) fn fits(op: MatrixOp, lanes: u32, args: &[Ty], results: &[Ty]) -> bool {
    let lanes = lanes.max(1) as usize;
    let Some(first) = args.first() else { return false };
    let number = match op {
        MatrixOp::MulAdd { saturates, .. } => *first == Ty::I32 || *first == Ty::F32 && saturates.is_none(),
        MatrixOp::Transpose { .. } | MatrixOp::Pick { .. } => first.bits().is_some_and(|bits| bits <= 32),
    };
    number
        && op.has_sides()
        && op.in_range()
        && args.iter().chain(results).all(|t| t == first)
        && args.len() == op.elements().map(|n| n.div_ceil(lanes)).sum::<usize>()
        && results.len() == op.results(lanes)
}

impl Shader {
    /// Checks that the shader can run in subgroups of `lanes` invocations.
    ///
    /// # Errors
    /// `Invalid` if it was lowered for another size.
    pub fn check_subgroup_size(&self, lanes: u32) -> Result<()> {
        match self.subgroup_size {
            Some(size) if size != lanes => Err(Error::invalid(format!(
                "'{}' was lowered for cooperative matrices in subgroups of {size} invocations, not of {lanes}",
                self.name
            ))),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The verdict on an operation in groups of 8, whose arguments and results have these numbers of scalars and types.
    fn fit(op: MatrixOp, (args, of_args): (usize, Ty), (results, of_results): (usize, Ty)) -> bool {
        fits(op, 8, &vec![of_args; args], &vec![of_results; results])
    }

    /// Scalars of an argument, and of the results, in groups of 8.
    fn counts(op: MatrixOp) -> [usize; 2] {
        [op.elements().map(|n| n.div_ceil(8)).sum(), op.results(8)]
    }

    #[test]
    fn products_take_words() {
        let product = |saturates| MatrixOp::MulAdd { rows: 8, columns: 16, inner: 32, saturates };
        for saturates in [None, Some(false), Some(true)] {
            let op = product(saturates);
            let [args, results] = counts(op);
            assert!(fit(op, (args, Ty::I32), (results, Ty::I32)));
            // Sums of floats do not saturate.
            assert_eq!(fit(op, (args, Ty::F32), (results, Ty::F32)), saturates.is_none());
            for other in [Ty::Bool, Ty::I8, Ty::I16, Ty::F16, Ty::I64, Ty::F64] {
                assert!(!fit(op, (args, other), (results, other)), "{other}");
                assert!(!fit(op, (args, Ty::I32), (results, other)), "{other}");
            }
            assert!(!fit(op, (args - 1, Ty::I32), (results, Ty::I32)));
            assert!(!fit(op, (args, Ty::I32), (results + 1, Ty::I32)));
        }
        let mut mixed = vec![Ty::F32; counts(product(None))[0]];
        mixed[3] = Ty::I32;
        assert!(!fits(product(None), 8, &mixed, &[Ty::F32; 16]));
        assert!(!fits(product(None), 8, &[], &[]));
    }

    #[test]
    fn transpositions_and_picks_take_numbers_of_up_to_32_bits() {
        let steps = Steps { first: 1, step: 2 };
        let transpose = MatrixOp::Transpose { rows: 16, columns: 8 };
        let pick = MatrixOp::Pick { from: [16, 24], to: [8, 24], row: steps, column: Steps::ALL };
        for op in [transpose, pick] {
            let [args, results] = counts(op);
            for ty in [Ty::I8, Ty::I16, Ty::I32, Ty::F16, Ty::F32] {
                assert!(fit(op, (args, ty), (results, ty)), "{op:?} {ty}");
                assert!(!fit(op, (args + 1, ty), (results, ty)), "{op:?} {ty}");
                assert!(!fit(op, (args, ty), (results - 1, ty)), "{op:?} {ty}");
            }
            for ty in [Ty::I64, Ty::F64] {
                assert!(!fit(op, (args, ty), (results, ty)), "{op:?} {ty}");
            }
            assert!(!fit(op, (args, Ty::F16), (results, Ty::I16)), "{op:?}");
        }
    }

    #[test]
    fn sizes_are_those_of_the_routines() {
        for (rows, known) in [(0, false), (4, false), (8, true), (24, false), (32, true), (64, false)] {
            let transpose = MatrixOp::Transpose { rows, columns: 8 };
            let product = MatrixOp::MulAdd { rows, columns: 8, inner: 8, saturates: None };
            for op in [transpose, product] {
                let [args, results] = counts(op);
                assert_eq!(fit(op, (args, Ty::F32), (results, Ty::F32)), known, "{op:?}");
            }
        }
        // The last row would be past the end.
        let past = Steps { first: 2, step: 2 };
        let pick = MatrixOp::Pick { from: [16, 8], to: [8, 8], row: past, column: Steps::ALL };
        assert!(!fit(pick, (16, Ty::F32), (8, Ty::F32)));
    }
}
