//! `random`: a long run of [`differential`] over modules of [`random`].

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use quadrille_conformance::differential::{self, Effort, Tally};
use quadrille_conformance::random;

/// What to run.
#[derive(Args)]
pub struct Options {
    /// Modules
    #[arg(long, default_value_t = 1000)]
    modules: u64,
    /// Seed of the first module
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Input sets per module
    #[arg(long, default_value_t = 24)]
    inputs: u64,
    /// Generated variants per module
    #[arg(long, default_value_t = 6)]
    variants: usize,
    /// Of so many input sets one is run by the interpreter too
    #[arg(long, default_value_t = 1)]
    interpret: u64,
    /// Modules of tessellation and geometry instead of compute and fragments
    #[arg(long)]
    stages: bool,
    /// Print the shortest failing modules
    #[arg(long)]
    text: bool,
    /// Make them smaller still
    #[arg(long)]
    reduce: bool,
}

/// Runs it. Fails if any module behaves differently anywhere.
pub fn run(options: &Options) -> ExitCode {
    let variants = Some(options.variants);
    let effort = Effort { inputs: options.inputs, variants, interpret: options.interpret };
    let (start, mut told) = (Instant::now(), Instant::now());
    let (mut total, mut failures) = (Tally::default(), 0);
    let report = |total: &Tally, failures: u64| {
        println!(
            "{} modules, {} executions ({} by the interpreter, {} verifying {} claims), \
             {} modules with {} accesses without a check, {failures} failures, {:?}",
            total.modules,
            total.executions,
            total.interpreted,
            total.verified,
            total.claims,
            total.claiming,
            total.dropped,
            start.elapsed()
        );
    };
    let make = if options.stages { random::make_stage } else { random::make };
    for seed in options.seed..options.seed.saturating_add(options.modules) {
        let made = make(seed, random::length(seed));
        if differential::check(&made, effort, &mut total).is_err() {
            failures += 1;
            let (n, message) = differential::shortest(|n| make(seed, n), made.statements, effort);
            println!("seed {seed}, {n} of {} statements: {message}", made.statements);
            let small = make(seed, n);
            if options.reduce {
                println!("{}", differential::reduce(&small, effort));
            } else if options.text {
                println!("{}", small.text);
            }
        }
        if told.elapsed() > Duration::from_secs(60) {
            told = Instant::now();
            report(&total, failures);
        }
    }
    report(&total, failures);
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
