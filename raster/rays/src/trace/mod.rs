//! Traversal: from rays to intersections.
//!
//! * `ray`: rays prepared for the tests against bounds and triangles.
//! * `exact`: the test of rays that meet an edge of a triangle.
//! * `host`: both tests, side by side, in vectors of the host.
//! * `state`: the state of a ray, and its commands that need no walk.
//! * `walk`: the walk through the trees, from one candidate to the next.
//! * `group`: rays that walk side by side.
//! * `query`: commands of rays that walk.

mod exact;
mod group;
mod host;
mod query;
mod ray;
mod state;
mod walk;

pub use host::Level;
pub use state::{Hit, HitKind, Ray, RayFlags, RayQuery};
