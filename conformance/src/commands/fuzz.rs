//! `fuzz`: fuzz targets with random inputs, without coverage.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use quadrille_conformance::cost::Cost;
use quadrille_conformance::random::Random;
use quadrille_conformance::targets::{TARGETS, Target};

/// Options of the subcommand.
#[derive(Args)]
pub struct Options {
    /// Name of the target; none lists them
    target: Option<String>,
    /// Folder of inputs, each of which is changed at random; none makes random bytes
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// Bytes of a random input at most
    #[arg(long, default_value_t = 4096)]
    length: usize,
    /// Seed of the first input
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Ends after so many seconds
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Folder for inputs that find something, and for the one that runs, which a crash leaves there
    #[arg(long)]
    finds: Option<PathBuf>,
}

/// Runs a target. Fails if an input finds something.
pub fn run(options: &Options) -> ExitCode {
    let Some(name) = &options.target else {
        TARGETS.iter().for_each(|target| println!("{}", target.name));
        return ExitCode::SUCCESS;
    };
    let Some(target) = TARGETS.iter().find(|target| target.name == name) else {
        eprintln!("no target `{name}`");
        return ExitCode::FAILURE;
    };
    match options.corpus.as_deref().map(inputs).transpose() {
        Ok(corpus) => repeat(target, options, &corpus.unwrap_or_default()),
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}

fn inputs(folder: &Path) -> std::io::Result<Vec<Vec<u8>>> {
    let mut files = std::fs::read_dir(folder)?.map(|e| Ok(e?.path())).collect::<std::io::Result<Vec<_>>>()?;
    files.sort();
    files.iter().filter(|file| file.is_file()).map(std::fs::read).collect()
}

/// An input: random bytes, or one of the corpus with a few changes.
fn input(r: &mut Random, corpus: &[Vec<u8>], length: usize) -> Vec<u8> {
    if corpus.is_empty() {
        return (0..r.below(length + 1)).map(|_| r.below(256) as u8).collect();
    }
    let mut bytes = r.pick(corpus).clone();
    for _ in 0..r.below(8) {
        let at = r.below(bytes.len());
        match (r.below(8), bytes.get_mut(at)) {
            (0, Some(_)) => bytes.truncate(at),
            (1, Some(_)) => bytes.insert(at, r.below(256) as u8),
            (2, Some(_)) => drop(bytes.remove(at)),
            (3, Some(byte)) => *byte = r.below(256) as u8,
            (_, Some(byte)) => *byte ^= 1 << r.below(8),
            (_, None) => bytes.push(r.below(256) as u8),
        }
    }
    bytes
}

fn repeat(target: &Target, options: &Options, corpus: &[Vec<u8>]) -> ExitCode {
    let start = Instant::now();
    let (mut n, mut finds, mut total) = (0u64, 0, Duration::ZERO);
    // The greatest part of the share, and its input.
    let mut most = (0.0, 0, Cost::default());
    while start.elapsed() < Duration::from_secs(options.seconds) {
        let seed = options.seed + n;
        let bytes = input(&mut Random::new(seed), corpus, options.length);
        n += 1;
        if let Some(folder) = &options.finds
            && let Err(e) = std::fs::write(folder.join(format!("{}-running", target.name)), &bytes)
        {
            eprintln!("{}: {e}", folder.display());
            return ExitCode::FAILURE;
        }
        match target.check(&bytes) {
            Ok(cost) => {
                let share = target.share(&bytes);
                let part = (cost.bytes as f64 / share.bytes as f64)
                    .max(cost.time.as_secs_f64() / share.time.as_secs_f64());
                total += cost.time;
                if part > most.0 {
                    most = (part, bytes.len(), cost);
                }
            }
            Err(e) => {
                finds += 1;
                println!("seed {seed}, {} bytes: {e}", bytes.len());
                let file = options.finds.as_ref().map(|f| f.join(format!("{}-{seed}", target.name)));
                if let Some(Err(e)) = file.map(|file| std::fs::write(file, &bytes)) {
                    println!("not written: {e}");
                }
            }
        }
    }
    println!(
        "{}: {n} inputs, {finds} finds, {:.4} h of CPU time, at most {:.1} % of a share ({} bytes: {:?})",
        target.name,
        total.as_secs_f64() / 3600.0,
        100.0 * most.0,
        most.1,
        most.2
    );
    if finds == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
