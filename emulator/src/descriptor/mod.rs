//! Descriptor set layouts, sets and pools.
//!
//! A set is a list of records of one size, which shaders read. In bindings that are partially bound or mutable, and in
//! buffers, a record is a handle ([`quadrille_jit::handle`]); in others it has the pointers themselves
//! ([`quadrille_jit::abi::Descriptor`]). What the Rust API binds is kept alive by a list beside the records; a driver,
//! whose callers promise to keep resources alive themselves, allocates sets without that list from a [`DescriptorPool`].
//!
//! * `kind`: types of descriptors. `layout`: bindings of a set, and where their records lie.
//! * `set`: records, and what they keep alive. `pool`: what a driver's sets are counted against.
//!
//! * `in_buffer`: sets that a driver's callers keep in buffers themselves.
//!
//! Fresh sets hold null descriptors: they read as zero and drop writes.
//!
//! A mutable descriptor is what its handle says: a shader that takes it for something else reads zeros. Views of every sort
//! may stand for each other: their routines check.

mod in_buffer;
mod kind;
mod layout;
mod pool;
mod set;

pub use in_buffer::DESCRIPTOR_BYTES;
pub(crate) use in_buffer::SetInBuffer;
pub use kind::DescriptorKind;
pub use layout::{DescriptorBinding, DescriptorSetLayout};
pub use pool::DescriptorPool;
pub(crate) use set::Held;
pub use set::{DescriptorSet, Resource};
