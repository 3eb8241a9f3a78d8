//! Texts of source files: given texts first, then those embedded in the module, then files on disk.
//!
//! A module can name any file; only files in folders that the process allows are read (`quadrille::files`).

use std::collections::HashMap;

use quadrille::files::Folders;
use quadrille::frontend::with_line_feeds;

/// Maximum size of a file in bytes.
const MAX_BYTES: u64 = 16 << 20;

/// Texts by their names in the debug information.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    given: HashMap<String, String>,
}

impl Sources {
    /// Adds a text.
    pub fn give(&mut self, name: impl Into<String>, text: impl Into<String>) {
        let text: String = text.into();
        self.given.insert(name.into(), with_line_feeds(&text).into_owned());
    }

    /// Text of a file of a recording's debug information; empty if it is unknown.
    pub fn text(&self, file: &quadrille_jit::ir::debug::File) -> String {
        if let Some(text) = self.given.get(&file.name) {
            return text.clone();
        }
        let text = match file.text.is_empty() {
            false => file.text.clone(),
            true => Folders::default().text(&file.name, MAX_BYTES).unwrap_or_default(),
        };
        with_line_feeds(&text).into_owned()
    }
}
