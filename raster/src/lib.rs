//! Fixed function of the Quadrille GPU.
//!
//! ```text
//!  Pool ── compute::dispatch                      workgroups over threads
//!    └──── Pass ── draw* ── end
//!                    │
//!     unit of a draw │ in parallel, output kept in API order
//!        assembly    │ which vertices make which primitive
//!        vertex      │ fetch, vertex lane function, records of 32-bit words
//!        clip        │ view volume and guard band
//!        setup       │ snap, edge functions, plane equations (lines: points and lines)
//!        bin         │ primitives to 64x64 tiles
//!                    │
//!     tile           │ in parallel, primitives in API order
//!        coverage    │ stamps of covered pixels
//!        depth       │ early test where allowed
//!        fragment    │ fragment lane function over a run of stamps
//!        merge       │ late depth test, blend, convert, write
//! ```
//!
//! The lane functions come from `quadrille_jit`; nothing here knows SPIR-V or Vulkan objects.
//! Results do not depend on the number of threads: units and their output have an order given by
//! counts in the draw alone, and a tile consumes primitives in that order.
//!
//! `unsafe` lives in `target` (attachment memory), `buffer` (vertex and index memory), `invoke`
//! (calls of lane functions), `merge::kernel`, `merge::wide*` and `vertex::kernel` (calls of generated
//! code, vector instructions), `quad` (vector instructions), `bin` (prefetches), `pool::job` (jobs on the
//! stacks of their owners), `pool::clock` (CPU clocks).

mod assembly;
mod bin;
mod block;
pub mod buffer;
mod clip;
pub mod compute;
mod coverage;
pub mod draw_state;
pub mod format;
mod geometry;
pub mod image;
pub mod invoke;
pub mod limits;
mod lines;
mod merge;
pub mod multisample;
pub mod pass;
pub mod pool;
mod quad;
mod resolve;
pub mod sampler;
mod setup;
pub mod state;
pub mod target;
mod tile;
pub mod transfer;
mod vertex;

pub use compute::{ComputeJob, dispatch};
pub use draw_state::DrawState;
pub use invoke::{AddressTable, BoundResources};
pub use pass::{Attachment, Bind, Draw, LoadOp, Pass, PassDesc, Stats, StoreOp};
pub use pool::{Budget, Pool, Watched, start_watchdog, threads_for};
pub use target::{Target, TargetDesc};

#[cfg(test)]
mod tests;
