//! Finds the tests in files and folders, sorted by name.

use std::collections::BTreeSet;
use std::fs;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use quadrille::files;

use crate::native;
use crate::outcome::Failure;

/// Form of a test file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Amber, or VkScript.
    Script,
    /// TOML.
    Native,
}

/// File name extensions of test files.
const FORMS: [(&str, Form); 4] = [
    (".amber", Form::Script),
    (".vkscript", Form::Script),
    (".shader_test", Form::Script),
    (".test.toml", Form::Native),
];

/// A test that was found.
#[derive(Clone, Debug)]
pub struct Test {
    /// File name; in a file with several tests followed by `::` and the name of the test.
    pub name: String,
    /// The file.
    pub file: Arc<str>,
    pub(crate) body: Body,
}

/// Contents of a test.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Script,
    Native(Arc<native::Suite>, usize),
    /// The file cannot be read.
    Broken(Arc<Failure>),
}

/// The error of a path without tests.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The path cannot be read.
    #[error("cannot read {}: {}", .path.display(), files::reason(.error))]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// The reason.
        error: std::io::Error,
    },
    /// The name of the file is not that of a test file.
    #[error("{} is not a test file; test files are .amber, .vkscript, .shader_test and .test.toml", .0.display())]
    Unknown(PathBuf),
}

/// Finds the tests in files, and in all files below folders, sorted by name. A test file that cannot be parsed becomes
/// a test that fails.
pub fn find(paths: &[PathBuf]) -> Result<Vec<Test>, Error> {
    let mut files = BTreeSet::new();
    for path in paths {
        let meta = fs::metadata(path).map_err(|error| Error::Unreadable { path: path.clone(), error })?;
        if meta.is_dir() {
            walk(path, &mut files)?;
        } else {
            let form = form_of(path).ok_or_else(|| Error::Unknown(path.clone()))?;
            files.insert((named(path), form as u8));
        }
    }
    let files: Vec<(String, u8)> = files.into_iter().collect();
    let workers = thread::available_parallelism().map_or(1, |n| n.get());
    let share = files.len().div_ceil(workers).max(1);
    let mut tests: Vec<Test> = thread::scope(|scope| {
        let parts: Vec<_> = files
            .chunks(share)
            .map(|part| scope.spawn(move || part.iter().flat_map(tests_of).collect::<Vec<Test>>()))
            .collect();
        // Tests of a file whose reading panics must not be missing from the result.
        parts.into_iter().flat_map(|part| part.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    tests.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(tests)
}

fn form_of(path: &Path) -> Option<Form> {
    let name = path.file_name()?.to_str()?;
    FORMS.iter().find(|(end, _)| name.ends_with(end)).map(|row| row.1)
}

/// Name of a path, with `/` as separator and without a leading `./`.
fn named(path: &Path) -> String {
    let name = path.to_string_lossy().replace('\\', "/");
    name.strip_prefix("./").unwrap_or(&name).to_owned()
}

fn walk(folder: &Path, files: &mut BTreeSet<(String, u8)>) -> Result<(), Error> {
    let unreadable = |error| Error::Unreadable { path: folder.to_path_buf(), error };
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let path = entry.path();
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        // Links to folders are skipped, because they may form a cycle.
        if entry.file_type().is_ok_and(|t| t.is_dir()) {
            if !hidden {
                walk(&path, files)?;
            }
        } else if let Some(form) = form_of(&path) {
            files.insert((named(&path), form as u8));
        }
    }
    Ok(())
}

fn tests_of((file, form): &(String, u8)) -> Vec<Test> {
    let name: Arc<str> = file.as_str().into();
    if *form == Form::Script as u8 {
        return vec![Test { name: file.clone(), file: name, body: Body::Script }];
    }
    match native::load(file) {
        Ok(suite) => {
            let suite = Arc::new(suite);
            let named = |i: usize| Test {
                name: format!("{file}::{}", suite.name_of(i)),
                file: name.clone(),
                body: Body::Native(suite.clone(), i),
            };
            (0..suite.len()).map(named).collect()
        }
        Err(failure) => {
            vec![Test { name: file.clone(), file: name, body: Body::Broken(Arc::new(failure)) }]
        }
    }
}
