//! Bytes decide on what comes back to the Vulkan driver: shader binaries, pipeline binaries, data of pipeline caches.
#![no_main]

mod cost;

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use cost::{Cost, Share};
use libfuzzer_sys::fuzz_target;
use quadrille_conformance::calls::returned::Returned;

const SHARE: Share = Share {
    free: Cost { bytes: 64 << 20, time: Duration::from_secs(2) },
    each: Cost { bytes: 8 << 10, time: Duration::from_millis(4) },
};

fuzz_target!(|bytes: &[u8]| {
    static SHARED: OnceLock<Mutex<Returned>> = OnceLock::new();
    let shared = SHARED.get_or_init(|| Mutex::new(Returned::new(vk_quadrille::entry()).expect("a device")));
    let mut returned = shared.lock().unwrap_or_else(PoisonError::into_inner);
    SHARE.hold(bytes.len(), || {
        if let Err(e) = returned.check(bytes) {
            panic!("{e}");
        }
    });
});
