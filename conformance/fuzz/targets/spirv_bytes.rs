//! Arbitrary bytes as SPIR-V: parsed, lowered, compiled and run for a moment, or refused with an error that is
//! not an internal one.
#![no_main]

mod cost;

use std::time::Duration;

use cost::{Cost, Share};
use libfuzzer_sys::fuzz_target;
use quadrille_conformance::mutate;
use quadrille_conformance::random::Random;

const SHARE: Share = Share {
    free: Cost { bytes: 64 << 20, time: Duration::from_secs(2) },
    each: Cost { bytes: 8 << 10, time: Duration::from_millis(4) },
};

fuzz_target!(|bytes: &[u8]| {
    SHARE.hold(bytes.len(), || {
        let words: Vec<u32> =
            bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
        if let Err(e) = mutate::survive(&words, &mut Random::new(bytes.len() as u64)) {
            panic!("{e}");
        }
    });
});
