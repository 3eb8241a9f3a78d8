//! `render --watch`: the files that were read, and drawing again when one of them changes.
//!
//! All inputs of a picture are read through [`read`] or reported to [`note`].

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use quadrille::files;
use quadrille::process::PerProcess;

use crate::out;
use crate::report::{self, Failure, Result};

/// Interval between checks of the files.
const INTERVAL: Duration = Duration::from_millis(100);

/// Modification time and size of a file; `None` if there is no file.
type Stamp = Option<(SystemTime, u64)>;

static FILES: PerProcess<Mutex<BTreeMap<PathBuf, Stamp>>> = PerProcess::new();

fn stamp(path: &Path) -> Stamp {
    let meta = std::fs::metadata(path).ok()?;
    Some((meta.modified().ok()?, meta.len()))
}

/// Records that a file is about to be read.
pub fn note(path: &Path) {
    let mut files = FILES.get().lock().unwrap_or_else(PoisonError::into_inner);
    // The first record counts: changes after it may not be in the picture.
    files.entry(path.to_owned()).or_insert_with(|| stamp(path));
}

/// Reads a file and records it.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    note(path);
    files::given(path, files::MAX_DATA_BYTES)
}

fn changed() -> bool {
    let files = FILES.get().lock().unwrap_or_else(PoisonError::into_inner);
    files.iter().any(|(path, old)| stamp(path) != *old)
}

/// True if no file was read, so that none can change.
fn has_no_files() -> bool {
    FILES.get().lock().unwrap_or_else(PoisonError::into_inner).is_empty()
}

/// Draws, and draws again whenever a file that was read has changed. After an error, prints it and waits for the next
/// change. Ends with the process, when standard output is closed, or with an error before any file is read.
pub fn run(mut draw: impl FnMut() -> Result<ExitCode>) -> Result<ExitCode> {
    loop {
        let start = Instant::now();
        match draw() {
            Ok(_) => out::text(&format!("drawn in {:.2} s", start.elapsed().as_secs_f64()))?,
            Err(Failure::Quiet) => return Ok(ExitCode::SUCCESS),
            // The command line itself is wrong.
            Err(failure) if has_no_files() => return Err(failure),
            Err(failure) => {
                report::print(&failure);
            }
        }
        while !changed() {
            std::thread::sleep(INTERVAL);
        }
        // Editors write in several steps, so wait until nothing changes for a while.
        loop {
            FILES
                .get()
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .iter_mut()
                .for_each(|(p, old)| *old = stamp(p));
            std::thread::sleep(INTERVAL / 2);
            if !changed() {
                break;
            }
        }
        FILES.get().lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
