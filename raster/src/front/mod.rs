//! The front of the pipeline: from the vertices of a draw to primitives in bins.
//!
//! ```text
//!  unit of a draw │ in parallel, output kept in API order
//!     vertices    │ unique vertices of the unit; fetch and the vertex stage turn them into records
//!     assembly    │ primitives, if the vertex stage is the last ...
//!     primitives  │ ... and if not: primitives with adjacency, and patches
//!     patches     │ control stage; splits patches into work items by size; tessellation, evaluation stage
//!     geometry    │ geometry stage and its strips
//!     tasks       │ instead of the steps above: task stage, which makes mesh workgroups work items
//!     mesh        │ ... and mesh stage
//!     emitter     │ passes each primitive to the remaining steps and to transform feedback; sets up triangles in batches
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
mod output;
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
