//! Bytes decide on the calls of a program against the safe Rust API.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quadrille_conformance::calls::{Tally, api};

fuzz_target!(|bytes: &[u8]| {
    if let Err(e) = api::check_bytes(bytes, &mut Tally::default()) {
        panic!("{e}");
    }
});
