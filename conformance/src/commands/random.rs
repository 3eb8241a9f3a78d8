//! `random`: a long run of [`differential`] over modules of [`random`].

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use quadrille_conformance::differential::{self, Effort, Tally};
use quadrille_conformance::{pipelines, random};

/// Options of the subcommand.
#[derive(Args)]
pub struct Options {
    /// Number of modules
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
    /// One of this many input sets also runs in the interpreter
    #[arg(long, default_value_t = 1)]
    interpret: u64,
    /// Modules of tessellation and geometry instead of compute and fragment modules
    #[arg(long)]
    stages: bool,
    /// Kernels of OpenCL instead of shaders
    #[arg(long, conflicts_with = "stages")]
    kernels: bool,
    /// Whole pipelines of those stages on devices, instead of modules
    #[arg(long, conflicts_with_all = ["stages", "kernels", "reduce"])]
    pipelines: bool,
    /// Print the shortest failing modules
    #[arg(long)]
    text: bool,
    /// Reduce the failing modules further
    #[arg(long)]
    reduce: bool,
}

/// Runs pipelines. Fails if any device disagrees.
fn run_pipelines(options: &Options) -> ExitCode {
    let (start, mut told) = (Instant::now(), Instant::now());
    let (mut tally, mut failures) = (pipelines::Tally::default(), 0);
    let report = |t: &pipelines::Tally, failures: u64| {
        println!(
            "{} pipelines, {} draws, {} vertices captured, {failures} failures, {:?}",
            t.pipelines,
            t.executions,
            t.vertices,
            start.elapsed()
        );
    };
    for seed in options.seed..options.seed.saturating_add(options.modules) {
        let made = random::pipeline::make(seed, random::length(seed));
        if let Err(message) = pipelines::check(&made, options.inputs, &mut tally) {
            failures += 1;
            println!("seed {seed}: {message}");
            let (n, message) = pipelines::shortest(seed, options.inputs);
            println!("with {n} statements: {message}");
            if options.text {
                for part in &random::pipeline::make(seed, n).parts {
                    println!("; {:?}\n{}", part.stage, part.text);
                }
            }
        }
        if told.elapsed() > Duration::from_secs(60) {
            told = Instant::now();
            report(&tally, failures);
        }
    }
    report(&tally, failures);
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs the modules. Fails if executors disagree about any module.
pub fn run(options: &Options) -> ExitCode {
    if options.pipelines {
        return run_pipelines(options);
    }
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
    let make = match (options.stages, options.kernels) {
        (true, _) => random::make_stage,
        (false, true) => random::kernels::make,
        (false, false) => random::make,
    };
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
