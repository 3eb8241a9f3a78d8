//! Source texts that reports, profiles and coverage show. Leaves the permitted folders to [`crate::allow`].

use quadrille::files::{Folders, MAX_TEXT_BYTES};
use quadrille::frontend::with_line_feeds;

use crate::input::{self, STANDARD_INPUT};

/// The text of a file that debug information names, if it is in an allowed folder, or that of standard input.
pub fn source_text(name: &str) -> Option<String> {
    let input = if name == STANDARD_INPUT { input::text() } else { None };
    let text = input.or_else(|| Folders::default().text(name, MAX_TEXT_BYTES).ok())?;
    Some(with_line_feeds(&text).into_owned())
}
