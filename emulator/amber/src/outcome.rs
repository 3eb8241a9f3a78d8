//! Outcomes of scripts.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Options for running a script.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folder of the files that the script names; `None` for the folder of the script itself.
    pub folder: Option<PathBuf>,
    /// Largest run time of the script; `None` for no limit. A shader compilation that has begun is not interrupted. The
    /// device's own budget stops a shader that does not end.
    pub timeout: Option<Duration>,
}

/// A failed expectation, or a command that could not be executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Line of the script, from 1.
    pub line: u32,
    /// Text of the message, which may have several lines.
    pub message: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// Outcome of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All commands were executed, and every expectation holds.
    Passed,
    /// Failed expectations, or a command that could not be executed as the last entry.
    Failed(Vec<Failure>),
    /// The script needs something unavailable, which the text names.
    Skipped(String),
}
