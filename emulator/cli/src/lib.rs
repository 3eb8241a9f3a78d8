//! The `quadrille` command: renders, runs and inspects shaders, and starts programs on the driver.
//!
//! One file per subcommand, with its arguments and a `run` function. Shared:
//!
//! * [`args`]: the options of a picture: of a shader, a Shadertoy, a mesh or a scene.
//! * [`work`]: the options of a picture, of a dispatch and of a launch, for commands that watch any of them; [`given`]
//!   tells options on the command line from defaults, and which of them need others.
//! * [`launch`]: the options of ray tracing pipelines, and the shaders of a dispatch or a launch.
//! * [`kernel`]: OpenCL kernels: their arguments and launches.
//! * [`shader`]: compilation of a file to SPIR-V words, by extension or flag.
//! * [`report`]: errors as miette reports, with the source line if there is one ([`excerpt`]).
//! * [`picture`]: picture files.
//! * [`view`]: the camera of scenes; [`path_args`]: options of path tracing.
//! * [`mesh`]: geometry for vertex shaders of `render`.
//! * [`frames`]: one picture or many to files, animations and standard output.
//! * [`watch`]: files that were read, and drawing again when they change; [`input`]: standard input as a source.
//! * [`allow`]: folders in which data may name files.
//! * [`out`]: standard output that may be closed; [`outputs`]: files that a command line names for output.
//! * [`number`]: numbers in options.
//!
//! [`main`] is the whole command. The Python package contains it too, by [`main_with_driver`].

mod again;
mod allow;
mod args;
mod browser;
mod check;
mod completions;
mod coverage;
mod dap;
mod data;
mod debug;
mod endless;
mod entry;
mod excerpt;
mod foreign;
mod frames;
mod given;
mod info;
mod input;
mod inspect;
mod kernel;
mod launch;
mod manual;
mod mesh;
mod number;
mod out;
mod outputs;
mod path_args;
mod path_trace;
mod picture;
mod profile;
mod render;
mod report;
mod run;
mod save;
mod scene;
mod scene_args;
mod shader;
mod sources;
mod sys;
mod temporary;
mod test;
#[cfg(feature = "glsl")]
mod toy;
mod trace;
mod translate;
mod view;
mod vulkan;
mod watch;
#[cfg(feature = "glsl")]
mod wav;
mod work;

/// The SPIR-V of a file in a language that other compilers handle, such as OpenCL C; `None` for other files.
///
/// # Errors
/// The compiler's messages, or a text that says which compiler is missing.
pub fn spirv_of(path: &std::path::Path) -> Result<Option<Vec<u8>>, String> {
    let Some(language) = foreign::language(path) else { return Ok(None) };
    let options = foreign::Options { entry: None, includes: &[], defines: &[] };
    let words = foreign::spirv(&options, path, language, quadrille::frontend::Stage::Compute);
    words.map(Some).map_err(|failure| failure.to_string())
}

/// Shadertoys need GLSL.
#[cfg(not(feature = "glsl"))]
mod toy {
    use crate::args::Args;
    use crate::report::{Failure, Result};

    pub fn is_toy(args: &Args) -> bool {
        args.shader.file.is_dir() || args.sound.is_some()
    }
    pub fn draw(_: &Args, _: &quadrille::Device) -> Result<std::process::ExitCode> {
        Err(Failure::new("this build of Quadrille has no compiler for GLSL, the language of Shadertoys"))
    }
}

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

/// A GPU in software: render, run and inspect shaders without a graphics card.
#[derive(Parser)]
#[command(name = "quadrille", version, max_term_width = 100, after_help = EXAMPLES)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  quadrille render assets/shaders/still_life.glsl -o still_life.png
  quadrille render shader.vert shader.frag --mesh model.obj -o model.png
  quadrille run assets/shaders/add.comp --dispatch 1 \\
      --bind 0.0=f32:1,2 --bind 0.1=f32:10,20 --bind 0.2=zeros:8 --read 0.2:f32
  quadrille test tests/shaders --junit report.xml
  quadrille debug picture.frag --pixel 320,180
  quadrille profile --heat heat.png assets/shaders/still_life.glsl -o still_life.png
  quadrille inspect shader.wgsl --emit ir
  quadrille vulkan -- vulkaninfo --summary
  quadrille trace --pictures frames -- vkcube --c 3

`quadrille COMMAND --help` explains a command with more examples.

Commands make the folders of their output files.

Exit codes: 0 the work is done, 1 it failed, 2 the command line is wrong: an option is unknown, missing or without effect, or has
a value that it or the shader does not take. `test` and `check` list theirs.";

#[derive(Subcommand)]
enum Command {
    /// Render a picture with a shader, a Shadertoy, a mesh or a scene
    Render(Box<render::Args>),
    /// Run a compute shader or a ray tracing pipeline on buffers, pictures and scenes
    Run(Box<run::Args>),
    /// Run tests of shaders: Amber, VkScript, TOML
    Test(test::Args),
    /// Debug one invocation of a shader: step forwards and backwards, look at variables
    Debug(Box<debug::Args>),
    /// Debug from an editor, by the Debug Adapter Protocol
    Dap(dap::Args),
    /// Count the cost of each line of a shader
    Profile(Box<profile::Args>),
    /// Find undefined behaviour in shaders: races, accesses out of bounds, NaN and more
    Check(Box<check::Args>),
    /// Show a shader and its forms on the way to the processor
    Inspect(inspect::Args),
    /// Translate WGSL of the January 2021 draft to today's WGSL
    Translate(translate::Args),
    /// Show the device: limits, host, environment variables
    Info(info::Args),
    /// Run Vulkan programs on Quadrille
    Vulkan(vulkan::Args),
    /// Replace the software GPU of Chromium, Chrome or an Electron program by Quadrille
    Browser(browser::Args),
    /// Show the command buffers of a Vulkan program, with pictures
    Trace(trace::Args),
    /// Print completions of this command for a shell
    Completions(completions::Args),
    /// Write the manual pages of this command, for packages
    #[command(hide = true)]
    Manual(manual::Args),
}

/// The command line.
fn command() -> clap::Command {
    number::with_minus(Args::command())
}

/// Runs the command inside of a program that contains it, with the driver at `driver`, and returns its exit code.
///
/// An invalid command line, `--help` and `--version` end the process. A second call keeps the driver of the first.
pub fn main_with_driver(arguments: impl IntoIterator<Item = OsString>, driver: PathBuf) -> u8 {
    vulkan::set_driver(driver);
    let code = main(arguments);
    (0..=u8::MAX).find(|number| ExitCode::from(*number) == code).unwrap_or(1)
}

/// Runs the command and returns its exit code. The first argument is the name of the program.
///
/// An invalid command line, `--help` and `--version` end the process.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let mut matches = command().get_matches_from(arguments);
    report::install();
    if let Err(failure) = outputs::check(&command(), &matches) {
        return report::print(&failure);
    }
    let args = Args::from_arg_matches_mut(&mut matches);
    let args = args.unwrap_or_else(|error| error.format(&mut command()).exit());
    let done = match args.command {
        Command::Render(args) => render::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Test(args) => test::run(&args),
        Command::Debug(args) => debug::run(&args),
        Command::Dap(args) => dap::run(&args),
        Command::Profile(args) => profile::run(&args),
        Command::Check(args) => check::run(*args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Translate(args) => translate::run(&args),
        Command::Info(args) => info::run(&args),
        Command::Vulkan(args) => vulkan::run(&args),
        Command::Browser(args) => browser::run(&args),
        Command::Trace(args) => trace::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Manual(args) => manual::run(&args),
    };
    match done {
        Ok(code) => code,
        Err(error) => report::print(&error),
    }
}

#[cfg(test)]
mod tests {
    /// No two arguments of a subcommand have the same name.
    #[test]
    fn command_lines_are_unambiguous() {
        super::command().debug_assert();
    }
}
