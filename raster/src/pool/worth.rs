//! Whether calling for help is worth it, learnt from the jobs that called.
//!
//! Where processors are idle, helpers come and the job is over sooner. Where they are busy with something
//! else, a helper may come too late to do anything, or lose its processor in the middle of a part, for which
//! the caller then waits; a short job loses more that way than it can gain. So there is an account for jobs
//! of about each length. A job that called pays in what helpers saved its caller, and draws what the call
//! and the wait have cost. While the account is overdrawn jobs do without help and pay in a small part of
//! their time: that, then, is the most that calls in vain can cost.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

/// What a call for help costs its caller.
const CALL: Duration = Duration::from_micros(4);
/// Part of the time of jobs without help that may be lost by calls in vain: one in so many.
const RISK: i64 = 32;
/// The most and the least on an account, in nanoseconds: what is forgotten, so that it follows changes.
const BALANCE: [i64; 2] = [-10_000_000, 2_000_000];
/// Time over which the caller's share of a processor is taken.
const MEMORY: u64 = 50_000_000;

/// What a job with help has cost its caller.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spent {
    /// Time at work.
    pub own: Duration,
    /// CPU time of that, if it was measured.
    pub cpu: Option<Duration>,
    /// Time waiting for helpers in the end.
    pub waited: Duration,
}

/// Accounts of a pool.
#[derive(Debug, Default)]
pub(super) struct Worth {
    /// Nanoseconds, for jobs of at least 4^i microseconds.
    accounts: [AtomicI64; 10],
    /// CPU time that callers had, and time in which they had it.
    had: AtomicU64,
    wanted: AtomicU64,
    jobs: AtomicU64,
}

fn nanos(t: Duration) -> i64 {
    t.as_nanos().min(1 << 50) as i64
}

impl Worth {
    fn account(&self, alone: Duration) -> &AtomicI64 {
        let microseconds = alone.as_micros().max(1);
        &self.accounts[(microseconds.ilog2() as usize / 2).min(self.accounts.len() - 1)]
    }

    /// Whether a job that takes the caller so long alone should call for help.
    pub fn calls(&self, alone: Duration) -> bool {
        let account = self.account(alone);
        if account.load(Ordering::Relaxed) >= 0 {
            return true;
        }
        account.fetch_add(nanos(alone) / RISK, Ordering::Relaxed);
        false
    }

    /// Whether the CPU time of the next job is to be measured, which takes two system calls.
    pub fn measures(&self) -> bool {
        self.jobs.fetch_add(1, Ordering::Relaxed).is_multiple_of(4)
    }

    /// Accounts for a job that called for help, which did `saved` of the caller's time alone.
    pub fn learn(&self, alone: Duration, saved: Duration, spent: Spent) {
        if let Some(cpu) = spent.cpu {
            let (had, wanted) = (nanos(cpu) as u64, nanos(spent.own) as u64);
            self.had.fetch_add(had, Ordering::Relaxed);
            if self.wanted.fetch_add(wanted, Ordering::Relaxed) + wanted > MEMORY {
                // Not in step with other threads: it is an estimate.
                self.had.store(self.had.load(Ordering::Relaxed) / 2, Ordering::Relaxed);
                self.wanted.store(self.wanted.load(Ordering::Relaxed) / 2, Ordering::Relaxed);
            }
        }
        let lost = CALL + spent.waited.mul_f64(self.share_of_processor());
        let account = self.account(alone);
        let balance = account.load(Ordering::Relaxed) + nanos(saved) - nanos(lost);
        account.store(balance.clamp(BALANCE[0], BALANCE[1]), Ordering::Relaxed);
    }

    /// How much of a processor the caller gets while it works, and would have had while it waited.
    fn share_of_processor(&self) -> f64 {
        let (had, wanted) = (self.had.load(Ordering::Relaxed), self.wanted.load(Ordering::Relaxed));
        if wanted < MEMORY / 10 {
            return 1.0;
        }
        (had as f64 / wanted as f64).clamp(0.05, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const US: Duration = Duration::from_micros(1);

    #[test]
    fn helpers_that_save_time_are_always_called() {
        let worth = Worth::default();
        for _ in 0..1000 {
            assert!(worth.calls(100 * US));
            worth.learn(100 * US, 40 * US, Spent { waited: 5 * US, ..Spent::default() });
        }
    }

    /// Time lost by calls in vain, as a part of the time of all jobs.
    fn loss(lost: Duration, alone: Duration) -> f64 {
        let worth = Worth::default();
        let (mut total, mut in_vain) = (Duration::ZERO, Duration::ZERO);
        while total < 10_000_000 * US {
            total += alone;
            if worth.calls(alone) {
                worth.learn(alone, Duration::ZERO, Spent { waited: lost, ..Spent::default() });
                in_vain += lost + CALL;
            }
        }
        in_vain.as_secs_f64() / total.as_secs_f64()
    }

    #[test]
    fn calls_in_vain_cost_little() {
        // Helpers that come late, that lose their processor for a slice, for several.
        for lost in [Duration::ZERO, 3000 * US, 9000 * US] {
            for alone in [30 * US, 300 * US, 3000 * US] {
                assert!(loss(lost, alone) < 0.04, "{lost:?} {alone:?}: {}", loss(lost, alone));
            }
        }
    }

    #[test]
    fn help_returns_when_processors_are_idle_again() {
        let worth = Worth::default();
        worth.learn(100 * US, Duration::ZERO, Spent { waited: 3000 * US, ..Spent::default() });
        let alone = (0..).take_while(|_| !worth.calls(100 * US)).count();
        assert!((100..1000).contains(&alone), "{alone} jobs of 100 us without help");
        // Jobs of other lengths are other accounts.
        assert!(worth.calls(10_000 * US));
    }

    #[test]
    fn a_wait_costs_what_the_caller_would_have_had_of_a_processor() {
        let worth = Worth::default();
        let (own, waited) = (20_000 * US, 4000 * US);
        worth.learn(own, 2000 * US, Spent { own, cpu: Some(own / 10), waited });
        assert!(worth.calls(own), "a tenth of 4 ms was lost, and 2 ms were saved");
        let worth = Worth::default();
        worth.learn(own, 2000 * US, Spent { own, cpu: Some(own), waited });
        assert!(!worth.calls(own));
    }
}
