//! A few random programs of calls of the API and of the driver. `quadrille-conformance api`, `driver`, `hostile` and
//! `soak` do long runs.

use std::time::{Duration, Instant};

use quadrille_conformance::calls::api::kinds::{KINDS, Made};
use quadrille_conformance::calls::returned::{FORGED, OTHERS};
use quadrille_conformance::calls::{Tally, api, driver, hostile, percent, returned};
use quadrille_conformance::random::Random;
use quadrille_jit::guarded;

/// Runs seeds until the time is over. The time does not affect their results.
fn seeds(n: u64, program: impl Fn(u64, &mut Tally) -> Result<(), String>) -> Tally {
    guarded::enable(guarded::Mode::End);
    let (start, mut tally) = (Instant::now(), Tally::default());
    for seed in 0..n {
        // The first half runs on a slow machine, too: shares of very few programs say nothing.
        if seed >= n / 2 && start.elapsed() > Duration::from_secs(20) {
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
    let tally = seeds(10, api::check_seed);
    let [accepted, all] = tally.sum();
    assert!(percent(accepted, all) > 70.0, "{}", tally.table());
    for (kind, made) in KINDS {
        let Made::By(call) = made else { continue };
        let accepted = tally.calls.get(call).map_or(0, |n| n[0]);
        assert!(accepted > 0, "no {kind} was created by `{call}`:\n{}", tally.table());
    }
}

/// Calls that end the objects of programs of the driver.
const ENDS: [&str; 12] = [
    "vkDestroyAccelerationStructureKHR",
    "vkDestroyBuffer",
    "vkDestroyBufferView",
    "vkDestroyImage",
    "vkDestroyImageView",
    "vkDestroyPipeline",
    "vkDestroyQueryPool",
    "vkDestroySampler",
    "vkFreeCommandBuffers",
    "vkFreeDescriptorSets",
    "vkFreeMemory",
    "vkResetDescriptorPool",
];

/// Calls of extensions for tools, later forms of commands, and what has objects of its own, in programs of the driver.
const TOOLS: [&str; 13] = [
    "OpAbortKHR",
    "maps at places",
    "memory reports",
    "vkCmdBeginCustomResolveEXT",
    "vkCmdBeginQuery",
    "vkGetDeviceBufferMemoryRequirementsKHR",
    "vkGetDeviceFaultReportsKHR",
    "vkGetPastPresentationTimingEXT",
    "vkGetQueryPoolResults",
    "vkGetShaderModuleIdentifierEXT",
    "vkMapMemory2KHR",
    "vkMergeValidationCachesEXT",
    "vkUnmapMemory2KHR",
];

#[test]
fn calls_of_the_driver() {
    let shared = driver::Shared::new(vk_quadrille::entry()).unwrap();
    let tally = seeds(24, |seed, tally| driver::check_seed(&shared, seed, tally));
    let [accepted, all] = tally.sum();
    assert_eq!(accepted, all, "{}", tally.table());
    for call in ENDS.into_iter().chain(TOOLS) {
        assert!(tally.calls.contains_key(call), "no {call}:\n{}", tally.table());
    }
}

/// Shaders reach live resources in each way, not only what is missing.
fn words_are_found(tally: &Tally, ways: &[&str]) {
    for way in ways {
        let found = tally.calls.get(*way).map_or(0, |n| n[0]);
        assert!(found > 0, "no {way}:\n{}", tally.table());
    }
}

#[test]
fn hostile_descriptors() {
    let tally = seeds(24, hostile::library::check_seed);
    words_are_found(&tally, &hostile::library::FOUND);
    assert!(tally.submissions > 50, "{}", tally.table());
}

#[test]
fn hostile_descriptors_through_the_driver() {
    let shared = hostile::driver::Shared::new(vk_quadrille::entry()).unwrap();
    let tally = seeds(24, |seed, tally| hostile::driver::check_seed(&shared, seed, tally));
    words_are_found(&tally, &hostile::driver::FOUND);
    assert!(tally.submissions > 50, "{}", tally.table());
    assert!(tally.calls["end while a submission runs"][0] > 10, "{}", tally.table());
}

/// Genuine data, a flipped bit in each byte, each length, forged data, other data, and random changes.
#[test]
fn bytes_that_come_back_to_the_driver() {
    let mut returned = returned::Returned::new(vk_quadrille::entry()).unwrap();
    for kind in 0..3u8 {
        let length = returned.len_of(kind) as u16;
        let mut taken = |input: &[u8]| returned.check(input).unwrap_or_else(|e| panic!("{input:?}: {e}"));
        assert!(taken(&[kind]));
        // The driver may ignore data of caches.
        let is_hint = kind == 2;
        for at in 0..length {
            let [low, high] = at.to_le_bytes();
            assert_eq!(taken(&[kind, low, high, 1 << (at % 8)]), is_hint, "byte {at}");
            assert_eq!(taken(&[kind, low, high, 0]), is_hint, "{at} bytes");
        }
        for how in [OTHERS, OTHERS | FORGED] {
            assert_eq!(taken(&[kind | how]), is_hint);
            assert_eq!(taken(&[kind | how, 1, 2, 3, 4, 5, 6, 7, 8]), is_hint);
        }
        let forged = (0..length).filter(|at| {
            let [low, high] = at.to_le_bytes();
            taken(&[kind | FORGED, low, high, 0]) | taken(&[kind | FORGED, low, high, 1 << (at % 8)])
        });
        let n = forged.count();
        assert!(n > 20, "{n} of {length} forged data are accepted: too few to prove anything");
    }
    let mut random = Random::new(1);
    for _ in 0..300 {
        let length = random.below(13);
        let input: Vec<u8> = (0..length).map(|_| random.below(256) as u8).collect();
        returned.check(&input).unwrap_or_else(|e| panic!("{input:?}: {e}"));
    }
}
