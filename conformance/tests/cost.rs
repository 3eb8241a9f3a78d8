//! The watch on what inputs cost: it sees memory of any thread and CPU time, and fails where they are too much.

use std::hint::black_box;
use std::panic::catch_unwind;
use std::time::{Duration, Instant};

use quadrille_conformance::cost::{self, Cost, Share};

#[global_allocator]
static COUNTING: cost::Counting = cost::Counting;

const SHARE: Share = Share {
    free: Cost { bytes: 1 << 20, time: Duration::from_millis(500) },
    each: Cost { bytes: 1 << 10, time: Duration::from_millis(1) },
};

fn holds(length: usize, run: impl FnOnce() + std::panic::UnwindSafe) -> bool {
    catch_unwind(|| SHARE.hold(length, run)).is_ok()
}

fn compute(time: Duration) {
    let start = cost::of(|| {});
    let (begin, mut spent) = (Instant::now(), start.time);
    // A machine that does something else takes longer, not more.
    while spent < time && begin.elapsed() < Duration::from_secs(60) {
        spent += cost::of(|| {
            (0..1 << 16).for_each(|i| {
                let _ = black_box(i);
            })
        })
        .time;
    }
}

/// One test: what others allocate at the same time would count.
#[test]
fn inputs_that_take_more_than_their_share_fail() {
    let have = |bytes: usize| drop(black_box(vec![1u8; bytes]));
    // 1 MiB is free, and 1 KiB for each byte.
    assert!(holds(0, || have(900 << 10)));
    assert!(!holds(0, || have(1100 << 10)));
    assert!(holds(1024, || have(2000 << 10)));
    assert!(!holds(1024, || have(2100 << 10)));
    // What is given back can be had again; what is had at a time counts, on any thread, as it grows.
    assert!(holds(0, || (0..10).for_each(|_| have(900 << 10))));
    assert!(!holds(0, || std::thread::spawn(move || have(1100 << 10)).join().unwrap()));
    assert!(!holds(0, || {
        let mut all = Vec::new();
        (0..300_000u64).for_each(|i| all.push(black_box(i)));
    }));
    // What was there before does not.
    let kept = vec![1u8; 8 << 20];
    assert!(holds(0, || have(900 << 10)));
    drop(kept);
    // Time: half a second is free, and a millisecond for each byte.
    assert!(!holds(0, || compute(Duration::from_millis(600))));
    assert!(holds(1000, || compute(Duration::from_millis(600))));
    assert!(holds(0, || std::thread::sleep(Duration::from_millis(600))));
}
