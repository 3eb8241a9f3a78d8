//! A checking session, which collects the reports of all shaders of a device.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::kind::{Kind, Level, Levels};
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

    /// Creates an empty session for reports of one kind.
    pub fn of_kind(wanted: Kind) -> Session {
        let mut levels = Levels::default();
        let others = Kind::ALL.iter().filter(|kind| **kind != wanted);
        others.for_each(|kind| levels.set(*kind, Level::Off));
        Session::new(levels)
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
