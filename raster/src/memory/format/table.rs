//! The table of texel formats: one row per format, from which everything else derives.
//!
//! A row is `NAME = VkFormat number, numeric type, bytes per texel, aspects, [R, G, B, A]` where each component is
//! `(lowest bit, bits)` in the little-endian word of the whole texel, or `N`. Depth takes the place of R. For formats
//! with both depth and stencil, the row describes the depth plane; the stencil plane always has one byte per texel.
//!
//! Formats of one or two 64-bit integers, which images support, have a field for each 32-bit half. Other formats with
//! 64-bit components are for vertices only.
//!
//! Rows of compressed formats end with `block(width, height, codec, decoded format)`, with the depth after the height if a
//! block has several slices; their bytes are those of a block, their numeric type and components those that shaders see. Rows of multi-planar formats end with `planes[(format,
//! log2 of the horizontal and the vertical division)]` in the order of the planes; their components are sizes only. The
//! last rows are private formats, into which blocks without an alpha channel are decoded.
//!
//! Deriving properties from the rows is left to the parent module.
//!
//! Spec: Vulkan, "Format Definition" (formats-definition).

use super::{Aspects, Block, Codec, Field, FormatInfo, Numeric, PlaneInfo};

const N: Field = Field { shift: 0, bits: 0 };

const fn f(shift: u8, bits: u8) -> Field {
    Field { shift, bits }
}

/// Components of decoded blocks, and of multi-planar formats.
const R: [Field; 4] = [f(0, 16), N, N, N];
const RG: [Field; 4] = [f(0, 16), f(16, 16), N, N];
const RGB8: [Field; 4] = [f(0, 8), f(8, 8), f(16, 8), N];
const RGBA8: [Field; 4] = [f(0, 8), f(8, 8), f(16, 8), f(24, 8)];
const RGB16: [Field; 4] = [f(0, 16), f(16, 16), f(32, 16), N];
const RGBA16: [Field; 4] = [f(0, 16), f(16, 16), f(32, 16), f(48, 16)];

macro_rules! block_of {
    (block($w:literal, $h:literal, $codec:ident, $decoded:ident)) => {
        block_of!(block($w, $h, 1, $codec, $decoded))
    };
    (block($w:literal, $h:literal, $d:literal, $codec:ident, $decoded:ident)) => {
        Some(Block { width: $w, height: $h, depth: $d, codec: Codec::$codec, decoded: Format::$decoded })
    };
    ($($other:tt)*) => {
        None
    };
}

macro_rules! planes_of {
    (planes[$(($format:ident, $x:literal, $y:literal)),*]) => {
        &[$(PlaneInfo { format: Format::$format, shift: [$x, $y] },)*]
    };
    ($($other:tt)*) => { &[] };
}

macro_rules! formats {
    ($($name:ident = $vk:literal, $numeric:ident, $bytes:literal, $aspects:ident, $fields:expr
        $(, $kind:ident $more:tt)?;)*) => {
        /// A texel format; the discriminant is the `VkFormat` number.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[expect(non_camel_case_types, missing_docs, reason = "the names are those of VkFormat")]
        #[repr(u32)]
        pub enum Format { $($name = $vk,)* }

        /// All rows, in the order of their numbers.
        pub static FORMATS: &[FormatInfo] = &[$(FormatInfo {
            format: Format::$name,
            name: stringify!($name),
            numeric: Numeric::$numeric,
            bytes: $bytes,
            aspects: Aspects::$aspects,
            fields: $fields,
            block: block_of!($($kind $more)?),
            planes: planes_of!($($kind $more)?),
        },)*];
    };
}

#[rustfmt::skip]
formats! {
    R4G4_UNORM_PACK8 = 1, Unorm, 1, COLOR, [f(4, 4), f(0, 4), N, N];
    R4G4B4A4_UNORM_PACK16 = 2, Unorm, 2, COLOR, [f(12, 4), f(8, 4), f(4, 4), f(0, 4)];
    B4G4R4A4_UNORM_PACK16 = 3, Unorm, 2, COLOR, [f(4, 4), f(8, 4), f(12, 4), f(0, 4)];
    R5G6B5_UNORM_PACK16 = 4, Unorm, 2, COLOR, [f(11, 5), f(5, 6), f(0, 5), N];
    B5G6R5_UNORM_PACK16 = 5, Unorm, 2, COLOR, [f(0, 5), f(5, 6), f(11, 5), N];
    R5G5B5A1_UNORM_PACK16 = 6, Unorm, 2, COLOR, [f(11, 5), f(6, 5), f(1, 5), f(0, 1)];
    B5G5R5A1_UNORM_PACK16 = 7, Unorm, 2, COLOR, [f(1, 5), f(6, 5), f(11, 5), f(0, 1)];
    A1R5G5B5_UNORM_PACK16 = 8, Unorm, 2, COLOR, [f(10, 5), f(5, 5), f(0, 5), f(15, 1)];
    R8_UNORM = 9, Unorm, 1, COLOR, [f(0, 8), N, N, N];
    R8_SNORM = 10, Snorm, 1, COLOR, [f(0, 8), N, N, N];
    R8_USCALED = 11, Uscaled, 1, COLOR, [f(0, 8), N, N, N];
    R8_SSCALED = 12, Sscaled, 1, COLOR, [f(0, 8), N, N, N];
    R8_UINT = 13, Uint, 1, COLOR, [f(0, 8), N, N, N];
    R8_SINT = 14, Sint, 1, COLOR, [f(0, 8), N, N, N];
    R8_SRGB = 15, Srgb, 1, COLOR, [f(0, 8), N, N, N];
    R8G8_UNORM = 16, Unorm, 2, COLOR, [f(0, 8), f(8, 8), N, N];
    R8G8_SNORM = 17, Snorm, 2, COLOR, [f(0, 8), f(8, 8), N, N];
    R8G8_USCALED = 18, Uscaled, 2, COLOR, [f(0, 8), f(8, 8), N, N];
    R8G8_SSCALED = 19, Sscaled, 2, COLOR, [f(0, 8), f(8, 8), N, N];
    R8G8_UINT = 20, Uint, 2, COLOR, [f(0, 8), f(8, 8), N, N];
    R8G8_SINT = 21, Sint, 2, COLOR, [f(0, 8), f(8, 8), N, N];
    R8G8_SRGB = 22, Srgb, 2, COLOR, [f(0, 8), f(8, 8), N, N];
    R8G8B8_UNORM = 23, Unorm, 3, COLOR, [f(0, 8), f(8, 8), f(16, 8), N];
    R8G8B8_SNORM = 24, Snorm, 3, COLOR, [f(0, 8), f(8, 8), f(16, 8), N];
    R8G8B8_USCALED = 25, Uscaled, 3, COLOR, [f(0, 8), f(8, 8), f(16, 8), N];
    R8G8B8_SSCALED = 26, Sscaled, 3, COLOR, [f(0, 8), f(8, 8), f(16, 8), N];
    R8G8B8_UINT = 27, Uint, 3, COLOR, [f(0, 8), f(8, 8), f(16, 8), N];
    R8G8B8_SINT = 28, Sint, 3, COLOR, [f(0, 8), f(8, 8), f(16, 8), N];
    R8G8B8_SRGB = 29, Srgb, 3, COLOR, [f(0, 8), f(8, 8), f(16, 8), N];
    B8G8R8_UNORM = 30, Unorm, 3, COLOR, [f(16, 8), f(8, 8), f(0, 8), N];
    B8G8R8_SNORM = 31, Snorm, 3, COLOR, [f(16, 8), f(8, 8), f(0, 8), N];
    B8G8R8_USCALED = 32, Uscaled, 3, COLOR, [f(16, 8), f(8, 8), f(0, 8), N];
    B8G8R8_SSCALED = 33, Sscaled, 3, COLOR, [f(16, 8), f(8, 8), f(0, 8), N];
    B8G8R8_UINT = 34, Uint, 3, COLOR, [f(16, 8), f(8, 8), f(0, 8), N];
    B8G8R8_SINT = 35, Sint, 3, COLOR, [f(16, 8), f(8, 8), f(0, 8), N];
    B8G8R8_SRGB = 36, Srgb, 3, COLOR, [f(16, 8), f(8, 8), f(0, 8), N];
    R8G8B8A8_UNORM = 37, Unorm, 4, COLOR, [f(0, 8), f(8, 8), f(16, 8), f(24, 8)];
    R8G8B8A8_SNORM = 38, Snorm, 4, COLOR, [f(0, 8), f(8, 8), f(16, 8), f(24, 8)];
    R8G8B8A8_USCALED = 39, Uscaled, 4, COLOR, [f(0, 8), f(8, 8), f(16, 8), f(24, 8)];
    R8G8B8A8_SSCALED = 40, Sscaled, 4, COLOR, [f(0, 8), f(8, 8), f(16, 8), f(24, 8)];
    R8G8B8A8_UINT = 41, Uint, 4, COLOR, [f(0, 8), f(8, 8), f(16, 8), f(24, 8)];
    R8G8B8A8_SINT = 42, Sint, 4, COLOR, [f(0, 8), f(8, 8), f(16, 8), f(24, 8)];
    R8G8B8A8_SRGB = 43, Srgb, 4, COLOR, [f(0, 8), f(8, 8), f(16, 8), f(24, 8)];
    B8G8R8A8_UNORM = 44, Unorm, 4, COLOR, [f(16, 8), f(8, 8), f(0, 8), f(24, 8)];
    B8G8R8A8_SNORM = 45, Snorm, 4, COLOR, [f(16, 8), f(8, 8), f(0, 8), f(24, 8)];
    B8G8R8A8_USCALED = 46, Uscaled, 4, COLOR, [f(16, 8), f(8, 8), f(0, 8), f(24, 8)];
    B8G8R8A8_SSCALED = 47, Sscaled, 4, COLOR, [f(16, 8), f(8, 8), f(0, 8), f(24, 8)];
    B8G8R8A8_UINT = 48, Uint, 4, COLOR, [f(16, 8), f(8, 8), f(0, 8), f(24, 8)];
    B8G8R8A8_SINT = 49, Sint, 4, COLOR, [f(16, 8), f(8, 8), f(0, 8), f(24, 8)];
    B8G8R8A8_SRGB = 50, Srgb, 4, COLOR, [f(16, 8), f(8, 8), f(0, 8), f(24, 8)];
    A8B8G8R8_UNORM_PACK32 = 51, Unorm, 4, COLOR, [f(0, 8), f(8, 8), f(16, 8), f(24, 8)];
    A8B8G8R8_SNORM_PACK32 = 52, Snorm, 4, COLOR, [f(0, 8), f(8, 8), f(16, 8), f(24, 8)];
    A8B8G8R8_USCALED_PACK32 = 53, Uscaled, 4, COLOR, [f(0, 8), f(8, 8), f(16, 8), f(24, 8)];
    A8B8G8R8_SSCALED_PACK32 = 54, Sscaled, 4, COLOR, [f(0, 8), f(8, 8), f(16, 8), f(24, 8)];
    A8B8G8R8_UINT_PACK32 = 55, Uint, 4, COLOR, [f(0, 8), f(8, 8), f(16, 8), f(24, 8)];
    A8B8G8R8_SINT_PACK32 = 56, Sint, 4, COLOR, [f(0, 8), f(8, 8), f(16, 8), f(24, 8)];
    A8B8G8R8_SRGB_PACK32 = 57, Srgb, 4, COLOR, [f(0, 8), f(8, 8), f(16, 8), f(24, 8)];
    A2R10G10B10_UNORM_PACK32 = 58, Unorm, 4, COLOR, [f(20, 10), f(10, 10), f(0, 10), f(30, 2)];
    A2R10G10B10_SNORM_PACK32 = 59, Snorm, 4, COLOR, [f(20, 10), f(10, 10), f(0, 10), f(30, 2)];
    A2R10G10B10_USCALED_PACK32 = 60, Uscaled, 4, COLOR, [f(20, 10), f(10, 10), f(0, 10), f(30, 2)];
    A2R10G10B10_SSCALED_PACK32 = 61, Sscaled, 4, COLOR, [f(20, 10), f(10, 10), f(0, 10), f(30, 2)];
    A2R10G10B10_UINT_PACK32 = 62, Uint, 4, COLOR, [f(20, 10), f(10, 10), f(0, 10), f(30, 2)];
    A2R10G10B10_SINT_PACK32 = 63, Sint, 4, COLOR, [f(20, 10), f(10, 10), f(0, 10), f(30, 2)];
    A2B10G10R10_UNORM_PACK32 = 64, Unorm, 4, COLOR, [f(0, 10), f(10, 10), f(20, 10), f(30, 2)];
    A2B10G10R10_SNORM_PACK32 = 65, Snorm, 4, COLOR, [f(0, 10), f(10, 10), f(20, 10), f(30, 2)];
    A2B10G10R10_USCALED_PACK32 = 66, Uscaled, 4, COLOR, [f(0, 10), f(10, 10), f(20, 10), f(30, 2)];
    A2B10G10R10_SSCALED_PACK32 = 67, Sscaled, 4, COLOR, [f(0, 10), f(10, 10), f(20, 10), f(30, 2)];
    A2B10G10R10_UINT_PACK32 = 68, Uint, 4, COLOR, [f(0, 10), f(10, 10), f(20, 10), f(30, 2)];
    A2B10G10R10_SINT_PACK32 = 69, Sint, 4, COLOR, [f(0, 10), f(10, 10), f(20, 10), f(30, 2)];
    R16_UNORM = 70, Unorm, 2, COLOR, [f(0, 16), N, N, N];
    R16_SNORM = 71, Snorm, 2, COLOR, [f(0, 16), N, N, N];
    R16_USCALED = 72, Uscaled, 2, COLOR, [f(0, 16), N, N, N];
    R16_SSCALED = 73, Sscaled, 2, COLOR, [f(0, 16), N, N, N];
    R16_UINT = 74, Uint, 2, COLOR, [f(0, 16), N, N, N];
    R16_SINT = 75, Sint, 2, COLOR, [f(0, 16), N, N, N];
    R16_SFLOAT = 76, Sfloat, 2, COLOR, [f(0, 16), N, N, N];
    R16G16_UNORM = 77, Unorm, 4, COLOR, [f(0, 16), f(16, 16), N, N];
    R16G16_SNORM = 78, Snorm, 4, COLOR, [f(0, 16), f(16, 16), N, N];
    R16G16_USCALED = 79, Uscaled, 4, COLOR, [f(0, 16), f(16, 16), N, N];
    R16G16_SSCALED = 80, Sscaled, 4, COLOR, [f(0, 16), f(16, 16), N, N];
    R16G16_UINT = 81, Uint, 4, COLOR, [f(0, 16), f(16, 16), N, N];
    R16G16_SINT = 82, Sint, 4, COLOR, [f(0, 16), f(16, 16), N, N];
    R16G16_SFLOAT = 83, Sfloat, 4, COLOR, [f(0, 16), f(16, 16), N, N];
    R16G16B16_UNORM = 84, Unorm, 6, COLOR, [f(0, 16), f(16, 16), f(32, 16), N];
    R16G16B16_SNORM = 85, Snorm, 6, COLOR, [f(0, 16), f(16, 16), f(32, 16), N];
    R16G16B16_USCALED = 86, Uscaled, 6, COLOR, [f(0, 16), f(16, 16), f(32, 16), N];
    R16G16B16_SSCALED = 87, Sscaled, 6, COLOR, [f(0, 16), f(16, 16), f(32, 16), N];
    R16G16B16_UINT = 88, Uint, 6, COLOR, [f(0, 16), f(16, 16), f(32, 16), N];
    R16G16B16_SINT = 89, Sint, 6, COLOR, [f(0, 16), f(16, 16), f(32, 16), N];
    R16G16B16_SFLOAT = 90, Sfloat, 6, COLOR, [f(0, 16), f(16, 16), f(32, 16), N];
    R16G16B16A16_UNORM = 91, Unorm, 8, COLOR, [f(0, 16), f(16, 16), f(32, 16), f(48, 16)];
    R16G16B16A16_SNORM = 92, Snorm, 8, COLOR, [f(0, 16), f(16, 16), f(32, 16), f(48, 16)];
    R16G16B16A16_USCALED = 93, Uscaled, 8, COLOR, [f(0, 16), f(16, 16), f(32, 16), f(48, 16)];
    R16G16B16A16_SSCALED = 94, Sscaled, 8, COLOR, [f(0, 16), f(16, 16), f(32, 16), f(48, 16)];
    R16G16B16A16_UINT = 95, Uint, 8, COLOR, [f(0, 16), f(16, 16), f(32, 16), f(48, 16)];
    R16G16B16A16_SINT = 96, Sint, 8, COLOR, [f(0, 16), f(16, 16), f(32, 16), f(48, 16)];
    R16G16B16A16_SFLOAT = 97, Sfloat, 8, COLOR, [f(0, 16), f(16, 16), f(32, 16), f(48, 16)];
    R32_UINT = 98, Uint, 4, COLOR, [f(0, 32), N, N, N];
    R32_SINT = 99, Sint, 4, COLOR, [f(0, 32), N, N, N];
    R32_SFLOAT = 100, Sfloat, 4, COLOR, [f(0, 32), N, N, N];
    R32G32_UINT = 101, Uint, 8, COLOR, [f(0, 32), f(32, 32), N, N];
    R32G32_SINT = 102, Sint, 8, COLOR, [f(0, 32), f(32, 32), N, N];
    R32G32_SFLOAT = 103, Sfloat, 8, COLOR, [f(0, 32), f(32, 32), N, N];
    R32G32B32_UINT = 104, Uint, 12, COLOR, [f(0, 32), f(32, 32), f(64, 32), N];
    R32G32B32_SINT = 105, Sint, 12, COLOR, [f(0, 32), f(32, 32), f(64, 32), N];
    R32G32B32_SFLOAT = 106, Sfloat, 12, COLOR, [f(0, 32), f(32, 32), f(64, 32), N];
    R32G32B32A32_UINT = 107, Uint, 16, COLOR, [f(0, 32), f(32, 32), f(64, 32), f(96, 32)];
    R32G32B32A32_SINT = 108, Sint, 16, COLOR, [f(0, 32), f(32, 32), f(64, 32), f(96, 32)];
    R32G32B32A32_SFLOAT = 109, Sfloat, 16, COLOR, [f(0, 32), f(32, 32), f(64, 32), f(96, 32)];
    R64_UINT = 110, Uint, 8, COLOR, [f(0, 32), f(32, 32), N, N];
    R64_SINT = 111, Sint, 8, COLOR, [f(0, 32), f(32, 32), N, N];
    R64_SFLOAT = 112, Sfloat, 8, COLOR, [f(0, 64), N, N, N];
    R64G64_UINT = 113, Uint, 16, COLOR, [f(0, 32), f(32, 32), f(64, 32), f(96, 32)];
    R64G64_SINT = 114, Sint, 16, COLOR, [f(0, 32), f(32, 32), f(64, 32), f(96, 32)];
    R64G64_SFLOAT = 115, Sfloat, 16, COLOR, [f(0, 64), f(64, 64), N, N];
    R64G64B64_UINT = 116, Uint, 24, COLOR, [f(0, 64), f(64, 64), f(128, 64), N];
    R64G64B64_SINT = 117, Sint, 24, COLOR, [f(0, 64), f(64, 64), f(128, 64), N];
    R64G64B64_SFLOAT = 118, Sfloat, 24, COLOR, [f(0, 64), f(64, 64), f(128, 64), N];
    R64G64B64A64_UINT = 119, Uint, 32, COLOR, [f(0, 64), f(64, 64), f(128, 64), f(192, 64)];
    R64G64B64A64_SINT = 120, Sint, 32, COLOR, [f(0, 64), f(64, 64), f(128, 64), f(192, 64)];
    R64G64B64A64_SFLOAT = 121, Sfloat, 32, COLOR, [f(0, 64), f(64, 64), f(128, 64), f(192, 64)];
    B10G11R11_UFLOAT_PACK32 = 122, Ufloat, 4, COLOR, [f(0, 11), f(11, 11), f(22, 10), N];
    E5B9G9R9_UFLOAT_PACK32 = 123, SharedExp, 4, COLOR, [f(0, 9), f(9, 9), f(18, 9), N];
    D16_UNORM = 124, Unorm, 2, DEPTH, [f(0, 16), N, N, N];
    X8_D24_UNORM_PACK32 = 125, Unorm, 4, DEPTH, [f(0, 24), N, N, N];
    D32_SFLOAT = 126, Sfloat, 4, DEPTH, [f(0, 32), N, N, N];
    S8_UINT = 127, Uint, 1, STENCIL, [f(0, 8), N, N, N];
    D16_UNORM_S8_UINT = 128, Unorm, 2, DEPTH_STENCIL, [f(0, 16), N, N, N];
    D24_UNORM_S8_UINT = 129, Unorm, 4, DEPTH_STENCIL, [f(0, 24), N, N, N];
    D32_SFLOAT_S8_UINT = 130, Sfloat, 4, DEPTH_STENCIL, [f(0, 32), N, N, N];
    BC1_RGB_UNORM_BLOCK = 131, Unorm, 8, COLOR, RGB8, block(4, 4, Bc1Rgb, R8G8B8X8_UNORM);
    BC1_RGB_SRGB_BLOCK = 132, Srgb, 8, COLOR, RGB8, block(4, 4, Bc1Rgb, R8G8B8X8_SRGB);
    BC1_RGBA_UNORM_BLOCK = 133, Unorm, 8, COLOR, RGBA8, block(4, 4, Bc1, R8G8B8A8_UNORM);
    BC1_RGBA_SRGB_BLOCK = 134, Srgb, 8, COLOR, RGBA8, block(4, 4, Bc1, R8G8B8A8_SRGB);
    BC2_UNORM_BLOCK = 135, Unorm, 16, COLOR, RGBA8, block(4, 4, Bc2, R8G8B8A8_UNORM);
    BC2_SRGB_BLOCK = 136, Srgb, 16, COLOR, RGBA8, block(4, 4, Bc2, R8G8B8A8_SRGB);
    BC3_UNORM_BLOCK = 137, Unorm, 16, COLOR, RGBA8, block(4, 4, Bc3, R8G8B8A8_UNORM);
    BC3_SRGB_BLOCK = 138, Srgb, 16, COLOR, RGBA8, block(4, 4, Bc3, R8G8B8A8_SRGB);
    BC4_UNORM_BLOCK = 139, Unorm, 8, COLOR, R, block(4, 4, Bc4, R16_UNORM);
    BC4_SNORM_BLOCK = 140, Snorm, 8, COLOR, R, block(4, 4, Bc4, R16_SNORM);
    BC5_UNORM_BLOCK = 141, Unorm, 16, COLOR, RG, block(4, 4, Bc5, R16G16_UNORM);
    BC5_SNORM_BLOCK = 142, Snorm, 16, COLOR, RG, block(4, 4, Bc5, R16G16_SNORM);
    BC6H_UFLOAT_BLOCK = 143, Sfloat, 16, COLOR, RGB16, block(4, 4, Bc6hU, R16G16B16X16_SFLOAT);
    BC6H_SFLOAT_BLOCK = 144, Sfloat, 16, COLOR, RGB16, block(4, 4, Bc6hS, R16G16B16X16_SFLOAT);
    BC7_UNORM_BLOCK = 145, Unorm, 16, COLOR, RGBA8, block(4, 4, Bc7, R8G8B8A8_UNORM);
    BC7_SRGB_BLOCK = 146, Srgb, 16, COLOR, RGBA8, block(4, 4, Bc7, R8G8B8A8_SRGB);
    ETC2_R8G8B8_UNORM_BLOCK = 147, Unorm, 8, COLOR, RGB8, block(4, 4, Etc2Rgb, R8G8B8X8_UNORM);
    ETC2_R8G8B8_SRGB_BLOCK = 148, Srgb, 8, COLOR, RGB8, block(4, 4, Etc2Rgb, R8G8B8X8_SRGB);
    ETC2_R8G8B8A1_UNORM_BLOCK = 149, Unorm, 8, COLOR, RGBA8, block(4, 4, Etc2A1, R8G8B8A8_UNORM);
    ETC2_R8G8B8A1_SRGB_BLOCK = 150, Srgb, 8, COLOR, RGBA8, block(4, 4, Etc2A1, R8G8B8A8_SRGB);
    ETC2_R8G8B8A8_UNORM_BLOCK = 151, Unorm, 16, COLOR, RGBA8, block(4, 4, Etc2A8, R8G8B8A8_UNORM);
    ETC2_R8G8B8A8_SRGB_BLOCK = 152, Srgb, 16, COLOR, RGBA8, block(4, 4, Etc2A8, R8G8B8A8_SRGB);
    EAC_R11_UNORM_BLOCK = 153, Unorm, 8, COLOR, R, block(4, 4, EacR, R16_UNORM);
    EAC_R11_SNORM_BLOCK = 154, Snorm, 8, COLOR, R, block(4, 4, EacR, R16_SNORM);
    EAC_R11G11_UNORM_BLOCK = 155, Unorm, 16, COLOR, RG, block(4, 4, EacRg, R16G16_UNORM);
    EAC_R11G11_SNORM_BLOCK = 156, Snorm, 16, COLOR, RG, block(4, 4, EacRg, R16G16_SNORM);
    ASTC_4x4_UNORM_BLOCK = 157, Sfloat, 16, COLOR, RGBA16, block(4, 4, Astc, R16G16B16A16_SFLOAT);
    ASTC_4x4_SRGB_BLOCK = 158, Srgb, 16, COLOR, RGBA8, block(4, 4, Astc, R8G8B8A8_SRGB);
    ASTC_5x4_UNORM_BLOCK = 159, Sfloat, 16, COLOR, RGBA16, block(5, 4, Astc, R16G16B16A16_SFLOAT);
    ASTC_5x4_SRGB_BLOCK = 160, Srgb, 16, COLOR, RGBA8, block(5, 4, Astc, R8G8B8A8_SRGB);
    ASTC_5x5_UNORM_BLOCK = 161, Sfloat, 16, COLOR, RGBA16, block(5, 5, Astc, R16G16B16A16_SFLOAT);
    ASTC_5x5_SRGB_BLOCK = 162, Srgb, 16, COLOR, RGBA8, block(5, 5, Astc, R8G8B8A8_SRGB);
    ASTC_6x5_UNORM_BLOCK = 163, Sfloat, 16, COLOR, RGBA16, block(6, 5, Astc, R16G16B16A16_SFLOAT);
    ASTC_6x5_SRGB_BLOCK = 164, Srgb, 16, COLOR, RGBA8, block(6, 5, Astc, R8G8B8A8_SRGB);
    ASTC_6x6_UNORM_BLOCK = 165, Sfloat, 16, COLOR, RGBA16, block(6, 6, Astc, R16G16B16A16_SFLOAT);
    ASTC_6x6_SRGB_BLOCK = 166, Srgb, 16, COLOR, RGBA8, block(6, 6, Astc, R8G8B8A8_SRGB);
    ASTC_8x5_UNORM_BLOCK = 167, Sfloat, 16, COLOR, RGBA16, block(8, 5, Astc, R16G16B16A16_SFLOAT);
    ASTC_8x5_SRGB_BLOCK = 168, Srgb, 16, COLOR, RGBA8, block(8, 5, Astc, R8G8B8A8_SRGB);
    ASTC_8x6_UNORM_BLOCK = 169, Sfloat, 16, COLOR, RGBA16, block(8, 6, Astc, R16G16B16A16_SFLOAT);
    ASTC_8x6_SRGB_BLOCK = 170, Srgb, 16, COLOR, RGBA8, block(8, 6, Astc, R8G8B8A8_SRGB);
    ASTC_8x8_UNORM_BLOCK = 171, Sfloat, 16, COLOR, RGBA16, block(8, 8, Astc, R16G16B16A16_SFLOAT);
    ASTC_8x8_SRGB_BLOCK = 172, Srgb, 16, COLOR, RGBA8, block(8, 8, Astc, R8G8B8A8_SRGB);
    ASTC_10x5_UNORM_BLOCK = 173, Sfloat, 16, COLOR, RGBA16, block(10, 5, Astc, R16G16B16A16_SFLOAT);
    ASTC_10x5_SRGB_BLOCK = 174, Srgb, 16, COLOR, RGBA8, block(10, 5, Astc, R8G8B8A8_SRGB);
    ASTC_10x6_UNORM_BLOCK = 175, Sfloat, 16, COLOR, RGBA16, block(10, 6, Astc, R16G16B16A16_SFLOAT);
    ASTC_10x6_SRGB_BLOCK = 176, Srgb, 16, COLOR, RGBA8, block(10, 6, Astc, R8G8B8A8_SRGB);
    ASTC_10x8_UNORM_BLOCK = 177, Sfloat, 16, COLOR, RGBA16, block(10, 8, Astc, R16G16B16A16_SFLOAT);
    ASTC_10x8_SRGB_BLOCK = 178, Srgb, 16, COLOR, RGBA8, block(10, 8, Astc, R8G8B8A8_SRGB);
    ASTC_10x10_UNORM_BLOCK = 179, Sfloat, 16, COLOR, RGBA16, block(10, 10, Astc, R16G16B16A16_SFLOAT);
    ASTC_10x10_SRGB_BLOCK = 180, Srgb, 16, COLOR, RGBA8, block(10, 10, Astc, R8G8B8A8_SRGB);
    ASTC_12x10_UNORM_BLOCK = 181, Sfloat, 16, COLOR, RGBA16, block(12, 10, Astc, R16G16B16A16_SFLOAT);
    ASTC_12x10_SRGB_BLOCK = 182, Srgb, 16, COLOR, RGBA8, block(12, 10, Astc, R8G8B8A8_SRGB);
    ASTC_12x12_UNORM_BLOCK = 183, Sfloat, 16, COLOR, RGBA16, block(12, 12, Astc, R16G16B16A16_SFLOAT);
    ASTC_12x12_SRGB_BLOCK = 184, Srgb, 16, COLOR, RGBA8, block(12, 12, Astc, R8G8B8A8_SRGB);
    ASTC_4x4_SFLOAT_BLOCK = 1000066000, Sfloat, 16, COLOR, RGBA16, block(4, 4, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_5x4_SFLOAT_BLOCK = 1000066001, Sfloat, 16, COLOR, RGBA16, block(5, 4, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_5x5_SFLOAT_BLOCK = 1000066002, Sfloat, 16, COLOR, RGBA16, block(5, 5, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_6x5_SFLOAT_BLOCK = 1000066003, Sfloat, 16, COLOR, RGBA16, block(6, 5, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_6x6_SFLOAT_BLOCK = 1000066004, Sfloat, 16, COLOR, RGBA16, block(6, 6, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_8x5_SFLOAT_BLOCK = 1000066005, Sfloat, 16, COLOR, RGBA16, block(8, 5, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_8x6_SFLOAT_BLOCK = 1000066006, Sfloat, 16, COLOR, RGBA16, block(8, 6, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_8x8_SFLOAT_BLOCK = 1000066007, Sfloat, 16, COLOR, RGBA16, block(8, 8, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_10x5_SFLOAT_BLOCK = 1000066008, Sfloat, 16, COLOR, RGBA16, block(10, 5, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_10x6_SFLOAT_BLOCK = 1000066009, Sfloat, 16, COLOR, RGBA16, block(10, 6, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_10x8_SFLOAT_BLOCK = 1000066010, Sfloat, 16, COLOR, RGBA16, block(10, 8, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_10x10_SFLOAT_BLOCK = 1000066011, Sfloat, 16, COLOR, RGBA16, block(10, 10, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_12x10_SFLOAT_BLOCK = 1000066012, Sfloat, 16, COLOR, RGBA16, block(12, 10, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_12x12_SFLOAT_BLOCK = 1000066013, Sfloat, 16, COLOR, RGBA16, block(12, 12, AstcHdr, R16G16B16A16_SFLOAT);
    G8B8G8R8_422_UNORM = 1000156000, Unorm, 4, COLOR, RGB8, block(2, 1, Gbgr8, R8G8B8X8_UNORM);
    B8G8R8G8_422_UNORM = 1000156001, Unorm, 4, COLOR, RGB8, block(2, 1, Bgrg8, R8G8B8X8_UNORM);
    G8_B8_R8_3PLANE_420_UNORM = 1000156002, Unorm, 1, COLOR, RGB8, planes[(R8_UNORM, 0, 0), (R8_UNORM, 1, 1), (R8_UNORM, 1, 1)];
    G8_B8R8_2PLANE_420_UNORM = 1000156003, Unorm, 1, COLOR, RGB8, planes[(R8_UNORM, 0, 0), (R8G8_UNORM, 1, 1)];
    G8_B8_R8_3PLANE_422_UNORM = 1000156004, Unorm, 1, COLOR, RGB8, planes[(R8_UNORM, 0, 0), (R8_UNORM, 1, 0), (R8_UNORM, 1, 0)];
    G8_B8R8_2PLANE_422_UNORM = 1000156005, Unorm, 1, COLOR, RGB8, planes[(R8_UNORM, 0, 0), (R8G8_UNORM, 1, 0)];
    G8_B8_R8_3PLANE_444_UNORM = 1000156006, Unorm, 1, COLOR, RGB8, planes[(R8_UNORM, 0, 0), (R8_UNORM, 0, 0), (R8_UNORM, 0, 0)];
    R10X6_UNORM_PACK16 = 1000156007, Unorm, 2, COLOR, [f(6, 10), N, N, N];
    R10X6G10X6_UNORM_2PACK16 = 1000156008, Unorm, 4, COLOR, [f(6, 10), f(22, 10), N, N];
    R10X6G10X6B10X6A10X6_UNORM_4PACK16 = 1000156009, Unorm, 8, COLOR, [f(6, 10), f(22, 10), f(38, 10), f(54, 10)];
    G10X6B10X6G10X6R10X6_422_UNORM_4PACK16 = 1000156010, Unorm, 8, COLOR, RGB16, block(2, 1, Gbgr10, R16G16B16X16_UNORM);
    B10X6G10X6R10X6G10X6_422_UNORM_4PACK16 = 1000156011, Unorm, 8, COLOR, RGB16, block(2, 1, Bgrg10, R16G16B16X16_UNORM);
    G10X6_B10X6_R10X6_3PLANE_420_UNORM_3PACK16 = 1000156012, Unorm, 2, COLOR, [f(6, 10), f(22, 10), f(38, 10), N], planes[(R10X6_UNORM_PACK16, 0, 0), (R10X6_UNORM_PACK16, 1, 1), (R10X6_UNORM_PACK16, 1, 1)];
    G10X6_B10X6R10X6_2PLANE_420_UNORM_3PACK16 = 1000156013, Unorm, 2, COLOR, [f(6, 10), f(22, 10), f(38, 10), N], planes[(R10X6_UNORM_PACK16, 0, 0), (R10X6G10X6_UNORM_2PACK16, 1, 1)];
    G10X6_B10X6_R10X6_3PLANE_422_UNORM_3PACK16 = 1000156014, Unorm, 2, COLOR, [f(6, 10), f(22, 10), f(38, 10), N], planes[(R10X6_UNORM_PACK16, 0, 0), (R10X6_UNORM_PACK16, 1, 0), (R10X6_UNORM_PACK16, 1, 0)];
    G10X6_B10X6R10X6_2PLANE_422_UNORM_3PACK16 = 1000156015, Unorm, 2, COLOR, [f(6, 10), f(22, 10), f(38, 10), N], planes[(R10X6_UNORM_PACK16, 0, 0), (R10X6G10X6_UNORM_2PACK16, 1, 0)];
    G10X6_B10X6_R10X6_3PLANE_444_UNORM_3PACK16 = 1000156016, Unorm, 2, COLOR, [f(6, 10), f(22, 10), f(38, 10), N], planes[(R10X6_UNORM_PACK16, 0, 0), (R10X6_UNORM_PACK16, 0, 0), (R10X6_UNORM_PACK16, 0, 0)];
    R12X4_UNORM_PACK16 = 1000156017, Unorm, 2, COLOR, [f(4, 12), N, N, N];
    R12X4G12X4_UNORM_2PACK16 = 1000156018, Unorm, 4, COLOR, [f(4, 12), f(20, 12), N, N];
    R12X4G12X4B12X4A12X4_UNORM_4PACK16 = 1000156019, Unorm, 8, COLOR, [f(4, 12), f(20, 12), f(36, 12), f(52, 12)];
    G12X4B12X4G12X4R12X4_422_UNORM_4PACK16 = 1000156020, Unorm, 8, COLOR, RGB16, block(2, 1, Gbgr12, R16G16B16X16_UNORM);
    B12X4G12X4R12X4G12X4_422_UNORM_4PACK16 = 1000156021, Unorm, 8, COLOR, RGB16, block(2, 1, Bgrg12, R16G16B16X16_UNORM);
    G12X4_B12X4_R12X4_3PLANE_420_UNORM_3PACK16 = 1000156022, Unorm, 2, COLOR, [f(4, 12), f(20, 12), f(36, 12), N], planes[(R12X4_UNORM_PACK16, 0, 0), (R12X4_UNORM_PACK16, 1, 1), (R12X4_UNORM_PACK16, 1, 1)];
    G12X4_B12X4R12X4_2PLANE_420_UNORM_3PACK16 = 1000156023, Unorm, 2, COLOR, [f(4, 12), f(20, 12), f(36, 12), N], planes[(R12X4_UNORM_PACK16, 0, 0), (R12X4G12X4_UNORM_2PACK16, 1, 1)];
    G12X4_B12X4_R12X4_3PLANE_422_UNORM_3PACK16 = 1000156024, Unorm, 2, COLOR, [f(4, 12), f(20, 12), f(36, 12), N], planes[(R12X4_UNORM_PACK16, 0, 0), (R12X4_UNORM_PACK16, 1, 0), (R12X4_UNORM_PACK16, 1, 0)];
    G12X4_B12X4R12X4_2PLANE_422_UNORM_3PACK16 = 1000156025, Unorm, 2, COLOR, [f(4, 12), f(20, 12), f(36, 12), N], planes[(R12X4_UNORM_PACK16, 0, 0), (R12X4G12X4_UNORM_2PACK16, 1, 0)];
    G12X4_B12X4_R12X4_3PLANE_444_UNORM_3PACK16 = 1000156026, Unorm, 2, COLOR, [f(4, 12), f(20, 12), f(36, 12), N], planes[(R12X4_UNORM_PACK16, 0, 0), (R12X4_UNORM_PACK16, 0, 0), (R12X4_UNORM_PACK16, 0, 0)];
    G16B16G16R16_422_UNORM = 1000156027, Unorm, 8, COLOR, RGB16, block(2, 1, Gbgr16, R16G16B16X16_UNORM);
    B16G16R16G16_422_UNORM = 1000156028, Unorm, 8, COLOR, RGB16, block(2, 1, Bgrg16, R16G16B16X16_UNORM);
    G16_B16_R16_3PLANE_420_UNORM = 1000156029, Unorm, 2, COLOR, RGB16, planes[(R16_UNORM, 0, 0), (R16_UNORM, 1, 1), (R16_UNORM, 1, 1)];
    G16_B16R16_2PLANE_420_UNORM = 1000156030, Unorm, 2, COLOR, RGB16, planes[(R16_UNORM, 0, 0), (R16G16_UNORM, 1, 1)];
    G16_B16_R16_3PLANE_422_UNORM = 1000156031, Unorm, 2, COLOR, RGB16, planes[(R16_UNORM, 0, 0), (R16_UNORM, 1, 0), (R16_UNORM, 1, 0)];
    G16_B16R16_2PLANE_422_UNORM = 1000156032, Unorm, 2, COLOR, RGB16, planes[(R16_UNORM, 0, 0), (R16G16_UNORM, 1, 0)];
    G16_B16_R16_3PLANE_444_UNORM = 1000156033, Unorm, 2, COLOR, RGB16, planes[(R16_UNORM, 0, 0), (R16_UNORM, 0, 0), (R16_UNORM, 0, 0)];
    ASTC_3x3x3_UNORM_BLOCK = 1000288000, Sfloat, 16, COLOR, RGBA16, block(3, 3, 3, Astc, R16G16B16A16_SFLOAT);
    ASTC_3x3x3_SRGB_BLOCK = 1000288001, Srgb, 16, COLOR, RGBA8, block(3, 3, 3, Astc, R8G8B8A8_SRGB);
    ASTC_3x3x3_SFLOAT_BLOCK = 1000288002, Sfloat, 16, COLOR, RGBA16, block(3, 3, 3, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_4x3x3_UNORM_BLOCK = 1000288003, Sfloat, 16, COLOR, RGBA16, block(4, 3, 3, Astc, R16G16B16A16_SFLOAT);
    ASTC_4x3x3_SRGB_BLOCK = 1000288004, Srgb, 16, COLOR, RGBA8, block(4, 3, 3, Astc, R8G8B8A8_SRGB);
    ASTC_4x3x3_SFLOAT_BLOCK = 1000288005, Sfloat, 16, COLOR, RGBA16, block(4, 3, 3, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_4x4x3_UNORM_BLOCK = 1000288006, Sfloat, 16, COLOR, RGBA16, block(4, 4, 3, Astc, R16G16B16A16_SFLOAT);
    ASTC_4x4x3_SRGB_BLOCK = 1000288007, Srgb, 16, COLOR, RGBA8, block(4, 4, 3, Astc, R8G8B8A8_SRGB);
    ASTC_4x4x3_SFLOAT_BLOCK = 1000288008, Sfloat, 16, COLOR, RGBA16, block(4, 4, 3, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_4x4x4_UNORM_BLOCK = 1000288009, Sfloat, 16, COLOR, RGBA16, block(4, 4, 4, Astc, R16G16B16A16_SFLOAT);
    ASTC_4x4x4_SRGB_BLOCK = 1000288010, Srgb, 16, COLOR, RGBA8, block(4, 4, 4, Astc, R8G8B8A8_SRGB);
    ASTC_4x4x4_SFLOAT_BLOCK = 1000288011, Sfloat, 16, COLOR, RGBA16, block(4, 4, 4, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_5x4x4_UNORM_BLOCK = 1000288012, Sfloat, 16, COLOR, RGBA16, block(5, 4, 4, Astc, R16G16B16A16_SFLOAT);
    ASTC_5x4x4_SRGB_BLOCK = 1000288013, Srgb, 16, COLOR, RGBA8, block(5, 4, 4, Astc, R8G8B8A8_SRGB);
    ASTC_5x4x4_SFLOAT_BLOCK = 1000288014, Sfloat, 16, COLOR, RGBA16, block(5, 4, 4, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_5x5x4_UNORM_BLOCK = 1000288015, Sfloat, 16, COLOR, RGBA16, block(5, 5, 4, Astc, R16G16B16A16_SFLOAT);
    ASTC_5x5x4_SRGB_BLOCK = 1000288016, Srgb, 16, COLOR, RGBA8, block(5, 5, 4, Astc, R8G8B8A8_SRGB);
    ASTC_5x5x4_SFLOAT_BLOCK = 1000288017, Sfloat, 16, COLOR, RGBA16, block(5, 5, 4, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_5x5x5_UNORM_BLOCK = 1000288018, Sfloat, 16, COLOR, RGBA16, block(5, 5, 5, Astc, R16G16B16A16_SFLOAT);
    ASTC_5x5x5_SRGB_BLOCK = 1000288019, Srgb, 16, COLOR, RGBA8, block(5, 5, 5, Astc, R8G8B8A8_SRGB);
    ASTC_5x5x5_SFLOAT_BLOCK = 1000288020, Sfloat, 16, COLOR, RGBA16, block(5, 5, 5, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_6x5x5_UNORM_BLOCK = 1000288021, Sfloat, 16, COLOR, RGBA16, block(6, 5, 5, Astc, R16G16B16A16_SFLOAT);
    ASTC_6x5x5_SRGB_BLOCK = 1000288022, Srgb, 16, COLOR, RGBA8, block(6, 5, 5, Astc, R8G8B8A8_SRGB);
    ASTC_6x5x5_SFLOAT_BLOCK = 1000288023, Sfloat, 16, COLOR, RGBA16, block(6, 5, 5, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_6x6x5_UNORM_BLOCK = 1000288024, Sfloat, 16, COLOR, RGBA16, block(6, 6, 5, Astc, R16G16B16A16_SFLOAT);
    ASTC_6x6x5_SRGB_BLOCK = 1000288025, Srgb, 16, COLOR, RGBA8, block(6, 6, 5, Astc, R8G8B8A8_SRGB);
    ASTC_6x6x5_SFLOAT_BLOCK = 1000288026, Sfloat, 16, COLOR, RGBA16, block(6, 6, 5, AstcHdr, R16G16B16A16_SFLOAT);
    ASTC_6x6x6_UNORM_BLOCK = 1000288027, Sfloat, 16, COLOR, RGBA16, block(6, 6, 6, Astc, R16G16B16A16_SFLOAT);
    ASTC_6x6x6_SRGB_BLOCK = 1000288028, Srgb, 16, COLOR, RGBA8, block(6, 6, 6, Astc, R8G8B8A8_SRGB);
    ASTC_6x6x6_SFLOAT_BLOCK = 1000288029, Sfloat, 16, COLOR, RGBA16, block(6, 6, 6, AstcHdr, R16G16B16A16_SFLOAT);
    G8_B8R8_2PLANE_444_UNORM = 1000330000, Unorm, 1, COLOR, RGB8, planes[(R8_UNORM, 0, 0), (R8G8_UNORM, 0, 0)];
    G10X6_B10X6R10X6_2PLANE_444_UNORM_3PACK16 = 1000330001, Unorm, 2, COLOR, [f(6, 10), f(22, 10), f(38, 10), N], planes[(R10X6_UNORM_PACK16, 0, 0), (R10X6G10X6_UNORM_2PACK16, 0, 0)];
    G12X4_B12X4R12X4_2PLANE_444_UNORM_3PACK16 = 1000330002, Unorm, 2, COLOR, [f(4, 12), f(20, 12), f(36, 12), N], planes[(R12X4_UNORM_PACK16, 0, 0), (R12X4G12X4_UNORM_2PACK16, 0, 0)];
    G16_B16R16_2PLANE_444_UNORM = 1000330003, Unorm, 2, COLOR, RGB16, planes[(R16_UNORM, 0, 0), (R16G16_UNORM, 0, 0)];
    A4R4G4B4_UNORM_PACK16 = 1000340000, Unorm, 2, COLOR, [f(8, 4), f(4, 4), f(0, 4), f(12, 4)];
    A4B4G4R4_UNORM_PACK16 = 1000340001, Unorm, 2, COLOR, [f(0, 4), f(4, 4), f(8, 4), f(12, 4)];
    A1B5G5R5_UNORM_PACK16 = 1000470000, Unorm, 2, COLOR, [f(0, 5), f(5, 5), f(10, 5), f(15, 1)];
    A8_UNORM = 1000470001, Unorm, 1, COLOR, [N, N, N, f(0, 8)];
    R8G8B8X8_UNORM = 2130706432, Unorm, 4, COLOR, RGB8;
    R8G8B8X8_SRGB = 2130706433, Srgb, 4, COLOR, RGB8;
    R16G16B16X16_SFLOAT = 2130706434, Sfloat, 8, COLOR, RGB16;
    R16G16B16X16_UNORM = 2130706435, Unorm, 8, COLOR, RGB16;
}
