//! What our own front ends share: places in a text, reports of errors, tokens, scopes, and the way to SPIR-V.
//!
//! A front end here reads a language of its own with a lexer and a parser of its own, and writes a
//! `naga::Module` through [`build::Builder`]; naga's validator and SPIR-V writer ([`finish`]) serve all of them.
//! What a language means stays with its front end.

#![allow(dead_code, reason = "what a front end does not use yet another one may")]

pub(super) mod build;
pub(super) mod cursor;
mod expressions;
pub(super) mod finish;
mod mend;
mod named;
pub(super) mod report;
pub(super) mod scope;
pub(super) mod source;
pub(super) mod types;
