//! Folders for files that a subcommand needs only while it runs.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::report::{Failure, Result};

/// A folder that is removed when this value is dropped.
pub struct Temporary(PathBuf);

impl Temporary {
    /// Creates a folder. One that is there belongs to somebody else: to a process that was killed, or to another user, who
    /// could exchange its files.
    pub fn new() -> Result<Temporary> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let all = std::env::temp_dir();
        std::fs::create_dir_all(&all).map_err(|e| Failure::file("make", &all, &e))?;
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let folder = all.join(format!("quadrille-{}-{number}", std::process::id()));
            match std::fs::create_dir(&folder) {
                Ok(()) => return Ok(Temporary(folder)),
                Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
                Err(e) => return Err(Failure::file("make", &folder, &e)),
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_are_there_are_left_alone() {
        let first = Temporary::new().unwrap();
        let (before, number) = first.0.to_str().unwrap().rsplit_once('-').unwrap();
        let next = PathBuf::from(format!("{before}-{}", number.parse::<u32>().unwrap() + 1));
        std::fs::create_dir(&next).unwrap();
        std::fs::write(next.join("picture.png"), "of another process").unwrap();
        let second = Temporary::new().unwrap();
        assert!(!second.picture().exists() && second.0 != next);
        drop(second);
        assert!(next.join("picture.png").exists());
        std::fs::remove_dir_all(next).unwrap();
    }
}
