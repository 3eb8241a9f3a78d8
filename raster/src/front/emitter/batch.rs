//! Set-up of many triangles at once.
//!
//! A [`Batch`] has an array for each quantity of [`triangle`](super::super::setup::triangle), with an entry for each triangle, so that loops over
//! the triangles compile to vectors. Triangles that need clipping, or are large, are left to the emitter, one at a time. Both
//! ways give the same bits.

use quadrille_jit::abi::{Plane, Primitive};

use super::super::setup::{
    Gradients, ScreenVertex, SetupState, code, gradients, input_planes, min_max, outline, pixels,
};
use super::Emitter;
use crate::bins::{Around, Block, Prim, Shape, StampShape};
use crate::level::{self, Level, Work};
use crate::limits::SUBPIXELS;
use crate::state::FrontFace;

/// Number of triangles of a batch.
const N: usize = 16;

/// Number of triangles below which a batch does not pay off.
const FEW: usize = 4;

/// Width and height in 1/256 pixels that triangles of a batch may have, so that products of two differences of coordinates,
/// and the difference of two such products, fit 32 bits.
const EXTENT: u32 = 1 << 15;

type Ints = [i32; N];
type Floats = [f32; N];

/// Triangles that wait for set-up, and their quantities.
pub(super) struct Batch {
    len: usize,
    vertices: [[u32; 3]; N],
    numbers: [u32; N],
    /// Corners in the order of the vertices, snapped.
    x: [Ints; 3],
    y: [Ints; 3],
    z: [Floats; 3],
    inv_w: [Floats; 3],
    /// Outcodes: bits of any corner, and bits that all corners have.
    any: [u32; N],
    all: [u32; N],
    /// Bits of [`fate`].
    fate: [u32; N],
    /// Twice the area, in 1/65536 pixels.
    area: Ints,
    /// FrontFacing.
    front: [u32; N],
    /// Pixels that may be covered.
    bounds: [Ints; 4],
    /// Members of [`Gradients`].
    gradients: [Floats; 4],
    /// Slopes of the planes of depth and of 1 / w.
    z_slope: [Floats; 2],
    w_slope: [Floats; 2],
    /// Halves of the places of blocks, and their edges as [`Around::edge`] gives them.
    place: [[u32; N]; 2],
    edges: [[Ints; 3]; 3],
    blocks: [Option<Block>; N],
}

/// The fate of a triangle, as bits.
mod fate {
    /// Its outcodes do not hide it.
    pub const COUNTED: u32 = 1;
    /// It is clipped or large.
    pub const ALONE: u32 = 2;
    /// It has an area, is not culled, and its bounds contain pixels.
    pub const SHOWN: u32 = 4;
    /// Its bounds do not contain all of it.
    pub const CUT: u32 = 8;
    /// It becomes a block.
    pub const BLOCK: u32 = 16;
}

impl Default for Batch {
    fn default() -> Self {
        Batch {
            len: 0,
            vertices: [[0; 3]; N],
            numbers: [0; N],
            x: [[0; N]; 3],
            y: [[0; N]; 3],
            z: [[0.0; N]; 3],
            inv_w: [[0.0; N]; 3],
            any: [0; N],
            all: [0; N],
            fate: [0; N],
            area: [0; N],
            front: [0; N],
            bounds: [[0; N]; 4],
            gradients: [[0.0; N]; 4],
            z_slope: [[0.0; N]; 2],
            w_slope: [[0.0; N]; 2],
            place: [[0; N]; 2],
            edges: [[[0; N]; 3]; 3],
            blocks: [None; N],
        }
    }
}

impl Batch {
    /// Removes the triangles.
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds a triangle; returns whether the batch is full.
    #[inline(always)]
    pub(super) fn add(&mut self, vertices: [u32; 3], number: u32) -> bool {
        self.vertices[self.len] = vertices;
        self.numbers[self.len] = number;
        self.len += 1;
        self.len == N
    }

    /// Fetches the corners.
    #[inline(always)]
    fn fetch(&mut self, screen: &[ScreenVertex]) {
        for i in 0..self.len {
            let (mut any, mut all) = (0, u32::MAX);
            for k in 0..3 {
                let v = &screen[self.vertices[i][k] as usize];
                (self.x[k][i], self.y[k][i]) = (v.x_fx8, v.y_fx8);
                (self.z[k][i], self.inv_w[k][i]) = (v.z, v.inv_w);
                (any, all) = (any | v.code, all & v.code);
            }
            (self.any[i], self.all[i]) = (any, all);
        }
    }

    /// Determines facings, bounds and fates.
    #[inline(always)]
    fn face(&mut self, s: &SetupState<'_>) {
        let d = &s.state.desc;
        let counter = u32::from(d.front_face == FrontFace::CounterClockwise);
        let (front_shown, back_shown) = (u32::from(!d.cull.front), u32::from(!d.cull.back));
        let bit = |c: bool, bits: u32| if c { bits } else { 0 };
        for i in 0..N {
            let [x, y] = [&self.x, &self.y].map(|c| [c[0][i], c[1][i], c[2][i]]);
            let d = |c: [i32; 3], k: usize| c[k].wrapping_sub(c[0]);
            let area = d(x, 1).wrapping_mul(d(y, 2)).wrapping_sub(d(x, 2).wrapping_mul(d(y, 1)));
            self.area[i] = area;
            let front = u32::from(area < 0) ^ counter ^ 1;
            self.front[i] = front;
            let shown = front & front_shown | (front ^ 1) & back_shown;

            let ((x0, x1), (y0, y1)) = (min_max(x[0], x[1], x[2]), min_max(y[0], y[1], y[2]));
            let large = x1.wrapping_sub(x0) as u32 >= EXTENT || y1.wrapping_sub(y0) as u32 >= EXTENT;
            let ([px0, px1], [py0, py1]) = (pixels(x0, x1, s.reach_fx8), pixels(y0, y1, s.reach_fx8));
            let own = [px0, py0, px1, py1];
            let view = s.view.bounds;
            let b = [own[0].max(view[0]), own[1].max(view[1]), own[2].min(view[2]), own[3].min(view[3])];
            (0..4).for_each(|k| self.bounds[k][i] = b[k]);
            let moved = (own[0] ^ b[0]) | (own[1] ^ b[1]) | (own[2] ^ b[2]) | (own[3] ^ b[3]);

            let hidden = (self.all[i] & code::VIEW) | (self.any[i] & code::BAD);
            let alone = large | (self.any[i] & code::CLIP != 0);
            let is_shown = (shown != 0) & (area != 0) & (b[0] < b[2]) & (b[1] < b[3]);
            self.fate[i] = bit(hidden == 0, fate::COUNTED)
                | bit(alone, fate::ALONE)
                | bit(is_shown, fate::SHOWN)
                | bit(moved != 0, fate::CUT);
        }
    }

    /// Computes gradients, and the slopes of depth and 1 / w.
    #[inline(always)]
    fn slopes(&mut self) {
        for i in 0..N {
            let d = |c: &[Ints; 3], k: usize| c[k][i].wrapping_sub(c[0][i]);
            let edges = [d(&self.x, 1), d(&self.y, 1), d(&self.x, 2), d(&self.y, 2)];
            let solve = gradients(edges, self.area[i] as f32);
            let Gradients { x, y } = solve;
            (self.gradients[0][i], self.gradients[1][i]) = (x[0], x[1]);
            (self.gradients[2][i], self.gradients[3][i]) = (y[0], y[1]);
            let slope = |c: &[Floats; 3]| solve.plane([c[0][i], c[1][i], c[2][i]]);
            let (z, w) = (slope(&self.z), slope(&self.inv_w));
            (self.z_slope[0][i], self.z_slope[1][i]) = (z.dadx, z.dady);
            (self.w_slope[0][i], self.w_slope[1][i]) = (w.dadx, w.dady);
        }
    }

    /// Determines which triangles become blocks, and the places and edges of these.
    #[inline(always)]
    fn places(&mut self, shape: &StampShape) {
        for i in 0..N {
            let around = Around::new(self.bounds(i), shape);
            let fits = around.fits & (self.fate[i] & fate::CUT == 0);
            self.fate[i] |= if fits { fate::BLOCK } else { 0 };
            (0..2).for_each(|k| self.place[k][i] = around.words[k]);
            let [a, b, c] = self.corners(i);
            let edges = [around.edge(a, b), around.edge(b, c), around.edge(c, a)];
            (0..3).for_each(|k| (0..3).for_each(|m| self.edges[k][m][i] = edges[k][m]));
        }
    }

    /// Computes the lanes of blocks. Triangles that cover no pixel centre are not shown.
    #[inline(always)]
    fn lanes(&mut self, level: impl Level, shape: &StampShape) {
        const SMALL: u32 = fate::COUNTED | fate::SHOWN | fate::BLOCK;
        for i in 0..self.len {
            if self.fate[i] & (SMALL | fate::ALONE) != SMALL {
                continue;
            }
            let edges = [0, 1, 2].map(|k| [0, 1, 2].map(|m| self.edges[k][m][i]));
            let block = Block::inside(level, [self.place[0][i], self.place[1][i]], edges, shape);
            self.blocks[i] = block;
            if block.is_none_or(|b| b.is_empty()) {
                self.fate[i] &= !fate::SHOWN;
            }
        }
    }

    /// Corners of a triangle, so that its area is positive.
    #[inline(always)]
    fn corners(&self, i: usize) -> [[i32; 2]; 3] {
        let p = |k: usize| [self.x[k][i], self.y[k][i]];
        let of = |k: usize, other: usize| {
            let (p, q) = (p(k), p(other));
            let choose = |c: usize| if self.area[i] > 0 { p[c] } else { q[c] };
            [choose(0), choose(1)]
        };
        [p(0), of(1, 2), of(2, 1)]
    }

    #[inline(always)]
    fn bounds(&self, i: usize) -> [i32; 4] {
        [self.bounds[0][i], self.bounds[1][i], self.bounds[2][i], self.bounds[3][i]]
    }
}

impl Emitter<'_> {
    /// Sets up the triangles of the batch, and empties it.
    pub(super) fn emit_batch(&mut self) {
        if self.batch.len < FEW {
            for i in 0..self.batch.len {
                if self.at.takes(self.chunk) {
                    self.alone(i);
                }
            }
        } else {
            level::run(SetUp(self));
        }
        self.batch.clear();
    }

    /// Sets up a triangle of the batch by itself.
    #[inline(never)]
    fn alone(&mut self, i: usize) {
        self.triangle(self.batch.vertices[i], self.batch.numbers[i]);
    }

    /// Bins a triangle of the batch that is shown.
    #[inline(always)]
    fn shown(&mut self, i: usize) {
        let (s, b) = (&self.setup, &*self.batch);
        let shape = match b.blocks[i] {
            Some(block) if b.fate[i] & fate::BLOCK != 0 => Shape::Block(block),
            _ => {
                let cut = b.fate[i] & fate::CUT != 0;
                outline(s, b.corners(i), b.bounds(i), cut, &mut self.chunk.parts)
            }
        };
        let px = 1.0 / SUBPIXELS as f32;
        let [g0, g1, g2, g3] = [b.gradients[0][i], b.gradients[1][i], b.gradients[2][i], b.gradients[3][i]];
        let solve = Gradients { x: [g0, g1], y: [g2, g3] };
        let plane =
            |a0: &Floats, slope: &[Floats; 2]| Plane { a0: a0[i], dadx: slope[0][i], dady: slope[1][i] };
        let mut z = plane(&b.z[0], &b.z_slope);
        if s.state.desc.depth_bias {
            z.a0 += s.depth_bias([z.dadx, z.dady], [b.z[0][i], b.z[1][i], b.z[2][i]]);
        }
        let [v0, v1, v2] = b.vertices[i];
        let records = [self.record(v0), self.record(v1), self.record(v2)];
        let w = [b.inv_w[0][i], b.inv_w[1][i], b.inv_w[2][i]];
        let planes = input_planes(s.state, &solve, &records, records[0], &w, &mut self.chunk.parts.planes);
        let prim = Prim {
            shape,
            draw: s.draw,
            planes,
            fragment: Primitive {
                origin: [b.x[0][i] as f32 * px, b.y[0][i] as f32 * px],
                z,
                inv_w: plane(&b.inv_w[0], &b.w_slope),
                inputs: std::ptr::null(),
                front_facing: b.front[i],
                primitive_id: b.numbers[i],
                layer: s.layer,
                viewport_index: s.viewport_index,
            },
        };
        self.chunk.push(self.grid, prim, s.reach_fx8);
    }
}

/// Set-up of a batch.
struct SetUp<'e, 'a>(&'e mut Emitter<'a>);

impl Work for SetUp<'_, '_> {
    #[inline(always)]
    fn run<L: Level>(self, level: L) {
        let SetUp(e) = self;
        e.batch.fetch(e.screen);
        e.batch.face(&e.setup);
        e.batch.slopes();
        if let Some(shape) = e.setup.blocks {
            e.batch.places(shape);
            e.batch.lanes(level, shape);
        }
        for i in 0..e.batch.len {
            if !e.at.takes(e.chunk) {
                return;
            }
            let fate = e.batch.fate[i];
            if fate & (fate::COUNTED | fate::ALONE) == fate::COUNTED | fate::ALONE {
                e.alone(i);
                continue;
            }
            e.stats.clipping_invocations += 1;
            e.stats.clipping_primitives += u64::from(fate & fate::COUNTED);
            if fate & (fate::COUNTED | fate::SHOWN) == fate::COUNTED | fate::SHOWN {
                e.shown(i);
            }
        }
    }
}
