//! Finds the endless loop of work that exceeded its budget.
//!
//! Compiled code does not record where it was stopped. So the work runs again on a device that only looks for endless
//! loops: its compiled code counts iterations, and loops with many iterations are interpreted. The search costs no more CPU
//! time than the work did, and at most [`BUDGET`] for a command; it is over after [`PATIENCE`], on a busy machine, too. Then
//! the report has no line.

use std::sync::{Arc, mpsc};
use std::time::Duration;

use quadrille::check::{self, Kind, Session};
use quadrille::{Device, DeviceOptions, Watching};

use crate::report::{self, Failure, Result};

/// CPU time of a repeated command at most.
const BUDGET: Duration = Duration::from_secs(10);
/// Wall-clock time of the whole search at most.
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
    let most = PATIENCE.as_secs();
    report::note(&format!("note: the shader did not end; looking for the loop, for at most {most} s"));
    let session = Arc::new(Session::of_kind(Kind::NoProgress));
    search(&session, PATIENCE, again);
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

/// Repeats the work on a device that reports endless loops to the session. Returns when the work has ended, or the time is
/// over; then the work goes on in its thread, until the process ends.
fn search(
    session: &Arc<Session>,
    patience: Duration,
    again: impl FnOnce(MakeDevice<'_>) -> Result<()> + Send + 'static,
) {
    let watch = check::watching(session);
    let (done, ended) = mpsc::channel();
    let work = move || {
        let _ = again(&|threads: Option<usize>| device(threads, &watch));
        let _ = done.send(());
    };
    if std::thread::Builder::new().name("again".into()).spawn(work).is_ok() {
        let _ = ended.recv_timeout(patience);
    }
}

/// CPU time of a repeated command, for commands with this budget; zero means no limit of theirs.
fn share_of(budget: Duration) -> Duration {
    if budget.is_zero() { BUDGET } else { budget.min(BUDGET) }
}

fn device(threads: Option<usize>, watch: &Watching) -> quadrille::Result<Device> {
    let defaults = DeviceOptions::default();
    let budget = share_of(defaults.budget);
    let threads = threads.unwrap_or(defaults.threads);
    Device::new(DeviceOptions { threads, budget, watch: Some(watch.clone()), ..defaults })
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    /// A search whose work never ends is over when its time is.
    #[test]
    fn the_search_ends_in_time() {
        let session = Arc::new(Session::of_kind(Kind::NoProgress));
        let patience = Duration::from_millis(50);
        let begun = Instant::now();
        search(&session, patience, |_| {
            loop {
                std::thread::park();
            }
        });
        let elapsed = begun.elapsed();
        assert!(elapsed >= patience && elapsed < PATIENCE, "{elapsed:?}");
        // Work that ends is not waited for.
        let begun = Instant::now();
        search(&session, Duration::from_secs(3600), |_| Ok(()));
        assert!(begun.elapsed() < Duration::from_secs(600));
    }

    /// The device of the search has the budget of the work, but no more than its own.
    #[test]
    fn the_search_has_a_budget() {
        let second = Duration::from_secs(1);
        let given = [Duration::ZERO, second, BUDGET, 60 * second, 3600 * second].map(share_of);
        assert_eq!(given, [BUDGET, second, BUDGET, BUDGET, BUDGET]);
        let watch = check::watching(&Arc::new(Session::of_kind(Kind::NoProgress)));
        let budget = device(Some(1), &watch).unwrap().options().budget;
        assert!(budget > Duration::ZERO && budget <= BUDGET, "{budget:?}");
    }
}
