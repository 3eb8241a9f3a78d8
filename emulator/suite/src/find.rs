//! Files and folders to tests, in the order of their names.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

use crate::native;
use crate::outcome::Failure;

/// What a file of tests is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Amber, or VkScript.
    Script,
    /// TOML.
    Native,
}

/// Ends of names of files with tests.
const FORMS: [(&str, Form); 4] = [
    (".amber", Form::Script),
    (".vkscript", Form::Script),
    (".shader_test", Form::Script),
    (".test.toml", Form::Native),
];

/// A test that was found.
#[derive(Clone, Debug)]
pub struct Test {
    /// The file, `::` and the name in it where a file has several.
    pub name: String,
    /// The file.
    pub file: Arc<str>,
    pub(crate) body: Body,
}

/// What is to be run.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Script,
    Native(Arc<native::Suite>, usize),
    /// The file cannot be read.
    Broken(Arc<Failure>),
}

/// A path that has no tests.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// Its name does not say what it is.
    #[error("{} is no file of tests: those are .amber, .vkscript, .shader_test and .test.toml", .0.display())]
    Unknown(PathBuf),
}

/// The tests of files and of all files below folders, sorted by name. A file that cannot be understood is a test that
/// fails.
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
        parts.into_iter().flat_map(|part| part.join().unwrap_or_default()).collect()
    });
    tests.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(tests)
}

fn form_of(path: &Path) -> Option<Form> {
    let name = path.file_name()?.to_str()?;
    FORMS.iter().find(|(end, _)| name.ends_with(end)).map(|row| row.1)
}

/// The name of a path: with `/`, and without `./` before it.
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
        // Links to folders are left out: they may lead round in a circle.
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
