//! The target `api` of `quadrille_conformance::targets`.
#![no_main]

mod counted;

use libfuzzer_sys::fuzz_target;
use quadrille_conformance::targets::API;

fuzz_target!(|bytes: &[u8]| counted::check(&API, bytes));
