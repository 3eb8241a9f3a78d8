//! Coverage of shaders: lines, functions and branches of their sources.
//!
//! ```text
//! QUADRILLE_COVERAGE=shaders.lcov cargo test        # shader tests, and everything else that creates devices
//! genhtml --branch-coverage shaders.lcov -o coverage
//! ```
//!
//! The shaders of counted devices are interpreted. The environment counts those of all devices that have no other
//! watcher; it adds the counts to the file at the end of each shader test and when a device is dropped. A program counts
//! the devices of its choice with a [`Counting`]. Runs, processes and shards add up, and a new file starts from zero.
//! Entry points that are compiled and never run are included, with all lines unexecuted. Lines come from OpLine or debug
//! information; modules without either have no coverage.
//!
//! The tracefile names existing files, as `genhtml` and other tools require. Sources without a file, such as those
//! embedded in Rust, are written into the folder `NAME.sources` beside the tracefile `NAME`. Modules whose source is
//! unknown are left out.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use once_cell::race::OnceBool;
use quadrille_jit::env;
use quadrille_jit::process::PerProcess;
use quadrille_jit::terminal;
pub use quadrille_profile::{Branch, Coverage, FileCoverage, html, lcov};
use quadrille_profile::{Recorder, lcov::add_to, lcov::file_of_text, lcov::with_files};

use super::watching::Watching;

/// Counts the shaders of devices for a tracefile: see [`DeviceOptions::watch`](crate::DeviceOptions).
pub struct Counting {
    file: PathBuf,
    recorder: Arc<Recorder>,
    /// Held from taking the counts until the file has them. Otherwise, a process could end after its last
    /// [`write`](Counting::write) while a worker that drops a device still holds the counts.
    writing: Mutex<()>,
}

impl Counting {
    /// Starts from zero; the tracefile may have counts already.
    pub fn new(file: PathBuf) -> Counting {
        Counting { file, recorder: Arc::new(Recorder::new()), writing: Mutex::new(()) }
    }

    /// Returns the watcher of a device whose shaders are counted.
    pub fn watching(&self) -> Watching {
        Watching::new(self.recorder.clone())
    }

    /// Adds the counts since the last call to the file, and returns the total in the file.
    ///
    /// # Errors
    /// Errors of reading and writing files.
    pub fn write(&self) -> io::Result<Coverage> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = Coverage::default();
        for of_shader in self.recorder.take_coverage() {
            // Texts get files of their own before files of one name are added up.
            all.add(&with_files(&self.file, of_shader)?);
        }
        add_to(&self.file, &all)
    }
}

/// Counts that the environment requests, if any.
fn of_environment() -> Option<&'static Counting> {
    static COUNTING: PerProcess<OnceLock<Option<Counting>>> = PerProcess::new();
    COUNTING.get().get_or_init(|| env::COVERAGE.get().map(Counting::new)).as_ref()
}

/// Returns the watcher that counts for the environment.
pub(crate) fn default_watch() -> Option<Watching> {
    of_environment().map(Counting::watching)
}

/// Returns the name of a source that is embedded in a program. If the environment requests coverage, it is the name of
/// a file with the text.
pub(crate) fn name_of_text(name: &str, text: &str) -> String {
    let file = of_environment().and_then(|counting| file_of_text(&counting.file, name, text).ok());
    file.unwrap_or_else(|| name.to_owned())
}

/// Writes the counts of the environment; only the first error is reported.
pub(crate) fn flush() {
    static FAILED: OnceBool = OnceBool::new();
    let Some(counting) = of_environment() else { return };
    if let Err(e) = counting.write()
        && FAILED.set(true).is_ok()
    {
        let (file, reason) = (counting.file.display(), crate::files::reason(&e));
        terminal::to_stderr(format_args!("quadrille: coverage cannot be written to {file}: {reason}"));
    }
}
