//! Command buffers: record first, execute later.
//!
//! Recording resolves everything that can fail: pipelines, descriptor sets and state are looked up and
//! checked when a draw or dispatch is recorded, and kept in the list. Execution walks the list.

mod copy;
mod dynamic;
mod execute;
mod feedback;
mod list;
mod record;
mod render;
mod state;
mod transfer;

pub(crate) use execute::execute;
pub(crate) use list::Recorded;
pub use record::{BeginRenderPass, CommandBuffer};
pub use state::BindPoint;
