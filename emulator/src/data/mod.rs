//! Data that people bind to shaders by hand: values as text, JSON and structs, and checks against the shader's
//! declarations.
//!
//! ```text
//!   shape    types by their names in shader reflection
//!   list     conversion between `f32:1,2,3` and bytes
//!   structs  conversion between the bytes of a block and its members, with the feature `json`
//!   typed    conversion of members to user types with serde, with the feature `json`
//!   fit      checks of data against shader declarations
//!   names    formats and samplers by their names
//!   pixels   image files, as bytes and as floats; NumPy arrays
//! ```
//!
//! The applications (`apps`) and shader tests share these checks, so both are equally strict. This module does not
//! depend on a device.

pub(crate) mod fit;
pub mod list;
pub mod names;
pub mod pixels;
pub(crate) mod shape;
#[cfg(feature = "json")]
pub(crate) mod structs;
#[cfg(feature = "json")]
pub(crate) mod typed;
