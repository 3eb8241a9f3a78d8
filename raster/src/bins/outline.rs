//! Primitives after set-up, with the edges and bounds that define their coverage. Evaluating the coverage is left to
//! [`crate::tiles`].

use quadrille_jit::abi::{Plane, Primitive};

use super::Block;

/// An edge function over pixels: `a * x + b * y + c`, not negative on its inner side.
///
/// At the centre of pixel (x, y) it equals the exact edge function, evaluated at a position with 8 fractional bits,
/// divided by 2^8 and rounded down; the fill rule is part of `c`.
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
    /// The edge from one snapped position to another. The third corner of a triangle with positive area lies on its
    /// inner side. Points on left and top edges are inside.
    pub fn new([x0, y0]: [i32; 2], [x1, y1]: [i32; 2]) -> Edge {
        let (a, b) = (y0 - y1, x1 - x0);
        let c = -(i64::from(a) * i64::from(x0) + i64::from(b) * i64::from(y0));
        let owned = a > 0 || (a == 0 && b > 0);
        Edge { a, b, c_fx8: c - i64::from(!owned) }
    }

    /// The edge moved outwards by a distance along both axes, in 1/256 pixels. Points on it are inside, or outside if it
    /// moved inwards.
    pub fn moved(&self, by_fx8: i32) -> Edge {
        let [a, b] = [self.a, self.b].map(i64::from);
        let owned = a > 0 || (a == 0 && b > 0);
        let on = i64::from(!owned) - i64::from(by_fx8 < 0);
        Edge { c_fx8: self.c_fx8 + on + (a.abs() + b.abs()) * i64::from(by_fx8), ..*self }
    }

    /// The edge translated so that its value at a pixel centre is the value of `self` at offset `[x, y]` from the
    /// centre.
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

    /// Minimum and maximum over the pixel centres of a square from (x, y) to (x + n, y + n).
    #[inline]
    pub fn range(&self, x: i32, y: i32, n: i32) -> [i64; 2] {
        let at = self.at_center(x, y);
        let (a, b) = (i64::from(self.a) * i64::from(n), i64::from(self.b) * i64::from(n));
        [at + a.min(0) + b.min(0), at + a.max(0) + b.max(0)]
    }
}

/// Edges of a primitive, and other data that define its coverage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outline {
    /// Edges of the primitive; only the first `n_edges` are used.
    pub edges: [Edge; 4],
    /// Number of edges: 3 for triangles, up to 4 for each part of those that conservative rasterization clips, 2 or 4 for
    /// lines, 4 for points.
    pub n_edges: u16,
    /// Flags of [`kind`].
    pub kind: u16,
    /// Rectangle of the pixels that the primitive may cover: x0, y0, x1, y1, inside scissor and render area, and that of a
    /// triangle inside the viewport.
    pub bounds: [i32; 4],
}

/// Representation of a primitive's coverage.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    /// Index of the primitive's outline in the chunk.
    Outline(u32),
    /// Covered lanes, computed at set-up.
    Block(Block),
}

/// A primitive after set-up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prim {
    /// Coverage of the primitive.
    pub shape: Shape,
    /// Index of the draw among the recorded draws.
    pub draw: u32,
    /// Index of the primitive's first plane in the chunk.
    pub planes: u32,
    /// Inputs of the fragment stage; the tile fills in `inputs`.
    pub fragment: Primitive,
}

impl Prim {
    /// `true` if the primitive is back-facing.
    #[inline]
    pub fn back(&self) -> bool {
        self.fragment.front_facing == 0
    }
}

// SAFETY: set-up stores a null pointer in `fragment.inputs`, the only pointer, and `call_fragment` sets the field only
// in its own copy.
#[expect(unsafe_code, reason = "contains a null pointer")]
unsafe impl Send for Prim {}
// SAFETY: set-up stores a null pointer in `fragment.inputs`, the only pointer, and `call_fragment` sets the field only
// in its own copy.
#[expect(unsafe_code, reason = "contains a null pointer")]
unsafe impl Sync for Prim {}

/// Planes and outlines that primitives refer to by index.
#[derive(Default)]
pub(crate) struct Parts {
    /// Planes of primitives.
    pub planes: Vec<Plane>,
    /// Outlines of primitives that are not blocks.
    pub outlines: Vec<Outline>,
}

impl Parts {
    /// Current sizes, for [`Parts::back_to`].
    #[inline]
    pub fn mark(&self) -> [usize; 2] {
        [self.planes.len(), self.outlines.len()]
    }

    /// Drops everything added after a mark.
    #[inline]
    pub fn back_to(&mut self, [planes, outlines]: [usize; 2]) {
        self.planes.truncate(planes);
        self.outlines.truncate(outlines);
    }

    /// Adds an outline and returns it as a shape.
    #[inline]
    pub fn outline(&mut self, outline: Outline) -> Shape {
        self.outlines.push(outline);
        Shape::Outline(self.outlines.len() as u32 - 1)
    }
}

/// Bits of [`Outline::kind`].
pub(crate) mod kind {
    /// Samples of a pixel are covered all together or not at all.
    pub const WHOLE_PIXELS: u16 = 1;
    /// A plane with the distance along the stipple follows the input planes.
    pub const STIPPLE: u16 = 2;
    /// Planes with the distances across and along the line follow, then a plane that holds half the width and the
    /// length.
    pub const SMOOTH: u16 = 4;
    /// The edges alone may cover pixels outside the bounds.
    pub const BOUNDED: u16 = 8;
    /// Discard rectangles may remove pixels.
    pub const DISCARDS: u16 = 16;
    /// Coverage depends on more than the edges.
    pub const PARTIAL: u16 = STIPPLE | SMOOTH | DISCARDS;
}
