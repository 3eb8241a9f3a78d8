//! The target `spirv_bytes` of `quadrille_conformance::targets`.
#![no_main]

mod counted;

use libfuzzer_sys::fuzz_target;
use quadrille_conformance::targets::SPIRV_BYTES;

fuzz_target!(|bytes: &[u8]| counted::check(&SPIRV_BYTES, bytes));
