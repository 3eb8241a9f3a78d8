//! `quadrille render scene.gltf --path-trace`: traces and writes the frames of a scene.

use std::path::Path;
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
use crate::report::{self, Failure, Result};
use crate::view::{View, pixels};
use crate::watch;

/// Samples per pixel, if the command line names no number.
const SAMPLES: u32 = 64;

/// Traces and writes the frames of a scene. `out` is `None` for .exr files.
pub fn draw(
    args: &Args,
    device: &Device,
    scene: &Scene,
    draw: DrawOptions,
    mut out: Option<Frames>,
) -> Result<ExitCode> {
    let path = &args.scene.path;
    let part = matches!(args.samples, Some(Samples::Part(_)));
    path.check(args.frames.frames.is_some(), args.frames.resume, part)?;
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
    let play = args.scene.play(scene).map_err(|e| e.in_file(&name))?;
    let time = |number: u32| args.time + f64::from(number) / args.frames.fps;
    let pose = |number: u32| animate::frame(scene, play, time(number) as f32).map_err(|e| failure(&e));
    let first = pose(args.frames.range().start)?;
    let view = View::new(scene, &first, &args.scene, aspect).map_err(|e| e.in_file(&name))?;
    let mut warned = false;
    for number in args.frames.range().filter(|number| !args.frames.is_done(*number)) {
        let frame = pose(number)?;
        tracer.begin(&frame, &view.camera(&frame, time(number))).map_err(|e| failure(&e))?;
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
