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
    /// Through the entry points of the Vulkan driver, not the device library
    #[arg(long)]
    driver: bool,
}

/// Runs the programs. Fails if any program finds an error.
pub fn run(options: &Options) -> ExitCode {
    if !options.driver {
        return seeds::run(&options.seeds, &|seed, tally: &mut Tally| {
            hostile::library::check_seed(seed, tally)
        });
    }
    match hostile::driver::Shared::new(vk_quadrille::entry()) {
        Ok(shared) => seeds::run(&options.seeds, &|seed, tally: &mut Tally| {
            hostile::driver::check_seed(&shared, seed, tally)
        }),
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}
