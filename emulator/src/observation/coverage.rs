//! Coverage of all shaders that a process runs: lines, functions and branches of the shader sources.
//!
//! ```text
//! QUADRILLE_COVERAGE=shaders.lcov cargo test        # shader tests, and everything else that creates devices
//! genhtml --branch-coverage shaders.lcov -o coverage
//! ```
//!
//! While coverage is on, the shaders of new devices are interpreted and counted. The counts are added to the file at
//! the end of each shader test, when a device is dropped, and by [`write`]: runs, processes and shards add up, and a
//! new file starts from zero. Entry points that are compiled and never run are included, with all lines unexecuted.
//! Lines come from OpLine or debug information; modules without either have no coverage.
//!
//! The tracefile names existing files, as `genhtml` and other tools require. Sources without a file, such as those
//! embedded in Rust, are written into the folder `NAME.sources` beside the tracefile `NAME`. Modules whose source is
//! unknown are left out.

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
    /// Held from taking the counts until the file has them. Otherwise, a process could end after its last [`write`] while
    /// a worker that drops a device still holds the counts.
    writing: Mutex<()>,
    /// `true` once a write error has been reported.
    failed: Mutex<bool>,
}

static COLLECTED: OnceLock<Option<Collected>> = OnceLock::new();

fn collect_to(file: PathBuf) -> Option<Collected> {
    let recorder = Arc::new(Recorder::new());
    Some(Collected { file, recorder, writing: Mutex::new(()), failed: Mutex::new(false) })
}

fn collected() -> Option<&'static Collected> {
    COLLECTED.get_or_init(|| collect_to(env::COVERAGE.get()?)).as_ref()
}

/// Counts coverage of devices that are made from now on, for a tracefile. Call it before the first device of the
/// process is made, which fixes the setting. Returns `false` if the setting was fixed earlier.
pub fn collect(file: &Path) -> bool {
    let mut here = false;
    COLLECTED.get_or_init(|| {
        here = true;
        collect_to(file.to_owned())
    });
    here
}

/// Returns the watcher that counts coverage, if coverage is on.
pub(crate) fn watch() -> Option<Arc<dyn Watch>> {
    collected().map(|c| c.recorder.clone() as Arc<dyn Watch>)
}

/// Adds the counts to the file and returns the total in the file; `None` if coverage is off.
///
/// # Errors
/// Errors of reading and writing files.
pub fn write() -> io::Result<Option<Coverage>> {
    let Some(c) = COLLECTED.get().and_then(Option::as_ref) else { return Ok(None) };
    let _writing = c.writing.lock().unwrap_or_else(PoisonError::into_inner);
    add_to(&c.file, &with_files(&c.file, c.recorder.take_coverage())?).map(Some)
}

/// Returns the name of a source that is embedded in a program. If coverage is on, it is the name of a file with the
/// text.
pub(crate) fn name_of_text(name: &str, text: &str) -> String {
    // There may be no device yet, so this must not fix the setting: `collect` can still set the file.
    let settled = COLLECTED.get().is_some() || env::COVERAGE.get().is_some();
    let file = settled.then(collected).flatten().and_then(|c| file_of_text(&c.file, name, text).ok());
    file.unwrap_or_else(|| name.to_owned())
}

/// Calls [`write`]; only the first error is reported.
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
