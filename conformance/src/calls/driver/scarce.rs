//! Random programs on a host where one request for memory fails. The driver reports the failure by a code, or the results
//! are those of a run without it. The requests are those of the whole process, so only one program runs at a time.

use ash::vk;
use quadrille_jit::reserve;

use super::{Shared, Tally, World, program_of};
use crate::random::Random;

/// Number of requests that fail, each in a run of its own, after those that find the number of requests.
const TRIALS: usize = 8;

/// A run that ended, with its results unless the driver reported a failure.
struct Ended {
    digest: Option<u64>,
    /// `true` if the request that fails was still to come.
    to_come: bool,
}

/// `true` if a text tells of a code for missing memory, or of a device that was lost for it.
fn tells(text: &str) -> bool {
    let codes = [
        vk::Result::ERROR_OUT_OF_HOST_MEMORY,
        vk::Result::ERROR_OUT_OF_DEVICE_MEMORY,
        vk::Result::ERROR_DEVICE_LOST,
    ];
    codes.iter().any(|code| text.contains(&code.to_string()))
}

/// Runs the program of a seed on a device of its own. The request after `requests` others fails.
fn run(seed: u64, requests: u32, tally: &mut Tally) -> Result<Ended, String> {
    let shared = Shared::new(vk_quadrille::entry())?;
    let (random, steps) = program_of(seed);
    reserve::fail_after(Some(requests));
    let result = World::new(&shared, random).and_then(|mut world| {
        let digest = world.run(steps);
        tally.add(&world.tally);
        world.failure.take().map_or(Ok(digest), Err)
    });
    let to_come = reserve::fail_after(None);
    match result {
        Ok(digest) => Ok(Ended { digest: Some(digest), to_come }),
        Err(text) if tells(&text) && !to_come => Ok(Ended { digest: None, to_come }),
        Err(text) => Err(text),
    }
}

/// Runs the program of a seed without a failure, and then with failures of several of its requests, each in a run of
/// its own.
///
/// # Errors
/// Description of a find: a failure that nothing reported and that changed the results.
pub fn check_seed(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let wanted = run(seed, u32::MAX, tally)?.digest;
    let (mut bound, mut found) = (16, false);
    let mut random = Random::new(seed);
    let mut trials = 0;
    while trials < TRIALS {
        let requests = if found { random.below(bound) as u32 } else { bound as u32 };
        let ended = run(seed, requests, tally).map_err(|e| format!("request {requests}: {e}"))?;
        if ended.digest.is_some() && ended.digest != wanted {
            return Err(format!("request {requests} fails: nothing reports it, and the results differ"));
        }
        match (found, ended.to_come) {
            (false, true) => found = true,
            (false, false) => bound *= 4,
            (true, _) => trials += 1,
        }
    }
    Ok(())
}
