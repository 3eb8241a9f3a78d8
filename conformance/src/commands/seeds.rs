//! Runs of many seeds: bounded by a number and by time, with a report.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use quadrille_conformance::calls::Tally;

/// Which seeds.
#[derive(Args)]
pub struct Seeds {
    /// Programs
    #[arg(long, default_value_t = 200)]
    seeds: u64,
    /// Seed of the first
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Starts with the first seed again after so many: memory that grows then is lost, not kept for later use
    #[arg(long)]
    wrap: Option<u64>,
    /// Ends after so many seconds
    #[arg(long)]
    seconds: Option<u64>,
    /// Prints each seed before its program runs, to know which one crashed
    #[arg(long)]
    trace: bool,
}

/// Runs the programs of the seeds and reports. Fails if any of them does.
pub fn run(options: &Seeds, program: &dyn Fn(u64, &mut Tally) -> Result<(), String>) -> ExitCode {
    let (start, mut told) = (Instant::now(), Instant::now());
    let (mut tally, mut finds) = (Tally::default(), 0);
    let limit = options.seconds.map(Duration::from_secs);
    for i in 0..options.seeds {
        let seed = options.seed.saturating_add(options.wrap.map_or(i, |n| i % n.max(1)));
        if limit.is_some_and(|l| start.elapsed() >= l) {
            break;
        }
        if options.trace {
            println!("seed {seed}");
        }
        if let Err(e) = program(seed, &mut tally) {
            finds += 1;
            println!("seed {seed}: {e}");
        }
        if told.elapsed() > Duration::from_secs(60) {
            told = Instant::now();
            println!("{}, {finds} finds, {:?}", tally.summary(), start.elapsed());
        }
    }
    print!("{}", tally.table());
    println!("{}, {finds} finds, {:?}", tally.summary(), start.elapsed());
    if finds == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
