//! Reference cycles: the rate of the processor's time stamp counter, which counts at a constant rate whatever the clock of
//! the processor.

use std::time::Duration;

use once_cell::race::OnceBox;

use super::clock::monotonic_nanoseconds;

/// Time over which the rate is measured, at least: errors of microseconds are then less than a thousandth.
const BASE: Duration = Duration::from_millis(20);

/// Returns `true` if the processor has a time stamp counter with a constant rate, which does not stop in idle states.
pub fn counts() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        // Bit 8 of EDX: invariant TSC. Spec: Intel SDM 17.17.1, AMD APM 3.12.
        const LEAF: u32 = 0x8000_0007;
        let most = std::arch::x86_64::__cpuid(0x8000_0000).eax;
        most >= LEAF && std::arch::x86_64::__cpuid(LEAF).edx >> 8 & 1 == 1
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// The counter now; 0 on processors without it.
fn now() -> u64 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of the family has the instruction, and systems permit it.
    return unsafe { std::arch::x86_64::_rdtsc() };
    #[cfg(not(target_arch = "x86_64"))]
    0
}

/// The counter and the monotonic clock in nanoseconds, read together: the reads between which the least time has passed.
fn together() -> [u64; 2] {
    let read = |_| {
        let before = now();
        let time = monotonic_nanoseconds();
        let after = now();
        (after.wrapping_sub(before), [before + after.wrapping_sub(before) / 2, time])
    };
    (0..16).map(read).min_by_key(|(apart, _)| *apart).map_or([0; 2], |(_, both)| both)
}

/// Begins to measure the rate, so that [`of`] need not wait.
pub fn begin() {
    start();
}

/// The counter and the clock when the measurement began.
fn start() -> [u64; 2] {
    static START: OnceBox<[u64; 2]> = OnceBox::new();
    *START.get_or_init(|| Box::new(together()))
}

/// Cycles in a nanosecond.
fn rate() -> f64 {
    static RATE: OnceBox<f64> = OnceBox::new();
    *RATE.get_or_init(|| {
        let [cycles, time] = start();
        loop {
            let [now, at] = together();
            let passed = Duration::from_nanos(at - time);
            if passed >= BASE {
                break Box::new((now - cycles) as f64 / passed.as_nanos() as f64);
            }
            std::thread::sleep(BASE - passed);
        }
    })
}

/// Returns the reference cycles of a time; 0 on processors that do not count them.
pub fn of(time: Duration) -> u64 {
    if counts() { (time.as_nanos() as f64 * rate()) as u64 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counter itself passes as many cycles as its rate says.
    #[test]
    fn cycles_are_those_of_the_counter() {
        if !counts() {
            assert_eq!(of(Duration::from_secs(1)), 0);
            return;
        }
        begin();
        let [cycles, time] = together();
        std::thread::sleep(Duration::from_millis(50));
        let [now, at] = together();
        let (passed, said) = (now - cycles, of(Duration::from_nanos(at - time)));
        assert!(passed.abs_diff(said) < passed / 500, "{passed} cycles, not {said}");
        assert!(of(Duration::from_secs(1)) > 100_000_000, "processors of this family have at least 100 MHz");
    }
}
