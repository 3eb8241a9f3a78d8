//! Structured modules whose every choice is a byte of the input: the interpreter against generated code.
#![no_main]

mod cost;

use std::time::Duration;

use cost::{Cost, Share};
use libfuzzer_sys::fuzz_target;
use quadrille_conformance::differential::{self, Effort, Tally};
use quadrille_conformance::random;

const SHARE: Share = Share {
    free: Cost { bytes: 64 << 20, time: Duration::from_secs(2) },
    each: Cost { bytes: 8 << 10, time: Duration::from_millis(4) },
};

fuzz_target!(|bytes: &[u8]| {
    SHARE.hold(bytes.len(), || {
        let made = random::make_from(bytes, 40);
        let effort = Effort { inputs: 2, variants: Some(2), interpret: 1 };
        if let Err(e) = differential::check(&made, effort, &mut Tally::default()) {
            panic!("{e}\n{}", made.text);
        }
    });
});
