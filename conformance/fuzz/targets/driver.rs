//! Bytes decide on the calls of a program against the Vulkan driver, all of them valid.
#![no_main]

use std::sync::OnceLock;

use libfuzzer_sys::fuzz_target;
use quadrille_conformance::calls::{Tally, driver};

fuzz_target!(|bytes: &[u8]| {
    static SHARED: OnceLock<driver::Shared> = OnceLock::new();
    let shared = SHARED.get_or_init(|| driver::Shared::new(vk_quadrille::entry()).expect("a device"));
    if let Err(e) = driver::check_bytes(shared, bytes, &mut Tally::default()) {
        panic!("{e}");
    }
});
