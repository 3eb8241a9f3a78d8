//! Words of a command line that one subcommand passes to another: its own options are removed, wherever they stand, and
//! missing options of the other are added.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::report::{Failure, Result};

/// Removes an option from the words, and returns its value.
pub fn take(words: &mut Vec<OsString>, option: &str) -> Result<Option<OsString>> {
    let with = format!("{option}=");
    let at = words.iter().position(|w| w == option || w.to_str().is_some_and(|w| w.starts_with(&with)));
    let Some(at) = at else { return Ok(None) };
    let word = words.remove(at);
    if let Some(value) = word.to_str().and_then(|w| w.strip_prefix(&with)) {
        return Ok(Some(value.into()));
    }
    if at < words.len() {
        return Ok(Some(words.remove(at)));
    }
    Err(Failure::new(format!("{option} has no value")))
}

/// Removes an option without a value from the words; returns true if it was there.
pub fn take_flag(words: &mut Vec<OsString>, option: &str) -> bool {
    let before = words.len();
    words.retain(|w| w != option);
    words.len() < before
}

/// Returns true if an option is among the words.
pub fn has(words: &[OsString], option: &str) -> bool {
    let with = format!("{option}=");
    words.iter().any(|w| w.to_str().is_some_and(|w| w == option || w.starts_with(&with)))
}

/// A folder that is removed when this value is dropped.
pub struct Temporary(PathBuf);

impl Temporary {
    /// Creates a folder.
    pub fn new() -> Result<Temporary> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("quadrille-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|e| Failure::file("make", &folder, &e))?;
        Ok(Temporary(folder))
    }

    /// Path of a picture file in the folder.
    pub fn picture(&self) -> PathBuf {
        self.file("picture.png")
    }

    /// Path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Adds an output option with [`Self::picture`], if the words have none.
    pub fn give(&self, words: &mut Vec<OsString>) {
        if !has(words, "-o") && !has(words, "--output") {
            words.extend(["-o".into(), self.picture().into()]);
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
