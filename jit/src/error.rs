//! Errors that say whose fault it is.

use std::fmt;
use std::sync::Arc;

use crate::excerpt::{Message, Source};

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
    /// Column in that line in bytes, from 1.
    pub column: Option<u32>,
    /// The source with all that is wrong with it, where its text is known.
    pub source: Option<Arc<Source>>,
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
            (Some(file), Some(line)) => match self.column {
                Some(column) => write!(f, ", from {file}:{line}:{column}"),
                None => write!(f, ", from {file}:{line}"),
            },
            (None, Some(line)) => write!(f, ", from source line {line}"),
            _ => Ok(()),
        }
    }
}

/// What can go wrong between a module and its lane functions.
///
/// `Display` is one line. `Debug`, which a test prints that fails, shows the lines of the source as well, with file,
/// line, column and every message about them, where the text is known.
#[derive(Clone, thiserror::Error)]
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
    #[cold]
    pub fn invalid(message: impl Into<String>) -> Self {
        Error::Invalid { message: message.into(), place: Box::default() }
    }
    /// An `Unsupported` without a place.
    #[cold]
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

    /// The same error, whose text goes on with what it is about: the name of an object, say.
    pub fn about(mut self, what: &str) -> Self {
        let (Error::Invalid { message: text, .. }
        | Error::Unsupported { what: text, .. }
        | Error::Limit(text)
        | Error::OutOfMemory(text)
        | Error::DeviceLost(text)
        | Error::Internal(text)) = &mut self;
        *text += ", ";
        *text += what;
        self
    }

    /// Where in a module or its source it is, if the error is one of a place.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Error::Invalid { place, .. } | Error::Unsupported { place, .. } => Some(place),
            _ => None,
        }
    }

    /// The same error with the text of the source that its line is of. One that has a source already, or is about
    /// another file, stays as it is.
    pub fn with_source(mut self, file: &str, text: &str) -> Self {
        let headline = self.clone().without_line().to_string();
        let (Error::Invalid { place, .. } | Error::Unsupported { place, .. }) = &mut self else {
            return self;
        };
        let here = place.file.as_deref().is_none_or(|known| known == file);
        if let (Some(line), None, true) = (place.line, &place.source, here) {
            let from = Message { line, text: "from here".into(), ..Message::default() };
            let (file, text) = (file.to_owned(), text.to_owned());
            let source = Source { title: headline, file, text, messages: vec![from], help: None };
            place.source = Some(Arc::new(source));
        }
        self
    }

    fn without_line(mut self) -> Self {
        if let Error::Invalid { place, .. } | Error::Unsupported { place, .. } = &mut self {
            (place.file, place.line) = (None, None);
        }
        self
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place().and_then(|p| p.source.as_ref()) {
            Some(source) => write!(f, "{source}"),
            None => write!(f, "{self}"),
        }
    }
}

/// Result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
