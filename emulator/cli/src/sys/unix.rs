//! Linux and macOS, where the Vulkan loader reads every manifest in certain folders.

use std::io::Result;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Runs a program in place of this process, so that signals and the exit status are those of the program. Returns only
/// on an error.
pub fn replace_by(mut program: Command) -> Result<ExitCode> {
    Err(program.exec())
}

/// A folder of the user: the value of a variable, or one in the home folder.
fn folder_of_user(variable: &str, at_home: &str) -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    absolute(variable).or_else(|| absolute("HOME").map(|home| home.join(at_home)))
}

/// The user's folder for files that programs can make again.
pub fn cache() -> Option<PathBuf> {
    folder_of_user("XDG_CACHE_HOME", ".cache")
}

/// The folder whose manifests the loader reads for programs of this user.
pub fn manifests() -> Option<PathBuf> {
    folder_of_user("XDG_DATA_HOME", ".local/share").map(|data| data.join("vulkan/icd.d"))
}

/// Tells the loader about a manifest in [`manifests`]: the file is enough.
pub fn announce(_manifest: &Path) -> Result<()> {
    Ok(())
}

/// Reverses [`announce`]: removing the file is enough.
pub fn withdraw(_manifest: &Path) -> Result<()> {
    Ok(())
}

/// The path under which a manifest names a library.
pub fn named(library: &Path) -> PathBuf {
    library.to_owned()
}
