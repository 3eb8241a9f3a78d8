//! The part of a routine's key that comes from the view, and the cast from kernels to routines. Compiling routines is
//! left to `fast`.

use quadrille_jit::abi::ImageRoutine;
use quadrille_jit::lane::KernelFn;

use super::view_desc::{Swizzle, ViewDim};
use crate::memory::format::Format;

/// State that routines depend on besides the sampler and the operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClassKey {
    /// Format of the view, with one plane.
    pub format: Format,
    /// Dimensionality.
    pub dim: ViewDim,
    /// Component mapping, with `Identity` resolved.
    pub swizzle: [Swizzle; 4],
    /// `true` if the view has several samples.
    pub multisampled: bool,
    /// `true` if the view has several levels.
    pub mips: bool,
    /// `true` if the first levels are inaccessible, because the minimum lod is 1 or more.
    pub withheld: bool,
    /// `true` if the extents of all levels are powers of two.
    pub pow2: bool,
    /// `true` if some texels may be missing, for which only the scalar twin checks.
    pub sparse: bool,
    /// `true` if the view has texels, and all offsets fit in 31 bits.
    pub small: bool,
}

/// Casts a kernel to an image routine.
pub(super) fn routine_of(f: KernelFn) -> ImageRoutine {
    // SAFETY: the two types differ only in the pointee of their pointer argument. Callers pass kernels that were built
    // for `ImageArgs`: compiled routines of `fast`.
    #[expect(unsafe_code, reason = "kernels take an untyped pointer")]
    unsafe {
        std::mem::transmute::<KernelFn, ImageRoutine>(f)
    }
}
