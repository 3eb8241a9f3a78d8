//! `driver`: random programs of valid usage against the Vulkan driver.

use std::process::ExitCode;

use clap::Args;
use quadrille_conformance::calls::{Tally, driver};

use super::seeds::{self, Seeds};

/// Options of the subcommand.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    seeds: Seeds,
    /// Go through the Vulkan loader, with the driver and the layers of its environment
    #[arg(long)]
    loader: bool,
    /// Let requests for memory fail, one in each run of a program: the driver reports it, or the results are right
    #[arg(long, conflicts_with = "loader")]
    scarce: bool,
}

/// Runs the programs. Fails if any program finds an error.
pub fn run(options: &Options) -> ExitCode {
    if options.scarce {
        return seeds::run(&options.seeds, &driver::scarce::check_seed);
    }
    let entry = if options.loader {
        #[expect(unsafe_code, reason = "loads the Vulkan loader")]
        // SAFETY: loading runs the initializers of the system's `libvulkan`, which the user asked for with `--loader`
        // and trusts.
        unsafe { ash::Entry::load() }.map_err(|e| e.to_string())
    } else {
        Ok(vk_quadrille::entry())
    };
    match entry.and_then(driver::Shared::new) {
        Ok(shared) => {
            seeds::run(&options.seeds, &|seed, tally: &mut Tally| driver::check_seed(&shared, seed, tally))
        }
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    }
}
