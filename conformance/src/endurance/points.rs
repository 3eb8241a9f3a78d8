//! Resident memory at ten points of a run, and its growth.
#![cfg_attr(all(target_os = "linux", target_env = "gnu"), expect(unsafe_code, reason = "calls malloc_trim"))]

use std::time::{Duration, Instant};

use crate::calls::resident;

/// Number of points of a run.
pub const POINTS: u64 = 10;

/// Time and memory at each point of a run.
pub struct Points {
    name: String,
    start: Instant,
    times: Vec<Duration>,
    bytes: Vec<u64>,
}

impl Points {
    /// Starts a run.
    pub fn new(name: &str) -> Points {
        Points { name: name.to_owned(), start: Instant::now(), times: Vec::new(), bytes: Vec::new() }
    }

    /// Records a point.
    pub fn mark(&mut self) {
        self.times.push(self.start.elapsed());
        // Returns free memory to the system, because the part that the allocator keeps varies.
        #[cfg(all(target_os = "linux", target_env = "gnu"))]
        // SAFETY: `malloc_trim` releases only free memory of the allocator, and is thread-safe.
        unsafe {
            libc::malloc_trim(0);
        }
        self.bytes.push(resident::bytes());
    }

    /// Records a point after step `done` of `all`, if one is due there.
    pub fn step(&mut self, done: u64, all: u64) {
        if done * POINTS / all > (done - 1) * POINTS / all {
            self.mark();
        }
    }

    /// Bytes by which the maximum of the second half of the points exceeds that of the first half.
    pub fn growth(&self) -> i64 {
        let (first, second) = self.bytes.split_at(self.bytes.len() / 2);
        let most = |list: &[u64]| list.iter().copied().max().unwrap_or(0) as i64;
        most(second) - most(first)
    }

    /// Formats time and memory, point by point.
    pub fn line(&self) -> String {
        let mib = |b: &u64| format!("{:.1}", *b as f64 / f64::from(1 << 20));
        let bytes: Vec<_> = self.bytes.iter().map(mib).collect();
        let seconds: Vec<_> = self.times.iter().map(|t| format!("{:.1}", t.as_secs_f64())).collect();
        let growth = self.growth() >> 10;
        format!("{}: MiB {}; s {}; {growth:+} KiB", self.name, bytes.join(" "), seconds.join(" "))
    }

    /// Returns the line if memory grows by at most `margin` bytes.
    ///
    /// # Errors
    /// The line, if memory grows by more.
    pub fn check(&self, margin: i64) -> Result<String, String> {
        if self.growth() <= margin { Ok(self.line()) } else { Err(self.line() + ": memory grows") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(bytes: &[u64]) -> Points {
        let times = vec![Duration::ZERO; bytes.len()];
        Points { name: "run".into(), start: Instant::now(), times, bytes: bytes.to_vec() }
    }

    #[test]
    fn growth_is_seen_and_warming_up_is_none() {
        assert_eq!(run(&[10, 20, 30, 40, 50, 60, 70, 80, 90, 100]).growth(), 50);
        assert_eq!(run(&[10, 90, 91, 90, 91, 90, 91, 90, 91, 90]).growth(), 0);
        assert!(run(&[10, 20, 30, 40]).check(19).is_err());
        assert!(run(&[10, 20, 30, 40]).check(20).is_ok());
    }

    #[test]
    fn a_run_has_ten_points() {
        for all in [10, 11, 99, 1000] {
            let mut points = Points::new("run");
            (1..=all).for_each(|done| points.step(done, all));
            assert_eq!(points.bytes.len() as u64, POINTS);
            assert!(points.bytes.iter().all(|b| *b > 1 << 20));
        }
    }
}
