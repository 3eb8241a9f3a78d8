//! Primitives after set-up, and what says which pixels they cover.

use quadrille_jit::abi::{Plane, Primitive};

use super::Block;

/// An edge function over pixels: `a * x + b * y + c`, inside where it is not negative.
///
/// At the centre of pixel (x, y) it has the value of the exact edge function, taken at a position
/// with 8 fractional bits, divided by 2^8 and rounded down; the fill rule is part of `c`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Edge {
    /// Change per pixel to the right, below 2^24 in magnitude.
    pub a: i32,
    /// Change per pixel down, below 2^24 in magnitude.
    pub b: i32,
    /// Exact value at the corner of pixel (0, 0), with 8 more fractional bits.
    pub c_fx8: i64,
}

impl Edge {
    /// The edge from one snapped position to another. Inside is where the third corner of a
    /// triangle with positive doubled area lies: left and top edges belong to it.
    pub fn new([x0, y0]: [i32; 2], [x1, y1]: [i32; 2]) -> Edge {
        let (a, b) = (y0 - y1, x1 - x0);
        let c = -(i64::from(a) * i64::from(x0) + i64::from(b) * i64::from(y0));
        let owned = a > 0 || (a == 0 && b > 0);
        Edge { a, b, c_fx8: c - i64::from(!owned) }
    }

    /// The edge whose value at a pixel's centre is this one's at an offset from it.
    #[inline]
    pub fn seen_from(&self, [x, y]: [i32; 2]) -> Edge {
        let c_fx8 = self.c_fx8 + i64::from(self.a) * i64::from(x) + i64::from(self.b) * i64::from(y);
        Edge { c_fx8, ..*self }
    }

    /// Value at the centre of a pixel.
    #[inline]
    pub fn at_center(&self, x: i32, y: i32) -> i64 {
        let (a, b) = (i64::from(self.a), i64::from(self.b));
        a * i64::from(x) + b * i64::from(y) + ((self.c_fx8 + 128 * (a + b)) >> 8)
    }

    /// Least and greatest value over the pixel centres of a square from (x, y) to (x + n, y + n).
    #[inline]
    pub fn range(&self, x: i32, y: i32, n: i32) -> [i64; 2] {
        let at = self.at_center(x, y);
        let (a, b) = (i64::from(self.a) * i64::from(n), i64::from(self.b) * i64::from(n));
        [at + a.min(0) + b.min(0), at + a.max(0) + b.max(0)]
    }
}

/// Edges of a primitive, and what else says which pixels it covers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outline {
    /// Its edges; the first `n_edges` count.
    pub edges: [Edge; 4],
    /// Number of edges: 3 for triangles, 2 or 4 for lines, 4 for points.
    pub n_edges: u16,
    /// What else it is, see [`kind`].
    pub kind: u16,
    /// Pixels that it may cover: x0, y0, x1, y1, inside scissor, viewport and render area.
    pub bounds: [i32; 4],
}

/// How a primitive says what it covers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// Number of its outline in the chunk.
    Outline(u32),
    /// Pixels found at set-up.
    Block(Block),
}

/// A primitive after set-up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prim {
    /// What it covers.
    pub shape: Shape,
    /// Number of the draw among those recorded.
    pub draw: u32,
    /// Its first plane in the chunk.
    pub planes: u32,
    /// What the fragment stage gets; `inputs` is filled in at the tile.
    pub fragment: Primitive,
}

impl Prim {
    /// It faces back.
    #[inline]
    pub fn back(&self) -> bool {
        self.fragment.front_facing == 0
    }
}

// SAFETY: the only pointer, `fragment.inputs`, is null while a primitive is stored.
#[expect(unsafe_code, reason = "carries a null pointer")]
unsafe impl Send for Prim {}
// SAFETY: the only pointer, `fragment.inputs`, is null while a primitive is stored.
#[expect(unsafe_code, reason = "carries a null pointer")]
unsafe impl Sync for Prim {}

/// What primitives refer to by number.
#[derive(Default)]
pub(crate) struct Parts {
    /// Planes of inputs.
    pub planes: Vec<Plane>,
    /// Outlines of those that have one.
    pub outlines: Vec<Outline>,
}

impl Parts {
    /// How much there is, to go back to.
    #[inline]
    pub fn mark(&self) -> [usize; 2] {
        [self.planes.len(), self.outlines.len()]
    }

    /// Forgets what was added after a mark.
    #[inline]
    pub fn back_to(&mut self, [planes, outlines]: [usize; 2]) {
        self.planes.truncate(planes);
        self.outlines.truncate(outlines);
    }

    /// Adds an outline.
    #[inline]
    pub fn outline(&mut self, outline: Outline) -> Shape {
        self.outlines.push(outline);
        Shape::Outline(self.outlines.len() as u32 - 1)
    }
}

/// Bits of [`Outline::kind`].
pub(crate) mod kind {
    /// A pixel is covered with all its samples or not at all.
    pub const WHOLE_PIXELS: u16 = 1;
    /// A plane of the distance along the stipple follows.
    pub const STIPPLE: u16 = 2;
    /// Planes of the distances across and along follow, then one with half the width and the length.
    pub const SMOOTH: u16 = 4;
    /// Pixels outside of its bounds may be inside of its edges.
    pub const BOUNDED: u16 = 8;
    /// Coverage is not only that of the edges.
    pub const PARTIAL: u16 = STIPPLE | SMOOTH;
}
