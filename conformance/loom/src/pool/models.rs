//! Models of the protocols.

use std::ops::Range;
use std::time::Duration;

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU32, Ordering};
use loom::thread;

use super::job::{Job, Slot};
use super::watched;

/// Runs `f` in every interleaving in which threads are interrupted up to three times, besides where they wait.
fn model(f: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(f);
}

/// Items of a job. loom reports accesses that are not ordered.
struct Items(Vec<UnsafeCell<u32>>);

// SAFETY: every item belongs to the thread that took its range, then to the owner of the job; the models test this.
unsafe impl Sync for Items {}
// SAFETY: numbers may be dropped by any thread.
unsafe impl Send for Items {}

impl Items {
    fn new(n: usize) -> Items {
        Items((0..n).map(|_| UnsafeCell::new(0)).collect())
    }

    /// Does the items of a range.
    fn work(&self, range: Range<u64>) {
        for i in range {
            // SAFETY: the thread that took the range is the only one to access its items; loom checks it.
            self.0[i as usize].with_mut(|item| unsafe { *item += 1 });
        }
    }

    /// Number of times that each item was done.
    fn done(&self) -> Vec<u32> {
        // SAFETY: the job is over, so no other thread accesses items; loom checks it.
        self.0.iter().map(|item| item.with(|item| unsafe { *item })).collect()
    }
}

/// Joins the job of the slot, if it is open, and works until no range is left.
fn help(slot: &Slot, closed: &AtomicU32) {
    if let Some(entry) = slot.enter() {
        let close = || {
            if slot.close() {
                closed.fetch_add(1, Ordering::Relaxed);
            }
        };
        let items = entry.job().work(close, || ());
        entry.count(items, Duration::ZERO);
    }
}

/// Does `n` items as the owner of a job in the slot, and returns how many of them helpers did.
fn own(slot: &Slot, n: u64, closed: &AtomicU32) -> u64 {
    let items = Items::new(n as usize);
    let f = |range: Range<u64>| items.work(range);
    let job = Job::new(0..n, [1, 1], 2, (1, Duration::ZERO), 0, &f);
    let count = || _ = closed.fetch_add(1, Ordering::Relaxed);
    let close = || {
        if slot.close() {
            count();
        }
    };
    slot.share(&job, Duration::ZERO, count, || _ = job.work(close, || ()));
    let (helped, _, panic) = job.into_outcome();
    assert!(panic.is_none());
    assert_eq!(items.done(), vec![1; n as usize], "every item is done once, before the owner goes on");
    helped
}

/// Every item is done once, and its effects are visible to the owner, whether the helper comes early, late or not.
#[test]
fn a_helper_joins_and_leaves() {
    model(|| {
        let shared = Arc::new((Slot::default(), AtomicU32::new(0)));
        let helper = {
            let shared = shared.clone();
            thread::spawn(move || help(&shared.0, &shared.1))
        };
        assert!(shared.0.claim());
        assert!(own(&shared.0, 2, &shared.1) <= 2);
        helper.join().unwrap();
        assert_eq!(shared.1.load(Ordering::Relaxed), 1, "a job is closed once");
    });
}

/// A helper that is late for the first job of a slot works on the second one, or not at all, and never on the first
/// one's memory.
#[test]
fn a_slot_is_used_again() {
    model(|| {
        let shared = Arc::new((Slot::default(), AtomicU32::new(0)));
        let helper = {
            let shared = shared.clone();
            thread::spawn(move || help(&shared.0, &shared.1))
        };
        for _ in 0..2 {
            assert!(shared.0.claim());
            own(&shared.0, 1, &shared.1);
        }
        helper.join().unwrap();
        assert_eq!(shared.1.load(Ordering::Relaxed), 2);
    });
}

/// Of two owners at most one has the slot at a time.
#[test]
fn owners_compete_for_a_slot() {
    model(|| {
        let shared = Arc::new((Slot::default(), AtomicU32::new(0)));
        let other = {
            let shared = shared.clone();
            thread::spawn(move || {
                if shared.0.claim() {
                    own(&shared.0, 1, &shared.1);
                }
            })
        };
        if shared.0.claim() {
            own(&shared.0, 1, &shared.1);
        }
        other.join().unwrap();
        assert!(shared.0.claim(), "both owners have freed the slot");
    });
}

/// A stop of the first job in a slot never stops the second one, and a stop of the second one is not lost.
#[test]
fn a_stop_is_for_one_job() {
    model(|| {
        let slot = Arc::new(watched::Slot::default());
        assert!(slot.take(1, Duration::ZERO, 0));
        let first = slot.number();
        let dog = {
            let slot = slot.clone();
            thread::spawn(move || slot.stop(first))
        };
        slot.give_back();
        assert!(slot.take(1, Duration::ZERO, 0));
        assert_ne!(slot.number(), first);
        assert_eq!(slot.stop.load(Ordering::Relaxed), 0, "the watchdog stopped a job that was over");
        dog.join().unwrap();
        assert_eq!(slot.stop.load(Ordering::Relaxed), 0);
        slot.stop(slot.number());
        assert_eq!(slot.stop.load(Ordering::Relaxed), 1);
        slot.give_back();
    });
}
