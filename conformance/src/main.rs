//! `quadrille-conformance`: checks that take longer than tests should, and their reports.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod commands;

/// Counts what inputs of fuzz targets allocate.
#[global_allocator]
static COUNTING: quadrille_conformance::cost::Counting = quadrille_conformance::cost::Counting;

#[derive(Parser)]
#[command(about = "Proofs that take longer than tests should, and their reports")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Makes as many allocations of device memory as a device may have
    Allocations(commands::allocations::Options),
    /// Random calls of the safe Rust API, valid and invalid
    Api(commands::api::Options),
    /// Rows of the specifications that are implemented, and checked by the file tests
    Coverage(commands::coverage::Options),
    /// Random valid calls of the Vulkan driver
    Driver(commands::driver::Options),
    /// Very many objects of each kind, pipelines, devices and frames; memory must not grow
    Endurance(commands::endurance::Options),
    /// Fuzz targets with random inputs, without coverage
    Fuzz(commands::fuzz::Options),
    /// Shaders that take any index into stale, foreign and random descriptors
    Hostile(commands::hostile::Options),
    /// Random structured modules: the interpreter against generated code
    Random(commands::random::Options),
    /// Compiles real modules, and lists the reasons of refusals
    Modules(commands::modules::Options),
    /// Malformed modules: each must be refused or run
    Mutate(commands::mutate::Options),
    /// Compares our results with those of other Vulkan drivers
    Oracle(commands::oracle::Options),
    #[command(hide = true)]
    OracleClient(commands::oracle::Client),
    /// Declarations that are newer than the driver's bindings, from Vulkan's registry
    Registry(commands::registry::Options),
    /// Small pictures that each show one behaviour, from our driver and from others
    Scenes(commands::scenes::Options),
    /// Random calls on several threads for minutes; memory must not grow
    Soak(commands::soak::Options),
    /// Largest errors of shader maths, in units in the last place
    Ulp(commands::ulp::Options),
}

fn main() -> ExitCode {
    quadrille_jit::guarded::enable(quadrille_jit::guarded::Mode::End);
    match Arguments::parse().command {
        Command::Allocations(options) => commands::allocations::run(&options),
        Command::Api(options) => commands::api::run(&options),
        Command::Coverage(options) => commands::coverage::run(&options),
        Command::Endurance(options) => commands::endurance::run(&options),
        Command::Fuzz(options) => commands::fuzz::run(&options),
        Command::Hostile(options) => commands::hostile::run(&options),
        Command::Random(options) => commands::random::run(&options),
        Command::Driver(options) => commands::driver::run(&options),
        Command::Modules(options) => commands::modules::run(&options),
        Command::Mutate(options) => commands::mutate::run(&options),
        Command::Oracle(options) => commands::oracle::run(&options),
        Command::OracleClient(options) => commands::oracle::run_client(&options),
        Command::Registry(options) => commands::registry::run(&options),
        Command::Scenes(options) => commands::scenes::run(&options),
        Command::Soak(options) => commands::soak::run(&options),
        Command::Ulp(options) => commands::ulp::run(&options),
    }
}
