//! Capabilities of the physical device: features, limits, properties, formats, and kinds of memory and handles.
//!
//! * `features`, `limits`, `properties`: structures of the specification, filled from the device library.
//! * `versions`: structures of Vulkan 1.1 to 1.4, which repeat those of extensions.
//! * `format`, `modifier`: formats, their queries, and DRM format modifiers.
//! * `wide_flags`: flags of images with 64 bits.
//! * `matrix`: products of cooperative matrices.
//! * `identity`: ids and name of the device.
//! * `heap`: the memory heap and its types. `sharing`: external handles.
//!
//! Left to others: `device` answers the commands that query them, apart from those for formats; `registry` lists
//! versions and extensions.

pub(crate) mod features;
pub(crate) mod format;
pub(crate) mod heap;
pub(crate) mod identity;
pub(crate) mod limits;
pub(crate) mod matrix;
pub(crate) mod modifier;
pub(crate) mod properties;
pub(crate) mod sharing;
pub(crate) mod versions;
pub(crate) mod wide_flags;
