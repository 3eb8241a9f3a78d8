//! HLSL and Slang, compiled to SPIR-V by `dxc` or `slangc`, if one of them is in PATH.
//!
//! These are external programs. They run with a time limit and write to a temporary folder. Their output is read like
//! any other SPIR-V.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use quadrille::files;
use quadrille::frontend::Stage;

use crate::report::{Failure, Result};
use crate::temporary::Temporary;

/// Time limit of a compiler.
const LONGEST: Duration = Duration::from_secs(60);
/// Maximum number of bytes of its messages that are shown.
const SHOWN: usize = 4 << 10;
/// Maximum size of a module that is read, in bytes.
const MOST: u64 = 256 << 20;

/// Language of a file that an external compiler handles.
pub fn language(path: &Path) -> Option<&'static str> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "hlsl" => Some("HLSL"),
        "slang" => Some("Slang"),
        _ => None,
    }
}

/// Options of the command that go to the compilers.
pub struct Options<'a> {
    /// Name of the entry point; `None` means `main`.
    pub entry: Option<&'a str>,
    /// Folders of included files.
    pub includes: &'a [PathBuf],
    /// Macros, as `NAME` or `NAME=VALUE`.
    pub defines: &'a [String],
}

/// A compiler and its arguments.
struct Asked {
    program: &'static str,
    words: Vec<OsString>,
}

/// The SPIR-V of a file.
pub fn spirv(args: &Options<'_>, path: &Path, language: &str, stage: Stage) -> Result<Vec<u8>> {
    let folder = Temporary::new()?;
    let out = folder.file("shader.spv");
    let entry = args.entry.unwrap_or("main");
    let asked = match language {
        "HLSL" => vec![dxc(args, path, &out, stage, entry)?, slangc(args, path, &out, stage, entry)],
        _ => vec![slangc(args, path, &out, stage, entry)],
    };
    for Asked { program, words } in &asked {
        match run(program, words, &folder) {
            Ok(()) => return module(&out, program, path),
            Err(Stopped::Missing) => {}
            Err(Stopped::Told(message)) => {
                return Err(Failure::new(format!("{}: {program}: {message}", path.display())));
            }
        }
    }
    let names: Vec<&str> = asked.iter().map(|a| a.program).collect();
    let message = format!(
        "{}: {language} is compiled by {}, which is not on the path",
        path.display(),
        names.join(" or ")
    );
    Err(Failure::new(message).help(match language {
        "HLSL" => {
            "or compile it to SPIR-V elsewhere and give that: dxc -spirv -T ps_6_0 -E main FILE -Fo FILE.spv"
        }
        _ => "or compile it to SPIR-V elsewhere and give that: slangc FILE -target spirv -o FILE.spv",
    }))
}

/// Arguments of `dxc`, which needs the stage and the version of its profile.
fn dxc(args: &Options<'_>, path: &Path, out: &Path, stage: Stage, entry: &str) -> Result<Asked> {
    // A library has entry points of several stages, which their attributes name.
    let library = "lib_6_3";
    let profile = match stage {
        Stage::Vertex => "vs_6_0",
        Stage::TessellationControl => "hs_6_0",
        Stage::TessellationEvaluation => "ds_6_0",
        Stage::Geometry => "gs_6_0",
        Stage::Task => "as_6_5",
        Stage::Mesh => "ms_6_5",
        Stage::Fragment => "ps_6_0",
        Stage::Compute => "cs_6_0",
        Stage::RayGeneration
        | Stage::Intersection
        | Stage::AnyHit
        | Stage::ClosestHit
        | Stage::Miss
        | Stage::Callable => library,
    };
    let mut words: Vec<OsString> = ["-spirv", "-T", profile].map(Into::into).into();
    if profile != library {
        words.extend(["-E", entry].map(OsString::from));
    }
    words.extend(args.includes.iter().flat_map(|folder| ["-I".into(), folder.into()]));
    words.extend(args.defines.iter().flat_map(|define| ["-D".into(), define.into()]));
    words.extend([path.into(), "-Fo".into(), out.into()]);
    Ok(Asked { program: "dxc", words })
}

fn slangc(args: &Options<'_>, path: &Path, out: &Path, stage: Stage, entry: &str) -> Asked {
    let stage = match stage {
        Stage::Vertex => "vertex",
        Stage::TessellationControl => "hull",
        Stage::TessellationEvaluation => "domain",
        Stage::Geometry => "geometry",
        Stage::Task => "amplification",
        Stage::Mesh => "mesh",
        Stage::Fragment => "fragment",
        Stage::Compute => "compute",
        Stage::RayGeneration => "raygeneration",
        Stage::Intersection => "intersection",
        Stage::AnyHit => "anyhit",
        Stage::ClosestHit => "closesthit",
        Stage::Miss => "miss",
        Stage::Callable => "callable",
    };
    let mut words: Vec<OsString> = vec![path.into()];
    words.extend(["-target", "spirv", "-fvk-use-entrypoint-name"].map(OsString::from));
    words.extend(["-entry", entry, "-stage", stage].map(OsString::from));
    words.extend(args.includes.iter().flat_map(|folder| ["-I".into(), folder.into()]));
    words.extend(args.defines.iter().flat_map(|define| ["-D".into(), define.into()]));
    words.extend(["-o".into(), out.into()]);
    Asked { program: "slangc", words }
}

/// Reason why a compiler produced nothing.
enum Stopped {
    /// The compiler is not in PATH.
    Missing,
    Told(String),
}

/// Runs a program until it ends or its time is up.
fn run(program: &str, words: &[OsString], folder: &Temporary) -> std::result::Result<(), Stopped> {
    let told = |e: io::Error| Stopped::Told(e.to_string());
    let log = folder.file("messages.txt");
    let messages = File::create(&log).map_err(told)?;
    let child = Command::new(program)
        .args(words)
        .stdin(Stdio::null())
        .stdout(messages.try_clone().map_err(told)?)
        .stderr(messages)
        .spawn();
    let mut child = child.map_err(|e| match e.kind() {
        io::ErrorKind::NotFound => Stopped::Missing,
        _ => told(e),
    })?;
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(told)? {
            break status;
        }
        if start.elapsed() > LONGEST {
            // If the program has ended in the meantime, there is nothing to kill.
            let _ = child.kill();
            let _ = child.wait();
            return Err(Stopped::Told(format!("it takes longer than {} s", LONGEST.as_secs())));
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    if status.success() {
        return Ok(());
    }
    let mut text = files::given(&log, MOST).map_err(told)?;
    text.truncate(SHOWN);
    Err(Stopped::Told(format!("{status}\n{}", String::from_utf8_lossy(&text).trim())))
}

/// Reads the module that was written.
fn module(out: &Path, program: &str, path: &Path) -> Result<Vec<u8>> {
    files::given(out, MOST)
        .map_err(|e| Failure::new(format!("{}: {program} wrote no SPIR-V: {e}", path.display())))
}
