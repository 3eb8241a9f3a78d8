//! Types of a module, each stored once, with their sizes and alignments in memory.

use std::num::NonZeroU32;

use naga::{AddressSpace, Handle, ImageClass, ImageDimension, Scalar, StructMember, TypeInner, VectorSize};

use super::build::{Builder, Ty};

/// Converts a number of components to a vector size. Numbers below 2 count as 2, numbers above 4 as 4.
pub(crate) fn size(n: u32) -> VectorSize {
    match n {
        0..=2 => VectorSize::Bi,
        3 => VectorSize::Tri,
        _ => VectorSize::Quad,
    }
}

/// Rounds `n` up to a multiple of `align`, saturating at 32 bits.
pub(crate) fn round_up(align: u32, n: u32) -> u32 {
    n.checked_next_multiple_of(align.max(1)).unwrap_or(u32::MAX)
}

impl Builder {
    /// Returns the type with this content; only structures use `name`.
    pub fn ty(&mut self, name: Option<&str>, inner: TypeInner) -> Ty {
        let ty = naga::Type { name: name.map(Into::into), inner };
        self.module.types.insert(ty, naga::Span::UNDEFINED)
    }

    pub fn scalar(&mut self, scalar: Scalar) -> Ty {
        self.ty(None, TypeInner::Scalar(scalar))
    }

    /// Returns a vector type of `n` components; one component gives a scalar.
    pub fn vector(&mut self, n: u32, scalar: Scalar) -> Ty {
        match n {
            1 => self.scalar(scalar),
            _ => self.ty(None, TypeInner::Vector { size: size(n), scalar }),
        }
    }

    pub fn matrix(&mut self, columns: u32, rows: u32, scalar: Scalar) -> Ty {
        self.ty(None, TypeInner::Matrix { columns: size(columns), rows: size(rows), scalar })
    }

    /// Returns an array type. Without a count it is a runtime-sized array.
    pub fn array(&mut self, base: Ty, count: Option<NonZeroU32>, stride: u32) -> Ty {
        let size = count.map_or(naga::ArraySize::Dynamic, naga::ArraySize::Constant);
        self.ty(None, TypeInner::Array { base, size, stride })
    }

    pub fn structure(&mut self, name: &str, members: Vec<StructMember>, span: u32) -> Ty {
        self.ty(Some(name), TypeInner::Struct { members, span })
    }

    pub fn pointer(&mut self, base: Ty, space: AddressSpace) -> Ty {
        self.ty(None, TypeInner::Pointer { base, space })
    }

    pub fn image(&mut self, dim: ImageDimension, arrayed: bool, class: ImageClass) -> Ty {
        self.ty(None, TypeInner::Image { dim, arrayed, class })
    }

    pub fn sampler(&mut self, comparison: bool) -> Ty {
        self.ty(None, TypeInner::Sampler { comparison })
    }

    pub fn inner(&self, ty: Ty) -> &TypeInner {
        &self.module.types[ty].inner
    }

    /// Returns the pointee type and address space of a pointer; `None` for other types.
    pub fn pointee(&self, ty: Ty) -> Option<(Ty, AddressSpace)> {
        match *self.inner(ty) {
            TypeInner::Pointer { base, space } => Some((base, space)),
            _ => None,
        }
    }

    /// Returns the number of components and the scalar type of a scalar (one component) or vector.
    pub fn components(&self, ty: Ty) -> Option<(u32, Scalar)> {
        match *self.inner(ty) {
            TypeInner::Scalar(scalar) => Some((1, scalar)),
            TypeInner::Vector { size, scalar } => Some((size as u32, scalar)),
            _ => None,
        }
    }

    /// Returns the element type and count of a vector, matrix or array; the count is 0 if it is not known here.
    pub fn element(&mut self, ty: Ty) -> Option<(Ty, u32)> {
        match *self.inner(ty) {
            TypeInner::Vector { size, scalar } => Some((self.scalar(scalar), size as u32)),
            TypeInner::Matrix { columns, rows, scalar } => {
                Some((self.vector(rows as u32, scalar), columns as u32))
            }
            TypeInner::Array { base, size: naga::ArraySize::Constant(n), .. } => Some((base, n.get())),
            TypeInner::Array { base, .. } => Some((base, 0)),
            _ => None,
        }
    }

    /// Members of a structure.
    pub fn members(&self, ty: Ty) -> Option<&[StructMember]> {
        match self.inner(ty) {
            TypeInner::Struct { members, .. } => Some(members),
            _ => None,
        }
    }

    /// Size of a value in memory, in bytes, saturating at 32 bits. A runtime-sized array counts as one element.
    pub fn size_of(&self, ty: Ty) -> u32 {
        let padded = |rows: VectorSize| if rows == VectorSize::Tri { 4 } else { rows as u32 };
        match *self.inner(ty) {
            TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => u32::from(scalar.width),
            TypeInner::Vector { size, scalar } => size as u32 * u32::from(scalar.width),
            TypeInner::Matrix { columns, rows, scalar } => {
                columns as u32 * padded(rows) * u32::from(scalar.width)
            }
            TypeInner::Array { size: naga::ArraySize::Constant(n), stride, .. } => {
                n.get().saturating_mul(stride)
            }
            TypeInner::Array { stride, .. } => stride,
            TypeInner::Struct { span, .. } => span,
            _ => 0,
        }
    }

    /// Alignment of a value in memory, in bytes.
    pub fn align_of(&self, ty: Ty) -> u32 {
        let vector = |n: VectorSize, width: u8| (n as u32).next_power_of_two() * u32::from(width);
        match *self.inner(ty) {
            TypeInner::Scalar(scalar) | TypeInner::Atomic(scalar) => u32::from(scalar.width),
            TypeInner::Vector { size, scalar } => vector(size, scalar.width),
            TypeInner::Matrix { rows, scalar, .. } => vector(rows, scalar.width),
            TypeInner::Array { base, .. } => self.align_of(base),
            TypeInner::Struct { ref members, .. } => {
                members.iter().map(|m| self.align_of(m.ty)).max().unwrap_or(1)
            }
            _ => 1,
        }
    }

    /// Returns the structure type that `modf` (or `frexp`, if `exponent`) of `n` floats returns.
    pub fn split_result(&mut self, n: u32, exponent: bool) -> Handle<naga::Type> {
        let (size, scalar) = ((n > 1).then(|| size(n)), Scalar::F32);
        self.module.generate_predeclared_type(if exponent {
            naga::PredeclaredType::FrexpResult { size, scalar }
        } else {
            naga::PredeclaredType::ModfResult { size, scalar }
        })
    }
}
