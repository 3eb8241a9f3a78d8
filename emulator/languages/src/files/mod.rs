//! Reading and writing of files.
//!
//! A written file is complete or absent: an interrupted write leaves the old file, or none. Every file that is read was
//! named by a person or by data. A person may name any file, which [`given`] reads up to a size limit. Data (a scene, a
//! test, a shader with debug information) may name only regular files in permitted folders, which [`Folders`] reads. No
//! other code of the library or its tools opens files for reading; `conformance/tests/structure.rs` enforces this.
//! Other modules own the file formats.

mod folders;
mod open;
mod unfinished;

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

use quadrille_jit::reserve;

pub use folders::{Folders, allow};
pub use unfinished::Unfinished;

/// Largest size of a source or another text, in bytes.
pub const MAX_TEXT_BYTES: u64 = 64 << 20;
/// Largest size of a picture or other data, in bytes.
pub const MAX_DATA_BYTES: u64 = 1 << 30;

/// Reads a file that a person named, which may be of any kind, such as a pipe of a shell or a device. Fails if the file
/// has more than `most` bytes.
pub fn given(path: impl AsRef<Path>, most: u64) -> Result<Vec<u8>> {
    let path = path.as_ref();
    let opened = File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
    opened.and_then(|(length, file)| bounded(file, length, most)).map_err(in_words)
}

/// The reason of an error of a file for messages, without the number that the system adds: `No such file or directory
/// (os error 2)`. Errors of the functions of this module have none.
pub fn reason(error: &Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

/// The same error with its [`reason`] as its text.
fn in_words(error: Error) -> Error {
    Error::new(error.kind(), reason(&error))
}

/// Like [`given`], for text.
pub fn given_text(path: impl AsRef<Path>, most: u64) -> Result<String> {
    text(given(path, most)?)
}

/// Reads the rest of a file whose reported size is `length`; fails if there are more than `most` bytes.
fn bounded(file: File, length: u64, most: u64) -> Result<Vec<u8>> {
    let too_long = || Error::new(ErrorKind::FileTooLarge, format!("it has more than {most} bytes"));
    // One more page, so that the read that detects the end of the file needs no reallocation.
    let room = length.min(most).saturating_add(PAGE) as usize;
    let no_room = |e: quadrille_jit::Error| Error::new(ErrorKind::OutOfMemory, e.to_string());
    if length > most {
        return Err(too_long());
    }
    let mut bytes = reserve::with_room(room).map_err(no_room)?;
    let mut file = file.take(most.saturating_add(1));
    loop {
        // Pipes and files of `/proc` report a size of 0.
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

/// Free space for the read that detects the end of the file, in bytes.
const PAGE: u64 = 4096;

fn text(bytes: Vec<u8>) -> Result<String> {
    match decoded(&bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(why) => Err(Error::new(ErrorKind::InvalidData, format!("it is {why}"))),
    }
}

/// The text of a file in UTF-8, without the byte order mark that some editors put before it. No other code decodes the
/// bytes of a source. The error is the reason, as in `not a text: byte 62 is not UTF-8`.
pub fn decoded(bytes: &[u8]) -> std::result::Result<&str, String> {
    let text = std::str::from_utf8(bytes)
        .map_err(|e| format!("not a text: byte {} is not UTF-8", e.valid_up_to()))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Writes a file as an [`Unfinished`] one. Creates the folder.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let written = Unfinished::new(path).and_then(|file| {
        reserve::write_file(file.name(), bytes)?;
        file.finish()
    });
    written.map_err(in_words)
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
        // A folder cannot be replaced by a file.
        assert!(replace(path.parent().unwrap(), b"").is_err());
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn errors_are_in_words() {
        let none = std::env::temp_dir().join("quadrille-no-such-file");
        for error in [given(&none, 1).unwrap_err(), Folders::default().read(&none, 1).unwrap_err()] {
            assert!(
                error.kind() == ErrorKind::NotFound && !error.to_string().contains("os error"),
                "{error}"
            );
        }
        let folder = replace(&std::env::temp_dir(), b"").unwrap_err().to_string();
        assert!(!folder.contains("os error"), "{folder}");
        let file = std::env::temp_dir().join(format!("quadrille-files-words-{}", std::process::id()));
        std::fs::write(&file, "").unwrap();
        let below = replace(&file.join("x"), b"").unwrap_err().to_string();
        std::fs::remove_file(&file).unwrap();
        assert!(below.ends_with("is not a folder"), "{below}");
        assert_eq!(reason(&Error::other("a disk (os error 28) is full")), "a disk");
        assert_eq!(reason(&Error::other("it has more than 1 bytes")), "it has more than 1 bytes");
    }

    #[test]
    fn texts_have_no_byte_order_mark() {
        assert_eq!(decoded(b"\xef\xbb\xbfa\xef\xbb\xbf"), Ok("a\u{feff}"));
        assert_eq!(decoded(b"a\0b"), Ok("a\0b"));
        assert_eq!(decoded(b"ab\xff").unwrap_err(), "not a text: byte 2 is not UTF-8");
    }

    /// Devices and files of the kernel are of Unix.
    #[cfg(unix)]
    #[test]
    fn what_a_person_names_may_be_of_any_kind_and_has_an_end() {
        let error = given("/dev/zero", 1 << 20).unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string()),
            (ErrorKind::FileTooLarge, "it has more than 1048576 bytes".into())
        );
        assert!(given("/dev/null", 0).unwrap().is_empty());
        // This file reports a size of 0.
        assert!(given_text("/proc/self/status", 1 << 20).unwrap().starts_with("Name:"));
    }
}
