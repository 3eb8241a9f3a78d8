//! Sampling and texel access: the routines that shaders call for image operations.
//!
//! * [`state`]: sampler states.
//! * [`view`]: [`View`], the record behind an image descriptor (its head is `abi::ImageView`).
//! * `routine`: state that routines depend on besides sampler and operation.
//! * `counting`: counts of texels, for performance queries.
//! * `null`: the table of the null view.
//! * `numbers`: which sampler state has which number.
//! * [`table`]: [`Interner`], which numbers sampler states and image operations of a device and owns the tables behind
//!   [`quadrille_jit::abi::ImageView::table`]; entries resolve themselves.
//! * [`scalar`]: the slow twin, one routine that performs every operation, lane by lane.
//! * `fast`: compiled routines for the common combinations, with the same results.
//! * [`coords`], [`lod`], [`cube`]: arithmetic of the twin, shared with faster routines.
//!
//! # Precision
//!
//! The precision is the same for all formats and routines, so that results are the same everywhere:
//!
//! * Texel coordinates of linear filters are rounded to 1/256 of a texel (subTexelPrecisionBits = 8), weights between
//!   levels to 1/256 (mipmapPrecisionBits = 8).
//! * Filters run in `f32`: along x, then y, then z, then between levels; each step is `a + (b - a) * w`, which keeps
//!   equal values unchanged. Formats of 8-bit UNORM components are filtered as integers 0..255, which is exact up to
//!   2D, and normalized at the end ([`coords::normalize8`]).
//! * Derivatives are those of lanes 0, 1 and 2 of each quad, for all four lanes. The lod is `log2` of the longer
//!   gradient's length by [`lod::log2`], accurate to 2^-12.
//! * Texel offsets are added to texel coordinates modulo 2^32, also those beyond the device's limits.
//! * Anisotropic filters take up to 16 samples along the longer gradient, at the positions of the specification's
//!   formula, at each of the two levels; their sum is divided by their number.
//!
//! Left to others: the memory and layout of images ([`crate::memory::image`]), texel formats
//! ([`crate::memory::format`]).

pub mod coords;
mod counting;
pub mod cube;
mod fast;
pub mod lod;
mod null;
mod numbers;
mod routine;
pub mod scalar;
pub mod state;
pub mod table;
pub mod view;
mod view_desc;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use null::null_table;
pub use routine::ClassKey;
pub use state::{
    AddressMode, BorderColor, ChromaLocation, CompareOp, Filter, LOD_CLAMP_NONE, MAX_SAMPLER_ANISOTROPY,
    MAX_SAMPLER_LOD_BIAS, Reduction, SamplerState, YcbcrConversion, YcbcrModel,
};
pub use table::{CountingTexels, Interner, ViewClass, traffic};
pub use view::{LevelInfo, View, ViewPlane};
pub use view_desc::{Swizzle, VIEW_WORDS, ViewDesc, ViewDim};
