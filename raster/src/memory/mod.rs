//! Device memory as the pipeline sees it.
//!
//! * [`format`]: texel formats, in words and in lanes;
//! * [`filter`]: weights of linear filters along an axis;
//! * [`image`]: where each texel of an image is;
//! * [`buffer`]: vertex and index buffers;
//! * [`target`]: attachments, by tiles;
//! * [`transfer`]: copies, blits and clears.
//!
//! Left to others: what shaders make of images ([`crate::sampling`]), who owns the memory (the device
//! library).

pub mod buffer;
pub mod combine;
pub mod filter;
pub mod format;
pub mod image;
pub mod target;
pub mod transfer;
