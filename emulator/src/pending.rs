//! Stands in for parts of the compiler that are not merged yet.

pub mod interp {
    use std::sync::Arc;

    use quadrille_jit::call::LaneFn;
    use quadrille_jit::codegen::ImageOps;
    use quadrille_jit::{Error, Result, abi, ir};

    pub fn build(_: Arc<ir::Shader>, _: &abi::Layout, _: u32, _: &dyn ImageOps) -> Result<LaneFn> {
        Err(Error::unsupported("the interpreter"))
    }
}
