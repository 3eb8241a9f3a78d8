//! `quadrille browser`: replaces the software GPU of Chromium and Electron programs by the driver.
//!
//! These programs load `libvk_swiftshader.so` from their own folder. A copy of the driver under that name reports the
//! identity of SwiftShader, so that pages and programs need no flags. The original stays beside it as a backup.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use quadrille::{env, files};

use crate::out;
use crate::report::{Failure, Result};
use crate::vulkan;

/// Replace the software GPU of Chromium, Chrome or an Electron program by Quadrille.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  quadrille browser install /usr/lib/chromium
  quadrille browser install ~/.cache/ms-playwright/chromium-1200/chrome-linux
  quadrille browser uninstall /usr/lib/chromium

The browser uses its software GPU if the machine has no other, or with
--use-angle=swiftshader --enable-unsafe-swiftshader. Programs that can name a driver need no
installation: `quadrille vulkan -- chromium --use-angle=vulkan`.")]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Copy the driver into the folder of a program, and keep the original library
    Install {
        /// Folder that has libvk_swiftshader.so, or a program in it
        path: PathBuf,

        /// Library of the driver (default: beside this command or in ../lib)
        #[arg(long, value_name = "FILE")]
        driver: Option<PathBuf>,
    },
    /// Put the original library back
    Uninstall {
        /// Folder that has libvk_swiftshader.so, or a program in it
        path: PathBuf,
    },
}

const LIBRARY: &str = "libvk_swiftshader.so";
const BACKUP: &str = "libvk_swiftshader.so.before-quadrille";

/// Runs the subcommand.
pub fn run(args: &Args) -> Result<ExitCode> {
    match &args.command {
        Command::Install { path, driver } => install(&folder_of(path)?, driver.as_deref())?,
        Command::Uninstall { path } => uninstall(&folder_of(path)?)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The folder of a program that brings SwiftShader.
fn folder_of(path: &Path) -> Result<PathBuf> {
    let path = path.canonicalize().map_err(|e| Failure::file("find", path, &e))?;
    let folder = match path.is_dir() {
        true => path.as_path(),
        false => path.parent().unwrap_or(Path::new("/")),
    };
    if folder.join(LIBRARY).is_file() || folder.join(BACKUP).is_file() {
        return Ok(folder.to_owned());
    }
    Err(Failure::new(format!("there is no {LIBRARY} in {}", folder.display())).help(
        "name the folder of the browser itself: /usr/lib/chromium, /opt/google/chrome, or \
         chrome-linux in the folder of Playwright",
    ))
}

fn install(folder: &Path, driver: Option<&Path>) -> Result<()> {
    let (library, backup) = (folder.join(LIBRARY), folder.join(BACKUP));
    let driver = vulkan::library_of(driver)?;
    // Another library would be taken for the original later, which would then be lost.
    if !is_quadrille(&driver)? {
        return Err(Failure::new(format!("{} is not the driver of Quadrille", driver.display())));
    }
    if is_original(&library)? {
        // Also in place of an older backup: an update of the browser has brought another original.
        put(&backup, |new| fs::hard_link(&library, new).or_else(|_| fs::copy(&library, new).map(drop)))?;
    } else if !backup.exists() {
        return Err(Failure::new(format!("{} is Quadrille, and there is no {BACKUP}", library.display()))
            .help("install the browser again: its original library is lost"));
    }
    put(&library, |new| {
        fs::copy(&driver, new)?;
        // Whoever can load the original can load the driver.
        fs::set_permissions(new, fs::metadata(&backup)?.permissions())
    })?;
    out::text(&format!("{} is Quadrille; the original is {BACKUP}", library.display()))
}

/// Returns true for a library that is there and is not Quadrille.
fn is_original(library: &Path) -> Result<bool> {
    let there = library.try_exists().map_err(|e| Failure::file("read", library, &e))?;
    Ok(there && !is_quadrille(library)?)
}

/// Returns true for Quadrille, which contains the names of its variables.
fn is_quadrille(library: &Path) -> Result<bool> {
    let name = env::TRACE.name.as_bytes();
    let bytes =
        files::given(library, files::MAX_DATA_BYTES).map_err(|e| Failure::file("read", library, &e))?;
    Ok(bytes.windows(name.len()).any(|part| part == name))
}

/// Replaces a file by one that gets its name when it is complete: a browser that starts meanwhile finds one or the other.
fn put(path: &Path, make: impl FnOnce(&Path) -> io::Result<()>) -> Result<()> {
    let mut name = OsString::from(path);
    name.push(".new");
    let new = PathBuf::from(name);
    // One that an interrupted command left may be another name of the original, which a copy would overwrite.
    let _ = fs::remove_file(&new);
    let made = make(&new).and_then(|()| fs::rename(&new, path));
    // A failure leaves a part, and renaming one name of a file to another one does nothing.
    let _ = fs::remove_file(&new);
    made.map_err(|e| Failure::file("write", path, &e))
}

fn uninstall(folder: &Path) -> Result<()> {
    let (library, backup) = (folder.join(LIBRARY), folder.join(BACKUP));
    if !backup.exists() {
        return Err(Failure::new(format!("Quadrille is not installed in {}", folder.display()))
            .help(format!("there is no {BACKUP}")));
    }
    if is_original(&library)? {
        // An update of the browser has replaced Quadrille.
        fs::remove_file(&backup).map_err(|e| Failure::file("remove", &backup, &e))?;
        return out::text(&format!("{} is the original; an older {BACKUP} is removed", library.display()));
    }
    fs::rename(&backup, &library).map_err(|e| Failure::file("write", &library, &e))?;
    out::text(&format!("{} is the original again", library.display()))
}
