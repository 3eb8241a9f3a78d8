//! Files that data names: ordinary ones, of a bounded size, in folders that the data has a right to.
//!
//! Data has a right to the folder that it lies in, to those that its caller gives with it, and to those that the whole
//! process allows. A file counts as being where it is once links and `..` are followed. It is opened without waiting,
//! and its kind is that of what was opened. Who changes links in a folder while it is read from has rights to
//! that folder, and is not kept out.

use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};
use std::sync::{PoisonError, RwLock};

use rustix::fs::OFlags;

/// Folders that all data of the process has a right to, with links followed.
static ALLOWED: RwLock<Vec<PathBuf>> = RwLock::new(Vec::new());

/// Gives data a right to a folder, as long as this process lives: the `quadrille` command does so with folders that
/// its command line names.
pub fn allow(folder: impl AsRef<Path>) -> Result<()> {
    let folder = real(folder.as_ref())?;
    let mut allowed = ALLOWED.write().unwrap_or_else(PoisonError::into_inner);
    if !allowed.contains(&folder) {
        allowed.push(folder);
    }
    Ok(())
}

/// The folders that some data has a right to, besides those that the process allows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folders(Vec<PathBuf>);

impl Folders {
    /// These.
    pub fn new<P: Into<PathBuf>>(folders: impl IntoIterator<Item = P>) -> Folders {
        Folders(folders.into_iter().map(Into::into).collect())
    }

    /// The one that a file is in.
    pub fn of_file(path: impl AsRef<Path>) -> Folders {
        Folders(vec![path.as_ref().parent().unwrap_or(Path::new("")).to_owned()])
    }

    /// These and others.
    pub fn and(mut self, others: &Folders) -> Folders {
        self.0.extend(others.0.iter().cloned());
        self
    }

    /// The bytes of a file. One with more than `most` bytes is an error, and so is one that is not ordinary, or elsewhere.
    pub fn read(&self, path: impl AsRef<Path>, most: u64) -> Result<Vec<u8>> {
        let (file, length) = self.open(path.as_ref())?;
        super::bounded(file, length, most)
    }

    /// As [`read`](Self::read), of a text.
    pub fn text(&self, path: impl AsRef<Path>, most: u64) -> Result<String> {
        super::text(self.read(path, most)?)
    }

    /// Writes a file whole or not at all, and makes the folders between.
    pub fn write(&self, path: impl AsRef<Path>, bytes: &[u8]) -> Result<()> {
        let path = path.as_ref();
        match real(path) {
            Ok(there) => {
                self.refuse_elsewhere(&there)?;
                if !there.is_file() {
                    return Err(not_ordinary());
                }
            }
            Err(_) => self.refuse_elsewhere(&to_be(path)?)?,
        }
        super::replace(path, bytes)
    }

    fn open(&self, path: &Path) -> Result<(File, u64)> {
        let path = real(path)?;
        self.refuse_elsewhere(&path)?;
        // Opening a pipe waits for its other end; a terminal would become that of the process.
        let flags = OFlags::NONBLOCK | OFlags::NOFOLLOW | OFlags::NOCTTY | OFlags::CLOEXEC;
        let file = OpenOptions::new().read(true).custom_flags(flags.bits() as i32).open(&path)?;
        let kind = file.metadata()?;
        if kind.is_file() { Ok((file, kind.len())) } else { Err(not_ordinary()) }
    }

    /// An error if a path without links is in none of the folders.
    fn refuse_elsewhere(&self, path: &Path) -> Result<()> {
        // A folder that is not there has no files.
        let mine = self.0.iter().filter_map(|folder| real(folder).ok());
        if mine.into_iter().any(|folder| path.starts_with(folder))
            || ALLOWED.read().unwrap_or_else(PoisonError::into_inner).iter().any(|f| path.starts_with(f))
        {
            return Ok(());
        }
        let folders: Vec<String> = self.0.iter().map(|f| shown(f).display().to_string()).collect();
        let text = match folders.len() {
            0 => "it is in no folder that may be read; --allow-path FOLDER allows one".into(),
            _ => format!("it is outside of {}; --allow-path FOLDER allows another", folders.join(", ")),
        };
        Err(Error::new(ErrorKind::PermissionDenied, text))
    }
}

fn not_ordinary() -> Error {
    Error::new(ErrorKind::InvalidInput, "it is no ordinary file")
}

/// The folder's name, which is empty for that of the process.
fn shown(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// The path with links followed.
fn real(path: &Path) -> Result<PathBuf> {
    shown(path).canonicalize()
}

/// The path that a file will have, links followed, whose folder may not be there yet.
fn to_be(path: &Path) -> Result<PathBuf> {
    let mut missing = Vec::new();
    let mut above = path;
    loop {
        let (Some(folder), Some(Component::Normal(name))) = (above.parent(), above.components().next_back())
        else {
            return Err(Error::new(ErrorKind::InvalidInput, "it is no name of a file"));
        };
        missing.push(name);
        if let Ok(mut there) = real(folder) {
            there.extend(missing.iter().rev());
            return Ok(there);
        }
        above = folder;
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    /// A folder for a test, with `in/a` and `out/b`.
    fn place(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("quadrille-folders-{name}-{}", std::process::id()));
        fs::create_dir_all(folder.join("in/sub")).unwrap();
        fs::create_dir_all(folder.join("out")).unwrap();
        fs::write(folder.join("in/a"), "inside").unwrap();
        fs::write(folder.join("out/b"), "outside").unwrap();
        folder
    }

    #[test]
    fn a_file_is_where_its_links_lead() {
        let folder = place("links");
        let inside = Folders::of_file(folder.join("in/data"));
        let read = |name: &str| inside.read(folder.join("in").join(name), 100).map_err(|e| e.kind());
        symlink("../out/b", folder.join("in/away")).unwrap();
        symlink("../out", folder.join("in/door")).unwrap();
        symlink("../../in/a", folder.join("in/sub/home")).unwrap();
        assert_eq!(read("a").unwrap(), b"inside");
        assert_eq!(read("sub/../a").unwrap(), b"inside");
        assert_eq!(read("../out/../in/a").unwrap(), b"inside");
        assert_eq!(read("sub/home").unwrap(), b"inside");
        for elsewhere in ["../out/b", "away", "door/b", "/etc/passwd", "sub/../../out/b"] {
            assert_eq!(read(elsewhere), Err(ErrorKind::PermissionDenied), "{elsewhere}");
        }
        assert_eq!(read("none"), Err(ErrorKind::NotFound));
        // A name that begins as the folder's does is not in it.
        fs::create_dir_all(folder.join("in2")).unwrap();
        fs::write(folder.join("in2/c"), "").unwrap();
        assert_eq!(read("../in2/c"), Err(ErrorKind::PermissionDenied));
        let both = inside.clone().and(&Folders::new([folder.join("in2")]));
        assert!(both.read(folder.join("in2/c"), 0).unwrap().is_empty());
        allow(folder.join("out")).unwrap();
        assert_eq!(read("../out/b").unwrap(), b"outside");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn only_ordinary_files_of_a_bounded_size() {
        let folder = place("kinds");
        let inside = Folders::new([folder.join("in")]);
        let read = |path: &Path, most| inside.read(path, most).map_err(|e| e.kind());
        let pipe = folder.join("in/pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
        // This would wait for ever.
        assert_eq!(read(&pipe, 100), Err(ErrorKind::InvalidInput));
        assert_eq!(read(&folder.join("in/sub"), 100), Err(ErrorKind::InvalidInput));
        let devices = Folders::new(["/dev"]);
        assert_eq!(devices.read("/dev/zero", 100).unwrap_err().kind(), ErrorKind::InvalidInput);
        assert_eq!(read(&folder.join("in/a"), 6).unwrap(), b"inside");
        assert_eq!(read(&folder.join("in/a"), 5), Err(ErrorKind::FileTooLarge));
        fs::write(folder.join("in/bytes"), [b'a', 0xff]).unwrap();
        let error = inside.text(folder.join("in/bytes"), 100).unwrap_err().to_string();
        assert_eq!(error, "it is not a text: byte 1 is not UTF-8");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_is_written_stays_inside() {
        let folder = place("written");
        let inside = Folders::new([folder.join("in")]);
        let write = |name: &str| inside.write(folder.join("in").join(name), b"x").map_err(|e| e.kind());
        symlink("../out/b", folder.join("in/away")).unwrap();
        symlink("../out/new", folder.join("in/dangling")).unwrap();
        symlink("../out", folder.join("in/door")).unwrap();
        for elsewhere in ["../out/b", "../out/new/c", "away", "door/c", "/dev/null"] {
            assert_eq!(write(elsewhere), Err(ErrorKind::PermissionDenied), "{elsewhere}");
        }
        assert_eq!(write("sub"), Err(ErrorKind::InvalidInput));
        assert!(write("new/sub/../c").is_err());
        write("new/sub/c").unwrap();
        // The link is replaced, not followed.
        write("dangling").unwrap();
        assert!(!folder.join("out/new").exists());
        assert_eq!(fs::read(folder.join("out/b")).unwrap(), b"outside");
        fs::remove_dir_all(folder).unwrap();
    }
}
