//! `quadrille render scene.gltf`: draws a scene, one frame or many.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use quadrille::Device;
use quadrille_scene::animate;
use quadrille_scene::draw::{Environment, Options, Picture, Renderer};
use quadrille_scene::load::{self, Limits};

use crate::again::for_a_while;
use crate::args::{self, Args, Background};
use crate::frames::Frames;
use crate::out::make_folder;
use crate::path_trace;
use crate::report::{self, Failure, Result};
use crate::view::{View, pixels};
use crate::watch;

/// Converts an sRGB component to linear light.
fn linear(c: f32) -> f32 {
    if c <= 0.04045 { c / 12.92 } else { libm::powf((c + 0.055) / 1.055, 2.4) }
}

/// True if a name is that of a scene.
pub fn is_scene(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gltf") || e.eq_ignore_ascii_case("glb"))
}

/// Draws the frames of a scene.
pub fn draw(args: &Args, file: &Path, device: &Device) -> Result<ExitCode> {
    if let Some(option) = args.of_shaders().or(args.of_shaders_and_toys()) {
        let help = "a scene brings its own shaders, textures and materials";
        return Err(Failure::usage(format!("{option} does not apply to a scene"))
            .in_file(&file.display().to_string())
            .help(help));
    }
    let (width, height) = args.size;
    let mut out = open(args)?;
    let name = file.display().to_string();
    let failure = |e: &quadrille::Error| Failure::device(e, None).in_file(&name);

    watch::note(file);
    let scene = load::file(file, &Limits::default()).map_err(|e| failure(&e))?;
    for warning in scene.warnings.iter().filter(|_| args.again.is_none()) {
        report::warn(&format!("{name}: {warning}"));
    }
    let options = options(args)?;
    if args.scene.path.path_trace {
        return path_trace::draw(args, device, &scene, options, out);
    }
    let mut renderer = Renderer::new(device, &scene, &options).map_err(|e| failure(&e))?;
    let play = args.scene.play(&scene).map_err(|e| e.in_file(&name))?;
    let time = |number: u32| args.time + f64::from(number) / args.frames.fps;
    let pose = |number: u32| animate::frame(&scene, play, time(number) as f32).map_err(|e| failure(&e));
    let first = pose(args.frames.range().start)?;
    let view =
        View::new(&scene, &first, &args.scene, width as f32 / height as f32).map_err(|e| e.in_file(&name))?;

    let bar = args::progress(args);
    let mut warned = false;
    if let Some(long) = args.again {
        let mut draw = |number| {
            let frame = pose(number)?;
            renderer.render(&frame, &view.camera(&frame, time(number))).map(drop).map_err(|e| failure(&e))
        };
        for_a_while(long, || args.frames.range().try_for_each(&mut draw))?;
        return Ok(ExitCode::SUCCESS);
    }
    for number in args.frames.range() {
        if args.frames.is_done(number) {
            bar.inc(1);
            continue;
        }
        let frame = pose(number)?;
        let picture = renderer.render(&frame, &view.camera(&frame, time(number))).map_err(|e| failure(&e))?;
        if !std::mem::replace(&mut warned, true) {
            for warning in renderer.warnings() {
                report::warn(&format!("{name}: {warning}"));
            }
        }
        match &mut out {
            Some(out) => out.put(number, &pixels(picture)?)?,
            None => {
                args.frames.path_of(number).map_or(Ok(()), |path| write_exr(&picture, &path))?;
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let Some(out) = out {
        out.finish()?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Opens the output, or makes the folder of pictures of OpenEXR, which are files of their own.
fn open(args: &Args) -> Result<Option<Frames>> {
    let (width, height) = args.size;
    let is_exr = |path: &&PathBuf| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("exr"));
    let exr = args.frames.output.as_ref().filter(is_exr);
    if args.background == Some(Background::Transparent) && exr.is_none() && !args.frames.has_alpha()? {
        return Err(Failure::usage("--background transparent needs a format with alpha")
            .help("write .png, .apng, .gif, .exr or .rgba"));
    }
    match exr {
        Some(exr) if args.frames.format.is_some() || args.frames.animated => {
            let option = if args.frames.animated { "--animated" } else { "--format" };
            Err(Failure::usage(format!("{option}: {} has the extension of OpenEXR", exr.display())))
        }
        Some(exr) => make_folder(exr).map(|()| None),
        None => args.frames.open(width, height).map(Some),
    }
}

fn options(args: &Args) -> Result<Options> {
    let (width, height) = args.size;
    let mut options = Options::new(width, height);
    options.samples = match args.scene.path.path_trace {
        // Path tracing counts its samples differently.
        true => options.samples,
        false => args.multisampling()?.unwrap_or(options.samples),
    };
    options.exposure = args.scene.exposure.unwrap_or(options.exposure);
    options.environment_intensity = args.scene.ambient.unwrap_or(options.environment_intensity);
    options.draft_environment = args.draft;
    match args.background {
        Some(Background::Color(color)) => options.background = Some(color.map(linear)),
        Some(Background::Transparent) => options.transparent = true,
        None => {}
    }
    if let Some(file) = &args.scene.environment {
        watch::note(file);
        let panorama = load::panorama(file, &Limits::default()).map_err(|e| Failure::device(&e, None))?;
        options.environment = Environment::Panorama(panorama);
    }
    Ok(options)
}

fn write_exr(picture: &Picture, path: &Path) -> Result<()> {
    let bytes = picture.exr().map_err(|e| Failure::device(&e, None))?;
    quadrille::files::replace(path, &bytes).map_err(|e| Failure::file("write", path, &e))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::parse_color;

    #[test]
    fn colours_as_light() {
        assert_eq!(parse_color("#ff0000"), Ok([1.0, 0.0, 0.0]));
        let [r, g, b] = parse_color("#8000bc").unwrap().map(linear);
        assert!((r - 0.2158605).abs() < 1e-6 && g == 0.0 && (b - 0.5028865).abs() < 1e-6, "{r} {g} {b}");
        for bad in ["", "ff0000", "#ff00", "#gg0000", "#ff00000", "#ü0000"] {
            assert!(parse_color(bad).is_err(), "{bad}");
        }
    }
}
