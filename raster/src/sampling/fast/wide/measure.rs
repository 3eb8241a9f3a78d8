//! Measures whether loading texels with the host's gathers is faster than with single loads.
//!
//! The ratio varies by a factor of three either way between processors, and with the microcode within a family. It is
//! therefore measured: once per process, by the thread that compiles routines, in a few microseconds. The results of
//! routines do not depend on it. The loads themselves are left to [`super::host`].

use std::time::{Duration, Instant};

use once_cell::race::OnceBool;

use super::host::{Avx2, Rare, Vectors, Wide};

/// True if gathers are faster than single loads.
pub fn gathers_pay(host: Avx2) -> bool {
    static PAY: OnceBool = OnceBool::new();
    PAY.get_or_init(|| {
        let memory = [1u32; 1024];
        let [mut by_gathers, mut one_by_one] = [Duration::MAX; 2];
        for _ in 0..8 {
            by_gathers = by_gathers.min(host.rarely(Loads::<true>(&memory)));
            one_by_one = one_by_one.min(host.rarely(Loads::<false>(&memory)));
        }
        by_gathers < one_by_one
    })
}

/// The time of 256 loads of eight words.
struct Loads<'a, const GATHERS: bool>(&'a [u32; 1024]);

impl<const GATHERS: bool> Rare for Loads<'_, GATHERS> {
    type Output<W: Wide> = Duration;

    #[inline(always)]
    fn run<W: Wide>(self, w: W) -> Duration {
        let h = w.eight();
        let numbers = h.numbers();
        // 0, 4, 8, 12, 2048, 2052, 2056, 2060.
        let mut at = h.shl(numbers & h.i(3), 2) + h.shl(numbers & h.i(4), 9);
        let start = Instant::now();
        let mut sum = h.i(0);
        for _ in 0..256 {
            // SAFETY: the offsets are multiples of 4 up to 4092, so all loads are inside the 4096 bytes of the memory.
            let words = unsafe { h.load(self.0.as_ptr().cast(), at, GATHERS) };
            sum = sum + words;
            at = (at + h.i(68)) & h.i(4092);
        }
        std::hint::black_box(h.first(sum));
        start.elapsed()
    }
}
