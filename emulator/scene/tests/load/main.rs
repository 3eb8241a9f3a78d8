//! Loading of glTF. Expected values are computed by hand from the glTF 2.0 specification and its extensions.

#[path = "../files/mod.rs"]
mod files;

mod compressed;
mod errors;
mod geometry;
mod materials;
