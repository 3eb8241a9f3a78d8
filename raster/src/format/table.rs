//! The table of texel formats: one row per format, from which everything else derives.
//!
//! A row is `NAME = VkFormat number, numeric type, bytes per texel, aspects, [R, G, B, A]` where each
//! component is `(lowest bit, bits)` in the little-endian word of the whole texel, or `N`. Depth
//! takes the place of R. For formats of both depth and stencil the row describes the depth plane;
//! the stencil plane is always one byte per texel.
//!
//! Spec: Vulkan, "Format Definition" (formats-definition).

use super::{Aspects, Field, FormatInfo, Numeric};

const N: Field = Field { shift: 0, bits: 0 };

const fn f(shift: u8, bits: u8) -> Field {
    Field { shift, bits }
}

macro_rules! formats {
    ($($name:ident = $vk:literal, $numeric:ident, $bytes:literal, $aspects:ident, $fields:expr;)*) => {
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
    B10G11R11_UFLOAT_PACK32 = 122, Ufloat, 4, COLOR, [f(0, 11), f(11, 11), f(22, 10), N];
    E5B9G9R9_UFLOAT_PACK32 = 123, SharedExp, 4, COLOR, [f(0, 9), f(9, 9), f(18, 9), N];
    D16_UNORM = 124, Unorm, 2, DEPTH, [f(0, 16), N, N, N];
    X8_D24_UNORM_PACK32 = 125, Unorm, 4, DEPTH, [f(0, 24), N, N, N];
    D32_SFLOAT = 126, Sfloat, 4, DEPTH, [f(0, 32), N, N, N];
    S8_UINT = 127, Uint, 1, STENCIL, [f(0, 8), N, N, N];
    D16_UNORM_S8_UINT = 128, Unorm, 2, DEPTH_STENCIL, [f(0, 16), N, N, N];
    D24_UNORM_S8_UINT = 129, Unorm, 4, DEPTH_STENCIL, [f(0, 24), N, N, N];
    D32_SFLOAT_S8_UINT = 130, Sfloat, 4, DEPTH_STENCIL, [f(0, 32), N, N, N];
    A4R4G4B4_UNORM_PACK16 = 1000340000, Unorm, 2, COLOR, [f(8, 4), f(4, 4), f(0, 4), f(12, 4)];
    A4B4G4R4_UNORM_PACK16 = 1000340001, Unorm, 2, COLOR, [f(0, 4), f(4, 4), f(8, 4), f(12, 4)];
}
