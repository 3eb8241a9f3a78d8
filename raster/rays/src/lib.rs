//! Rays: acceleration structures and their traversal, in software.
//!
//! The crate knows no shading language, no graphics API and no device. A [`BottomLevel`] is built from triangles or
//! boxes, a [`TopLevel`] from instances of bottom levels; both are ordinary values. A [`RayQuery`] finds intersections
//! one at a time. Its state is plain data of a fixed size, which may lie in memory that others write: a damaged state
//! gives wrong hits, but ends, and reads nothing outside of the structures.
//!
//! Trees and hits have the same bits on every host: arithmetic has one rounding per operation in a fixed order, and
//! vectors only compute several such operations side by side. Decoding of formats, memory of devices and the numbers of
//! threads are left to the callers; [`Threads`] build, or the pool of rayon that the calling thread belongs to. Other threads,
//! and all without the feature `parallel`, build the same trees alone.
//!
//! ```
//! use quadrille_rays::*;
//! # use std::sync::Arc;
//! let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
//! let triangles = Triangles { positions: &positions, indices: None, transform: None };
//! let geometry = Geometry { primitives: Primitives::Triangles(triangles), opaque: true, no_duplicates: false, opacity: None };
//! let bottom = Arc::new(BottomLevel::build(&[geometry], BuildOptions::default())?);
//! let top = TopLevel::build(&[Instance::new(bottom)], BuildOptions::default())?;
//!
//! let ray = Ray { origin: [0.25, 0.25, 1.0], direction: [0.0, 0.0, -2.0], tmin: 0.0, tmax: 10.0 };
//! let mut query = RayQuery::default();
//! query.initialize(&ray, RayFlags::NONE, 0xff);
//! while query.proceed(&top) {
//!     query.confirm();
//! }
//! let hit = query.committed().unwrap();
//! assert_eq!((hit.t, hit.primitive, hit.barycentrics), (0.5, 0, [0.25, 0.25]));
//! # Ok::<(), BuildError>(())
//! ```

mod build;
mod bytes;
mod geometry;
mod layout;
mod memory;
mod micromap;
mod threads;
mod trace;

pub use build::{BuildError, estimate_bottom, estimate_top};
pub use bytes::BytesError;
pub use geometry::{
    Aabb, Affine, BuildOptions, Geometry, IDENTITY, InstanceFlags, MAX_GEOMETRIES, MAX_INSTANCES,
    MAX_PRIMITIVES, Opacity, Point, Primitives, Quality, Triangles, invert, transform_point,
    transform_vector,
};
pub use layout::{BottomLevel, GeometryInfo, Instance, Kind, PlacedInstance, TopLevel};
pub use micromap::{MAX_SUBDIVISION_LEVEL, Micromap, MicromapTriangle, PartOpacity, States};
pub use threads::{FEW_PRIMITIVES, Threads, map};
pub use trace::{Hit, HitKind, Level, Ray, RayFlags, RayQuery};
