//! Linux and macOS, where the Vulkan loader reads every manifest in certain folders.

use std::fs::DirBuilder;
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use rustix::process::geteuid;

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

/// A folder for files of this user, in the one for temporary files of all users.
pub fn temporary() -> PathBuf {
    std::env::temp_dir().join(format!("quadrille-{}", geteuid().as_raw()))
}

/// Makes [`temporary`], which other users may not write to. One that another user made is refused, who could exchange
/// its files.
pub fn make_private(folder: &Path) -> Result<()> {
    folder.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
        made => return made,
    }
    let there = folder.symlink_metadata()?;
    let is_mine = there.is_dir() && there.uid() == geteuid().as_raw() && there.mode() & 0o022 == 0;
    let refused =
        || Error::new(ErrorKind::PermissionDenied, "another user owns its folder, or may write to it");
    if is_mine { Ok(()) } else { Err(refused()) }
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
pub fn withdraw(_manifest: &Path) -> Result<bool> {
    Ok(false)
}

/// The path under which a manifest names a library.
pub fn named(library: &Path) -> PathBuf {
    library.to_owned()
}
