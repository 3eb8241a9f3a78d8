//! `api`: random programs against the safe Rust API.

use std::process::ExitCode;

use clap::Args;
use quadrille_conformance::calls::{Tally, api};

use super::seeds::{self, Seeds};

/// Options of the subcommand.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    seeds: Seeds,
    /// Let requests for memory fail, one in each run of a program: a call reports it, or the results are right
    #[arg(long)]
    scarce: bool,
}

/// Runs the programs. Fails if any program finds an error.
pub fn run(options: &Options) -> ExitCode {
    let check = if options.scarce { api::scarce::check_seed } else { api::check_seed };
    seeds::run(&options.seeds, &|seed, tally: &mut Tally| check(seed, tally))
}
