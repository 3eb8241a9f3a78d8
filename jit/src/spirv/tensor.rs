//! Types of tensor layouts and tensor views.
//!
//! A value of such a type consists of words of 32 bits. A layout: block size, dimension, stride, offset and span of each
//! dimension, then the clamp value. A view: dimension and stride of each dimension, then offset and span of the clipped
//! rows and of the clipped columns. Spec: SPV_NV_tensor_addressing, revision 1.

use spirv::TensorClampMode;

use super::sizes::Types;
use super::types::Type;
use crate::error::{Error, Result};

/// Maximum number of dimensions.
pub const MAX_DIM: u32 = 5;

/// A tensor layout type, with its constants evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayoutType {
    /// Number of dimensions.
    pub dim: usize,
    /// Treatment of coordinates out of bounds.
    pub clamp: TensorClampMode,
}

/// A tensor view type, with its constants evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ViewType {
    /// Number of dimensions.
    pub dim: usize,
    /// `true` if the view has dimensions of its own.
    pub has_dimensions: bool,
    /// The permutation of the dimensions.
    pub permutation: Vec<usize>,
}

impl Types<'_> {
    fn tensor_dim(&mut self, dim: u32) -> Result<usize> {
        let dim = self.const_u32(dim)?;
        if !(1..=MAX_DIM).contains(&dim) {
            return Err(Error::invalid(format!("tensor of {dim} dimensions, must be 1 to {MAX_DIM}")));
        }
        Ok(dim as usize)
    }

    /// A tensor layout type.
    ///
    /// # Errors
    /// `Invalid` if the type is another one, or its constants are out of range.
    pub fn tensor_layout(&mut self, ty: u32) -> Result<LayoutType> {
        let Type::TensorLayout { dim, clamp } = *self.module.ty(ty)? else {
            return Err(Error::invalid(format!("type %{ty} is not a tensor layout")));
        };
        let (dim, clamp) = (self.tensor_dim(dim)?, self.const_u32(clamp)?);
        let clamp = TensorClampMode::from_u32(clamp)
            .ok_or_else(|| Error::invalid(format!("unknown clamp mode {clamp} of a tensor layout")))?;
        Ok(LayoutType { dim, clamp })
    }

    /// A tensor view type.
    ///
    /// # Errors
    /// `Invalid` if the type is another one, or its constants are out of range.
    pub fn tensor_view(&mut self, ty: u32) -> Result<ViewType> {
        let m = self.module;
        let Type::TensorView { dim, has_dimensions, permutation } = m.ty(ty)? else {
            return Err(Error::invalid(format!("type %{ty} is not a tensor view")));
        };
        let (dim, has_dimensions) = (self.tensor_dim(*dim)?, self.const_scalar(*has_dimensions)? != 0);
        let mut order = Vec::with_capacity(dim);
        for &id in permutation {
            order.push(self.const_u32(id)? as usize);
        }
        if order.len() != dim || !(0..dim).all(|i| order.contains(&i)) {
            return Err(Error::invalid("operands of a tensor view are not a permutation of its dimensions"));
        }
        Ok(ViewType { dim, has_dimensions, permutation: order })
    }

    /// Number of words in a value of a tensor layout or view.
    pub(super) fn tensor_words(&mut self, ty: u32) -> Result<u32> {
        Ok(match self.module.ty(ty)? {
            Type::TensorLayout { .. } => 5 * self.tensor_layout(ty)?.dim as u32 + 1,
            _ => 2 * self.tensor_view(ty)?.dim as u32 + 4,
        })
    }
}
