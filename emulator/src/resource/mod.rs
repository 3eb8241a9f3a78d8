//! Resources: buffers, images, their views, and samplers.
//!
//! * [`buffer`], `buffer_view`: ranges of device memory, and texel buffers over them.
//! * [`image`], [`sampler`]: images, their views, and the states of samplers.
//! * `kept`: views that a resource keeps for descriptors that name no view.
//! * [`copies`], `host_copy`: regions of copies, and copies between images and host memory.
//! * [`sparse`], [`residency`], `missing`: resources that are bound to memory in pieces, the memory of each page, and
//!   copies that skip unbound pages.
//!
//! Left to others: `memory` owns the bytes; `tables` holds the entries through which shaders reach a resource;
//! `descriptor` puts resources into sets; `command` records copies.

pub mod buffer;
pub(crate) mod buffer_view;
pub mod copies;
mod host_copy;
pub mod image;
mod kept;
pub(crate) mod missing;
pub mod residency;
pub mod sampler;
pub mod sparse;
