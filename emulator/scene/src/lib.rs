//! Scenes from glTF 2.0, drawn on a Quadrille device.
//!
//! ```text
//! file -> load -> model::Scene -> animate -> frame::Frame -> draw -> a picture
//! ```
//!
//! - [`model`] is what a scene is: plain structs with indices that are known to be good.
//! - [`load`] makes one from bytes, which may be wrong or hostile.
//! - [`animate`] says where everything is at a time, as a [`frame::Frame`].
//! - [`draw`] makes a picture of a frame; it alone knows the device.
//!
//! What decides pixels is computed by glam with crate `libm`: the same bits on every host.

#![deny(unsafe_code)]

pub mod animate;
pub mod draw;
pub mod frame;
pub mod load;
pub mod model;

pub use quadrille::{Error, Result};
