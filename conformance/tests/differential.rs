//! Random modules: the interpreter against both tiers at every host level and lane group size.
//!
//! `QUADRILLE_SEEDS=FIRST..LAST` chooses the modules, `QUADRILLE_SEED_TEXT` prints a failing one.

use std::sync::Arc;
use std::time::{Duration, Instant};

use quadrille_conformance::lanes::{self, Outcome};
use quadrille_conformance::random::{self, Made};
use quadrille_conformance::tools;
use quadrille_conformance::{filetest, program};
use quadrille_jit::ir::Stage;
use quadrille_jit::spirv;

/// What is wrong with a module, if anything.
fn wrong(made: &Made, sizes: &[u32]) -> Option<String> {
    let words = match filetest::assemble(&made.text, false) {
        Ok(words) => words,
        Err(e) => return Some(e),
    };
    let module = match spirv::Module::parse(&words) {
        Ok(module) => module,
        Err(e) => return Some(e.to_string()),
    };
    let shader = match module.lower("main", Stage::Compute, &[]) {
        Ok(shader) => Arc::new(shader),
        Err(e) => return Some(e.to_string()),
    };
    let layout = lanes::layout(&made.job.buffers);
    let mut reference: Option<Outcome> = None;
    for variant in lanes::variants(sizes) {
        let run = || {
            let f = lanes::build(&shader, &layout, variant)?;
            lanes::run(&shader, &f, &made.job)
        };
        let outcome = match run() {
            Ok(outcome) => outcome,
            Err(e) => return Some(format!("{variant}: {e}")),
        };
        match &reference {
            Some(r) if *r != outcome => {
                return Some(format!("{} ({variant})", program::difference(r, &outcome)));
            }
            Some(_) => {}
            None => reference = Some(outcome),
        }
    }
    None
}

/// Seeds that once failed: switches in switches, whose literals have the numbers of labels.
const FOUND: [u64; 2] = [115, 120];

#[test]
fn random_modules() {
    let range = std::env::var("QUADRILLE_SEEDS").ok();
    let range = range
        .as_deref()
        .and_then(|r| r.split_once(".."))
        .and_then(|(a, b)| Some(a.parse().ok()?..b.parse().ok()?));
    let bounded = range.is_none();
    let sizes = [8, 4, 16, 32];
    let start = Instant::now();
    let (mut done, mut failures) = (0, Vec::new());
    let seeds: Vec<u64> = range.map_or_else(|| FOUND.into_iter().chain(0..60).collect(), Iterator::collect);
    for seed in seeds {
        // Slow machines try fewer; which ones pass does not depend on it.
        if bounded && start.elapsed() > Duration::from_secs(20) {
            break;
        }
        let made = random::make(seed, usize::MAX);
        done += 1;
        if seed < 10
            && let Ok(words) = filetest::assemble(&made.text, false)
            && let Some(Err(e)) = tools::validate(&words)
        {
            failures.push(format!("seed {seed}: spirv-val: {e}"));
        }
        let Some(first) = wrong(&made, &sizes) else { continue };
        // The shortest one that fails: statements are cut from the end.
        let (mut low, mut high) = (0, made.statements);
        while low < high {
            let middle = (low + high) / 2;
            if wrong(&random::make(seed, middle), &sizes).is_some() {
                high = middle
            } else {
                low = middle + 1
            }
        }
        let small = random::make(seed, high);
        let message = wrong(&small, &sizes).unwrap_or(first);
        failures.push(format!("seed {seed}, {high} of {} statements: {message}", made.statements));
        if std::env::var_os("QUADRILLE_SEED_TEXT").is_some() {
            println!("{}", small.text);
        }
    }
    println!("{done} modules in {:?}", start.elapsed());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
