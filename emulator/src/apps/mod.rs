//! Small programs over the device, which the `quadrille` command is made of: a shader in, a result out.
//!
//! ```text
//!   picture    a fragment shader over a picture, told what `inputs` holds   (quadrille render)
//!   shadertoy  a whole Shadertoy, of several passes, and its sound          (quadrille render)
//!   mesh       what a vertex shader of the user's draws into a picture      (quadrille render --mesh)
//!   compute    a compute shader on buffers and pictures                     (quadrille run)
//!   inspect    what a module is, and what it becomes                        (quadrille inspect)
//! ```
//!
//! Each makes the interface that its shader asks for (`binding`) and moves pictures in and out (`texture`).
//! They use the device and the front ends through the same doors as any program; neither of those knows them.

mod binding;
pub mod compute;
pub mod inputs;
pub mod inspect;
pub mod mesh;
pub mod picture;
#[cfg(feature = "glsl")]
pub mod shadertoy;
mod texel;
mod texture;
pub mod uniforms;

pub use crate::data::fit::kind_name;
pub use binding::parse_specialization;
