//! Scenes from glTF 2.0, drawn on a Quadrille device.
//!
//! ```text
//! file -> load -> model::Scene -> animate -> frame::Frame -> draw or trace -> a picture
//! ```
//!
//! - [`model`] defines scenes: plain structs with valid indices.
//! - [`load`] makes a scene from bytes, which may be wrong or hostile.
//! - [`animate`] makes a [`frame::Frame`], which places everything at a point in time.
//! - [`draw`] makes a picture of a frame, and [`trace`] one with all light by path tracing; only these modules use the
//!   device.
//!
//! All computations that affect pixels use glam with crate `libm`: the same bits on every host.

#![deny(unsafe_code)]

pub mod animate;
pub mod draw;
pub mod frame;
pub mod load;
pub mod model;
pub mod trace;

pub use quadrille::{Error, Result};
