//! A checking session, which collects the reports of all shaders of a device.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::kind::Levels;
use crate::report::Reports;

/// Reports, and the number of the running dispatch or draw.
#[derive(Debug, Default)]
pub struct Session {
    /// Reports found so far.
    pub reports: Reports,
    step: AtomicU64,
}

impl Session {
    /// Creates an empty session.
    pub fn new(levels: Levels) -> Session {
        Session { reports: Reports::new(levels), step: AtomicU64::new(0) }
    }

    /// Returns the number of the running dispatch or draw.
    pub fn step(&self) -> u64 {
        self.step.load(Ordering::Relaxed)
    }

    /// Starts the next dispatch or draw and returns its number.
    pub fn next_step(&self) -> u64 {
        self.step.fetch_add(1, Ordering::Relaxed) + 1
    }
}
