//! Observation of shaders while they run: checks, profiles and coverage.
//!
//! * [`check`]: checked execution, which reports mistakes that GPUs ignore.
//! * [`coverage`]: coverage of all shaders of a process, by source line.
//! * `watching`: the watchers and profilers of a device.
//!
//! Left to others: the checks and the profiles themselves are in the crates `quadrille_check` and `quadrille_profile`;
//! `command::observe` tells watchers about commands; `trace` writes the commands of command buffers.

pub mod check;
pub mod coverage;
pub(crate) mod watching;
