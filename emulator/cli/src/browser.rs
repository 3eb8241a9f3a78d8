//! `quadrille browser`: replaces the software GPU of Chromium and Electron programs by the driver.
//!
//! These programs load `libvk_swiftshader.so` from their own folder. A copy of the driver under that name reports the
//! identity of SwiftShader, so that pages and programs need no flags. The original stays beside it as a backup.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

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
    // The copy gets its name when it is complete: a browser that starts meanwhile finds one library or the other.
    let copy = folder.join(format!("{LIBRARY}.new"));
    fs::copy(&driver, &copy).map_err(|e| Failure::file("write", &copy, &e))?;
    if !backup.exists() {
        fs::hard_link(&library, &backup)
            .or_else(|_| fs::copy(&library, &backup).map(drop))
            .map_err(|e| Failure::file("write", &backup, &e))?;
    }
    fs::rename(&copy, &library).map_err(|e| Failure::file("write", &library, &e))?;
    out::text(&format!("{} is Quadrille; the original is {BACKUP}", library.display()))
}

fn uninstall(folder: &Path) -> Result<()> {
    let (library, backup) = (folder.join(LIBRARY), folder.join(BACKUP));
    if !backup.exists() {
        return Err(Failure::new(format!("Quadrille is not installed in {}", folder.display()))
            .help(format!("there is no {BACKUP}")));
    }
    fs::rename(&backup, &library).map_err(|e| Failure::file("write", &library, &e))?;
    out::text(&format!("{} is the original again", library.display()))
}
