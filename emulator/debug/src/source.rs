//! Texts of source files: those that the module carries, those that are given, else those on disk.
//!
//! A module names files as it likes: what is read lies in a folder that the process allows (`quadrille::files`).

use std::collections::HashMap;

use quadrille::files::Folders;

/// Largest file that is read, in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// Texts by the names that debug information has for them.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    given: HashMap<String, String>,
}

impl Sources {
    /// Adds a text.
    pub fn give(&mut self, name: impl Into<String>, text: impl Into<String>) {
        self.given.insert(name.into(), text.into());
    }

    /// The text of a file of a recording's debug information, empty if nobody has it.
    pub fn text(&self, file: &quadrille_jit::ir::debug::File) -> String {
        if let Some(text) = self.given.get(&file.name) {
            return text.clone();
        }
        if !file.text.is_empty() {
            return file.text.clone();
        }
        Folders::default().text(&file.name, MAX_BYTES).unwrap_or_default()
    }
}
