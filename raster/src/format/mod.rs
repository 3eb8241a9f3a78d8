//! Texel formats: what a texel's bytes mean.
//!
//! One table ([`FORMATS`]) has one row per format; sizes, components, numeric types, aspects and
//! feature bits derive from it. [`Format::unpack`] and [`Format::pack`] are the scalar conversions,
//! which every faster kernel must agree with bit by bit.
//!
//! Left to others: where texels are in memory ([`crate::image`]), filtering ([`crate::sampler`]).
//!
//! # Conversion rules
//!
//! * UNORM and SNORM to float: `v / (2^n - 1)`, `max(v / (2^(n-1) - 1), -1)`, correctly rounded up
//!   to 16 bits; 24 bits go through `f64`.
//! * Float to UNORM and SNORM: NaN is 0, clamp, multiply in `f32` (24 bits: `f64`), round to
//!   nearest, ties to even.
//! * sRGB: reading gives the nearest `f32`; writing gives the code nearest to the exact curve.
//! * 16-bit floats: round to nearest even, overflow to infinity. 11- and 10-bit floats: negative
//!   values give 0, finite overflow the largest finite value. NaN stays NaN.
//! * Integers are clamped to the format's range when packed.
//!
//! Spec: Vulkan, "Conversion From Floating-Point to Normalized Fixed-Point" (fundamentals-fixedfpconv).

pub mod convert;
mod feature;
pub mod srgb;
mod srgb_table;
mod table;
mod texel;

#[cfg(test)]
mod tests;

pub use feature::FormatFeatures;
pub use table::{FORMATS, Format};
pub use texel::Texel;

/// What the bits of a component stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Numeric {
    /// Unsigned normalized to [0, 1].
    Unorm,
    /// Signed normalized to [-1, 1].
    Snorm,
    /// Unsigned integer read as float.
    Uscaled,
    /// Signed integer read as float.
    Sscaled,
    /// Unsigned integer.
    Uint,
    /// Signed integer.
    Sint,
    /// Unsigned floats of 10 and 11 bits.
    Ufloat,
    /// IEEE-754 binary16 or binary32.
    Sfloat,
    /// sRGB in R, G and B, UNORM in A; always 8 bits.
    Srgb,
    /// Nine-bit mantissas with a shared exponent.
    SharedExp,
}

impl Numeric {
    /// True where shaders see integers.
    pub fn is_integer(self) -> bool {
        matches!(self, Numeric::Uint | Numeric::Sint)
    }
}

/// Position of a component in the little-endian word of a texel; `bits` is 0 if it is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Lowest bit.
    pub shift: u8,
    /// Number of bits.
    pub bits: u8,
}

/// Which aspects a format has; values combine with `|`.
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

    /// True if all of `other` are in `self`.
    pub const fn contains(self, other: Aspects) -> bool {
        self.0 & other.0 == other.0
    }
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct FormatInfo {
    /// The format.
    pub format: Format,
    /// `VK_FORMAT_` name without the prefix.
    pub name: &'static str,
    /// Numeric type (depth for depth formats).
    pub numeric: Numeric,
    /// Bytes of a texel (of the depth plane for depth formats).
    pub bytes: u32,
    /// Aspects.
    pub aspects: Aspects,
    /// R, G, B, A; depth or stencil in the place of R.
    pub fields: [Field; 4],
}

impl FormatInfo {
    /// Number of components present.
    pub fn components(&self) -> u32 {
        self.fields.iter().filter(|f| f.bits != 0).count() as u32
    }
    /// Four components of 8 bits, in any order.
    pub fn is_rgba8(&self) -> bool {
        self.bytes == 4 && self.fields.iter().all(|f| f.bits == 8)
    }
    /// Every component is `bits` wide and they lie in memory in the order R, G, B, A.
    pub fn is_plain(&self, bits: u8) -> bool {
        let n = self.components() as usize;
        (0..n).all(|c| self.fields[c].bits == bits && self.fields[c].shift == c as u8 * bits)
    }
}

/// Index into [`FORMATS`] by format number below 131, 255 where there is none.
static INDEX: [u8; 131] = {
    let mut index = [255; 131];
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
        None => FORMATS.iter().find(|r| r.format as u32 == number),
    }
}

impl Format {
    /// The format of this `VkFormat` number, if the table has it.
    pub fn from_vk(number: u32) -> Option<Format> {
        row_of(number).map(|r| r.format)
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
    /// Bytes per texel (of the depth plane for combined depth-stencil formats).
    pub fn bytes(self) -> u32 {
        self.info().bytes
    }
    /// Aspects.
    pub fn aspects(self) -> Aspects {
        self.info().aspects
    }
    /// True for sRGB formats.
    pub fn is_srgb(self) -> bool {
        self.info().numeric == Numeric::Srgb
    }
    /// True where shaders see integers (not for depth formats with stencil).
    pub fn is_integer(self) -> bool {
        self.info().numeric.is_integer()
    }
    /// True for formats with a depth or stencil aspect.
    pub fn is_depth_stencil(self) -> bool {
        self.aspects() != Aspects::COLOR
    }
    /// The format of one plane: the depth or the stencil part of a combined format, itself otherwise.
    /// `None` if the format has no such aspect or `aspect` is not a single one.
    pub fn plane(self, aspect: Aspects) -> Option<Format> {
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
    /// The sRGB format's linear twin (same bits read as UNORM), others themselves.
    pub fn without_srgb(self) -> Format {
        let row = self.info();
        if row.numeric != Numeric::Srgb {
            return self;
        }
        FORMATS
            .iter()
            .find(|r| r.numeric == Numeric::Unorm && r.bytes == row.bytes && r.fields == row.fields)
            .map_or(self, |r| r.format)
    }
    /// Texels of the two formats are copied to one another byte by byte (same texel size, both colour,
    /// or the same depth-stencil format).
    pub fn is_compatible(self, other: Format) -> bool {
        let colour = self.aspects() == Aspects::COLOR && other.aspects() == Aspects::COLOR;
        self == other || (colour && self.bytes() == other.bytes())
    }
}
