//! `quadrille run`: runs a compute shader or a ray tracing pipeline on buffers, pictures and scenes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use image::RgbaImage;
use quadrille::apps::compute::Compute;
use quadrille::apps::mesh::scene_numbers;
use quadrille::data::list::{self, Type};
use quadrille::data::names;
use quadrille::data::pixels::{self, parse_size};
use quadrille::launch::{ScenePart, is_scene, parse_scene};
use quadrille::{Format, Watching, files};

use crate::again::for_a_while;
use crate::coverage::CoverageArgs;
use crate::data::{DataArgs, check_names, read_file};
use crate::endless::{self, MakeDevice};
use crate::given::Given;
use crate::kernel::{self, KernelArgs};
use crate::launch::{LaunchArgs, Shaders, need_launch, no_dispatch, parse_dispatch};
use crate::out;
use crate::picture;
use crate::report::{self, Failure, Result};
use crate::save;
use crate::shader::{self, ShaderArgs};
use crate::trace::TraceArgs;

/// Run a compute shader, an OpenCL kernel or a ray tracing pipeline on buffers, pictures and scenes.
///
/// --bind gives each buffer and picture, --read names the results. A binding is SET.BINDING, as in `layout(set = 0,
/// binding = 1)` or `@group(0) @binding(1)`.
#[derive(Clone, clap::Args)]
#[command(after_help = "\
Examples:
  quadrille run assets/shaders/add.comp --dispatch 1,1,1 \\
      --bind 0.0=f32:1,2,3 --bind 0.1=f32:10,20,30 --bind 0.2=zeros:12 --read 0.2:f32
  quadrille run blur.wgsl --entry horizontal --dispatch 64,64,1 \\
      --bind 0.0=input.raw --bind 0.1=zeros:1048576 --read 0.1:f32=output.raw
  quadrille run edges.comp --dispatch 80,45 \\
      --bind 0.0=photo.png --bind 0.1=image:640x360 --read 0.1=edges.png
  quadrille run sum.comp -I lib -D SIZE=256 --dispatch 1 --bind 0.0=f32:1*256 --read 0.0:f32
  quadrille run sort.spv --spec 0=256 --dispatch 4 --bind 0.0=u32:9,8,7,6 --read 0.0:u32 --json
  quadrille run kernel.cl --entry vadd --global 1024 --local 64 \\
      --arg f32:1*1024 --arg zeros:4096 --arg 3.0 --read 1:f32
  quadrille run assets/shaders/rays.rgen assets/shaders/rays.rchit assets/shaders/rays.rmiss --launch 64x64 \\
      --bind 0.0=opaque-triangles:-1,-1,0,1,-1,0,0,1,0 --bind 0.1=image:64x64 --read 0.1=rays.png

--bind takes a file (its bytes; for images a picture: PNG, JPEG, HDR, EXR), TYPE:VALUES (`u32:1,2,3`; `f32:0*64`
repeats), zeros:BYTES, or for images image:WxH (black). Storage images have the format that the shader
declares, textures four 8-bit components, or floats if the picture has them. Samplers need no --bind; they repeat and
filter linearly. Buffers of texels (samplerBuffer, imageBuffer) take bytes in the format that the shader declares, or
texels:FORMAT:DATA, as in texels:R32G32_SFLOAT:f32:1,2 or with a file. An element of an array of bindings is
SET.BINDING[ELEMENT].
Acceleration structures take a scene: triangles:NUMBERS (nine each) or boxes:NUMBERS (six each), or with a file instead
of numbers (OBJ, or 32-bit floats). Parts may be joined with `;`: part k is an instance with custom index k and the hit
group record k, or N with boxes@N:. The kinds opaque-triangles and opaque-boxes run no any-hit shaders, and ray queries
commit them.
An OpenCL kernel, in OpenCL C or SPIR-V, runs with --global and one --arg for each argument; --read names arguments by number.
Images of kernels: a picture, image:64x32 (zeros), image:64x32:R32_SFLOAT, or image:64x32:R32_SFLOAT:DATA with the data of
a buffer; the size of an array ends with its number of layers. Samplers: \"sampler:linear repeat\", \"sampler:nearest unnormalized\".
--read prints values, or with =FILE saves the bytes, least significant first, or a NumPy array (.npy);
images as .png or .jpg (8 bits), .exr (floats), .npy (unchanged), .bin or .raw (only their bytes); those of kernels
not as .exr or .npy.
Types: f32 i32 u32 f64 i64 u64 f16 i16 u16 i8 u8 hex, and struct: the members of the shader's block")]
pub struct Args {
    #[command(flatten)]
    pub given: Given,

    #[command(flatten)]
    pub shader: ShaderArgs,

    /// More shaders of a ray tracing pipeline: .rchit .rahit .rint .rmiss .rcall, or SPIR-V
    #[arg(value_name = "SHADERS", index = 2)]
    pub more: Vec<PathBuf>,

    /// Number of workgroups: X, X,Y or X,Y,Z
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_dispatch)]
    pub dispatch: Option<[u32; 3]>,

    #[command(flatten)]
    pub rays: LaunchArgs,

    #[command(flatten)]
    pub kernel: KernelArgs,

    #[command(flatten)]
    pub data: DataArgs,

    /// Print the results of --read as JSON
    #[arg(long)]
    pub json: bool,

    /// Threads to use (default: one per processor); results do not depend on the number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,

    #[command(flatten)]
    pub trace: TraceArgs,

    #[command(flatten)]
    pub coverage: CoverageArgs,

    /// Dispatches repeatedly for this time, each time with the original bindings.
    #[arg(skip)]
    pub again: Option<Duration>,
}

/// Set, binding and element.
type Slot = (u32, u32, Option<u32>);

/// A buffer to print or save.
#[derive(Debug)]
struct Read {
    slot: Slot,
    /// `None`: the type of the shader's block.
    ty: Option<Type>,
    file: Option<PathBuf>,
}

/// Formats a slot: `0.1`, `0.1[2]`.
fn show(slot: Slot) -> String {
    match slot {
        (set, binding, None) => format!("{set}.{binding}"),
        (set, binding, Some(element)) => format!("{set}.{binding}[{element}]"),
    }
}

fn parse_slot(text: &str, whole: &str) -> Result<Slot> {
    let parse = |text: &str| {
        let (place, element) = match text.split_once('[') {
            Some((place, rest)) => (place, Some(rest.strip_suffix(']')?.trim().parse().ok()?)),
            None => (text, None),
        };
        let (set, binding) = place.split_once('.')?;
        Some((set.parse().ok()?, binding.parse().ok()?, element))
    };
    parse(text.trim()).ok_or_else(|| {
        Failure::usage(format!("`{whole}`: `{text}` is not SET.BINDING or SET.BINDING[ELEMENT]"))
            .help("for example 0.1")
    })
}

/// Contents of a binding.
#[derive(Debug, PartialEq)]
enum Data {
    Bytes(Vec<u8>),
    /// Texels of a buffer.
    Texels(Format, Vec<u8>),
    /// A file; the meaning of its bytes depends on the binding.
    File(PathBuf, Vec<u8>),
    Blank(u32, u32),
    Scene(Vec<ScenePart>),
}

fn parse_bind(text: &str) -> Result<(Slot, Data)> {
    let (slot, data) = text.split_once('=').ok_or_else(|| {
        Failure::usage(format!("--bind {text}: there is no `=`")).help("for example --bind 0.0=f32:1,2,3")
    })?;
    let slot = parse_slot(slot, text)?;
    let failed = |message: String| Failure::usage(format!("--bind {text}: {message}"));
    if data.is_empty() {
        return Err(failed("there is nothing behind the `=`".into()));
    }
    let data = match data.split_once(':') {
        Some(_) if is_scene(data) => Data::Scene(scene(data, &failed)?),
        Some(("zeros", _)) => Data::Bytes(list::encode(data).map_err(failed)?),
        Some(("image", size)) => {
            let (width, height) = parse_size(size).map_err(failed)?;
            Data::Blank(width, height)
        }
        Some(("texels", rest)) => {
            let parts = rest.split_once(':');
            let (format, data) = parts.ok_or_else(|| failed("give texels:FORMAT:DATA".into()))?;
            Data::Texels(names::format(format).map_err(failed)?, bytes_of(data, &failed)?)
        }
        // An existing file whose name has a colon is still a file.
        Some(_) if !Path::new(data).exists() => Data::Bytes(list::encode(data).map_err(failed)?),
        _ => {
            let path = Path::new(data);
            Data::File(path.into(), read_file(path)?)
        }
    };
    Ok((slot, data))
}

/// The bytes of a list or of a file. `refused` makes the failure of a message.
fn bytes_of(data: &str, refused: &dyn Fn(String) -> Failure) -> Result<Vec<u8>> {
    match data.split_once(':') {
        Some((ty, _)) if ty == "zeros" || !Path::new(data).exists() => list::encode(data).map_err(refused),
        Some(_) | None => read_file(Path::new(data)),
    }
}

/// Parses a scene, which may name files. `refused` makes the failure of a message.
fn scene(text: &str, refused: &dyn Fn(String) -> Failure) -> Result<Vec<ScenePart>> {
    let mut failed = None;
    let mut read = |file: &str| match read_file(Path::new(file)) {
        Ok(bytes) => scene_numbers(file, &bytes),
        Err(failure) => {
            failed = Some(failure);
            Err(String::new())
        }
    };
    let parts = parse_scene(text, &mut read);
    parts.map_err(|message| failed.unwrap_or_else(|| refused(message)))
}

fn parse_read(text: &str) -> Result<Read> {
    let (what, file) = match text.split_once('=') {
        Some((what, file)) => (what, Some(PathBuf::from(file))),
        None => (text, None),
    };
    let (slot, ty) = what.split_once(':').unwrap_or((what, "hex"));
    let ty = if ty.trim() == "struct" {
        None
    } else {
        Some(Type::parse(ty).map_err(|m| Failure::usage(format!("--read {text}: {m}")))?)
    };
    Ok(Read { slot: parse_slot(slot, text)?, ty, file })
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    args.coverage.counted(|watch| run_watched(args, watch).map_err(|failure| with_loop(args, failure)))
}

/// Adds the endless loop to a failure, if there was one.
pub fn with_loop(args: &Args, failure: Failure) -> Failure {
    let again = Args { again: Some(Duration::ZERO), ..args.clone() };
    endless::with_loop(failure, move |device| run_on(&again, device))
}

/// Runs the subcommand with a watcher of the shader.
pub fn run_watched(args: &Args, watch: Option<Watching>) -> Result<ExitCode> {
    args.given.check()?;
    args.trace.check()?;
    let make = |threads: Option<usize>| shader::device_with(threads, &args.trace, watch.clone());
    if let (Some(_), Some(more)) = (args.kernel.global, args.more.first()) {
        return Err(Failure::usage(format!("{}: --global runs one kernel", more.display())));
    }
    if args.kernel.global.is_some() {
        return kernel::run(&args.shader, &args.kernel, &args.data, args.json, args.threads, &make);
    }
    let reads = args.data.read.iter().map(|r| parse_read(r)).collect::<Result<Vec<_>>>()?;
    if args.json {
        check_names(reads.iter().filter(|read| read.file.is_none()).map(|read| show(read.slot)))?;
    }
    let (compute, shaders) = dispatch(args, &reads, &make)?;
    if args.json {
        out::bytes(b"{")?;
    }
    let mut printed = 0;
    for read in &reads {
        show_one(args, &compute, read, &shaders, &mut printed)?;
    }
    if args.json {
        out::bytes(b"\n}\n")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs the shader on another device, without output.
pub fn run_on(args: &Args, device: MakeDevice<'_>) -> Result<()> {
    if args.kernel.global.is_some() {
        let quiet = DataArgs { read: Vec::new(), ..args.data.clone() };
        return kernel::run(&args.shader, &args.kernel, &quiet, false, args.threads, device).map(|_| ());
    }
    dispatch(args, &[], device).map(|_| ())
}

/// Runs the shaders; returns their bindings after the dispatch or the launch.
fn dispatch(args: &Args, reads: &[Read], device: MakeDevice<'_>) -> Result<(Compute, Shaders)> {
    let mut bound = BTreeMap::new();
    for text in &args.data.bind {
        let (slot, data) = parse_bind(text)?;
        if bound.insert(slot, data).is_some() {
            return Err(Failure::usage(format!("--bind {} is given twice", show(slot))));
        }
    }
    for read in reads {
        if !bound.contains_key(&read.slot) {
            let slot = show(read.slot);
            return Err(Failure::usage(format!("--read {slot}: nothing is bound there"))
                .help(format!("add --bind {slot}=zeros:BYTES")));
        }
    }
    let mut push = Vec::new();
    for text in &args.data.push {
        let (ty, values) = text.split_once(':').ok_or_else(|| {
            Failure::usage(format!("--push {text} is not TYPE:VALUES")).help("for example --push f32:0.5,2")
        })?;
        push.extend(
            Type::parse(ty)
                .and_then(|ty| ty.encode(values))
                .map_err(|m| Failure::usage(format!("--push {text}: {m}")))?,
        );
    }

    need_launch(&args.rays, &args.shader)?;
    let Some(size) = args.rays.launch.or(args.dispatch) else {
        return Err(no_dispatch(&args.shader));
    };
    let shaders = Shaders::load(&args.shader, &args.more, &args.rays)?;
    let device = device(args.threads.map(usize::from)).map_err(|e| Failure::device(&e, None))?;
    let mut compute = shaders.create(&args.shader, &args.rays, &device, &push)?;
    for warning in compute.warnings().iter().filter(|_| args.again.is_none()) {
        report::warn(&format!("{}: {warning}", shaders.name()));
    }
    for (slot, data) in &bound {
        bind(&mut compute, *slot, data, &shaders)?;
    }
    let missing: Vec<String> =
        compute.unbound().map(|b| format!("{}.{} ({})", b.set, b.binding, b.name)).collect();
    if !missing.is_empty() {
        return Err(Failure::usage(format!(
            "{}: nothing is bound to {}",
            shaders.name(),
            missing.join(", ")
        ))
        .help("every binding that the shader uses needs a --bind, even if only zeros:BYTES"));
    }
    reads.iter().try_for_each(|read| check_read(&compute, read, &shaders))?;
    compute.dispatch(size).map_err(|e| beyond(&shaders, &e))?;
    if let Some(time) = args.again {
        for_a_while(time, || {
            bound.iter().try_for_each(|(slot, data)| bind(&mut compute, *slot, data, &shaders))?;
            compute.dispatch(size).map_err(|e| shaders.error(&e))
        })?;
    }
    Ok((compute, shaders))
}

/// The failure of a binding: a wrong command line, if what it asks does not suit the shader.
fn unsuited(shaders: &Shaders, error: &quadrille::Error) -> Failure {
    let failure = shaders.error(error);
    if matches!(error, quadrille::Error::Invalid { .. }) { failure.of_usage() } else { failure }
}

/// The failure of a dispatch or a launch: a wrong command line, if it is larger than the device allows.
fn beyond(shaders: &Shaders, error: &quadrille::Error) -> Failure {
    let failure = shaders.error(error);
    if matches!(error, quadrille::Error::Limit(_)) { failure.of_usage() } else { failure }
}

/// Binds data to a slot, in the form that the shader's binding requires.
fn bind(compute: &mut Compute, slot: Slot, data: &Data, shaders: &Shaders) -> Result<()> {
    let (set, binding, element) = slot;
    let failed = |e: quadrille::Error| unsuited(shaders, &e);
    let is_image = compute.is_image(set, binding).map_err(failed)?;
    let elements = compute.elements(set, binding).map_err(failed)?;
    if elements != 1 && element.is_none() {
        let count = if elements == 0 { String::new() } else { format!(" of {elements}") };
        return Err(Failure::usage(format!("--bind {set}.{binding}: the shader has an array{count} there"))
            .help(format!("bind its elements: --bind {set}.{binding}[0]=...")));
    }
    let element = element.unwrap_or(0);
    let done = match data {
        Data::Scene(parts) => compute.bind_scene_at(set, binding, element, parts),
        _ if compute.is_scene(set, binding).map_err(failed)? => {
            let what = format!("--bind {}: the shader has an acceleration structure there", show(slot));
            return Err(Failure::usage(what)
                .help("give a scene: triangles:NUMBERS, boxes:NUMBERS, or triangles:FILE with an OBJ file"));
        }
        Data::Texels(format, bytes) => compute.bind_texels_at(set, binding, element, Some(*format), bytes),
        Data::File(path, bytes) if is_image => {
            compute.bind_picture_at(set, binding, element, &picture::decode(path, bytes)?)
        }
        Data::Blank(width, height) => {
            compute.bind_picture_at(set, binding, element, &RgbaImage::new(*width, *height).into())
        }
        Data::Bytes(_) if is_image => {
            return Err(Failure::usage(format!("--bind {}: the shader has an image there", show(slot)))
                .help("give a picture (.png, .jpg, .hdr, .exr), or image:WxH"));
        }
        Data::File(path, _) if pixels::is_picture(path) => {
            let message = format!(
                "--bind {}: {} is a picture, and the shader has a buffer there",
                show(slot),
                path.display()
            );
            return Err(Failure::usage(message).help(
                "a picture is for an image or a texture; a buffer takes texels as bytes: a file .bin or .raw, or TYPE:VALUES",
            ));
        }
        Data::Bytes(bytes) | Data::File(_, bytes) => compute.bind_at(set, binding, element, bytes),
    };
    done.map_err(failed)
}

/// Fails if the result of a --read cannot be printed or saved as requested, before the shader runs.
fn check_read(compute: &Compute, read: &Read, shaders: &Shaders) -> Result<()> {
    let (set, binding, element) = read.slot;
    let element = element.unwrap_or(0);
    let failed = |e: quadrille::Error| unsuited(shaders, &e);
    if compute.is_scene(set, binding).map_err(failed)? {
        let slot = show(read.slot);
        return Err(Failure::usage(format!("--read {slot}: an acceleration structure has no bytes")));
    }
    let is_image = compute.is_image(set, binding).map_err(failed)?;
    let format = read.file.as_ref().map(|path| save::Format::of(path, is_image, read.ty)).transpose()?;
    if let Some(format) = format.filter(|_| is_image) {
        return format.check(compute, (set, binding, element)).map_err(failed);
    }
    let has_elements = format.is_none_or(|format| format == save::Format::Npy);
    let Some(ty) = read.ty else {
        // A file has the bytes of a struct, whatever its members are.
        let members = read.file.is_none().then(|| compute.read_block(set, binding, element));
        return members.map_or(Ok(()), |members| members.map(drop).map_err(failed));
    };
    if !has_elements {
        return Ok(());
    }
    let bytes = compute.read_at(set, binding, element).map_err(failed)?;
    let whole = ty.count(bytes.len());
    whole.map(drop).map_err(|message| {
        Failure::usage(format!("--read {}: {message}", show(read.slot)))
            .help("bind as many bytes as the type needs, or read them as u8 or hex")
    })
}

/// Prints or saves the result of one --read; `printed` counts the results printed as JSON.
fn show_one(
    args: &Args,
    compute: &Compute,
    read: &Read,
    shaders: &Shaders,
    printed: &mut usize,
) -> Result<()> {
    let (set, binding, element) = read.slot;
    let element = element.unwrap_or(0);
    let failed = |e: quadrille::Error| shaders.error(&e);
    if let Some(path) = &read.file {
        let is_image = compute.is_image(set, binding).map_err(failed)?;
        let format = save::Format::of(path, is_image, read.ty)?;
        let at = (set, binding, element);
        let bytes = format.bytes(compute, at, read.ty).map_err(failed)?;
        format.warn(compute, at, path);
        return files::replace(path, &bytes).map_err(|e| Failure::file("write", path, &e));
    }
    let slot = show(read.slot);
    if args.json {
        let comma = if *printed > 0 { "," } else { "" };
        out::bytes(format!("{comma}\n  \"{slot}\": ").as_bytes())?;
        *printed += 1;
    }
    let Some(ty) = read.ty else {
        let value = compute.read_block(set, binding, element).map_err(failed)?;
        return match args.json {
            true => out::bytes(value.to_string().as_bytes()),
            false => out::text(&format!("{slot}: {value}")),
        };
    };
    let bytes = compute.read_at(set, binding, element).map_err(failed)?;
    if args.json {
        out::bytes(b"[")?;
        out::list(ty.decode_json(&bytes).map_err(Failure::new)?, ", ")?;
        return out::bytes(b"]");
    }
    out::bytes(format!("{slot}: ").as_bytes())?;
    out::list(ty.decode(&bytes).map_err(Failure::new)?, if ty == Type::Hex { " " } else { ", " })?;
    out::bytes(b"\n")
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
        assert_eq!(parse_bind("1.2=u8:1,2").unwrap(), ((1, 2, None), Data::Bytes(vec![1, 2])));
        assert_eq!(parse_bind("0.0[3]=zeros:3").unwrap(), ((0, 0, Some(3)), Data::Bytes(vec![0; 3])));
        assert_eq!(parse_bind("0.0=image:3x4").unwrap(), ((0, 0, None), Data::Blank(3, 4)));
        for bad in [
            "0.0=image:3",
            "",
            "0.0",
            "0=u8:1",
            "0.0=u8:x",
            "0.0=zeros:x",
            "0.0=nofile",
            "0.0[=u8:1",
            "0.0[x]=u8:1",
            "0.0=zeros:99999999999999",
        ] {
            assert!(parse_bind(bad).is_err(), "{bad}");
        }
        let read = parse_read("0.1:f32=a.raw").unwrap();
        let expected = ((0, 1, None), Some(Type::Float(4)), Some("a.raw".into()));
        assert_eq!((read.slot, read.ty, read.file), expected);
        assert_eq!(parse_read("0.1").unwrap().ty, Some(Type::Hex));
        assert_eq!(parse_read("0.1:struct").unwrap().ty, None);
        assert!(parse_read("0.1:vec4").is_err());
    }
}
