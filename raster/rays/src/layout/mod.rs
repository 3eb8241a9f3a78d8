//! Acceleration structures as they lie in memory. Their contents are built by [`crate::build`] and read by
//! [`crate::trace`].
//!
//! A tree has nodes of eight children, whatever the vectors of the host are. Nodes lie in the order of a depth-first
//! walk: children come after their parent. Each node other than the first has one parent. The longest path has at most
//! [`TOP_LEVELS`] or [`BOTTOM_LEVELS`] nodes.

mod bottom;
mod node;
mod top;

pub use bottom::{BottomLevel, GeometryInfo, Kind};
pub use node::{BLOCK, Block, GEOMETRY_MASK, GEOMETRY_OPAQUE, LEAF, Node, WIDTH};
pub use top::{Instance, PlacedInstance, TopLevel};

/// Largest number of nodes on a path of a bottom level. Eight levels more than a balanced tree of
/// [`crate::MAX_PRIMITIVES`] triangles needs.
pub const BOTTOM_LEVELS: usize = 17;
/// Largest number of nodes on a path of a top level. A balanced tree of [`crate::MAX_INSTANCES`] needs eight.
pub const TOP_LEVELS: usize = 10;
