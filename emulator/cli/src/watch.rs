//! `render --watch`: which files were read, and drawing again when one of them changes.
//!
//! Everything that a picture is made of is read through [`read`] or told to [`note`].

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use quadrille::files;

use crate::out;
use crate::report::{self, Failure, Result};

/// From one look at the files to the next.
const INTERVAL: Duration = Duration::from_millis(100);

/// Changes when a file does; `None` if there is none.
type Stamp = Option<(SystemTime, u64)>;

static FILES: Mutex<BTreeMap<PathBuf, Stamp>> = Mutex::new(BTreeMap::new());

fn stamp(path: &Path) -> Stamp {
    let meta = std::fs::metadata(path).ok()?;
    Some((meta.modified().ok()?, meta.len()))
}

/// A file is about to be read.
pub fn note(path: &Path) {
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    // The first look counts: what changes from then on may not be in the picture.
    files.entry(path.to_owned()).or_insert_with(|| stamp(path));
}

/// Reads a file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    note(path);
    files::given(path, files::MAX_DATA_BYTES)
}

fn changed() -> bool {
    let files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    files.iter().any(|(path, old)| stamp(path) != *old)
}

/// Draws, and again whenever a file that was read has changed. An error is printed, and the next change waited for.
/// This ends with the process, or when nobody listens any more.
pub fn run(mut draw: impl FnMut() -> Result<ExitCode>) -> Result<ExitCode> {
    loop {
        let start = Instant::now();
        match draw() {
            Ok(_) => out::text(&format!("drawn in {:.2} s", start.elapsed().as_secs_f64()))?,
            Err(Failure::Quiet) => return Ok(ExitCode::SUCCESS),
            Err(failure) => {
                report::print(&failure);
            }
        }
        while !changed() {
            std::thread::sleep(INTERVAL);
        }
        // Editors write in several steps: they are done when nothing changes for a while.
        loop {
            FILES
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .iter_mut()
                .for_each(|(p, old)| *old = stamp(p));
            std::thread::sleep(INTERVAL / 2);
            if !changed() {
                break;
            }
        }
        FILES.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
