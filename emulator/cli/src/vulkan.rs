//! `quadrille vulkan`: the driver for Vulkan programs.
//!
//! The Vulkan loader reads a manifest that names the driver's library. This command finds the library (or builds it, in
//! a source tree without one), writes the manifest, and prints or sets `VK_DRIVER_FILES`, or registers the manifest with
//! the loader for the programs of a user.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use once_cell::race::OnceBox;
use quadrille::reserve::write_file;
use quadrille::{files, limits};

use crate::out;
use crate::report::{self, Failure, Result};
use crate::sys::{self, DRIVER as LIBRARY, replace_by};

/// Run Vulkan programs on Quadrille.
///
/// The program must use the Vulkan loader (Debian: libvulkan1), as almost every program does.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  quadrille vulkan -- vulkaninfo --summary     run a program on the driver
  export \"$(quadrille vulkan --print-env)\"     use the driver in this shell from now on
  quadrille vulkan --install                   offer the driver to every program of this user
  quadrille vulkan --driver libvk_quadrille.so -- vkcube")]
pub struct Args {
    /// Print VK_DRIVER_FILES=... for the shell instead of running a program
    #[arg(long, conflicts_with_all = ["program", "install", "uninstall"])]
    print_env: bool,

    /// Register the driver for this user: every program sees it beside the machine's other drivers
    #[arg(long, conflicts_with_all = ["program", "uninstall"])]
    install: bool,

    /// Reverse --install
    #[arg(long, conflicts_with_all = ["program", "driver"])]
    uninstall: bool,

    /// Library of the driver (default: beside this command, or in ../lib of its folder; the command in the target folder of a
    /// source tree builds it)
    #[arg(long, value_name = "FILE")]
    driver: Option<PathBuf>,

    /// Program and its arguments, after `--`
    #[arg(last = true, value_name = "PROGRAM", required_unless_present_any = ["print_env", "install", "uninstall"])]
    program: Vec<OsString>,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    if args.uninstall {
        return uninstall();
    }
    if args.install {
        return install(&library_of(args.driver.as_deref())?);
    }
    let manifest = manifest_of(args.driver.as_deref())?;
    match args.program.split_first() {
        None => {
            out::exact(&format!("VK_DRIVER_FILES={}", manifest.display()))?;
            Ok(ExitCode::SUCCESS)
        }
        Some((program, arguments)) => start(&manifest, program, arguments, &[]),
    }
}

/// File name of the manifest that [`install`] writes.
const INSTALLED_MANIFEST: &str = "quadrille_icd.json";

/// The path of the manifest that [`install`] writes.
fn installed() -> Result<PathBuf> {
    let folder = sys::manifests().ok_or_else(|| {
        Failure::new("the folder for this user's drivers is unknown")
            .help("set HOME or XDG_DATA_HOME to a folder")
    })?;
    Ok(folder.join(INSTALLED_MANIFEST))
}

/// Registers a driver with the Vulkan loader for this user, in place of the one registered before.
fn install(library: &Path) -> Result<ExitCode> {
    let path = installed()?;
    let failed = |e: std::io::Error| Failure::file("register the driver by", &path, &e);
    let text = manifest_text(library)?;
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
    replace_file(&path, &text).and_then(|()| sys::announce(&path)).map_err(failed)?;
    out::text(&format!("{} names {}", path.display(), sys::named(library).display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Reverses [`install`].
fn uninstall() -> Result<ExitCode> {
    let path = installed()?;
    let failed = |e: std::io::Error| Failure::file("remove", &path, &e);
    // First the entry, so that it never names a missing file; a file that was removed by hand leaves one.
    let was_known = sys::withdraw(&path).map_err(failed)?;
    match fs::remove_file(&path) {
        Ok(()) => {}
        Err(e) if e.kind() == std::io::ErrorKind::NotFound && was_known => {}
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            return Err(Failure::new(format!("the driver is not installed: there is no {}", path.display())));
        }
        Err(e) => return Err(failed(e)),
    }
    out::text(&format!("{} is removed", path.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// The manifest of a driver, or of the default one.
pub fn manifest_of(driver: Option<&Path>) -> Result<PathBuf> {
    write_manifest(&library_of(driver)?)
}

/// First bytes of libraries: ELF, PE, Mach-O of one and of several processors.
const LIBRARIES: [&[u8]; 4] = [b"\x7fELF", b"MZ", &[0xcf, 0xfa, 0xed, 0xfe], &[0xca, 0xfe, 0xba, 0xbe]];

/// The library of a driver that was named, or of the default one.
pub fn library_of(driver: Option<&Path>) -> Result<PathBuf> {
    match driver {
        Some(path) => {
            let failed = |e: std::io::Error| Failure::file("use the driver", path, &e);
            let bytes = files::given(path, files::MAX_DATA_BYTES).map_err(failed)?;
            if !LIBRARIES.iter().any(|start| bytes.starts_with(start)) {
                return Err(Failure::new(format!("{} is not a library", path.display())));
            }
            path.canonicalize().map_err(failed)
        }
        None => find_library(),
    }
}

/// Runs a program on the driver of a manifest, replacing this process if the system can.
pub fn start(
    manifest: &Path,
    program: &OsStr,
    arguments: &[OsString],
    variables: &[(&str, OsString)],
) -> Result<ExitCode> {
    let mut command = Command::new(program);
    // Older loaders only know the second name. The third keeps Mesa's device selection layer from interfering.
    command.args(arguments).env("VK_DRIVER_FILES", manifest).env("VK_ICD_FILENAMES", manifest);
    command.env("NODEVICE_SELECT", "1");
    command.envs(variables.iter().map(|(name, value)| (name, value)));
    let failed = |e: std::io::Error| Failure::file("start", Path::new(program), &e);
    replace_by(command).map_err(failed)
}

/// The driver of the program that contains this command, if there is one.
static DRIVER: OnceBox<PathBuf> = OnceBox::new();

/// Sets the driver of a program that contains this command. Only the first call has an effect.
pub fn set_driver(library: PathBuf) {
    let _ = DRIVER.set(Box::new(library));
}

/// Folders relative to the command's own in which the driver may lie. The last is that of Debian's package.
fn library_folders() -> [String; 3] {
    [String::new(), "../lib".to_owned(), format!("../lib/{}-linux-gnu/quadrille", std::env::consts::ARCH)]
}

/// Finds the driver beside this command or in `../lib`. A source tree without one builds it.
fn find_library() -> Result<PathBuf> {
    if let Some(library) = DRIVER.get() {
        return library.canonicalize().map_err(|e| Failure::file("use the driver", library, &e));
    }
    let exe = std::env::current_exe().and_then(|p| p.canonicalize()).map_err(|e| {
        Failure::new(format!("cannot find out where this command is: {}", files::reason(&e)))
            .help("name the library with --driver")
    })?;
    let folder = exe.parent().unwrap_or(Path::new("/"));
    let candidates = library_folders().map(|of| folder.join(of).join(LIBRARY));
    let find = || candidates.iter().find(|p| p.is_file()).and_then(|p| p.canonicalize().ok());
    // Cargo puts binaries into target/PROFILE, which also has a folder `deps`.
    let root = if folder.join("deps").is_dir() { source_root(folder) } else { None };
    match (find(), root) {
        (Some(library), root) => {
            if root.is_some() && is_older(&library, &exe) {
                report::note(&format!("note: the driver is older than this command; {BUILD} rebuilds it"));
            }
            return Ok(library);
        }
        (None, Some(root)) => build(&root, folder)?,
        (None, None) => {}
    }
    find().ok_or_else(|| {
        let places = candidates.map(|path| path.display().to_string()).join(", ");
        Failure::new(format!("the driver is missing; these files do not exist: {places}")).help(format!(
            "build it with {BUILD} in Quadrille's source tree, and name the file with --driver"
        ))
    })
}

/// The command with which a source tree builds the driver.
const BUILD: &str = "`cargo build -p quadrille-vulkan`";

/// Returns true if file `a` was written before file `b`.
fn is_older(a: &Path, b: &Path) -> bool {
    let time = |path: &Path| path.metadata().and_then(|m| m.modified()).ok();
    time(a).zip(time(b)).is_some_and(|(a, b)| a < b)
}

/// The source tree that contains `folder` or the current directory.
fn source_root(folder: &Path) -> Option<PathBuf> {
    let here = std::env::current_dir().ok();
    [Some(folder), here.as_deref()]
        .into_iter()
        .flatten()
        .flat_map(Path::ancestors)
        .find(|p| p.join("emulator/vulkan/Cargo.toml").is_file() && p.join("Cargo.toml").is_file())
        .map(Path::to_owned)
}

/// Builds the driver into `folder`, which is `TARGET/PROFILE`. This takes minutes, so cargo's progress is shown.
fn build(root: &Path, folder: &Path) -> Result<()> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let profile = match folder.file_name().and_then(|n| n.to_str()) {
        Some("debug") | None => "dev",
        Some(name) => name,
    };
    report::note(&format!(
        "note: there is no {LIBRARY} in {}: building it now, which may take minutes",
        folder.display()
    ));
    let mut command = Command::new(&cargo);
    command.current_dir(root).args(["build", "-p", "quadrille-vulkan", "--profile", profile]);
    if let Some(target) = folder.parent() {
        command.env("CARGO_TARGET_DIR", target);
    }
    // Standard output is reserved for --print-env.
    match command.stdin(Stdio::null()).stdout(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(Failure::new("the driver does not build")),
        Err(e) => Err(Failure::file("start", Path::new(&cargo), &e).help("name the driver with --driver")),
    }
}

/// Name of the manifest that packages have beside the driver.
const PACKAGED_MANIFEST: &str = "quadrille_icd.json";

/// Writes the manifest into the user's cache directory (or a temporary one of the user) and returns its path. A package
/// has its own.
fn write_manifest(library: &Path) -> Result<PathBuf> {
    // A package has a manifest beside the driver.
    let packaged = library.with_file_name(PACKAGED_MANIFEST);
    if packaged.is_file() && is_one_name(&packaged) {
        return Ok(packaged);
    }
    let text = manifest_text(library)?;
    // One file per library, so that several builds can coexist.
    let name = library
        .as_os_str()
        .as_encoded_bytes()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325u64, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    let cache = sys::cache().map(|cache| cache.join("quadrille"));
    let mut last = None;
    for (folder, is_private) in [(cache, false), (Some(sys::temporary()), true)] {
        let Some(folder) = folder else { continue };
        let path = folder.join(format!("quadrille_icd.{name:016x}.json"));
        if !is_one_name(&path) {
            last = Some(Failure::new(format!(
                "VK_DRIVER_FILES cannot name {}: its value is a list",
                path.display()
            )));
            continue;
        }
        // The text of a file is looked at only in a folder of this user.
        let is_there = || files::given_text(&path, files::MAX_TEXT_BYTES).is_ok_and(|old| old == text);
        let written = |()| if is_there() { Ok(()) } else { replace_file(&path, &text) };
        let made = if is_private { sys::make_private(&folder) } else { fs::create_dir_all(&folder) };
        match made.and_then(written) {
            Ok(()) => return Ok(path),
            Err(e) => last = Some(Failure::file("write", &path, &e)),
        }
    }
    Err(last.unwrap_or_else(|| Failure::new("there is no folder for the driver's manifest")))
}

/// Returns true for a path that `VK_DRIVER_FILES` can name: the loader splits its value where lists of paths are split.
fn is_one_name(path: &Path) -> bool {
    std::env::split_paths(path).eq([path])
}

/// Writes a file beside `path` and moves it there, so that no reader sees a part of it.
fn replace_file(path: &Path, text: &str) -> std::io::Result<()> {
    let beside = path.with_extension(format!("{}.tmp", std::process::id()));
    write_file(&beside, text)?;
    fs::rename(&beside, path)
}

/// The manifest that tells the loader about a driver. Its text must be UTF-8.
fn manifest_text(library: &Path) -> Result<String> {
    let library = sys::named(library);
    library
        .to_str()
        .map(manifest)
        .ok_or_else(|| Failure::new(format!("a manifest cannot name {}: not UTF-8", library.display())))
}

/// The manifest that tells the loader about a driver at `library`.
fn manifest(library: &str) -> String {
    let version = limits::VULKAN_VERSION.map(|part| part.to_string()).join(".");
    let manifest = serde_json::json!({
        "file_format_version": "1.0.1",
        "ICD": { "library_path": library, "library_arch": "64", "api_version": version },
    });
    format!("{manifest:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifest_names_library_and_version() {
        let path = "/a \"b\"/lib.so";
        let json: serde_json::Value = serde_json::from_str(&manifest(path)).unwrap();
        assert_eq!(json["ICD"]["library_path"], path);
        let version =
            json["ICD"]["api_version"].as_str().unwrap().split('.').map(|part| part.parse::<u32>().unwrap());
        assert!(version.eq(limits::VULKAN_VERSION));
    }
}
