//! Random modules: the interpreter against both tiers at every host level and lane group size.
//!
//! A sample of the seeds; `.ci/run` runs more. `QUADRILLE_SEEDS=FIRST..LAST` selects the modules, `QUADRILLE_SEED_TEXT=1` prints a failing one.
//! `quadrille-conformance random` does long runs.

use std::time::{Duration, Instant};

use quadrille_conformance::differential::{self, Effort, Tally};
use quadrille_conformance::random::pipeline;
use quadrille_conformance::{pipelines, random, tools};
use quadrille_jit::env;

#[test]
fn random_modules() {
    differ(random::make);
}

#[test]
fn random_modules_of_the_other_stages() {
    differ(random::make_stage);
}

#[test]
fn random_kernels() {
    differ(random::kernels::make);
}

/// Whole pipelines, on devices that must agree.
#[test]
fn random_pipelines() {
    let (start, mut tally) = (Instant::now(), pipelines::Tally::default());
    let mut failures = Vec::new();
    for seed in env::seeds().map_or_else(|| (0..15).collect::<Vec<u64>>(), Iterator::collect) {
        if start.elapsed() > Duration::from_secs(20) {
            break;
        }
        let made = pipeline::make(seed, random::length(seed));
        for part in made.parts.iter().filter(|_| seed < 10) {
            if let Ok(words) = tools::assemble(&part.text, false)
                && let Some(Err(e)) = tools::validate(&words)
            {
                failures.push(format!("seed {seed}, {:?}: spirv-val: {e}", part.stage));
            }
        }
        if let Err(e) = pipelines::check(&made, 2, &mut tally) {
            failures.push(format!("seed {seed}: {e}"));
        }
    }
    println!("{tally:?} in {:?}", start.elapsed());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(tally.vertices > 0, "{tally:?}");
}

fn differ(make: fn(u64, usize) -> random::Made) {
    let range = env::seeds();
    let bounded = range.is_none();
    let effort = Effort { inputs: 2, variants: None, interpret: 1 };
    let start = Instant::now();
    let (mut tally, mut failures) = (Tally::default(), Vec::new());
    let seeds: Vec<u64> = range.map_or_else(|| (0..10).collect(), Iterator::collect);
    for seed in seeds {
        // Slow machines run fewer modules. The number of modules does not affect their results.
        if bounded && start.elapsed() > Duration::from_secs(20) {
            break;
        }
        let made = make(seed, random::length(seed));
        if seed < 10
            && let Ok(words) = tools::assemble(&made.text, false)
            && let Some(Err(e)) = tools::validate(&words)
        {
            failures.push(format!("seed {seed}: spirv-val: {e}"));
        }
        if differential::check(&made, effort, &mut tally).is_ok() {
            continue;
        }
        let (n, message) = differential::shortest(|n| make(seed, n), made.statements, effort);
        failures.push(format!("seed {seed}, {n} of {} statements: {message}", made.statements));
        if env::is_on(env::SEED_TEXT) {
            println!("{}", make(seed, n).text);
        }
    }
    println!("{tally:?} in {:?}", start.elapsed());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Modules have every type of small floats, in memory, in conversions both ways and as bits, and what only some of them have.
#[test]
fn random_modules_have_small_floats() {
    let all: String = (0..100).map(|seed| random::make(seed, usize::MAX).text).collect();
    for ty in [
        "16 BFloat16KHR",
        "8 Float8E4M3EXT",
        "8 Float8E5M2EXT",
        "6 Float6E2M3EXT",
        "6 Float6E3M2EXT",
        "4 Float4E2M1EXT",
        "8 Float8UnsignedE8M0EXT",
        "8 MXInt8EXT",
    ] {
        let n = all.matches(&format!("OpTypeFloat {ty}\n")).count();
        assert!(n > 4, "{ty}: {n}");
    }
    for part in [
        "OpBitcastExtractEXT",
        "BFloat16DotProductKHR",
        "SaturatedToLargestFloat8NormalConversionEXT",
        "Aliased",
    ] {
        assert!(all.contains(part), "{part}");
    }
}

/// An index past an array in workgroup memory reaches the memory after the array. A module does not determine the
/// order of several variables, so such an access would be a race.
#[test]
fn random_modules_have_one_workgroup_variable() {
    let mut computes = 0;
    for seed in 0..100 {
        let text = random::make(seed, usize::MAX).text;
        let is_workgroup = |l: &&str| l.contains("= OpVariable ") && l.ends_with(" Workgroup");
        let n = text.lines().filter(is_workgroup).count();
        let expected = usize::from(text.contains("BuiltIn LocalInvocationIndex"));
        assert_eq!(n, expected, "seed {seed}");
        computes += expected;
    }
    assert!(computes > 50, "{computes}");
}
