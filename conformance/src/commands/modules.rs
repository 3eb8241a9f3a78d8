//! `modules`: compiles real modules, and lists the reasons of refusals.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use quadrille_conformance::mutate::{self, Fate};
use quadrille_conformance::random::Random;
use quadrille_jit::spirv;

/// Options of the subcommand.
#[derive(Args)]
pub struct Options {
    /// SPIR-V files
    files: Vec<PathBuf>,
}

/// Parses and lowers every entry point, compiles and runs those that need only buffers, and counts refusals by cause.
pub fn run(options: &Options) -> ExitCode {
    let mut refusals: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut entries, mut lowered, mut ran) = (0, 0, 0);
    for path in &options.files {
        let name = path.display().to_string();
        let Ok(bytes) = std::fs::read(path) else {
            refusals.entry("cannot be read".into()).or_default().push(name);
            continue;
        };
        let words: Vec<u32> =
            bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
        let mut refuse = |e: String| refusals.entry(cause(&e)).or_default().push(name.clone());
        match spirv::Module::parse(&words) {
            Err(e) => refuse(e.to_string()),
            Ok(module) => {
                for entry in module.entry_points() {
                    entries += 1;
                    match module.lower(&entry.name, entry.stage, &[]) {
                        Ok(_) => lowered += 1,
                        Err(e) => refuse(e.to_string()),
                    }
                }
            }
        }
        match mutate::survive(&words, &mut Random::new(1)) {
            Ok(fate) => ran += usize::from(matches!(fate, Fate::Ran | Fate::Stopped)),
            Err(e) => refuse(e),
        }
    }
    println!(
        "{} modules, {entries} entry points, {lowered} lowered, {ran} modules with buffers only run",
        options.files.len()
    );
    for (cause, names) in &refusals {
        println!("{} x {cause}: e.g. {}", names.len(), names[0]);
    }
    if refusals.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns the first line of a message without its numbers.
fn cause(message: &str) -> String {
    let line = message.lines().next().unwrap_or("");
    let mut out = String::new();
    for c in line.chars() {
        match c.is_ascii_digit() {
            true if out.ends_with('#') => {}
            true => out.push('#'),
            false => out.push(c),
        }
    }
    out
}
