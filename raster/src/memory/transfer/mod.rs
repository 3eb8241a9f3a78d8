//! Transfers: fills, copies, clears, blits and resolves on raw device memory.
//!
//! Every region is checked before anything is written; an invalid region returns an `Invalid` error and leaves all
//! memory unchanged. Large transfers are split by rows over the pool.
//!
//! * [`clear`]: fills and clears.
//! * [`copy`]: buffers and images, byte by byte.
//! * [`blit`]: scaling, conversion.
//! * [`resolve`]: resolves of samples.
//! * [`decode`]: decoded texels of compressed images.
//!
//! Areas of compressed images are counted in blocks. Texel formats are left to [`crate::memory::format`].
//!
//! Spec: Vulkan, "Copy Commands" (copies), "Clear Commands" (clears).

pub mod blit;
pub mod clear;
pub mod copy;
pub mod decode;
pub mod resolve;
mod rows;

#[cfg(test)]
mod tests;

pub use blit::{ImageBlit, blit_image, check_blit};
pub use clear::{
    SubresourceRange, check_clear, clear_color, clear_depth_stencil, fill_buffer, update_buffer,
};
pub use copy::{
    BufferCopy, BufferImageCopy, ImageCopy, check_buffer_image, check_copy_image, copy_buffer,
    copy_buffer_to_image, copy_bytes_to_image, copy_image, copy_image_to_buffer, copy_image_to_bytes,
    region_bytes,
};
pub use decode::refresh_level;
pub use resolve::{ImageResolve, check_resolve, resolve_image};

use quadrille_jit::error::{Error, Result};

use crate::memory::format::{Aspects, Format};
use crate::memory::image::{ImageLayout, ImageMemory, ImageType, Span, SparsePages, Subresource};
use crate::pool::{Pool, Watched};

/// Threads that run transfers, and the budget after which transfers stop early.
#[derive(Clone, Copy)]
pub struct Runner<'a> {
    pool: &'a Pool,
    watched: &'a Watched,
}

static UNWATCHED: Watched = Watched::NONE;

impl<'a> Runner<'a> {
    /// Runs on the threads of `pool`. Transfers stop early when the budget of `watched` runs out; its owner must check
    /// for that.
    pub fn new(pool: &'a Pool, watched: &'a Watched) -> Self {
        Runner { pool, watched }
    }
}

impl<'a> From<&'a Pool> for Runner<'a> {
    fn from(pool: &'a Pool) -> Self {
        Runner::new(pool, &UNWATCHED)
    }
}

/// An image and its memory.
#[derive(Clone, Copy)]
pub struct ImageRef<'a> {
    /// Layout of the texels.
    pub layout: &'a ImageLayout,
    /// Memory from its first byte.
    pub memory: ImageMemory,
    /// Pages of a sparse image with missing pages; writes to missing pages are dropped.
    pub pages: Option<&'a SparsePages>,
}

/// Layers of one level. Spec: `VkImageSubresourceLayers`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubresourceLayers {
    /// A single aspect, or both depth and stencil for image copies and blits.
    pub aspects: Aspects,
    /// Level.
    pub level: u32,
    /// First layer.
    pub base_layer: u32,
    /// Number of layers; `u32::MAX` for all remaining ones.
    pub layers: u32,
}

impl SubresourceLayers {
    /// Colour of level 0, layer 0.
    pub const COLOR: Self = SubresourceLayers { aspects: Aspects::COLOR, level: 0, base_layer: 0, layers: 1 };
}

/// The pages of a level of a sparse image, some of which are missing.
#[derive(Clone, Copy, Debug)]
struct Gaps<'a> {
    pages: &'a SparsePages,
    level: u32,
    base_layer: u32,
    /// `true` if slices are those of a 3D image.
    deep: bool,
}

/// One level of one aspect, as a stack of slices: layers, or slices of a 3D image.
#[derive(Clone, Copy, Debug)]
struct Plane<'a> {
    memory: Span,
    format: Format,
    /// Extent in blocks; in texels for uncompressed formats.
    extent: [u32; 3],
    /// Extent in texels.
    texels: [u32; 3],
    samples: u32,
    offset: u64,
    row_pitch: u64,
    slice_pitch: u64,
    sample_pitch: u64,
    /// Number of layers from the first one on, or depth of a 3D image, in blocks.
    slices: u32,
    /// Missing pages; `None` if the plane has all its memory.
    gaps: Option<Gaps<'a>>,
}

impl<'a> Plane<'a> {
    #[inline]
    fn new(image: &ImageRef<'a>, s: &Subresource, base_layer: u32) -> Plane<'a> {
        let desc = image.layout.desc();
        let deep = desc.image_type == ImageType::D3;
        Plane {
            memory: image.memory.span(s.memory),
            format: s.format,
            extent: s.blocks(),
            texels: s.extent,
            samples: desc.samples,
            offset: s.offset,
            row_pitch: s.row_pitch,
            slice_pitch: if deep { s.slice_pitch } else { s.layer_pitch },
            sample_pitch: s.sample_pitch,
            slices: if deep { s.blocks()[2] } else { desc.layers - base_layer },
            gaps: None,
        }
    }

    /// Byte offset of a texel or block; `slice` counts from the first layer.
    fn at(&self, x: u32, y: u32, slice: u32) -> u64 {
        self.offset
            + u64::from(slice) * self.slice_pitch
            + u64::from(y) * self.row_pitch
            + u64::from(x) * u64::from(self.format.bytes())
    }

    /// Calls `f` with the start and length of the runs of texels or blocks in a row that have memory.
    #[inline]
    fn each_there(&self, [x, y, slice]: [u32; 3], n: u32, mut f: impl FnMut(u32, u32)) {
        let Some(Gaps { pages, level, base_layer, deep }) = self.gaps else { return f(x, n) };
        let (layer, z) = if deep { (base_layer, slice) } else { (base_layer + slice, 0) };
        pages.each_there([level, layer], [x, y, z], n, f);
    }

    /// Writes texels or blocks of a row, except those without memory.
    #[inline]
    fn write_row(&self, [x, y, slice]: [u32; 3], bytes: &[u8]) {
        if self.gaps.is_none() {
            return must(self.memory.write(self.at(x, y, slice), bytes));
        }
        let size = self.format.bytes() as usize;
        self.each_there([x, y, slice], (bytes.len() / size) as u32, |first, n| {
            let from = (first - x) as usize * size;
            must(self.memory.write(self.at(first, y, slice), &bytes[from..from + n as usize * size]));
        });
    }
}

impl<'a> ImageRef<'a> {
    /// Returns the plane of one aspect.
    #[inline]
    fn plane(&self, aspect: Aspects, level: u32, base_layer: u32) -> Result<Plane<'a>> {
        let Some(s) = self.layout.subresource(aspect, level, base_layer) else {
            return Err(self.no_plane(aspect, level, base_layer));
        };
        if !self.memory.holds(self.layout) {
            return Err(Error::invalid("transfer: the image is not bound to enough memory"));
        }
        let deep = self.is_3d();
        let gaps = self.pages.map(|pages| Gaps { pages, level, base_layer, deep });
        Ok(Plane { gaps, ..Plane::new(self, &s, base_layer) })
    }

    #[cold]
    fn no_plane(&self, aspect: Aspects, level: u32, base_layer: u32) -> Error {
        let (aspect, desc) = (aspect.0, self.layout.desc());
        Error::invalid(format!(
            "transfer: no aspect {aspect:#x}, level {level}, layer {base_layer} in {desc:?}"
        ))
    }

    fn is_3d(&self) -> bool {
        self.layout.desc().image_type == ImageType::D3
    }
}

/// A box of texels or blocks in a plane: first texel, size and slices, all inside the plane.
#[derive(Clone, Copy, Debug)]
struct Area {
    x: u32,
    y: u32,
    slice: u32,
    width: u32,
    height: u32,
    slices: u32,
}

impl Area {
    fn whole(p: &Plane<'_>, slices: u32) -> Area {
        Area { x: 0, y: 0, slice: 0, width: p.extent[0], height: p.extent[1], slices }
    }

    /// The box's extent in texels of another format, for the same number of blocks and a depth in blocks.
    fn extent_in(&self, format: Format, depth: u32) -> [u32; 3] {
        let (size, block) = ([self.width, self.height, depth], format.block());
        std::array::from_fn(|c| size[c].saturating_mul(block[c]))
    }
}

/// Checks offset, extent and layers of a copy region. Rejects empty extents, and boxes that exceed the level or cut
/// blocks.
fn area(
    image: &ImageRef<'_>,
    plane: &Plane<'_>,
    layers: u32,
    offset: [i32; 3],
    extent: [u32; 3],
) -> Result<Area> {
    area_inside(image, plane, layers, offset, extent).ok_or_else(|| {
        Error::invalid(format!(
            "transfer region: offset {offset:?}, extent {extent:?}, {layers} layers, in a level of {:?}",
            plane.texels
        ))
    })
}

fn area_inside(
    image: &ImageRef<'_>,
    plane: &Plane<'_>,
    layers: u32,
    offset: [i32; 3],
    extent: [u32; 3],
) -> Option<Area> {
    let d = extent[2];
    let layers = match layers {
        u32::MAX if image.is_3d() => 1,
        u32::MAX => plane.slices,
        n => n,
    };
    let inside = |o: i32, n: u32, size: u32| {
        o >= 0 && n > 0 && (o as u32).checked_add(n).is_some_and(|end| end <= size)
    };
    // First block and number of blocks along an axis. Blocks at the edge may extend beyond the level.
    let blocks = plane.format.block();
    let along = |c: usize| {
        let block = blocks[c];
        if !inside(offset[c], extent[c], plane.extent[c].saturating_mul(block)) {
            return None;
        }
        let (first, end) = (offset[c] as u32, offset[c] as u32 + extent[c]);
        let whole = end.is_multiple_of(block) || end == plane.texels[c];
        (first.is_multiple_of(block) && whole).then(|| (first / block, end.div_ceil(block) - first / block))
    };
    let ((x, width), (y, height)) = (along(0)?, along(1)?);
    let (slice, slices) = if image.is_3d() {
        if layers != 1 {
            return None;
        }
        along(2)?
    } else {
        // In copies between 3D and array images, the depth counts slices of the other image.
        if offset[2] != 0 || (d != 1 && layers != 1 && d != layers) || !inside(0, layers, plane.slices) {
            return None;
        }
        (0, layers)
    };
    Some(Area { x, y, slice, width, height, slices })
}

/// Number of bytes from which a transfer is split.
const SPLIT_BYTES: u64 = 1 << 20;

/// Calls `f(i)` for all i below `n`, each of which moves about `bytes` bytes, until the budget runs out. Large work is
/// split over the pool.
fn for_each(on: Runner<'_>, n: u64, bytes: u64, f: impl Fn(u64) + Sync) {
    for_each_range(on, n, bytes, |range| range.for_each(&f));
}

/// Like [`for_each`], with a range of i for each call, so that `f` can reuse data within a range.
fn for_each_range(on: Runner<'_>, n: u64, bytes: u64, f: impl Fn(std::ops::Range<u64>) + Sync) {
    if n.saturating_mul(bytes) < SPLIT_BYTES {
        f(0..n);
        return;
    }
    // On one thread, work is split only to check the budget.
    let of_part = if on.pool.threads() == 1 { 4 * SPLIT_BYTES } else { SPLIT_BYTES / 4 };
    let per_part = (of_part / bytes.max(1)).max(1);
    on.pool.run_watched(on.watched, n.div_ceil(per_part) as usize, |part| {
        let first = part as u64 * per_part;
        if !on.watched.stopped() {
            f(first..(first + per_part).min(n));
        }
    });
}

/// Asserts that an access is in range, as an earlier check has ensured.
fn must(inside: bool) {
    debug_assert!(inside, "a checked transfer is out of range");
}
