//! Finds the endless loop of work that exceeded its budget.
//!
//! Compiled code does not record where it was stopped. So the work runs again on a device that only looks for endless
//! loops: its compiled code counts iterations, and loops with many iterations are interpreted. If the search takes too
//! long, the report has no line.

use std::sync::{Arc, mpsc};
use std::time::Duration;

use quadrille::check::{self, Kind, Session};
use quadrille::{Device, DeviceOptions, Watching};

use crate::report::{self, Failure, Result};

/// Time limit of a repeated command, and limit of wall-clock time for all of them.
const BUDGET: Duration = Duration::from_secs(10);
const PATIENCE: Duration = Duration::from_secs(20);

/// Makes the device, with this number of threads.
pub type MakeDevice<'a> = &'a dyn Fn(Option<usize>) -> quadrille::Result<Device>;

/// Adds the endless loop to a failure, if the work failed because of one. `again` repeats the work, and must not leave
/// anything behind.
pub fn with_loop(
    failure: Failure,
    again: impl FnOnce(MakeDevice<'_>) -> Result<()> + Send + 'static,
) -> Failure {
    if !failure.is_unended() {
        return failure;
    }
    report::note("note: the shader did not end; looking for the loop");
    let session = Arc::new(Session::of_kind(Kind::NoProgress));
    let watch = check::watching(&session);
    let (done, ended) = mpsc::channel();
    let work = move || {
        let _ = again(&|threads: Option<usize>| device(threads, &watch));
        let _ = done.send(());
    };
    if std::thread::Builder::new().name("again".into()).spawn(work).is_ok() {
        let _ = ended.recv_timeout(PATIENCE);
    }
    let help = "QUADRILLE_BUDGET=SECONDS gives it more time, QUADRILLE_BUDGET=0 unlimited time";
    let failure = failure.help(help);
    match session.reports.found().first() {
        Some(found) if found.at.line > 0 => {
            let file = found.at.file.as_deref().unwrap_or_default();
            failure.at_line(file, found.at.line, "this loop does not end")
        }
        _ => failure,
    }
}

fn device(threads: Option<usize>, watch: &Watching) -> quadrille::Result<Device> {
    let defaults = DeviceOptions::default();
    let budget = if defaults.budget.is_zero() { BUDGET } else { defaults.budget.min(BUDGET) };
    let threads = threads.unwrap_or(defaults.threads);
    Device::new(DeviceOptions { threads, budget, watch: Some(watch.clone()), ..defaults })
}
