//! `#include` of GLSL: inserts the named files into the source text before the compiler sees it.
//!
//! This module owns the search for files ([`Includes`]), the limits (depth, number, bytes) and the mapping of text to
//! files. `#line N "file"` stands before and after each file, so that compiler messages and the module's debug
//! information name the file. The compiler evaluates `#if`: a failed `#include` becomes an `#error` in its place, which
//! the compiler reports only if it reaches it. This module follows conditions just far enough for include guards
//! (`#ifndef X`, `#define X`; `#pragma once`) to stop repeated inclusion, and to see which `#line` of the user counts.

#![cfg_attr(not(feature = "glsl"), allow(dead_code, unused_imports, reason = "used only by the compiler"))]

mod conditions;
mod expand;
mod numbers;
#[cfg(test)]
mod tests;

use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::MAX_SOURCE_BYTES;
use crate::files::Folders;

#[cfg(feature = "glsl")]
pub(super) use conditions::Step;
pub(super) use expand::{Expanded, Located, expand, expand_after};

/// Request for a file named by an `#include`.
#[derive(Clone, Copy, Debug)]
pub struct IncludeRequest<'a> {
    /// Text between the quotes or angle brackets.
    pub name: &'a str,
    /// Name of the including file.
    pub includer: &'a str,
    /// True for angle brackets.
    pub angled: bool,
    /// Name of the compiled source, the outermost includer.
    pub source: &'a str,
}

/// File found for an `#include`.
#[derive(Clone, Debug)]
pub struct IncludedFile {
    /// Name of the file in messages and in requests for its own includes. A file must have the same name for every
    /// request.
    pub name: String,
    /// Text of the file.
    pub text: String,
}

type Finder = dyn Fn(&IncludeRequest<'_>) -> Result<Option<IncludedFile>, String> + Send + Sync;

/// Finds files for `#include` of GLSL. By default it finds none, and an `#include` that the compiler reaches is an
/// error.
#[derive(Clone, Default)]
pub struct Includes {
    finder: Option<Arc<Finder>>,
    folders: Vec<PathBuf>,
    found: Arc<Mutex<Vec<String>>>,
}

impl fmt::Debug for Includes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let finder = self.finder.is_some();
        f.debug_struct("Includes").field("finder", &finder).field("folders", &self.folders).finish()
    }
}

impl Includes {
    /// Finds files on disk. `"name"` is searched beside the including file, then in `folders`, in order; `<name>` is
    /// searched in `folders`, then beside the including file. A file must lie in one of the folders or in the folder of
    /// the source.
    pub fn in_folders<P: Into<PathBuf>>(folders: impl IntoIterator<Item = P>) -> Includes {
        let folders: Vec<PathBuf> = folders.into_iter().map(Into::into).collect();
        let within = Folders::new(folders.clone());
        Includes::in_folders_within(folders, &within)
    }

    /// Like [`Includes::in_folders`], for folders named by untrusted data: a file must lie in one of the folders
    /// `within` or in the folder of the source.
    pub fn in_folders_within<P: Into<PathBuf>>(
        folders: impl IntoIterator<Item = P>,
        within: &Folders,
    ) -> Includes {
        let folders: Vec<PathBuf> = folders.into_iter().map(Into::into).collect();
        let (places, within) = (folders.clone(), within.clone());
        let find = move |request: &IncludeRequest<'_>| {
            on_disk(&places, &Folders::of_file(request.source).and(&within), request)
        };
        Includes { folders, ..Includes::by(find) }
    }

    /// Finds files with `finder`, which returns a file, `None` if no file has the name, or the reason for a failure.
    pub fn by<F>(finder: F) -> Includes
    where
        F: Fn(&IncludeRequest<'_>) -> Result<Option<IncludedFile>, String> + Send + Sync + 'static,
    {
        Includes { finder: Some(Arc::new(finder)), ..Includes::default() }
    }

    /// Adds a file that is found by its name from every includer.
    pub fn and_file(self, name: &'static str, text: String) -> Includes {
        let (finder, folders, found) = (self.finder, self.folders, self.found);
        let with = move |request: &IncludeRequest<'_>| match &finder {
            _ if request.name == name => Ok(Some(IncludedFile { name: name.into(), text: text.clone() })),
            Some(finder) => finder(request),
            None => Ok(None),
        };
        Includes { finder: Some(Arc::new(with)), folders, found }
    }

    /// True if there is a place to search for files.
    pub fn is_somewhere(&self) -> bool {
        self.finder.is_some()
    }

    /// Names of the files found so far, each once.
    pub fn found(&self) -> Vec<String> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn find(&self, request: &IncludeRequest<'_>) -> Result<IncludedFile, Problem> {
        let Some(finder) = &self.finder else {
            let message = format!("there is no folder in which to find `{}`", request.name);
            return Err(Problem { message, help: Some("no include folder is given".into()) });
        };
        let file = finder(request).map_err(|message| Problem { message, help: None })?.ok_or_else(|| {
            let message = format!("cannot find `{}`", request.name);
            let beside = Path::new(request.includer).parent().filter(|p| !p.as_os_str().is_empty());
            let beside = beside.map_or(".".into(), |p| p.display().to_string());
            let all: Vec<String> =
                std::iter::once(beside).chain(self.folders.iter().map(|f| f.display().to_string())).collect();
            Problem { message, help: Some(format!("looked in {}; -I FOLDER adds a folder", all.join(", "))) }
        })?;
        if file.text.contains('\0') {
            let message = format!("`{}` contains a zero byte", file.name);
            return Err(Problem { message, help: None });
        }
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if !found.contains(&file.name) {
            found.push(file.name.clone());
        }
        Ok(file)
    }
}

fn on_disk(
    folders: &[PathBuf],
    within: &Folders,
    request: &IncludeRequest<'_>,
) -> Result<Option<IncludedFile>, String> {
    let beside = Path::new(request.includer).parent().unwrap_or(Path::new("")).to_owned();
    let mut places: Vec<&PathBuf> = folders.iter().collect();
    places.insert(if request.angled { places.len() } else { 0 }, &beside);
    for place in places {
        let path = place.join(request.name);
        if !path.exists() || path.is_dir() {
            continue;
        }
        let shown = shortest(&path).display().to_string();
        let text = within.text(&path, MAX_SOURCE_BYTES as u64);
        let text = text.map_err(|e| format!("cannot read `{shown}`: {e}"))?;
        return Ok(Some(IncludedFile { name: shown, text }));
    }
    Ok(None)
}

/// Removes `.` and `..` from a path where the result names the same file.
fn shortest(path: &Path) -> PathBuf {
    let mut short = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(short.components().next_back(), Some(Component::Normal(_))) => {
                short.pop();
            }
            part => short.push(part),
        }
    }
    let is_same = short.canonicalize().is_ok_and(|a| path.canonicalize().is_ok_and(|b| a == b));
    if is_same { short } else { path.to_owned() }
}

/// Message and help for a failed `#include`.
#[derive(Clone, Debug)]
struct Problem {
    message: String,
    help: Option<String>,
}
