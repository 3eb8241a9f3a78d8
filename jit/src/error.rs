//! Errors that say whose fault it is.

use std::fmt;

/// Where in a module something is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Name of the instruction, such as `OpFAdd`.
    pub instruction: Option<String>,
    /// Result id.
    pub id: Option<u32>,
    /// Offset of the instruction in the module, in words.
    pub word: Option<usize>,
    /// Source file, from OpLine or DebugLine.
    pub file: Option<String>,
    /// Line in the source file.
    pub line: Option<u32>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(i) = &self.instruction {
            write!(f, ", in {i}")?;
        }
        if let Some(id) = self.id {
            write!(f, ", id %{id}")?;
        }
        if let Some(word) = self.word {
            write!(f, ", at word {word}")?;
        }
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, ", from {file}:{line}"),
            (None, Some(line)) => write!(f, ", from source line {line}"),
            _ => Ok(()),
        }
    }
}

/// What can go wrong between a module and its lane functions.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Error {
    /// The module or the call breaks its specification.
    #[error("invalid: {message}{place}")]
    Invalid {
        /// What is wrong.
        message: String,
        /// Where.
        place: Box<Place>,
    },
    /// Legal, but not offered here; names the capability, instruction or feature.
    #[error("unsupported: {what}{place}")]
    Unsupported {
        /// Capability, instruction or feature.
        what: String,
        /// Where.
        place: Box<Place>,
    },
    /// A stated limit is exceeded.
    #[error("limit exceeded: {0}")]
    Limit(String),
    /// Memory ran out.
    #[error("out of memory: {0}")]
    OutOfMemory(String),
    /// A shader exceeded its time budget; names the entry point.
    #[error("device lost: {0}")]
    DeviceLost(String),
    /// A defect of Quadrille itself.
    #[error("internal error: {0}; please report it")]
    Internal(String),
}

impl Error {
    /// An `Invalid` without a place.
    pub fn invalid(message: impl Into<String>) -> Self {
        Error::Invalid { message: message.into(), place: Box::default() }
    }
    /// An `Unsupported` without a place.
    pub fn unsupported(what: impl Into<String>) -> Self {
        Error::Unsupported { what: what.into(), place: Box::default() }
    }
    /// The same error with a place, where it takes one.
    pub fn at(mut self, at: Place) -> Self {
        if let Error::Invalid { place, .. } | Error::Unsupported { place, .. } = &mut self {
            **place = at;
        }
        self
    }
}

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
