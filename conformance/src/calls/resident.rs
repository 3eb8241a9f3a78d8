//! Resident memory of this process, and its trend.

use std::time::Duration;

/// Returns the resident memory of this process, in bytes; 0 if the system does not report it.
pub fn bytes() -> u64 {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split(' ').nth(1).and_then(|n| n.parse::<u64>().ok()).unwrap_or(0);
    pages * 4096
}

/// Samples of a quantity over time.
#[derive(Clone, Debug, Default)]
pub struct Trend(Vec<(f64, f64)>);

impl Trend {
    /// Adds a sample.
    pub fn push(&mut self, at: Duration, value: u64) {
        self.0.push((at.as_secs_f64(), value as f64));
    }

    /// Returns the least-squares slope of the samples from `after` on, in units per second; 0 for fewer than two
    /// samples.
    pub fn slope(&self, after: Duration) -> f64 {
        let after = after.as_secs_f64();
        let kept: Vec<_> = self.0.iter().filter(|s| s.0 >= after).collect();
        let n = kept.len().max(1) as f64;
        let mean = |f: fn(&(f64, f64)) -> f64| kept.iter().map(|s| f(s)).sum::<f64>() / n;
        let (x, y) = (mean(|s| s.0), mean(|s| s.1));
        let above: f64 = kept.iter().map(|s| (s.0 - x) * (s.1 - y)).sum();
        let below: f64 = kept.iter().map(|s| (s.0 - x) * (s.0 - x)).sum();
        if below > 0.0 { above / below } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slope_is_that_of_the_line() {
        let mut t = Trend::default();
        t.push(Duration::from_secs(0), 9000);
        for s in 10..20 {
            t.push(Duration::from_secs(s), 100 + 5 * s);
        }
        assert!((t.slope(Duration::from_secs(10)) - 5.0).abs() < 1e-9);
        assert_eq!(Trend::default().slope(Duration::ZERO), 0.0);
        assert!(bytes() > 1 << 20);
    }
}
