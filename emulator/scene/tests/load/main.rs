//! Loading of glTF: expected values are those of the glTF 2.0 specification and its extensions, by hand.

#[path = "../files/mod.rs"]
mod files;

mod errors;
mod geometry;
mod materials;
