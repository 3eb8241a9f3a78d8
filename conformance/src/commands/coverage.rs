//! `coverage`: prints the counts of [`coverage`].

use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use quadrille_conformance::coverage::{self, Record, mutate, part::Part, report};
use quadrille_conformance::filetest;

/// Options of the subcommand.
#[derive(Args)]
pub struct Options {
    /// Print a list of `{table, rows, implemented, tested, missing}`
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the figures and the rows that are out of scope, as in COVERAGE.md
    #[arg(long)]
    markdown: bool,
    /// Break one row after another, and list the changes that no test notices
    #[arg(long)]
    mutate: bool,
}

/// Runs the mutations and prints the outcome. Returns true if every change is noticed or explained.
fn mutations(parts: &[Part<'_>], record: &Record) -> bool {
    let start = Instant::now();
    let m = mutate::run(parts, record, 1);
    println!(
        "\n{} changes in {:?}: {} noticed by a wrong value, {} since the module is refused, {} explained, {} unnoticed",
        m.changes,
        start.elapsed(),
        m.by_value,
        m.refused,
        m.explained.len(),
        m.survivors.len()
    );
    for s in &m.survivors {
        println!("  {s}");
    }
    for (s, why) in &m.explained {
        println!("  explained: {s}: {why}");
    }
    for (why, rows) in &m.unchanged {
        println!("  not changed ({why}): {}", rows.join(", "));
    }
    m.survivors.is_empty()
}

/// Counts the rows. Fails if a file test fails.
pub fn run(options: &Options) -> ExitCode {
    let files = filetest::all();
    let (parts, mut failures) = coverage::all_parts(&files);
    let record = coverage::record(&parts);
    failures.extend(record.failures.iter().cloned());
    let list = coverage::tables(&files, &record);
    if options.json {
        print!("{}", report::json(&list));
    } else if options.markdown {
        print!("{}", report::markdown(&list));
    } else {
        print!("{}", report::text(&list));
        println!("\n{} files, {} modules, {} values compared", files.len(), parts.len(), record.compared);
    }
    let noticed = !options.mutate || mutations(&parts, &record);
    for f in &failures {
        eprintln!("{f}");
    }
    if failures.is_empty() && noticed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
