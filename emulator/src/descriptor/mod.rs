//! Descriptor set layouts, sets and pools.
//!
//! A set is an array of records of one size, which shaders read. In bindings that are partially bound or mutable, and
//! in buffers, a record is a handle ([`quadrille_jit::handle`]); in other bindings it holds the pointers
//! ([`quadrille_jit::abi::Descriptor`]). A list beside the records keeps resources alive that are bound through the
//! Rust API. A driver allocates sets without that list from a [`DescriptorPool`]; its applications promise to keep
//! resources alive.
//!
//! * `kind`: types of descriptors. `layout`: bindings of a set, and the places of their records.
//! * `set`: records, and the resources that they keep alive. `pool`: accounting of a driver's sets.
//! * `in_buffer`: sets that a driver's applications keep in buffers.
//!
//! New sets hold null descriptors: reads give zero, and writes are dropped.
//!
//! A handle in a mutable descriptor includes the descriptor type: a shader that uses the descriptor as another type
//! reads zeros. Views of all types share one handle kind, because their routines check the type. `tables::handles`
//! resolves handles.

mod in_buffer;
mod kind;
mod layout;
mod pool;
mod set;

pub use in_buffer::DESCRIPTOR_BYTES;
pub(crate) use in_buffer::SetInBuffer;
pub use kind::DescriptorKind;
pub(crate) use layout::null_image;
pub use layout::{DescriptorBinding, DescriptorSetLayout};
pub use pool::DescriptorPool;
pub(crate) use set::Held;
pub use set::{DescriptorSet, Resource};
