//! Results of tests.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Path of the file, as it was found.
    pub file: String,
    /// Line, from 1; 0 for the whole file.
    pub line: u32,
    /// Column in bytes, from 1; 0 if unknown.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        match (self.line, self.column) {
            (0, _) => Ok(()),
            (line, 0) => write!(f, ":{line}"),
            (line, column) => write!(f, ":{line}:{column}"),
        }
    }
}

/// Files of the pictures for a golden that does not match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pictures {
    /// The golden; `None` if it does not exist yet.
    pub expected: Option<PathBuf>,
    /// The picture that was drawn.
    pub actual: PathBuf,
    /// The difference between both.
    pub difference: Option<PathBuf>,
}

/// A difference from the expectations, or an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Description; may have several lines.
    pub message: String,
    /// Place in the test or in the shader.
    pub place: Option<Place>,
    /// Pictures that do not match.
    pub pictures: Option<Box<Pictures>>,
}

impl Failure {
    /// Creates a failure at a place.
    pub fn new(message: impl Into<String>, place: Option<Place>) -> Failure {
        Failure { message: message.into(), place, pictures: None }
    }

    /// An error of the device or a compiler, with the source lines; without a line its place is `place`.
    pub fn of_error(error: &quadrille::Error, place: Option<Place>) -> Failure {
        let in_source = error.place().and_then(|p| {
            let (file, line) = (p.file.clone()?, p.line?);
            Some(Place { file, line, column: p.column.unwrap_or(0) })
        });
        Failure::new(format!("{error:?}"), in_source.or(place))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.message)
    }
}

/// Outcome of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "lowercase")]
pub enum Outcome {
    /// All results are as expected.
    Passed,
    /// Some results differ from the expectations, or there was an error.
    Failed {
        /// The failures; at least one.
        failures: Vec<Failure>,
    },
    /// The test was not run.
    Skipped {
        /// The reason.
        reason: String,
    },
}

impl Outcome {
    /// A failed test with a single failure.
    pub fn failed(failure: Failure) -> Outcome {
        Outcome::Failed { failures: vec![failure] }
    }
}

/// A test that has been run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Name of the test.
    pub name: String,
    /// File of the test.
    pub file: String,
    /// Outcome of the test.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Wall-clock time.
    pub seconds: f64,
    /// Lines that the shaders printed, in the order of their invocations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub printed: Vec<String>,
    /// True if the report is from the journal of an earlier run.
    #[serde(default)]
    pub resumed: bool,
    /// Files that the test depends on, with the hashes of their contents; `None` for missing files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) made_of: Vec<(String, Option<u64>)>,
}

/// Number of tests per outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Counts {
    /// Passed tests.
    pub passed: usize,
    /// Failed tests.
    pub failed: usize,
    /// Tests that were skipped for a reason.
    pub skipped: usize,
    /// Tests taken from the journal; also counted above.
    pub resumed: usize,
    /// Tests not run, because an earlier one failed.
    pub left: usize,
    /// Wall-clock time of the whole run.
    pub seconds: f64,
}

impl Counts {
    /// Number of tests that have an outcome.
    pub fn all(&self) -> usize {
        self.passed + self.failed + self.skipped
    }

    pub(crate) fn add(&mut self, report: &Report) {
        *match report.outcome {
            Outcome::Passed => &mut self.passed,
            Outcome::Failed { .. } => &mut self.failed,
            Outcome::Skipped { .. } => &mut self.skipped,
        } += 1;
        self.resumed += usize::from(report.resumed);
    }
}
