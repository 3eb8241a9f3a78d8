//! The contract between generated code and the owner of images: heads of views, and operations of images.
//!
//! Owns the structs. Left to others: the descriptors that refer to views, words of samplers, and limits ([`super`]).

use super::{MAX_LANES, TEXEL_ROWS};

/// Head of an image view; the owner of texel formats appends its sampling data.
///
/// Extents are those of the view's first level; a texel buffer has its element count in `width`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ImageView {
    /// Routines by row of the sampler, then operation number: `table[row][op]`, [`SAMPLER_ROWS`](super::SAMPLER_ROWS) rows. Neither the table nor any entry is ever
    /// null: unresolved entries hold a routine that resolves itself.
    pub table: *const *const ImageRoutine,
    /// Width in texels.
    pub width: u32,
    /// Height in texels; 1 for 1D.
    pub height: u32,
    /// Depth in slices; 1 unless 3D.
    pub depth: u32,
    /// Number of array layers (cube arrays: of cubes).
    pub layers: u32,
    /// Number of levels.
    pub levels: u32,
    /// Number of samples.
    pub samples: u32,
}

/// An image operation on one lane group. Reads and writes [`ImageArgs`].
pub type ImageRoutine = unsafe extern "C" fn(args: *mut ImageArgs);

/// A row of up to 32 lanes of 32-bit words; the first S are used.
pub type Row = [u32; MAX_LANES];

/// Arguments and results of an image operation. The operation number determines which rows are used; floats are rows of
/// bits. Only lanes in `mask` need meaningful results, but derivatives are computed over all lanes in `quad_mask`.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct ImageArgs {
    /// The view.
    pub view: *const ImageView,
    /// Row of the sampler in the view's table; this field and the next are a [`sampler_word`](super::sampler_word).
    pub sampler_row: u32,
    /// Sampler number.
    pub sampler: u32,
    /// Operation number.
    pub op: u32,
    /// Active lanes.
    pub mask: u32,
    /// Lanes that contribute to derivatives.
    pub quad_mask: u32,
    /// Lane group size S.
    pub lanes: u32,
    /// Fills the cache line of the fields above. No vector of a row lies in two cache lines.
    pub unused: [u32; 8],
    /// Coordinates, then the array layer.
    pub coord: [Row; 4],
    /// Depth reference.
    pub dref: Row,
    /// Bias or lod.
    pub lod: Row,
    /// Gradients: dx of each coordinate, then dy.
    pub grad: [Row; 6],
    /// Minimum lod.
    pub min_lod: Row,
    /// Offsets (gather with four: x0 y0 x1 y1 ...).
    pub offset: [Row; 8],
    /// Sample index.
    pub sample: Row,
    /// Texel that was read, or that will be written; atomics: operands in, old value out in row 0. 64-bit texels use
    /// two rows each (low, high). Gathers have four rows for each component.
    pub texel: [Row; TEXEL_ROWS],
    /// Residency code of the texels that a lane read. Zero before the call; routines of fully resident images do not
    /// write it.
    pub residency: Row,
}
