//! `quadrille render`: a fragment shader over a whole picture, one frame or many.

use std::io::IsTerminal;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use quadrille::apps::inputs::Inputs;
use quadrille::apps::picture::{NamedTexture, Renderer, RendererDesc};
use quadrille::frontend::Stage;
use quadrille::{AddressMode, Filter, SamplerDesc};

use crate::out::make_folder;
use crate::picture::{self, parse_size};
use crate::report::{self, Failure, Result};
use crate::shader::{self, ShaderArgs};

/// Render a fragment shader over a whole picture.
///
/// The shader may be written in GLSL, WGSL, AGSL or SPIR-V, or for Shadertoy (`mainImage`, with iTime,
/// iResolution, iMouse, iFrame, iChannel0..3).
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  quadrille render picture.frag -o picture.png
  quadrille render toy.glsl -o toy.png --size 1280x720 --time 2.5
  quadrille render toy.glsl -o out/frame-%04d.png --frames 0..120 --fps 30
  quadrille render filter.wgsl -o out.png --texture photo.jpg
  quadrille render ripple.agsl -o out.png --uniform center=320,180 --shader image=photo.png

Inputs: a uniform block or push constants, in any set and binding, whose members are called
  time (float)  resolution (vec2)  frame (int)  mouse (vec4)  time_delta  frame_rate  date
with or without the prefixes `i`, `u`, `u_`; a shader may take all, some or none. In GLSL they may
also be uniforms outside a block. Textures go to the shader's texture bindings in ascending order
(Shadertoy: iChannel0..3); one sampler for all of them repeats and filters linearly. A vec2
input at location 0 gets 0..1 over the picture. Coordinates start at the top left; for Shadertoy at
the bottom left. --uniform sets any other member by its name, --shader the texture of a name.
In AGSL, --shader binds a picture or another program to a child; what main() of a colour filter or
blender is given are pictures by the names of its parameters. Its pictures are premultiplied, do
not repeat unless --tile says so, and the result is written without premultiplication.")]
pub struct Args {
    #[command(flatten)]
    shader: ShaderArgs,

    /// Picture to write (.png or .jpg); with --frames a name with %d or %04d, or numbers are added
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "640x360", value_parser = parse_size)]
    size: (u32, u32),

    /// Samples per pixel, each shaded: 1, 2, 4, 8 or 16
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_samples)]
    samples: u32,

    /// Time in seconds (of the first frame)
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, allow_negative_numbers = true)]
    time: f64,

    /// Frames A up to B, B left out; time goes on by 1/fps
    #[arg(long, value_name = "A..B", value_parser = parse_frames)]
    frames: Option<Range<u32>>,

    /// Frames in a second
    #[arg(long, value_name = "N", default_value_t = 60.0)]
    fps: f64,

    /// Mouse in pixels: X,Y or X,Y,CLICKX,CLICKY
    #[arg(long, value_name = "X,Y", value_parser = parse_mouse, allow_negative_numbers = true)]
    mouse: Option<[f32; 4]>,

    /// Picture for the shader's next texture (PNG or JPEG); again for more
    #[arg(long, value_name = "FILE")]
    texture: Vec<PathBuf>,

    /// Value of a uniform by its name, as in --uniform color=1,0.5,0,1 or color=#ff8000; again for more
    #[arg(long = "uniform", value_name = "NAME=VALUES", value_parser = parse_pair)]
    uniforms: Vec<(String, String)>,

    /// Picture for the texture of a name; in AGSL also a program (.agsl) for a child; again for more
    #[arg(long = "shader", value_name = "NAME=FILE", value_parser = parse_pair)]
    shaders: Vec<(String, String)>,

    /// Picture of data that are no colours, for the texture of a name: sampled as it is, nearest texel
    #[arg(long = "buffer", value_name = "NAME=FILE", value_parser = parse_pair)]
    buffers: Vec<(String, String)>,

    /// What is outside of the picture of a name: clamp, repeat, mirror or decal (transparent)
    #[arg(long = "tile", value_name = "NAME=MODE", value_parser = parse_tile)]
    tiles: Vec<(String, AddressMode)>,

    /// Threads to use (default: one per processor); the picture does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// No progress bar
    #[arg(short, long)]
    quiet: bool,
}

fn parse_mouse(text: &str) -> std::result::Result<[f32; 4], String> {
    let numbers =
        text.split(',').map(|n| n.trim().parse::<f32>()).collect::<std::result::Result<Vec<_>, _>>();
    match numbers.as_deref() {
        Ok(&[x, y]) => Ok([x, y, 0.0, 0.0]),
        Ok(&[x, y, click_x, click_y]) => Ok([x, y, click_x, click_y]),
        _ => Err("give two or four numbers, as in 320,180".into()),
    }
}

fn parse_pair(text: &str) -> std::result::Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("give NAME=VALUE")?;
    Ok((name.trim().into(), value.trim().into()))
}

fn parse_tile(text: &str) -> std::result::Result<(String, AddressMode), String> {
    let (name, mode) = parse_pair(text)?;
    let mode = match mode.as_str() {
        "clamp" => AddressMode::ClampToEdge,
        "repeat" => AddressMode::Repeat,
        "mirror" => AddressMode::MirroredRepeat,
        "decal" => AddressMode::ClampToBorder,
        _ => return Err(format!("`{mode}` is not clamp, repeat, mirror or decal")),
    };
    Ok((name, mode))
}

fn parse_samples(text: &str) -> std::result::Result<u32, String> {
    let offered = |n: &u32| quadrille::LIMITS.sample_counts & n != 0 && n.is_power_of_two();
    text.trim().parse().ok().filter(offered).ok_or_else(|| "give 1, 2, 4, 8 or 16".into())
}

fn parse_frames(text: &str) -> std::result::Result<Range<u32>, String> {
    let (a, b) = text.split_once("..").ok_or("give the first frame and the end, as in 0..120")?;
    let number = |s: &str| s.trim().parse::<u32>().map_err(|_| format!("`{s}` is not the number of a frame"));
    let range = number(a)?..number(b)?;
    if range.is_empty() { Err(format!("no frame is in {text}")) } else { Ok(range) }
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    check_output(&args.output)?;
    if !(args.fps.is_finite() && args.fps > 0.0) {
        return Err(Failure::new("--fps takes a number above 0"));
    }
    let is_program = |file: &str| Path::new(file).extension().is_some_and(|e| e.eq_ignore_ascii_case("agsl"));
    let (programs, pictures): (Vec<_>, Vec<_>) = args.shaders.iter().partition(|(_, file)| is_program(file));
    let programs: Vec<(&str, &Path)> =
        programs.iter().map(|(n, file)| (n.as_str(), Path::new(file))).collect();
    let shader = shader::load_with(&args.shader, Stage::Fragment, true, &programs)?;
    let textures = args.texture.iter().map(|p| picture::load(p)).collect::<Result<Vec<_>>>()?;
    let named = Named::load(args, &pictures, shader.agsl.is_some())?;
    let named: Vec<NamedTexture<'_>> = named.iter().map(Named::texture).collect();
    let uniforms: Vec<(&str, &str)> =
        args.uniforms.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();

    let device = shader::device(args.threads.map(usize::from)).map_err(|e| shader.error(&e))?;
    let (width, height) = args.size;
    let desc = RendererDesc {
        words: &shader.words,
        entry: args.shader.entry.as_deref(),
        specialization: &shader::spec(&args.shader, &shader)?,
        shadertoy: shader.shadertoy,
        width,
        height,
        samples: args.samples,
        textures: &textures,
        named: &named,
        uniforms: &uniforms,
        premultiplied: shader.agsl.is_some(),
    };
    let mut renderer = Renderer::new(&device, &desc).map_err(|e| shader.error(&e))?;
    for warning in renderer.warnings() {
        report::warn(&format!("{}: {warning}", shader.name));
    }

    let frames = args.frames.clone().unwrap_or(0..1);
    let names = Names::new(&args.output, args.frames.as_ref());
    let bar = progress(args, &frames);
    for frame in frames {
        let time = args.time + f64::from(frame) / args.fps;
        let mut inputs = Inputs::new(width, height, time as f32, frame as i32);
        inputs.time_delta = (1.0 / args.fps) as f32;
        inputs.frame_rate = args.fps as f32;
        inputs.mouse = args.mouse.unwrap_or_default();
        let pixels = renderer.render(&inputs).map_err(|e| shader.error(&e))?;
        picture::save(&pixels, &names.of(frame))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(ExitCode::SUCCESS)
}

/// A picture for a texture by name.
struct Named {
    name: String,
    picture: image::RgbaImage,
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

fn progress(args: &Args, frames: &Range<u32>) -> ProgressBar {
    if args.quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    if args.frames.is_none() {
        let spinner = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} rendering for {elapsed}") {
            spinner.set_style(style);
        }
        spinner.enable_steady_tick(Duration::from_millis(200));
        return spinner;
    }
    let bar = ProgressBar::new(frames.len() as u64);
    // The template is constant; were it wrong, the plain bar remains.
    if let Ok(style) = ProgressStyle::with_template("{bar:40} frame {pos} of {len}, {per_sec}, {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// Names of the pictures.
struct Names {
    before: String,
    after: String,
    /// Digits of the number; `None` if there is no number.
    digits: Option<usize>,
}

impl Names {
    fn new(output: &Path, frames: Option<&Range<u32>>) -> Names {
        let text = output.to_string_lossy().into_owned();
        let Some(frames) = frames else { return Names { before: text, after: String::new(), digits: None } };
        if let Some((before, digits, after)) = printf_number(&text) {
            return Names { before: before.into(), after: after.into(), digits: Some(digits) };
        }
        let extension = output.extension().map_or(String::new(), |e| format!(".{}", e.to_string_lossy()));
        let stem = text.strip_suffix(&extension).unwrap_or(&text);
        let digits = frames.end.saturating_sub(1).to_string().len().max(4);
        Names { before: format!("{stem}-"), after: extension, digits: Some(digits) }
    }

    fn of(&self, frame: u32) -> PathBuf {
        match self.digits {
            Some(digits) => format!("{}{frame:0digits$}{}", self.before, self.after).into(),
            None => self.before.clone().into(),
        }
    }
}

/// Finds `%d`, `%4d` or `%04d`: text before, digits, text after.
fn printf_number(text: &str) -> Option<(&str, usize, &str)> {
    text.match_indices('%').find_map(|(at, _)| {
        let rest = &text[at + 1..];
        let end = rest.find(|c: char| !c.is_ascii_digit())?;
        let after = rest[end..].strip_prefix('d')?;
        let digits = if end == 0 { 1 } else { rest[..end].parse().ok().filter(|n| *n <= 20)? };
        Some((&text[..at], digits, after))
    })
}

fn check_output(path: &Path) -> Result<()> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    if !matches!(extension.as_str(), "png" | "jpg" | "jpeg") {
        return Err(Failure::new(format!("{}: pictures are written as .png or .jpg", path.display()))
            .help("for example -o picture.png"));
    }
    make_folder(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_frames() {
        assert_eq!(parse_size("640x360"), Ok((640, 360)));
        for bad in ["", "640", "0x1", "1x99999", "-1x2", "axb"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
        assert_eq!(parse_frames("2..5"), Ok(2..5));
        for bad in ["", "5", "5..5", "6..5", "a..b"] {
            assert!(parse_frames(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn mouse() {
        assert_eq!(parse_mouse("1,-2.5"), Ok([1.0, -2.5, 0.0, 0.0]));
        assert_eq!(parse_mouse("1,2,3,4"), Ok([1.0, 2.0, 3.0, 4.0]));
        assert!(parse_mouse("1").is_err() && parse_mouse("1,2,3").is_err() && parse_mouse("a,b").is_err());
    }

    #[test]
    fn names() {
        let name = |output: &str, frames: Option<Range<u32>>, frame| {
            Names::new(Path::new(output), frames.as_ref()).of(frame).to_string_lossy().into_owned()
        };
        assert_eq!(name("a.png", None, 0), "a.png");
        assert_eq!(name("a%d.png", None, 0), "a%d.png");
        assert_eq!(name("a%d.png", Some(0..20), 12), "a12.png");
        assert_eq!(name("a%03d.png", Some(0..20), 12), "a012.png");
        assert_eq!(name("100%/a.png", Some(0..20), 12), "100%/a-0012.png");
        assert_eq!(name("a%99999999999999999999d.png", Some(0..2), 1), "a%99999999999999999999d-0001.png");
    }
}
