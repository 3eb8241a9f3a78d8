//! Opening of files without effects on the process, as each system does it.

use std::fs::{File, OpenOptions};
use std::io::Result;
use std::path::Path;

/// Opens a path without links for reading. Opening a pipe would wait for its other end, and a terminal would become the
/// controlling terminal of the process.
#[cfg(unix)]
pub(super) fn quietly(path: &Path) -> Result<File> {
    use std::os::unix::fs::OpenOptionsExt;

    use rustix::fs::OFlags;

    let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
    OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(path)
}

/// Opens a path without links for reading. A link that took its place meanwhile is not followed. Folders are opened too, so
/// that the caller refuses them as it does elsewhere.
#[cfg(windows)]
pub(super) fn quietly(path: &Path) -> Result<File> {
    use std::os::windows::fs::OpenOptionsExt;

    /// FILE_FLAG_OPEN_REPARSE_POINT. Spec: CreateFileW.
    const NO_LINKS: u32 = 0x0020_0000;
    /// FILE_FLAG_BACKUP_SEMANTICS.
    const FOLDERS: u32 = 0x0200_0000;
    OpenOptions::new().read(true).custom_flags(NO_LINKS | FOLDERS).open(path)
}
