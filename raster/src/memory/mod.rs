//! Device memory as the pipeline sees it.
//!
//! * [`format`]: texel formats, in words and in lanes;
//! * [`filter`]: weights of linear filters along an axis;
//! * [`image`]: location of each texel of an image;
//! * [`buffer`]: vertex and index buffers;
//! * [`target`]: attachments, by tiles;
//! * [`transfer`]: copies, blits and clears.
//!
//! Left to others: sampling of images by shaders ([`crate::sampling`]), ownership of the memory (the device library).

pub mod buffer;
pub mod combine;
pub mod filter;
pub mod format;
pub mod image;
pub mod target;
pub mod transfer;
