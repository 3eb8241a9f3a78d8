//! Fragment density maps: the size of fragments in each region of the framebuffer. Coverage of such fragments is left to
//! [`super::density`].
//!
//! Spec: Vulkan, "Fragment Density Map Operations".

use crate::limits::{DENSITY_OFFSET_PX, MAX_DENSITY_TEXEL_PX, MIN_DENSITY_TEXEL_PX};
use crate::memory::target::Target;
use crate::sampling::Swizzle;
use crate::state::shading_rate::{LogSize, MAX_LOG_SIZE, clamp};

/// Fragment density map of a pass.
#[derive(Clone, Debug)]
pub struct DensityMap {
    /// Image of format R8G8_UNORM. If it has several layers, each belongs to a layer of the framebuffer.
    pub target: Target,
    /// Sources of the densities in x and in y: the first two swizzles of the view.
    pub swizzle: [Swizzle; 2],
    /// Width and height in framebuffer pixels of the area of a texel: see [`density_texel_px`].
    pub texel_px: [u32; 2],
    /// Width and height of the framebuffer in pixels.
    pub framebuffer: [u32; 2],
    /// Offset of each layer in framebuffer pixels: multiples of [`DENSITY_OFFSET_PX`]. Missing offsets are 0.
    pub offsets: Vec<[i32; 2]>,
}

/// Width or height in pixels of the region that one texel of a density map covers, for this width or height of the
/// framebuffer and of the map. Spec: fragmentDensityTexelSize.
pub fn density_texel_px(framebuffer: u32, map: u32) -> u32 {
    let px = (framebuffer / map.max(1)).clamp(1, MAX_DENSITY_TEXEL_PX);
    px.next_power_of_two().clamp(MIN_DENSITY_TEXEL_PX, MAX_DENSITY_TEXEL_PX)
}

/// Logarithm of the largest supported width or height that is no larger than 1 / density. A density of 0 has no such
/// size: its fragments are single pixels.
fn log_size(density: u8) -> u32 {
    255u8.checked_div(density).map_or(0, |size| u32::from(size).ilog2().min(MAX_LOG_SIZE))
}

/// Logarithm of the largest size of which the pixels from `at` to the edge of the framebuffer are a multiple, if the edge
/// lies in the area of `1 << log_px` pixels that begins there; elsewhere, of the largest size of all.
fn log_left(framebuffer: u32, at: i32, log_px: u32) -> u32 {
    let left = i64::from(framebuffer) - i64::from(at);
    match left > 0 && left < 1 << log_px {
        true => left.trailing_zeros(),
        false => MAX_LOG_SIZE,
    }
}

impl DensityMap {
    /// Logarithms of the width and height in pixels of areas whose fragments all have one size.
    pub(super) fn log_px(&self) -> [u32; 2] {
        self.texel_px.map(|px| px.clamp(MIN_DENSITY_TEXEL_PX, DENSITY_OFFSET_PX).ilog2())
    }

    /// Size of the fragments of the area that begins at a pixel of a layer of the framebuffer, see
    /// [`log_px`](Self::log_px). Fragments are no larger than regions, and end with the framebuffer: their samples would lie
    /// beyond its edge otherwise. Layers past the last one of the map use that one.
    pub(super) fn size_at(&self, layer: u32, px: [i32; 2], samples: u32) -> LogSize {
        let desc = self.target.desc();
        let layer = layer.min(desc.layers.max(1) - 1);
        let offset = self.offsets.get(layer as usize).copied().unwrap_or([0; 2]);
        let [x, y] = [(0, desc.width), (1, desc.height)].map(|(k, size): (usize, u32)| {
            let at = i64::from(px[k]) - i64::from(offset[k]);
            let texel = at.div_euclid(i64::from(self.texel_px[k].max(1)));
            texel.clamp(0, i64::from(size.max(1)) - 1) as u32
        });
        let [r, g, ..] = self.target.read(layer, 0, x, y).to_le_bytes();
        let size = [0, 1].map(|k| {
            let density = match self.swizzle[k].resolved(k) {
                Swizzle::R => r,
                Swizzle::G => g,
                // The format has no blue.
                Swizzle::Zero | Swizzle::B => 0,
                Swizzle::Identity | Swizzle::One | Swizzle::A => u8::MAX,
            };
            let left = log_left(self.framebuffer[k], px[k], self.log_px()[k]);
            log_size(density).min(self.texel_px[k].max(1).ilog2()).min(left)
        });
        clamp(size, samples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec: fragmentDensityTexelSize is the power of two at or above the whole quotient, within the limits.
    #[test]
    fn regions_are_powers_of_two() {
        let sizes =
            [(31, 16, 1), (32, 16, 2), (33, 16, 2), (64, 16, 4), (80, 16, 8), (100, 3, 64), (16384, 1, 64)];
        // A map that is larger than the framebuffer has regions of the least size, and one without texels has one region.
        for (framebuffer, map, px) in sizes.into_iter().chain([(1, 16, 1), (7, 0, 8)]) {
            assert_eq!(density_texel_px(framebuffer, map), px, "{framebuffer} / {map}");
        }
    }

    /// The size is at most 1 / density, with the density of an 8-bit texel: 128 / 255 is above 1/2, 127 / 255 below.
    #[test]
    fn sizes_do_not_exceed_the_density() {
        for density in 1..=255u8 {
            let size = 1u32 << log_size(density);
            assert!(size * u32::from(density) <= 255, "{density}");
            let larger = size * 2;
            assert!(size == 4 || larger * u32::from(density) > 255, "{density} allows {larger}");
        }
        assert_eq!([0, 1, 63, 64, 127, 128, 255].map(log_size), [0, 2, 2, 1, 1, 0, 0]);
    }

    /// Fragments of the last area end with the framebuffer, and are as large as that allows; others are not limited.
    #[test]
    fn fragments_end_with_the_framebuffer() {
        for (framebuffer, log_px) in (1..=70u32).flat_map(|size| [1, 2, 3].map(|log_px| (size, log_px))) {
            for at in (0..framebuffer + 16).step_by(1 << log_px) {
                let size = 1 << log_left(framebuffer, at as i32, log_px).min(MAX_LOG_SIZE);
                let ends = (at..at + (1 << log_px)).contains(&framebuffer) && framebuffer > at;
                let fits = |size: u32| !ends || (framebuffer - at).is_multiple_of(size);
                assert!(fits(size), "{size} from {at} of {framebuffer}");
                assert!(
                    size == 4 || !fits(2 * size),
                    "{size} from {at} of {framebuffer}: smaller than allowed"
                );
            }
        }
        assert_eq!([29, 30, 31, 32, 33].map(|framebuffer| log_left(framebuffer, 24, 3)), [0, 1, 0, 2, 2]);
        assert_eq!([33, 34, 35, 36, 37].map(|framebuffer| log_left(framebuffer, 32, 3)), [0, 1, 0, 2, 0]);
    }
}
