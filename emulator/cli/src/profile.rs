//! `quadrille profile`: the cost of the lines of a shader, for a picture or a dispatch.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use quadrille::{Sampling, Watching};
use quadrille_profile::Times;

use crate::report::{self, Failure, Result};
use crate::rest::{Temporary, has, take, take_flag};
use crate::sources::source_text;
use crate::{args, out, render, run, shader};

/// Count the cost of each line of a shader: operations, active lanes, memory traffic, time.
///
/// Takes the arguments of `quadrille render` or, with --dispatch, of `quadrille run`, from the shader on.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  quadrille profile assets/shaders/still_life.glsl --size 320x180
  quadrille profile toy.glsl --heat heat.png --overlay over.png
  quadrille profile sum.comp --listing listing.txt --dispatch 64 --bind 0.0=zeros:4096
  quadrille profile toy.glsl --json > profile.json

Operations are those of the shader IR before optimization, on scalars, counted exactly in the reference
interpreter; helper invocations count. `active` is the share of active lanes in the lane groups that reach the line
(QUADRILLE_LANES sets the number of lanes of a group): less than 100 % means divergence. Bytes are those that
invocations read and write, in all calls of the line. For images, they are bytes of texels, or of blocks if compressed,
counted each time a filter reads one. Work that belongs to no line is set-up: inputs, outputs.

Then the same work runs compiled, repeatedly, for --measure seconds: `time` is a line's share of all the processor time,
from samples of where the processors are (on Linux, x86-64 and aarch64). Samples show what counts do not: waiting for
memory, and the effect of the compiler. Routines that a line calls, mainly those that sample images, count for the line;
time outside of shaders has its own rows, in parentheses. Times of instructions that wait for each other blur: the line
that waits has the time, and code that the compiler has merged counts for only one of its lines.")]
pub struct Args {
    #[command(flatten)]
    own: Own,

    /// The shader, and the arguments of `render` or `run`; for pictures `-o` may be omitted
    #[arg(value_name = "FILE", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    rest: Vec<OsString>,
}

/// Options of `profile` itself; they may also stand among those of `render` or `run`.
#[derive(Clone, clap::Args)]
struct Own {
    /// Lines in the table, the most expensive first [default: 25]
    #[arg(long, value_name = "N")]
    lines: Option<usize>,

    /// Print the profile as JSON
    #[arg(long)]
    json: bool,

    /// Write the sources with the cost of each line next to it
    #[arg(long, value_name = "FILE")]
    listing: Option<PathBuf>,

    /// Write a picture of the cost of each pixel (for a dispatch: of each x and y)
    #[arg(long, value_name = "FILE")]
    heat: Option<PathBuf>,

    /// Write the same picture on top of the rendered one
    #[arg(long, value_name = "FILE")]
    overlay: Option<PathBuf>,

    /// Measure the time of compiled shaders for this long; 0: not at all [default: 2]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    measure: Option<f64>,
}

/// [`Own`] alone.
#[derive(Parser)]
#[command(name = "quadrille profile", no_binary_name = true)]
struct OwnLine {
    #[command(flatten)]
    own: Own,
}

/// The arguments of `render`.
#[derive(Parser)]
#[command(name = "quadrille profile", no_binary_name = true)]
struct Rendered {
    #[command(flatten)]
    args: args::Args,
}

/// The arguments of `run`.
#[derive(Parser)]
#[command(name = "quadrille profile", no_binary_name = true)]
struct Dispatched {
    #[command(flatten)]
    args: run::Args,
}

fn parse_seconds(text: &str) -> std::result::Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|s| (0.0..=3600.0).contains(s));
    seconds.ok_or_else(|| "give a number of seconds, from 0 to 3600".into())
}

fn parsed<T: Parser>(rest: &[OsString]) -> T {
    let matches = T::command().get_matches_from(rest);
    T::from_arg_matches(&matches).unwrap_or_else(|e| e.exit())
}

/// Separates the options of `profile`, wherever they stand, from all other words.
fn sorted(args: &Args) -> Result<(Own, Vec<OsString>)> {
    let (mut rest, mut late) = (args.rest.clone(), Vec::new());
    for option in ["--lines", "--listing", "--heat", "--overlay", "--measure"] {
        while let Some(value) = take(&mut rest, option)? {
            late.extend([option.into(), value]);
        }
    }
    let json = take_flag(&mut rest, "--json") || args.own.json;
    let (late, own) = (parsed::<OwnLine>(&late).own, args.own.clone());
    let own = Own {
        lines: late.lines.or(own.lines),
        json,
        listing: late.listing.or(own.listing),
        heat: late.heat.or(own.heat),
        overlay: late.overlay.or(own.overlay),
        measure: late.measure.or(own.measure),
    };
    Ok((own, rest))
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let (args, mut rest) = sorted(args)?;
    let folder = Temporary::new()?;
    let wants_heat = args.heat.is_some() || args.overlay.is_some();
    let recorder = quadrille::recorder(wants_heat);
    let watch = Some(Watching::new(recorder.clone()));
    let times;
    let drawn = if has(&rest, "--dispatch") {
        if args.overlay.is_some() {
            return Err(Failure::new("--overlay is for pictures, and a dispatch has none"));
        }
        let mut dispatched = parsed::<Dispatched>(&rest).args;
        run::run_watched(&dispatched, watch)?;
        times = measure(&args, |time, sampling| {
            dispatched.again = Some(time);
            run::run_on(&dispatched, &|threads| shader::sampled_device(threads, sampling.clone()))
        })?;
        None
    } else {
        folder.give(&mut rest);
        let mut rendered = parsed::<Rendered>(&rest).args;
        render::run_watched(&rendered, watch)?;
        times = measure(&args, |time, sampling| {
            rendered.again = Some(time);
            let device = shader::sampled_device(rendered.threads.map(usize::from), sampling);
            render::draw(&rendered, &device.map_err(|e| Failure::device(&e, None))?).map(drop)
        })?;
        Some((rendered.size, rendered.frames.path_of(rendered.frames.range().start)))
    };
    let heat = recorder.heat();
    if let Some(file) = &args.heat {
        let (width, height) = drawn.as_ref().map_or_else(|| heat.size(), |(size, _)| *size);
        save(&heat.picture(width.max(1), height.max(1)), file)?;
    }
    if let (Some(file), Some((_, picture))) = (&args.overlay, &drawn) {
        let below = crate::picture::load(picture)?;
        save(&heat.overlay(&below.into_rgb8()), file)?;
    }
    let mut profile = recorder.profile();
    profile.times = times;
    profile.read_texts(source_text);
    if let Some(file) = &args.listing {
        quadrille::files::replace(file, profile.listing().as_bytes())
            .map_err(|e| Failure::file("write", file, &e))?;
    }
    if args.json {
        out::json(&profile.json())?;
    } else {
        out::text(profile.table(args.lines.unwrap_or(25)).trim_end())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs the compiled work for a while and samples it. Returns `None` if samples are not wanted or not possible.
fn measure(args: &Own, work: impl FnOnce(Duration, Sampling) -> Result<()>) -> Result<Option<Times>> {
    let seconds = args.measure.unwrap_or(2.0);
    if seconds == 0.0 {
        return Ok(None);
    }
    let sampler = quadrille::sampler();
    if let Err(why) = sampler.start() {
        report::note(&format!("note: times are not measured: {why}"));
        return Ok(None);
    }
    let done = work(Duration::from_secs_f64(seconds), Sampling(sampler.clone()));
    let times = sampler.stop();
    done.map(|()| Some(times))
}

fn save(picture: &image::RgbImage, file: &Path) -> Result<()> {
    picture.save(file).map_err(|e| Failure::new(format!("{} cannot be written: {e}", file.display())))
}
