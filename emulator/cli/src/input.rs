//! Standard input as a source of shaders. It is read once and kept, because work may need its sources again: to measure
//! them, or to find an endless loop.

use std::io::{self, Read};
use std::sync::{Mutex, PoisonError};

use quadrille::files;
use quadrille::process::PerProcess;

/// State of standard input.
#[derive(Default)]
enum Input {
    /// Nobody has read it.
    #[default]
    Unread,
    /// The source that it had.
    Source(Vec<u8>),
    /// No source may be read from it: the reason.
    Refused(&'static str),
}

/// Name of standard input in messages and in debug information.
pub const STANDARD_INPUT: &str = "standard input";

static INPUT: PerProcess<Mutex<Input>> = PerProcess::new();

/// Reason why standard input gives no source.
pub enum NoSource {
    /// No source may be read from it.
    Refused(&'static str),
    /// It cannot be read.
    Unreadable(io::Error),
}

/// Returns the source on standard input.
pub fn source() -> Result<Vec<u8>, NoSource> {
    let mut input = INPUT.get().lock().unwrap_or_else(PoisonError::into_inner);
    match &*input {
        Input::Source(bytes) => return Ok(bytes.clone()),
        Input::Refused(why) => return Err(NoSource::Refused(why)),
        Input::Unread => {}
    }
    let mut bytes = Vec::new();
    let most = files::MAX_DATA_BYTES;
    io::stdin().lock().take(most + 1).read_to_end(&mut bytes).map_err(NoSource::Unreadable)?;
    if bytes.len() as u64 > most {
        return Err(NoSource::Unreadable(io::Error::other(format!("it has more than {most} bytes"))));
    }
    *input = Input::Source(bytes.clone());
    Ok(bytes)
}

/// Returns the text of the source on standard input, if one was read.
pub fn text() -> Option<String> {
    match &*INPUT.get().lock().unwrap_or_else(PoisonError::into_inner) {
        Input::Source(bytes) => std::str::from_utf8(bytes).ok().map(str::to_owned),
        Input::Unread | Input::Refused(_) => None,
    }
}

/// Refuses sources on standard input.
pub fn refuse(why: &'static str) {
    *INPUT.get().lock().unwrap_or_else(PoisonError::into_inner) = Input::Refused(why);
}
