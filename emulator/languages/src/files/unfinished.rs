//! Files that take their names when they are complete, for writers of one piece and of many.

use std::fs;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The place of a file until it is complete. Dropped before, it removes what was written.
#[derive(Debug)]
pub struct Unfinished {
    path: PathBuf,
    /// Name under which the file is written; `None` for pipes and devices, which are written in place.
    beside: Option<PathBuf>,
}

impl Unfinished {
    /// Prepares a file of this name, and creates its folder. An older file stays until the new one is complete.
    pub fn new(path: &Path) -> Result<Unfinished> {
        if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(|e| no_folder(folder, e))?;
        }
        let in_place = fs::metadata(path).is_ok_and(|meta| !meta.is_file());
        Ok(Unfinished { path: path.to_owned(), beside: (!in_place).then(|| beside(path)) })
    }

    /// The name to write to until the file is complete.
    pub fn name(&self) -> &Path {
        self.beside.as_deref().unwrap_or(&self.path)
    }

    /// Gives the file its name. It must be closed.
    pub fn finish(mut self) -> Result<()> {
        if let Some(beside) = &self.beside {
            fs::rename(beside, &self.path)?;
            self.beside = None;
        }
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(beside) = &self.beside {
            // The error of the write is more useful than that of the cleanup.
            let _ = fs::remove_file(beside);
        }
    }
}

/// The error of a folder that cannot be created. The system says that it exists if it is a file.
fn no_folder(folder: &Path, error: Error) -> Error {
    if error.kind() == ErrorKind::AlreadyExists {
        Error::new(ErrorKind::NotADirectory, format!("{} is not a folder", folder.display()))
    } else {
        error
    }
}

/// Returns a name beside the file that no other writer uses: `.NAME.PROCESS-NUMBER.part`.
fn beside(path: &Path) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    path.with_file_name(format!(".{name}.{}-{number}.part", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_files_stay_until_the_new_one_is_complete() {
        let folder = std::env::temp_dir().join(format!("quadrille-unfinished-{}", std::process::id()));
        let path = folder.join("film");
        let names = || fs::read_dir(&folder).unwrap().count();
        let file = Unfinished::new(&path).unwrap();
        fs::write(file.name(), "one").unwrap();
        assert!(!path.exists());
        file.finish().unwrap();
        let file = Unfinished::new(&path).unwrap();
        fs::write(file.name(), "two").unwrap();
        assert_eq!(names(), 2);
        drop(file);
        assert_eq!((names(), fs::read(&path).unwrap()), (1, b"one".to_vec()));
        fs::remove_dir_all(folder).unwrap();
    }

    /// Devices have this name on Unix.
    #[cfg(unix)]
    #[test]
    fn devices_are_written_in_place() {
        let device = Path::new("/dev/null");
        let file = Unfinished::new(device).unwrap();
        assert_eq!(file.name(), device);
        drop(file);
        assert!(device.exists());
    }
}
