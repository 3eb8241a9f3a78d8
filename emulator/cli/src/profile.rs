//! `quadrille profile`: the cost of the lines of a shader, for a picture or a dispatch.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use image::ImageFormat;
use quadrille::{Sampling, Watching};
use quadrille_profile::Times;

use crate::frames::FrameArgs;
use crate::report::{self, Failure, Result};
use crate::sources::source_text;
use crate::temporary::Temporary;
use crate::work::{Work, WorkArgs};
use crate::{out, render, run, shader};

/// Count the cost of each line of a shader: operations, active lanes, memory traffic, time.
///
/// Takes the arguments of `quadrille render` or, with --dispatch, --global or --launch, of `quadrille run`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  quadrille profile assets/shaders/still_life.glsl --size 320x180
  quadrille profile toy.glsl --heat heat.png --overlay over.png
  quadrille profile sum.comp --listing listing.txt --dispatch 64 --bind 0.0=zeros:4096
  quadrille profile kernel.cl --global 1024 --arg f32:1*1024 --arg zeros:4096 --arg 3.0
  quadrille profile toy.glsl --json > profile.json

Operations are those of the shader IR before optimization, on scalars, counted exactly in the reference
interpreter; helper invocations count. `active` is the share of active lanes in the lane groups that reach the line
(QUADRILLE_LANES sets the number of lanes of a group): less than 100 % means divergence. Bytes are those that
invocations read and write, in all calls of the line. For images, they are bytes of texels, or of blocks if compressed,
counted each time a filter reads one. Work that belongs to no line is set-up: inputs, outputs.
The source of a compute shader or a kernel whose SPIR-V has no lines is its disassembly.

Then the same work runs compiled, repeatedly, for --measure seconds: `time` is a line's share of all the processor time,
from samples of where the processors are (on Linux, x86-64 and aarch64). Samples show what counts do not: waiting for
memory, and the effect of the compiler. Routines that a line calls, mainly those that sample images, count for the line;
time outside of shaders has its own rows, in parentheses. Times of instructions that wait for each other blur: the line
that waits has the time, and code that the compiler has merged counts for only one of its lines.")]
pub struct Args {
    /// Lines in the table, the most expensive first
    #[arg(long, value_name = "N", default_value_t = 25)]
    lines: usize,

    /// Print the profile as JSON
    #[arg(long)]
    json: bool,

    /// Write the sources with the cost of each line next to it
    #[arg(long, value_name = "FILE")]
    listing: Option<PathBuf>,

    /// Write a picture of the cost of each pixel (for a dispatch or a launch: of each x and y)
    #[arg(long, value_name = "FILE")]
    heat: Option<PathBuf>,

    /// Write the same picture on top of the rendered one
    #[arg(long, value_name = "FILE")]
    overlay: Option<PathBuf>,

    /// Measure the time of compiled shaders for this long; 0: not at all
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0, value_parser = parse_seconds)]
    measure: f64,

    #[command(flatten)]
    work: WorkArgs,
}

fn parse_seconds(text: &str) -> std::result::Result<f64, String> {
    let seconds = text.parse::<f64>().ok().filter(|s| (0.0..=3600.0).contains(s));
    seconds.ok_or_else(|| "give a number of seconds, from 0 to 3600".into())
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    args.heat.iter().chain(&args.overlay).try_for_each(|file| format(file).map(drop))?;
    let folder = Temporary::new()?;
    let wants_heat = args.heat.is_some() || args.overlay.is_some();
    let recorder = quadrille::recorder(wants_heat);
    let watch = Watching::new(recorder.clone());
    let (times, drawn) = match args.work.clone().work()? {
        Work::Dispatch(_) if args.overlay.is_some() => {
            return Err(Failure::usage("--overlay is for pictures, and a dispatch has none"));
        }
        Work::Dispatch(dispatch)
            if args.json && dispatch.data.read.iter().any(|read| !read.contains('=')) =>
        {
            return Err(Failure::usage("--read prints a buffer before the profile, which is not JSON then")
                .help("save it instead: --read 0.1:f32=FILE"));
        }
        Work::Dispatch(mut dispatch) => {
            run::run_watched(&dispatch, Some(watch))?;
            let times = measure(args.measure, |time, sampling| {
                dispatch.again = Some(time);
                run::run_on(&dispatch, &|threads| shader::sampled_device(threads, sampling.clone()))
            })?;
            (times, None)
        }
        Work::Picture(mut picture) => {
            if args.overlay.is_some() {
                check_below(&picture.frames)?;
                picture.frames.output.get_or_insert_with(|| folder.picture());
            }
            render::run_watched(&picture, watch)?;
            let times = measure(args.measure, |time, sampling| {
                picture.again = Some(time);
                let device = shader::sampled_device(picture.threads.map(usize::from), sampling);
                render::draw(&picture, &device.map_err(|e| Failure::device(&e, None))?).map(drop)
            })?;
            (times, Some((picture.size, picture.frames.path_of(picture.frames.range().start))))
        }
    };
    let heat = recorder.heat();
    if let Some(file) = &args.heat {
        let (width, height) = drawn.as_ref().map_or_else(|| heat.size(), |(size, _)| *size);
        save(&heat.picture(width.max(1), height.max(1)), file)?;
    }
    if let (Some(file), Some((_, Some(picture)))) = (&args.overlay, &drawn) {
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
        out::text(profile.table(args.lines).trim_end())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs the compiled work for a while and samples it. Returns `None` if samples are not wanted or not possible.
fn measure(seconds: f64, work: impl FnOnce(Duration, Sampling) -> Result<()>) -> Result<Option<Times>> {
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

/// Fails if the output cannot be read as the picture below the overlay.
fn check_below(frames: &FrameArgs) -> Result<()> {
    match frames.is_picture()? {
        true => Ok(()),
        false => Err(Failure::usage("--overlay needs a picture, and that of --output cannot be read")
            .help("write a .png with --output, or leave --output out")),
    }
}

/// The format of a picture's name.
fn format(file: &Path) -> Result<ImageFormat> {
    let format = ImageFormat::from_path(file).ok();
    format.filter(|format| matches!(format, ImageFormat::Png | ImageFormat::Jpeg)).ok_or_else(|| {
        Failure::usage(format!("{}: pictures are written as .png or .jpg", file.display()))
            .help("for example --heat heat.png")
    })
}

fn save(picture: &image::RgbImage, file: &Path) -> Result<()> {
    let mut bytes = Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, format(file)?)
        .map_err(|e| Failure::new(format!("cannot write {}: {e}", file.display())))?;
    quadrille::files::replace(file, bytes.get_ref()).map_err(|e| Failure::file("write", file, &e))
}
