//! Random programs of the driver on a host where requests for memory fail. `quadrille-conformance driver --scarce` does long
//! runs.

use std::time::{Duration, Instant};

use quadrille_conformance::calls::Tally;
use quadrille_conformance::calls::driver::scarce;

/// One test only: requests of other tests at the same time would fail.
#[test]
fn failures_are_reported() {
    let (start, mut tally) = (Instant::now(), Tally::default());
    for seed in 0..12 {
        // The first ones run on a slow machine, too.
        if seed >= 3 && start.elapsed() > Duration::from_secs(20) {
            break;
        }
        scarce::check_seed(seed, &mut tally).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    }
    println!("{}{}", tally.table(), tally.summary());
    let [accepted, all] = tally.sum();
    assert!(accepted < all, "some failures are reported: {}", tally.table());
}
