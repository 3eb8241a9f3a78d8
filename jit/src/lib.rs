//! SPIR-V in, SIMD lane functions out.
//!
//! ```text
//!   SPIR-V words -> spirv (parse, validate) -> ir::Shader -> passes -> codegen (CLIF) -> code
//!                                                  \-> interp (slow twin, before passes)
//!                                  abi: what lane functions and their callers agree on
//! ```
//!
//! Knows nothing of texel formats, pipelines or Vulkan.

pub mod abi;
pub mod budget;
pub mod call;
pub mod claims;
pub mod codegen;
pub mod cpu;
pub mod dump;
pub mod env;
pub mod error;
pub mod excerpt;
pub mod guarded;
pub mod handle;
pub mod interp;
pub mod ir;
pub mod lane;
pub mod layout;
mod memory;
pub mod missing;
pub mod ops;
pub mod passes;
pub mod placed;
pub mod printf;
pub mod process;
pub mod reserve;
pub mod runtime;
pub mod spirv;
pub mod terminal;
mod ty;

pub use cpu::{CpuLevel, Tier};
pub use error::{Error, Place, Result};
