//! `quadrille run`: a compute shader on buffers and pictures.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use image::RgbaImage;
use quadrille::apps::compute::{Compute, ComputeDesc};
use quadrille::frontend::Stage;
use quadrille::reserve;
use serde_json::json;

use crate::out;
use crate::picture::{self, parse_size};
use crate::report::{Failure, Result};
use crate::shader::{self, ShaderArgs};
use crate::values::{MAX_BYTES, Type};

/// Run a compute shader on buffers and pictures.
///
/// Every buffer and picture is given with --bind, the results are named with --read. A binding is SET.BINDING, as
/// in `layout(set = 0, binding = 1)` or `@group(0) @binding(1)`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  quadrille run assets/shaders/add.comp --dispatch 1,1,1 \\
      --bind 0.0=f32:1,2,3 --bind 0.1=f32:10,20,30 --bind 0.2=zeros:12 --read 0.2:f32
  quadrille run blur.wgsl --entry horizontal --dispatch 64,64,1 \\
      --bind 0.0=input.raw --bind 0.1=zeros:1048576 --read 0.1:f32=output.raw
  quadrille run edges.comp --dispatch 80,45 \\
      --bind 0.0=photo.png --bind 0.1=image:640x360 --read 0.1=edges.png
  quadrille run sort.spv --spec 0=256 --dispatch 4 --bind 0.0=u32:9,8,7,6 --read 0.0:u32 --json

--bind takes a file (its bytes; for images a PNG or JPEG), TYPE:VALUES (`u32:1,2,3`; `f32:0*64`
repeats), zeros:BYTES, or for images image:WxH (black). Images have four 8-bit components; samplers
need no --bind, they repeat and filter linearly.
--read prints values, or with =FILE saves the bytes, least significant first; images as .png or .jpg.
Types: f32 i32 u32 f64 i64 u64 f16 i16 u16 i8 u8 hex")]
pub struct Args {
    #[command(flatten)]
    shader: ShaderArgs,

    /// Number of workgroups: X, X,Y or X,Y,Z
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_dispatch)]
    dispatch: [u32; 3],

    /// What is bound: SET.BINDING=FILE, =TYPE:VALUES, =zeros:BYTES or =image:WxH; again for more
    #[arg(long, value_name = "SET.BINDING=DATA")]
    bind: Vec<String>,

    /// Print a buffer as TYPE when done, or save its bytes with =FILE; again for more
    #[arg(long, value_name = "SET.BINDING:TYPE[=FILE]")]
    read: Vec<String>,

    /// Push constants: TYPE:VALUES, in order; again for more
    #[arg(long, value_name = "TYPE:VALUES")]
    push: Vec<String>,

    /// Print what is read as JSON
    #[arg(long)]
    json: bool,

    /// Threads to use (default: one per processor); results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
}

type Slot = (u32, u32);

/// A buffer to show.
#[derive(Debug)]
struct Read {
    slot: Slot,
    ty: Type,
    file: Option<PathBuf>,
}

fn parse_dispatch(text: &str) -> std::result::Result<[u32; 3], String> {
    let mut size = [1; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > 3 {
        return Err("give at most three numbers, as in 64,64,1".into());
    }
    for (to, part) in size.iter_mut().zip(parts) {
        *to = part.trim().parse().map_err(|_| format!("`{part}` is not a number of workgroups"))?;
    }
    Ok(size)
}

fn parse_slot(text: &str, whole: &str) -> Result<Slot> {
    let slot = text.trim().split_once('.').and_then(|(s, b)| Some((s.parse().ok()?, b.parse().ok()?)));
    slot.ok_or_else(|| {
        Failure::new(format!("`{whole}`: `{text}` is not SET.BINDING")).help("for example 0.1")
    })
}

/// What a binding holds.
#[derive(Debug, PartialEq)]
enum Data {
    Bytes(Vec<u8>),
    /// A file; what its bytes mean depends on the binding.
    File(PathBuf, Vec<u8>),
    Blank(u32, u32),
}

fn parse_bind(text: &str) -> Result<(Slot, Data)> {
    let (slot, data) = text.split_once('=').ok_or_else(|| {
        Failure::new(format!("--bind {text}: there is no `=`")).help("for example --bind 0.0=f32:1,2,3")
    })?;
    let slot = parse_slot(slot, text)?;
    let data = match data.split_once(':') {
        Some(("zeros", n)) => {
            let n: usize = n
                .trim()
                .parse()
                .map_err(|_| Failure::new(format!("`zeros:{n}`: `{n}` is not a number of bytes")))?;
            if n > MAX_BYTES {
                return Err(Failure::new(format!("`zeros:{n}` is more than {MAX_BYTES} bytes")));
            }
            Data::Bytes(reserve::zeroed(n).map_err(|e| Failure::new(e.to_string()))?)
        }
        Some(("image", size)) => {
            let (width, height) = parse_size(size).map_err(|m| Failure::new(format!("`{data}`: {m}")))?;
            Data::Blank(width, height)
        }
        // A file whose name has a colon is still a file.
        Some((ty, values)) if !Path::new(data).exists() => Data::Bytes(Type::parse(ty)?.encode(values)?),
        _ => {
            let path = Path::new(data);
            let bytes = fs::read(path).map_err(|e| {
                Failure::file("read", path, &e)
                    .help("data is a file, TYPE:VALUES as in f32:1,2,3, zeros:BYTES, or image:WxH")
            })?;
            Data::File(path.into(), bytes)
        }
    };
    Ok((slot, data))
}

fn parse_read(text: &str) -> Result<Read> {
    let (what, file) = match text.split_once('=') {
        Some((what, file)) => (what, Some(PathBuf::from(file))),
        None => (text, None),
    };
    let (slot, ty) = what.split_once(':').unwrap_or((what, "hex"));
    Ok(Read { slot: parse_slot(slot, text)?, ty: Type::parse(ty)?, file })
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    let mut bound = BTreeMap::new();
    for text in &args.bind {
        let (slot, data) = parse_bind(text)?;
        if bound.insert(slot, data).is_some() {
            return Err(Failure::new(format!("--bind {}.{} is given twice", slot.0, slot.1)));
        }
    }
    let reads = args.read.iter().map(|r| parse_read(r)).collect::<Result<Vec<_>>>()?;
    for read in &reads {
        if !bound.contains_key(&read.slot) {
            let (set, binding) = read.slot;
            return Err(Failure::new(format!("--read {set}.{binding}: nothing is bound there"))
                .help(format!("add --bind {set}.{binding}=zeros:BYTES")));
        }
    }
    let mut push = Vec::new();
    for text in &args.push {
        let (ty, values) = text.split_once(':').ok_or_else(|| {
            Failure::new(format!("--push {text} is not TYPE:VALUES")).help("for example --push f32:0.5,2")
        })?;
        push.extend(Type::parse(ty)?.encode(values)?);
    }

    let shader = shader::load(&args.shader, Stage::Compute, false)?;
    let device = shader::device(args.threads.map(usize::from)).map_err(|e| shader.error(&e))?;
    let desc = ComputeDesc {
        words: &shader.words,
        entry: args.shader.entry.as_deref(),
        specialization: &shader::spec(&args.shader, &shader)?,
        push: &push,
    };
    let mut compute = Compute::new(&device, &desc).map_err(|e| shader.error(&e))?;
    for ((set, binding), data) in &bound {
        let (set, binding) = (*set, *binding);
        let is_image = compute.is_image(set, binding).map_err(|e| shader.error(&e))?;
        let done = match data {
            Data::File(path, bytes) if is_image => {
                compute.bind_picture(set, binding, &picture::decode(path, bytes)?)
            }
            Data::Blank(width, height) => {
                compute.bind_picture(set, binding, &RgbaImage::new(*width, *height))
            }
            Data::Bytes(_) if is_image => {
                return Err(Failure::new(format!("--bind {set}.{binding}: the shader has an image there"))
                    .help("give a PNG or JPEG, or image:WxH"));
            }
            Data::Bytes(bytes) | Data::File(_, bytes) => compute.bind(set, binding, bytes),
        };
        done.map_err(|e| shader.error(&e))?;
    }
    let missing: Vec<String> =
        compute.unbound().map(|b| format!("{}.{} ({})", b.set, b.binding, b.name)).collect();
    if !missing.is_empty() {
        return Err(Failure::new(format!("{}: nothing is bound to {}", shader.name, missing.join(", ")))
            .help("every binding that the shader uses needs a --bind, if only zeros:BYTES"));
    }
    compute.dispatch(args.dispatch).map_err(|e| shader.error(&e))?;

    let mut printed = serde_json::Map::new();
    for read in &reads {
        let (set, binding) = read.slot;
        if let Some(path) = &read.file
            && compute.is_image(set, binding).is_ok_and(|is| is)
        {
            picture::save(&compute.read_picture(set, binding).map_err(|e| shader.error(&e))?, path)?;
            continue;
        }
        let bytes = compute.read(set, binding).map_err(|e| shader.error(&e))?;
        if let Some(path) = &read.file {
            reserve::write_file(path, &bytes).map_err(|e| Failure::file("write", path, &e))?;
        } else if args.json {
            printed.insert(format!("{set}.{binding}"), json!(read.ty.decode_json(&bytes)));
        } else {
            let values = read.ty.decode(&bytes);
            out::text(&format!(
                "{set}.{binding}: {}",
                values.join(if read.ty == Type::Hex { " " } else { ", " })
            ))?;
        }
    }
    if args.json {
        out::json(&printed.into())?;
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments() {
        assert_eq!(parse_dispatch("4"), Ok([4, 1, 1]));
        assert_eq!(parse_dispatch("4,5,6"), Ok([4, 5, 6]));
        assert!(parse_dispatch("1,2,3,4").is_err());
        assert!(parse_dispatch("x").is_err());
        assert_eq!(parse_bind("1.2=u8:1,2").unwrap(), ((1, 2), Data::Bytes(vec![1, 2])));
        assert_eq!(parse_bind("0.0=zeros:3").unwrap(), ((0, 0), Data::Bytes(vec![0; 3])));
        assert_eq!(parse_bind("0.0=image:3x4").unwrap(), ((0, 0), Data::Blank(3, 4)));
        for bad in [
            "0.0=image:3",
            "",
            "0.0",
            "0=u8:1",
            "0.0=u8:x",
            "0.0=zeros:x",
            "0.0=nofile",
            "0.0=zeros:99999999999999",
        ] {
            assert!(parse_bind(bad).is_err(), "{bad}");
        }
        let read = parse_read("0.1:f32=a.raw").unwrap();
        assert_eq!((read.slot, read.ty, read.file), ((0, 1), Type::Float(4), Some("a.raw".into())));
        assert_eq!(parse_read("0.1").unwrap().ty, Type::Hex);
        assert!(parse_read("0.1:vec4").is_err());
    }
}
