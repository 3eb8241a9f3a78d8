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
}

impl MatrixOp {
    /// Number of elements of each argument.
    pub fn elements(self) -> impl Iterator<Item = usize> {
        let (sizes, n) = match self {
            MatrixOp::MulAdd { rows, columns, inner, .. } => {
                ([(rows, inner), (inner, columns), (rows, columns)], 3)
            }
            MatrixOp::Transpose { rows, columns } => ([(rows, columns); 3], 1),
        };
        sizes.into_iter().take(n).map(|(m, n)| usize::from(m) * usize::from(n))
    }

    /// Number of results of the operation in a group of `lanes` lanes.
    pub fn results(self, lanes: usize) -> usize {
        self.elements().last().unwrap_or(0).div_ceil(lanes)
    }
}

/// True for the argument and result types of an operation in a group of `lanes` lanes.
pub(super) fn fits(op: MatrixOp, lanes: u32, args: &[Ty], results: &[Ty]) -> bool {
    let lanes = lanes.max(1) as usize;
    let Some(first) = args.first() else { return false };
    let number = match op {
        MatrixOp::MulAdd { saturates, .. } => *first == Ty::I32 || *first == Ty::F32 && saturates.is_none(),
        MatrixOp::Transpose { .. } => first.bits().is_some_and(|bits| bits <= 32),
    };
    number
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
