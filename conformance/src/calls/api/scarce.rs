//! The programs on a host where one request for memory fails. The call that needs the memory returns `OutOfMemory` and
//! changes nothing, and the program goes on; or the results are those of a run without the failure.

use quadrille::DeviceOptions;
use quadrille_jit::reserve;

use super::{Plan, Random, Shared, Tally, WILD_BUDGET, options, run_in};
use crate::calls::scarce;

/// Runs the program of a seed without a failure, and then with failures of several of its requests, each in a run of
/// its own.
///
/// # Errors
/// Description of a find: a panic, bytes that differ from the model, or a failure that nothing reported and that changed
/// the results.
pub fn check_seed(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let plan = Plan { scarce: true, ..Plan::of_seed(seed) };
    let mut options = options(seed)[seed as usize / 4 % 2].clone();
    if plan.wild {
        options = DeviceOptions { budget: WILD_BUDGET, ..options };
    }
    let random = Random::new(seed ^ 0x7363_6172);
    scarce::check(seed, |requests| {
        let arm = || reserve::fail_after(Some(requests));
        // In most runs, a request of the program fails, in the others also one of the preparations.
        let early = random.fork(requests.into()).one_in(4);
        if early {
            arm();
        }
        let shared = match Shared::new(&options) {
            Err(e) if reserve::is_simulated(&e) => return Ok(None),
            shared => shared.map_err(|e| format!("device: {e}"))?,
        };
        if !early {
            arm();
        }
        let mut own = Tally::default();
        let ended = run_in(&shared, &random, plan, &mut own);
        tally.add(&own);
        let ended = ended?;
        Ok((!ended.reported).then(|| (!plan.wild).then_some((ended.digest, own.calls))))
    })
}
