//! Builders: from geometries and instances to trees.
//!
//! * `refs`: primitives as the builders see them: bounds and numbers.
//! * `split`: halves of a set of primitives, by the surface area heuristic in bins.
//! * `wide`: nodes of eight children from such halves.
//! * `morton`: nodes from the order along a space-filling curve.
//! * `parts`: trees in parts, which are built in parallel, and their concatenation.
//! * `bottom`, `top`: leaves of the two levels; what users call.
//!
//! The tree depends on the input only: bounds are unions, whose order does not matter, and every other decision is made
//! from counts.

mod bottom;
mod morton;
mod parts;
mod refit;
mod refs;
mod split;
mod top;
mod wide;

pub use bottom::estimate_bottom;
pub use top::estimate_top;
pub(crate) use top::placed;

/// Failure of a build or an update.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// A bottom level has triangles or boxes.
    #[error("the geometries of a bottom level must be all triangles or all boxes")]
    MixedGeometries,
    /// There are too many geometries, primitives or instances.
    #[error("{0} exceeds the limit of acceleration structures")]
    TooMany(&'static str),
    /// The host has too little memory.
    #[error("out of memory for an acceleration structure of {0} bytes")]
    OutOfMemory(u64),
    /// The structure was built without `allow_update`.
    #[error("the acceleration structure was not built for updates")]
    NotUpdatable,
    /// An update changes more than positions and transforms.
    #[error("an update must not change {0}")]
    Changed(&'static str),
}

/// An empty vector with room.
fn with_room<T>(count: usize) -> Result<Vec<T>, BuildError> {
    let mut list = Vec::new();
    let bytes = (count as u64).saturating_mul(size_of::<T>() as u64);
    list.try_reserve_exact(count).map_err(|_| BuildError::OutOfMemory(bytes))?;
    crate::memory::prefer_huge(&mut list);
    Ok(list)
}

/// A copy of a list.
fn copied<T: Copy + Send + Sync>(list: &[T]) -> Result<Vec<T>, BuildError> {
    let mut copy = with_room(list.len())?;
    crate::threads::fill(&mut copy, list.len(), 1 << 12, |i| list[i]);
    Ok(copy)
}
