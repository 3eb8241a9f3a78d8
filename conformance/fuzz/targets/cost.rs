//! The watch of all targets on memory and CPU time, which counts what the process allocates.

pub use quadrille_conformance::cost::{Cost, Share};

#[global_allocator]
static COUNTING: quadrille_conformance::cost::Counting = quadrille_conformance::cost::Counting;
