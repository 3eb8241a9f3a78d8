//! Tests of the pipeline as a whole, with stages written in Rust and a brute-force reference.

mod batches;
mod binds;
mod conservative;
mod coverage;
mod deferred;
mod feedback;
mod fragment_ops;
mod front;
pub(crate) mod harness;
mod lines;
mod mesh;
mod samples;
pub(crate) mod stages;
mod stencil;
