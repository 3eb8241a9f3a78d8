//! Images and samplers of kernels: which resource an argument is, the words that a launch gives the kernel about an image,
//! and the samplers that a module states itself.
//!
//! An image argument is a binding, as images of shaders are, and [`WORDS`] words of the buffer of arguments. Leaves
//! arguments of other kinds to [`super::kernel`] and the code that reads all this to `lower::kernel`.
//!
//! Spec: SPIR-V OpTypeImage, "Access Qualifier", OpConstantSampler.

use spirv::{AccessQualifier, Dim, Op, SamplerAddressingMode, SamplerFilterMode};

use super::module::{Inst, Module};
use super::tables;
use super::types::{ImageType, Type};
use crate::error::Result;
use crate::ir::{ImageDim, ResourceKind};

/// Words of the buffer of arguments that describe an image, in the order of [`ImageWords`].
pub const WORDS: u32 = 5;

/// Words that a launch gives the kernel about an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageWords {
    /// Image Channel Order.
    pub order: u32,
    /// Image Channel Data Type.
    pub data_type: u32,
    /// Bits that are inverted around the comparisons with the bounds: the sign bit of unsigned integers.
    pub flip: u32,
    /// Least integer that the format holds, its bits inverted by `flip`.
    pub least: i32,
    /// Greatest integer that the format holds, its bits inverted by `flip`.
    pub greatest: i32,
}

impl ImageWords {
    /// The words in their order.
    pub fn words(&self) -> [u32; WORDS as usize] {
        [self.order, self.data_type, self.flip, self.least as u32, self.greatest as u32]
    }
}

/// Byte offset of the channel order in the words of an image.
pub(super) const ORDER_AT: u32 = 0;
/// Byte offset of the channel data type.
pub(super) const DATA_TYPE_AT: u32 = 4;
/// Byte offset of the bounds of integers: what to invert, least, greatest.
pub(super) const BOUNDS_AT: u32 = 8;

/// An image that is an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageArgument {
    /// Dimensionality.
    pub dim: ImageDim,
    /// `true` if the image is arrayed.
    pub arrayed: bool,
    /// `true` if the image is multisampled.
    pub multisampled: bool,
    /// `true` for depth images, which have one component.
    pub depth: bool,
    /// Kind of the resource: the kernel samples or fetches images that it may only read.
    pub kind: ResourceKind,
}

impl ImageArgument {
    /// The argument of an image type.
    ///
    /// # Errors
    /// `Unsupported` for dimensions without images.
    pub(super) fn of(ty: &ImageType) -> Result<ImageArgument> {
        let reads = is_read_only(ty);
        Ok(ImageArgument {
            dim: tables::dim(ty.dim)?,
            arrayed: ty.arrayed,
            multisampled: ty.multisampled,
            depth: ty.depth,
            kind: match (ty.dim, reads) {
                (Dim::DimBuffer, true) => ResourceKind::UniformTexelBuffer,
                (Dim::DimBuffer, false) => ResourceKind::StorageTexelBuffer,
                (_, true) => ResourceKind::SampledImage,
                (_, false) => ResourceKind::StorageImage,
            },
        })
    }
}

/// `true` if kernels may only read images of this type, as without a qualifier.
pub(super) fn is_read_only(ty: &ImageType) -> bool {
    matches!(ty.access, None | Some(AccessQualifier::ReadOnly))
}

/// A sampler that a module states. Spec: SPIR-V OpConstantSampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiteralSampler {
    /// Addressing mode.
    pub address: SamplerAddressingMode,
    /// `true` if coordinates are from 0 to 1.
    pub normalized: bool,
    /// Filter.
    pub filter: SamplerFilterMode,
}

impl Module {
    /// The constant samplers, in order.
    pub(super) fn literal_samplers(&self) -> impl Iterator<Item = &Inst> {
        self.insts.iter().filter(|inst| inst.op == Op::ConstantSampler)
    }

    /// Operands of an OpConstantSampler.
    pub(super) fn literal_sampler(&self, inst: &Inst) -> Result<LiteralSampler> {
        let (address, filter) = (self.operand(inst, 0)?, self.operand(inst, 2)?);
        let address = SamplerAddressingMode::from_u32(address);
        let filter = SamplerFilterMode::from_u32(filter);
        let (Some(address), Some(filter)) = (address, filter) else {
            return Err(self.invalid(inst, "unknown addressing or filter mode"));
        };
        if *self.ty(inst.ty)? != Type::Sampler {
            return Err(self.invalid(inst, "constant sampler of another type"));
        }
        Ok(LiteralSampler { address, normalized: self.operand(inst, 1)? != 0, filter })
    }
}
