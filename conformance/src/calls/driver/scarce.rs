//! Random programs on a host where one request for memory fails. The driver reports the failure by a code, or the results
//! are those of a run without it.

use ash::vk;
use quadrille_jit::reserve;

use super::{Shared, Tally, World, program_of};
use crate::calls::scarce;

/// `true` if a text tells of a code for missing memory, or of a device that was lost for it.
fn tells(text: &str) -> bool {
    let codes = [
        vk::Result::ERROR_OUT_OF_HOST_MEMORY,
        vk::Result::ERROR_OUT_OF_DEVICE_MEMORY,
        vk::Result::ERROR_DEVICE_LOST,
    ];
    codes.iter().any(|code| text.contains(&code.to_string()))
}

/// Runs the program of a seed on a device of its own, and returns its results unless it reports the failure. The request
/// after `requests` others fails.
fn run(seed: u64, requests: u32, tally: &mut Tally) -> Result<Option<u64>, String> {
    let shared = Shared::new(vk_quadrille::entry())?;
    let (random, steps) = program_of(seed);
    reserve::fail_after(Some(requests));
    let result = World::new(&shared, random).and_then(|mut world| {
        let digest = world.run(steps);
        tally.add(&world.tally);
        world.failure.take().map_or(Ok(digest), Err)
    });
    match result {
        Err(text) if tells(&text) => Ok(None),
        result => result.map(Some),
    }
}

/// Runs the program of a seed without a failure, and then with failures of several of its requests, each in a run of
/// its own.
///
/// # Errors
/// Description of a find: a failure that nothing reported and that changed the results.
pub fn check_seed(seed: u64, tally: &mut Tally) -> Result<(), String> {
    scarce::check(seed, |requests| run(seed, requests, tally))
}
