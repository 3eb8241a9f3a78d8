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
}

/// Runs the programs. Fails if any program finds an error.
pub fn run(options: &Options) -> ExitCode {
    seeds::run(&options.seeds, &|seed, tally: &mut Tally| api::check_seed(seed, tally))
}
