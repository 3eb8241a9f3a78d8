//! Running submissions, and the objects that must stay alive until these are done.
//!
//! A shader may hold the address or handle of any object that was alive when its submission began. An object that is
//! released later stays alive until every submission that had begun by then is done. Objects are freed even on a device
//! that is never idle, and while submissions wait for others or for the host, however long: no shader of theirs runs.
//! `tables::address` and `tables::handles` decide what to release.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};

/// An object that stays alive; it is dropped when no submission can access it.
pub(crate) type Gone = Box<dyn Send + Sync>;

#[derive(Default)]
struct State {
    /// Number of submissions that have begun so far.
    begun: u64,
    /// Numbers of the running submissions, ascending. A list is enough because few run, and it reuses its memory.
    runs: Vec<u64>,
    /// Objects that stay alive until all submissions below a number are done, with that number.
    gone: VecDeque<(u64, Gone)>,
}

/// Running submissions of a device.
#[derive(Default)]
pub(crate) struct Running(Mutex<State>);

/// A running submission; dropping it ends the submission.
pub(crate) struct Run<'a> {
    of: &'a Running,
    number: u64,
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        let mut state = self.of.lock();
        state.runs.retain(|run| *run != self.number);
        free(state);
    }
}

/// Submissions that wait while they run; dropping it continues them.
pub(crate) struct Paused<'a> {
    of: &'a Running,
    runs: Vec<u64>,
}

impl Drop for Paused<'_> {
    fn drop(&mut self) {
        let mut state = self.of.lock();
        state.runs.append(&mut self.runs);
        state.runs.sort_unstable();
    }
}

/// Drops the objects that no running submission can access.
fn free(mut state: MutexGuard<'_, State>) {
    let oldest = state.runs.first().copied().unwrap_or(u64::MAX);
    let n = state.gone.partition_point(|(below, _)| *below <= oldest);
    if n == 0 {
        return;
    }
    let gone: Vec<Gone> = state.gone.drain(..n).map(|(_, gone)| gone).collect();
    // The lock is released first, because freeing memory takes time.
    drop(state);
    drop(gone);
}

impl Running {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Begins a submission: objects released from now on stay alive until the result is dropped.
    pub fn enter(&self) -> Run<'_> {
        let mut state = self.lock();
        let number = state.begun;
        state.begun += 1;
        state.runs.push(number);
        Run { of: self, number }
    }

    /// Lets the running submissions wait: objects released until the result is dropped need not outlive them. The caller
    /// makes sure that all of them wait, and that none holds what a shader has found in a table.
    pub fn pause(&self) -> Paused<'_> {
        let mut state = self.lock();
        let runs = std::mem::take(&mut state.runs);
        free(state);
        Paused { of: self, runs }
    }

    /// `true` if a submission runs.
    pub fn any(&self) -> bool {
        !self.lock().runs.is_empty()
    }

    /// Drops `gone` when the submissions that are running now are done.
    pub fn outlive(&self, gone: Gone) {
        let mut state = self.lock();
        if state.runs.is_empty() {
            drop(state);
            return drop(gone);
        }
        let below = state.begun;
        state.gone.push_back((below, gone));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn what_is_gone_outlives_the_submissions_that_may_reach_it() {
        let running = Running::default();
        let thing = Arc::new(());
        let left = || Arc::strong_count(&thing) - 1;
        running.outlive(Box::new(thing.clone()));
        assert_eq!(left(), 0);
        let first = running.enter();
        running.outlive(Box::new(thing.clone()));
        let second = running.enter();
        running.outlive(Box::new(thing.clone()));
        assert_eq!(left(), 2);
        // The second submission never saw the object that was released before it began.
        drop(first);
        assert_eq!(left(), 1);
        drop(second);
        assert_eq!(left(), 0);
    }

    #[test]
    fn released_objects_do_not_outlive_waiting_submissions() {
        let running = Running::default();
        let thing = Arc::new(());
        let left = || Arc::strong_count(&thing) - 1;
        let first = running.enter();
        running.outlive(Box::new(thing.clone()));
        assert_eq!(left(), 1);
        assert!(running.any());
        let paused = running.pause();
        assert_eq!(left(), 0);
        assert!(!running.any());
        running.outlive(Box::new(thing.clone()));
        assert_eq!(left(), 0);
        // Another submission runs meanwhile, and is still running when the first one goes on.
        let second = running.enter();
        running.outlive(Box::new(thing.clone()));
        drop(paused);
        drop(second);
        assert_eq!(left(), 1);
        drop(first);
        assert_eq!(left(), 0);
    }
}
