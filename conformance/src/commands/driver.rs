//! `driver`: random programs against the Vulkan driver, of valid usage only.

use std::process::ExitCode;

use clap::Args;
use quadrille_conformance::calls::{Tally, driver};

use super::seeds::{self, Seeds};

/// What to run.
#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    seeds: Seeds,
    /// Through the Vulkan loader, with the driver and the layers that it is told of
    #[arg(long)]
    loader: bool,
}

/// Runs it. Fails if any program finds something.
pub fn run(options: &Options) -> ExitCode {
    let entry = if options.loader {
        #[expect(unsafe_code, reason = "loads the Vulkan loader")]
        // SAFETY: the library is the Vulkan loader.
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
