//! What is checked together: reports of all shaders of a device.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::kind::Levels;
use crate::report::Reports;

/// Reports, and which dispatch or draw is running.
#[derive(Debug, Default)]
pub struct Session {
    /// What was found.
    pub reports: Reports,
    step: AtomicU64,
}

impl Session {
    /// Nothing was found yet.
    pub fn new(levels: Levels) -> Session {
        Session { reports: Reports::new(levels), step: AtomicU64::new(0) }
    }

    /// The number of the dispatch or draw that is running.
    pub fn step(&self) -> u64 {
        self.step.load(Ordering::Relaxed)
    }

    /// The next dispatch or draw begins: its number.
    pub fn next_step(&self) -> u64 {
        self.step.fetch_add(1, Ordering::Relaxed) + 1
    }
}
