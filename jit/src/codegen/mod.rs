//! Shader IR to lane functions.

use crate::abi::Layout;
use crate::call::LaneFn;
use crate::ir::{ImageOp, Shader};
use crate::{CpuLevel, Error, Result, Tier};

/// Numbers image operations for a device; see [`crate::abi::ImageView::table`].
pub trait ImageOps: Sync {
    /// The number of an operation, below [`crate::abi::MAX_IMAGE_OPS`]. Operations that cannot be done
    /// are refused here.
    fn intern(&self, op: &ImageOp) -> Result<u32>;
}

/// What a variant is compiled for.
#[derive(Clone, Copy)]
pub struct CompileOptions<'a> {
    /// Lane group size S: 4, 8, 16 or 32.
    pub lanes: u32,
    /// How much time to take.
    pub tier: Tier,
    /// Where descriptors are.
    pub layout: &'a Layout,
    /// Host instructions to use.
    pub cpu: CpuLevel,
    /// Numbers of image operations.
    pub image_ops: &'a dyn ImageOps,
}

/// Compiles a shader for one variant.
pub fn compile(_shader: &Shader, _opts: &CompileOptions) -> Result<LaneFn> {
    Err(Error::unsupported("code generation"))
}
