//! The front of the pipeline: from the vertices that a draw names to primitives in bins.
//!
//! ```text
//!  unit of a draw │ in parallel, output kept in API order
//!     assembly    │ which vertices make which primitive
//!     fetch       │ attributes to rows of 32-bit words
//!     (vertex)    │ the lane function: rows to records
//!     tessellate  │ domains of patches to points and primitives
//!     emitter     │ each primitive through the rest
//!     clip        │ view volume and guard band
//!     setup       │ snap, edge functions, plane equations (lines: points and lines)
//!                 ▼
//!           crate::bins
//! ```
//!
//! Owns everything before rasterization; what it leaves in the bins is complete, so that tiles need no
//! vertex. Left to others: what is covered and drawn ([`crate::tiles`]), which units there are and when
//! they run ([`crate::pass`]).

pub(crate) mod assembly;
pub(crate) mod bound;
mod clip;
mod emitter;
pub(crate) mod fetch;
mod lines;
pub(crate) mod setup;
pub(crate) mod state;
#[cfg_attr(not(test), expect(dead_code, reason = "the stages that use it come next"))]
mod tessellate;
pub(crate) mod unit;
