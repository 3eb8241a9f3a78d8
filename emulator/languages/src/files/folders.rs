//! Restricts files named by data to regular files of bounded size in permitted folders.
//!
//! Data may access its own folder, the folders that its caller permits, and those permitted for the whole process. The
//! location of a file is its path after links and `..` are resolved. Files are opened without blocking, and their kind
//! is checked after opening. A user who can change links in a folder during the access has rights to that folder and is
//! not kept out.

use std::fs::File;
use std::io::{Error, ErrorKind, Result};
use std::path::{Component, Path, PathBuf};

use quadrille_jit::process::Inherited;

/// Folders permitted to all data of the process, with links resolved.
static ALLOWED: Inherited<Vec<PathBuf>> = Inherited::new();

/// Permits a folder to all data for the lifetime of the process. The `quadrille` command calls this for the folders on
/// its command line.
pub fn allow(folder: impl AsRef<Path>) -> Result<()> {
    let folder = real(folder.as_ref())?;
    ALLOWED.update(|allowed| {
        let allowed = allowed.map_or(&[][..], Vec::as_slice);
        (!allowed.contains(&folder)).then(|| [allowed, std::slice::from_ref(&folder)].concat())
    });
    Ok(())
}

/// Folders permitted to some data, besides those permitted for the process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folders(Vec<PathBuf>);

impl Folders {
    /// Permits these folders.
    pub fn new<P: Into<PathBuf>>(folders: impl IntoIterator<Item = P>) -> Folders {
        Folders(folders.into_iter().map(Into::into).collect())
    }

    /// Permits the folder of a file.
    pub fn of_file(path: impl AsRef<Path>) -> Folders {
        Folders(vec![path.as_ref().parent().unwrap_or(Path::new("")).to_owned()])
    }

    /// Permits the folders of both.
    pub fn and(mut self, others: &Folders) -> Folders {
        self.0.extend(others.0.iter().cloned());
        self
    }

    /// Reads a file. Fails if the file has more than `most` bytes, is not a regular file, or is outside the permitted
    /// folders.
    pub fn read(&self, path: impl AsRef<Path>, most: u64) -> Result<Vec<u8>> {
        let opened = self.open(path.as_ref());
        opened.and_then(|(file, length)| super::bounded(file, length, most)).map_err(super::in_words)
    }

    /// Like [`read`](Self::read), for text.
    pub fn text(&self, path: impl AsRef<Path>, most: u64) -> Result<String> {
        super::text(self.read(path, most)?)
    }

    /// Writes a file completely or not at all, and creates missing folders.
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
        let file = super::open::quietly(&path)?;
        let kind = file.metadata()?;
        if kind.is_file() { Ok((file, kind.len())) } else { Err(not_ordinary()) }
    }

    /// Returns an error if a path without links is outside all permitted folders.
    fn refuse_elsewhere(&self, path: &Path) -> Result<()> {
        // A missing folder contains no files.
        let mine = self.0.iter().filter_map(|folder| real(folder).ok());
        if mine.into_iter().any(|folder| path.starts_with(folder))
            || ALLOWED.get().into_iter().flatten().any(|f| path.starts_with(f))
        {
            return Ok(());
        }
        let folders: Vec<String> = self.0.iter().map(|f| shown(f).display().to_string()).collect();
        let text = match folders.len() {
            0 => "it is not in a permitted folder; --allow-path FOLDER permits one".into(),
            _ => format!("it is outside of {}; --allow-path FOLDER permits another", folders.join(", ")),
        };
        Err(Error::new(ErrorKind::PermissionDenied, text))
    }
}

fn not_ordinary() -> Error {
    Error::new(ErrorKind::InvalidInput, "it is not a regular file")
}

/// Returns the folder's name for messages; the empty name is the current folder.
fn shown(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// Resolves the links in a path.
fn real(path: &Path) -> Result<PathBuf> {
    shown(path).canonicalize()
}

/// Resolves the links in the path of a new file, whose folder may not exist yet.
fn to_be(path: &Path) -> Result<PathBuf> {
    let mut missing = Vec::new();
    let mut above = path;
    loop {
        let (Some(folder), Some(Component::Normal(name))) = (above.parent(), above.components().next_back())
        else {
            return Err(Error::new(ErrorKind::InvalidInput, "it is not a file name"));
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

    use super::*;

    /// Makes a symbolic link; false where users may not.
    fn link(target: &str, at: PathBuf) -> bool {
        #[cfg(unix)]
        std::os::unix::fs::symlink(target, at).unwrap();
        #[cfg(not(unix))]
        let _ = (target, at);
        cfg!(unix)
    }

    /// Creates a folder for a test, with `in/a` and `out/b`.
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
        assert_eq!(read("a").unwrap(), b"inside");
        assert_eq!(read("sub/../a").unwrap(), b"inside");
        assert_eq!(read("../out/../in/a").unwrap(), b"inside");
        for elsewhere in ["../out/b", "sub/../../out/b"] {
            assert_eq!(read(elsewhere), Err(ErrorKind::PermissionDenied), "{elsewhere}");
        }
        let links = link("../out/b", folder.join("in/away"))
            && link("../out", folder.join("in/door"))
            && link("../../in/a", folder.join("in/sub/home"));
        if links {
            assert_eq!(read("sub/home").unwrap(), b"inside");
            for elsewhere in ["away", "door/b", "/etc/passwd"] {
                assert_eq!(read(elsewhere), Err(ErrorKind::PermissionDenied), "{elsewhere}");
            }
        }
        assert_eq!(read("none"), Err(ErrorKind::NotFound));
        // A sibling folder whose name begins with the permitted folder's name is not permitted.
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
        #[cfg(unix)]
        {
            let pipe = folder.join("in/pipe");
            rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
            // A blocking open would wait forever.
            assert_eq!(read(&pipe, 100), Err(ErrorKind::InvalidInput));
            let devices = Folders::new(["/dev"]);
            assert_eq!(devices.read("/dev/zero", 100).unwrap_err().kind(), ErrorKind::InvalidInput);
        }
        assert_eq!(read(&folder.join("in/sub"), 100), Err(ErrorKind::InvalidInput));
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
        for elsewhere in ["../out/b", "../out/new/c"] {
            assert_eq!(write(elsewhere), Err(ErrorKind::PermissionDenied), "{elsewhere}");
        }
        let links = link("../out/b", folder.join("in/away"))
            && link("../out/new", folder.join("in/dangling"))
            && link("../out", folder.join("in/door"));
        if links {
            for elsewhere in ["away", "door/c", "/dev/null"] {
                assert_eq!(write(elsewhere), Err(ErrorKind::PermissionDenied), "{elsewhere}");
            }
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
