//! Runs of many seeds, limited by number and by time, with a report.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use quadrille_conformance::calls::Tally;

/// Selection of the seeds.
#[derive(Args)]
pub struct Seeds {
    /// Number of programs
    #[arg(long, default_value_t = 200)]
    seeds: u64,
    /// Seed of the first program
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Restart with the first seed after this many programs: memory that still grows is leaked, not cached
    #[arg(long)]
    wrap: Option<u64>,
    /// Stop after this many seconds
    #[arg(long)]
    seconds: Option<u64>,
    /// Print each seed before its program runs, to identify a crashing program
    #[arg(long)]
    trace: bool,
}

/// Runs the programs of the seeds and reports. Fails if any program fails.
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
