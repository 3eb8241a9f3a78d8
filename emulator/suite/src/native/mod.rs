//! Native tests: a file `NAME.test.toml` beside a shader, with a table for each test.
//!
//! The book's page "All keys of test files" (`book/src/keys.md`) is the reference, with examples that run. `form` has the tables
//! and keys, the other modules what they mean: `bind` resources, `draw` stages and states, `expect` results, `kernel` kernels of
//! OpenCL, `keys` the keys of each kind of test, `names` the names of states, `numbers` the ranges of numbers, `job` and `run` the
//! execution.

mod bind;
mod draw;
mod expect;
mod form;
mod job;
mod kernel;
mod keys;
mod names;
mod numbers;
mod run;

use std::collections::HashSet;
use std::path::Path;

use quadrille::files::{Folders, MAX_TEXT_BYTES, decoded};
use quadrille::similar;
use toml::Spanned;

use crate::outcome::{Failure, Place};

pub(crate) use run::{run, timeout};

/// A test file.
#[derive(Debug)]
pub struct Suite {
    /// Path, as it was found.
    pub file: String,
    /// Byte offset of each line.
    lines: Vec<usize>,
    form: form::File,
}

/// Reads a test file. Errors have the line.
pub fn load(file: &str) -> Result<Suite, Failure> {
    let bytes = Folders::of_file(file).read(file, MAX_TEXT_BYTES);
    let bytes = bytes.map_err(|e| Failure::new(format!("cannot read {file}: {e}"), None))?;
    let text = decoded(&bytes).map_err(|why| Failure::new(why, Some(whole(file))))?;
    let lines: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let form = toml::from_str::<form::File>(text).map_err(|e| {
        let at = e.span().map_or_else(|| whole(file), |span| place(file, &lines, span.start));
        Failure::new(with_nearest(e.message()), Some(at))
    })?;
    let suite = Suite { file: file.to_owned(), lines, form };
    numbers::check(&suite)?;
    let mut names = HashSet::with_capacity(suite.len());
    for i in 0..suite.len() {
        let name = suite.name_of(i);
        if !names.insert(name.clone()) {
            let at = suite.place(suite.form.test[i].span().start);
            return Err(Failure::new(format!("there are two tests `{name}`"), Some(at)));
        }
    }
    if suite.len() == 0 {
        return Err(Failure::new("there is no [[test]]", Some(whole(file))));
    }
    Ok(suite)
}

/// A message of the parser, which gets the known key that is most similar to an unknown one.
fn with_nearest(message: &str) -> String {
    let known = message.strip_prefix("unknown field `").and_then(|rest| rest.split_once('`'));
    let Some((key, known)) = known else { return message.to_owned() };
    let names: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
    match similar::closest(key, names.iter().copied()) {
        Some(near) => {
            let known = known.trim_start_matches([',', ' ']);
            format!("unknown field `{key}`; did you mean `{}`? {known}", names[near])
        }
        None => message.to_owned(),
    }
}

fn whole(file: &str) -> Place {
    Place { file: file.to_owned(), line: 0, column: 0 }
}

/// Place of a byte in a file with these line offsets.
fn place(file: &str, lines: &[usize], at: usize) -> Place {
    let line = lines.partition_point(|begin| *begin <= at);
    let begin = line.checked_sub(1).and_then(|i| lines.get(i)).copied().unwrap_or(0);
    Place { file: file.to_owned(), line: line as u32, column: (at - begin + 1) as u32 }
}

impl Suite {
    /// Number of tests.
    pub fn len(&self) -> usize {
        self.form.test.len()
    }

    /// Name of a test; those without one are numbered from 1.
    pub fn name_of(&self, i: usize) -> String {
        let named = self.form.test.get(i).and_then(|t| t.get_ref().name.clone());
        named.unwrap_or_else(|| format!("test {}", i + 1))
    }

    fn place(&self, at: usize) -> Place {
        place(&self.file, &self.lines, at)
    }

    /// A failure at a value.
    fn wrong<T>(&self, at: &Spanned<T>, message: impl Into<String>) -> Failure {
        Failure::new(message, Some(self.place(at.span().start)))
    }

    /// The folders in which files may lie that this file names.
    fn folders(&self) -> Folders {
        Folders::of_file(&self.file)
    }

    /// A path in the file, relative to its folder.
    fn beside(&self, path: &str) -> String {
        let folder = Path::new(&self.file).parent().unwrap_or(Path::new(""));
        // Removes `..` where the names alone allow it.
        let mut parts: Vec<std::path::Component<'_>> = Vec::new();
        let whole = folder.join(path);
        for part in whole.components() {
            match (part, parts.last()) {
                (std::path::Component::ParentDir, Some(std::path::Component::Normal(_))) => {
                    parts.pop();
                }
                (std::path::Component::CurDir, _) => {}
                _ => parts.push(part),
            }
        }
        parts.iter().collect::<std::path::PathBuf>().display().to_string()
    }
}
