//! SPIR-V front end: text, words, module tables, and lowering of an entry point to [`crate::ir`].
//!
//! ```text
//!   text -> asm -> words -> module (tables, checks) -> lower -> ir::Shader
//!                                        \-> reflect
//! ```
//!
//! * [`asm`]: assembler and disassembler over the Khronos grammar tables.
//! * [`module`]: parses words into tables and rejects everything that lowering cannot rely on.
//! * [`ops`]: one row per accepted instruction.
//! * [`tables`]: one row per accepted decoration, built-in, execution mode and other enumerant.
//! * [`consts`]: constants and specialization constants, folded to bits.
//! * [`types`]: the types; [`sizes`]: leaves and memory layouts of types.
//! * `cooperative`: sizes of cooperative matrices. `tensor`: layouts and views of tensors.
//! * `debug`: source-level debug information of a module. `debug_names`: names of operands of debug information of kernels.
//! * [`heap`]: mapping of resource variables to descriptor heaps.
//! * [`kernel`]: arguments of kernels. [`kernel_image`]: images and samplers among them.
//! * `newer`: instructions and enumerants that the grammar tables lack.
//! * [`listing`]: instructions as the source of modules without lines.
//! * [`lower`]: entry point to shader IR, one file per family of instructions.
//! * [`reflect`]: the interface of a module.
//!
//! Leaves interpretation and compilation of the IR to `crate::interp` and `crate::codegen`.

mod addresses;
pub mod asm;
pub mod consts;
pub mod cooperative;
mod debug;
mod debug_names;
pub mod grammar;
pub mod heap;
pub mod imports;
pub mod kernel;
pub mod kernel_image;
pub mod listing;
pub mod lower;
pub mod module;
pub mod newer;
pub mod ops;
pub mod reflect;
pub mod sizes;
mod small_float;
pub mod tables;
pub(crate) mod tensor;
pub mod types;

pub use lower::{Beside, Lowering};
pub use module::{EntryPoint, Module, SpecConstant};

#[cfg(test)]
mod tests;
