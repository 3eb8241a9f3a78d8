//! `quadrille render` of a whole Shadertoy: a folder, the site's JSON, or a file with only sound.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use quadrille::Device;
use quadrille::apps::shadertoy::{
    PassId, Renderer, RendererDesc, SAMPLE_RATE, ShadertoyError, ShadertoyProject, SoundRenderer,
};
use quadrille::frontend::{self, Includes, Language, Options, ShadertoyPass, SourceText, is_shadertoy};

use crate::again::for_a_while;
use crate::allow;
use crate::args::{self, Args};
use crate::out::make_folder;
use crate::report::{self, Failure, Result};
use crate::shader;
use crate::watch;
use crate::wav;

/// Default number of seconds of sound.
const SECONDS: f64 = 10.0;

fn is_wav(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("wav"))
}

/// The output file, if it is only for sound.
fn wav_alone(args: &Args) -> Option<&PathBuf> {
    args.frames.output.as_ref().filter(|output| is_wav(output))
}

/// True if a whole Shadertoy is requested, or its sound.
pub fn is_toy(args: &Args) -> bool {
    ShadertoyProject::is_project(&args.shader.file) || args.sound.is_some() || wav_alone(args).is_some()
}

/// Draws the frames and writes the sound.
pub fn draw(args: &Args, device: &Device) -> Result<ExitCode> {
    refuse(args)?;
    args.scene.check_unused()?;
    let project = load(args)?;
    for warning in project.warnings.iter().filter(|_| args.again.is_none()) {
        report::warn(&format!("{}: {warning}", project.name));
    }
    let options = Options {
        includes: Includes::in_folders(&args.shader.includes),
        defines: shader::defines(&args.shader)?,
        physical_lines: true,
        ..Options::default()
    };
    let done = run(args, device, &project, &options);
    options.includes.found().iter().for_each(|file| watch::note(Path::new(file)));
    done.map(|()| ExitCode::SUCCESS)
}

fn run(args: &Args, device: &Device, project: &ShadertoyProject, options: &Options) -> Result<()> {
    let alone = wav_alone(args);
    let file = alone.or(args.sound.as_ref());
    let sound = file.map(|file| sound(args, device, project, options, file)).transpose()?;
    if alone.is_none() {
        pictures(args, device, project, options)?;
    }
    let Some((mut sound, file, samples)) = sound.filter(|_| args.again.is_none()) else { return Ok(()) };
    make_folder(file)?;
    let mut wav = wav::Writer::create(file, samples.len() as u32, SAMPLE_RATE)?;
    for first in samples.clone().step_by(wav::BLOCK as usize) {
        let count = (samples.end - first).min(wav::BLOCK);
        wav.put(&sound.samples(first, count).map_err(|e| failure(project, e.into()))?)?;
    }
    wav.finish()
}

/// Rejects options that have no meaning for a Shadertoy.
fn refuse(args: &Args) -> Result<()> {
    if let (Some(output), Some(sound)) = (wav_alone(args), &args.sound) {
        let (output, sound) = (output.display(), sound.display());
        return Err(Failure::usage(format!("--output {output} and --sound {sound} are both for the sound"))
            .help("give one of them, or a picture with --output"));
    }
    if let (Some(output), Some(format)) = (wav_alone(args), args.frames.format) {
        let (output, format) = (output.display(), format.name());
        return Err(Failure::usage(format!("--format {format}: {output} has the extension of sound"))
            .help("give a picture with --output, and the sound with --sound"));
    }
    let background = args.background.map(|_| "--background");
    match args.of_shaders().or(background) {
        Some(option) => Err(Failure::usage(format!("{option} does not apply to a whole Shadertoy"))
            .help("shadertoy.toml sets the contents of its channels")),
        None => Ok(()),
    }
}

fn load(args: &Args) -> Result<ShadertoyProject> {
    let path = &args.shader.file;
    if !ShadertoyProject::is_project(path) {
        let (name, bytes) = shader::read(path)?;
        let text = frontend::text_of(&bytes, Language::Glsl, &Options::named(&name))?;
        let text = frontend::with_line_feeds(text).into_owned();
        let id = match is_shadertoy(&text) {
            true => PassId::Image,
            false if text.contains("mainSound") => PassId::Sound,
            false => {
                let name = path.display();
                return Err(Failure::usage(format!(
                    "{name} has no sound: it has neither `mainSound` nor `mainImage`"
                )));
            }
        };
        return Ok(ShadertoyProject::single(id, SourceText { name, text }));
    }
    note_files(path);
    allow::named(path);
    ShadertoyProject::load(path).map_err(|e| match e {
        quadrille::Error::Invalid { message, .. } => Failure::new(message),
        e => Failure::device(&e, None),
    })
}

/// Watches the files of a Shadertoy: it is drawn again when a file beside it changes.
fn note_files(path: &Path) {
    watch::note(path);
    let folder = if path.is_dir() { Some(path) } else { path.parent() };
    let folder = folder.filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.path();
        let extension = name.extension().and_then(|e| e.to_str()).unwrap_or_default();
        // Only input files, because output may be written here, too.
        if matches!(extension, "glsl" | "frag" | "toml" | "json" | "bin") {
            watch::note(&name);
        }
    }
}

/// An error of the Shadertoy, with the text of its pass.
fn failure(project: &ShadertoyProject, error: ShadertoyError) -> Failure {
    let error = match error {
        ShadertoyError::Compile(error) => return (*error).into(),
        ShadertoyError::Device(error) => error,
    };
    let texts = project.passes.iter().map(|p| &p.source).chain(&project.common);
    let text = match &error {
        quadrille::Error::Invalid { place, .. } | quadrille::Error::Unsupported { place, .. } => {
            texts.into_iter().find(|t| Some(&t.name) == place.file.as_ref())
        }
        _ => None,
    };
    Failure::device(&error, text.map(|t| (t.name.as_str(), t.text.as_str())))
}

/// Numbers of the frames to draw, and the time of frame 0.
///
/// With feedback between passes, a time is reached frame by frame.
fn frames(args: &Args, feeds_back: bool) -> (Range<u32>, f64) {
    match (&args.frames.frames, feeds_back) {
        (Some(frames), _) => (frames.clone(), args.time),
        (None, false) => (0..1, args.time),
        (None, true) => {
            let number = (args.time * args.frames.fps).round().clamp(0.0, f64::from(u32::MAX - 1)) as u32;
            (number..number + 1, 0.0)
        }
    }
}

fn pictures(args: &Args, device: &Device, project: &ShadertoyProject, options: &Options) -> Result<()> {
    let (width, height) = args.size;
    let mut out = args.frames.open(width, height)?;
    let desc = RendererDesc {
        samples: args.multisampling()?.unwrap_or(1),
        options: options.clone(),
        cube_side: args.cube_side.unwrap_or(ShadertoyPass::CUBE_SIDE),
        ..RendererDesc::new(width, height)
    };
    let mut renderer = Renderer::new(device, project, &desc).map_err(|e| failure(project, e))?;
    let (wanted, time_of_0) = frames(args, renderer.feeds_back());
    let feeds_back = renderer.feeds_back();
    let is_left = |frame: &u32| !args.frames.is_done(*frame);
    let Some(next) = wanted.clone().find(is_left) else { return out.finish() };
    let end = wanted.clone().rfind(is_left).map_or(next, |last| last + 1);
    let first = if feeds_back { 0 } else { next };
    if first < next {
        let last = next - 1;
        report::note(&format!("note: passes feed back: frames 0 to {last} are computed first"));
    }
    let all = first..end;
    if let Some(time) = args.again {
        let mut draw = |frame| renderer.render(&args::inputs_at(args, time_of_0, frame)).map(drop);
        return for_a_while(time, || {
            all.clone().try_for_each(&mut draw).map_err(|e| failure(project, e.into()))
        });
    }
    let bar = args::progress_of(args, (all.len() > 1).then_some(all.len()));
    for frame in all {
        let inputs = args::inputs_at(args, time_of_0, frame);
        if wanted.contains(&frame) && is_left(&frame) {
            let pixels = renderer.render(&inputs).map_err(|e| failure(project, e.into()))?;
            out.put(frame, &pixels)?;
        } else if feeds_back {
            renderer.advance(&inputs).map_err(|e| failure(project, e.into()))?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    out.finish()
}

/// The sound, its file and its range of samples, if there is a pass for it.
fn sound<'a>(
    args: &Args,
    device: &Device,
    project: &ShadertoyProject,
    options: &Options,
    file: &'a PathBuf,
) -> Result<(SoundRenderer, &'a PathBuf, Range<u32>)> {
    if !is_wav(file) {
        return Err(Failure::usage(format!("{}: sound is written as .wav", file.display())));
    }
    let sound = SoundRenderer::new(device, project, options).map_err(|e| failure(project, e))?;
    let sound = sound.ok_or_else(|| {
        Failure::usage(format!("{}: there is no sound", project.name))
            .help("add a pass sound.glsl with `mainSound`")
    })?;
    let fps = args.frames.fps;
    let frames = args.frames.frames.clone();
    let start = args.time + frames.as_ref().map_or(0.0, |f| f64::from(f.start) / fps);
    let seconds = args.seconds.or_else(|| frames.map(|f| f.len() as f64 / fps)).unwrap_or(SECONDS);
    let most = f64::from(wav::MAX_SAMPLES) / f64::from(SAMPLE_RATE);
    if !(seconds > 0.0 && start >= 0.0 && start + seconds <= most) {
        return Err(Failure::usage(format!(
            "sound from {start} s, {seconds} s long: it lasts up to {most:.0} s"
        )));
    }
    let sample = |time: f64| (time * f64::from(SAMPLE_RATE)).round() as u32;
    let first = sample(start);
    Ok((sound, file, first..first + sample(seconds).max(1)))
}
