//! Fixed-function stages of the Quadrille GPU.
//!
//! ```text
//!  Pool ── compute::dispatch                      workgroups over threads
//!    └──── Pass ── draw* ── end
//!            │
//!            ├── front     units of draws: fetch, vertex stage, assembly, clip, set-up
//!            │     ▼
//!            │   bins      primitives by 64x64 tile
//!            │     ▼
//!            └── tiles     coverage, early depth, fragment stage, output merge, resolve
//!
//!  ray_tracing             ray tracing pipelines: traversal, and calls of shaders by shaders
//!  sampling                image operations that shaders call
//!  memory                  formats, images, buffers, attachments, transfers
//! ```
//!
//! The module docs of each folder say what it owns. Imports only point down this list, and a test checks this: `pass`
//! runs the stages in order; `draw_state` prepares the state of draws; `front`, `tiles`, `sampling` and `ray_tracing` do not import
//! each other; `bins` and `memory` serve them. Every folder may import the modules beside the folders: [`state`]
//! (pipeline state), [`samples`] (sample locations), [`limits`], [`invoke`] (calls of lane functions), `kernels`
//! (generated code of fixed function), [`pool`] (threads), `rivalry` (whether several threads are faster than one), `pace` (time per workgroup),
//! `footprint` (when wide lane groups pay off), `counted` (lanes whose image operations count), `activity` (names of what threads are doing), `level` (loops that are compiled
//! for more than one level of instructions).
//!
//! The lane functions come from `quadrille_jit`; nothing here knows SPIR-V or Vulkan objects. Results do not depend on
//! the number of threads: the order of units and of their output depends only on counts in the draw, and a tile
//! consumes primitives in that order.
//!
//! `unsafe` is confined to `memory::target` (attachment memory), `memory::buffer` (vertex and index memory),
//! `memory::image` and `sampling` (images), `invoke` (calls of lane functions), `tiles::merge::kernel` and `front::fetch`
//! (calls of generated code), `level` (vector instructions, and calls of functions that use them), `bins::chunk`
//! (prefetches), `bins::outline` (a null pointer between threads), `feedback` (buffers of transform feedback), `rays` (states of ray queries in memory of
//! generated code), `ray_tracing::routine` and `ray_tracing::table` (calls by generated code, shader binding tables),
//! `pool::job` (jobs on the stacks of their owners), `pool::clock` (CPU clocks).

mod activity;
mod bins;
pub mod compute;
mod counted;
pub mod draw_state;
pub mod feedback;
mod footprint;
mod front;
mod interface;
mod invoke;
mod kernels;
mod level;
pub mod limits;
mod memory;
mod pace;
pub mod pass;
pub mod pool;
pub mod ray_tracing;
pub mod rays;
mod record;
mod resources;
mod rivalry;
pub mod samples;
pub mod sampling;
pub mod state;
mod tiles;

// Users of the crate need not know that these modules lie in `memory`.
pub use memory::{buffer, format, image, target, transfer};

pub use activity::Activity;
pub use compute::{ComputeJob, dispatch};
pub use draw_state::{DrawKernels, DrawState};
pub use footprint::Footprint;
pub use kernels::KernelInfo;
pub use memory::target::{Target, TargetDesc};
pub use pace::Pace;
pub use pass::{Attachment, BindNumber, BoundState, Draw, LoadOp, Pass, PassDesc, Stats, StoreOp};
pub use pool::{Budget, Pool, Watched, start_watchdog, threads_for};
pub use resources::{AddressTable, BoundResources, BoundSets, MissingTable, RayTable, ResourceTable, Tables};
pub use rivalry::Rivalry;

#[cfg(test)]
mod tests;
