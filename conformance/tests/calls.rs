//! A few random programs of calls, of the API and of the driver. For long runs there are
//! `quadrille-conformance api`, `driver`, `hostile` and `soak`.

use std::time::{Duration, Instant};

use quadrille_conformance::calls::{Tally, api, driver, hostile, percent};
use quadrille_jit::guarded;

/// Seeds until the time is over; which ones pass does not depend on it.
fn seeds(n: u64, program: impl Fn(u64, &mut Tally) -> Result<(), String>) -> Tally {
    guarded::enable(guarded::Mode::End);
    let (start, mut tally) = (Instant::now(), Tally::default());
    for seed in 0..n {
        if start.elapsed() > Duration::from_secs(20) {
            break;
        }
        program(seed, &mut tally).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    }
    println!("{}{}", tally.table(), tally.summary());
    assert!(tally.compared > 0 && tally.submissions > 0);
    tally
}

#[test]
fn calls_of_the_api() {
    let tally = seeds(24, api::check_seed);
    let [accepted, all] = tally.sum();
    assert!(percent(accepted, all) > 70.0, "{}", tally.table());
}

#[test]
fn calls_of_the_driver() {
    let shared = driver::Shared::new(vk_quadrille::entry()).unwrap();
    let tally = seeds(24, |seed, tally| driver::check_seed(&shared, seed, tally));
    let [accepted, all] = tally.sum();
    assert_eq!(accepted, all, "{}", tally.table());
}

#[test]
fn hostile_descriptors() {
    let tally = seeds(24, hostile::check_seed);
    assert!(tally.submissions > 50, "{}", tally.table());
}
