//! What becomes of a script.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// How a script is run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where the files lie that the script names; `None` for the folder of the script itself.
    pub folder: Option<PathBuf>,
    /// How long the script may take, compilation of its shaders left out once begun; `None` for as long as it takes. A
    /// shader that does not end is stopped by the device's own budget.
    pub timeout: Option<Duration>,
}

/// An expectation that does not hold, or a command that cannot be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Line of the script, from 1.
    pub line: u32,
    /// What is wrong; several lines for what has many.
    pub message: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// What became of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Everything was done, and every expectation holds.
    Passed,
    /// What does not hold; a command that cannot be done is the last.
    Failed(Vec<Failure>),
    /// The script needs what is not there; says what.
    Skipped(String),
}
