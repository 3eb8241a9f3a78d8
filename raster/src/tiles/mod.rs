//! Tiles: from binned primitives to the texels of attachments.
//!
//! ```text
//!  tile           │ in parallel, primitives in API order
//!     coverage    │ stamps of covered pixels (lines: stipple and smooth edges), without discarded ones
//!     merge       │ early depth and stencil tests where allowed
//!     (fragment)  │ the lane function over a run of stamps
//!     merge       │ late tests, blend, convert, write
//!  resolve        │ samples to pixels, at the end of a pass
//! ```
//!
//! Small primitives share lane groups of the fragment stage in [`packed`]. [`multisample`] handles several samples per
//! pixel, [`coarse`] several pixels per fragment, [`density`] the coverage of fragments whose size a density map sets.
//!
//! Owns attachments while a pass renders to them. Left to others: filling the bins ([`crate::front`]), the address of
//! texels in device memory ([`crate::memory::target`]), texel formats ([`crate::memory::format`]).

pub(crate) mod attachment;
pub(crate) mod bound;
mod coarse;
pub(crate) mod coverage;
mod deferred;
mod density;
pub(crate) mod density_map;
mod depth;
pub(crate) mod discards;
mod fragments;
mod lines;
pub(crate) mod merge;
pub(crate) mod missing;
mod multisample;
mod packed;
mod packing;
pub(crate) mod rates;
pub(crate) mod resolve;
mod sample_run;
pub(crate) mod state;
pub(crate) mod tile;
mod views;
mod waiting;
