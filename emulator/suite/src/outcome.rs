//! What becomes of a test.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The file, as it was found.
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

/// Pictures of a golden that is not met, in files.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pictures {
    /// The golden; `None` if there is none yet.
    pub expected: Option<PathBuf>,
    /// What was drawn.
    pub actual: PathBuf,
    /// Where they differ.
    pub difference: Option<PathBuf>,
}

/// Something that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What it is; may have several lines.
    pub message: String,
    /// Where it is, in the test or in the shader.
    pub place: Option<Place>,
    /// What was drawn instead.
    pub pictures: Option<Box<Pictures>>,
}

impl Failure {
    /// A failure at a place.
    pub fn new(message: impl Into<String>, place: Option<Place>) -> Failure {
        Failure { message: message.into(), place, pictures: None }
    }

    /// An error of the device or a compiler, with the lines of the source; without a line it is about `place`.
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

/// What became of a test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "lowercase")]
pub enum Outcome {
    /// All is as expected.
    Passed,
    /// What is not.
    Failed {
        /// At least one.
        failures: Vec<Failure>,
    },
    /// It was not run.
    Skipped {
        /// Why not.
        reason: String,
    },
}

impl Outcome {
    /// Failed for one reason.
    pub fn failed(failure: Failure) -> Outcome {
        Outcome::Failed { failures: vec![failure] }
    }
}

/// A test that has been run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Its name.
    pub name: String,
    /// The file that it is in.
    pub file: String,
    /// What became of it.
    #[serde(flatten)]
    pub outcome: Outcome,
    /// How long it took by the clock.
    pub seconds: f64,
    /// What its shaders printed, in the order of their invocations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub printed: Vec<String>,
    /// It was run earlier, and is taken from the journal.
    #[serde(default)]
    pub resumed: bool,
    /// Files that it was made of, with what was in them; `None` for those that were not there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) made_of: Vec<(String, Option<u64>)>,
}

/// How many tests became what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Counts {
    /// All is as expected.
    pub passed: usize,
    /// Something is not.
    pub failed: usize,
    /// Not run, for a reason.
    pub skipped: usize,
    /// Taken from the journal; counted above as well.
    pub resumed: usize,
    /// Not reached, since another failed.
    pub left: usize,
    /// From the first to the last, by the clock.
    pub seconds: f64,
}

impl Counts {
    /// Tests that have an outcome.
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
