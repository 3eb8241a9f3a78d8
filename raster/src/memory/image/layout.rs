//! Byte offsets of an image's subresources.
//!
//! The offset of a texel is `plane offset + layer * layer_pitch + level offset + sample * sample_pitch + z *
//! slice_pitch + y * row_pitch + x * bytes`. The planes are the depth and the stencil aspect, the planes of
//! multi-planar formats, or the only plane. The layout is the same for linear and optimal tiling. In compressed
//! formats, x and y count blocks.
//!
//! Images of compressed formats may have one more plane, which holds the decoded texels. Every transfer into the image
//! ([`crate::memory::transfer`]) updates that plane, so only images that nothing else writes to have it, up to a size
//! limit. The blocks of other images are left to the sampler, which decodes them on access.

use super::{MAX_BYTES, MAX_DIMENSION_2D, MAX_DIMENSION_3D, MAX_LAYERS};
use crate::memory::format::{Aspects, Format, FormatFeatures};
use quadrille_jit::abi::MAX_LEVELS;
use quadrille_jit::error::{Error, Result};

/// Maximum size of decoded texels per image, in bytes: those of wide blocks take 80 times as many bytes as the blocks.
const DECODED_BYTES: u64 = 1 << 30;

/// Dimensionality of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageType {
    /// One-dimensional.
    D1,
    /// Two-dimensional; cubes have six layers each.
    D2,
    /// Three-dimensional.
    D3,
}

/// Properties of an image that determine its layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageDesc {
    /// Dimensionality.
    pub image_type: ImageType,
    /// Format.
    pub format: Format,
    /// Width, height and depth of level 0.
    pub extent: [u32; 3],
    /// Mip levels.
    pub levels: u32,
    /// Array layers.
    pub layers: u32,
    /// Samples per texel: 1, 2, 4, 8 or 16.
    pub samples: u32,
    /// `true` if compressed texels are also kept decoded. Only transfers may write to such an image.
    pub decoded: bool,
    /// `true` if each plane of a multi-planar format has separate memory.
    pub disjoint: bool,
}

/// One level of one plane; offsets are relative to the plane's layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Level {
    offset: u64,
    row_pitch: u64,
    slice_pitch: u64,
    sample_pitch: u64,
}

/// A plane: one aspect of all layers and levels.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Plane {
    aspect: Aspects,
    format: Format,
    offset: u64,
    layer_pitch: u64,
    levels: Vec<Level>,
}

/// Location of a subresource's texels. Offsets are relative to the image's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subresource {
    /// Format of the plane.
    pub format: Format,
    /// Width, height and depth of the level, in texels of the plane.
    pub extent: [u32; 3],
    /// Index of the memory of a disjoint image; 0 for other images.
    pub memory: usize,
    /// Offset of the first texel.
    pub offset: u64,
    /// Size in bytes, including all slices and samples.
    pub size: u64,
    /// Bytes between rows.
    pub row_pitch: u64,
    /// Bytes between slices of 3D images.
    pub slice_pitch: u64,
    /// Bytes between array layers.
    pub layer_pitch: u64,
    /// Bytes between samples.
    pub sample_pitch: u64,
}

/// Locations of all subresources of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageLayout {
    desc: ImageDesc,
    /// Size of the image's memory, in bytes.
    pub size: u64,
    /// Alignment of the image's memory, in bytes.
    pub align: u64,
    /// Size of each memory of a disjoint image.
    disjoint: Vec<u64>,
    planes: Vec<Plane>,
    decoded: Option<Plane>,
    explicit: bool,
}

impl Subresource {
    /// Number of blocks in x, y and z; texels for uncompressed formats.
    pub fn blocks(&self) -> [u32; 3] {
        blocks(self.format, self.extent)
    }
}

/// Location of a plane in an image with an explicit layout. Spec: Vulkan, VkSubresourceLayout of
/// VkImageDrmFormatModifierExplicitCreateInfoEXT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneLayout {
    /// Offset of the first texel in the image's memory.
    pub offset: u64,
    /// Bytes between rows.
    pub row_pitch: u64,
}

/// Number of blocks that cover an extent, in x, y and z; texels for uncompressed formats.
pub fn blocks(format: Format, extent: [u32; 3]) -> [u32; 3] {
    if !format.is_compressed() {
        return extent;
    }
    let block = format.block();
    std::array::from_fn(|c| extent[c].div_ceil(block[c]))
}

/// Extent of a mip level.
pub fn level_extent(extent: [u32; 3], level: u32) -> [u32; 3] {
    extent.map(|e| e.checked_shr(level).unwrap_or(0).max(1))
}

/// Alignment of row pitches, in bytes.
const ROW_ALIGN: u64 = 16;
/// Alignment of images, levels and layers, in bytes.
pub const LEVEL_ALIGN: u64 = 64;
/// Bytes after the last texel, so that loads of a texel may read beyond its end.
const PADDING: u64 = 64;

/// Pitch of a row. It is not a multiple of 1024 bytes, because such rows would fall into few sets of the first-level
/// cache.
fn row_pitch(width: u32, bytes: u32) -> u64 {
    let pitch = (u64::from(width) * u64::from(bytes)).next_multiple_of(ROW_ALIGN);
    if pitch.is_multiple_of(1024) { pitch + 64 } else { pitch }
}

impl ImageDesc {
    /// A 2D image with one level, layer and sample.
    pub fn new_2d(format: Format, width: u32, height: u32) -> Self {
        ImageDesc {
            image_type: ImageType::D2,
            format,
            extent: [width, height, 1],
            levels: 1,
            layers: 1,
            samples: 1,
            decoded: false,
            disjoint: false,
        }
    }

    fn check(&self) -> Result<()> {
        let [w, h, d] = self.extent;
        let limit = if self.image_type == ImageType::D3 { MAX_DIMENSION_3D } else { MAX_DIMENSION_2D };
        let fail = |what: &str| Err(Error::invalid(format!("image {what}: {self:?}")));
        if w == 0 || h == 0 || d == 0 || self.levels == 0 || self.layers == 0 {
            return fail("has no texels");
        }
        if w > limit || h > limit || d > limit || self.layers > MAX_LAYERS {
            return Err(Error::Limit(format!("image extent or layers: {self:?}")));
        }
        if (self.image_type == ImageType::D1 && h != 1) || (self.image_type != ImageType::D3 && d != 1) {
            return fail("extent does not fit its type");
        }
        if self.image_type == ImageType::D3 && self.layers != 1 {
            return fail("is 3D but has layers");
        }
        if self.format.image_features() == FormatFeatures::NONE {
            return Err(Error::unsupported(format!("{} images", self.format.name())));
        }
        let full = 32 - w.max(h).max(d).leading_zeros();
        if self.levels > full || self.levels as usize > MAX_LEVELS {
            return fail("has too many levels");
        }
        if !matches!(self.samples, 1 | 2 | 4 | 8 | 16) {
            return fail("has an invalid sample count");
        }
        if self.samples > 1 && (self.levels > 1 || self.image_type != ImageType::D2) {
            return fail("is multisampled but not 2D with one level");
        }
        if self.samples > 1 && (self.format.is_compressed() || self.format.is_multi_planar()) {
            return fail("is multisampled but has a compressed or multi-planar format");
        }
        if self.image_type == ImageType::D1 && (self.format.block()[1] > 1 || self.format.is_multi_planar()) {
            return fail("is 1D but has a compressed or multi-planar format");
        }
        if self.image_type != ImageType::D3 && self.format.block()[2] > 1 {
            return fail("is not 3D but has a format of blocks of several slices");
        }
        if self.disjoint && !self.format.is_multi_planar() {
            return fail("is disjoint but has one plane");
        }
        Ok(())
    }
}

impl Plane {
    fn new(desc: &ImageDesc, aspect: Aspects, format: Format, offset: u64) -> Plane {
        let mut levels = Vec::new();
        let mut at = 0u64;
        for l in 0..desc.levels {
            let extent = desc.format.plane_extent(aspect, level_extent(desc.extent, l));
            let [w, h, d] = blocks(format, extent);
            let row_pitch = row_pitch(w, format.bytes());
            let slice_pitch = row_pitch * u64::from(h);
            let sample_pitch = (slice_pitch * u64::from(d)).next_multiple_of(LEVEL_ALIGN);
            levels.push(Level { offset: at, row_pitch, slice_pitch, sample_pitch });
            at += sample_pitch * u64::from(desc.samples);
        }
        Plane { aspect, format, offset, layer_pitch: at, levels }
    }

    /// A plane with an explicit layout. Returns `None` if its texels would overlap or be misaligned.
    fn explicit(desc: &ImageDesc, aspect: Aspects, format: Format, at: &PlaneLayout) -> Option<Plane> {
        let extent = desc.format.plane_extent(aspect, desc.extent);
        let [w, h, _] = blocks(format, extent);
        // Size of the largest word that divides a texel, in bytes.
        let word = 1u64 << format.bytes().trailing_zeros();
        let whole = at.offset.is_multiple_of(word) && at.row_pitch.is_multiple_of(word);
        let apart = at.row_pitch >= u64::from(w) * u64::from(format.bytes());
        if !whole || !apart || at.row_pitch > u64::from(u32::MAX) || at.offset > MAX_BYTES {
            return None;
        }
        let row_pitch = at.row_pitch;
        let size = row_pitch * u64::from(h);
        let level = Level { offset: 0, row_pitch, slice_pitch: size, sample_pitch: size };
        Some(Plane { aspect, format, offset: at.offset, layer_pitch: size, levels: vec![level] })
    }

    fn subresource(&self, desc: &ImageDesc, level: u32, layer: u32, memory: usize) -> Option<Subresource> {
        let at = self.levels.get(level as usize)?;
        if layer >= desc.layers {
            return None;
        }
        Some(Subresource {
            format: self.format,
            extent: desc.format.plane_extent(self.aspect, level_extent(desc.extent, level)),
            memory,
            offset: self.offset + u64::from(layer) * self.layer_pitch + at.offset,
            size: at.sample_pitch * u64::from(desc.samples),
            row_pitch: at.row_pitch,
            slice_pitch: at.slice_pitch,
            layer_pitch: self.layer_pitch,
            sample_pitch: at.sample_pitch,
        })
    }
}

impl ImageLayout {
    /// Computes the layout of an image.
    ///
    /// Fails with `Invalid` for impossible extents and with `Limit` for extents that are too large.
    pub fn new(desc: &ImageDesc) -> Result<Self> {
        desc.check()?;
        let mut planes = Vec::new();
        let mut disjoint = Vec::new();
        let mut offset = 0u64;
        for aspect in desc.format.stored_aspects().singles() {
            let Some(format) = desc.format.plane(aspect) else { continue };
            let plane = Plane::new(desc, aspect, format, offset);
            let size = plane.layer_pitch * u64::from(desc.layers);
            if desc.disjoint {
                disjoint.push(size + PADDING);
            } else {
                offset += size;
            }
            planes.push(plane);
        }
        let decoded = (desc.decoded && desc.format.is_compressed())
            .then(|| Plane::new(desc, Aspects::COLOR, desc.format.decoded(), offset))
            .filter(|p| p.layer_pitch * u64::from(desc.layers) <= DECODED_BYTES);
        offset += decoded.as_ref().map_or(0, |p| p.layer_pitch * u64::from(desc.layers));
        // The limits of extents, layers and samples keep all sums and products here far below 2^63.
        let total = offset + disjoint.iter().sum::<u64>();
        if total > MAX_BYTES {
            return Err(Error::Limit(format!("an image of {total} bytes")));
        }
        let size = disjoint.first().copied().unwrap_or(offset + PADDING);
        let (desc, align, explicit) = (*desc, LEVEL_ALIGN, false);
        Ok(ImageLayout { desc, size, align, disjoint, planes, decoded, explicit })
    }

    /// An image of one level, layer and sample whose planes have explicit layouts.
    ///
    /// Fails with `Invalid` for planes that the image lacks or that have an impossible layout, and with `Unsupported`
    /// for other images. There is no padding after the last row: see [`ImageLayout::is_explicit`].
    pub fn explicit(desc: &ImageDesc, planes: &[PlaneLayout]) -> Result<Self> {
        let one = desc.image_type == ImageType::D2 && [desc.levels, desc.layers, desc.samples] == [1; 3];
        if !one || desc.decoded || desc.format.is_depth_stencil() {
            return Err(Error::unsupported(format!("an explicit layout for {desc:?}")));
        }
        let mut layout = ImageLayout::new(desc)?;
        let wrong = || Error::invalid(format!("planes {planes:?} of {desc:?}"));
        if planes.len() != layout.planes.len() {
            return Err(wrong());
        }
        let lie = |(plane, at): (&Plane, &PlaneLayout)| {
            let Plane { aspect, format, .. } = *plane;
            Plane::explicit(desc, aspect, format, at).ok_or_else(wrong)
        };
        layout.planes = layout.planes.iter().zip(planes).map(lie).collect::<Result<_>>()?;
        let ends = layout.planes.iter().map(|p| p.offset + p.layer_pitch);
        match desc.disjoint {
            true => layout.disjoint = ends.collect(),
            false => layout.size = ends.fold(0, u64::max),
        }
        let total = layout.sizes().iter().fold(0, |sum: u64, size| sum.saturating_add(*size));
        if total > MAX_BYTES {
            return Err(Error::Limit(format!("an image of {total} bytes")));
        }
        layout.size = layout.sizes()[0];
        layout.explicit = true;
        Ok(layout)
    }

    /// True for explicit layouts. Their size includes no padding, although loads of the last texel may read beyond its
    /// end.
    pub fn is_explicit(&self) -> bool {
        self.explicit
    }

    /// Size in bytes of each plane's memory for a disjoint image, else of the image's memory.
    pub fn sizes(&self) -> &[u64] {
        if self.disjoint.is_empty() { std::slice::from_ref(&self.size) } else { &self.disjoint }
    }

    /// The image that this layout was computed for.
    pub fn desc(&self) -> &ImageDesc {
        &self.desc
    }

    /// Location of a subresource; `aspect` must be a single aspect. `None` if there is no such subresource.
    pub fn subresource(&self, aspect: Aspects, level: u32, layer: u32) -> Option<Subresource> {
        let i = self.planes.iter().position(|p| p.aspect == aspect)?;
        let memory = if self.disjoint.is_empty() { 0 } else { i };
        self.planes[i].subresource(&self.desc, level, layer, memory)
    }

    /// Location of the decoded texels of a subresource, if they are kept.
    pub fn decoded(&self, level: u32, layer: u32) -> Option<Subresource> {
        self.decoded.as_ref()?.subresource(&self.desc, level, layer, 0)
    }

    /// The aspects, depth before stencil.
    pub fn aspects(&self) -> impl Iterator<Item = Aspects> + '_ {
        self.planes.iter().map(|p| p.aspect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subresources_do_not_overlap_and_fit() {
        let descs = [
            ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 33, 17),
            ImageDesc { levels: 6, layers: 3, ..ImageDesc::new_2d(Format::R8_UNORM, 33, 17) },
            ImageDesc { samples: 4, layers: 2, ..ImageDesc::new_2d(Format::D32_SFLOAT_S8_UINT, 9, 5) },
            ImageDesc {
                image_type: ImageType::D3,
                format: Format::R32G32B32A32_SFLOAT,
                extent: [8, 4, 16],
                levels: 5,
                ..ImageDesc::new_2d(Format::R8_UNORM, 1, 1)
            },
            ImageDesc {
                levels: 6,
                layers: 2,
                decoded: true,
                ..ImageDesc::new_2d(Format::ASTC_10x6_UNORM_BLOCK, 33, 17)
            },
            ImageDesc::new_2d(Format::G8_B8_R8_3PLANE_420_UNORM, 33, 17),
        ];
        for desc in descs {
            let layout = ImageLayout::new(&desc).unwrap();
            let mut ranges = Vec::new();
            for aspect in layout.aspects() {
                for level in 0..desc.levels {
                    for layer in 0..desc.layers {
                        let s = layout.subresource(aspect, level, layer).unwrap();
                        let [w, h, d] = s.blocks();
                        assert!(s.row_pitch >= u64::from(w * s.format.bytes()));
                        assert!(s.slice_pitch >= s.row_pitch * u64::from(h));
                        assert!(s.size >= s.slice_pitch * u64::from(d * desc.samples));
                        assert!(s.offset.is_multiple_of(64));
                        ranges.push((s.offset, s.offset + s.size));
                        let decoded = layout.decoded(level, layer);
                        assert_eq!(decoded.is_some(), desc.decoded);
                        ranges.extend(decoded.map(|s| (s.offset, s.offset + s.size)));
                    }
                }
            }
            ranges.sort_unstable();
            assert!(ranges.windows(2).all(|w| w[0].1 <= w[1].0), "{ranges:?}");
            assert!(ranges.last().unwrap().1 <= layout.size);
        }
    }

    #[test]
    fn layouts_from_outside_are_kept_or_refused() {
        let desc = ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 33, 17);
        let at = |offset, row_pitch| PlaneLayout { offset, row_pitch };
        let layout = ImageLayout::explicit(&desc, &[at(12, 140)]).unwrap();
        let s = layout.subresource(Aspects::COLOR, 0, 0).unwrap();
        assert_eq!((s.offset, s.row_pitch, layout.size), (12, 140, 12 + 17 * 140));
        for wrong in [
            vec![],
            vec![at(0, 256); 2],
            vec![at(0, 128)],
            vec![at(2, 132)],
            vec![at(0, 134)],
            vec![at(u64::MAX - 3, 132)],
            vec![at(0, u64::MAX - 3)],
        ] {
            assert!(ImageLayout::explicit(&desc, &wrong).is_err(), "{wrong:?}");
        }
        assert!(ImageLayout::explicit(&ImageDesc { layers: 2, ..desc }, &[at(0, 256)]).is_err());
        let planar = ImageDesc::new_2d(Format::G8_B8R8_2PLANE_420_UNORM, 32, 16);
        let layout = ImageLayout::explicit(&planar, &[at(0, 64), at(64 * 16, 64)]).unwrap();
        let chroma = layout.subresource(Aspects::PLANES[1], 0, 0).unwrap();
        assert_eq!((chroma.offset, chroma.extent, layout.size), (1024, [16, 8, 1], 1024 + 512));
        let disjoint = ImageDesc { disjoint: true, ..planar };
        let layout = ImageLayout::explicit(&disjoint, &[at(0, 64), at(64, 32)]).unwrap();
        assert_eq!(layout.sizes(), [1024, 64 + 256]);
    }

    #[test]
    fn decoded_texels_of_the_largest_images_are_not_kept() {
        let of = |extent| {
            let astc = ImageDesc::new_2d(Format::ASTC_12x12_UNORM_BLOCK, 1, 1);
            ImageLayout::new(&ImageDesc { image_type: ImageType::D3, extent, decoded: true, ..astc }).unwrap()
        };
        let (small, large) = (of([120, 120, 16]), of([1728, 1728, 96]));
        assert!(small.decoded(0, 0).is_some());
        assert!(large.decoded(0, 0).is_none());
        // 144 by 144 blocks of 16 bytes in each of 96 slices.
        let blocks = 144 * 144 * 96 * 16;
        assert!(large.size >= blocks && large.size < 2 * blocks, "{}", large.size);
    }

    #[test]
    fn impossible_images_are_refused() {
        let base = ImageDesc::new_2d(Format::R8_UNORM, 4, 4);
        for bad in [
            ImageDesc { extent: [0, 1, 1], ..base },
            ImageDesc { extent: [4, 4, 2], ..base },
            ImageDesc { extent: [u32::MAX, 1, 1], ..base },
            ImageDesc { levels: 4, ..base },
            ImageDesc { levels: 0, ..base },
            ImageDesc { layers: u32::MAX, ..base },
            ImageDesc { samples: 3, ..base },
            ImageDesc { samples: 4, levels: 2, ..base },
        ] {
            assert!(ImageLayout::new(&bad).is_err(), "{bad:?}");
        }
    }
}
