//! What a script says: the model, and the two languages that it is read from.
//!
//! * `lexer`, `parser`: tokens, and what readers of both languages share
//! * `amber`: AmberScript
//! * `vkscript`: VkScript
//! * `model`: what both become

mod amber;
mod lexer;
pub mod model;
mod names;
mod parser;
mod vkscript;

pub use amber::elements_of_text;

use crate::error::{Errors, SyntaxError};
use lexer::Problem;
use model::Model;
use parser::Parser;

/// A script that has been read.
#[derive(Clone, Debug)]
pub struct Script {
    /// Name of the file, as errors show it.
    pub(crate) file: Box<str>,
    /// What it says.
    pub(crate) model: Model,
}

impl Script {
    /// Reads a script: AmberScript if its first line is `#!amber`, VkScript otherwise. Files that it names are read
    /// when it is run.
    pub fn parse(file: &str, text: &str) -> Result<Script, Errors> {
        let mut parser = Parser::new(text);
        match text.strip_prefix("#!amber") {
            Some(_) => amber::parse(&mut parser),
            None => vkscript::parse(&mut parser, text),
        }
        if parser.problems.is_empty() && text.trim().is_empty() {
            parser.problems.push(Problem { start: 0, length: 0, message: "the script is empty".into() });
        }
        if parser.problems.is_empty() {
            return Ok(Script { file: file.into(), model: parser.model });
        }
        let mut problems = parser.problems;
        problems.sort_by_key(|p| p.start);
        let errors = problems.into_iter().map(|problem| placed(text, problem)).collect();
        Err(Errors { file: file.into(), source_text: text.into(), errors })
    }

    /// Name of the file.
    pub fn file(&self) -> &str {
        &self.file
    }
}

/// A problem with its line and column.
fn placed(text: &str, problem: Problem) -> SyntaxError {
    let start = problem.start.min(text.len());
    let before = &text.as_bytes()[..start];
    let line = 1 + before.iter().filter(|b| **b == b'\n').count();
    let column = 1 + before.iter().rev().take_while(|b| **b != b'\n').count();
    SyntaxError {
        line: line as u32,
        column: column as u32,
        length: problem.length as u32,
        message: problem.message,
    }
}
