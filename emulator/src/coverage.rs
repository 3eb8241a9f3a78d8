//! Coverage of everything that a process runs: lines, functions and branches of the sources of shaders.
//!
//! ```text
//! QUADRILLE_COVERAGE=shaders.lcov cargo test        # shader tests, and whatever else makes devices
//! genhtml --branch-coverage shaders.lcov -o coverage
//! ```
//!
//! Devices that are made while it is on have their shaders interpreted and counted. What was counted is added to the file
//! at the end of each shader test, when a device goes, and by [`write`]: runs, processes and shards add up, and a new
//! count begins with a new file. Entry points that are compiled and never run count as well, with lines that nobody
//! came to. Modules say lines by OpLine or debug information; those that say none have no coverage.
//!
//! The tracefile names files that are there, as `genhtml` and others want it. Sources that are in no file, such as those
//! within Rust, are written into the folder `NAME.sources` beside a tracefile `NAME`; modules whose source is neither in a file nor
//! known are left out.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use quadrille_jit::env;
use quadrille_jit::interp::watch::Watch;
use quadrille_jit::terminal;
pub use quadrille_profile::{Branch, Coverage, FileCoverage, html, lcov};
use quadrille_profile::{Recorder, lcov::add_to, lcov::file_of_text, lcov::with_files};

struct Collected {
    file: PathBuf,
    recorder: Arc<Recorder>,
    /// Somebody has been told that it cannot be written.
    failed: Mutex<bool>,
}

static COLLECTED: OnceLock<Option<Collected>> = OnceLock::new();

fn collect_to(file: PathBuf) -> Option<Collected> {
    Some(Collected { file, recorder: Arc::new(Recorder::new()), failed: Mutex::new(false) })
}

fn collected() -> Option<&'static Collected> {
    COLLECTED.get_or_init(|| collect_to(env::COVERAGE.get()?.into())).as_ref()
}

/// Counts what devices run that are made from now on, for a tracefile. Before the first device of the process: whether
/// there is coverage, and where it goes, is settled then.
pub fn collect(file: &Path) -> bool {
    let mut here = false;
    COLLECTED.get_or_init(|| {
        here = true;
        collect_to(file.to_owned())
    });
    here
}

/// Who counts, if somebody does.
pub(crate) fn watch() -> Option<Arc<dyn Watch>> {
    collected().map(|c| c.recorder.clone() as Arc<dyn Watch>)
}

/// Adds what has been counted to the file, and gives what is in the file then; `None` if nothing is counted.
///
/// # Errors
/// Those of files.
pub fn write() -> io::Result<Option<Coverage>> {
    let Some(c) = COLLECTED.get().and_then(Option::as_ref) else { return Ok(None) };
    add_to(&c.file, &with_files(&c.file, c.recorder.take_coverage())?).map(Some)
}

/// The name that a source within a program goes by: while somebody counts, that of a file with its text.
pub(crate) fn name_of_text(name: &str, text: &str) -> String {
    // Asked before there is a device: `collect` may still say where it goes.
    let settled = COLLECTED.get().is_some() || env::COVERAGE.get().is_some();
    let file = settled.then(collected).flatten().and_then(|c| file_of_text(&c.file, name, text).ok());
    file.unwrap_or_else(|| name.to_owned())
}

/// As [`write`]; an error is said once.
pub(crate) fn flush() {
    let Some(c) = COLLECTED.get().and_then(Option::as_ref) else { return };
    if let Err(e) = write() {
        let mut failed = c.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::mem::replace(&mut *failed, true) {
            let file = c.file.display();
            terminal::to_stderr(format_args!("quadrille: coverage cannot be written to {file}: {e}"));
        }
    }
}
