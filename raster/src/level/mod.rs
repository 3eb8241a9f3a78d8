//! Loops of Rust that are compiled twice: for the baseline of the target, and for hosts of [`CpuLevel::V3`].
//!
//! The source is the same, and Rust neither contracts nor reorders arithmetic, so both give the same bits. A [`Level`] also
//! has the vectors of integers ([`quad`], [`octet`]) for what the compiler does not turn into vectors by itself. Generated
//! code is left to `quadrille_jit`, and routines written for one width of vectors to [`crate::sampling`].

mod octet;
mod quad;

#[cfg(target_arch = "x86_64")]
use quadrille_jit::CpuLevel;

pub(crate) use octet::Octet;
pub(crate) use quad::Quad;

/// Instructions that work is compiled for. A value proves that the host has them.
pub(crate) trait Level: Copy {
    /// Eight integers.
    type Octet: Octet;

    /// Eight integers: the sum of `at`, `right` times the column and `below` times the row of each lane of two quads side by
    /// side. Arithmetic wraps around.
    fn slope(self, at: i32, right: i32, below: i32) -> Self::Octet;

    /// The same integer eight times.
    fn splat(self, v: i32) -> Self::Octet;
}

/// The instructions that every host has.
#[derive(Clone, Copy)]
pub(crate) struct Baseline;

/// The instructions of [`CpuLevel::V3`] but FMA.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub(crate) struct V3(());

/// Work for [`run`].
pub(crate) trait Work {
    /// Does the work. An implementation is `#[inline(always)]`, and so is what it calls: functions that are not inlined
    /// have the instructions of the baseline only.
    fn run<L: Level>(self, level: L);
}

/// Runs work with the instructions of the level in force.
#[inline]
pub(crate) fn run(work: impl Work) {
    #[cfg(target_arch = "x86_64")]
    if CpuLevel::current() >= CpuLevel::V3 {
        // SAFETY: the level in force is at most that of the host, and hosts of level V3 have these instructions.
        #[expect(unsafe_code, reason = "calls a function for instructions that the host has")]
        return unsafe { on_v3(work) };
    }
    work.run(Baseline);
}

/// Runs work with the instructions of level V3.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn on_v3(work: impl Work) {
    work.run(V3(()));
}
