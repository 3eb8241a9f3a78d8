//! Kernels in `quadrille run` and the commands that watch it: arguments by number, and a launch by invocations.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use quadrille::Device;
use quadrille::apps::kernel::{Kernel, KernelDesc, Range};
use quadrille::data::list::Type;
use quadrille::frontend::Stage;

use crate::data::{DataArgs, check_names, read_file};
use crate::endless::MakeDevice;
use crate::entry;
use crate::out::{self, make_folder};
use crate::picture;
use crate::report::{Failure, Result};
use crate::save::{self, Format};
use crate::shader::{self, Shader, ShaderArgs};

/// The options of kernels.
#[derive(Clone, Default, clap::Args)]
#[group(skip)]
pub struct KernelArgs {
    /// Launch an OpenCL kernel, with this number of invocations: X, X,Y or X,Y,Z
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_size, conflicts_with_all = ["dispatch", "launch"])]
    pub global: Option<Size>,

    /// Invocations of a workgroup, fewer in the last ones if it does not divide --global (default: the kernel's own size,
    /// or a divisor of --global)
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_local)]
    pub local: Option<Size>,

    /// Global id of the first invocation
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_size)]
    pub offset: Option<Size>,

    /// Argument of the kernel, in order; repeatable. Buffer: FILE, TYPE:VALUES, zeros:BYTES, undef:BYTES (without contents)
    /// or null, after ro: if the kernel may only read it, wo: if it may only write it. Value: VALUES or TYPE:VALUES.
    /// Workgroup memory: local:BYTES. Image: a picture, or image:SIZE[:FORMAT[:DATA]], as in image:64x32:R32_SFLOAT.
    /// Sampler: sampler:WORDS, as in "sampler:linear clamp unnormalized"
    #[arg(long, value_name = "DATA", allow_hyphen_values = true)]
    pub arg: Vec<String>,
}

/// One to three numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub numbers: [u32; 3],
    count: u32,
}

fn parse_size(text: &str) -> std::result::Result<Size, String> {
    let numbers = crate::launch::parse_dispatch(text)?;
    let count = text.split(',').count() as u32;
    Ok(Size { numbers, count })
}

/// Parses a size that has invocations.
fn parse_local(text: &str) -> std::result::Result<Size, String> {
    let size = parse_size(text)?;
    match size.numbers.contains(&0) {
        true => Err("a workgroup has at least 1 invocation in each dimension".into()),
        false => Ok(size),
    }
}

/// A buffer to print or save.
struct Read {
    index: usize,
    ty: Type,
    file: Option<PathBuf>,
}

fn parse_read(text: &str) -> Result<Read> {
    let (what, file) = match text.split_once('=') {
        Some((what, file)) => (what, Some(PathBuf::from(file))),
        None => (text, None),
    };
    let (index, ty) = what.split_once(':').unwrap_or((what, "hex"));
    let index = index.trim().parse().map_err(|_| {
        Failure::usage(format!("--read {text}: `{index}` is not the number of an argument"))
            .help("for example --read 1:f32")
    })?;
    Ok(Read { index, ty: Type::parse(ty).map_err(|m| Failure::usage(format!("--read {text}: {m}")))?, file })
}

/// Sets an argument from its text.
fn set(kernel: &mut Kernel, index: usize, text: &str) -> Result<()> {
    let n = kernel.arguments().len();
    if index >= n {
        return Err(Failure::usage(format!("--arg {text}: the kernel has {n} arguments")));
    }
    let mut unread = false;
    let mut read = |file: &str| {
        read_file(Path::new(file)).map_err(|failure| {
            unread = true;
            failure.to_string()
        })
    };
    let done = kernel.set_text(index, text, &mut read);
    done.map_err(|message| {
        let message = format!("--arg {text}, argument {index}: {message}");
        if unread { Failure::new(message) } else { Failure::usage(message) }
    })
}

/// Creates the kernel with its arguments.
fn prepare(args: &ShaderArgs, kernel_args: &KernelArgs, device: &Device, shader: &Shader) -> Result<Kernel> {
    let specialization = &shader::spec(args, shader)?;
    let desc = KernelDesc { words: &shader.words, entry: args.entry.as_deref(), specialization };
    let mut kernel = Kernel::new(device, &desc).map_err(|e| {
        let plain = KernelDesc { specialization: &[], ..desc.clone() };
        let without = || Kernel::new(device, &plain).is_ok();
        let failure = entry::choosing(shader.error(&e), ("--entry", desc.entry), Stage::Compute, [shader]);
        let lacks = entry::lack_entry(desc.entry, Stage::Compute, [shader]);
        match lacks || shader::of_values(&e, !desc.specialization.is_empty(), without) {
            true => failure.of_usage(),
            false => failure,
        }
    })?;
    for (index, text) in kernel_args.arg.iter().enumerate() {
        set(&mut kernel, index, text)?;
    }
    if let Some(missing) = kernel.unset().next() {
        let argument = &kernel.arguments()[missing];
        return Err(Failure::usage(format!("argument {missing} '{}' is missing", argument.name))
            .help("every argument of the kernel needs an --arg, in order"));
    }
    Ok(kernel)
}

/// Launches the kernel.
fn launch(kernel: &mut Kernel, kernel_args: &KernelArgs) -> quadrille::Result<()> {
    let global = kernel_args.global.unwrap_or(Size { numbers: [1; 3], count: 1 });
    let range = Range {
        global: global.numbers,
        local: kernel_args.local.map(|size| size.numbers),
        offset: kernel_args.offset.map_or([0; 3], |size| {
            std::array::from_fn(|c| if c < size.count as usize { size.numbers[c] } else { 0 })
        }),
        dimensions: global.count,
    };
    kernel.launch(&range)
}

/// Fails if the kernel or the device has no workgroups of the size of --local.
fn check_local(kernel: &Kernel, kernel_args: &KernelArgs, device: &Device) -> Result<()> {
    let Some(local) = kernel_args.local.map(|size| size.numbers) else { return Ok(()) };
    let refused = |why: String| {
        let [x, y, z] = local;
        Err(Failure::usage(format!("--local {x},{y},{z}: {why}")))
    };
    if let Some([x, y, z]) = kernel.required_local().filter(|required| *required != local) {
        return refused(format!("the kernel requires workgroups of {x},{y},{z}"));
    }
    let limits = device.limits();
    let [x, y, z] = limits.max_compute_work_group_size;
    if local.iter().zip([x, y, z]).any(|(n, most)| *n > most) {
        return refused(format!("the limits of the size of a workgroup are {x},{y},{z}"));
    }
    let total: u64 = local.iter().map(|n| u64::from(*n)).product();
    let most = limits.max_compute_work_group_invocations;
    match total > u64::from(most) {
        true => refused(format!("a workgroup of {total} invocations, at most {most}")),
        false => Ok(()),
    }
}

/// The failure of a launch: a wrong command line, if it has more workgroups than the device allows.
fn beyond(shader: &Shader, error: &quadrille::Error) -> Failure {
    match error {
        // Other limits are those of the kernel itself. The device may choose the size of workgroups, so their number is
        // known only to it.
        quadrille::Error::Limit(what) if what.starts_with("workgroups:") => {
            let help = "give fewer invocations with --global, or larger workgroups with --local";
            shader.error(error).help(help).of_usage()
        }
        error => shader.error(error),
    }
}

/// Fails if the result of a --read cannot be printed or saved as requested, before the kernel runs.
fn check_read(kernel: &Kernel, read: &Read, shader: &Shader) -> Result<()> {
    let bytes = kernel.read::<u8>(read.index).map_err(|e| shader.error(&e).of_usage())?;
    let format = read.file.as_ref().map(|path| format_of(kernel, read, path)).transpose()?;
    // Other files take bytes of any number.
    let has_elements = format.is_none_or(|format| format == Format::Npy);
    let whole = if has_elements { read.ty.count(bytes.len()) } else { Ok(0) };
    whole.map(drop).map_err(|m| {
        Failure::usage(format!("--read {}: {m}", read.index))
            .help("give as many bytes as the type needs, or read them as u8 or hex")
    })
}

/// The format of the file of a --read.
fn format_of(kernel: &Kernel, read: &Read, path: &Path) -> Result<Format> {
    let is_image = kernel.image_dim(read.index).is_ok();
    match Format::of(path, is_image, Some(read.ty))? {
        Format::Npy | Format::Exr if is_image => Err(Failure::usage(format!(
            "{}: an image of a kernel is not saved in this format",
            path.display()
        ))
        .help("save it as a picture of 8 bits (.png, .jpg), or its bytes (.bin, .raw)")),
        format => Ok(format),
    }
}

/// Saves the result of a --read.
fn save_one(kernel: &Kernel, read: &Read, path: &Path, shader: &Shader) -> Result<()> {
    let bytes = || kernel.read::<u8>(read.index).map_err(|e| shader.error(&e));
    let contents = match format_of(kernel, read, path)? {
        format @ (Format::Png | Format::Jpeg) => {
            let pixels = kernel.read_picture(read.index).map_err(|e| shader.error(&e))?;
            picture::encode(&pixels, format == Format::Jpeg).map_err(|e| Failure::new(e.to_string()))?
        }
        Format::Npy => save::array(read.ty, &bytes()?).map_err(|e| shader.error(&e))?,
        Format::Raw | Format::Exr => bytes()?,
    };
    make_folder(path)?;
    quadrille::files::replace(path, &contents).map_err(|e| Failure::file("write", path, &e))
}

/// Runs the kernel; prints or saves the buffers that `data` names.
pub fn run(
    args: &ShaderArgs,
    kernel_args: &KernelArgs,
    data: &DataArgs,
    json: bool,
    threads: Option<u16>,
    device: MakeDevice<'_>,
) -> Result<ExitCode> {
    let reads = data.read.iter().map(|r| parse_read(r)).collect::<Result<Vec<_>>>()?;
    if json {
        check_names(reads.iter().filter(|read| read.file.is_none()).map(|read| read.index.to_string()))?;
    }
    let shader = shader::load(args, Stage::Compute, false)?;
    let device = device(threads.map(usize::from)).map_err(|e| Failure::device(&e, None))?;
    let mut kernel = prepare(args, kernel_args, &device, &shader)?;
    reads.iter().try_for_each(|read| check_read(&kernel, read, &shader))?;
    check_local(&kernel, kernel_args, &device)?;
    launch(&mut kernel, kernel_args).map_err(|e| beyond(&shader, &e))?;
    if json {
        out::bytes(b"{")?;
    }
    let mut printed = 0;
    for read in &reads {
        if let Some(path) = &read.file {
            save_one(&kernel, read, path, &shader)?;
            continue;
        }
        let bytes = kernel.read::<u8>(read.index).map_err(|e| shader.error(&e))?;
        if json {
            let comma = if printed > 0 { "," } else { "" };
            printed += 1;
            out::bytes(format!("{comma}\n  \"{}\": [", read.index).as_bytes())?;
            out::list(read.ty.decode_json(&bytes).map_err(Failure::new)?, ", ")?;
            out::bytes(b"]")?;
            continue;
        }
        out::bytes(format!("{}: ", read.index).as_bytes())?;
        out::list(
            read.ty.decode(&bytes).map_err(Failure::new)?,
            if read.ty == Type::Hex { " " } else { ", " },
        )?;
        out::bytes(b"\n")?;
    }
    if json {
        out::bytes(b"\n}\n")?;
    }
    Ok(ExitCode::SUCCESS)
}
