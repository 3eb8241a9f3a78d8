//! Shared parts of the native front ends: source places, error reports, tokens, scopes, and SPIR-V output.
//!
//! A front end has its own lexer and parser and writes a `naga::Module` through [`build::Builder`]. naga's validator
//! and SPIR-V writer ([`finish`]) serve all of them. The semantics of a language stay in its front end.

#![allow(dead_code, reason = "shared code that not every front end uses")]

pub(super) mod build;
pub(super) mod cursor;
mod expressions;
pub(super) mod faults;
pub(super) mod finish;
mod mend;
mod named;
pub(super) mod report;
pub(super) mod scope;
pub(super) mod source;
pub(super) mod types;
