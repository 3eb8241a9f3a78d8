//! Transfers: fills, copies, clears, blits and resolves on raw device memory.
//!
//! Every region is checked before anything is written; a bad one is an `Invalid` error and leaves
//! all memory as it was. Large transfers are split by rows over the pool.
//!
//! * [`clear`]: fills and clears.
//! * [`copy`]: buffers and images, byte by byte.
//! * [`blit`]: scaling, conversion, resolve.
//!
//! Spec: Vulkan, "Copy Commands" (copies), "Clear Commands" (clears).

pub mod blit;
pub mod clear;
pub mod copy;
mod rows;

#[cfg(test)]
mod tests;

pub use blit::{ImageBlit, ImageResolve, blit_image, check_blit, check_resolve, resolve_image};
pub use clear::{
    SubresourceRange, check_clear, clear_color, clear_depth_stencil, fill_buffer, update_buffer,
};
pub use copy::{
    BufferCopy, BufferImageCopy, ImageCopy, check_buffer_image, check_copy_image, copy_buffer,
    copy_buffer_to_image, copy_image, copy_image_to_buffer,
};

use quadrille_jit::error::{Error, Result};

use crate::format::{Aspects, Format};
use crate::image::{ImageLayout, ImageType, Span};
use crate::pool::Pool;

/// An image and its memory.
#[derive(Clone, Copy)]
pub struct ImageRef<'a> {
    /// Where its texels are.
    pub layout: &'a ImageLayout,
    /// Memory from its first byte.
    pub memory: Span,
}

/// Layers of one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubresourceLayers {
    /// Aspects; one, or for image copies and blits both of depth and stencil.
    pub aspects: Aspects,
    /// Level.
    pub level: u32,
    /// First layer.
    pub base_layer: u32,
    /// Number of layers.
    pub layers: u32,
}

impl SubresourceLayers {
    /// Colour of level 0, layer 0.
    pub const COLOR: Self = SubresourceLayers { aspects: Aspects::COLOR, level: 0, base_layer: 0, layers: 1 };
}

/// One level of one aspect, as a stack of slices: the layers, or the slices of a 3D image.
#[derive(Clone, Copy, Debug)]
struct Plane {
    memory: Span,
    format: Format,
    extent: [u32; 3],
    samples: u32,
    offset: u64,
    row_pitch: u64,
    slice_pitch: u64,
    sample_pitch: u64,
    /// Slices from the first layer, or in depth.
    slices: u32,
}

impl Plane {
    /// Offset of a texel; `slice` counts from the first layer.
    fn at(&self, x: u32, y: u32, slice: u32) -> u64 {
        self.offset
            + u64::from(slice) * self.slice_pitch
            + u64::from(y) * self.row_pitch
            + u64::from(x) * u64::from(self.format.bytes())
    }
}

impl ImageRef<'_> {
    /// The plane of one aspect.
    fn plane(&self, aspect: Aspects, level: u32, base_layer: u32) -> Result<Plane> {
        let desc = self.layout.desc();
        let Some(s) = self.layout.subresource(aspect, level, base_layer) else {
            return Err(Error::invalid(format!(
                "transfer: no aspect {:#x}, level {level}, layer {base_layer} in {desc:?}",
                aspect.0
            )));
        };
        if self.memory.size() < self.layout.size {
            return Err(Error::invalid("transfer: the image is not bound to enough memory"));
        }
        let deep = desc.image_type == ImageType::D3;
        Ok(Plane {
            memory: self.memory,
            format: s.format,
            extent: s.extent,
            samples: desc.samples,
            offset: s.offset,
            row_pitch: s.row_pitch,
            slice_pitch: if deep { s.slice_pitch } else { s.layer_pitch },
            sample_pitch: s.sample_pitch,
            slices: if deep { s.extent[2] } else { desc.layers - base_layer },
        })
    }

    fn is_3d(&self) -> bool {
        self.layout.desc().image_type == ImageType::D3
    }
}

/// A box of texels in a plane: corner, size and slices, all inside.
#[derive(Clone, Copy, Debug)]
struct Area {
    x: u32,
    y: u32,
    slice: u32,
    width: u32,
    height: u32,
    slices: u32,
}

/// Checks a box of an image: offset, extent and layers of a copy region. Extents and depth of zero,
/// and boxes that are not inside, are refused.
fn area(
    image: &ImageRef<'_>,
    plane: &Plane,
    layers: u32,
    offset: [i32; 3],
    extent: [u32; 3],
) -> Result<Area> {
    let fail = || {
        Err(Error::invalid(format!(
            "transfer region: offset {offset:?}, extent {extent:?}, {layers} layers, in a level of {:?}",
            plane.extent
        )))
    };
    let [w, h, d] = extent;
    let inside = |o: i32, n: u32, size: u32| {
        o >= 0 && n > 0 && (o as u32).checked_add(n).is_some_and(|end| end <= size)
    };
    if !inside(offset[0], w, plane.extent[0]) || !inside(offset[1], h, plane.extent[1]) {
        return fail();
    }
    let (slice, slices) = if image.is_3d() {
        if layers != 1 {
            return fail();
        }
        (offset[2], d)
    } else {
        // Depth counts slices of the other image in copies between 3D and arrays.
        if offset[2] != 0 || (d != 1 && layers != 1 && d != layers) {
            return fail();
        }
        (0, layers)
    };
    if !inside(slice, slices, plane.slices) {
        return fail();
    }
    Ok(Area { x: offset[0] as u32, y: offset[1] as u32, slice: slice as u32, width: w, height: h, slices })
}

/// Bytes from which work is split.
const SPLIT_BYTES: u64 = 1 << 20;

/// Calls `f(i)` for all i below `n`, each of which moves about `bytes`, on the pool if it is much.
fn for_each(pool: &Pool, n: u64, bytes: u64, f: impl Fn(u64) + Sync) {
    if n.saturating_mul(bytes) < SPLIT_BYTES || pool.threads() == 1 {
        (0..n).for_each(f);
        return;
    }
    let per_part = (SPLIT_BYTES / 4 / bytes.max(1)).max(1);
    pool.run(n.div_ceil(per_part) as usize, |part| {
        let first = part as u64 * per_part;
        (first..(first + per_part).min(n)).for_each(&f);
    });
}

/// A check that has been made before failed: a defect of ours.
fn must(inside: bool) {
    debug_assert!(inside, "a checked transfer left its memory");
}
