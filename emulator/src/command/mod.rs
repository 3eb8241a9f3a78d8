//! Command buffers: record first, execute later.
//!
//! Recording resolves everything that can fail: pipelines, descriptor sets and state are looked up and
//! checked when a draw or dispatch is recorded, and kept in the list. Execution walks the list.

mod accessed;
mod areas;
mod attached;
mod bind;
mod blamed;
mod copy;
mod described;
mod draw;
mod dynamic;
mod elements;
mod exceeded;
mod execute;
mod feedback;
mod fetched;
mod generated;
mod indirect_copy;
mod kept;
mod list;
mod missing;
mod named;
mod notes;
mod ordered;
mod parameters;
mod query;
mod record;
mod render;
mod render_pass;
mod resources;
mod runs;
mod snapshot;
mod state;
mod traced;
mod transfer;
mod written;

pub(crate) use execute::execute;
pub use generated::{Executable, ExecutionSet, GeneratedCommands, GeneratedLayout, Token};
pub(crate) use list::Ended;
pub(crate) use named::InBatch;
pub use notes::{Barrier, BarrierOf, Dependency};
pub use record::{BeginRenderPass, CommandBuffer};
pub use state::BindPoint;
pub(crate) use traced::{Told, tell_submit};
pub(crate) use written::destroyed;
