//! Finds the endless loop of a test that exceeded its time budget.
//!
//! Compiled code does not record where it was stopped. So the test runs again on a device that only looks for endless loops.

use std::sync::Arc;
use std::time::Duration;

use quadrille::check::{self, Kind, Session};
use quadrille::error::{Message, Source};
use quadrille::files::{Folders, MAX_TEXT_BYTES};
use quadrille::{Device, Watching};

use crate::outcome::{Outcome, Place};

/// Longest time budget of a command in the search.
pub const BUDGET: Duration = Duration::from_secs(10);

const LABEL: &str = "this loop does not end";

/// A device that looks for endless loops.
pub struct Search {
    session: Arc<Session>,
    device: Device,
}

impl Search {
    /// Starts a search; `None` if the device cannot be made.
    pub fn new(make: impl FnOnce(Watching) -> quadrille::Result<Device>) -> Option<Search> {
        let session = Arc::new(Session::of_kind(Kind::NoProgress));
        let device = make(check::watching(&session)).ok()?;
        Some(Search { session, device })
    }
}

/// Adds the loop to the first failure, if the search finds it; `again` runs the test on a device.
pub fn show(outcome: &mut Outcome, search: Search, again: impl FnOnce(&Device)) {
    let Outcome::Failed { failures } = outcome else { return };
    again(&search.device);
    let found = search.session.reports.found();
    let (Some(failure), Some(found)) = (failures.first_mut(), found.first()) else { return };
    let (file, line, column) = (found.at.file.clone().unwrap_or_default(), found.at.line, found.at.column);
    if line == 0 {
        return;
    }
    let shown = match Folders::of_file(&file).text(&file, MAX_TEXT_BYTES) {
        Ok(text) => {
            let here = Message { line, column, length: 0, text: String::new() };
            let title = LABEL.to_owned();
            Source { title, file: file.clone(), text, messages: vec![here], help: None }.to_string()
        }
        Err(_) => format!("{LABEL}: {file}:{line}"),
    };
    failure.message = format!("{}\n{shown}", failure.message);
    failure.place = Some(Place { file, line, column });
}
