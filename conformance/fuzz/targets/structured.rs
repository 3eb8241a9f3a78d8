//! Structured modules whose every choice is a byte of the input: the interpreter against generated code.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quadrille_conformance::differential::{self, Effort, Tally};
use quadrille_conformance::random;

fuzz_target!(|bytes: &[u8]| {
    let made = random::make_from(bytes, 40);
    let effort = Effort { inputs: 2, variants: Some(2), interpret: 1 };
    if let Err(e) = differential::check(&made, effort, &mut Tally::default()) {
        panic!("{e}\n{}", made.text);
    }
});
