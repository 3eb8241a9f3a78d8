//! Errors of scripts that cannot be parsed. Each has its place, and is printed with the line of the script.

use std::fmt;

use quadrille::error::{Message, Source};

/// One syntax error in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// Length of the offending text, in bytes; 0 at the end of a line.
    pub length: u32,
    /// Text of the message.
    pub message: String,
}

/// All errors of a script that cannot be parsed, in text order. `Debug` shows every message with its line, as that of
/// [`quadrille::Error`] does.
#[derive(Clone, PartialEq, Eq)]
pub struct Errors {
    /// Name of the script.
    pub file: Box<str>,
    /// Text of the script.
    pub source_text: Box<str>,
    /// Errors, at least one.
    pub errors: Vec<SyntaxError>,
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, e) in self.errors.iter().enumerate() {
            let newline = if i > 0 { "\n" } else { "" };
            write!(f, "{newline}{}:{}:{}: {}", self.file, e.line, e.column, e.message)?;
        }
        Ok(())
    }
}

impl Errors {
    /// Returns the script with all messages, for display.
    pub fn source(&self) -> Source {
        let message = |e: &SyntaxError| Message {
            line: e.line,
            column: e.column,
            length: e.length,
            text: e.message.clone(),
        };
        Source {
            title: format!("{} cannot be read", self.file),
            file: self.file.to_string(),
            text: self.source_text.to_string(),
            messages: self.errors.iter().map(message).collect(),
            help: None,
        }
    }
}

impl fmt::Debug for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.source())
    }
}

impl std::error::Error for Errors {}
