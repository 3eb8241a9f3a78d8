//! `hostile`: shaders that choose among descriptors which lead anywhere.

use std::process::ExitCode;

use clap::Args;
use quadrille_conformance::calls::{Tally, hostile};

use super::seeds::{self, Seeds};

/// The programs to run.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    seeds: Seeds,
}

/// Runs it. Fails if any program finds something.
pub fn run(options: &Options) -> ExitCode {
    seeds::run(&options.seeds, &|seed, tally: &mut Tally| hostile::check_seed(seed, tally))
}
