//! Tables of a device in which shaders look up resources by number or address.
//!
//! * `address`: device addresses.
//! * `handles`: handles, which descriptors hold where applications or shaders can write them.
//! * `images`: routines of image operations, and states of samplers.
//! * `structures`: acceleration structures by device address.
//! * `slots`: memory of the entries, and the numbers in use.
//!
//! Left to others: `resource` enters its objects into the tables; `descriptor` writes handles; generated code looks
//! them up (`quadrille_jit::handle`).

pub(crate) mod address;
pub(crate) mod handles;
pub(crate) mod images;
mod slots;
pub(crate) mod structures;
