//! The host system, as far as the command shows it: the name of the driver's library, and programs that take the place
//! of this process.

use std::io::Result;
use std::process::{Command, ExitCode};

/// File name of the driver's library.
pub const DRIVER: &str = if cfg!(windows) {
    "vk_quadrille.dll"
} else if cfg!(target_os = "macos") {
    "libvk_quadrille.dylib"
} else {
    "libvk_quadrille.so"
};

/// Runs a program in place of this process, so that signals and the exit status are those of the program. Returns only
/// on an error.
#[cfg(unix)]
pub fn replace_by(mut program: Command) -> Result<ExitCode> {
    Err(std::os::unix::process::CommandExt::exec(&mut program))
}

/// Runs a program and returns its exit status: processes of this system cannot be replaced.
#[cfg(not(unix))]
pub fn replace_by(mut program: Command) -> Result<ExitCode> {
    let status = program.status()?;
    Ok(status.code().and_then(|c| u8::try_from(c).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
}
