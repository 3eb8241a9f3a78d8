//! Samples of time where nobody has said how they are taken.

use crate::sample::Sample;

pub fn works(_begins: bool) {}

pub fn start() -> Result<(), String> {
    Err("samples of time are taken on Linux, on x86-64 and aarch64".into())
}

pub fn stop() -> (Vec<Sample>, usize) {
    (Vec::new(), 0)
}
