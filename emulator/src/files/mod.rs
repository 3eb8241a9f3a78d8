//! Files: how they are written, and how they are read.
//!
//! Those that are written are whole or not there: what is broken off leaves the old one, or none. Those that are read
//! are named by someone. A person who names a file may name any, and [`given`] reads it up to a size. Data (a scene, a
//! test, a shader with debug information) may name ordinary files in the folders that it has a right to, and
//! [`Folders`] reads those. Nothing else in the library and its tools opens a file to read it, which
//! `conformance/tests/structure.rs` holds. The formats of files are for others.

mod folders;

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use quadrille_jit::reserve;

pub use folders::{Folders, allow};

/// The most that a source or another text may have, in bytes.
pub const MAX_TEXT_BYTES: u64 = 64 << 20;
/// The most that a picture or other data may have, in bytes.
pub const MAX_DATA_BYTES: u64 = 1 << 30;

/// The bytes of a file that a person named, which may be of any kind: a pipe of a shell, a device. One with more than
/// `most` bytes is an error.
pub fn given(path: impl AsRef<Path>, most: u64) -> Result<Vec<u8>> {
    let path = path.as_ref();
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    bounded(file, length, most)
}

/// As [`given`], of a text.
pub fn given_text(path: impl AsRef<Path>, most: u64) -> Result<String> {
    text(given(path, most)?)
}

/// What is left of a file that says it has `length` bytes, unless there is more than `most`.
fn bounded(file: File, length: u64, most: u64) -> Result<Vec<u8>> {
    let too_long = || Error::new(ErrorKind::FileTooLarge, format!("it has more than {most} bytes"));
    // A page more, so that the end of the file is seen without a larger vector.
    let room = length.min(most).saturating_add(PAGE) as usize;
    let no_room = |e: quadrille_jit::Error| Error::new(ErrorKind::OutOfMemory, e.to_string());
    if length > most {
        return Err(too_long());
    }
    let mut bytes = reserve::with_room(room).map_err(no_room)?;
    let mut file = file.take(most.saturating_add(1));
    loop {
        // A file of `/proc` says that it has no bytes, a pipe too.
        reserve::grow(&mut bytes, PAGE as usize).map_err(no_room)?;
        let room = (bytes.capacity() - bytes.len()) as u64;
        let read = file.by_ref().take(room).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(too_long());
        }
        if read == 0 {
            return Ok(bytes);
        }
    }
}

/// Asked for at the end of a file.
const PAGE: u64 = 4096;

fn text(bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        Error::new(ErrorKind::InvalidData, format!("it is not a text: byte {at} is not UTF-8"))
    })
}

/// Writes a file by another name, and gives it its own when it is whole; makes the folder.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder)?;
    }
    // What is there and no file stays what it is: a pipe, a device.
    if std::fs::metadata(path).is_ok_and(|meta| !meta.is_file()) {
        return reserve::write_file(path, bytes);
    }
    let unfinished = unfinished(path);
    let written = reserve::write_file(&unfinished, bytes).and_then(|()| std::fs::rename(&unfinished, path));
    if written.is_err() {
        // Why it failed is more than whether it can be cleared away.
        let _ = std::fs::remove_file(&unfinished);
    }
    written
}

/// A name beside the file that nobody else writes to: `.NAME.PROCESS-NUMBER.part`.
fn unfinished(path: &Path) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    path.with_file_name(format!(".{name}.{}-{number}.part", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = std::env::temp_dir().join(format!("quadrille-files-{}", std::process::id()));
        let path = folder.join("a").join("x.bin");
        replace(&path, b"one").unwrap();
        replace(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        let names: Vec<_> =
            std::fs::read_dir(path.parent().unwrap()).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert_eq!(names, ["x.bin"]);
        // A folder is no file that can be replaced.
        assert!(replace(path.parent().unwrap(), b"").is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_a_person_names_may_be_of_any_kind_and_has_an_end() {
        let error = given("/dev/zero", 1 << 20).unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string()),
            (ErrorKind::FileTooLarge, "it has more than 1048576 bytes".into())
        );
        assert!(given("/dev/null", 0).unwrap().is_empty());
        // It says that it has no bytes.
        assert!(given_text("/proc/self/status", 1 << 20).unwrap().starts_with("Name:"));
    }
}
