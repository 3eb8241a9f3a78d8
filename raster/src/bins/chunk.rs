//! Lists of primitives by tile.
//!
//! A [`Chunk`] is the output of one unit of front work. Tiles read chunks in unit order and each list in the order it
//! was written, which is API order. Chunks are reused; once they have grown, binning a primitive allocates nothing.
//! Coverage of the listed primitives is left to [`crate::tiles`].

use quadrille_jit::abi::Plane;
use quadrille_jit::error::{Error, Result};
use quadrille_jit::reserve;

use super::captured::Captured;
use super::{Outline, Parts, Prim, Shape, kind};
use crate::limits::{CHUNK_BYTES, CHUNK_KEEP_BYTES, GEOMETRY_WORDS, MAX_TILES, TILE_PX};

/// Grid of the tiles of a pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TileGrid {
    /// Column and row of the tile at the render area's upper left corner.
    pub origin: [u32; 2],
    /// Number of tiles in x and y.
    pub size: [u32; 2],
    /// Number of layers.
    pub layers: u32,
}

impl TileGrid {
    /// Returns the grid that covers a render area.
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

    /// Number of tiles in all layers.
    pub fn len(&self) -> usize {
        (self.size[0] * self.size[1] * self.layers) as usize
    }

    /// Number of the tile in column `tx` and row `ty` of the framebuffer.
    #[inline]
    fn number(&self, layer: u32, [tx, ty]: [u32; 2]) -> u32 {
        let (x, y) = (tx - self.origin[0], ty - self.origin[1]);
        (layer * self.size[1] + y) * self.size[0] + x
    }

    /// Layer and upper left pixel of a tile.
    pub fn place(&self, tile: usize) -> (u32, [i32; 2]) {
        let (tile, across) = (tile as u32, self.size[0]);
        let per_layer = across * self.size[1];
        let (layer, in_layer) = (tile / per_layer, tile % per_layer);
        let x = (self.origin[0] + in_layer % across) * TILE_PX;
        let y = (self.origin[1] + in_layer / across) * TILE_PX;
        (layer, [x as i32, y as i32])
    }
}

/// Number of commands in a block of a tile's list.
const BLOCK_COMMANDS: usize = 14;
const NO_BLOCK: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct CommandBlock {
    next: u32,
    len: u32,
    commands: [Command; BLOCK_COMMANDS],
}

/// An entry of a tile's list: a primitive that touches the tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Command(u32);

impl Command {
    /// Index of the primitive in its chunk.
    pub fn prim(self) -> usize {
        (self.0 >> 1) as usize
    }
    /// `true` if the primitive covers the whole tile.
    pub fn full(self) -> bool {
        self.0 & 1 != 0
    }
}

/// Output of a unit of front work.
#[derive(Default)]
pub(crate) struct Chunk {
    /// Primitives in API order.
    pub prims: Vec<Prim>,
    /// Planes and outlines of the primitives.
    pub parts: Parts,
    /// First and last block of each tile's list.
    heads: Vec<[u32; 2]>,
    blocks: Vec<CommandBlock>,
    /// Tiles with a nonempty list.
    pub touched: Vec<u32>,
    /// Primitives captured for transform feedback.
    pub captured: Captured,
}

impl Chunk {
    /// Empties the chunk for a grid of `tiles` tiles.
    pub fn reset(&mut self, tiles: usize) {
        self.prims.clear();
        self.parts.back_to([0; 2]);
        self.blocks.clear();
        self.captured.clear();
        for &t in &self.touched {
            if let Some(h) = self.heads.get_mut(t as usize) {
                *h = [NO_BLOCK; 2];
            }
        }
        self.touched.clear();
        if self.heads.len() < tiles {
            let more = tiles - self.heads.len();
            reserve::carry(reserve::more_room(&mut self.heads, more));
            self.heads.resize(tiles, [NO_BLOCK; 2]);
        }
    }

    /// Adds a primitive to every tile that it may touch with samples up to `reach_fx8` from the pixel centres.
    ///
    /// Inlined where the primitive is made, so that its fields are stored in the chunk and not copied from the stack.
    #[inline(always)]
    pub fn push(&mut self, grid: &TileGrid, prim: Prim, reach_fx8: i32) {
        let layer = prim.fragment.layer;
        if layer >= grid.layers {
            return;
        }
        let bounds = match &prim.shape {
            Shape::Block(b) => b.bounds(),
            Shape::Outline(i) => self.parts.outlines[*i as usize].bounds,
        };
        let index = self.prims.len() as u32;
        self.prims.push(prim);
        // Bounds lie inside the render area, so they are not negative.
        let [x0, y0, x1, y1] = bounds.map(|v| v as u32);
        let first = [x0 / TILE_PX, y0 / TILE_PX];
        let last = [(x1 - 1) / TILE_PX, (y1 - 1) / TILE_PX];
        if first == last {
            self.append(grid.number(layer, first), Command(index << 1));
        } else {
            self.push_to_tiles(grid, index, [first, last], reach_fx8);
        }
    }

    /// Adds a primitive that may touch several tiles.
    #[inline(never)]
    fn push_to_tiles(&mut self, grid: &TileGrid, index: u32, [first, last]: [[u32; 2]; 2], reach_fx8: i32) {
        let t = TILE_PX as i32;
        let prim = &self.prims[index as usize];
        let layer = prim.fragment.layer;
        let outline = match &prim.shape {
            Shape::Block(_) => None,
            Shape::Outline(i) => Some(self.parts.outlines[*i as usize]),
        };
        for ty in first[1]..=last[1] {
            for tx in first[0]..=last[0] {
                let (px, py) = (tx as i32 * t, ty as i32 * t);
                let (mut full, mut outside) = (false, false);
                if let Some(o) = &outline {
                    let [x0, y0, x1, y1] = o.bounds;
                    let whole = o.kind & kind::PARTIAL == 0;
                    full = whole && px >= x0 && py >= y0 && px + t <= x1 && py + t <= y1;
                    outside = o.edges[..o.n_edges as usize].iter().any(|e| {
                        let [low, high] = e.range(px, py, t - 1);
                        let (a, b) = (i64::from(e.a).abs(), i64::from(e.b).abs());
                        let margin = ((a + b) * i64::from(reach_fx8) + 255) >> 8;
                        full &= low - margin >= 0;
                        high + margin < 0
                    });
                }
                if !outside {
                    let tile = grid.number(layer, [tx, ty]);
                    self.append(tile, Command(index << 1 | u32::from(full)));
                }
            }
        }
    }

    /// Planes of a primitive's `n` inputs, and the additional planes of lines.
    #[inline]
    pub fn planes_of(&self, prim: &Prim, n: usize) -> (&[Plane], &[Plane]) {
        let kind = self.outline(prim).map_or(0, |o| o.kind);
        let stipple = usize::from(kind & kind::STIPPLE != 0);
        let smooth = if kind & kind::SMOOTH != 0 { 3 } else { 0 };
        let first = prim.planes as usize;
        self.parts.planes[first..first + n + stipple + smooth].split_at(n)
    }

    /// The outline of a primitive, if it has one.
    #[inline]
    pub fn outline(&self, prim: &Prim) -> Option<&Outline> {
        match &prim.shape {
            Shape::Outline(i) => Some(&self.parts.outlines[*i as usize]),
            Shape::Block(_) => None,
        }
    }

    /// Size of the contents in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.prims[..])
            + size_of_val(&self.parts.planes[..])
            + size_of_val(&self.parts.outlines[..])
            + size_of_val(&self.blocks[..])
            + self.captured.bytes()[0]
    }

    /// Bit mask: the number of primitives that are added between two checks whether the chunk is full, minus one. It is
    /// 0 (a check for each primitive) if a primitive may touch very many tiles.
    #[inline]
    pub fn takes_unasked(&self) -> u64 {
        if self.heads.len() <= 1024 { 15 } else { 0 }
    }

    /// True if the chunk's size stays within its limit. Besides [`CHUNK_BYTES`], it may hold the primitives added
    /// between two checks (after clipping, a few on every tile of a layer), and the words that one call of the geometry
    /// stage captures on other streams.
    pub fn is_bounded(&self, grid: &TileGrid) -> bool {
        let tiles = ((grid.size[0] * grid.size[1]) as usize).max(64);
        let primitive = 16 * tiles * size_of::<CommandBlock>();
        let unasked = primitive * (1 + self.takes_unasked() as usize);
        self.bytes() <= CHUNK_BYTES + unasked + 4 * 3 * 4 * GEOMETRY_WORDS as usize
    }

    /// Frees the memory if it is too large to keep.
    pub fn trim(&mut self) {
        let held = self.prims.capacity() * size_of::<Prim>()
            + self.parts.planes.capacity() * size_of::<Plane>()
            + self.parts.outlines.capacity() * size_of::<Outline>()
            + self.blocks.capacity() * size_of::<CommandBlock>()
            + self.heads.capacity() * size_of::<[u32; 2]>()
            + self.captured.bytes()[1];
        if held > CHUNK_KEEP_BYTES {
            *self = Chunk::default();
        }
    }

    #[inline(always)]
    fn append(&mut self, tile: u32, c: Command) {
        let [_, last] = self.heads[tile as usize];
        if last != NO_BLOCK {
            let block = &mut self.blocks[last as usize];
            if (block.len as usize) < BLOCK_COMMANDS {
                block.commands[block.len as usize] = c;
                block.len += 1;
                return;
            }
        }
        let new = self.blocks.len() as u32;
        self.blocks.push(CommandBlock { next: NO_BLOCK, len: 1, commands: [c; BLOCK_COMMANDS] });
        let head = &mut self.heads[tile as usize];
        if last == NO_BLOCK {
            head[0] = new;
            self.touched.push(tile);
        } else {
            self.blocks[last as usize].next = new;
        }
        head[1] = new;
    }

    /// Calls `f` with the commands of a tile in order, and prefetches the primitives of the next block. The primitives
    /// are scattered in memory, because they lie in the order of the draw.
    pub fn for_tile_near(&self, tile: usize, mut f: impl FnMut(Command)) {
        let block = |at: u32| self.blocks.get(at as usize).map(|b| (b.next, &b.commands[..b.len as usize]));
        let mut now = self.heads.get(tile).and_then(|h| block(h[0]));
        while let Some((next, commands)) = now {
            let next = block(next);
            if let Some((after, later)) = next {
                later.iter().for_each(|c| near(&self.prims[c.prim()]));
                self.blocks.get(after as usize).into_iter().for_each(near);
            }
            // Primitives of this block were prefetched during the previous block.
            for c in commands {
                let prim = &self.prims[c.prim()];
                self.parts.planes.get(prim.planes as usize).into_iter().for_each(near);
                self.outline(prim).into_iter().for_each(near);
            }
            commands.iter().for_each(|&c| f(c));
            now = next;
        }
    }

    /// Prefetches the primitives of a tile's first block.
    pub fn first_near(&self, tile: usize) {
        let first = self.heads.get(tile).and_then(|h| self.blocks.get(h[0] as usize));
        for c in first.iter().flat_map(|b| &b.commands[..b.len as usize]) {
            near(&self.prims[c.prim()]);
        }
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

/// Prefetches the cache lines of a value.
#[inline(always)]
fn near<T>(what: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let p = std::ptr::from_ref(what).cast::<i8>();
        // SAFETY: every x86-64 host has SSE, and a prefetch accesses no memory, so any address is valid.
        #[expect(unsafe_code, reason = "prefetches")]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(p);
            _mm_prefetch::<_MM_HINT_T0>(p.wrapping_add(63));
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = what;
}
