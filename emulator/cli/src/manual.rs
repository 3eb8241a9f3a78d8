//! `quadrille manual`: the manual pages, which packages install.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::CommandFactory;

use crate::report::{Failure, Result};

/// Write the manual pages of this command, for packages.
#[derive(clap::Args)]
pub struct Args {
    /// Folder for one page per subcommand: quadrille.1, quadrille-render.1, ...
    folder: PathBuf,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let failed = |e: &std::io::Error| Failure::file("write pages to", &args.folder, e);
    std::fs::create_dir_all(&args.folder).map_err(|e| failed(&e))?;
    clap_mangen::generate_to(crate::Args::command(), &args.folder).map_err(|e| failed(&e))?;
    Ok(ExitCode::SUCCESS)
}
