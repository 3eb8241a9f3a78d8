//! `quadrille render`: draws a fragment shader over a whole picture, or a scene; one frame or many.
//!
//! [`crate::args`] has the options, [`scene`] draws scenes, and [`toy`] draws Shadertoys with several passes.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use image::RgbaImage;
use quadrille::apps::picture::{NamedTexture, Renderer, RendererDesc, UniformValue, ValueFrom};
use quadrille::{AddressMode, Device, Filter, SamplerDesc, Watching};

use crate::again::for_a_while;
use crate::allow;
use crate::args::{Args, inputs, progress};
use crate::endless;
use crate::frames::Frames;
use crate::picture;
use crate::report::{self, Failure, Result};
use crate::rest::Temporary;
use crate::shader::{self, Shader};
use crate::{scene, toy, watch};

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    args.coverage.begin()?;
    args.coverage.end(run_watched(args, None).map_err(|failure| with_loop(args, failure)))
}

/// Adds the endless loop to a failure, if there was one.
pub fn with_loop(args: &Args, failure: Failure) -> Failure {
    let mut again = args.clone();
    again.again = Some(Duration::ZERO);
    endless::with_loop(failure, move |device| {
        let scratch = Temporary::new()?;
        again.frames.output = scratch.picture();
        let device = device(again.threads.map(usize::from)).map_err(|e| Failure::device(&e, None))?;
        draw(&again, &device).map(drop)
    })
}

/// Runs the subcommand with a watcher of the shaders.
pub fn run_watched(args: &Args, watch: Option<Watching>) -> Result<ExitCode> {
    let device = shader::device_with(args.threads.map(usize::from), &args.trace, watch)
        .map_err(|e| Failure::device(&e, None))?;
    if !args.watch {
        return draw(args, &device);
    }
    if args.frames.is_stdout() || args.shader.file == Path::new("-") {
        return Err(Failure::new(
            "--watch redraws a file whenever it changes: neither shader nor output can be `-`",
        ));
    }
    watch::run(|| draw(args, &device))
}

/// Reads the inputs of the picture, and draws its frames.
pub fn draw(args: &Args, device: &Device) -> Result<ExitCode> {
    args.shader.allow.apply()?;
    if toy::is_toy(args) {
        args.shader.includes.iter().for_each(|folder| allow::named(folder));
        return toy::draw(args, device);
    }
    refuse_options_of_toys(args)?;
    if scene::is_scene(&args.shader.file) {
        return scene::draw(args, &args.shader.file, device);
    }
    args.scene.check_unused()?;
    let (width, height) = args.size;
    let out = args.frames.open(width, height)?;
    let is_program = |file: &str| Path::new(file).extension().is_some_and(|e| e.eq_ignore_ascii_case("agsl"));
    let (programs, pictures): (Vec<_>, Vec<_>) = args.shaders.iter().partition(|(_, file)| is_program(file));
    let programs: Vec<(&str, &Path)> =
        programs.iter().map(|(n, file)| (n.as_str(), Path::new(file))).collect();
    let (shader, geometry) = args.mesh.load(&args.shader, args.second.as_deref(), args.origin, &programs)?;
    if args.background.is_some() && geometry.is_none() {
        return Err(Failure::new(
            "--background is an option of meshes and scenes: a shader alone covers the picture",
        ));
    }
    let textures = args.texture.iter().map(|p| picture::load(p)).collect::<Result<Vec<_>>>()?;
    let named = Named::load(args, &pictures, shader.agsl.is_some())?;
    let named: Vec<NamedTexture<'_>> = named.iter().map(Named::texture).collect();
    let uniforms: Vec<(&str, &str)> =
        args.uniforms.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();

    let shaders = || std::iter::once(&shader).chain(geometry.as_ref().and_then(|g| g.vertex()));
    shaders().filter(|_| args.again.is_none()).for_each(|shader| shader.warn_of_initial(&uniforms));
    let initial: Vec<(&str, &str)> = shaders().flat_map(Shader::initial).collect();
    let desc = RendererDesc {
        words: &shader.words,
        entry: args.shader.entry.as_deref(),
        specialization: &shader::spec(&args.shader, &shader)?,
        shadertoy: shader.shadertoy,
        origin: Some(shader.origin.origin),
        width,
        height,
        samples: args.samples.unwrap_or(1),
        textures: &textures,
        named: &named,
        uniforms: &uniforms,
        initial: &initial,
        premultiplied: shader.agsl.is_some(),
        geometry: geometry.as_ref().map(|geometry| args.mesh.describe(geometry, &shader, args.background)),
    };
    let mut renderer = Renderer::new(device, &desc).map_err(|e| shader.error(&e))?;
    renderer.draw_only(args.only);
    for warning in renderer.warnings().iter().filter(|_| args.again.is_none()) {
        report::warn(&format!("{}: {warning}", shader.name));
    }

    if args.verbose {
        report::note(&format!("origin {}", shader.origin));
        let first = args.frames.range().start;
        for value in renderer.uniform_values(&inputs(args, first)).map_err(|e| shader.error(&e))? {
            report::note(&describe(&value));
        }
    }

    match args.again {
        Some(time) => {
            let mut draw =
                |frame| renderer.render(&inputs(args, frame)).map(drop).map_err(|e| shader.error(&e));
            for_a_while(time, || args.frames.range().try_for_each(&mut draw))?;
        }
        None => {
            write_frames(args, out, |frame| {
                renderer.render(&inputs(args, frame)).map_err(|e| shader.error(&e))
            })?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses options that only Shadertoys have.
fn refuse_options_of_toys(args: &Args) -> Result<()> {
    if args.seconds.is_some() {
        return Err(Failure::new("--seconds is for the sound of a Shadertoy: --sound or -o NAME.wav"));
    }
    if args.cube_side.is_some() {
        return Err(Failure::new("--cube-side is for the cube map of a Shadertoy"));
    }
    Ok(())
}

/// Draws and writes all frames that are not done.
fn write_frames(
    args: &Args,
    mut out: Frames,
    mut render: impl FnMut(u32) -> Result<RgbaImage>,
) -> Result<()> {
    let bar = progress(args);
    for frame in args.frames.range() {
        if !args.frames.is_done(frame) {
            out.put(frame, &render(frame)?)?;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    out.finish()
}

/// Formats a uniform: `color: vec3 at set 0, binding 0, byte 16 = 1, 0.5, 0 (given)`.
fn describe(uniform: &UniformValue) -> String {
    let UniformValue { name, ty, place, offset, value, from } = uniform;
    let from = match from {
        ValueFrom::Given => "given",
        ValueFrom::Inputs => "input",
        ValueFrom::Initial => "as the shader says",
        ValueFrom::Nothing => "no value",
    };
    format!("uniform {name}: {ty} at {place}, byte {offset} = {value} ({from})")
}

/// A picture for a texture by name.
struct Named {
    name: String,
    picture: image::DynamicImage,
    sampler: Option<SamplerDesc>,
    raw: bool,
}

impl Named {
    fn load(args: &Args, pictures: &[&(String, String)], agsl: bool) -> Result<Vec<Named>> {
        let pictures = pictures.iter().map(|pair| (*pair, false));
        let all = pictures.chain(args.buffers.iter().map(|pair| (pair, true)));
        all.map(|((name, file), raw)| {
            let tile = args.tiles.iter().find(|(tiled, _)| tiled == name).map(|(_, mode)| *mode);
            let filter = if raw { Filter::Nearest } else { Filter::Linear };
            let sampler = (agsl || raw || tile.is_some()).then(|| SamplerDesc {
                mag_filter: filter,
                min_filter: filter,
                mipmap_mode: filter,
                address: [tile.unwrap_or(AddressMode::ClampToEdge); 3],
                ..SamplerDesc::default()
            });
            Ok(Named { name: name.clone(), picture: picture::load(Path::new(file))?, sampler, raw })
        })
        .collect()
    }

    fn texture(&self) -> NamedTexture<'_> {
        NamedTexture { name: &self.name, picture: &self.picture, sampler: self.sampler, raw: self.raw }
    }
}
