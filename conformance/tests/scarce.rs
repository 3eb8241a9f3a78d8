//! Random programs of the API and of the driver on a host where requests for memory fail. `quadrille-conformance api --scarce`
//! and `driver --scarce` do long runs.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use quadrille_conformance::calls::driver::scarce as driver;
use quadrille_conformance::calls::{Tally, api};

/// One test at a time: requests of the other would fail.
static ALONE: Mutex<()> = Mutex::new(());

/// Runs seeds until the time is over.
fn seeds(n: u64, program: impl Fn(u64, &mut Tally) -> Result<(), String>) {
    let _alone = ALONE.lock().unwrap_or_else(|e| e.into_inner());
    let (start, mut tally) = (Instant::now(), Tally::default());
    for seed in 0..n {
        // The first ones run on a slow machine, too.
        if seed >= n / 4 && start.elapsed() > Duration::from_secs(20) {
            break;
        }
        program(seed, &mut tally).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    }
    println!("{}{}", tally.table(), tally.summary());
    let [accepted, all] = tally.sum();
    assert!(accepted < all, "some failures are reported: {}", tally.table());
}

#[test]
fn the_driver_reports_failures() {
    seeds(12, driver::check_seed);
}

#[test]
fn the_api_reports_failures() {
    seeds(12, api::scarce::check_seed);
}
