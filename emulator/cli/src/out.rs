//! Standard output that may be closed: `quadrille inspect x | head` must end quietly. Also makes folders for output
//! files.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use quadrille::files;
use quadrille::terminal::plain;

use crate::report::{Failure, Result};

/// Writes bytes to standard output.
pub fn bytes(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(|e| failure(&e))
}

/// Writes a text for people, and a line end if it has none.
pub fn text(text: &str) -> Result<()> {
    line(&plain(text))
}

/// Writes a text unchanged for programs; on a terminal, control characters are replaced.
pub fn exact(text: &str) -> Result<()> {
    if io::stdout().is_terminal() { line(&plain(text)) } else { line(text) }
}

fn line(text: &str) -> Result<()> {
    bytes(text.as_bytes())?;
    if text.ends_with('\n') { Ok(()) } else { bytes(b"\n") }
}

/// Writes texts one after another, with a separator in between, without joining them to one long text.
pub fn list(items: impl Iterator<Item = String>, between: &str) -> Result<()> {
    let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    for (i, item) in items.enumerate() {
        let before = if i > 0 { between } else { "" };
        out.write_all(before.as_bytes())
            .and_then(|()| out.write_all(plain(&item).as_bytes()))
            .map_err(|e| failure(&e))?;
    }
    out.flush().map_err(|e| failure(&e))
}

/// Writes a value as indented JSON.
pub fn json(value: &serde_json::Value) -> Result<()> {
    exact(&format!("{value:#}"))
}

/// Makes the folder that a file is written to.
pub fn make_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    folder.map_or(Ok(()), |f| std::fs::create_dir_all(f).map_err(|e| Failure::file("make", f, &e)))
}

/// The failure to write to standard output; a closed one is not reported.
pub fn failure(error: &io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        Failure::Quiet
    } else {
        Failure::new(format!("cannot write to standard output: {}", files::reason(error)))
    }
}
