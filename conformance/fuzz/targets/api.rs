//! Bytes decide on the calls of a program against the safe Rust API.
#![no_main]

mod cost;

use std::time::Duration;

use cost::{Cost, Share};
use libfuzzer_sys::fuzz_target;
use quadrille_conformance::calls::{Tally, api};

const SHARE: Share = Share {
    free: Cost { bytes: 64 << 20, time: Duration::from_secs(2) },
    each: Cost { bytes: 8 << 10, time: Duration::from_millis(4) },
};

fuzz_target!(|bytes: &[u8]| {
    SHARE.hold(bytes.len(), || {
        if let Err(e) = api::check_bytes(bytes, &mut Tally::default()) {
            panic!("{e}");
        }
    });
});
