//! `#include` of GLSL: the files that a source names become part of its text, before the compiler sees it.
//!
//! This owns where files are found ([`Includes`]), what is bounded (depth, number, bytes) and which text is whose:
//! `#line N "file"` stands before and after each file, so that the compiler's messages and the module's debug
//! information name the file. Which branch of `#if` is taken is the compiler's to decide: what is wrong with an
//! `#include` becomes an `#error` in its place, which says so if it is reached. Here only so much of conditions is
//! followed that guards (`#ifndef X`, `#define X`; `#pragma once`) end inclusion as they should.

#![cfg_attr(not(feature = "glsl"), allow(dead_code, unused_imports, reason = "only the compiler needs it"))]

mod conditions;
mod expand;
#[cfg(test)]
mod tests;

use std::fmt;
use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::MAX_SOURCE_BYTES;

pub(super) use expand::{Expanded, Located, expand, expand_after};

/// An `#include` that wants a file.
#[derive(Clone, Copy, Debug)]
pub struct IncludeRequest<'a> {
    /// What stands between the quotes or angle brackets.
    pub name: &'a str,
    /// Name of the file that includes it.
    pub includer: &'a str,
    /// Angle brackets.
    pub angled: bool,
}

/// A file that was found.
#[derive(Clone, Debug)]
pub struct IncludedFile {
    /// Its name in messages, and for what it includes itself. Each file has one name, however it was asked for.
    pub name: String,
    /// Its text.
    pub text: String,
}

type Finder = dyn Fn(&IncludeRequest<'_>) -> Result<Option<IncludedFile>, String> + Send + Sync;

/// Where `#include` of GLSL finds files. By default nowhere: then an `#include` that is reached is an error.
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
    /// Files on disk. `"name"` is looked for beside the file that includes it, then in `folders`, in their order;
    /// `<name>` in `folders`, then beside the file.
    pub fn in_folders<P: Into<PathBuf>>(folders: impl IntoIterator<Item = P>) -> Includes {
        let folders: Vec<PathBuf> = folders.into_iter().map(Into::into).collect();
        let places = folders.clone();
        Includes { folders, ..Includes::by(move |request| on_disk(&places, request)) }
    }

    /// Whatever `finder` says: a file, none of that name, or why it cannot be had.
    pub fn by<F>(finder: F) -> Includes
    where
        F: Fn(&IncludeRequest<'_>) -> Result<Option<IncludedFile>, String> + Send + Sync + 'static,
    {
        Includes { finder: Some(Arc::new(finder)), ..Includes::default() }
    }

    /// The same, and a file that is found by its name wherever it is asked for.
    pub fn and_file(self, name: &'static str, text: String) -> Includes {
        let (finder, folders, found) = (self.finder, self.folders, self.found);
        let with = move |request: &IncludeRequest<'_>| match &finder {
            _ if request.name == name => Ok(Some(IncludedFile { name: name.into(), text: text.clone() })),
            Some(finder) => finder(request),
            None => Ok(None),
        };
        Includes { finder: Some(Arc::new(with)), folders, found }
    }

    /// True if there is a place to find files in.
    pub fn is_somewhere(&self) -> bool {
        self.finder.is_some()
    }

    /// Names of the files that were found so far, each once.
    pub fn found(&self) -> Vec<String> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn find(&self, request: &IncludeRequest<'_>) -> Result<IncludedFile, Problem> {
        let Some(finder) = &self.finder else {
            let message = format!("there is no place to find `{}` in", request.name);
            return Err(Problem { message, help: Some("no folder of includes is given".into()) });
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

fn on_disk(folders: &[PathBuf], request: &IncludeRequest<'_>) -> Result<Option<IncludedFile>, String> {
    let beside = Path::new(request.includer).parent().unwrap_or(Path::new("")).to_owned();
    let mut places: Vec<&PathBuf> = folders.iter().collect();
    places.insert(if request.angled { places.len() } else { 0 }, &beside);
    for place in places {
        let path = place.join(request.name);
        let Ok(meta) = fs::metadata(&path) else { continue };
        if meta.is_dir() {
            continue;
        }
        let name = shortest(&path);
        let shown = name.display().to_string();
        if !meta.is_file() {
            return Err(format!("`{shown}` is no ordinary file"));
        }
        let mut bytes = Vec::new();
        let limit = MAX_SOURCE_BYTES as u64 + 1;
        fs::File::open(&path)
            .and_then(|file| file.take(limit).read_to_end(&mut bytes))
            .map_err(|e| format!("cannot read `{shown}`: {e}"))?;
        if bytes.len() > MAX_SOURCE_BYTES {
            return Err(format!("`{shown}` has more than {MAX_SOURCE_BYTES} bytes"));
        }
        let text = String::from_utf8(bytes).map_err(|e| {
            format!("`{shown}` is not a text: byte {} is not UTF-8", e.utf8_error().valid_up_to())
        })?;
        return Ok(Some(IncludedFile { name: shown, text }));
    }
    Ok(None)
}

/// The path without `.` and `..` where that is the same file.
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
    let is_same = fs::canonicalize(&short).is_ok_and(|a| fs::canonicalize(path).is_ok_and(|b| a == b));
    if is_same { short } else { path.to_owned() }
}

/// What is wrong with an `#include`.
#[derive(Clone, Debug)]
struct Problem {
    message: String,
    help: Option<String>,
}
