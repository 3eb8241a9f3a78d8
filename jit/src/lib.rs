//! Compiler from SPIR-V to SIMD lane functions.
//!
//! ```text
//!   SPIR-V words -> spirv (parse, validate) -> ir::Shader -> passes -> codegen (CLIF) -> code
//!                                                  \-> interp (reference, before passes)
//!                                  abi: contract between lane functions and their callers
//! ```
//!
//! Leaves texel formats, pipelines and Vulkan to the crates above.

pub mod abi;
pub mod abort;
pub mod budget;
pub mod call;
pub mod claims;
pub mod codegen;
pub mod cpu;
pub mod dump;
pub mod env;
pub mod error;
pub mod events;
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
pub mod similar;
pub mod spirv;
pub mod sys;
pub mod terminal;
#[doc(hidden)]
pub mod testing;
mod ty;

pub use cpu::{CpuLevel, Tier};
pub use error::{Error, Place, Result};
