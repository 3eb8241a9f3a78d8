//! Standard output that may go away: `quadrille inspect x | head` must end quietly.

use std::io::{self, Write};

use crate::report::{Failure, Result};

/// Writes bytes to standard output.
pub fn bytes(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(failure)
}

/// Writes a text and a line end, if it has none.
pub fn text(text: &str) -> Result<()> {
    bytes(text.as_bytes())?;
    if text.ends_with('\n') { Ok(()) } else { bytes(b"\n") }
}

/// Writes a value as indented JSON.
pub fn json(value: &serde_json::Value) -> Result<()> {
    text(&format!("{value:#}"))
}

fn failure(error: io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        Failure::Quiet
    } else {
        Failure::new(format!("cannot write to standard output: {error}"))
    }
}
