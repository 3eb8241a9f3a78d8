//! Errors, classified by who is at fault.

use std::fmt;
use std::sync::Arc;

use crate::excerpt::{Message, Source};

/// Location of an error in a module.
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
    /// Source with all its messages, if its text is known.
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

/// Errors, by who is at fault. The compiler and the device that runs the shaders share this type.
///
/// | Kind | At fault | Device afterwards |
/// |---|---|---|
/// | `Invalid` | the shader or the caller, which violates a specification | usable |
/// | `Unsupported` | nobody: the request is legal, but Quadrille does not support it | usable |
/// | `Limit` | the shader or the caller, which exceeds a stated limit | usable |
/// | `OutOfMemory` | the host or the heap of the device, which has too little memory | usable |
/// | `DeviceLost` | most often a shader that does not end within its time budget | lost |
/// | `ChecksFailed` | a shader or the caller, whose mistakes the checks found | lost |
/// | `Aborted` | a shader that aborted itself | lost |
/// | `Internal` | Quadrille | usable |
///
/// A lost device refuses submissions, and waits for its unfinished work return the error. The host can still read its
/// memory. The program continues with a new device.
///
/// An error of any kind also loses the device if it occurs while a queue runs commands. `check_lost` of the device
/// returns the error by which the device was lost.
///
/// `Display` is a single line. `Debug`, which a failing test prints, also shows the source lines with file, line,
/// column and every message, if the text is known.
#[derive(Clone, thiserror::Error)]
pub enum Error {
    /// The module or the call violates its specification.
    #[error("invalid: {message}{place}")]
    Invalid {
        /// Description of the violation.
        message: String,
        /// Location in the module.
        place: Box<Place>,
    },
    /// Legal, but not supported here; names the capability, instruction or feature.
    #[error("unsupported: {what}{place}")]
    Unsupported {
        /// Capability, instruction or feature.
        what: String,
        /// Location in the module.
        place: Box<Place>,
    },
    /// A stated limit is exceeded.
    #[error("limit exceeded: {0}")]
    Limit(String),
    /// The host or the heap of the device has too little memory.
    #[error("out of memory: {0}")]
    OutOfMemory(String),
    /// The device is lost: a shader, which the text names, or another command exceeded its time budget.
    ///
    /// Other causes: an observer ended a shader, or the program declared the loss.
    ///
    /// A child of `fork` also gets this error from a device of its parent, which stays usable in the parent.
    #[error("device lost: {0}")]
    DeviceLost(String),
    /// Checks found mistakes while `QUADRILLE_CHECK` is `fail`, and the device is lost.
    #[error("device lost: {0}")]
    ChecksFailed(String),
    /// A shader aborted, and the device is lost. Spec: SPIR-V, SPV_KHR_abort.
    #[error("device lost: {text}")]
    Aborted {
        /// Names the entry point, and has the message as text.
        text: String,
        /// The message, laid out as its type states.
        message: Arc<[u8]>,
    },
    /// A defect of Quadrille itself.
    #[error("internal error: {0}; please report it")]
    Internal(String),
}

impl Error {
    /// An `Invalid` error without a place.
    #[cold]
    pub fn invalid(message: impl Into<String>) -> Self {
        Error::Invalid { message: message.into(), place: Box::default() }
    }
    /// An `Unsupported` error without a place.
    #[cold]
    pub fn unsupported(what: impl Into<String>) -> Self {
        Error::Unsupported { what: what.into(), place: Box::default() }
    }
    /// Adds a place to an error, if its variant has one.
    pub fn at(mut self, at: Place) -> Self {
        if let Error::Invalid { place, .. } | Error::Unsupported { place, .. } = &mut self {
            **place = at;
        }
        self
    }

    /// Appends the subject of an error to its text, for example the name of an object.
    pub fn about(mut self, what: &str) -> Self {
        let (Error::Invalid { message: text, .. }
        | Error::Unsupported { what: text, .. }
        | Error::Limit(text)
        | Error::OutOfMemory(text)
        | Error::DeviceLost(text)
        | Error::ChecksFailed(text)
        | Error::Aborted { text, .. }
        | Error::Internal(text)) = &mut self;
        *text += ", ";
        *text += what;
        self
    }

    /// Returns true for `DeviceLost` and `Aborted`. Other errors lose the device only if they occur while a queue runs
    /// commands.
    pub fn is_loss(&self) -> bool {
        matches!(self, Error::DeviceLost(_) | Error::ChecksFailed(_) | Error::Aborted { .. })
    }

    /// Location in the module or its source, if the error has one.
    pub fn place(&self) -> Option<&Place> {
        match self {
            Error::Invalid { place, .. } | Error::Unsupported { place, .. } => Some(place),
            _ => None,
        }
    }

    /// Adds the text of the source file that contains the error's line. Errors that have a source already, or refer to
    /// another file, stay unchanged.
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
