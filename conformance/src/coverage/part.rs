//! Parts of the file tests, which coverage runs one by one: a module with its expected results.

use quadrille::frontend::Stage;

use super::facts::{Facts, facts};
use crate::filetest::{Body, FileTest};
use crate::lanes::Variant;
use crate::program::{self, Effort, Program};
use crate::table::{self, Counts, Extent, Kind, Made};
use crate::tools;

/// A module with its inputs and expected results.
pub struct Part<'a> {
    /// Path of the file below `filetests`.
    pub file: &'a str,
    /// Name of the part within the file: `line 5, Varying`.
    pub name: String,
    /// The module.
    pub words: Vec<u32>,
    /// Rows that the module uses.
    pub facts: Facts,
    body: What<'a>,
}

enum What<'a> {
    Table(Box<Made>),
    Program(&'a Program, Option<Stage>),
}

/// Outcome of running a part.
#[derive(Debug)]
pub struct Outcome {
    /// Number of compared values.
    pub compared: usize,
    /// The first failure.
    pub failure: Option<String>,
    /// True if the failure is a wrong value of a module that ran, not a refusal.
    pub wrong: bool,
}

/// Parts of a file whose results are compared, without those that must be refused.
///
/// # Errors
/// An error in the file, or the error of the front end.
pub fn parts(test: &FileTest) -> Result<Vec<Part<'_>>, String> {
    let mut list = Vec::new();
    let mut add = |name: String, words: Vec<u32>, body| {
        // WGSL has tables of its own: its modules do not count for the SPIR-V tables.
        let facts = if test.is_wgsl() { Ok(Facts::default()) } else { facts(&words) };
        let facts = facts.map_err(|e| format!("{}: {name}: {e}", test.name))?;
        list.push(Part { file: &test.name, name, words, facts, body });
        Ok::<(), String>(())
    };
    match &test.body {
        Err((line, e)) => return Err(format!("{}:{line}: {e}", test.name)),
        Ok(Body::Table(t)) => {
            for section in &t.sections {
                let Some(line) = section.rows.first().map(|r| r.line) else { continue };
                for kind in Kind::ALL {
                    let Some(mut made) = table::make(t, section, kind, Extent::Full) else { continue };
                    let words = tools::assemble(&made.text, false)?;
                    made.text = made.text.lines().filter(|l| l.contains("LocalSize")).collect();
                    add(format!("line {line}, {kind:?}"), words, What::Table(Box::new(made)))?;
                }
            }
        }
        Ok(Body::Program(p)) if p.error().is_none() => {
            let (words, stage) = test.words(false).map_err(|e| format!("{}: {e}", test.name))?;
            add("program".into(), words, What::Program(p, stage))?;
        }
        Ok(Body::Program(_)) => {}
    }
    Ok(list)
}

impl Part<'_> {
    /// Runs the part in the interpreter and compares the results with the expected ones.
    pub fn run(&self) -> Outcome {
        self.run_words(&self.words)
    }

    /// Like [`run`](Self::run), with `words` in place of the part's own.
    pub fn run_words(&self, words: &[u32]) -> Outcome {
        let mut counts = Counts::default();
        let mut failure = None;
        let mut fail = |line: usize, message: String| {
            failure.get_or_insert(format!("{}:{line}: {message}", self.file));
        };
        let done = match &self.body {
            What::Table(made) => {
                let variant = Variant::interpreter(8);
                table::run_words(made, words, &[variant], &mut counts, &mut fail)
            }
            What::Program(p, stage) => {
                program::try_run(p, words, *stage, Effort::Interpreter, &mut counts, &mut fail)
            }
        };
        let wrong = failure.is_some();
        if let Err(e) = done {
            failure.get_or_insert(format!("{}: {}: {e}", self.file, self.name));
        }
        Outcome { compared: counts.values, failure, wrong }
    }
}
