//! Sizes of cooperative matrices.
//!
//! The elements of a matrix in row-major order are spread over the invocations of the subgroup: invocation `l` of S holds
//! element `i * S + l` as scalar `i`. Spec: SPV_KHR_cooperative_matrix, revision 8.

use spirv::Scope;

use super::sizes::Types;
use super::types::{Cooperative, SmallFloat, Type};
use crate::error::{Error, Result};
use crate::ir::Ty;

/// Accepted numbers of rows and of columns. Every subgroup size divides the number of elements.
pub const SIDES: [u32; 3] = [8, 16, 32];

/// Maximum number of matrix types whose sizes depend on each other, which bounds recursion.
const MAX_OPEN: u32 = 8;

/// A cooperative matrix type, with its constants evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Type id of an element.
    pub elem_id: u32,
    /// IR type of an element.
    pub elem: Ty,
    /// Encoding of the elements, if they are small floats.
    pub small: Option<SmallFloat>,
    /// Number of rows.
    pub rows: u32,
    /// Number of columns.
    pub columns: u32,
    /// Number of scalars of an invocation.
    pub scalars: u32,
    /// Number of the CooperativeMatrixUse.
    pub usage: u32,
}

impl Types<'_> {
    /// Shape of a cooperative matrix type.
    ///
    /// # Errors
    /// `Unsupported` for other scopes, component types and sizes than those that the device reports.
    pub fn cooperative(&mut self, ty: u32) -> Result<Shape> {
        let Type::CooperativeMatrix(matrix) = *self.module.ty(ty)? else {
            return Err(Error::invalid(format!("type %{ty} is not a cooperative matrix")));
        };
        self.is_cooperative = true;
        // A constant may be the length of another matrix, whose size is a constant again.
        if self.open_matrices >= MAX_OPEN {
            return Err(Error::Limit(format!("sizes of more than {MAX_OPEN} matrices depend on each other")));
        }
        self.open_matrices += 1;
        let shape = self.cooperative_shape(matrix);
        self.open_matrices -= 1;
        shape
    }

    fn cooperative_shape(&mut self, matrix: Cooperative) -> Result<Shape> {
        let elem = self.scalar(matrix.elem)?;
        let small = self.small_float(matrix.elem);
        if !matches!(elem, Ty::F16 | Ty::F32 | Ty::I8 | Ty::I32) && small.is_none() {
            return Err(Error::unsupported(format!("cooperative matrices of components of type {elem}")));
        }
        let scope = self.const_u32(matrix.scope)?;
        if scope != Scope::Subgroup as u32 {
            return Err(Error::unsupported(format!("cooperative matrices of scope {scope}")));
        }
        let (rows, columns) = (self.const_u32(matrix.rows)?, self.const_u32(matrix.columns)?);
        if !SIDES.contains(&rows) || !SIDES.contains(&columns) {
            return Err(Error::unsupported(format!(
                "cooperative matrices of {rows} rows and {columns} columns"
            )));
        }
        let usage = self.const_u32(matrix.usage)?;
        if spirv::CooperativeMatrixUse::from_u32(usage).is_none() {
            return Err(Error::invalid(format!("unknown use {usage} of a cooperative matrix")));
        }
        let scalars = rows * columns / self.lanes.max(1);
        Ok(Shape { elem_id: matrix.elem, elem, small, rows, columns, scalars, usage })
    }
}
