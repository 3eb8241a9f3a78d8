//! Texel formats: the meaning of a texel's bytes.
//!
//! One table ([`FORMATS`]) has one row per format; sizes, components, numeric types, aspects and feature bits derive
//! from it. [`Format::unpack`] and [`Format::pack`] are the scalar conversions, with which every faster kernel must
//! agree bit by bit.
//!
//! For compressed formats the table has the size of a block and the format into which [`compressed`] decodes it; for
//! multi-planar formats, the formats of their planes.
//!
//! # Conversion rules
//!
//! * UNORM and SNORM to float: `v / (2^n - 1)`, `max(v / (2^(n-1) - 1), -1)`, correctly rounded up to 16 bits; 24 bits
//!   go through `f64`.
//! * Float to UNORM and SNORM: NaN is 0, clamp, multiply in `f32` (24 bits: `f64`), round to nearest, ties to even.
//! * sRGB: reading gives the nearest `f32`; writing gives the code nearest to the exact curve.
//! * 16-bit floats: round to nearest even, overflow to infinity. 11- and 10-bit floats: negative values give 0, finite
//!   overflow the largest finite value. NaN stays NaN.
//! * Integers are clamped to the format's range when packed; clear values are cast, which keeps their low bits.
//!
//! Spec: Vulkan, "Conversion From Floating-Point to Normalized Fixed-Point" (fundamentals-fixedfpconv).
//!
//! Left to others: the address of texels in memory ([`crate::memory::image`]), filtering ([`crate::sampling`]).

pub mod compressed;
pub mod convert;
mod feature;
pub mod lane;
pub mod srgb;
mod srgb_table;
mod table;
mod texel;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod values;

pub use compressed::Codec;
pub use feature::FormatFeatures;
pub use table::{FORMATS, Format};
pub use texel::{MAX_TEXEL_BYTES, Texel};

/// Numeric type of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Numeric {
    /// Unsigned normalized to [0, 1].
    Unorm,
    /// Signed normalized to [-1, 1].
    Snorm,
    /// Unsigned integer converted to float.
    Uscaled,
    /// Signed integer converted to float.
    Sscaled,
    /// Unsigned integer.
    Uint,
    /// Signed integer.
    Sint,
    /// Unsigned floats of 10 and 11 bits.
    Ufloat,
    /// IEEE-754 binary16, binary32 or binary64.
    Sfloat,
    /// sRGB in R, G and B, UNORM in A; always 8 bits.
    Srgb,
    /// Nine-bit mantissas with a shared exponent.
    SharedExp,
}

impl Numeric {
    /// True if shaders see integers.
    pub fn is_integer(self) -> bool {
        matches!(self, Numeric::Uint | Numeric::Sint)
    }
}

/// Bit field of a component in the little-endian word of a texel; `bits` is 0 if the component is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Lowest bit.
    pub shift: u8,
    /// Number of bits.
    pub bits: u8,
}

/// Set of aspects; sets combine with `|`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Aspects(pub u32);

impl Aspects {
    /// Colour.
    pub const COLOR: Aspects = Aspects(1);
    /// Depth.
    pub const DEPTH: Aspects = Aspects(2);
    /// Stencil.
    pub const STENCIL: Aspects = Aspects(4);
    /// Depth and stencil.
    pub const DEPTH_STENCIL: Aspects = Aspects(6);
    /// The planes of multi-planar formats.
    pub const PLANES: [Aspects; 3] = [Aspects(0x10), Aspects(0x20), Aspects(0x40)];

    /// Iterates over the single aspects of the set, depth before stencil.
    pub fn singles(self) -> impl Iterator<Item = Aspects> {
        (0..7).map(|bit| Aspects(1 << bit)).filter(move |&a| self.contains(a))
    }

    /// True if all of `other` are in `self`.
    pub const fn contains(self, other: Aspects) -> bool {
        self.0 & other.0 == other.0
    }
}

/// The block of a compressed format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Width in texels.
    pub width: u8,
    /// Height in texels.
    pub height: u8,
    /// Slices; more than one for blocks of 3D images only.
    pub depth: u8,
    /// Encoding of the texels.
    pub codec: Codec,
    /// Format of the decoded texels.
    pub decoded: Format,
}

/// A plane of a multi-planar format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaneInfo {
    /// Format of the plane.
    pub format: Format,
    /// Binary logarithms of the number of image texels, in x and y, that share one texel of the plane.
    pub shift: [u8; 2],
}

/// A row of the format table.
#[derive(Clone, Copy, Debug)]
pub struct FormatInfo {
    /// The format.
    pub format: Format,
    /// `VK_FORMAT_` name without the prefix.
    pub name: &'static str,
    /// Numeric type (depth for depth formats).
    pub numeric: Numeric,
    /// Bytes of a texel or block (of the depth plane for depth formats).
    pub bytes: u32,
    /// Aspects.
    pub aspects: Aspects,
    /// R, G, B, A; depth or stencil in place of R.
    pub fields: [Field; 4],
    /// Block of compressed formats.
    pub block: Option<Block>,
    /// Planes of multi-planar formats; empty for others.
    pub planes: &'static [PlaneInfo],
}

impl FormatInfo {
    /// Number of components present.
    pub fn components(&self) -> u32 {
        self.fields.iter().filter(|f| f.bits != 0).count() as u32
    }
    /// True for formats with 64-bit components. Vertex input and storage images copy the components as pairs of words,
    /// the low one first, without conversion.
    pub fn is_64_bit(&self) -> bool {
        self.fields[0].bits == 64 || self.has_64_bit_texels()
    }
    /// True for formats of one or two 64-bit integers.
    pub fn has_64_bit_texels(&self) -> bool {
        use Format as F;
        matches!(self.format, F::R64_UINT | F::R64_SINT | F::R64G64_UINT | F::R64G64_SINT)
    }
    /// True for formats with separate luma and chroma: in planes, or in pairs of texels that share chroma.
    pub fn is_ycbcr(&self) -> bool {
        !self.planes.is_empty() || self.block.is_some_and(|b| b.codec.is_422())
    }
    /// True for four components of 8 bits, in any order.
    pub fn is_rgba8(&self) -> bool {
        self.bytes == 4 && self.fields.iter().all(|f| f.bits == 8)
    }
    /// True if every component has `bits` bits and they lie in memory in the order R, G, B, A.
    pub fn is_plain(&self, bits: u8) -> bool {
        let n = self.components() as usize;
        (0..n).all(|c| self.fields[c].bits == bits && self.fields[c].shift == c as u8 * bits)
    }
}

/// First number of private formats, which Vulkan does not define.
const PRIVATE: u32 = 0x7f00_0000;

/// Index into [`FORMATS`] by format number below 185; 255 for missing formats.
static INDEX: [u8; 185] = {
    let mut index = [255; 185];
    let mut i = 0;
    while i < FORMATS.len() {
        let number = FORMATS[i].format as usize;
        if number < index.len() {
            index[number] = i as u8;
        }
        i += 1;
    }
    index
};

fn row_of(number: u32) -> Option<&'static FormatInfo> {
    match INDEX.get(number as usize) {
        Some(255) => None,
        Some(&i) => Some(&FORMATS[i as usize]),
        None => {
            let i = FORMATS.binary_search_by_key(&number, |r| r.format as u32).ok()?;
            Some(&FORMATS[i])
        }
    }
}

impl Format {
    /// The format of this `VkFormat` number, if the table has it.
    pub fn from_vk(number: u32) -> Option<Format> {
        row_of(number).map(|r| r.format).filter(|_| number < PRIVATE)
    }
    /// The `VkFormat` number.
    pub fn vk(self) -> u32 {
        self as u32
    }
    /// The format's row.
    pub fn info(self) -> &'static FormatInfo {
        row_of(self as u32).unwrap_or(&FORMATS[0])
    }
    /// Name without the `VK_FORMAT_` prefix.
    pub fn name(self) -> &'static str {
        self.info().name
    }
    /// Bytes per texel or block (of the depth plane for combined depth-stencil formats).
    pub fn bytes(self) -> u32 {
        self.info().bytes
    }
    /// Width, height and depth of a block in texels; 1 for uncompressed formats.
    pub fn block(self) -> [u32; 3] {
        self.info().block.map_or([1; 3], |b| [b.width, b.height, b.depth].map(u32::from))
    }
    /// True for formats stored in blocks of texels.
    pub fn is_compressed(self) -> bool {
        self.info().block.is_some()
    }
    /// The format of decoded blocks; for uncompressed formats, the format itself.
    pub fn decoded(self) -> Format {
        self.info().block.map_or(self, |b| b.decoded)
    }
    /// True for formats with several colour planes.
    pub fn is_multi_planar(self) -> bool {
        !self.info().planes.is_empty()
    }
    /// Index of the colour plane that an aspect selects.
    fn plane_number(self, aspect: Aspects) -> Option<usize> {
        let n = Aspects::PLANES.iter().position(|&a| a == aspect)?;
        (n < self.info().planes.len()).then_some(n)
    }
    /// Extent of an aspect's plane, computed from that of the whole level.
    pub fn plane_extent(self, aspect: Aspects, [w, h, d]: [u32; 3]) -> [u32; 3] {
        let shift = self.plane_number(aspect).map_or([0; 2], |n| self.info().planes[n].shift);
        [w.div_ceil(1 << shift[0]), h.div_ceil(1 << shift[1]), d]
    }
    /// The aspects that are stored separately: planes of multi-planar formats, depth and stencil, or colour.
    pub fn stored_aspects(self) -> Aspects {
        match self.info().planes.len() {
            0 => self.aspects(),
            2 => Aspects(0x30),
            _ => Aspects(0x70),
        }
    }
    /// The format's aspects.
    pub fn aspects(self) -> Aspects {
        self.info().aspects
    }
    /// True for sRGB formats.
    pub fn is_srgb(self) -> bool {
        self.info().numeric == Numeric::Srgb
    }
    /// True if shaders see integers (false for depth formats with stencil).
    pub fn is_integer(self) -> bool {
        self.info().numeric.is_integer()
    }
    /// True if logical operations apply to attachments of the format. Spec: Vulkan, "Logical Operations".
    pub fn has_logic_ops(self) -> bool {
        matches!(self.info().numeric, Numeric::Unorm | Numeric::Snorm | Numeric::Uint | Numeric::Sint)
    }
    /// True for formats with a depth or stencil aspect.
    pub fn is_depth_stencil(self) -> bool {
        self.aspects() != Aspects::COLOR
    }
    /// The format of one plane: the depth or the stencil part of a combined format, a plane of a multi-planar one, or
    /// else the format itself. `None` if the format has no such aspect, or if `aspect` is not a single aspect.
    pub fn plane(self, aspect: Aspects) -> Option<Format> {
        if let Some(n) = self.plane_number(aspect) {
            return Some(self.info().planes[n].format);
        }
        if !self.aspects().contains(aspect) {
            return None;
        }
        match aspect {
            Aspects::COLOR => Some(self),
            Aspects::STENCIL => Some(Format::S8_UINT),
            Aspects::DEPTH => Some(match self {
                Format::D16_UNORM_S8_UINT => Format::D16_UNORM,
                Format::D24_UNORM_S8_UINT => Format::X8_D24_UNORM_PACK32,
                Format::D32_SFLOAT_S8_UINT => Format::D32_SFLOAT,
                f => f,
            }),
            _ => None,
        }
    }
    /// For sRGB formats, the UNORM format with the same layout; for others, the format itself.
    pub fn without_srgb(self) -> Format {
        let row = self.info();
        if row.numeric != Numeric::Srgb {
            return self;
        }
        let codec = |r: &FormatInfo| r.block.map(|b| b.codec);
        let same = |r: &&FormatInfo| {
            r.numeric == Numeric::Unorm
                && r.bytes == row.bytes
                && r.fields == row.fields
                && codec(r) == codec(row)
        };
        FORMATS.iter().find(same).map_or(self, |r| r.format)
    }
    /// True if copies between the two formats copy texels byte by byte: both are colour formats with texels or blocks
    /// of the same size, or both are the same depth-stencil format.
    ///
    /// Spec: Vulkan, "Size Compatible" (formats-size-compatibility).
    pub fn is_copy_compatible(self, other: Format) -> bool {
        let colour = self.aspects() == Aspects::COLOR && other.aspects() == Aspects::COLOR;
        self == other || (colour && self.bytes() == other.bytes())
    }
    /// True if copies between the two formats copy texels byte by byte because one is depth or stencil alone, and the
    /// other a colour format of one component.
    ///
    /// Spec: Vulkan, "Compatible Formats for Depth-Stencil to/from Color Copies".
    pub fn is_copied_as_depth_stencil(self, other: Format) -> bool {
        let one_way = |plane: Format, colour: Format| {
            (plane.aspects() == Aspects::DEPTH || plane.aspects() == Aspects::STENCIL)
                && colour.aspects() == Aspects::COLOR
                && !colour.is_compressed()
                && colour.info().components() == 1
                && plane.bytes() == colour.bytes()
        };
        one_way(self, other) || one_way(other, self)
    }
    /// True if a view of this format may show an image of format `image`: the formats are equal, or both are colour
    /// formats of one class. Views of compressed images may show blocks as texels, unless a block has several slices.
    ///
    /// Spec: Vulkan, "Format Compatibility Classes" (formats-compatibility).
    pub fn is_view_compatible(self, image: Format) -> bool {
        let class = |f: Format| f.info().block.map(|b| (b.codec.class(), b.width, b.height, b.depth));
        self == image
            || (self.is_copy_compatible(image)
                && !self.is_multi_planar()
                && !image.is_multi_planar()
                && (class(self) == class(image) || (class(self).is_none() && image.block()[2] == 1)))
    }
}
