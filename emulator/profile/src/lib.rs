//! What shaders have run and what it cost, by lines of the author's source.
//!
//! ```text
//!   recorder   watches interpreted shaders and counts: instructions, branches, accesses, pixels
//!      |
//!   lines      counts of instructions to counts of lines, functions and branches of files
//!      |  \
//!   coverage   what ran: LCOV (`lcov`), a page (`html`)
//!      |
//!   cost       what it took: table, annotated listing, JSON
//!   heat       what each pixel took: a picture
//!
//!   counts     what is counted: below all of them
//! ```
//!
//! Beside these, `samples` and `signal` say where time goes in compiled shaders; a `sample` is what they hand on.
//!
//! Counts are exact and the same in every run: they are of operations of the shader IR before any pass, which the
//! reference interpreter executes, and so of what the author wrote rather than of what a compiler made of it. Nothing here
//! knows a device: whoever runs shaders hands a [`Recorder`] to
//! [`build_watched`](quadrille_jit::interp::build_watched).

pub mod cost;
mod counts;
pub mod coverage;
pub mod heat;
pub mod html;
pub mod lcov;
mod lines;
mod recorder;
mod sample;
pub mod samples;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod signal;
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod signal_none;

pub use cost::{LineCost, Profile};
pub use coverage::{Branch, Coverage, FileCoverage};
pub use heat::Heat;
pub use recorder::{Recorder, Texels};
pub use samples::{Sampler, StageTime, Times};
