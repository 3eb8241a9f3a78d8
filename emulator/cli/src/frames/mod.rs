//! Output of pictures: one file, numbered files, an animation, or raw frames on standard output.
//!
//! [`FrameArgs`] are the options of every command that draws. [`Frames`] writes one picture after another:
//!
//! ```text
//!   let frames = args.open(width, height)?;       before any work, to reject a wrong name early
//!   for number in args.range() { frames.put(number, &picture)?; }
//!   frames.finish()?;
//! ```
//!
//! The command determines the contents and the time of each picture.

mod animated_png;
mod gif;
mod names;
mod raw;

use std::io::{self, BufWriter, IsTerminal, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use image::RgbaImage;
use quadrille::data::pixels;
use quadrille::files::Unfinished;
use quadrille::reserve::BoundedFile;

use self::names::Names;
use crate::out::make_folder;
use crate::picture;
use crate::report::{self, Failure, Result};

/// `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// PNG, one file per frame
    Png,
    /// JPEG, one file per frame
    #[value(alias = "jpeg")]
    Jpg,
    /// Animated PNG
    Apng,
    /// GIF with 256 colours per frame
    Gif,
    /// Raw frames: bytes of red, green, blue, alpha
    Rgba,
    /// Raw frames: bytes of red, green, blue
    Rgb24,
    /// YUV4MPEG2: frames in Y'CbCr without subsampling, with size and rate
    Y4m,
}

impl Format {
    fn of(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "png" => Format::Png,
            "jpg" | "jpeg" => Format::Jpg,
            "apng" => Format::Apng,
            "gif" => Format::Gif,
            "rgba" => Format::Rgba,
            "rgb" | "rgb24" => Format::Rgb24,
            "y4m" => Format::Y4m,
            _ => return None,
        })
    }

    /// Value of `--format`.
    pub fn name(self) -> String {
        self.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
    }

    /// The format, or PNG for animated PNG, whose files may have the same extension.
    fn kind(self) -> Format {
        if self == Format::Apng { Format::Png } else { self }
    }

    /// Returns true for formats with one picture per file.
    fn is_still(self) -> bool {
        matches!(self, Format::Png | Format::Jpg)
    }
}

/// Options of frames and of their output.
#[derive(Clone, Debug, clap::Args)]
pub struct FrameArgs {
    /// Output file, in a folder that is made if there is none; the extension selects the format: .png, .jpg (with --frames a name with %d or %04d, or numbers are
    /// appended); .apng, .gif, .y4m, .rgba, .rgb
    // `None` discards the pictures.
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,

    /// Frames from A to B, excluding B; time advances by 1/fps
    #[arg(long, value_name = "A..B", value_parser = parse_frames)]
    pub frames: Option<Range<u32>>,

    /// Skip frames whose files exist, to continue an interrupted run; files are only ever written as a whole
    #[arg(long)]
    pub resume: bool,

    /// Frames per second; without --frames, for the inputs time_delta and frame_rate
    #[arg(long, value_name = "N", default_value_t = 60.0, value_parser = parse_rate)]
    pub fps: f64,

    /// Write an animated PNG to a .png file
    #[arg(long)]
    pub animated: bool,

    /// Output format, if the extension does not determine it
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<Format>,
}

impl FrameArgs {
    /// Numbers of the frames; only 0 without `--frames`.
    pub fn range(&self) -> Range<u32> {
        self.frames.clone().unwrap_or(0..1)
    }

    /// True if frames go to standard output, which must then carry nothing else.
    pub fn is_stdout(&self) -> bool {
        self.output.as_deref() == Some(Path::new("-"))
    }

    /// True if the file of a frame exists and must be kept.
    pub fn is_done(&self, frame: u32) -> bool {
        self.resume && self.path_of(frame).is_some_and(|path| path.is_file())
    }

    /// The file of a frame, for formats that [`Frames`] does not write; `None` if the pictures are discarded.
    pub fn path_of(&self, frame: u32) -> Option<PathBuf> {
        self.output.as_ref().map(|output| Names::new(output, self.frames.as_ref()).of(frame))
    }

    /// True if the output keeps alpha.
    pub fn has_alpha(&self) -> Result<bool> {
        let Some(output) = &self.output else { return Ok(true) };
        Ok(match self.format(output)? {
            Format::Png | Format::Apng | Format::Gif | Format::Rgba => true,
            Format::Jpg | Format::Rgb24 | Format::Y4m => false,
        })
    }

    /// True if the output is a picture that [`picture::load`] reads.
    pub fn is_picture(&self) -> Result<bool> {
        match &self.output {
            // Scenes also write OpenEXR.
            Some(output) if !pixels::is_picture(output) => {
                Ok(matches!(self.format(output)?, Format::Png | Format::Jpg | Format::Apng))
            }
            Some(_) | None => Ok(true),
        }
    }

    fn format(&self, output: &Path) -> Result<Format> {
        let by_name = Format::of(output);
        if let Some(asked) = self.format
            && output.extension().is_some_and(|e| e.eq_ignore_ascii_case("wav"))
        {
            let (asked, shown) = (asked.name(), output.display());
            return Err(Failure::usage(format!("--format {asked}: {shown} has the extension of sound")));
        }
        if let (Some(asked), Some(other)) = (self.format, by_name)
            && asked.kind() != other.kind()
        {
            let (asked, shown) = (asked.name(), output.display());
            return Err(Failure::usage(format!(
                "--format {asked}: {shown} has the extension of {}",
                other.name()
            )));
        }
        let named = self.format.or(by_name);
        let format = named.ok_or_else(|| {
            if self.is_stdout() {
                return Failure::usage("the format of standard output is not given")
                    .help("add --format rgba, rgb24, y4m, png, apng or gif");
            }
            let message = format!(
                "{}: pictures are written as .png or .jpg, animations as .apng, .gif or .y4m",
                output.display()
            );
            Failure::usage(message).help("for example -o picture.png; other names need --format")
        })?;
        match (self.animated, format) {
            (true, Format::Png) => Ok(Format::Apng),
            (true, Format::Apng) | (false, _) => Ok(format),
            (true, other) => {
                Err(Failure::usage(format!("--animated writes an animated PNG, not {}", other.name())))
            }
        }
    }

    /// Checks the options and makes the folder. Files are created only when there is a picture for them.
    pub fn open(&self, width: u32, height: u32) -> Result<Frames> {
        let Some(output) = &self.output else { return Ok(Frames(Way::Nowhere)) };
        let format = self.format(output)?;
        let stdout = self.is_stdout();
        if stdout && io::stdout().is_terminal() {
            return Err(Failure::usage("pictures are not written to a terminal")
                .help("write to a file, or to a program: quadrille render ... -o - | ffmpeg ..."));
        }
        if !stdout {
            // The number of a picture may be in the name of its folder.
            let first = if format.is_still() { self.path_of(self.range().start) } else { None };
            make_folder(first.as_deref().unwrap_or(output))?;
        }
        let range = self.range();
        if format.is_still() && !stdout {
            let names = Names::new(output, self.frames.as_ref());
            return Ok(Frames(Way::Files { names, jpeg: format == Format::Jpg }));
        }
        if names::has_number(output) {
            let message = format!("{}: all frames go to one file", output.display());
            return Err(Failure::usage(message).help("a name without %d"));
        }
        if self.resume {
            return Err(Failure::usage("--resume is for frames in files of their own")
                .help("for example -o frame-%04d.png; a film is made of those afterwards"));
        }
        if format.is_still() && range.len() > 1 {
            return Err(Failure::usage("several pictures do not go to standard output as PNG or JPEG")
                .help("--format apng, gif, y4m, rgba or rgb24"));
        }
        if format == Format::Gif && self.frames.is_some() && self.fps > 50.0 {
            report::warn("a GIF shows at most 50 frames in a second: it is slower than --fps");
        }
        let to = if stdout { Target::Stdout } else { Target::File(output.clone()) };
        let start = Start { format, size: (width, height), count: range.len() as u32, fps: self.fps };
        Ok(Frames(Way::Stream(Stream { start, open: None, to })))
    }
}

/// Writes pictures, in the order of their numbers.
pub struct Frames(Way);

enum Way {
    Nowhere,
    Files { names: Names, jpeg: bool },
    Stream(Stream),
}

impl Frames {
    /// Writes a picture. All pictures have the size given to [`FrameArgs::open`].
    pub fn put(&mut self, number: u32, pixels: &RgbaImage) -> Result<()> {
        match &mut self.0 {
            Way::Nowhere => Ok(()),
            Way::Files { names, jpeg } => picture::save_as(pixels, &names.of(number), *jpeg),
            Way::Stream(stream) => {
                let open = match &mut stream.open {
                    Some(open) => open,
                    none => none.insert(stream.to.open(&stream.start)?),
                };
                open.encoder.put(pixels).map_err(|e| stream.to.failure(&e))
            }
        }
    }

    /// Finishes the output. An unfinished file is removed, and an older one of its name stays.
    pub fn finish(self) -> Result<()> {
        let Way::Stream(Stream { open: Some(Open { mut encoder, file }), to, .. }) = self.0 else {
            return Ok(());
        };
        let done = encoder.finish();
        drop(encoder);
        done.and_then(|()| file.map_or(Ok(()), Unfinished::finish)).map_err(|e| to.failure(&e))
    }
}

/// The buffered output.
type Out = BufWriter<Box<dyn Write>>;

/// Encodes pictures.
trait Encoder {
    fn put(&mut self, pixels: &RgbaImage) -> io::Result<()>;
    fn finish(&mut self) -> io::Result<()>;
}

/// Parameters of an encoder.
struct Start {
    format: Format,
    size: (u32, u32),
    count: u32,
    fps: f64,
}

impl Start {
    fn encoder(&self, to: Box<dyn Write>) -> Result<Box<dyn Encoder>> {
        let out: Out = BufWriter::with_capacity(1 << 16, to);
        Ok(match self.format {
            Format::Png => Box::new(Still { out, jpeg: false }),
            Format::Jpg => Box::new(Still { out, jpeg: true }),
            Format::Apng => {
                let delay = rational(1.0 / self.fps);
                Box::new(animated_png::Writer::new(out, self.size, self.count, delay)?)
            }
            Format::Gif => Box::new(gif::Writer::new(out, self.size, self.fps)?),
            Format::Rgba => Box::new(raw::Writer::new(out, raw::Pixels::Rgba)),
            Format::Rgb24 => Box::new(raw::Writer::new(out, raw::Pixels::Rgb)),
            Format::Y4m => Box::new(raw::Writer::y4m(out, self.size, rational(self.fps))?),
        })
    }
}

/// One file, or standard output.
struct Stream {
    start: Start,
    /// Present from the first picture until the output is finished.
    open: Option<Open>,
    to: Target,
}

/// The encoder, which is dropped first, and its file.
struct Open {
    encoder: Box<dyn Encoder>,
    file: Option<Unfinished>,
}

enum Target {
    Stdout,
    File(PathBuf),
}

impl Target {
    fn open(&self, start: &Start) -> Result<Open> {
        let Target::File(path) = self else {
            return Ok(Open { encoder: start.encoder(Box::new(io::stdout()))?, file: None });
        };
        let created = || {
            let file = Unfinished::new(path)?;
            Ok((BoundedFile::create(file.name())?, file))
        };
        let (writer, file) = created().map_err(|e| Failure::file("write", path, &e))?;
        Ok(Open { encoder: start.encoder(Box::new(writer))?, file: Some(file) })
    }

    fn failure(&self, error: &io::Error) -> Failure {
        match self {
            Target::Stdout => crate::out::failure(error),
            Target::File(path) => Failure::file("write", path, error),
        }
    }
}

/// One picture on standard output.
struct Still {
    out: Out,
    jpeg: bool,
}

impl Encoder for Still {
    fn put(&mut self, pixels: &RgbaImage) -> io::Result<()> {
        let bytes = picture::encode(pixels, self.jpeg).map_err(io::Error::other)?;
        self.out.write_all(&bytes)
    }
    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn parse_frames(text: &str) -> std::result::Result<Range<u32>, String> {
    let (a, b) = text.split_once("..").ok_or("give the first frame and the end, as in 0..120")?;
    let number = |s: &str| s.trim().parse::<u32>().map_err(|_| format!("`{s}` is not the number of a frame"));
    let range = number(a)?..number(b)?;
    if range.is_empty() { Err(format!("no frame is in {text}")) } else { Ok(range) }
}

fn parse_rate(text: &str) -> std::result::Result<f64, String> {
    let rate = text.trim().parse::<f64>().ok().filter(|n| (0.001..=60_000.0).contains(n));
    rate.ok_or_else(|| "give a number of frames in a second, from 0.001 to 60000".into())
}

/// The simplest fraction equal or close to `value`, of two numbers below 65536.
fn rational(value: f64) -> (u16, u16) {
    // Convergents of the continued fraction; an f64 has no more than this many.
    let (mut p, mut q) = ((0u64, 1u64), (1u64, 0u64));
    let mut rest = value;
    for _ in 0..24 {
        let whole = rest.floor();
        let next = |(before, last): (u64, u64)| (whole as u64).saturating_mul(last).saturating_add(before);
        let (np, nq) = (next(p), next(q));
        if np > 65_535 || nq > 65_535 {
            break;
        }
        (p, q) = ((p.1, np), (q.1, nq));
        let fraction = rest - whole;
        if fraction < 1e-9 || (np as f64 / nq as f64 - value).abs() < 1e-9 * value {
            break;
        }
        rest = 1.0 / fraction;
    }
    (p.1.max(1) as u16, q.1.max(1) as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_rates() {
        assert_eq!(parse_frames("2..5"), Ok(2..5));
        for bad in ["", "5", "5..5", "6..5", "a..b"] {
            assert!(parse_frames(bad).is_err(), "{bad}");
        }
        assert_eq!(parse_rate("29.97"), Ok(29.97));
        for bad in ["0", "-1", "nan", "inf", "x", "1e9"] {
            assert!(parse_rate(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn fractions() {
        assert_eq!(rational(60.0), (60, 1));
        assert_eq!(rational(1.0 / 60.0), (1, 60));
        assert_eq!(rational(29.97), (2997, 100));
        assert_eq!(rational(30_000.0 / 1001.0), (30_000, 1001));
        assert_eq!(rational(12.5), (25, 2));
        assert_eq!(rational(0.001), (1, 1000));
        assert_eq!(rational(60_000.0), (60_000, 1));
    }

    #[test]
    fn formats() {
        let args = |output: &str, format| FrameArgs {
            output: Some(output.into()),
            frames: None,
            resume: false,
            fps: 60.0,
            animated: false,
            format,
        };
        let format = |args: FrameArgs| args.format(args.output.as_deref().unwrap());
        let of = |output: &str| format(args(output, None)).ok();
        assert_eq!(of("a/b.PNG"), Some(Format::Png));
        assert_eq!(of("b.apng"), Some(Format::Apng));
        assert_eq!(of("b.webp"), None);
        assert_eq!(of("-"), None);
        assert_eq!(format(args("-", Some(Format::Y4m))).ok(), Some(Format::Y4m));
        let animated = |output: &str| format(FrameArgs { animated: true, ..args(output, None) });
        assert_eq!(animated("b.png").ok(), Some(Format::Apng));
        assert!(animated("b.jpg").is_err());
    }
}
