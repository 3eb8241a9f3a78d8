//! Options of a picture, the shader inputs of a frame, and the progress bar.

use std::io::IsTerminal;
use std::ops::Range;
use std::path::PathBuf;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use quadrille::AddressMode;
use quadrille::apps::inputs::Inputs;
use quadrille::data::pixels::parse_size;
use quadrille::frontend::Origin;

use crate::frames::FrameArgs;
use crate::mesh::MeshArgs;
use crate::number::parse_finite;
use crate::report::Failure;
use crate::scene_args::SceneArgs;
use crate::shader::ShaderArgs;
use crate::trace::TraceArgs;

/// A picture: of a fragment shader, a Shadertoy, a mesh or a scene.
#[derive(Clone, clap::Args)]
#[group(skip)]
pub struct Args {
    #[command(flatten)]
    pub shader: ShaderArgs,

    /// The other shader of a vertex and fragment pair
    #[arg(value_name = "FILE2", index = 2)]
    pub second: Option<PathBuf>,

    #[command(flatten)]
    pub frames: FrameArgs,

    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "640x360", value_parser = parse_size)]
    pub size: (u32, u32),

    /// Samples per pixel: 1, 2, 4, 8 or 16; shaders run once per sample (default: 1, for scenes 4). With --path-trace
    /// any number (default: 64), or A..B for the samples from A to B, excluding B
    #[arg(long, value_name = "N", value_parser = parse_samples)]
    pub samples: Option<Samples>,

    /// Time in seconds (of the first frame)
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = parse_finite)]
    pub time: f64,

    /// Mouse in pixels: X,Y or X,Y,CLICKX,CLICKY
    #[arg(long, value_name = "X,Y", value_parser = parse_mouse)]
    pub mouse: Option<[f32; 4]>,

    /// Date and time of time 0, as in 2026-02-28 or 2026-02-28T18:30:00 (default: all 0, so that pictures are
    /// reproducible)
    #[arg(long, value_name = "DATE", value_parser = parse_date)]
    pub date: Option<[f64; 4]>,

    /// Picture for the shader's next texture (PNG, JPEG, HDR, EXR; floats stay floats); repeatable
    #[arg(long, value_name = "FILE")]
    pub texture: Vec<PathBuf>,

    /// Value of a uniform by its name, as in --uniform color=1,0.5,0,1 or color=#ff8000; repeatable
    #[arg(long = "uniform", value_name = "NAME=VALUES", value_parser = parse_pair)]
    pub uniforms: Vec<(String, String)>,

    /// Picture for the texture NAME; in AGSL also a program (.agsl) for the child NAME; repeatable
    #[arg(long = "shader", value_name = "NAME=FILE", value_parser = parse_pair)]
    pub shaders: Vec<(String, String)>,

    /// Picture of data, not of colours, for the texture NAME: texels stay unchanged, the filter is nearest
    #[arg(long = "buffer", value_name = "NAME=FILE", value_parser = parse_pair)]
    pub buffers: Vec<(String, String)>,

    /// Address mode of the texture NAME, outside of its picture: clamp, repeat, mirror or decal (transparent)
    #[arg(long = "tile", value_name = "NAME=MODE", value_parser = parse_tile)]
    pub tiles: Vec<(String, AddressMode)>,

    /// Origin of coordinates: upper-left as in Vulkan, lower-left as in OpenGL (default: derived from the text of the
    /// shader; --verbose prints it)
    #[arg(long, value_name = "CORNER")]
    pub origin: Option<Origin>,

    /// Threads to use (default: one per processor); the picture does not depend on the number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,

    #[command(flatten)]
    pub trace: TraceArgs,

    /// Draws the frames repeatedly for this time, and does not write them.
    #[arg(skip)]
    pub again: Option<Duration>,

    /// True if the pictures are discarded, so that preparation of scenes may be coarse.
    #[arg(skip)]
    pub draft: bool,

    /// Shadertoy: side of the faces of its cube map (default 1024, as on the site)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub cube_side: Option<u32>,

    /// Shadertoy: file for the sound (.wav), in addition to the picture
    #[arg(long, value_name = "FILE")]
    pub sound: Option<PathBuf>,

    /// Shadertoy: seconds of sound (default: the duration of the frames, or 10)
    #[arg(long, value_name = "N", value_parser = parse_finite)]
    pub seconds: Option<f64>,

    /// Background colour, as in #ff8000: behind a mesh, or behind a scene instead of the environment; `transparent` for a
    /// scene in a picture with alpha
    #[arg(long, value_name = "COLOR", value_parser = parse_background)]
    pub(crate) background: Option<Background>,

    /// Draw only a part: X,Y,WIDTH,HEIGHT (for the debugger)
    #[arg(long, hide = true, value_parser = parse_area)]
    pub only: Option<quadrille::Rect>,

    /// Print the origin with its reason, and each uniform with its value in the first frame
    #[arg(short, long)]
    pub verbose: bool,

    /// Hide the progress bar
    #[arg(short, long)]
    pub quiet: bool,

    // These come last, because later options would appear under their headings.
    #[command(flatten)]
    pub mesh: MeshArgs,

    #[command(flatten)]
    pub scene: SceneArgs,
}

fn parse_area(text: &str) -> Result<quadrille::Rect, String> {
    let numbers = text.split(',').map(|n| n.trim().parse::<u32>()).collect::<Result<Vec<_>, _>>();
    match numbers.as_deref() {
        Ok(&[x, y, width, height]) if x.max(y) < 1 << 20 => {
            Ok(quadrille::Rect { x: x as i32, y: y as i32, width, height })
        }
        _ => Err("give four numbers".into()),
    }
}

fn parse_mouse(text: &str) -> Result<[f32; 4], String> {
    let numbers = text.split(',').map(|n| parse_finite(n).map(|n| n as f32)).collect::<Result<Vec<_>, _>>();
    match numbers.as_deref() {
        Ok(&[x, y]) => Ok([x, y, 0.0, 0.0]),
        Ok(&[x, y, click_x, click_y]) => Ok([x, y, click_x, click_y]),
        _ => Err("give two or four numbers, as in 320,180".into()),
    }
}

/// Parses a date: year, month from 0 as in Shadertoy, day, second of the day.
fn parse_date(text: &str) -> Result<[f64; 4], String> {
    let numbers = |text: &str, between: char| -> Option<[u32; 3]> {
        let numbers: Vec<u32> = text.split(between).map(|n| n.parse().ok()).collect::<Option<_>>()?;
        numbers.try_into().ok()
    };
    let length = |year: u32, month: u32| match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let (date, time) = text.split_once(['T', ' ']).unwrap_or((text, "0:0:0"));
    match (numbers(date, '-'), numbers(time, ':')) {
        (
            Some([year @ 0..=9999, month @ 1..=12, day @ 1..=31]),
            Some([h @ 0..=23, m @ 0..=59, s @ 0..=59]),
        ) if day <= length(year, month) => Ok([year, month - 1, day, 3600 * h + 60 * m + s].map(f64::from)),
        _ => Err("give a date, as in 2026-02-28 or 2026-02-28T18:30:00".into()),
    }
}

fn parse_pair(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
    let (name, value) =
        pair.filter(|(name, value)| !name.is_empty() && !value.is_empty()).ok_or("give NAME=VALUE")?;
    Ok((name.into(), value.into()))
}

fn parse_tile(text: &str) -> Result<(String, AddressMode), String> {
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

/// Parses a colour into components from 0 to 1.
pub(crate) fn parse_color(text: &str) -> Result<[f32; 3], String> {
    let digits = text.trim().strip_prefix('#').filter(|d| d.len() == 6 && d.is_ascii());
    let number =
        digits.and_then(|d| u32::from_str_radix(d, 16).ok()).ok_or("give a colour, as in #ff8000")?;
    Ok([16, 8, 0].map(|shift| (number >> shift & 0xff) as f32 / 255.0))
}

/// `--background`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Background {
    /// A colour, with components from 0 to 1.
    Color([f32; 3]),
    /// Nothing: pixels have alpha.
    Transparent,
}

fn parse_background(text: &str) -> Result<Background, String> {
    match text.trim() {
        "transparent" => Ok(Background::Transparent),
        color => parse_color(color).map(Background::Color).map_err(|e| format!("{e}, or transparent")),
    }
}

/// Samples of each pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Samples {
    /// A number of samples.
    Number(u32),
    /// The samples of a range, for a part of a path-traced picture.
    Part(Range<u32>),
}

fn parse_samples(text: &str) -> Result<Samples, String> {
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let explain = || format!("give a number from 1 to {0}, or A..B with A less than B, up to {0}", u32::MAX);
    let parsed = match text.split_once("..") {
        Some((from, to)) => number(from).zip(number(to)).filter(|(from, to)| from < to),
        None => return number(text).filter(|n| *n > 0).map(Samples::Number).ok_or_else(explain),
    };
    parsed.map(|(from, to)| Samples::Part(from..to)).ok_or_else(explain)
}

impl Args {
    /// Number of samples per pixel of rasterized pictures, if it is given.
    pub fn multisampling(&self) -> crate::report::Result<Option<u32>> {
        let offered = |n: u32| quadrille::LIMITS.sample_counts & n != 0 && n.is_power_of_two();
        match self.samples {
            None => Ok(None),
            Some(Samples::Number(n)) if offered(n) => Ok(Some(n)),
            Some(Samples::Number(_)) => {
                Err(Failure::usage("--samples: give 1, 2, 4, 8 or 16")
                    .help("other numbers are for --path-trace"))
            }
            Some(Samples::Part(_)) => Err(Failure::usage("--samples A..B needs --path-trace")),
        }
    }

    /// Background of the picture of a shader, which must be that of a mesh.
    pub fn background_of_mesh(&self, mesh: bool) -> crate::report::Result<Option<[f32; 3]>> {
        match self.background {
            None => Ok(None),
            Some(_) if !mesh => Err(Failure::usage(
                "--background is an option of meshes and scenes: a shader alone covers the picture",
            )),
            Some(Background::Color(color)) => Ok(Some(color)),
            Some(Background::Transparent) => {
                Err(Failure::usage("--background transparent is for scenes: .gltf or .glb"))
            }
        }
    }

    /// Name of the first given option that only applies to a single shader.
    pub fn of_shaders(&self) -> Option<&'static str> {
        let given = [
            ("--texture", !self.texture.is_empty()),
            ("--uniform", !self.uniforms.is_empty()),
            ("--shader", !self.shaders.is_empty()),
            ("--buffer", !self.buffers.is_empty()),
            ("--tile", !self.tiles.is_empty()),
            ("--origin", self.origin.is_some()),
            ("--spec", !self.shader.spec.is_empty()),
            ("--entry", self.shader.entry.is_some()),
            ("--strict", self.shader.strict),
            ("a second file", self.second.is_some()),
            ("an option of vertex shaders", self.mesh.is_given()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }

    /// Name of the first given option that applies to pictures of any shader, but not to scenes.
    pub fn of_shaders_and_toys(&self) -> Option<&'static str> {
        let given = [
            ("--lang", self.shader.lang.is_some()),
            ("--stage", self.shader.stage.is_some()),
            ("-D", !self.shader.defines.is_empty()),
            ("-I", !self.shader.includes.is_empty()),
            ("--mouse", self.mouse.is_some()),
            ("--date", self.date.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }
}

/// The shader inputs of a frame.
pub fn inputs(args: &Args, frame: u32) -> Inputs {
    inputs_at(args, args.time, frame)
}

/// The shader inputs of a frame, if frame 0 is at `time`.
pub fn inputs_at(args: &Args, time: f64, frame: u32) -> Inputs {
    let ((width, height), fps) = (args.size, args.frames.fps);
    let time = time + f64::from(frame) / fps;
    let mut inputs = Inputs::new(width, height, time as f32, frame as i32);
    inputs.time_delta = (1.0 / fps) as f32;
    inputs.frame_rate = fps as f32;
    inputs.mouse = args.mouse.unwrap_or_default();
    if let Some([year, month, day, second]) = args.date {
        // The time of day wraps around; the day does not change.
        inputs.date = [year, month, day, (second + time).rem_euclid(86_400.0)].map(|v| v as f32);
    }
    inputs
}

/// The progress bar for the requested frames.
pub fn progress(args: &Args) -> ProgressBar {
    progress_of(args, args.frames.frames.as_ref().map(ExactSizeIterator::len))
}

/// The progress bar for a number of frames, or a spinner for one picture.
pub fn progress_of(args: &Args, frames: Option<usize>) -> ProgressBar {
    if args.quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let Some(frames) = frames else {
        let spinner = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} rendering for {elapsed}") {
            spinner.set_style(style);
        }
        spinner.enable_steady_tick(Duration::from_millis(200));
        return spinner;
    };
    let bar = ProgressBar::new(frames as u64);
    // The template is constant; if it were wrong, the plain bar would remain.
    if let Ok(style) = ProgressStyle::with_template("{bar:40} frame {pos} of {len}, {per_sec}, {eta} left") {
        bar.set_style(style);
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(parse_size("640x360"), Ok((640, 360)));
        for bad in ["", "640", "0x1", "1x99999", "-1x2", "axb"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn dates() {
        assert_eq!(parse_date("2026-02-28"), Ok([2026.0, 1.0, 28.0, 0.0]));
        assert_eq!(parse_date("2026-12-01T01:02:03"), Ok([2026.0, 11.0, 1.0, 3723.0]));
        assert_eq!(parse_date("2024-02-29"), Ok([2024.0, 1.0, 29.0, 0.0]));
        for bad in ["2026-02-29", "1900-02-29", "2000-02-30", "2026-04-31", "2026-12-32", "2026-01-00"] {
            assert!(parse_date(bad).is_err(), "{bad}");
        }
        for bad in ["", "2026", "2026-13-01", "2026-1-1T24:0:0", "2026-1-1T1", "-1-1-1"] {
            assert!(parse_date(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn samples() {
        assert_eq!(parse_samples("512"), Ok(Samples::Number(512)));
        assert_eq!(parse_samples("64..128"), Ok(Samples::Part(64..128)));
        for bad in ["", "0", "-1", "4..4", "5..4", "..4", "4..", "x"] {
            assert!(parse_samples(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn mouse() {
        assert_eq!(parse_mouse("1,-2.5"), Ok([1.0, -2.5, 0.0, 0.0]));
        assert_eq!(parse_mouse("1,2,3,4"), Ok([1.0, 2.0, 3.0, 4.0]));
        assert!(
            parse_mouse("nan,1").is_err() && parse_finite("inf").is_err() && parse_finite("1e300").is_err()
        );
        assert!(parse_mouse("1").is_err() && parse_mouse("1,2,3").is_err() && parse_mouse("a,b").is_err());
    }
}
