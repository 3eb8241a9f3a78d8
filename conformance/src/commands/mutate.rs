//! `mutate`: malformed modules, each of which must be refused or run.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use quadrille_conformance::random::{self, Random};
use quadrille_conformance::{filetest, mutate, tools};

/// Options of the subcommand.
#[derive(Args)]
pub struct Options {
    /// Number of mutations
    #[arg(long, default_value_t = 100_000)]
    count: u64,
    /// Seed of the first mutation
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Write the unmodified modules into this folder, as a corpus for the fuzzer
    #[arg(long)]
    corpus: Option<PathBuf>,
    /// Modules in addition to those of the file tests and random ones
    modules: Vec<PathBuf>,
}

/// Runs the mutations. Fails if a module causes an internal error, or takes long.
pub fn run(options: &Options) -> ExitCode {
    let mut real: Vec<(String, Vec<u32>)> = Vec::new();
    for file in filetest::all() {
        if let Ok(filetest::Body::Program(_)) = &file.body
            && let Ok((words, _)) = file.words(false)
        {
            real.push((file.name.clone(), words));
        }
    }
    for seed in 0..20 {
        if let Ok(words) = tools::assemble(&random::make(seed, 40).text, false) {
            real.push((format!("random {seed}"), words));
        }
    }
    for path in &options.modules {
        if let Ok(bytes) = std::fs::read(path) {
            let words = bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
            real.push((path.display().to_string(), words));
        }
    }
    println!("{} modules to change", real.len());
    if let Some(folder) = &options.corpus {
        let write = |name: &str, words: &[u32]| {
            let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
            std::fs::write(folder.join(name.replace(['/', ' '], "_")), bytes)
        };
        let made = std::fs::create_dir_all(folder)
            .and_then(|()| real.iter().try_for_each(|(name, words)| write(name, words)));
        if let Err(e) = made {
            eprintln!("{}: {e}", folder.display());
            return ExitCode::FAILURE;
        }
    }
    let (mut fates, mut failures) = (BTreeMap::<String, u64>::new(), 0);
    let mut told = Instant::now();
    for seed in options.seed..options.seed.saturating_add(options.count) {
        let mut r = Random::new(seed ^ 0x6d75_7461);
        let (name, words) = &real[r.below(real.len())];
        let words = mutate::mutate(words, &mut r);
        let start = Instant::now();
        match mutate::survive(&words, &mut r) {
            Ok(fate) => *fates.entry(format!("{fate:?}")).or_default() += 1,
            Err(e) => {
                failures += 1;
                println!("seed {seed}, {name}: {e}");
            }
        }
        if start.elapsed() > Duration::from_secs(20) {
            failures += 1;
            println!("seed {seed}, {name}: took {:?}", start.elapsed());
        }
        if told.elapsed() > Duration::from_secs(60) {
            told = Instant::now();
            println!("{} of {}: {fates:?}, {failures} failures", seed - options.seed + 1, options.count);
        }
    }
    println!("{fates:?}, {failures} failures");
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
