//! What geometry leaves for the tiles: set-up primitives and, per tile, which of them touch it.
//!
//! A [`Chunk`] is the output of one unit of geometry work. Tiles read chunks in unit order and each
//! list in the order it was written, which is API order. Chunks are reused; nothing is allocated
//! per primitive once they have grown.

use quadrille_jit::abi::{Plane, Primitive};

use quadrille_jit::error::{Error, Result};

use crate::limits::{CHUNK_KEEP_BYTES, MAX_TILES, TILE_PX};

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
}

/// A primitive after set-up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prim {
    /// Its edges; the first `n_edges` count.
    pub edges: [Edge; 4],
    /// Number of edges: 3 for triangles, 2 or 4 for lines, 4 for points.
    pub n_edges: u16,
    /// What else lines are, see [`crate::lines::kind`].
    pub kind: u16,
    /// Number of the draw among those recorded.
    pub draw: u32,
    /// Pixels that it may cover: x0, y0, x1, y1, inside scissor, viewport and render area.
    pub bounds: [i32; 4],
    /// Its first plane in the chunk.
    pub planes: u32,
    /// What the fragment stage gets; `inputs` is filled in at the tile.
    pub fragment: Primitive,
}

// SAFETY: the only pointer, `fragment.inputs`, is null while a primitive is stored.
#[expect(unsafe_code, reason = "carries a null pointer")]
unsafe impl Send for Prim {}
// SAFETY: as above.
#[expect(unsafe_code, reason = "carries a null pointer")]
unsafe impl Sync for Prim {}

/// Tiles of a pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileGrid {
    /// Tile of the render area's first column and row.
    pub origin: [u32; 2],
    /// Tiles across and down.
    pub size: [u32; 2],
    /// Layers.
    pub layers: u32,
}

impl TileGrid {
    /// The grid over a render area.
    pub fn new(area: [i32; 4], layers: u32) -> Result<Self> {
        let [x0, y0, x1, y1] = area.map(|v| v.max(0) as u32);
        if x1 <= x0 || y1 <= y0 {
            return Ok(TileGrid { origin: [0; 2], size: [0; 2], layers });
        }
        let origin = [x0 / TILE_PX, y0 / TILE_PX];
        let size = [x1.div_ceil(TILE_PX) - origin[0], y1.div_ceil(TILE_PX) - origin[1]];
        if u64::from(size[0] * size[1]) * u64::from(layers) > MAX_TILES {
            return Err(Error::Limit(format!("{layers} layers of {x1}x{y1} pixels in a pass")));
        }
        Ok(TileGrid { origin, size, layers })
    }

    /// Tiles of all layers.
    pub fn len(&self) -> usize {
        (self.size[0] * self.size[1] * self.layers) as usize
    }

    /// Layer, and first pixel of a tile.
    pub fn place(&self, tile: usize) -> (u32, [i32; 2]) {
        let (tile, across) = (tile as u32, self.size[0]);
        let per_layer = across * self.size[1];
        let (layer, in_layer) = (tile / per_layer, tile % per_layer);
        let x = (self.origin[0] + in_layer % across) * TILE_PX;
        let y = (self.origin[1] + in_layer / across) * TILE_PX;
        (layer, [x as i32, y as i32])
    }
}

/// Commands of a tile come in blocks of this many.
const BLOCK: usize = 14;
const NO_BLOCK: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Block {
    next: u32,
    len: u32,
    commands: [Command; BLOCK],
}

/// A primitive on a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Command(u32);

impl Command {
    /// Number of the primitive in its chunk.
    pub fn prim(self) -> usize {
        (self.0 >> 1) as usize
    }
    /// It covers the whole tile.
    pub fn full(self) -> bool {
        self.0 & 1 != 0
    }
}

/// Output of a unit of geometry work.
#[derive(Default)]
pub(crate) struct Chunk {
    /// Primitives in API order.
    pub prims: Vec<Prim>,
    /// Planes of their inputs.
    pub planes: Vec<Plane>,
    /// First and last block of each tile.
    heads: Vec<[u32; 2]>,
    blocks: Vec<Block>,
    /// Tiles that have a list.
    pub touched: Vec<u32>,
}

impl Chunk {
    /// Empties it for a grid of `tiles` tiles.
    pub fn reset(&mut self, tiles: usize) {
        self.prims.clear();
        self.planes.clear();
        self.blocks.clear();
        for &t in &self.touched {
            if let Some(h) = self.heads.get_mut(t as usize) {
                *h = [NO_BLOCK; 2];
            }
        }
        self.touched.clear();
        if self.heads.len() < tiles {
            self.heads.resize(tiles, [NO_BLOCK; 2]);
        }
    }

    /// Puts a primitive on every tile that it may touch with samples up to `reach_fx8` from the
    /// centres of pixels.
    pub fn push(&mut self, grid: &TileGrid, prim: &Prim, reach_fx8: i32) {
        let index = self.prims.len() as u32;
        let [x0, y0, x1, y1] = prim.bounds;
        let t = TILE_PX as i32;
        let (tx0, ty0, tx1, ty1) = (x0 / t, y0 / t, (x1 - 1) / t, (y1 - 1) / t);
        let layer = prim.fragment.layer;
        if layer >= grid.layers {
            return;
        }
        self.prims.push(*prim);
        let tile_of = |tx: i32, ty: i32| {
            let (x, y) = (tx as u32 - grid.origin[0], ty as u32 - grid.origin[1]);
            (layer * grid.size[1] + y) * grid.size[0] + x
        };
        if tx0 == tx1 && ty0 == ty1 {
            self.append(tile_of(tx0, ty0), Command(index << 1));
            return;
        }
        let edges = &prim.edges[..prim.n_edges as usize];
        let whole = prim.kind & crate::lines::kind::PARTIAL == 0;
        for ty in ty0..=ty1 {
            for tx in tx0..=tx1 {
                let (px, py) = (tx * t, ty * t);
                let mut full = whole && px >= x0 && py >= y0 && px + t <= x1 && py + t <= y1;
                let outside = edges.iter().any(|e| {
                    let [low, high] = e.range(px, py, t - 1);
                    let (a, b) = (i64::from(e.a).abs(), i64::from(e.b).abs());
                    let margin = ((a + b) * i64::from(reach_fx8) + 255) >> 8;
                    full &= low - margin >= 0;
                    high + margin < 0
                });
                if !outside {
                    self.append(tile_of(tx, ty), Command(index << 1 | u32::from(full)));
                }
            }
        }
    }

    /// Size of what it holds.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.prims[..]) + size_of_val(&self.planes[..]) + size_of_val(&self.blocks[..])
    }

    /// Gives back memory beyond what is worth keeping.
    pub fn trim(&mut self) {
        let held = self.prims.capacity() * size_of::<Prim>()
            + self.planes.capacity() * size_of::<Plane>()
            + self.blocks.capacity() * size_of::<Block>()
            + self.heads.capacity() * size_of::<[u32; 2]>();
        if held > CHUNK_KEEP_BYTES {
            *self = Chunk::default();
        }
    }

    fn append(&mut self, tile: u32, c: Command) {
        let [_, last] = self.heads[tile as usize];
        if last != NO_BLOCK {
            let block = &mut self.blocks[last as usize];
            if (block.len as usize) < BLOCK {
                block.commands[block.len as usize] = c;
                block.len += 1;
                return;
            }
        }
        let new = self.blocks.len() as u32;
        self.blocks.push(Block { next: NO_BLOCK, len: 1, commands: [c; BLOCK] });
        let head = &mut self.heads[tile as usize];
        if last == NO_BLOCK {
            head[0] = new;
            self.touched.push(tile);
        } else {
            self.blocks[last as usize].next = new;
        }
        head[1] = new;
    }

    /// Calls `f` with the commands of a tile in order.
    pub fn for_tile(&self, tile: usize, mut f: impl FnMut(Command)) {
        let mut at = self.heads.get(tile).map_or(NO_BLOCK, |h| h[0]);
        while at != NO_BLOCK {
            let block = &self.blocks[at as usize];
            block.commands[..block.len as usize].iter().for_each(|&c| f(c));
            at = block.next;
        }
    }
}

impl Edge {
    /// Least and greatest value over the pixel centres of a square from (x, y) to (x + n, y + n).
    #[inline]
    pub fn range(&self, x: i32, y: i32, n: i32) -> [i64; 2] {
        let at = self.at_center(x, y);
        let (a, b) = (i64::from(self.a) * i64::from(n), i64::from(self.b) * i64::from(n));
        [at + a.min(0) + b.min(0), at + a.max(0) + b.max(0)]
    }
}
