//! Data that people bind to shaders by hand: values as text, JSON and structs, and checks against the shader's
//! declarations.
//!
//! ```text
//!   shape    types by their names in reflection
//!   list     `f32:1,2,3` to bytes and back
//!   structs  the bytes of a block as its members
//!   typed    members to types of the user's that serde knows
//!   fit      checks: is it what the shader declares?
//!   pixels   pictures in files, as bytes and as floats; arrays of NumPy
//! ```
//!
//! The applications (`apps`) and shader tests share these checks, so both are equally strict. This module does not
//! depend on a device.

pub(crate) mod fit;
pub mod list;
pub mod pixels;
pub(crate) mod shape;
pub(crate) mod structs;
pub(crate) mod typed;
