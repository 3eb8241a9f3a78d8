//! The front of the pipeline: from the vertices that a draw names to primitives in bins.
//!
//! ```text
//!  unit of a draw │ in parallel, output kept in API order
//!     vertices    │ which vertices there are, each once; fetch and the vertex stage make records of them
//!     assembly    │ which vertices make which primitive, where the vertex stage is the last ...
//!     primitives  │ ... and where it is not: neighbours and patches too
//!     patches     │ control stage; patches become work again, by size; tessellate, evaluation stage
//!     geometry    │ geometry stage: strips
//!     tasks       │ in the place of all these: task stage, its mesh workgroups become work again
//!     mesh        │ ... and mesh stage
//!     emitter     │ each primitive through the rest (and to transform feedback)
//!     clip        │ view volume and guard band
//!     setup       │ snap, edge functions, plane equations (lines: points and lines)
//!                 ▼
//!           crate::bins
//! ```
//!
//! How the stages are linked to each other is in [`stages`].
//!
//! Owns everything before rasterization; what it leaves in the bins is complete, so that tiles need no
//! vertex. Left to others: what is covered and drawn ([`crate::tiles`]), which units there are and when
//! they run ([`crate::pass`]).

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
