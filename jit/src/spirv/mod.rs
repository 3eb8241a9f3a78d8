//! SPIR-V in: text, words, tables of a module, and lowering of an entry point to [`crate::ir`].
//!
//! ```text
//!   text -> asm -> words -> module (tables, checks) -> lower -> ir::Shader
//!                                        \-> reflect
//! ```
//!
//! * [`asm`]: assembler and disassembler over the Khronos grammar tables.
//! * [`module`]: words to tables; rejects what lowering cannot rely on.
//! * [`ops`]: one row per accepted instruction.
//! * [`tables`]: one row per accepted decoration, built-in, execution mode and other enumerant.
//! * [`consts`]: constants and specialization constants, folded to bits.
//! * [`types`]: what types are; [`sizes`]: leaves and memory layouts of types.
//! * `debug`: what a module says of its source.
//! * [`heap`]: how resource variables are mapped to descriptor heaps.
//! * [`lower`]: entry point to shader IR, one file per family of instructions.
//! * [`reflect`]: what a module says about its interface.
//!
//! Knows nothing of what the IR is turned into.

pub mod asm;
pub mod consts;
mod debug;
pub mod grammar;
pub mod heap;
pub mod lower;
pub mod module;
pub mod ops;
pub mod reflect;
pub mod sizes;
pub mod tables;
pub mod types;

pub use lower::{Beside, Lowering};
pub use module::{EntryPoint, Module, SpecConstant};

#[cfg(test)]
mod tests;
