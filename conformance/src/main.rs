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
    /// As many allocations of memory as a device may have
    Allocations(commands::allocations::Options),
    /// Random calls of the safe Rust API: refused or right, never worse
    Api(commands::api::Options),
    /// Which rows of the specifications are implemented, and checked by the file tests
    Coverage(commands::coverage::Options),
    /// Random calls of the Vulkan driver, valid ones: right, never worse
    Driver(commands::driver::Options),
    /// Very many objects of each kind, pipelines, devices and frames: right, and memory does not grow
    Endurance(commands::endurance::Options),
    /// Shaders that choose among descriptors which lead anywhere: never to what is not theirs
    Hostile(commands::hostile::Options),
    /// Random structured modules: the interpreter against generated code
    Random(commands::random::Options),
    /// Whether real modules compile, and why not
    Modules(commands::modules::Options),
    /// Malformed modules: refused or run, never worse
    Mutate(commands::mutate::Options),
    /// Our results against those of other Vulkan drivers
    Oracle(commands::oracle::Options),
    #[command(hide = true)]
    OracleClient(commands::oracle::Client),
    /// Small pictures of one thing each: ours and those of other drivers
    Scenes(commands::scenes::Options),
    /// Random calls on several threads for a while: right, and memory does not grow
    Soak(commands::soak::Options),
    /// Worst errors of shader maths, in units in the last place
    Ulp(commands::ulp::Options),
}

fn main() -> ExitCode {
    quadrille_jit::guarded::enable(quadrille_jit::guarded::Mode::End);
    match Arguments::parse().command {
        Command::Allocations(options) => commands::allocations::run(&options),
        Command::Api(options) => commands::api::run(&options),
        Command::Coverage(options) => commands::coverage::run(&options),
        Command::Endurance(options) => commands::endurance::run(&options),
        Command::Hostile(options) => commands::hostile::run(&options),
        Command::Random(options) => commands::random::run(&options),
        Command::Driver(options) => commands::driver::run(&options),
        Command::Modules(options) => commands::modules::run(&options),
        Command::Mutate(options) => commands::mutate::run(&options),
        Command::Oracle(options) => commands::oracle::run(&options),
        Command::OracleClient(options) => commands::oracle::run_client(&options),
        Command::Scenes(options) => commands::scenes::run(&options),
        Command::Soak(options) => commands::soak::run(&options),
        Command::Ulp(options) => commands::ulp::run(&options),
    }
}
