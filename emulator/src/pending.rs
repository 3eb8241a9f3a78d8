//! Stands in for parts of the compiler that are not merged yet.

pub mod spirv {
    use quadrille_jit::ir::{self, Stage};
    use quadrille_jit::{Error, Result};

    pub struct EntryPoint {
        pub name: String,
        pub stage: Stage,
    }

    /// A module.
    pub struct Module(Vec<u32>);

    impl Module {
        pub fn parse(words: &[u32]) -> Result<Module> {
            Ok(Module(words.to_vec()))
        }
        pub fn words(&self) -> &[u32] {
            &self.0
        }
        pub fn entry_points(&self) -> &[EntryPoint] {
            &[]
        }
        pub fn lower(&self, _: &str, _: Stage, _: &[(u32, u64)]) -> Result<ir::Shader> {
            Err(Error::unsupported("SPIR-V"))
        }
    }
}

pub mod interp {
    use std::sync::Arc;

    use quadrille_jit::call::LaneFn;
    use quadrille_jit::codegen::ImageOps;
    use quadrille_jit::{Error, Result, abi, ir};

    pub fn build(_: Arc<ir::Shader>, _: &abi::Layout, _: u32, _: &dyn ImageOps) -> Result<LaneFn> {
        Err(Error::unsupported("the interpreter"))
    }
}
