//! How texels are loaded on this host: by its gathers, or one by one.
//!
//! Processors differ by a factor of three either way, and within a family by its microcode, so it is measured:
//! once in a process, by the thread that compiles routines, in a few microseconds. The results of routines are
//! the same.

use std::arch::x86_64::*;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::texels::words;

/// Gathers are faster than single loads. The host has AVX2.
pub fn gathers_pay() -> bool {
    static PAY: OnceLock<bool> = OnceLock::new();
    *PAY.get_or_init(|| {
        let memory = [1u32; 1024];
        let [mut by_gathers, mut one_by_one] = [Duration::MAX; 2];
        for _ in 0..8 {
            // SAFETY: who asks has AVX2.
            let (gathered, single) = unsafe { (time::<true>(&memory), time::<false>(&memory)) };
            (by_gathers, one_by_one) = (by_gathers.min(gathered), one_by_one.min(single));
        }
        by_gathers < one_by_one
    })
}

/// The time of some hundred loads of eight words.
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn time<const GATHERS: bool>(memory: &[u32; 1024]) -> Duration {
    let mut at = _mm256_setr_epi32(0, 4, 8, 12, 2048, 2052, 2056, 2060);
    let start = Instant::now();
    let mut sum = _mm256_setzero_si256();
    for _ in 0..256 {
        // SAFETY: the offsets stay below 4096: the last add wraps.
        let w = unsafe { words(memory.as_ptr().cast(), at, GATHERS) };
        sum = _mm256_add_epi32(sum, w);
        at = _mm256_and_si256(_mm256_add_epi32(at, _mm256_set1_epi32(68)), _mm256_set1_epi32(4092));
    }
    std::hint::black_box(_mm256_extract_epi32::<0>(sum));
    start.elapsed()
}
