//! `quadrille-conformance`: proofs that take longer than tests should, and their reports.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod commands;

#[derive(Parser)]
#[command(about = "Proofs that take longer than tests should, and their reports")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Which rows of the specifications are implemented, and checked by the file tests
    Coverage(commands::coverage::Options),
    /// Random structured modules: the interpreter against generated code
    Random(commands::random::Options),
    /// Worst errors of shader maths, in units in the last place
    Ulp(commands::ulp::Options),
}

fn main() -> ExitCode {
    match Arguments::parse().command {
        Command::Coverage(options) => commands::coverage::run(&options),
        Command::Random(options) => commands::random::run(&options),
        Command::Ulp(options) => commands::ulp::run(&options),
    }
}
