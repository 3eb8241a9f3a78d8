//! Routines of image operations: what they depend on besides sampler and operation, and kernels as such.

use quadrille_jit::abi::ImageRoutine;
use quadrille_jit::lane::KernelFn;

use super::view_desc::{Swizzle, ViewDim};
use crate::memory::format::Format;

/// What routines depend on besides the sampler and the operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClassKey {
    /// Format of the view, of one plane.
    pub format: Format,
    /// Dimensionality.
    pub dim: ViewDim,
    /// Component mapping, without `Identity`.
    pub swizzle: [Swizzle; 4],
    /// More than one sample.
    pub multisampled: bool,
    /// More than one level.
    pub mips: bool,
    /// The first levels are not accessed: the least lod is 1 or more.
    pub withheld: bool,
    /// The extents of all levels are powers of two.
    pub pow2: bool,
    /// Some texels may be missing: only the scalar twin looks.
    pub sparse: bool,
    /// There are texels, and all offsets fit in 31 bits.
    pub small: bool,
}

/// A kernel as an image routine.
pub(super) fn routine_of(f: KernelFn) -> ImageRoutine {
    // SAFETY: the two types differ in the pointer's type only; the kernel was built for ImageArgs.
    #[expect(unsafe_code, reason = "kernels take an untyped pointer")]
    unsafe {
        std::mem::transmute::<KernelFn, ImageRoutine>(f)
    }
}
