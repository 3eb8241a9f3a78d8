//! Jobs on several threads, late helpers and panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::*;

#[test]
fn every_part_runs_once() {
    for threads in [1, 2, 7] {
        let pool = Pool::new(threads);
        let hits: Vec<AtomicU32> = (0..1000).map(|_| AtomicU32::new(0)).collect();
        pool.run(1000, |i| {
            hits[i].fetch_add(1, Ordering::Relaxed);
        });
        assert!(hits.iter().all(|h| h.load(Ordering::Relaxed) == 1));
    }
}

/// Shares items without checking whether calling helpers is worth it.
fn share(pool: &Pool, n: u64, sizes: [u64; 2], f: impl Fn(Range<u64>) + Sync) {
    let items = Items { range: 0..n, sizes, each: Duration::from_micros(10) };
    pool.share_with(pool.threads() - 1, &Watched::NONE, items, |range| {
        f(range);
        true
    });
}

/// No thread could take all ranges of the job.
#[test]
fn a_job_ends_once_its_work_is_not_wanted() {
    for threads in [2, 4] {
        let (pool, calls) = (Pool::new(threads), AtomicU32::new(0));
        let items = Items { range: 0..1 << 60, sizes: [1, 1], each: Duration::from_micros(10) };
        pool.share_with(threads - 1, &Watched::NONE, items, |_| {
            calls.fetch_add(1, Ordering::Relaxed);
            false
        });
        assert!((1..=threads as u32).contains(&calls.into_inner()));
    }
}

/// Many jobs end before helpers come. A late helper that entered one would read a value on the stack that is
/// overwritten as soon as the job has returned.
#[test]
fn late_helpers_touch_no_job_that_is_over() {
    let pool = Pool::new(4);
    thread::scope(|s| {
        for seed in 0..3 {
            let pool = &pool;
            s.spawn(move || {
                for round in 0..4000u64 {
                    let n = 1 + (round * 7 + seed) % 13;
                    let mut stack = [round; 16];
                    let alive = AtomicBool::new(true);
                    let hits: [AtomicU32; 13] = Default::default();
                    share(pool, n, [1, 3], |range| {
                        assert!(alive.load(Ordering::Relaxed) && stack.iter().all(|&v| v == round));
                        range.for_each(|i| _ = hits[i as usize].fetch_add(1, Ordering::Relaxed));
                    });
                    alive.store(false, Ordering::Relaxed);
                    stack.fill(u64::MAX);
                    std::hint::black_box(&mut stack);
                    for (i, h) in hits.iter().enumerate() {
                        assert_eq!(h.load(Ordering::Relaxed), u32::from((i as u64) < n));
                    }
                }
            });
        }
    });
}

#[test]
fn ranges_keep_to_their_sizes_and_the_last_ones_are_small() {
    let pool = Pool::new(2);
    let all = Mutex::new(Vec::new());
    share(&pool, 1000, [5, 60], |range| all.lock().unwrap().push(range));
    let mut all = all.into_inner().unwrap();
    all.sort_by_key(|r| r.start);
    assert_eq!((all[0].start, all.last().unwrap().end), (0, 1000));
    assert!(all.windows(2).all(|w| w[0].end == w[1].start));
    let sizes: Vec<u64> = all.iter().map(|r| r.end - r.start).collect();
    assert_eq!((sizes[0], sizes[sizes.len() - 2]), (60, 5));
    assert!(sizes.iter().all(|&n| n <= 60));
}

/// The caller finishes its parts while a helper is inside its own part: the caller waits for the helper.
#[test]
fn a_job_is_over_when_helpers_have_ended_their_parts() {
    let pool = Pool::new(2);
    let caller = thread::current().id();
    let (mut helped, mut done) = (0, 0);
    for _ in 0..50 {
        let (began, ended) = (AtomicU32::new(0), AtomicU32::new(0));
        share(&pool, 200, [1, 1], |_| {
            if thread::current().id() == caller {
                thread::sleep(Duration::from_micros(100));
            } else {
                began.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(3));
                ended.fetch_add(1, Ordering::Relaxed);
            }
        });
        helped += began.into_inner();
        done += ended.into_inner();
        if helped > 20 {
            break;
        }
    }
    assert_eq!(helped, done);
    assert!(helped > 0, "no helper ever came");
}

#[test]
fn a_job_within_a_job_and_more_jobs_than_places_are_done() {
    let pool = Pool::new(3);
    let hits = AtomicU32::new(0);
    thread::scope(|s| {
        for _ in 0..12 {
            s.spawn(|| {
                // An owner that finds no free place takes all items as one range.
                share(&pool, 20, [1, 1], |outer| {
                    for _ in outer {
                        share(&pool, 5, [1, 1], |range| {
                            hits.fetch_add((range.end - range.start) as u32, Ordering::Relaxed);
                        });
                    }
                });
            });
        }
    });
    assert_eq!(hits.into_inner(), 12 * 20 * 5);
}

#[test]
fn a_panic_ends_its_job_and_no_other() {
    let pool = Pool::new(2);
    let caller = thread::current().id();
    let mut of_helpers = 0;
    for round in 0..200 {
        // Panics in the caller's parts, in those of helpers, or in the first to run.
        let panics = |by_caller: bool| [by_caller, !by_caller, true][round % 3];
        let ran = AtomicU32::new(0);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            share(&pool, 100_000, [1, 1], |_| {
                let by_caller = thread::current().id() == caller;
                if panics(by_caller) {
                    resume_unwind(Box::new(by_caller));
                }
                ran.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_micros(10));
            });
        }));
        let by_caller = outcome.unwrap_err();
        of_helpers += u32::from(!by_caller.downcast_ref::<bool>().unwrap());
        assert!(ran.into_inner() < 100_000);
    }
    assert!(of_helpers > 0);
    let hits = AtomicU32::new(0);
    share(&pool, 100, [1, 1], |_| _ = hits.fetch_add(1, Ordering::Relaxed));
    assert_eq!(hits.into_inner(), 100);
}

#[test]
fn threads_are_cut_to_what_the_machine_can_use() {
    let processors = thread::available_parallelism().unwrap().get();
    assert_eq!(Pool::new(0).threads(), processors);
    assert_eq!(Pool::new(7).threads(), 7);
    assert_eq!(Pool::new(1 << 20).threads(), processors * THREADS_PER_PROCESSOR);
}
