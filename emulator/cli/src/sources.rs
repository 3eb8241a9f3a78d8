//! Source texts that reports, profiles and coverage show. Leaves the permitted folders to [`crate::allow`].

use quadrille::files::{Folders, MAX_TEXT_BYTES};

/// The text of a file that debug information names, if it is in an allowed folder.
pub fn source_text(name: &str) -> Option<String> {
    Folders::default().text(name, MAX_TEXT_BYTES).ok()
}
