//! `soak`: random programs on several threads for minutes, against the API and the driver, on devices that live equally
//! long. Results must be right, and memory must not grow.

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use quadrille_conformance::calls::resident::{self, Trend};
use quadrille_conformance::calls::{Tally, api, driver};

/// Options of the subcommand.
#[derive(Args)]
pub struct Options {
    /// Duration in minutes
    #[arg(long, default_value_t = 10.0)]
    minutes: f64,
    /// Number of threads, each of which runs its own programs
    #[arg(long, default_value_t = 4)]
    threads: u64,
    /// Seed of the first program
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Number of different programs, which repeat; caches by state must fill in the first half of the time
    #[arg(long, default_value_t = 400)]
    programs: u64,
    /// Allowed growth of memory, in KiB per minute over the second half of the time
    #[arg(long, default_value_t = 4096.0)]
    slope: f64,
}

/// State that the threads share.
struct Soak<'a> {
    options: &'a Options,
    start: Instant,
    end: Duration,
    next: AtomicU64,
    tally: Mutex<Tally>,
    finds: Mutex<Vec<String>>,
    device: driver::Shared,
}

impl Soak<'_> {
    fn work(&self) {
        while self.start.elapsed() < self.end {
            let seed = self.next.fetch_add(1, Ordering::Relaxed) % self.options.programs.max(1);
            let seed = self.options.seed + seed;
            let mut tally = Tally::default();
            let found = match seed % 2 {
                0 => api::check_seed(seed, &mut tally),
                _ => driver::check_seed(&self.device, seed, &mut tally),
            };
            self.tally.lock().unwrap_or_else(|e| e.into_inner()).add(&tally);
            if let Err(e) = found {
                println!("seed {seed}: {e}");
                self.finds.lock().unwrap_or_else(|e| e.into_inner()).push(e);
            }
        }
    }

    /// Measures memory once a second, and prints a line once a minute.
    fn watch(&self) -> Trend {
        let (mut trend, mut told) = (Trend::default(), Duration::ZERO);
        while self.start.elapsed() < self.end {
            std::thread::sleep(Duration::from_secs(1).min(self.end));
            let now = self.start.elapsed();
            let bytes = resident::bytes();
            trend.push(now, bytes);
            if now - told >= Duration::from_secs(60) {
                told = now;
                let tally = self.tally.lock().unwrap_or_else(|e| e.into_inner());
                println!("{:.0} s: {} KiB resident, {}", now.as_secs_f64(), bytes >> 10, tally.summary());
            }
        }
        trend
    }
}

/// Runs the subcommand. Fails on a wrong result, and if memory grows.
pub fn run(options: &Options) -> ExitCode {
    let device = match driver::Shared::new(vk_quadrille::entry()) {
        Ok(device) => device,
        Err(e) => {
            eprintln!("{e}");
            return ExitCode::FAILURE;
        }
    };
    let end = Duration::from_secs_f64((options.minutes * 60.0).clamp(0.0, 1e9));
    let (tally, finds) = Default::default();
    let soak = Soak { options, start: Instant::now(), end, next: AtomicU64::new(0), tally, finds, device };
    let trend = std::thread::scope(|s| {
        (0..options.threads.max(1)).for_each(|_| {
            s.spawn(|| soak.work());
        });
        soak.watch()
    });
    let slope = trend.slope(end / 2) * 60.0 / 1024.0;
    let finds = soak.finds.lock().unwrap_or_else(|e| e.into_inner()).len();
    println!("{}, {finds} finds", soak.tally.lock().unwrap_or_else(|e| e.into_inner()).summary());
    println!("{} KiB resident, {slope:+.0} KiB a minute in the second half", resident::bytes() >> 10);
    let grows = slope > options.slope;
    if grows {
        println!("memory grows by more than {} KiB a minute", options.slope);
    }
    if finds == 0 && !grows { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
