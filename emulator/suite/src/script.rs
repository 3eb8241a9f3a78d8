//! Amber scripts and VkScripts as tests.

use std::time::Duration;

use quadrille::Device;
use quadrille_amber::{Options, Script};

use crate::outcome::{Failure, Outcome, Place};

/// Reads and runs a script, which may take so long.
pub fn run(file: &str, device: &Device, timeout: Duration) -> Outcome {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(e) => return Outcome::failed(Failure::new(format!("cannot read {file}: {e}"), None)),
    };
    let place = |line, column| Some(Place { file: file.to_owned(), line, column });
    let script = match Script::parse(file, &text) {
        Ok(script) => script,
        Err(errors) => {
            let failure =
                |e: &quadrille_amber::SyntaxError| Failure::new(e.message.clone(), place(e.line, e.column));
            return Outcome::Failed { failures: errors.errors.iter().map(failure).collect() };
        }
    };
    match script.run(device, &Options { timeout: Some(timeout), ..Options::default() }) {
        quadrille_amber::Outcome::Passed => Outcome::Passed,
        quadrille_amber::Outcome::Skipped(reason) => Outcome::Skipped { reason },
        quadrille_amber::Outcome::Failed(failures) => {
            let failure = |f: &quadrille_amber::Failure| Failure::new(f.message.clone(), place(f.line, 0));
            Outcome::Failed { failures: failures.iter().map(failure).collect() }
        }
    }
}
