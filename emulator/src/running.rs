//! Submissions that run, and what must stay until they are done.
//!
//! A shader may hold the number of anything that was alive when its submission began. What is let go of later stays
//! until every submission that had begun by then is done. A device that is never idle lets go, too.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};

/// What stays; it is dropped when nobody can reach it.
pub(crate) type Gone = Box<dyn Send + Sync>;

#[derive(Default)]
struct State {
    /// Submissions that have begun so far.
    begun: u64,
    /// Numbers of those that run, ascending. A list, since there are few, and it keeps its memory.
    runs: Vec<u64>,
    /// What stays until all of the submissions below a number are done, by that number.
    gone: VecDeque<(u64, Gone)>,
}

/// The submissions of a device that run.
#[derive(Default)]
pub(crate) struct Running(Mutex<State>);

/// A submission runs.
pub(crate) struct Run<'a> {
    of: &'a Running,
    number: u64,
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        let gone: Vec<Gone> = {
            let mut state = self.of.lock();
            state.runs.retain(|run| *run != self.number);
            let oldest = state.runs.first().copied().unwrap_or(u64::MAX);
            let n = state.gone.partition_point(|(below, _)| *below <= oldest);
            if n == 0 {
                return;
            }
            state.gone.drain(..n).map(|(_, gone)| gone).collect()
        };
        // Without the lock: freeing memory takes time.
        drop(gone);
    }
}

impl Running {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// What is let go of from now on stays until what this returns is dropped.
    pub fn enter(&self) -> Run<'_> {
        let mut state = self.lock();
        let number = state.begun;
        state.begun += 1;
        state.runs.push(number);
        Run { of: self, number }
    }

    /// Drops `gone` when the submissions that run now are done.
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
        // The second never saw the one that went before it began.
        drop(first);
        assert_eq!(left(), 1);
        drop(second);
        assert_eq!(left(), 0);
    }
}
