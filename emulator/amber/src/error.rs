//! Errors of scripts that cannot be read: every one with its place.

use std::fmt;

/// One thing that is wrong with a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// Length in bytes of what is wrong; 0 if it is the end of a line.
    pub length: u32,
    /// What is wrong.
    pub message: String,
}

/// A script that cannot be read, with all that is wrong with it, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Errors {
    /// Name of the script.
    pub file: Box<str>,
    /// The script.
    pub source_text: Box<str>,
    /// At least one.
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

impl std::error::Error for Errors {}
