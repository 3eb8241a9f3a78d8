//! Applications of the device that the `quadrille` command consists of: each runs a shader and returns a result.
//!
//! ```text
//!   picture    a fragment shader over a picture, with `inputs` as uniforms  (quadrille render)
//!   shadertoy  a Shadertoy of several passes, and its sound                 (quadrille render)
//!   mesh       a picture of a mesh, drawn with the user's vertex shader     (quadrille render --mesh)
//!   compute    a compute shader on buffers and pictures                     (quadrille run)
//!   launch     a ray tracing pipeline on buffers, pictures and a scene      (quadrille run --launch)
//!   kernel     an OpenCL kernel on buffers and values                       (quadrille run --global)
//!   inspect    properties and compilation results of a module               (quadrille inspect)
//! ```
//!
//! Each application derives the interface from its shader (`binding`) and converts pictures to and from images
//! (`texture`). Applications use only the public interfaces of the device and the front ends, which do not depend on
//! them.

mod binding;
pub mod compute;
pub mod inputs;
pub mod inspect;
pub mod kernel;
pub mod launch;
pub mod mesh;
pub mod picture;
#[cfg(feature = "glsl")]
pub mod shadertoy;
mod texel;
mod texture;
pub mod uniforms;

pub use crate::data::fit::kind_name;
pub use binding::parse_specialization;
