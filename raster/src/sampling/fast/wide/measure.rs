//! Measures whether loading texels with the host's gathers is faster than with single loads.
//!
//! The ratio varies by a factor of three either way between processors, and with the microcode within a family. It is
//! therefore measured: once per process, by the thread that compiles routines, in a few microseconds. The results of
//! routines do not depend on it. The loads themselves are left to [`super::texels`].

use std::arch::x86_64::*;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use super::texels::words;

/// True if gathers are faster than single loads. Must be called only on hosts with AVX2, FMA and F16C, which
/// [`super::build`] checks.
pub fn gathers_pay() -> bool {
    static PAY: OnceLock<bool> = OnceLock::new();
    *PAY.get_or_init(|| {
        let memory = [1u32; 1024];
        let [mut by_gathers, mut one_by_one] = [Duration::MAX; 2];
        for _ in 0..8 {
            // SAFETY: `super::build` calls this function only after `is_able` has found AVX2, FMA and F16C.
            let (gathered, single) = unsafe { (time::<true>(&memory), time::<false>(&memory)) };
            (by_gathers, one_by_one) = (by_gathers.min(gathered), one_by_one.min(single));
        }
        by_gathers < one_by_one
    })
}

/// Measures the time of 256 loads of eight words.
///
/// # Safety
/// The host must have AVX2, FMA and F16C.
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn time<const GATHERS: bool>(memory: &[u32; 1024]) -> Duration {
    let mut at = _mm256_setr_epi32(0, 4, 8, 12, 2048, 2052, 2056, 2060);
    let start = Instant::now();
    let mut sum = _mm256_setzero_si256();
    for _ in 0..256 {
        // SAFETY: the caller promises the host features. The offsets are multiples of 4 up to 4092, so all loads are
        // inside the 4096 bytes of `memory`.
        let w = unsafe { words(memory.as_ptr().cast(), at, GATHERS) };
        sum = _mm256_add_epi32(sum, w);
        at = _mm256_and_si256(_mm256_add_epi32(at, _mm256_set1_epi32(68)), _mm256_set1_epi32(4092));
    }
    std::hint::black_box(_mm256_extract_epi32::<0>(sum));
    start.elapsed()
}
