//! `quadrille render`: draws a fragment shader over a whole picture, or a scene; one frame or many.
//!
//! [`crate::args`] has the options of pictures, [`scene`] draws scenes, and [`toy`] draws Shadertoys with several passes.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use image::RgbaImage;
use quadrille::apps::picture::{NamedTexture, Renderer, RendererDesc, UniformValue, ValueFrom};
use quadrille::frontend::Stage;
use quadrille::{AddressMode, Device, Filter, SamplerDesc, Watching};

use crate::again::for_a_while;
use crate::allow;
use crate::args::{Args as PictureArgs, inputs, progress};
use crate::coverage::CoverageArgs;
use crate::endless;
use crate::entry;
use crate::frames::Frames;
use crate::given::Given;
use crate::picture;
use crate::report::{self, Failure, Result};
use crate::shader::{self, Shader};
use crate::{scene, toy, watch};

/// Render a fragment shader over a whole picture, a mesh by two shaders, or a scene (.gltf, .glb).
///
/// The shader may be written in GLSL, WGSL, AGSL or SPIR-V, or for Shadertoy (`mainImage`, with iTime,
/// iResolution, iMouse, iFrame, iChannel0..3). A folder or a JSON file is a whole Shadertoy.
#[derive(clap::Args)]
#[command(mut_arg("output", |output| output.required(true)), after_help = "\
Examples:
  quadrille render picture.frag -o picture.png
  quadrille render toy.glsl -o toy.png --size 1280x720 --time 2.5
  quadrille render toy.glsl -o out/frame-%04d.png --frames 0..120 --fps 30
  quadrille render toy.glsl -o toy.gif --frames 0..100 --fps 25 --size 320x180
  quadrille render toy.glsl -o - --format y4m --frames 0..240 | ffmpeg -i - toy.mp4
  quadrille render toy.glsl -o - --format rgba --frames 0..240 \\
      | ffmpeg -f rawvideo -pixel_format rgba -video_size 640x360 -framerate 60 -i - toy.mp4
  quadrille render folder/ -o toy.png --frames 0..120 --animated --sound toy.wav
  quadrille render filter.wgsl -o out.png --texture photo.jpg
  quadrille render picture.frag -o picture.png -I shaders/lib -D STEPS=64 --uniform glow=0.5 --watch
  quadrille render look.vert look.frag -o look.png --mesh model.obj --samples 4
  quadrille render ripple.agsl -o out.png --uniform center=320,180 --shader image=photo.png
  quadrille render scene.glb -o scene.png --size 960x540 --environment studio.hdr
  quadrille render scene.gltf -o turn.gif --frames 0..50 --fps 25 --camera 1
  quadrille render scene.glb -o turn.gif --frames 0..100 --fps 25 --turntable=4 --background transparent
  quadrille render scene.glb -o scene.exr --exposure 0.5
  quadrille render scene.glb -o scene.png --path-trace --samples 512
  quadrille render scene.glb -o scene.png --path-trace --samples 100000 --noise 0.01 --time-limit 600
  quadrille render scene.glb -o part.png --path-trace --samples 0..64 --sums first.sums
  quadrille render scene.glb -o whole.png --path-trace --samples 64..128 --add first.sums

Inputs: a uniform block or push constants, in any set and binding, with members named
  time (float)  resolution (vec2)  frame (int)  mouse (vec4)  time_delta  frame_rate  date
with or without the prefixes `i`, `u`, `u_`; a shader may use all, some or none. In GLSL they may
also be uniforms outside a block. Textures are bound to the shader's texture bindings in ascending order
(Shadertoy: iChannel0..3); one sampler for all of them repeats and filters linearly. A vec2
input at location 0 runs from 0 to 1 across the picture. Coordinates start at the top left; for Shadertoy
and OpenGL GLSL (gl_FragColor, `#version 300 es`, uniforms outside blocks) at the bottom left.
--uniform sets any other member by its name, --shader a texture by its name.

A Shadertoy with several passes is a folder (image.glsl, common.glsl, buffer_a.glsl to buffer_d.glsl,
cube_a.glsl, sound.glsl; shadertoy.toml sets the contents of channels, as in [image] iChannel0 = \"buffer_a\")
or the JSON of the site's API. With feedback between passes, frames before the first are drawn, too, and
--time is reached frame by frame. -o NAME.wav writes only the sound.

A vertex shader draws --mesh or --vertices. Its inputs are matched by name: position, normal, uv or
texcoord, color, tangent, with any prefix and suffix (a_position, inNormal, aTexCoord0);
others are matched by location, in that order. Uniforms named mvp, model, view, projection, view_projection,
model_view, normal_matrix, camera or eye, light and light_dir (with or without `u_`, `Matrix`,
`Position`) receive a view that shows all of the mesh, or that of --eye and --target. Outputs without a
location are passed to the fragment shader by name. In WGSL both stages are in one file.

In AGSL, --shader binds a picture or another program to a child, or a picture to a parameter of the main()
of a colour filter or blender, by name. Pictures are premultiplied and do not repeat unless --tile
says so; the result is written without premultiplication.

The view of a scene is that of its first camera, or of --camera N. Scenes without a camera, and --camera none, show
everything. --turntable turns this last view, or that of --camera N, around the middle of the scene. Without
--environment a built-in sky lights the scene; scenes without lights also get its sun. An .exr file has
linear light; other formats are tone mapped (Khronos PBR Neutral).

--path-trace follows light between surfaces: soft shadows of whatever emits light, reflections, refraction,
absorption. Noise falls with the square root of --samples. The picture does not depend on the number of
threads. --sums and --add split the work: parts of the samples, added in any order, give the same picture. An
.exr file also has layers: albedo, normal, depth, and as integers object.id and material.id, the numbers of
the node and of the material from 1, or 0 for nothing, at the middle of each pixel.")]
pub struct Args {
    #[command(flatten)]
    given: Given,

    /// Draw again whenever a file that was read changes, until the command is stopped
    // With --resume, a file that exists would never be drawn again.
    #[arg(long, conflicts_with = "resume")]
    watch: bool,

    #[command(flatten)]
    coverage: CoverageArgs,

    #[command(flatten)]
    picture: PictureArgs,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let picture = &args.picture;
    args.given.check()?;
    args.coverage.counted(|watch| {
        let device = device(picture, watch)?;
        match args.watch {
            false => draw(picture, &device),
            true if picture.frames.is_stdout() || picture.shader.file == Path::new("-") => {
                Err(Failure::usage(
                    "--watch redraws a file whenever it changes: neither shader nor output can be `-`",
                ))
            }
            true => watch::run(|| draw(picture, &device)),
        }
        .map_err(|failure| with_loop(picture, failure))
    })
}

/// Adds the endless loop to a failure, if there was one.
pub fn with_loop(args: &PictureArgs, failure: Failure) -> Failure {
    let mut again = args.clone();
    again.again = Some(Duration::ZERO);
    again.frames.output = None;
    endless::with_loop(failure, move |device| {
        let device = device(again.threads.map(usize::from)).map_err(|e| Failure::device(&e, None))?;
        draw(&again, &device).map(drop)
    })
}

/// Draws with a watcher of the shaders.
pub fn run_watched(args: &PictureArgs, watch: Watching) -> Result<ExitCode> {
    draw(args, &device(args, Some(watch))?)
}

fn device(args: &PictureArgs, watch: Option<Watching>) -> Result<Device> {
    args.trace.check()?;
    shader::device_with(args.threads.map(usize::from), &args.trace, watch)
        .map_err(|e| Failure::device(&e, None))
}

/// Reads the inputs of the picture, and draws its frames.
pub fn draw(args: &PictureArgs, device: &Device) -> Result<ExitCode> {
    args.shader.allow.apply()?;
    let files = [Some(&args.shader.file), args.second.as_ref()];
    args.scene.check_turntable(files.into_iter().flatten().map(PathBuf::as_path))?;
    if toy::is_toy(args) {
        allow::included(&args.shader.includes)?;
        return toy::draw(args, device);
    }
    refuse_options_of_toys(args)?;
    if scene::is_scene(&args.shader.file) {
        return scene::draw(args, &args.shader.file, device);
    }
    args.scene.check_unused()?;
    if args.second.is_none() {
        args.shader.need_stage(Stage::Fragment, "a picture is drawn by")?;
    }
    draw_shaders(args, device)
}

/// Draws the frames of a fragment shader over the whole picture, or over a mesh.
fn draw_shaders(args: &PictureArgs, device: &Device) -> Result<ExitCode> {
    let (width, height) = args.size;
    let out = args.frames.open(width, height)?;
    let is_program = |file: &str| Path::new(file).extension().is_some_and(|e| e.eq_ignore_ascii_case("agsl"));
    let (programs, pictures): (Vec<_>, Vec<_>) = args.shaders.iter().partition(|(_, file)| is_program(file));
    let programs: Vec<(&str, &Path)> =
        programs.iter().map(|(n, file)| (n.as_str(), Path::new(file))).collect();
    let (shader, geometry) = args.mesh.load(&args.shader, args.second.as_deref(), args.origin, &programs)?;
    let background = args.background_of_mesh(geometry.is_some())?;
    let textures = args.texture.iter().map(|p| picture::load(p)).collect::<Result<Vec<_>>>()?;
    let named = Named::load(args, &pictures, shader.agsl.is_some())?;
    let named: Vec<NamedTexture<'_>> = named.iter().map(Named::texture).collect();
    let uniforms = uniforms(args)?;

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
        samples: args.multisampling()?.unwrap_or(1),
        textures: &textures,
        named: &named,
        uniforms: &uniforms,
        initial: &initial,
        premultiplied: shader.agsl.is_some(),
        geometry: geometry.as_ref().map(|geometry| args.mesh.describe(geometry, &shader, background)),
    };
    let vertex = geometry.as_ref().and_then(|g| g.vertex());
    let mut renderer =
        Renderer::new(device, &desc).map_err(|e| not_made(args, &shader, vertex, &e, (device, &desc)))?;
    renderer.draw_only(args.only);
    // A warning may be about either shader of a pair.
    let names = vertex.map_or(shader.name.clone(), |vertex| format!("{}, {}", vertex.name, shader.name));
    for warning in renderer.warnings().iter().filter(|_| args.again.is_none()) {
        report::warn(&format!("{names}: {warning}"));
    }
    if args.verbose {
        explain(args, &renderer, &shader)?;
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

/// The failure of a renderer, which is one of the command line if this names entry points that are not there, or gives values
/// that the shader does not take.
fn not_made(
    args: &PictureArgs,
    shader: &Shader,
    vertex: Option<&Shader>,
    error: &quadrille::Error,
    (device, desc): (&Device, &RendererDesc<'_>),
) -> Failure {
    let (entry, vertex) = (args.shader.entry.as_deref(), vertex.unwrap_or(shader));
    let failure = args.mesh.choosing(shader.error(error), vertex);
    let failure = entry::choosing(failure, ("--entry", entry), Stage::Fragment, [shader]);
    let fragment = entry::lack_entry(entry, Stage::Fragment, [shader]);
    let given = !desc.specialization.is_empty() || !desc.uniforms.is_empty();
    let plain = RendererDesc { specialization: &[], uniforms: &[], ..desc.clone() };
    let of_values = || shader::of_values(error, given, || Renderer::new(device, &plain).is_ok());
    match fragment || args.mesh.lack_entry(vertex) || of_values() {
        true => failure.of_usage(),
        false => failure,
    }
}

/// Notes the origin of a picture, and its uniforms in the first frame.
fn explain(args: &PictureArgs, renderer: &Renderer, shader: &Shader) -> Result<()> {
    report::note(&format!("origin {}", shader.origin));
    let first = args.frames.range().start;
    for value in renderer.uniform_values(&inputs(args, first)).map_err(|e| shader.error(&e))? {
        report::note(&describe(&value));
    }
    Ok(())
}

/// The uniforms that are set, by name.
fn uniforms(args: &PictureArgs) -> Result<Vec<(&str, &str)>> {
    let mut list: Vec<(&str, &str)> = Vec::new();
    for (name, value) in &args.uniforms {
        if list.iter().any(|(known, _)| known == name) {
            return Err(Failure::usage(format!("--uniform {name} is given twice")));
        }
        list.push((name, value));
    }
    Ok(list)
}

/// Refuses options that only Shadertoys have.
fn refuse_options_of_toys(args: &PictureArgs) -> Result<()> {
    if args.seconds.is_some() {
        return Err(Failure::usage("--seconds is for the sound of a Shadertoy: --sound or -o NAME.wav"));
    }
    if args.cube_side.is_some() {
        return Err(Failure::usage("--cube-side is for the cube map of a Shadertoy"));
    }
    Ok(())
}

/// Draws and writes all frames that are not done.
fn write_frames(
    args: &PictureArgs,
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
    fn load(args: &PictureArgs, pictures: &[&(String, String)], agsl: bool) -> Result<Vec<Named>> {
        let named =
            |name: &str| pictures.iter().copied().chain(&args.buffers).any(|(given, _)| given == name);
        if let Some((name, _)) = args.tiles.iter().find(|(name, _)| !named(name)) {
            return Err(Failure::usage(format!("--tile {name}: there is no picture of this name")));
        }
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
