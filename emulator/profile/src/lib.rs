//! Coverage and cost of shaders, by lines of the author's source.
//!
//! ```text
//!   recorder   counts instructions, branches, accesses and pixels of interpreted shaders
//!      |
//!   lines      converts counts of instructions to counts of lines, functions and branches
//!      |  \
//!   coverage   reports of executed lines: LCOV (`lcov`), a page (`html`)
//!      |
//!   cost       reports of cost: table, annotated listing, JSON
//!   heat       picture of the cost of each pixel
//!
//!   lined      lines of shaders whose modules have none
//!   names      names of files, different ones for different texts
//!   counts     the types of counts, which all modules above use
//! ```
//!
//! Separately, `samples` and `signal` measure the distribution of time in compiled shaders; they exchange `sample`s.
//!
//! Counts are exact and the same in every run. They count operations of the shader IR before any pass, which the
//! reference interpreter executes, and therefore reflect the author's code and not a compiler's output. This crate does
//! not know the device: its caller passes a [`Recorder`] to [`build_watched`](quadrille_jit::interp::build_watched).

pub mod cost;
mod counts;
pub mod coverage;
pub mod heat;
pub mod html;
pub mod lcov;
mod lined;
mod lines;
mod names;
mod recorder;
mod sample;
pub mod samples;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod signal;
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod signal_none;

pub use cost::{LineCost, Profile, ShaderCost, ShaderKey};
pub use coverage::{Branch, Coverage, FileCoverage};
pub use heat::Heat;
pub use recorder::{Recorder, Texels};
pub use samples::{Sampler, StageTime, Times};
