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
//! * [`watch`]: files that were read, and drawing again when they change.
//! * [`allow`]: folders in which data may name files.
//! * [`out`]: standard output that may be closed.
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
mod excerpt;
mod foreign;
mod frames;
mod given;
mod info;
mod inspect;
mod kernel;
mod launch;
mod manual;
mod mesh;
mod number;
mod out;
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

use clap::{Parser, Subcommand};

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

`quadrille COMMAND --help` explains a command with more examples.";

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
    /// Put Quadrille in the place of the software GPU of Chromium, Chrome or an Electron program
    Browser(browser::Args),
    /// Show the command buffers of a Vulkan program, with pictures
    Trace(trace::Args),
    /// Print completions of this command for a shell
    Completions(completions::Args),
    /// Write the manual pages of this command, for packages
    #[command(hide = true)]
    Manual(manual::Args),
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
    let args = Args::parse_from(arguments);
    report::install();
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
    use clap::CommandFactory;

    /// No two arguments of a subcommand have the same name.
    #[test]
    fn command_lines_are_unambiguous() {
        super::Args::command().debug_assert();
    }

    /// A number below 0 reaches the parser of its option, which says the numbers that the option takes. Otherwise, the
    /// error is about an unknown option.
    #[test]
    fn numbers_may_begin_with_a_minus() {
        use std::any::TypeId;
        for command in super::Args::command().get_subcommands() {
            for arg in command.get_arguments() {
                let of = arg.get_value_parser().type_id();
                let is_number = of == TypeId::of::<f32>() || of == TypeId::of::<f64>();
                let takes = arg.is_allow_negative_numbers_set() || arg.is_require_equals_set();
                assert!(!is_number || takes, "{} {}", command.get_name(), arg.get_id());
            }
        }
    }
}
