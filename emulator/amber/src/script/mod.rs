//! Parses scripts of both languages into a common model.
//!
//! * `lexer`, `parser`: tokens, and functions that both parsers share
//! * `amber`: AmberScript
//! * `vkscript`: VkScript
//! * `model`: the common model

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

/// A parsed script.
#[derive(Clone, Debug)]
pub struct Script {
    /// Name of the file for messages.
    pub(crate) file: Box<str>,
    /// Model of the script.
    pub(crate) model: Model,
}

impl Script {
    /// Parses a script: AmberScript if its first line is `#!amber`, otherwise VkScript. Files that the script names are
    /// read when it runs.
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

/// Adds the line and column to a syntax error.
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
