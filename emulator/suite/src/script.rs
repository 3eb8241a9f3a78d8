//! Runs Amber scripts and VkScripts as tests.

use std::collections::BTreeSet;
use std::time::Duration;

use quadrille::Device;
use quadrille::error::{Message, Source};
use quadrille::files::{Folders, MAX_TEXT_BYTES};
use quadrille_amber::{Options, Script};

use crate::outcome::{Failure, Outcome, Place};

/// Reads and runs a script with a time limit. Adds the files that it reads to `files`.
pub fn run(file: &str, device: &Device, timeout: Duration, files: &mut Vec<String>) -> Outcome {
    let text = match Folders::of_file(file).text(file, MAX_TEXT_BYTES) {
        Ok(text) => text,
        Err(e) => return Outcome::failed(Failure::new(format!("cannot read {file}: {e}"), None)),
    };
    let script = match Script::parse(file, &text) {
        Ok(script) => script,
        Err(errors) => {
            let failure = |e: &quadrille_amber::SyntaxError| {
                placed(file, &text, &e.message, (e.line, e.column, e.length))
            };
            return Outcome::Failed { failures: errors.errors.iter().map(failure).collect() };
        }
    };
    let mut asked = BTreeSet::new();
    let options = Options { timeout: Some(timeout), ..Options::default() };
    let outcome = script.run_noting(device, &options, &mut asked);
    files.extend(asked.into_iter().map(|path| path.display().to_string()));
    match outcome {
        quadrille_amber::Outcome::Passed => Outcome::Passed,
        quadrille_amber::Outcome::Skipped(reason) => Outcome::Skipped { reason },
        quadrille_amber::Outcome::Failed(failures) => {
            let failure = |f: &quadrille_amber::Failure| placed(file, &text, &f.message, (f.line, 0, 0));
            Outcome::Failed { failures: failures.iter().map(failure).collect() }
        }
    }
}

/// A failure with its line.
fn placed(file: &str, text: &str, message: &str, (line, column, length): (u32, u32, u32)) -> Failure {
    let source = Source {
        title: message.to_owned(),
        file: file.to_owned(),
        text: text.to_owned(),
        messages: vec![Message { line, column, length, text: String::new() }],
        help: None,
    };
    // A compiler's message already has the lines of the shader.
    let shown = if message.contains(" --> ") { message.to_owned() } else { source.to_string() };
    Failure::new(shown, Some(Place { file: file.to_owned(), line, column }))
}
