//! The front of the pipeline: from the vertices of a draw to primitives in bins.
//!
//! ```text
//!  unit of a draw │ in parallel, output kept in API order
//!     vertices    │ unique vertices of the unit; fetch and the vertex stage turn them into records
//!     assembly    │ primitives of the vertices, where the vertex stage is the last ...
//!     primitives  │ ... and where it is not: with adjacency, and patches
//!     patches     │ control stage; patches become new pieces of work, by size; tessellate, evaluation stage
//!     geometry    │ geometry stage: strips
//!     tasks       │ in place of all these: task stage, its mesh workgroups become new pieces of work
//!     mesh        │ ... and mesh stage
//!     emitter     │ each primitive through the remaining steps (and to transform feedback)
//!     clip        │ view volume and guard band
//!     setup       │ snap, edge functions, plane equations (lines: points and lines)
//!                 ▼
//!           crate::bins
//! ```
//!
//! The module [`stages`] links the stages to each other.
//!
//! Owns everything before rasterization; binned primitives are complete, so that tiles need no vertices. Left to
//! others: coverage and shading ([`crate::tiles`]), dividing draws into units and running them ([`crate::pass`]).

pub(crate) mod assembly;
pub(crate) mod bound;
mod clip;
mod emitter;
pub(crate) mod fetch;
mod geometry;
pub(crate) mod job;
mod lines;
mod mesh;
pub(crate) mod patches;
mod primitives;
mod scratch;
pub(crate) mod setup;
mod stages;
pub(crate) mod state;
pub(crate) mod tasks;
mod tessellate;
pub(crate) mod unit;
mod vertices;
