//! Command buffers: record first, execute later.
//!
//! Recording resolves everything that can fail: it looks up and checks pipelines, descriptor sets and state when a draw
//! or dispatch is recorded, and keeps them in the list (`list`). Execution (`execute`) walks the list. `effects` states
//! the memory that each command accesses; `observe` has the observers of a running list.

mod attachments;
mod bind;
mod binding_tables;
mod blamed;
mod copy;
mod decompress;
mod draw;
mod dynamic;
mod effects;
mod execute;
mod feedback;
mod generated;
mod indirect_copy;
mod kept;
mod list;
mod note;
mod notes;
mod observe;
mod parameters;
mod queries;
mod query;
mod record;
mod render;
mod render_pass;
mod resources;
mod snapshot;
mod state;
mod structure_copy;
mod structures;
mod trace_rays;
mod transfer;

pub use binding_tables::ShaderBindingTables;
pub(crate) use execute::execute;
pub use generated::{Executable, ExecutionSet, GeneratedCommands, GeneratedLayout, Token};
pub(crate) use list::Ended;
pub use note::{Barrier, BarrierOf, Dependency};
pub(crate) use observe::{InBatch, Told, destroyed, tell_submit};
pub use record::{BeginRenderPass, CommandBuffer};
pub use state::BindPoint;
