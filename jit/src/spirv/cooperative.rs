//! Sizes of cooperative matrices.
//!
//! The elements of a matrix are spread over the invocations of the subgroup: invocation `l` of S holds element `i * S + l`
//! as scalar `i`. Their order is that of [`Tiles`]. Spec: SPV_KHR_cooperative_matrix, revision 8.
//!
//! Each subgroup holds all of a matrix of the workgroup, and the first one stores it.

use spirv::Scope;

use super::sizes::Types;
use super::types::{Cooperative, SmallFloat, Type};
use crate::error::{Error, Result};
use crate::ir::{Tiles, Ty};

/// Numbers of rows and of columns are multiples of this number. Every subgroup size divides its square.
pub const GRANULARITY: u32 = 8;
/// Maximum number of rows and of columns.
pub const MAX_SIDE: u32 = 256;

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
    /// Order of the elements.
    pub tiles: Tiles,
    /// Number of scalars of an invocation.
    pub scalars: u32,
    /// Number of the CooperativeMatrixUse.
    pub usage: u32,
    /// `true` if the workgroup shares the matrix, `false` if the subgroup does.
    pub of_workgroup: bool,
}

impl Shape {
    /// The type in GLSL, of elements with this name.
    pub fn name(self, elem: &str) -> String {
        let scope = if self.of_workgroup { "Workgroup" } else { "Subgroup" };
        let usage = ["A", "B", "Accumulator"].get(self.usage as usize).copied().unwrap_or("?");
        format!("coopmat<{elem}, gl_Scope{scope}, {}, {}, gl_MatrixUse{usage}>", self.rows, self.columns)
    }

    /// `true` if the elements are floats of any encoding.
    pub fn has_floats(self) -> bool {
        self.small.is_some() || self.elem.is_float()
    }
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
        self.sized(|types| types.cooperative_shape(matrix))
    }

    fn cooperative_shape(&mut self, matrix: Cooperative) -> Result<Shape> {
        let elem = self.scalar(matrix.elem)?;
        let small = self.small_float(matrix.elem);
        if !matches!(elem, Ty::F16 | Ty::F32 | Ty::I8 | Ty::I32) && small.is_none() {
            return Err(Error::unsupported(format!("cooperative matrices of components of type {elem}")));
        }
        if let Some(small) = small.filter(|small| small.result_format().is_none()) {
            return Err(Error::invalid(format!("cooperative matrix of components of type {}", small.name())));
        }
        let scope = self.const_u32(matrix.scope)?;
        let of_workgroup = scope == Scope::Workgroup as u32;
        if !of_workgroup && scope != Scope::Subgroup as u32 {
            return Err(Error::unsupported(format!("cooperative matrices of scope {scope}")));
        }
        let (rows, columns) = (self.const_u32(matrix.rows)?, self.const_u32(matrix.columns)?);
        let fits = |side: u32| (1..=MAX_SIDE).contains(&side) && side.is_multiple_of(GRANULARITY);
        if !fits(rows) || !fits(columns) {
            return Err(Error::unsupported(format!(
                "cooperative matrices of {rows} rows and {columns} columns"
            )));
        }
        let usage = self.const_u32(matrix.usage)?;
        if spirv::CooperativeMatrixUse::from_u32(usage).is_none() {
            return Err(Error::invalid(format!("unknown use {usage} of a cooperative matrix")));
        }
        let scalars = rows * columns / self.lanes.max(1);
        let tiles = Tiles::of([rows as u16, columns as u16]);
        Ok(Shape { elem_id: matrix.elem, elem, small, rows, columns, tiles, scalars, usage, of_workgroup })
    }
}

/// The functions that an instruction on the elements of a matrix calls; `None` for other instructions.
pub fn functions(op: spirv::Op, operands: &[u32]) -> Option<Vec<u32>> {
    use spirv::Op as O;
    let function = match op {
        O::CooperativeMatrixPerElementOpNV => operands.get(1),
        O::CooperativeMatrixReduceNV => operands.get(2),
        O::CooperativeMatrixLoadTensorNV => {
            return Some(tensor_operands(operands.get(3..)?).decode.into_iter().collect());
        }
        _ => return None,
    };
    Some(function.copied().into_iter().collect())
}

/// Operands of a load or store with tensor addressing, after the tensor layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TensorOperands<'w> {
    /// Memory operands: the mask and its operands.
    pub memory: &'w [u32],
    /// Id of the tensor view.
    pub view: Option<u32>,
    /// Id of the decode function.
    pub decode: Option<u32>,
    /// Bits of the mask that are unknown.
    pub unknown: u32,
}

/// Splits the operands of a load or store with tensor addressing, after the tensor layout.
pub fn tensor_operands(words: &[u32]) -> TensorOperands<'_> {
    use spirv::{MemoryAccess as M, TensorAddressingOperands as T};
    let Some(&mask) = words.first() else { return TensorOperands::default() };
    let with_operand = [M::ALIGNED, M::MAKE_POINTER_AVAILABLE, M::MAKE_POINTER_VISIBLE];
    let n = 1 + with_operand.iter().filter(|bit| mask & bit.bits() != 0).count();
    let (memory, rest) = words.split_at(n.min(words.len()));
    let Some((&mask, mut rest)) = rest.split_first() else {
        return TensorOperands { memory, ..TensorOperands::default() };
    };
    let mut next = |bit: T| {
        let (&id, tail) = rest.split_first().filter(|_| mask & bit.bits() != 0)?;
        rest = tail;
        Some(id)
    };
    let (view, decode) = (next(T::TENSOR_VIEW), next(T::DECODE_FUNC));
    TensorOperands { memory, view, decode, unknown: mask & !T::all().bits() }
}
