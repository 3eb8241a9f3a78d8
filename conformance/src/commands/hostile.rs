//! `hostile`: shaders that take any index into stale, foreign and random descriptors.

use std::process::ExitCode;

use clap::Args;
use quadrille_conformance::calls::{Tally, hostile};

use super::seeds::{self, Seeds};

/// Options of the subcommand.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    seeds: Seeds,
}

/// Runs the programs. Fails if any program finds an error.
pub fn run(options: &Options) -> ExitCode {
    seeds::run(&options.seeds, &|seed, tally: &mut Tally| hostile::check_seed(seed, tally))
}
