//! `quadrille completions`: completions of the command line for shells.

use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::out;
use crate::report::Result;

/// Print completions of this command for a shell.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  quadrille completions bash > ~/.local/share/bash-completion/completions/quadrille
  quadrille completions zsh > ~/.zfunc/_quadrille
  quadrille completions fish > ~/.config/fish/completions/quadrille.fish")]
pub struct Args {
    /// Shell that reads the completions
    shell: Shell,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut crate::Args::command(), "quadrille", &mut text);
    out::bytes(&text)?;
    Ok(ExitCode::SUCCESS)
}
