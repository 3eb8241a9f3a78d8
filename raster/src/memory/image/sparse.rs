//! Sparse images: their pages, to which memory is bound, and the residency of the pages.
//!
//! The texels of a sparse image have the layout of any other image, see [`super::layout`]. Its pages of [`PAGE`] bytes
//! are blocks of texels in the specification's standard shapes, level by level. The pages of the levels smaller than a
//! block (the mip tail) follow, layer by layer. A page holds the rows of its block one after the other. Rows keep the
//! length of a whole block even if the level ends within the block. The memory of pages, and copying it in and out when
//! it is bound, is left to the device library.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::layout::{ImageLayout, ImageType, level_extent};
use super::memory::Span;
use crate::memory::format::{Aspects, FormatFeatures, Numeric};

/// Size of a page in bytes: a sparse block of Vulkan's standard shapes.
pub const PAGE: u64 = quadrille_jit::missing::PAGE;

/// Standard block shapes of 2D and of 3D images, by the binary logarithm of a texel's (or compressed block's) bytes.
/// Spec: Vulkan, "Standard Sparse Image Block Shapes".
const SHAPES_2D: [[u32; 3]; 5] = [[256, 256, 1], [256, 128, 1], [128, 128, 1], [128, 64, 1], [64, 64, 1]];
const SHAPES_3D: [[u32; 3]; 5] = [[64, 32, 32], [32, 32, 32], [32, 32, 16], [32, 16, 16], [16, 16, 16]];

/// Residency bits of an image's pages.
#[derive(Debug)]
struct PageBits(Box<[AtomicU64]>);

impl PageBits {
    /// Bits for `pages` pages, none of which is resident.
    fn new(pages: u64) -> Self {
        PageBits((0..pages.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    /// Sets the residency of a page, and returns the previous one.
    fn set(&self, page: u64, resident: bool) -> bool {
        let Some(word) = self.0.get((page / 64) as usize) else { return false };
        let bit = 1 << (page % 64);
        let before = match resident {
            true => word.fetch_or(bit, Ordering::AcqRel),
            false => word.fetch_and(!bit, Ordering::AcqRel),
        };
        before & bit != 0
    }

    /// Returns whether a page is resident.
    fn get(&self, page: u64) -> bool {
        self.0.get((page / 64) as usize).is_some_and(|w| w.load(Ordering::Acquire) >> (page % 64) & 1 != 0)
    }
}

/// A row of a page: bytes that are contiguous both in the image and in the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Offset of the first byte in the image.
    pub image: u64,
    /// Offset of the first byte in the page.
    pub page: u64,
    /// Number of bytes.
    pub len: usize,
}

/// Blocks of one level of a layer.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// Index of the level's first page in its layer.
    first: u32,
    /// Number of blocks in x, y and z.
    blocks: [u32; 3],
}

/// The pages of an image, and their residency.
#[derive(Debug)]
pub struct SparsePages {
    layout: ImageLayout,
    aspect: Aspects,
    /// Size of a block in texels.
    granularity: [u32; 3],
    /// The levels before the tail.
    levels: Vec<Level>,
    /// Number of pages of the levels before the tail, per layer.
    layer_pages: u32,
    /// Size of a layer's tail in the image, in bytes.
    tail_bytes: u64,
    /// Offset of the tail in its layer.
    tail_at: u64,
    resident: PageBits,
    /// Number of missing pages.
    missing: AtomicU64,
    /// Number of missing tail pages, by layer.
    tail_missing: Box<[AtomicU64]>,
}

/// Size of a block in texels, for images of this type and format; `None` if such images cannot be sparse.
pub fn granularity(desc: &super::ImageDesc) -> Option<[u32; 3]> {
    let (format, info) = (desc.format, desc.format.info());
    let bytes = info.bytes;
    let plain = !format.is_multi_planar()
        && format.stored_aspects().singles().count() == 1
        && format.image_features() != FormatFeatures::NONE;
    // Formats with unused bits are excluded: shaders do not preserve those bits, but the bytes of a page must stay
    // unchanged.
    let used: u32 = info.fields.iter().map(|f| u32::from(f.bits)).sum();
    let all = used == 8 * bytes || info.numeric == Numeric::SharedExp;
    let plain = plain && (format.is_compressed() || all);
    if !plain || desc.samples != 1 || !bytes.is_power_of_two() || bytes > 16 {
        return None;
    }
    let shape = match desc.image_type {
        ImageType::D1 => return None,
        ImageType::D2 => SHAPES_2D[bytes.trailing_zeros() as usize],
        ImageType::D3 => SHAPES_3D[bytes.trailing_zeros() as usize],
    };
    let block = format.block();
    Some(std::array::from_fn(|axis| shape[axis] * block[axis]))
}

impl SparsePages {
    /// The pages of an image, none of which is resident.
    pub fn new(layout: &ImageLayout) -> Option<Self> {
        let desc = layout.desc();
        let granularity = granularity(desc)?;
        let aspect = layout.aspects().next()?;
        let mut levels = Vec::new();
        let mut layer_pages = 0;
        for l in 0..desc.levels {
            let extent = level_extent(desc.extent, l);
            if extent.iter().zip(granularity).any(|(e, g)| *e < g) {
                break;
            }
            let blocks = std::array::from_fn(|i| extent[i].div_ceil(granularity[i]));
            levels.push(Level { first: layer_pages, blocks });
            layer_pages += blocks.iter().product::<u32>();
        }
        let first = layout.subresource(aspect, levels.len() as u32, 0);
        let (tail_at, tail_bytes) = match first {
            None => (0, 0),
            Some(first) => {
                let at = first.offset - layout.subresource(aspect, 0, 0)?.offset;
                (at, first.layer_pitch - at)
            }
        };
        let tail_pages = tail_bytes.div_ceil(PAGE);
        let pages = u64::from(desc.layers) * (u64::from(layer_pages) + tail_pages);
        Some(SparsePages {
            layout: layout.clone(),
            aspect,
            granularity,
            levels,
            layer_pages,
            tail_bytes,
            tail_at,
            resident: PageBits::new(pages),
            missing: AtomicU64::new(pages),
            tail_missing: (0..desc.layers).map(|_| AtomicU64::new(tail_pages)).collect(),
        })
    }

    fn layers(&self) -> u32 {
        self.layout.desc().layers
    }

    fn tail_pages(&self) -> u32 {
        self.tail_bytes.div_ceil(PAGE) as u32
    }

    /// The aspect that the pages belong to.
    pub fn aspect(&self) -> Aspects {
        self.aspect
    }

    /// Size of a block in texels.
    pub fn granularity(&self) -> [u32; 3] {
        self.granularity
    }

    /// First level of the tail; equal to the number of levels without a tail.
    pub fn tail_level(&self) -> u32 {
        self.levels.len() as u32
    }

    /// Size of the pages of a layer's tail, in bytes.
    pub fn tail_size(&self) -> u64 {
        u64::from(self.tail_pages()) * PAGE
    }

    /// Byte offset of the first layer's tail pages among all pages; the tail pages of other layers follow.
    pub fn tail_offset(&self) -> u64 {
        u64::from(self.layers()) * u64::from(self.layer_pages) * PAGE
    }

    /// Number of pages.
    pub fn count(&self) -> u32 {
        self.layers() * (self.layer_pages + self.tail_pages())
    }

    /// Pages of a box of texels in a level before the tail, ordered by x, then y, then z. Returns `None` if the level
    /// or layer does not exist, if the box exceeds the level, or if it does not start at a block.
    pub fn region(&self, level: u32, layer: u32, offset: [u32; 3], extent: [u32; 3]) -> Option<Vec<u32>> {
        let of = self.levels.get(level as usize)?;
        if layer >= self.layers() {
            return None;
        }
        let mut range = [const { 0..0 }; 3];
        for (axis, range) in range.iter_mut().enumerate() {
            let g = self.granularity[axis];
            let end = offset[axis].checked_add(extent[axis])?.div_ceil(g);
            if !offset[axis].is_multiple_of(g) || end > of.blocks[axis] {
                return None;
            }
            *range = offset[axis] / g..end;
        }
        let [xs, ys, zs] = range;
        let first = layer * self.layer_pages + of.first;
        let at = |x, y, z| first + x + of.blocks[0] * (y + of.blocks[1] * z);
        let rows = zs.flat_map(|z| ys.clone().map(move |y| (y, z)));
        Some(rows.flat_map(|(y, z)| xs.clone().map(move |x| at(x, y, z))).collect())
    }

    /// Pages of a range of bytes among all pages; the range may end inside a page.
    pub fn range(&self, offset: u64, size: u64) -> Option<Range<u32>> {
        let end = offset.checked_add(size)?.div_ceil(PAGE);
        let inside = offset.is_multiple_of(PAGE) && end <= u64::from(self.count());
        inside.then_some((offset / PAGE) as u32..end as u32)
    }

    /// Location of a page's bytes in the image, as pieces in order.
    pub fn pieces(&self, page: u32) -> Vec<Piece> {
        let blocks = self.layers() * self.layer_pages;
        if page >= blocks {
            let (layer, k) = ((page - blocks) / self.tail_pages(), (page - blocks) % self.tail_pages());
            let Some(base) = self.layout.subresource(self.aspect, 0, layer) else { return Vec::new() };
            let at = u64::from(k) * PAGE;
            let len = (self.tail_bytes - at).min(PAGE);
            return vec![Piece { image: base.offset + self.tail_at + at, page: 0, len: len as usize }];
        }
        let (layer, in_layer) = (page / self.layer_pages, page % self.layer_pages);
        let level = self.levels.partition_point(|l| l.first <= in_layer) - 1;
        let (of, s) = (self.levels[level], self.layout.subresource(self.aspect, level as u32, layer));
        let Some(s) = s else { return Vec::new() };
        let n = in_layer - of.first;
        let block = [n % of.blocks[0], n / of.blocks[0] % of.blocks[1], n / (of.blocks[0] * of.blocks[1])];
        // From texels to units of memory: texels, or blocks of compressed formats.
        let texels = s.format.block();
        let shape: [u32; 3] = std::array::from_fn(|axis| self.granularity[axis] / texels[axis]);
        let all = s.blocks();
        let first: [u32; 3] = std::array::from_fn(|axis| block[axis] * shape[axis]);
        let size: [u32; 3] = std::array::from_fn(|axis| shape[axis].min(all[axis] - first[axis]));
        let bytes = u64::from(s.format.bytes());
        let row = |y: u32, z: u32| {
            let [x0, y0, z0] = first.map(u64::from);
            let (y_px, z_px) = (y0 + u64::from(y), z0 + u64::from(z));
            Piece {
                image: s.offset + z_px * s.slice_pitch + y_px * s.row_pitch + x0 * bytes,
                page: u64::from(z * shape[1] + y) * u64::from(shape[0]) * bytes,
                len: (u64::from(size[0]) * bytes) as usize,
            }
        };
        (0..size[2]).flat_map(|z| (0..size[1]).map(move |y| row(y, z))).collect()
    }

    /// Copies the bytes of a page from the image to `memory`, or back. Returns false if one of them is too short.
    pub fn copy(&self, page: u32, image: &Span, memory: &Span, to_memory: bool) -> bool {
        let mut row = vec![0; PAGE as usize];
        self.pieces(page).into_iter().all(|piece| {
            let row = &mut row[..piece.len];
            match to_memory {
                true => image.read(piece.image, row) && memory.write(piece.page, row),
                false => memory.read(piece.page, row) && image.write(piece.image, row),
            }
        })
    }

    /// Clears the bytes of a page to zero. Bytes that are zero already are not written, because the host may not have
    /// committed memory for them.
    pub fn clear(&self, page: u32, image: &Span) -> bool {
        let (mut row, zeros) = (vec![0; PAGE as usize], vec![0; PAGE as usize]);
        self.pieces(page).into_iter().all(|Piece { image: at, len, .. }| {
            let (row, zeros) = (&mut row[..len], &zeros[..len]);
            image.read(at, row) && (row == zeros || image.write(at, zeros))
        })
    }

    /// Clears the missing pages that a box of texels touches. The box extends from `first` to `end`, which may lie
    /// outside the level. Returns false if the image's memory is too short.
    pub fn clear_missing(
        &self,
        image: &Span,
        [level, layer]: [u32; 2],
        first: [u32; 3],
        end: [u32; 3],
    ) -> bool {
        if !self.is_any_missing() || layer >= self.layers() {
            return true;
        }
        let clear = |page: u32| self.resident.get(page.into()) || self.clear(page, image);
        let Some(of) = self.levels.get(level as usize) else {
            let tail = self.first_tail_page(layer);
            return (tail..tail + self.tail_pages()).all(clear);
        };
        self.blocks(of, first, end).all(|[x, y, z]| clear(self.page_of(of, layer, [x, y, z])))
    }

    /// Calls `f` with the first texel and the end of boxes that together make up the missing texels in a box of a
    /// level.
    pub fn each_missing(
        &self,
        [level, layer]: [u32; 2],
        first: [u32; 3],
        end: [u32; 3],
        mut f: impl FnMut([u32; 3], [u32; 3]),
    ) {
        if !self.is_any_missing() {
            return;
        }
        let Some(of) = self.levels.get(level as usize) else {
            let rows = (first[2]..end[2]).flat_map(|z| (first[1]..end[1]).map(move |y| (y, z)));
            let texels = rows.flat_map(|(y, z)| (first[0]..end[0]).map(move |x| [x, y, z]));
            for at in texels.filter(|at| !self.is_resident(level, layer, *at)) {
                f(at, at.map(|v| v + 1));
            }
            return;
        };
        for block in self.blocks(of, first, end) {
            if self.resident.get(self.page_of(of, layer, block).into()) {
                continue;
            }
            let from = std::array::from_fn(|i| first[i].max(block[i] * self.granularity[i]));
            f(from, std::array::from_fn(|i| end[i].min((block[i] + 1) * self.granularity[i])));
        }
    }

    /// Calls `f` with the start and length of the resident runs in a row of `n` texels (blocks for compressed formats)
    /// that begins at `[x, y, z]`.
    pub fn each_there(
        &self,
        [level, layer]: [u32; 2],
        [x, y, z]: [u32; 3],
        n: u32,
        mut f: impl FnMut(u32, u32),
    ) {
        let [bw, bh, bd] = self.layout.desc().format.block();
        let (mut at, end) = (x, x + n);
        let mut first = x;
        while at < end {
            // Advances to the next place where another page may begin.
            let texel = [at * bw, y * bh, z * bd];
            let (there, len) = match self.levels.get(level as usize) {
                Some(of) => {
                    let block = std::array::from_fn(|i| texel[i] / self.granularity[i]);
                    let shape = self.granularity[0] / bw;
                    (self.resident.get(self.page_of(of, layer, block).into()), shape - at % shape)
                }
                None => self.tail_run(level, layer, texel),
            };
            let next = at.saturating_add(len).min(end);
            if !there {
                if first < at {
                    f(first, at - first);
                }
                first = next;
            }
            at = next;
        }
        if first < end {
            f(first, end - first);
        }
    }

    /// The blocks of a level that a box of texels touches.
    fn blocks(&self, of: &Level, first: [u32; 3], end: [u32; 3]) -> impl Iterator<Item = [u32; 3]> + use<> {
        let g = self.granularity;
        let [xs, ys, zs]: [Range<u32>; 3] =
            std::array::from_fn(|i| first[i] / g[i]..end[i].div_ceil(g[i]).min(of.blocks[i]));
        let rows = zs.flat_map(move |z| ys.clone().map(move |y| (y, z)));
        rows.flat_map(move |(y, z)| xs.clone().map(move |x| [x, y, z]))
    }

    /// Page of a block.
    fn page_of(&self, of: &Level, layer: u32, [x, y, z]: [u32; 3]) -> u32 {
        layer * self.layer_pages + of.first + x + of.blocks[0] * (y + of.blocks[1] * z)
    }

    /// First page of a layer's tail.
    fn first_tail_page(&self, layer: u32) -> u32 {
        self.layers() * self.layer_pages + layer * self.tail_pages()
    }

    /// Returns whether any page is missing.
    pub fn is_any_missing(&self) -> bool {
        self.missing.load(Ordering::Acquire) > 0
    }

    /// Sets the residency of a page.
    pub fn set_resident(&self, page: u32, resident: bool) {
        if self.resident.set(page.into(), resident) == resident {
            return;
        }
        let blocks = self.layers() * self.layer_pages;
        let tail = page.checked_sub(blocks).map(|n| &self.tail_missing[(n / self.tail_pages()) as usize]);
        for missing in std::iter::once(&self.missing).chain(tail) {
            match resident {
                true => missing.fetch_sub(1, Ordering::AcqRel),
                false => missing.fetch_add(1, Ordering::AcqRel),
            };
        }
    }

    /// Returns whether a texel of the image is resident.
    pub fn is_resident(&self, level: u32, layer: u32, texel: [u32; 3]) -> bool {
        let Some(of) = self.levels.get(level as usize) else {
            let Some(missing) = self.tail_missing.get(layer as usize) else { return false };
            return missing.load(Ordering::Acquire) == 0 || self.is_tail_resident(level, layer, texel);
        };
        let block = std::array::from_fn(|i| texel[i] / self.granularity[i]);
        self.resident.get(self.page_of(of, layer, block).into())
    }

    /// Returns whether a texel of a layer's tail is resident.
    fn is_tail_resident(&self, level: u32, layer: u32, texel: [u32; 3]) -> bool {
        self.tail_run(level, layer, texel).0
    }

    /// Returns whether a texel of a layer's tail is resident, and the number of texels (or blocks) along x from it to
    /// the end of its page. No texel crosses pages, because rows and levels begin at multiples of 16 bytes, the size of
    /// the largest texel.
    fn tail_run(&self, level: u32, layer: u32, [x, y, z]: [u32; 3]) -> (bool, u32) {
        let of = |level| self.layout.subresource(self.aspect, level, layer);
        let (Some(base), Some(s)) = (of(0), of(level)) else { return (false, u32::MAX) };
        let [bw, bh, bd] = s.format.block();
        let at = s.offset - base.offset - self.tail_at
            + u64::from(z / bd) * s.slice_pitch
            + u64::from(y / bh) * s.row_pitch
            + u64::from(x / bw) * u64::from(s.format.bytes());
        let there = self.resident.get(u64::from(self.first_tail_page(layer)) + at / PAGE);
        (there, ((PAGE - at % PAGE) / u64::from(s.format.bytes())) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::format::Format;
    use crate::memory::image::ImageDesc;

    fn pages(desc: ImageDesc) -> (ImageLayout, SparsePages) {
        let layout = ImageLayout::new(&desc).unwrap();
        let pages = SparsePages::new(&layout).unwrap();
        (layout, pages)
    }

    fn descs() -> Vec<ImageDesc> {
        vec![
            ImageDesc { levels: 9, layers: 3, ..ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 300, 257) },
            ImageDesc { levels: 3, ..ImageDesc::new_2d(Format::BC1_RGBA_UNORM_BLOCK, 1025, 511) },
            ImageDesc {
                image_type: ImageType::D3,
                extent: [40, 33, 17],
                levels: 6,
                ..ImageDesc::new_2d(Format::R16G16B16A16_SFLOAT, 1, 1)
            },
            ImageDesc { layers: 2, ..ImageDesc::new_2d(Format::R8_UNORM, 512, 256) },
        ]
    }

    /// Every texel of the image lies in one page, and no byte lies in two.
    #[test]
    fn pages_cover_the_image_once() {
        for desc in descs() {
            let (layout, pages) = pages(desc);
            let mut seen = vec![0u8; layout.size as usize];
            for page in 0..pages.count() {
                let mut end = 0;
                for piece in pages.pieces(page) {
                    seen[piece.image as usize..][..piece.len].iter_mut().for_each(|n| *n += 1);
                    assert!(piece.page >= end, "{desc:?} page {page}");
                    end = piece.page + piece.len as u64;
                }
                assert!((1..=PAGE).contains(&end));
            }
            assert!(seen.iter().all(|n| *n <= 1), "{desc:?}");
            for level in 0..desc.levels {
                for layer in 0..desc.layers {
                    let s = layout.subresource(Aspects::COLOR, level, layer).unwrap();
                    let [w, h, d] = s.blocks();
                    for (y, z) in (0..d).flat_map(|z| (0..h).map(move |y| (y, z))) {
                        let at = s.offset + u64::from(z) * s.slice_pitch + u64::from(y) * s.row_pitch;
                        let row = &seen[at as usize..][..(w * s.format.bytes()) as usize];
                        assert!(row.iter().all(|n| *n == 1), "{desc:?} level {level}");
                    }
                }
            }
        }
    }

    /// Spec: Vulkan, "Sparse Image Mip Tail": the tail holds the levels smaller than a block.
    #[test]
    fn texels_are_resident_with_their_page() {
        let (_, pages) = pages(descs()[0]);
        assert_eq!((pages.granularity(), pages.tail_level()), ([128, 128, 1], 2));
        assert_eq!(pages.region(0, 1, [128, 128, 0], [172, 129, 1]).unwrap().len(), 4);
        assert!(pages.region(0, 1, [1, 0, 0], [1, 1, 1]).is_none(), "not where a block begins");
        assert!(pages.region(2, 0, [0, 0, 0], [1, 1, 1]).is_none(), "in the tail");
        for page in pages.region(0, 1, [256, 128, 0], [44, 128, 1]).unwrap() {
            pages.set_resident(page, true);
        }
        let there = |layer, x, y| pages.is_resident(0, layer, [x, y, 0]);
        assert!(there(1, 256, 128) && there(1, 299, 255));
        assert!(!there(1, 255, 128) && !there(1, 256, 127) && !there(1, 256, 256) && !there(0, 256, 128));
        assert!(!pages.is_resident(3, 2, [0; 3]));
        let tail = pages.range(pages.tail_offset() + 2 * pages.tail_size(), pages.tail_size()).unwrap();
        tail.for_each(|page| pages.set_resident(page, true));
        assert!(pages.is_resident(3, 2, [0; 3]) && !pages.is_resident(3, 1, [0; 3]));
    }
}
