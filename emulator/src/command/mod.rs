//! Command buffers: record first, execute later.
//!
//! Recording resolves everything that can fail: pipelines, descriptor sets and state are looked up and
//! checked when a draw or dispatch is recorded, and kept in the list. Execution walks the list.

mod bind;
mod copy;
mod draw;
mod dynamic;
mod execute;
mod feedback;
mod indirect_copy;
mod kept;
mod list;
mod query;
mod record;
mod render;
mod render_pass;
mod resources;
mod state;
mod transfer;

pub(crate) use execute::execute;
pub(crate) use list::Recorded;
pub use record::{BeginRenderPass, CommandBuffer};
pub use state::BindPoint;
