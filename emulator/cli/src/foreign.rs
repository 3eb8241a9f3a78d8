//! HLSL, Slang and OpenCL C, compiled to SPIR-V by `dxc`, `slangc` or `clang`, if one of them is in PATH.
//!
//! These are external programs. They run with a time limit and write to a temporary folder. Their output is read like
//! any other SPIR-V.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use quadrille::files;
use quadrille::frontend::Stage;
use quadrille_suite::foreign::{Compiled, Compiler, Source};

use crate::report::{Failure, Result};
use crate::temporary::Temporary;

/// Time limit of a compiler.
const LONGEST: Duration = Duration::from_secs(60);
/// Maximum number of bytes of its messages that are shown.
const SHOWN: usize = 4 << 10;
/// Maximum size of a module that is read, in bytes.
const MOST: u64 = 256 << 20;

/// Name of the module in the temporary folder.
const OUT: &str = "shader.spv";
/// Name of the list of included files in the temporary folder.
const INCLUDED: &str = "included.d";

/// Arguments of a compiler.
type Arguments = fn(&Options<'_>, &Path, &Path, Stage) -> Result<Vec<OsString>>;

/// A language that external compilers handle.
pub struct Language {
    /// Extension of its files.
    extension: &'static str,
    name: &'static str,
    /// Its compilers, the first that is in PATH is used: program and arguments.
    compilers: &'static [(&'static str, Arguments)],
    /// A command that compiles a file elsewhere.
    elsewhere: &'static str,
    /// Advice if a compiler fails and its messages contain this text.
    hint: Option<(&'static str, &'static str)>,
}

/// All languages.
const LANGUAGES: [Language; 3] = [
    Language {
        extension: "hlsl",
        name: "HLSL",
        compilers: &[("dxc", dxc), ("slangc", slangc)],
        elsewhere: "dxc -spirv -T ps_6_0 -E main FILE -Fo FILE.spv",
        hint: None,
    },
    Language {
        extension: "slang",
        name: "Slang",
        compilers: &[("slangc", slangc)],
        elsewhere: "slangc FILE -target spirv -o FILE.spv",
        hint: None,
    },
    Language {
        extension: "cl",
        name: "OpenCL C",
        compilers: &[("clang", clang)],
        elsewhere: "clang -c -x cl -cl-std=CL3.0 --target=spirv64 -O0 FILE -o FILE.spv",
        hint: Some((
            "llvm-spirv",
            "clang 20 and older need the translator llvm-spirv of the same version on the path",
        )),
    },
];

/// Language of a file that an external compiler handles.
pub fn language(path: &Path) -> Option<&'static Language> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    LANGUAGES.iter().find(|language| language.extension == extension)
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

impl Options<'_> {
    /// Arguments for folders of included files and for macros, which all compilers spell alike.
    fn preprocessor(&self) -> impl Iterator<Item = OsString> {
        let includes = self.includes.iter().flat_map(|folder| [OsString::from("-I"), folder.into()]);
        includes.chain(self.defines.iter().flat_map(|define| [OsString::from("-D"), define.into()]))
    }
}

/// The SPIR-V of a file.
pub fn spirv(args: &Options<'_>, path: &Path, language: &Language, stage: Stage) -> Result<Vec<u8>> {
    compile(args, path, language, stage).map(|compiled| compiled.spirv)
}

/// Compiles sources of kernels that test files name. Other foreign languages are not for kernels.
pub fn of_tests() -> Compiler {
    Compiler(Arc::new(|source: &Source<'_>| {
        let language = language(source.path).filter(|language| language.extension == "cl")?;
        let Source { path, entry, includes, defines } = *source;
        let options = Options { entry, includes, defines };
        Some(compile(&options, path, language, Stage::Compute).map_err(|failure| failure.to_string()))
    }))
}

/// Compiles a file with the first compiler of its language that is in PATH.
fn compile(args: &Options<'_>, path: &Path, language: &Language, stage: Stage) -> Result<Compiled> {
    let folder = Temporary::new()?;
    let out = folder.file(OUT);
    let path = operand(path);
    let path: &Path = &path;
    for (program, arguments) in language.compilers {
        match run(program, &arguments(args, path, &out, stage)?, &folder) {
            Ok(()) => {
                let spirv = module(&out, program, path)?;
                return Ok(Compiled { spirv, included: included(&folder, path) });
            }
            Err(Stopped::Missing) => {}
            Err(Stopped::Told(message)) => {
                let hint = language.hint.filter(|(part, _)| message.contains(part));
                let failure = Failure::new(format!("{}: {program}: {message}", path.display()));
                return Err(match hint {
                    Some((_, hint)) => failure.help(hint),
                    None => failure,
                });
            }
        }
    }
    let names: Vec<&str> = language.compilers.iter().map(|(program, _)| *program).collect();
    let message = format!(
        "{}: {} is compiled by {}, which is not on the path",
        path.display(),
        language.name,
        names.join(" or ")
    );
    let help = format!("or compile it to SPIR-V elsewhere and give that: {}", language.elsewhere);
    Err(Failure::new(message).help(help))
}

/// A path that no compiler takes for an option or for a file of options: tests may name files that begin with `-` or `@`.
fn operand(path: &Path) -> Cow<'_, Path> {
    match path.as_os_str().as_encoded_bytes().first() {
        Some(b'-' | b'@') => Cow::Owned(Path::new(".").join(path)),
        Some(_) | None => Cow::Borrowed(path),
    }
}

/// Arguments of `dxc`, which needs the stage and the version of its profile.
fn dxc(args: &Options<'_>, path: &Path, out: &Path, stage: Stage) -> Result<Vec<OsString>> {
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
        words.extend(["-E", args.entry.unwrap_or("main")].map(OsString::from));
    }
    words.extend(args.preprocessor());
    words.extend([path.into(), "-Fo".into(), out.into()]);
    Ok(words)
}

fn slangc(args: &Options<'_>, path: &Path, out: &Path, stage: Stage) -> Result<Vec<OsString>> {
    let entry = args.entry.unwrap_or("main");
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
    words.extend(args.preprocessor());
    words.extend(["-o".into(), out.into()]);
    Ok(words)
}

/// Arguments of `clang`, which compiles all kernels of a file. Levels of optimization other than 0 are experimental for
/// SPIR-V. Names of values and lines are for messages and for the debugger. Spec: Clang, User's Manual, "SPIR-V support".
fn clang(args: &Options<'_>, path: &Path, out: &Path, _: Stage) -> Result<Vec<OsString>> {
    let words = ["-c", "-x", "cl", "-cl-std=CL3.0", "--target=spirv64", "-O0", "-gline-tables-only"];
    let mut words: Vec<OsString> = words.map(Into::into).into();
    words.extend(["-fno-discard-value-names", "-MD", "-MF"].map(OsString::from));
    words.push(out.with_file_name(INCLUDED).into());
    words.extend(args.preprocessor());
    words.extend([path.into(), "-o".into(), out.into()]);
    Ok(words)
}

/// Reason why a compiler produced nothing.
enum Stopped {
    /// The compiler is not in PATH.
    Missing,
    Told(String),
}

/// Runs a program until it ends or its time is up.
fn run(program: &str, words: &[OsString], folder: &Temporary) -> std::result::Result<(), Stopped> {
    let told = |e: io::Error| Stopped::Told(files::reason(&e));
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

/// Files that a source includes, if its compiler lists them as a rule of make: `module: file file`. A space in a name is
/// written with a backslash, and a line that continues ends with one.
fn included(folder: &Temporary, source: &Path) -> Vec<PathBuf> {
    let rule = files::given(folder.file(INCLUDED), MOST).unwrap_or_default();
    let rule = String::from_utf8_lossy(&rule).replace("\\\n", "\n");
    let names = rule.split_once(": ").map_or("", |(_, names)| names).replace("\\ ", "\0");
    let names = names.split_whitespace().map(|name| PathBuf::from(name.replace('\0', " ")));
    names.filter(|name| name != source).collect()
}

/// Reads the module that was written.
fn module(out: &Path, program: &str, path: &Path) -> Result<Vec<u8>> {
    files::given(out, MOST)
        .map_err(|e| Failure::new(format!("{}: {program} wrote no SPIR-V: {e}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_no_options() {
        for (path, expected) in [
            ("-fplugin=sub/evil.cl", "./-fplugin=sub/evil.cl"),
            ("@file.cl", "./@file.cl"),
            ("sub/-x.cl", "sub/-x.cl"),
            ("/a.cl", "/a.cl"),
            ("a.cl", "a.cl"),
        ] {
            assert_eq!(operand(Path::new(path)), Path::new(expected));
        }
    }
}
