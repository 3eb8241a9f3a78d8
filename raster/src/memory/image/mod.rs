//! Images in device memory: where each texel is.
//!
//! * [`memory`]: the only place of this crate's image code that touches device memory.
//! * [`sparse`]: the pages of sparse images, and which are there.
//! * [`layout`]: byte offsets of subresources. Linear rows; levels within layers; samples, the depth
//!   and stencil aspects and the planes of multi-planar formats as separate planes.
//!
//! Left to others: what texels mean ([`super::format`]), how shaders find them
//! ([`crate::sampling::view`]), who owns the memory (the device library).

pub mod layout;
pub mod memory;
pub mod sparse;

pub use layout::{ImageDesc, ImageLayout, ImageType, LEVEL_ALIGN, PlaneLayout, Subresource, level_extent};
pub use memory::{ImageMemory, Span};
pub use sparse::SparsePages;

/// Largest width of 1D images and width and height of 2D and cube images.
pub const MAX_DIMENSION_2D: u32 = 16384;
/// Largest extent of 3D images.
pub const MAX_DIMENSION_3D: u32 = 2048;
/// Most array layers.
pub const MAX_LAYERS: u32 = 2048;
/// Most texels of a texel buffer view.
pub const MAX_TEXEL_BUFFER_ELEMENTS: u32 = 1 << 27;
