//! Folders for files that a subcommand needs only while it runs.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::report::{Failure, Result};

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
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
