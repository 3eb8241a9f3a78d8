//! Bytes decide on the calls of a program against the Vulkan driver, all of them valid.
#![no_main]

mod cost;

use std::sync::OnceLock;
use std::time::Duration;

use cost::{Cost, Share};
use libfuzzer_sys::fuzz_target;
use quadrille_conformance::calls::{Tally, driver};

const SHARE: Share = Share {
    free: Cost { bytes: 64 << 20, time: Duration::from_secs(2) },
    each: Cost { bytes: 8 << 10, time: Duration::from_millis(4) },
};

fuzz_target!(|bytes: &[u8]| {
    static SHARED: OnceLock<driver::Shared> = OnceLock::new();
    let shared = SHARED.get_or_init(|| driver::Shared::new(vk_quadrille::entry()).expect("a device"));
    SHARE.hold(bytes.len(), || {
        if let Err(e) = driver::check_bytes(shared, bytes, &mut Tally::default()) {
            panic!("{e}");
        }
    });
});
