//! The target `driver` of `quadrille_conformance::targets`.
#![no_main]

mod counted;

use libfuzzer_sys::fuzz_target;
use quadrille_conformance::targets::DRIVER;

fuzz_target!(|bytes: &[u8]| counted::check(&DRIVER, bytes));
