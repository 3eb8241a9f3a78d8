//! Images in device memory: the location of each texel.
//!
//! * [`memory`]: the only module of this crate's image code that accesses device memory.
//! * [`sparse`]: the pages of sparse images, and their residency.
//! * [`layout`]: byte offsets of subresources. Linear rows; levels within layers; samples, the depth and stencil
//!   aspects and the planes of multi-planar formats as separate planes.
//!
//! Left to others: the meaning of texels ([`super::format`]), shader access ([`crate::sampling::view`]), ownership of
//! the memory (the device library).

pub mod layout;
pub mod memory;
pub mod sparse;

pub use layout::{ImageDesc, ImageLayout, ImageType, LEVEL_ALIGN, PlaneLayout, Subresource, level_extent};
pub use memory::{ImageMemory, Span};
pub use sparse::SparsePages;

/// Maximum width of 1D images, and width and height of 2D and cube images.
pub const MAX_DIMENSION_2D: u32 = 16384;
/// Maximum extent of 3D images.
pub const MAX_DIMENSION_3D: u32 = 2048;
/// Maximum number of array layers.
pub const MAX_LAYERS: u32 = 2048;
/// Maximum size of an image, in bytes.
pub const MAX_BYTES: u64 = 1 << 36;
/// Maximum number of texels of a texel buffer view.
pub const MAX_TEXEL_BUFFER_ELEMENTS: u32 = 1 << 27;
