//! Names of files in profiles.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use quadrille_jit::ir::debug::{Debug, File};

use crate::lcov::hash;

/// Texts of files by name, as numbers. Modules that name no files may give different texts one name.
#[derive(Default)]
pub(crate) struct Names(BTreeMap<String, BTreeSet<u64>>);

impl Names {
    /// Adds the files of a shader.
    pub fn add(&mut self, debug: &Debug) {
        for file in debug.files.iter().filter(|file| !file.text.is_empty()) {
            self.0.entry(file.name.clone()).or_default().insert(hash(file.text.bytes()));
        }
    }

    /// Names of the files of a shader: with a number made of the text, if another text has the same name and there is no such
    /// file.
    pub fn of(&self, debug: &Debug) -> Vec<String> {
        let name = |file: &File| match self.0.get(&file.name) {
            Some(texts) if texts.len() > 1 && !file.text.is_empty() && !Path::new(&file.name).is_file() => {
                format!("{} ({:08x})", file.name, hash(file.text.bytes()) as u32)
            }
            Some(_) | None => file.name.clone(),
        };
        debug.files.iter().map(name).collect()
    }
}
