//! Execution of inputs, with a count of memory and CPU time.

use quadrille_conformance::cost::Counting;
use quadrille_conformance::targets::Target;

#[global_allocator]
static COUNTING: Counting = Counting;

/// Runs an input. Panics on a find, so that libFuzzer reports the input.
pub fn check(target: &Target, bytes: &[u8]) {
    if let Err(e) = target.check(bytes) {
        panic!("{e}");
    }
}
