//! Limits on the cost of inputs: they count memory of every thread and CPU time, and each fuzz target stays within its share.

use std::hint::black_box;
use std::time::{Duration, Instant};

use quadrille_conformance::cost::{self, Cost, Patience, Share};
use quadrille_conformance::random::Random;
use quadrille_conformance::targets::TARGETS;

#[global_allocator]
static COUNTING: cost::Counting = cost::Counting;

const SHARE: Share = Share {
    free: Cost { bytes: 1 << 20, time: Duration::from_millis(500) },
    each: Cost { bytes: 1 << 10, time: Duration::from_millis(1) },
};

fn holds(length: usize, run: impl FnOnce()) -> bool {
    SHARE.judge(length, cost::of(run)).is_ok()
}

fn compute(time: Duration) {
    let start = cost::of(|| {});
    let (begin, mut spent) = (Instant::now(), start.time);
    // A busy machine takes longer, but no more CPU time.
    while spent < time && begin.elapsed() < Duration::from_secs(60) {
        spent += cost::of(|| {
            (0..1 << 16).for_each(|i| {
                let _ = black_box(i);
            })
        })
        .time;
    }
}

/// One test only: allocations of other tests at the same time would count.
#[test]
fn costs_are_counted() {
    inputs_that_take_more_than_their_share_fail();
    waits_hang_by_cpu_time();
    targets_stay_within_their_share();
}

/// Random inputs of all lengths. Short ones must fit the free part, long ones show the cost of a byte.
fn targets_stay_within_their_share() {
    let mut r = Random::new(7);
    for target in TARGETS {
        for length in [0, 1, 60, 500, 2000] {
            let input: Vec<u8> = (0..length).map(|_| r.below(256) as u8).collect();
            let cost = target.check(&input).unwrap_or_else(|e| panic!("{}: {e}", target.name));
            println!("{}, {length} bytes: {cost:?}", target.name);
        }
    }
}

fn inputs_that_take_more_than_their_share_fail() {
    let have = |bytes: usize| drop(black_box(vec![1u8; bytes]));
    // 1 MiB is free, and 1 KiB for each byte.
    assert!(holds(0, || have(900 << 10)));
    assert!(!holds(0, || have(1100 << 10)));
    assert!(holds(1024, || have(2000 << 10)));
    assert!(!holds(1024, || have(2100 << 10)));
    // Freed bytes do not count; bytes of other threads and of growing lists do.
    assert!(holds(0, || (0..10).for_each(|_| have(900 << 10))));
    assert!(!holds(0, || std::thread::spawn(move || have(1100 << 10)).join().unwrap()));
    assert!(!holds(0, || {
        let mut all = Vec::new();
        (0..300_000u64).for_each(|i| all.push(black_box(i)));
    }));
    // Bytes from before do not count.
    let kept = vec![1u8; 8 << 20];
    assert!(holds(0, || have(900 << 10)));
    drop(kept);
    // Time: half a second is free, and a millisecond for each byte.
    assert!(!holds(0, || compute(Duration::from_millis(600))));
    assert!(holds(1000, || compute(Duration::from_millis(600))));
    assert!(holds(0, || std::thread::sleep(Duration::from_millis(600))));
}

fn waits_hang_by_cpu_time() {
    let (short, long) = (Duration::from_millis(50), Duration::from_secs(60));
    let over_at_third = |patience: Patience, each: fn()| {
        let mut times = 0;
        patience.wait(|_| {
            each();
            times += 1;
            Ok::<bool, ()>(times == 3)
        })
    };
    let compute_for_long = || compute(Duration::from_millis(100));
    let sleep = || std::thread::sleep(Duration::from_millis(100));
    assert_eq!(over_at_third(Patience { cpu: short, wall: long }, sleep), Ok(true), "it only stood still");
    assert_eq!(over_at_third(Patience { cpu: short, wall: long }, compute_for_long), Ok(false));
    assert_eq!(over_at_third(Patience { cpu: long, wall: long }, compute_for_long), Ok(true));
    assert_eq!(over_at_third(Patience { cpu: long, wall: short }, sleep), Ok(false));
    assert_eq!(Patience { cpu: long, wall: long }.wait(|_| Err(7)), Err(7));
}
