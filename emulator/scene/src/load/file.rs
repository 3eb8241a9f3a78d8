//! Sources of bytes: the parts of a GLB container, files beside the scene, and data in URIs.
//!
//! A scene names files only below its own folder (`quadrille::files`). A budget limits the bytes that are read or
//! decoded.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use quadrille::files::{self, Folders};
use quadrille::{Error, Result, reserve};

use super::Limits;

/// Number of bytes that may still be read or allocated.
#[derive(Debug)]
pub struct Budget {
    left: Cell<u64>,
    all: u64,
}

impl Budget {
    /// Starts with the budget of the limits.
    pub fn new(limits: &Limits) -> Budget {
        Budget { left: Cell::new(limits.bytes), all: limits.bytes }
    }

    /// Number of bytes left.
    pub fn left(&self) -> u64 {
        self.left.get()
    }

    /// Takes bytes from the budget.
    pub fn take(&self, bytes: u64) -> Result<()> {
        let rest = self.left.get().checked_sub(bytes).ok_or_else(|| self.exceeded())?;
        self.left.set(rest);
        Ok(())
    }

    /// An empty vector with room for `count` elements.
    pub fn room<T>(&self, count: usize) -> Result<Vec<T>> {
        self.take((count as u64).saturating_mul(size_of::<T>() as u64))?;
        reserve::with_room(count)
    }

    fn exceeded(&self) -> Error {
        Error::Limit(format!("{} bytes of data of a scene", self.all))
    }
}

/// Parts of a glTF file.
#[derive(Debug, PartialEq, Eq)]
pub struct Parts<'a> {
    /// The JSON.
    pub json: &'a [u8],
    /// Binary chunk of a GLB container.
    pub data: Option<&'a [u8]>,
    /// True if the length of a chunk does not include padding, which the specification requires.
    pub unpadded: bool,
}

/// Splits a glTF file into its JSON and the binary chunk of a GLB container.
pub fn parts(bytes: &[u8]) -> Result<Parts<'_>> {
    if !bytes.starts_with(b"glTF") {
        return Ok(Parts { json: bytes, data: None, unpadded: false });
    }
    let word = |at: usize| {
        let word = bytes.get(at..at + 4).ok_or_else(|| Error::invalid("GLB: the file ends in a header"))?;
        Ok::<u32, Error>(u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
    };
    // A chunk of binary data begins here.
    let begins = |at: usize| bytes.get(at + 4..at + 8) == Some(b"BIN\0");
    let mut unpadded = false;
    let version = word(4)?;
    if version != 2 {
        return Err(Error::unsupported(format!("version {version} of GLB; 2 is supported")));
    }
    let length = word(8)? as usize;
    if length > bytes.len() {
        let have = bytes.len();
        return Err(Error::invalid(format!("GLB: the header states {length} bytes, the file has {have}")));
    }
    let (mut json, mut data) = (None, None);
    let mut at = 12;
    while at + 8 <= length {
        let (size, kind) = (word(at)? as usize, word(at + 4)?);
        let from = at + 8;
        let chunk = length.checked_sub(from).filter(|rest| size <= *rest).map(|_| &bytes[from..from + size]);
        let chunk = chunk.ok_or_else(|| {
            Error::invalid(format!("GLB: the chunk at byte {at} has {size} bytes, more than the file"))
        })?;
        match &kind.to_le_bytes() {
            b"JSON" if json.is_none() => json = Some(chunk),
            b"BIN\0" if json.is_some() && data.is_none() => data = Some(chunk),
            // The specification requires that chunks of other kinds are ignored.
            _ => {}
        }
        at = from + size.next_multiple_of(4);
        if at != from + size {
            unpadded = true;
            if begins(from + size) {
                at = from + size;
            }
        }
    }
    let json = json.ok_or_else(|| Error::invalid("GLB: there is no chunk with JSON"))?;
    Ok(Parts { json, data, unpadded })
}

/// Reads the targets of URIs.
pub struct Files<'a> {
    folder: Option<&'a Path>,
    budget: &'a Budget,
}

impl<'a> Files<'a> {
    /// Allows files below a folder; without one, only data URIs.
    pub fn new(folder: Option<&'a Path>, budget: &'a Budget) -> Files<'a> {
        Files { folder, budget }
    }

    /// Reads the target of a URI.
    pub fn read(&self, uri: &str) -> Result<Vec<u8>> {
        if let Some(data) = embedded(uri) {
            return self.data(data);
        }
        let shown: String = uri.chars().take(200).collect();
        let path = relative(uri).map_err(|why| Error::invalid(format!("`{shown}` {why}")))?;
        let Some(folder) = self.folder else {
            return Err(Error::invalid(format!("`{shown}` is a file, but the scene has no folder")));
        };
        let path = folder.join(path);
        self.taken(&path, Folders::new([folder]).read(&path, self.budget.left()))
    }

    fn data(&self, uri: &str) -> Result<Vec<u8>> {
        let Some((kind, data)) = uri.split_once(',') else {
            return Err(Error::invalid("data URI without a comma"));
        };
        let mut out = self.budget.room(data.len())?;
        let done = if kind.ends_with(";base64") {
            base64(data.as_bytes(), &mut out)
        } else {
            percent(data.as_bytes(), &mut out)
        };
        match done {
            Ok(()) => Ok(out),
            Err(at) => Err(Error::invalid(format!("data URI: byte {at} of the data is not valid there"))),
        }
    }

    /// Reads a file that the caller names.
    pub fn given(&self, path: &Path) -> Result<Vec<u8>> {
        self.taken(path, files::given(path, self.budget.left()))
    }

    fn taken(&self, path: &Path, read: std::io::Result<Vec<u8>>) -> Result<Vec<u8>> {
        let bytes = read.map_err(|e| match e.kind() {
            std::io::ErrorKind::FileTooLarge => self.budget.exceeded(),
            _ => Error::invalid(format!("cannot read `{}`: {e}", path.display())),
        })?;
        self.budget.take(bytes.len() as u64)?;
        Ok(bytes)
    }
}

/// Text behind the scheme of a data URI; letters of schemes have no case (RFC 3986, 3.1).
pub fn embedded(uri: &str) -> Option<&str> {
    let (scheme, data) = uri.split_at_checked("data:".len())?;
    scheme.eq_ignore_ascii_case("data:").then_some(data)
}

/// Returns the relative path of a URI, or the reason why it is not a path in the scene's folder.
fn relative(uri: &str) -> Result<PathBuf, &'static str> {
    let scheme = uri.split(['/', '?', '#']).next().is_some_and(|first| first.contains(':'));
    if scheme {
        return Err("has a scheme; files beside the scene and data URIs are read");
    }
    let mut bytes = Vec::new();
    percent(uri.as_bytes(), &mut bytes).map_err(|_| "has a `%` without two digits")?;
    let name = String::from_utf8(bytes).map_err(|_| "is not UTF-8")?;
    if name.contains('\0') {
        return Err("is not a file name");
    }
    let mut path = PathBuf::new();
    for part in name.split(['/', '\\']) {
        match part {
            ".." if !path.pop() => return Err("is outside of the folder of the scene"),
            "" if path.as_os_str().is_empty() && part.len() < name.len() => {
                return Err("begins with a slash; paths are from the folder of the scene");
            }
            "" | "." | ".." => {}
            part => path.push(part),
        }
    }
    if path.as_os_str().is_empty() { Err("is not a file name") } else { Ok(path) }
}

/// Decodes percent-encoding such as `%41`; the error is the offset of the mistake.
fn percent(text: &[u8], out: &mut Vec<u8>) -> Result<(), usize> {
    let digit = |at: usize| text.get(at).and_then(|c| char::from(*c).to_digit(16)).ok_or(at);
    let mut at = 0;
    while at < text.len() {
        if text[at] == b'%' {
            out.push((digit(at + 1)? << 4 | digit(at + 2)?) as u8);
            at += 3;
        } else {
            out.push(text[at]);
            at += 1;
        }
    }
    Ok(())
}

/// Decodes base64, with or without `=` at its end; the error is the offset of the mistake.
fn base64(text: &[u8], out: &mut Vec<u8>) -> Result<(), usize> {
    let text = text.strip_suffix(b"==").or(text.strip_suffix(b"=")).unwrap_or(text);
    let (mut bits, mut have) = (0_u32, 0);
    for (at, c) in text.iter().enumerate() {
        let six = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return Err(at),
        };
        bits = bits << 6 | u32::from(six);
        have += 6;
        if have >= 8 {
            have -= 8;
            out.push((bits >> have) as u8);
        }
    }
    // Six leftover bits cannot be a byte.
    if have == 6 { Err(text.len()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors of RFC 4648, section 10.
    #[test]
    fn base64_is_that_of_the_rfc() {
        let rows = [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ];
        for (plain, coded) in rows {
            for coded in [coded, coded.trim_end_matches('=')] {
                let mut out = Vec::new();
                assert_eq!(base64(coded.as_bytes(), &mut out), Ok(()), "{coded}");
                assert_eq!(out, plain.as_bytes(), "{coded}");
            }
        }
        for (wrong, at) in [("Zm9", None), ("Z", Some(1)), ("Zm 9", Some(2)), ("Z=9v", Some(1))] {
            assert_eq!(base64(wrong.as_bytes(), &mut Vec::new()).err(), at, "{wrong}");
        }
    }

    #[test]
    fn paths_stay_below_the_scene() {
        let good = [
            ("a.bin", "a.bin"),
            ("t/a%20b.png", "t/a b.png"),
            ("./x/../a.bin", "a.bin"),
            ("t\\a.png", "t/a.png"),
            ("%E2%9D%A4.png", "\u{2764}.png"),
        ];
        for (uri, path) in good {
            assert_eq!(relative(uri), Ok(PathBuf::from(path)), "{uri}");
        }
        let bad = [
            "",
            ".",
            "/etc/passwd",
            "../a",
            "a/../../b",
            "%2e%2e/a",
            "http://a/b",
            "file:a",
            "a%0",
            "a%00b",
            "%ff",
        ];
        for uri in bad {
            assert!(relative(uri).is_err(), "{uri}: {:?}", relative(uri));
        }
    }

    #[test]
    fn glb_has_two_chunks() {
        let glb = |chunks: &[(&[u8; 4], &[u8])]| {
            let mut out = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
            for (kind, data) in chunks {
                out.extend((data.len() as u32).to_le_bytes());
                out.extend(*kind);
                out.extend(*data);
            }
            let length = out.len() as u32;
            out[8..12].copy_from_slice(&length.to_le_bytes());
            out
        };
        let found =
            |bytes: &[u8]| parts(bytes).map(|p| (p.json.to_vec(), p.data.map(<[u8]>::to_vec), p.unpadded));
        assert_eq!(found(b"{}").unwrap(), (b"{}".to_vec(), None, false));
        let whole =
            glb(&[(b"JSON", b"{  }"), (b"BIN\0", b"12345678"), (b"ELSE", b"...."), (b"BIN\0", b"next")]);
        assert_eq!(found(&whole).unwrap(), (b"{  }".to_vec(), Some(b"12345678".to_vec()), false));
        assert_eq!(found(&glb(&[(b"JSON", b"{  }")])).unwrap(), (b"{  }".to_vec(), None, false));
        // Lengths without padding, which is there or not.
        let mut short = glb(&[(b"JSON", b"{ }\n"), (b"BIN\0", b"1234")]);
        short[12] = 3;
        assert_eq!(found(&short).unwrap(), (b"{ }".to_vec(), Some(b"1234".to_vec()), true));
        short.remove(23);
        short[8] -= 1;
        assert_eq!(found(&short).unwrap(), (b"{ }".to_vec(), Some(b"1234".to_vec()), true));
        for cut in 4..whole.len() {
            assert!(parts(&whole[..cut]).is_err(), "{cut}");
        }
        let mut longer = glb(&[(b"JSON", b"{  }")]);
        longer[12] = 5;
        assert!(parts(&longer).is_err());
        longer[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
        assert!(parts(&longer).is_err());
        assert!(parts(&glb(&[(b"BIN\0", b"1234")])).is_err());
        assert!(parts(b"glTF\x01\0\0\0\x0c\0\0\0").is_err());
    }
}
