//! The Debug Adapter Protocol, by which editors control a session.
//!
//! Threads are the invocations of the subgroup. Stepping a thread moves along the recording by the lines of its
//! invocation. Every motion also works backwards (stepBack, reverseContinue). The adapter answers requests one after
//! the other; each motion ends with a `stopped` event.
//!
//! Spec: <https://microsoft.github.io/debug-adapter-protocol/specification>. The messages are few, and their fields are
//! read by name, because no crate with their types is well maintained.

mod requests;

use std::io::{self, BufRead, Read, Write};

use quadrille::frontend::Language;
use serde_json::{Value, json};

use crate::recording::Recording;
use crate::session::Session;
use crate::source::Sources;
use crate::value::Part;

/// Maximum size of a message in bytes.
const MAX_MESSAGE: usize = 16 << 20;

/// Result of a launch.
pub struct Launched {
    /// Recordings in the order of execution.
    pub recordings: Vec<Recording>,
    /// Language of expressions.
    pub language: Language,
    /// Texts of sources.
    pub sources: Sources,
    /// Reason if the run ended early; recordings until then are kept.
    pub ended: Option<String>,
}

/// Runs a launch request, given its arguments as the editor sends them.
pub type Launch<'a> = &'a mut dyn FnMut(&Value) -> Result<Launched, String>;

/// Serves one editor until it disconnects or closes the connection.
///
/// # Errors
/// Errors of reading and writing, and input that is not a message of the protocol.
pub fn serve(input: &mut dyn BufRead, output: &mut dyn Write, launch: Launch<'_>) -> io::Result<()> {
    let mut adapter =
        Adapter { output, seq: 0, launch, state: None, pending: Vec::new(), lines_from_1: true };
    while let Some(message) = read(input)? {
        if message["type"] == "request" && !adapter.request(&message)? {
            return Ok(());
        }
    }
    Ok(())
}

/// Reads a message; `None` at the end of the input.
///
/// # Errors
/// Errors of reading, and input that is not a message.
pub fn read(input: &mut dyn BufRead) -> io::Result<Option<Value>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.take(4096).read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = Some(value.trim().to_owned());
            }
            _ if line.is_empty() => break,
            _ => {}
        }
    }
    let bad = |text: &str| io::Error::new(io::ErrorKind::InvalidData, text.to_owned());
    let Some(length) = length else { return Err(bad("a message without Content-Length")) };
    if length.is_empty() || !length.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(bad("the Content-Length of a message is not a number"));
    }
    // The memory for a message is requested while it comes; a number beyond all others is too large as well.
    let Some(length) = length.parse::<usize>().ok().filter(|&n| n <= MAX_MESSAGE) else {
        return Err(bad(&format!("a message of {length} bytes, at most {MAX_MESSAGE}")));
    };
    let mut bytes = Vec::new();
    input.take(length as u64).read_to_end(&mut bytes)?;
    if bytes.len() < length {
        return Ok(None);
    }
    serde_json::from_slice(&bytes).map(Some).map_err(|e| bad(&e.to_string()))
}

/// Writes a message.
///
/// # Errors
/// Errors of writing.
pub fn write(output: &mut dyn Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

/// State of the debugged program.
struct State {
    sessions: Vec<Session>,
    current: usize,
    sources: Sources,
    /// Meaning of variable references, which are valid until the next motion.
    references: Vec<Reference>,
    /// Ids of the breakpoints of each source, by the number of its file.
    breakpoints: Vec<(String, Vec<u32>)>,
    /// Ids of the function breakpoints.
    functions: Vec<u32>,
    /// Ids of the watchpoints that are data breakpoints.
    data: Vec<u32>,
    /// Parts of lanes that may become data breakpoints, with their ids for the editor.
    data_ids: Vec<(String, (usize, Part))>,
}

/// Target of a variablesReference, in a lane.
#[derive(Clone)]
enum Reference {
    Locals { lane: usize, frame: usize },
    Inputs(usize),
    Module(usize),
    Memory(usize),
    Part { lane: usize, part: Part },
}

/// Parses the condition of a hit count: from the fifth hit on, `5` and `>= 5` stop, and from the sixth, `> 5` does. The
/// first hit has number 1.
fn from_hit(text: &str) -> Result<u32, String> {
    let text = text.trim();
    let (number, more) = match (text.strip_prefix(">="), text.strip_prefix('>')) {
        (Some(number), _) => (number, 0),
        (None, Some(number)) => (number, 1),
        (None, None) => (text, 0),
    };
    let count = number.trim().parse().ok().and_then(|count: u32| count.checked_add(more));
    count.filter(|count| *count > 0).ok_or_else(|| {
        format!("`{text}` is not a hit count from which on to stop: N, >= N or > N, from 1 on")
    })
}

/// The hit from which on a requested breakpoint stops; 0 without a condition.
fn hit_of(wanted: &Value) -> Result<u32, String> {
    wanted["hitCondition"].as_str().filter(|text| !text.is_empty()).map_or(Ok(0), from_hit)
}

struct Adapter<'a> {
    output: &'a mut dyn Write,
    seq: u64,
    launch: Launch<'a>,
    state: Option<State>,
    /// Breakpoints that were set before the launch, by source.
    pending: Vec<Value>,
    lines_from_1: bool,
}

impl Adapter<'_> {
    fn send(&mut self, mut message: Value) -> io::Result<()> {
        self.seq += 1;
        message["seq"] = self.seq.into();
        write(self.output, &message)
    }

    fn event(&mut self, name: &str, body: Value) -> io::Result<()> {
        self.send(json!({ "type": "event", "event": name, "body": body }))
    }

    fn respond(&mut self, request: &Value, result: Result<Value, String>) -> io::Result<()> {
        let mut message = json!({
            "type": "response",
            "request_seq": request["seq"],
            "command": request["command"],
            "success": result.is_ok(),
        });
        match result {
            Ok(body) => message["body"] = body,
            Err(text) => {
                message["body"] =
                    json!({ "error": { "id": 1, "format": "{text}", "variables": { "text": text } } });
                message["message"] = text.into();
            }
        }
        self.send(message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_counted_from_a_number_on() {
        for (text, hit) in [("5", 5), (" >= 5", 5), (">5 ", 6), ("> 0", 1)] {
            assert_eq!(from_hit(text), Ok(hit), "{text}");
        }
        // A breakpoint stops at all hits after its first, too.
        for text in ["== 5", "=5", "% 5", "< 5", "often", "", ">4294967295", "0", ">= 0"] {
            assert!(from_hit(text).unwrap_err().contains("not a hit count"), "{text}");
        }
    }
}
