//! Binned primitives: the data passed from the front to the tiles.
//!
//! * [`outline`]: primitives, and the edge functions of their outlines;
//! * [`block`]: small primitives, whose covered lanes are computed at set-up;
//! * [`stamp`]: lanes inside edge functions, four or eight pixels at a time;
//! * [`captured`]: vertices for transform feedback;
//! * [`chunk`]: lists of the primitives that touch each tile.
//!
//! The front writes this data, tiles read it, and neither knows the other. Left to others: computing edges and planes
//! from vertices ([`crate::front`]), coverage of large primitives ([`crate::tiles`]).

mod block;
mod captured;
mod chunk;
mod outline;
mod stamp;

pub(crate) use block::{Around, Block};
pub(crate) use chunk::{Chunk, Command, TileGrid};
pub(crate) use outline::{Edge, Outline, Parts, Prim, Shape, kind};
pub(crate) use stamp::StampShape;
use stamp::lanes_inside;

/// Intersection of two rectangles.
pub(crate) fn intersect(a: [i32; 4], b: [i32; 4]) -> [i32; 4] {
    [a[0].max(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].min(b[3])]
}
