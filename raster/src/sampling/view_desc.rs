//! Description of an image view: its dimensionality, format, component mapping and range.
//!
//! Left to others: compatibility with the image, and the location of the texels ([`super::view`]).

use crate::memory::format::{Aspects, Format};

/// Dimensionality of a view; the names are those of `VkImageViewType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkImageViewType")]
pub enum ViewDim {
    D1,
    D2,
    D3,
    Cube,
    D1Array,
    D2Array,
    CubeArray,
    /// A texel buffer.
    Buffer,
    /// The null descriptor.
    Null,
}

impl ViewDim {
    /// True for arrays.
    pub fn is_array(self) -> bool {
        matches!(self, ViewDim::D1Array | ViewDim::D2Array | ViewDim::CubeArray)
    }
    /// True for cubes and cube arrays.
    pub fn is_cube(self) -> bool {
        matches!(self, ViewDim::Cube | ViewDim::CubeArray)
    }
}

/// Source of a component that a shader reads; the values are those of `VkComponentSwizzle`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of VkComponentSwizzle")]
#[repr(u32)]
pub enum Swizzle {
    #[default]
    Identity = 0,
    Zero = 1,
    One = 2,
    R = 3,
    G = 4,
    B = 5,
    A = 6,
}

impl Swizzle {
    /// Returns the swizzle with this `VkComponentSwizzle` number.
    pub fn from_vk(v: u32) -> Option<Swizzle> {
        use Swizzle::*;
        [Identity, Zero, One, R, G, B, A].get(v as usize).copied()
    }
    /// Source of component `c`, with `Identity` resolved.
    pub(crate) fn resolved(self, c: usize) -> Swizzle {
        match self {
            Swizzle::Identity => [Swizzle::R, Swizzle::G, Swizzle::B, Swizzle::A][c],
            s => s,
        }
    }
}

/// The part of an image that a view shows, and its interpretation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewDesc {
    /// Dimensionality.
    pub dim: ViewDim,
    /// Format of the texels: the image's or, for colour, one of its class. An uncompressed format shows the blocks of a
    /// compressed image as texels.
    pub format: Format,
    /// A single aspect; colour for all planes of a multi-planar format.
    pub aspect: Aspects,
    /// Component mapping.
    pub swizzle: [Swizzle; 4],
    /// First level.
    pub base_level: u32,
    /// Number of levels.
    pub levels: u32,
    /// First layer.
    pub base_layer: u32,
    /// Number of layers (faces for cubes).
    pub layers: u32,
    /// First slice and number of slices (`u32::MAX` for all remaining ones), for 3D views of one level.
    pub slices: [u32; 2],
    /// Minimum accessible level (`VK_EXT_image_view_min_lod`), relative to the image.
    pub min_lod: f32,
}

/// Number of words of [`ViewDesc::words`].
pub const VIEW_WORDS: usize = 14;

impl ViewDesc {
    /// All of the description, as the key of a map.
    pub fn words(&self) -> [u32; VIEW_WORDS] {
        let ViewDesc {
            dim,
            format,
            aspect,
            swizzle: [r, g, b, a],
            base_level,
            levels,
            base_layer,
            layers,
            slices: [first, slices],
            min_lod,
        } = *self;
        let [r, g, b, a] = [r, g, b, a].map(|of| of as u32);
        let (dim, format, lod) = (dim as u32, format as u32, min_lod.to_bits());
        [dim, format, aspect.0, r, g, b, a, base_level, levels, base_layer, layers, first, slices, lod]
    }

    /// A 2D view of level 0, layer 0, with identity mapping.
    pub fn new_2d(format: Format) -> Self {
        let aspect = match format.aspects() {
            Aspects::DEPTH_STENCIL => Aspects::DEPTH,
            a => a,
        };
        ViewDesc {
            dim: ViewDim::D2,
            format,
            aspect,
            swizzle: [Swizzle::Identity; 4],
            base_level: 0,
            levels: 1,
            base_layer: 0,
            layers: 1,
            slices: [0, u32::MAX],
            min_lod: 0.0,
        }
    }
}
