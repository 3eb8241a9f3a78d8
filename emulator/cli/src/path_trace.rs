//! `quadrille render scene.gltf --path-trace`: its options, and its frames.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use quadrille::Device;
use quadrille_scene::animate;
use quadrille_scene::draw::Options as DrawOptions;
use quadrille_scene::model::Scene;
use quadrille_scene::trace::{Options, Sums, Tracer};

use crate::args::{self, Args, Samples};
use crate::frames::Frames;
use crate::number::parse_finite;
use crate::report::{self, Failure, Result};
use crate::scene::{View, pixels};
use crate::watch;

/// Samples per pixel, if the command line names no number.
const SAMPLES: u32 = 64;

/// Options of path tracing.
#[derive(Clone, clap::Args)]
pub struct PathArgs {
    /// Trace paths of light instead of drawing surfaces
    #[arg(long)]
    pub path_trace: bool,

    /// Path tracing: stop when the remaining noise, relative to the picture's brightness, is below this
    #[arg(long, value_name = "PART", value_parser = parse_positive)]
    noise: Option<f64>,

    /// Path tracing: stop after this time, per frame
    #[arg(long, value_name = "SECONDS", value_parser = parse_positive)]
    time_limit: Option<f64>,

    /// Path tracing: number of surfaces after the first that light may meet (default: unlimited)
    #[arg(long, value_name = "N")]
    max_bounces: Option<u32>,

    /// Path tracing: radius of the lens in metres (default 0: everything is in focus)
    #[arg(long, value_name = "METRES", value_parser = parse_positive)]
    aperture: Option<f64>,

    /// Path tracing: distance in focus in metres, for --aperture (default: the middle of the scene)
    #[arg(long, value_name = "METRES", value_parser = parse_positive)]
    focus: Option<f64>,

    /// Path tracing: write the sums of the samples to a file, for --add
    #[arg(long, value_name = "FILE")]
    sums: Option<PathBuf>,

    /// Path tracing: add the sums of other samples of the same picture; repeatable
    #[arg(long, value_name = "FILE")]
    add: Vec<PathBuf>,
}

fn parse_positive(text: &str) -> std::result::Result<f64, String> {
    parse_finite(text).ok().filter(|x| *x > 0.0).ok_or_else(|| "give a number greater than 0".into())
}

impl PathArgs {
    /// Fails if an option is given without `--path-trace`.
    pub fn check_unused(&self) -> Result<()> {
        let given = [
            ("--noise", self.noise.is_some()),
            ("--time-limit", self.time_limit.is_some()),
            ("--max-bounces", self.max_bounces.is_some()),
            ("--aperture", self.aperture.is_some()),
            ("--focus", self.focus.is_some()),
            ("--sums", self.sums.is_some()),
            ("--add", !self.add.is_empty()),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((name, _)) => Err(Failure::new(format!("{name} needs --path-trace"))),
            None => Ok(()),
        }
    }

    /// Fails if options do not go together.
    fn check(&self, args: &Args) -> Result<()> {
        let frames = args.frames.frames.is_some();
        let refuse = |text: &str| Err(Failure::new(text));
        match (&self.sums, &args.samples) {
            _ if self.focus.is_some() && self.aperture.is_none() => refuse("--focus needs --aperture"),
            (Some(_), _) if frames => refuse("--sums is for a single picture, not for --frames"),
            _ if frames && !self.add.is_empty() => refuse("--add is for a single picture, not for --frames"),
            (Some(_), _) if !self.add.is_empty() && self.noise.is_some() => {
                refuse("--noise does not go with --add and --sums: the number of samples would be unknown")
            }
            (_, Some(Samples::Part(_))) if self.noise.is_some() || self.time_limit.is_some() => {
                refuse("--samples A..B does not go with --noise or --time-limit, which may skip samples")
            }
            (Some(_) | None, _) => Ok(()),
        }
    }
}

/// Traces and writes the frames of a scene. `out` is `None` for .exr files.
pub fn draw(
    args: &Args,
    device: &Device,
    scene: &Scene,
    draw: DrawOptions,
    mut out: Option<Frames>,
) -> Result<ExitCode> {
    let path = &args.scene.path;
    path.check(args)?;
    let name = args.shader.file.display().to_string();
    let failure = |e: &quadrille::Error| Failure::device(e, None).in_file(&name);
    let aspect = draw.width as f32 / draw.height as f32;
    let options = Options {
        draw,
        max_bounces: path.max_bounces,
        aperture: path.aperture.unwrap_or(0.0) as f32,
        focus: path.focus.map(|focus| focus as f32),
    };
    let added = path.add.iter().map(|file| read_sums(file)).collect::<Result<Vec<_>>>()?;
    let mut tracer = Tracer::new(device, scene, &options).map_err(|e| failure(&e))?;
    let play = args.scene.animation.unwrap_or_default();
    let pose = |number: u32| {
        let time = args.time + f64::from(number) / args.frames.fps;
        animate::frame(scene, play, time as f32).map_err(|e| failure(&e))
    };
    let first = pose(args.frames.range().start)?;
    let view = View::new(scene, &first, args.scene.camera, aspect).map_err(|e| e.in_file(&name))?;
    let mut warned = false;
    for number in args.frames.range().filter(|number| !args.frames.is_done(*number)) {
        let frame = pose(number)?;
        tracer.begin(&frame, view.camera(&frame)).map_err(|e| failure(&e))?;
        if !std::mem::replace(&mut warned, true) {
            tracer.warnings().iter().for_each(|warning| report::warn(&format!("{name}: {warning}")));
        }
        gather(args, &mut tracer).map_err(|e| failure(&e))?;
        for (sums, file) in added.iter().zip(&path.add) {
            tracer
                .add_sums(sums)
                .map_err(|e| Failure::device(&e, None).in_file(&file.display().to_string()))?;
        }
        if let Some(file) = &path.sums {
            let bytes = tracer.sums().map_err(|e| failure(&e))?.to_bytes();
            quadrille::files::replace(file, &bytes).map_err(|e| Failure::file("write", file, &e))?;
        }
        match &mut out {
            Some(out) => out.put(number, &pixels(tracer.picture().map_err(|e| failure(&e))?)?)?,
            None => {
                let bytes = tracer.exr().map_err(|e| failure(&e))?;
                if let Some(file) = args.frames.path_of(number) {
                    quadrille::files::replace(&file, &bytes)
                        .map_err(|e| Failure::file("write", &file, &e))?;
                }
            }
        }
    }
    out.map_or(Ok(()), Frames::finish)?;
    Ok(ExitCode::SUCCESS)
}

fn read_sums(file: &Path) -> Result<Sums> {
    watch::note(file);
    let bytes =
        quadrille::files::given(file, Sums::MAX_BYTES).map_err(|e| Failure::file("read", file, &e))?;
    Sums::from_bytes(&bytes).map_err(|e| Failure::device(&e, None).in_file(&file.display().to_string()))
}

/// Adds the samples of a frame, until there are enough.
fn gather(args: &Args, tracer: &mut Tracer<'_>) -> quadrille::Result<()> {
    let path = &args.scene.path;
    let samples = match args.samples.clone() {
        None => 0..SAMPLES,
        Some(Samples::Number(n)) => 0..n,
        Some(Samples::Part(part)) => part,
    };
    let bar = progress(args, samples.len() as u64);
    let start = Instant::now();
    let limit = path.time_limit.map(Duration::from_secs_f64);
    // Reading the noise takes time, so that it is read at most once a second for the progress bar.
    let mut read = start;
    tracer.add(samples, |state| {
        bar.set_position(u64::from(state.done));
        let show = !bar.is_hidden() && read.elapsed() >= Duration::from_secs(1);
        let mut enough = limit.is_some_and(|limit| start.elapsed() >= limit);
        if show || path.noise.is_some() {
            let noise = state.noise();
            read = Instant::now();
            bar.set_message(format!("noise {noise:.4}"));
            // The estimate of very few samples is not reliable.
            enough |= state.done >= 16 && path.noise.is_some_and(|least| noise <= least);
        }
        !enough
    })?;
    bar.finish_and_clear();
    Ok(())
}

/// The progress bar for a number of samples.
fn progress(args: &Args, samples: u64) -> ProgressBar {
    let bar = args::progress_of(args, Some(samples as usize));
    if let Ok(style) = ProgressStyle::with_template("{bar:40} sample {pos} of {len}, {msg}, {eta} left") {
        bar.set_style(style);
    }
    bar
}
