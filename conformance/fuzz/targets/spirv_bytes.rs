//! Arbitrary bytes as SPIR-V: parsed, lowered, compiled and run for a moment, or refused with an error that is
//! not an internal one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quadrille_conformance::mutate;
use quadrille_conformance::random::Random;

fuzz_target!(|bytes: &[u8]| {
    let words: Vec<u32> =
        bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
    if let Err(e) = mutate::survive(&words, &mut Random::new(bytes.len() as u64)) {
        panic!("{e}");
    }
});
