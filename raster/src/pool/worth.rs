//! Decides whether calling helpers is worth it, based on the jobs that called them.
//!
//! With idle processors, helpers come and the job ends sooner. With busy processors, a helper may come too late to do
//! anything. It may also be preempted inside a part, for which the caller then waits, or run on the caller's own
//! processor in place of the caller. A short job loses more that way than it can gain.
//!
//! So there is an account for jobs of each order of length. A job that called helpers credits the work done by its
//! caller and its helpers. It debits the work that the caller would have done alone in the same time, as measured by
//! jobs without help. While the account is negative, jobs run without help and credit a small part of their time. That
//! part bounds the cost of calls in vain. Calling the helpers is left to [`super::crew`].

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

/// Cost of a call for help to its caller.
const CALL: Duration = Duration::from_micros(4);
/// Calls in vain may cost at most `1 / RISK` of the time of jobs without help.
const RISK: i64 = 32;
/// Minimum and maximum balance of an account, in nanoseconds. The limits let the account adapt to changes.
const BALANCE: [i64; 2] = [-20_000_000, 5_000_000];
/// Time over which the caller's share of a processor is averaged, in nanoseconds.
const MEMORY: u64 = 50_000_000;

/// Cost of a job with help to its caller.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spent {
    /// Wall-clock time that the caller worked.
    pub own: Duration,
    /// CPU time that the caller worked.
    pub cpu: Duration,
    /// Time that the caller waited for helpers at the end.
    pub waited: Duration,
}

/// Accounts of a pool.
#[derive(Debug, Default)]
pub(super) struct Worth {
    /// Balance in nanoseconds of jobs of at least 4^i microseconds.
    accounts: [AtomicI64; 10],
    /// CPU time that callers received, and wall-clock time in which they received it.
    had: AtomicU64,
    wanted: AtomicU64,
    jobs: AtomicU64,
}

fn nanos(t: Duration) -> i64 {
    t.as_nanos().min(1 << 50) as i64
}

/// Time that the caller would have needed for the work of helpers: `done` items of `n` in the time that the helpers were
/// there, while the caller took `cpu` for the others. `each` is the estimate for an item.
pub(super) fn helped(each: Duration, n: u64, done: (u64, Duration), cpu: Duration) -> Duration {
    let (items, inside) = done;
    let each = match n - items {
        0 => each.as_nanos(),
        own => cpu.as_nanos() / u128::from(own),
    };
    let nanos = each.saturating_mul(items.into()).min(1 << 60) as u64;
    Duration::from_nanos(nanos).min(inside)
}

impl Worth {
    fn account(&self, alone: Duration) -> &AtomicI64 {
        let microseconds = alone.as_micros().max(1);
        &self.accounts[(microseconds.ilog2() as usize / 2).min(self.accounts.len() - 1)]
    }

    /// Returns whether a job that would take the caller about `alone` without help should call helpers.
    pub fn calls(&self, alone: Duration) -> bool {
        self.account(alone).load(Ordering::Relaxed) >= 0
    }

    /// Credits a job without help, which took `took` where `alone` was the estimate.
    pub fn ran_alone(&self, alone: Duration, took: Duration) {
        self.account(alone).fetch_add(nanos(took) / RISK, Ordering::Relaxed);
    }

    /// Returns whether to measure the next job without help; measuring takes system calls.
    pub fn measures(&self) -> bool {
        self.jobs.fetch_add(1, Ordering::Relaxed).is_multiple_of(4)
    }

    /// Records the wall-clock and CPU time of a job without help.
    pub fn learn_alone(&self, wall: Duration, cpu: Duration) {
        let (cpu, wall) = (nanos(cpu.min(wall)) as u64, nanos(wall) as u64);
        self.had.fetch_add(cpu, Ordering::Relaxed);
        if self.wanted.fetch_add(wall, Ordering::Relaxed) + wall > MEMORY {
            // Not synchronized with other threads: the values are estimates.
            self.had.store(self.had.load(Ordering::Relaxed) / 2, Ordering::Relaxed);
            self.wanted.store(self.wanted.load(Ordering::Relaxed) / 2, Ordering::Relaxed);
        }
    }

    /// Updates the account after a job with help. `helped` is the time that the caller would need for the helpers'
    /// work.
    pub fn learn(&self, alone: Duration, helped: Duration, spent: Spent) {
        let done = spent.cpu.min(spent.own) + helped;
        let without = (spent.own + spent.waited).mul_f64(self.share_of_processor());
        let account = self.account(alone);
        let balance = account.load(Ordering::Relaxed) + nanos(done) - nanos(without + CALL);
        account.store(balance.clamp(BALANCE[0], BALANCE[1]), Ordering::Relaxed);
    }

    /// Fraction of a processor that a caller without help receives.
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

    fn spent(own: Duration, waited: Duration) -> Spent {
        Spent { own, cpu: own, waited }
    }

    #[test]
    fn helpers_that_save_time_are_always_called() {
        let worth = Worth::default();
        for _ in 0..1000 {
            assert!(worth.calls(100 * US));
            worth.learn(100 * US, 40 * US, spent(60 * US, 5 * US));
        }
    }

    /// Time lost by calls in vain, as a fraction of the time of all jobs.
    fn loss(lost: Duration, alone: Duration) -> f64 {
        let worth = Worth::default();
        let (mut total, mut in_vain) = (Duration::ZERO, Duration::ZERO);
        while total < 10_000_000 * US {
            total += alone;
            if worth.calls(alone) {
                worth.learn(alone, Duration::ZERO, spent(alone, lost));
                in_vain += lost + CALL;
            } else {
                worth.ran_alone(alone, alone);
            }
        }
        in_vain.as_secs_f64() / total.as_secs_f64()
    }

    #[test]
    fn calls_in_vain_cost_little() {
        // Helpers that come late, or are preempted for one or several time slices.
        for lost in [Duration::ZERO, 3000 * US, 18_000 * US] {
            for alone in [30 * US, 300 * US, 3000 * US] {
                assert!(loss(lost, alone) < 0.04, "{lost:?} {alone:?}: {}", loss(lost, alone));
            }
        }
    }

    /// The first items of a picture are its corners, which are often empty.
    #[test]
    fn help_pays_where_the_first_items_were_short() {
        let worth = Worth::default();
        let (each, n, done) = (3 * US, 135, (60, 35_000 * US));
        let helped = helped(each, n, done, 37_500 * US);
        assert_eq!(helped, 30_000 * US);
        worth.learn(135 * each, helped, spent(37_500 * US, 500 * US));
        assert!(worth.calls(135 * each));
        // A helper that did the long items cannot have worked longer than it was there.
        assert_eq!(super::helped(each, n, (134, 400 * US), 40_000 * US), 400 * US);
        // A caller that did nothing knows the estimate only.
        assert_eq!(super::helped(each, n, (135, 900 * US), US), 405 * US);
    }

    #[test]
    fn help_returns_when_processors_are_idle_again() {
        let worth = Worth::default();
        worth.learn(100 * US, Duration::ZERO, spent(100 * US, 3000 * US));
        let turned_down = || {
            worth.ran_alone(100 * US, 100 * US);
            !worth.calls(100 * US)
        };
        let alone = (0..).take_while(|_| turned_down()).count();
        assert!((100..2000).contains(&alone), "{alone} jobs of 100 us without help");
        // Jobs of other lengths have other accounts.
        assert!(worth.calls(10_000 * US));
    }

    #[test]
    fn a_wait_costs_what_the_caller_would_have_had_of_a_processor() {
        let (own, waited) = (20_000 * US, 4000 * US);
        let job = Spent { own, cpu: own / 10, waited };
        let worth = Worth::default();
        worth.learn_alone(20_000 * US, 2000 * US);
        worth.learn(own, 2000 * US, job);
        assert!(worth.calls(own), "4 ms were done where the caller would have done 2.4");
        let worth = Worth::default();
        worth.learn_alone(20_000 * US, 20_000 * US);
        worth.learn(own, 2000 * US, job);
        assert!(!worth.calls(own));
    }

    /// A helper on the caller's own processor only replaces the caller.
    #[test]
    fn help_instead_of_the_caller_is_no_help() {
        let worth = Worth::default();
        worth.learn(100 * US, 60 * US, Spent { own: 110 * US, cpu: 40 * US, waited: Duration::ZERO });
        assert!(!worth.calls(100 * US));
    }
}
