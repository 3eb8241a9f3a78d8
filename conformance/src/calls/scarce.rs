//! Programs on a host where one request for memory fails. Each run reports the failure, or its results are those of a run
//! without it. The requests are those of the whole process, so only one program runs at a time.

use quadrille_jit::reserve;

use crate::random::Random;

/// Number of requests that fail, each in a run of its own.
const TRIALS: usize = 8;

/// Runs a program without a failure, and then with failures of several of its requests, each in a run of its own. `run`
/// lets the request after so many others fail, and returns nothing if the failure was reported.
///
/// # Errors
/// Description of a find: that of `run`, or a failure that nothing reported and that changed the results.
pub fn check<T: PartialEq>(
    seed: u64,
    mut run: impl FnMut(u32) -> Result<Option<T>, String>,
) -> Result<(), String> {
    let mut once = |requests: u32| {
        let results = run(requests);
        let left = reserve::fail_after(None);
        match results.map_err(|e| format!("request {requests}: {e}"))? {
            None if left.is_some() => Err(format!("request {requests}: reported, but it did not fail")),
            results => Ok((results, left)),
        }
    };
    let (wanted, left) = once(u32::MAX)?;
    let mut count = u32::MAX - left.unwrap_or(0);
    let mut random = Random::new(seed);
    let mut trials = 0;
    while trials < TRIALS {
        let requests = random.below(count.max(1) as usize) as u32;
        let (results, left) = once(requests)?;
        if results.is_some() && results != wanted {
            return Err(format!("request {requests} fails: nothing reports it, and the results differ"));
        }
        match left {
            // The first run compiled what later runs reuse, and needed more memory.
            Some(left) if left < requests => count = requests - left,
            Some(_) => return Ok(()),
            None => trials += 1,
        }
    }
    Ok(())
}
