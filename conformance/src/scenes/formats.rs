//! Scenes of texel formats: a square of texels for each, sampled, stored to or drawn to; and compressed blocks.

use ash::vk;
use vk::{Format as F, FormatFeatureFlags as Features};

use super::draw::{Bind, Draw, viewport};
use super::studio::{Made, Of, Pass, Studio, aspects};
use super::{SIZE, Steps};

/// The scenes.
pub const LIST: &[(&str, Steps)] = &[
    ("sampled_8_bits", |s| sampled(s, &EIGHT)),
    ("sampled_16_bits", |s| sampled(s, &SIXTEEN)),
    ("sampled_16_bit_norms", |s| sampled(s, &SIXTEEN_NORM)),
    ("sampled_32_bits", |s| sampled(s, &THIRTY_TWO)),
    ("sampled_packed", |s| sampled(s, &PACKED)),
    ("sampled_packed_more", |s| sampled(s, &PACKED_MORE)),
    ("sampled_bgra", |s| sampled(s, &BGRA)),
    ("sampled_three_words", |s| sampled(s, &THREE)),
    ("sampled_depth", |s| sampled(s, &DEPTH)),
    ("drawn_8_bits", |s| drawn(s, &EIGHT_DRAWN)),
    ("drawn_8_bit_snorm", |s| drawn(s, &SNORM)),
    ("drawn_16_bits", |s| drawn(s, &SIXTEEN)),
    ("drawn_16_bit_norms", |s| drawn(s, &SIXTEEN_NORM)),
    ("drawn_32_bits", |s| drawn(s, &THIRTY_TWO)),
    ("drawn_packed", |s| drawn(s, &PACKED_DRAWN)),
    ("drawn_packed_more", |s| drawn(s, &PACKED_MORE)),
    ("stored_required", |s| stored(s, &STORED)),
    ("stored_extended", |s| stored(s, &EXTENDED)),
    ("bc1", |s| blocks(s, F::BC1_RGB_UNORM_BLOCK, [4, 4], 8)),
    ("bc1_alpha", |s| blocks(s, F::BC1_RGBA_SRGB_BLOCK, [4, 4], 8)),
    ("bc2", |s| blocks(s, F::BC2_UNORM_BLOCK, [4, 4], 16)),
    ("bc3", |s| blocks(s, F::BC3_UNORM_BLOCK, [4, 4], 16)),
    ("bc4", |s| blocks(s, F::BC4_UNORM_BLOCK, [4, 4], 8)),
    ("bc4_signed", |s| blocks(s, F::BC4_SNORM_BLOCK, [4, 4], 8)),
    ("bc5", |s| blocks(s, F::BC5_UNORM_BLOCK, [4, 4], 16)),
    ("bc5_signed", |s| blocks(s, F::BC5_SNORM_BLOCK, [4, 4], 16)),
    ("bc6h", |s| blocks(s, F::BC6H_UFLOAT_BLOCK, [4, 4], 16)),
    ("bc6h_signed", |s| blocks(s, F::BC6H_SFLOAT_BLOCK, [4, 4], 16)),
    ("bc7", |s| blocks(s, F::BC7_UNORM_BLOCK, [4, 4], 16)),
    ("etc2", |s| blocks(s, F::ETC2_R8G8B8_UNORM_BLOCK, [4, 4], 8)),
    ("etc2_punch_through", |s| blocks(s, F::ETC2_R8G8B8A1_UNORM_BLOCK, [4, 4], 8)),
    ("etc2_alpha", |s| blocks(s, F::ETC2_R8G8B8A8_UNORM_BLOCK, [4, 4], 16)),
    ("eac", |s| blocks(s, F::EAC_R11_UNORM_BLOCK, [4, 4], 8)),
    ("eac_signed", |s| blocks(s, F::EAC_R11_SNORM_BLOCK, [4, 4], 8)),
    ("eac_two", |s| blocks(s, F::EAC_R11G11_UNORM_BLOCK, [4, 4], 16)),
    ("astc_4x4", |s| blocks(s, F::ASTC_4X4_UNORM_BLOCK, [4, 4], 16)),
    ("astc_5x4", |s| blocks(s, F::ASTC_5X4_UNORM_BLOCK, [5, 4], 16)),
    ("astc_5x5", |s| blocks(s, F::ASTC_5X5_UNORM_BLOCK, [5, 5], 16)),
    ("astc_6x5", |s| blocks(s, F::ASTC_6X5_UNORM_BLOCK, [6, 5], 16)),
    ("astc_6x6_srgb", |s| blocks(s, F::ASTC_6X6_SRGB_BLOCK, [6, 6], 16)),
    ("astc_8x5", |s| blocks(s, F::ASTC_8X5_UNORM_BLOCK, [8, 5], 16)),
    ("astc_8x6", |s| blocks(s, F::ASTC_8X6_UNORM_BLOCK, [8, 6], 16)),
    ("astc_8x8", |s| blocks(s, F::ASTC_8X8_UNORM_BLOCK, [8, 8], 16)),
    ("astc_10x5", |s| blocks(s, F::ASTC_10X5_UNORM_BLOCK, [10, 5], 16)),
    ("astc_10x6", |s| blocks(s, F::ASTC_10X6_UNORM_BLOCK, [10, 6], 16)),
    ("astc_10x8", |s| blocks(s, F::ASTC_10X8_UNORM_BLOCK, [10, 8], 16)),
    ("astc_10x10", |s| blocks(s, F::ASTC_10X10_UNORM_BLOCK, [10, 10], 16)),
    ("astc_12x10", |s| blocks(s, F::ASTC_12X10_UNORM_BLOCK, [12, 10], 16)),
    ("astc_12x12", |s| blocks(s, F::ASTC_12X12_UNORM_BLOCK, [12, 12], 16)),
];

/// Kind of the components.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Unorm,
    Snorm,
    Uint,
    Sint,
    Float,
}
use Kind::{Float, Sint, Snorm, Uint, Unorm};

/// A format, the kind of its components, and the bytes of a texel.
type Row = (F, Kind, usize);

#[rustfmt::skip]
const EIGHT: [Row; 16] = [
    (F::R8_UNORM, Unorm, 1), (F::R8_SNORM, Snorm, 1), (F::R8_UINT, Uint, 1), (F::R8_SINT, Sint, 1),
    (F::R8G8_UNORM, Unorm, 2), (F::R8G8_SNORM, Snorm, 2), (F::R8G8_UINT, Uint, 2), (F::R8G8_SINT, Sint, 2),
    (F::R8G8B8A8_UNORM, Unorm, 4), (F::R8G8B8A8_SNORM, Snorm, 4), (F::R8G8B8A8_UINT, Uint, 4), (F::R8G8B8A8_SINT, Sint, 4),
    (F::R8G8B8A8_SRGB, Unorm, 4), (F::B8G8R8A8_UNORM, Unorm, 4), (F::B8G8R8A8_SRGB, Unorm, 4), (F::A8B8G8R8_SRGB_PACK32, Unorm, 4),
];
#[rustfmt::skip]
const EIGHT_DRAWN: [Row; 14] = [
    (F::R8_UNORM, Unorm, 1), (F::R8_UINT, Uint, 1), (F::R8_SINT, Sint, 1),
    (F::R8G8_UNORM, Unorm, 2), (F::R8G8_UINT, Uint, 2), (F::R8G8_SINT, Sint, 2),
    (F::R8G8B8A8_UNORM, Unorm, 4), (F::R8G8B8A8_UINT, Uint, 4), (F::R8G8B8A8_SINT, Sint, 4),
    (F::R8G8B8A8_SRGB, Unorm, 4), (F::B8G8R8A8_UNORM, Unorm, 4), (F::B8G8R8A8_SRGB, Unorm, 4),
    (F::A8B8G8R8_UNORM_PACK32, Unorm, 4), (F::A8B8G8R8_SRGB_PACK32, Unorm, 4),
];
const SNORM: [Row; 3] = [(F::R8_SNORM, Snorm, 1), (F::R8G8_SNORM, Snorm, 2), (F::R8G8B8A8_SNORM, Snorm, 4)];
#[rustfmt::skip]
const SIXTEEN: [Row; 9] = [
    (F::R16_UINT, Uint, 2), (F::R16_SINT, Sint, 2), (F::R16_SFLOAT, Float, 2),
    (F::R16G16_UINT, Uint, 4), (F::R16G16_SINT, Sint, 4), (F::R16G16_SFLOAT, Float, 4),
    (F::R16G16B16A16_UINT, Uint, 8), (F::R16G16B16A16_SINT, Sint, 8), (F::R16G16B16A16_SFLOAT, Float, 8),
];
#[rustfmt::skip]
const SIXTEEN_NORM: [Row; 6] = [
    (F::R16_UNORM, Unorm, 2), (F::R16_SNORM, Snorm, 2), (F::R16G16_UNORM, Unorm, 4), (F::R16G16_SNORM, Snorm, 4),
    (F::R16G16B16A16_UNORM, Unorm, 8), (F::R16G16B16A16_SNORM, Snorm, 8),
];
#[rustfmt::skip]
const THIRTY_TWO: [Row; 9] = [
    (F::R32_UINT, Uint, 4), (F::R32_SINT, Sint, 4), (F::R32_SFLOAT, Float, 4),
    (F::R32G32_UINT, Uint, 8), (F::R32G32_SINT, Sint, 8), (F::R32G32_SFLOAT, Float, 8),
    (F::R32G32B32A32_UINT, Uint, 16), (F::R32G32B32A32_SINT, Sint, 16), (F::R32G32B32A32_SFLOAT, Float, 16),
];
#[rustfmt::skip]
const PACKED: [Row; 7] = [
    (F::B4G4R4A4_UNORM_PACK16, Unorm, 2), (F::R5G6B5_UNORM_PACK16, Unorm, 2), (F::A1R5G5B5_UNORM_PACK16, Unorm, 2),
    (F::A2B10G10R10_UNORM_PACK32, Unorm, 4), (F::A2B10G10R10_UINT_PACK32, Uint, 4),
    (F::B10G11R11_UFLOAT_PACK32, Float, 4), (F::E5B9G9R9_UFLOAT_PACK32, Float, 4),
];
#[rustfmt::skip]
const PACKED_DRAWN: [Row; 4] = [
    (F::R5G6B5_UNORM_PACK16, Unorm, 2), (F::A1R5G5B5_UNORM_PACK16, Unorm, 2),
    (F::A2B10G10R10_UNORM_PACK32, Unorm, 4), (F::A2B10G10R10_UINT_PACK32, Uint, 4),
];
#[rustfmt::skip]
const PACKED_MORE: [Row; 6] = [
    (F::R4G4B4A4_UNORM_PACK16, Unorm, 2), (F::B5G6R5_UNORM_PACK16, Unorm, 2), (F::R5G5B5A1_UNORM_PACK16, Unorm, 2),
    (F::B5G5R5A1_UNORM_PACK16, Unorm, 2), (F::A2R10G10B10_UNORM_PACK32, Unorm, 4), (F::A2R10G10B10_UINT_PACK32, Uint, 4),
];
const BGRA: [Row; 3] =
    [(F::B8G8R8A8_SNORM, Snorm, 4), (F::B8G8R8A8_UINT, Uint, 4), (F::B8G8R8A8_SINT, Sint, 4)];
const THREE: [Row; 3] =
    [(F::R32G32B32_UINT, Uint, 12), (F::R32G32B32_SINT, Sint, 12), (F::R32G32B32_SFLOAT, Float, 12)];
const DEPTH: [Row; 3] = [(F::D16_UNORM, Unorm, 2), (F::D32_SFLOAT, Float, 4), (F::S8_UINT, Uint, 1)];
#[rustfmt::skip]
const STORED: [Row; 13] = [
    (F::R8G8B8A8_UNORM, Unorm, 4), (F::R8G8B8A8_SNORM, Snorm, 4), (F::R8G8B8A8_UINT, Uint, 4), (F::R8G8B8A8_SINT, Sint, 4),
    (F::R16G16B16A16_UINT, Uint, 8), (F::R16G16B16A16_SINT, Sint, 8), (F::R16G16B16A16_SFLOAT, Float, 8),
    (F::R32_UINT, Uint, 4), (F::R32_SINT, Sint, 4), (F::R32_SFLOAT, Float, 4),
    (F::R32G32_UINT, Uint, 8), (F::R32G32_SINT, Sint, 8), (F::R32G32B32A32_SFLOAT, Float, 16),
];
#[rustfmt::skip]
const EXTENDED: [Row; 16] = [
    (F::R16G16_SFLOAT, Float, 4), (F::B10G11R11_UFLOAT_PACK32, Float, 4), (F::R16_SFLOAT, Float, 2), (F::R16G16B16A16_UNORM, Unorm, 8),
    (F::A2B10G10R10_UNORM_PACK32, Unorm, 4), (F::R16G16_UNORM, Unorm, 4), (F::R8G8_UNORM, Unorm, 2), (F::R16_UNORM, Unorm, 2),
    (F::R8_UNORM, Unorm, 1), (F::R16G16B16A16_SNORM, Snorm, 8), (F::R16G16_SNORM, Snorm, 4), (F::R8G8_SNORM, Snorm, 2),
    (F::R8_SNORM, Snorm, 1), (F::R16G16_SINT, Sint, 4), (F::R8G8_UINT, Uint, 2), (F::A2B10G10R10_UINT_PACK32, Uint, 4),
];

impl Kind {
    /// First letter of GLSL's types of this kind.
    fn letter(self) -> &'static str {
        match self {
            Uint => "u",
            Sint => "i",
            _ => "",
        }
    }

    /// Converts a fetched value `c` to a colour.
    fn shown(self) -> &'static str {
        match self {
            Unorm => "c",
            Snorm => "c * .5 + .5",
            Uint => "vec4(c & 255) / 255.0",
            Sint => "vec4((c + 128) & 255) / 255.0",
            Float => "c / (1.0 + abs(c)) * .5 + .5",
        }
    }

    /// Makes a value from `v`.
    fn made(self) -> &'static str {
        match self {
            Unorm => "vec4(v.xy, v.x * v.y, 1.0 - v.x) * 1.2 - .1",
            Snorm => "vec4(v.xy, v.x * v.y, 1.0 - v.x) * 2.2 - 1.1",
            Uint => "uvec4(vec4(v.xy, v.x * v.y, .01) * 120.0)",
            Sint => "ivec4(vec4(v.xy, v.x * v.y, .01) * 240.0 - 120.0)",
            // Multiples of an eighth, which formats of few bits can represent.
            Float => "floor(vec4(v.xy, v.x * v.y, 1) * 32.0) / 8.0",
        }
    }
}

/// Random bytes that contain no NaN or infinity as 16-bit or 32-bit floats.
fn noise(n: usize, kind: Kind, seed: u32) -> Vec<u8> {
    let mut x = seed.wrapping_mul(2_654_435_761) | 1;
    std::iter::repeat_with(|| {
        x = x.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        let byte = (x >> 16) as u8;
        if kind == Float { byte % 0x40 } else { byte }
    })
    .take(n)
    .collect()
}

/// One of sixteen squares of 16 pixels.
fn cell(k: usize) -> [u32; 4] {
    [k as u32 % 4 * 16, k as u32 / 4 * 16, 15, 15]
}

/// Paints a sampled image into cell `k`.
fn show(s: &mut Studio, k: usize, kind: Kind, texels: Bind) -> Made<()> {
    let head = format!("layout(binding = 0) uniform {}sampler2D t;", kind.letter());
    let body = format!(
        "{}vec4 c = texelFetch(t, px, 0); o = {}; if (px.y > 11) o = o.aaaa;",
        kind.letter(),
        kind.shown()
    );
    s.paint_in(cell(k), &head, &body, &[texels])
}

/// Samples texels of fixed bytes.
fn sampled(s: &mut Studio, rows: &[Row]) -> Made<()> {
    let sampler = s.sampler(|i| i)?;
    for (k, &(format, kind, bytes)) in rows.iter().enumerate() {
        s.need(s.offers(format, Features::SAMPLED_IMAGE), "sampled format")?;
        let image = s.image(Of::texture(format, 15, 15))?;
        let mut data = noise(225 * bytes, kind, k as u32 + 1);
        if format == F::D32_SFLOAT {
            // Depths are between 0 and 1.
            data.chunks_mut(4).for_each(|c| c[3] = 0x3e);
        }
        s.upload_aspect(&image, 0, aspects(format), &data)?;
        show(s, k, kind, Bind::Sampled(s.view(&image)?, sampler))?;
    }
    Ok(())
}

/// Draws to attachments, then shows them.
fn drawn(s: &mut Studio, rows: &[Row]) -> Made<()> {
    let sampler = s.sampler(|i| i)?;
    for (k, &(format, kind, _)) in rows.iter().enumerate() {
        s.need(s.offers(format, Features::COLOR_ATTACHMENT), "format of attachments")?;
        let image = s.image(Of { size: [15, 15, 1], ..Of::target(format) })?;
        let pass = Pass { colors: vec![s.target(&image)?], size: [15, 15], ..s.pass() };
        let head = format!("layout(location = 0) out {}vec4 o;", kind.letter());
        let body = format!("o = {};", kind.made());
        let draw = Draw {
            fragment_head: &head,
            fragment: &body,
            viewports: vec![viewport(0.0, 0.0, 15.0, 15.0)],
            ..Draw::quad()
        };
        s.render(&pass, &[draw])?;
        show(s, k, kind, Bind::Sampled(s.view(&image)?, sampler))?;
    }
    Ok(())
}

/// Stores to storage images, then loads and shows them.
fn stored(s: &mut Studio, rows: &[Row]) -> Made<()> {
    s.need(s.client.has.core.fragment_stores_and_atomics != 0, "fragmentStoresAndAtomics")?;
    for (k, &(format, kind, _)) in rows.iter().enumerate() {
        s.need(s.offers(format, Features::STORAGE_IMAGE), "storage format")?;
        let image = s.image(Of::new(format, 15, 15, vk::ImageUsageFlags::STORAGE))?;
        let bind = [Bind::Image(s.view(&image)?)];
        let head = format!("layout(binding = 0, {}) uniform {}image2D t;", layout(format), kind.letter());
        let body = format!("o = vec4(0); imageStore(t, px, {});", kind.made());
        s.paint_in(cell(k), &head, &body, &bind)?;
        let body = format!(
            "{}vec4 c = imageLoad(t, px); o = {}; if (px.y > 11) o = o.aaaa;",
            kind.letter(),
            kind.shown()
        );
        s.paint_in(cell(k), &head, &body, &bind)?;
    }
    Ok(())
}

/// Format qualifier in GLSL.
fn layout(format: F) -> &'static str {
    match format {
        F::R8_UNORM => "r8",
        F::R8_SNORM => "r8_snorm",
        F::R8G8_UNORM => "rg8",
        F::R8G8_SNORM => "rg8_snorm",
        F::R8G8_UINT => "rg8ui",
        F::R8G8B8A8_UNORM => "rgba8",
        F::R8G8B8A8_SNORM => "rgba8_snorm",
        F::R8G8B8A8_UINT => "rgba8ui",
        F::R8G8B8A8_SINT => "rgba8i",
        F::R16_UNORM => "r16",
        F::R16_SFLOAT => "r16f",
        F::R16G16_UNORM => "rg16",
        F::R16G16_SNORM => "rg16_snorm",
        F::R16G16_SINT => "rg16i",
        F::R16G16_SFLOAT => "rg16f",
        F::R16G16B16A16_UNORM => "rgba16",
        F::R16G16B16A16_SNORM => "rgba16_snorm",
        F::R16G16B16A16_UINT => "rgba16ui",
        F::R16G16B16A16_SINT => "rgba16i",
        F::R16G16B16A16_SFLOAT => "rgba16f",
        F::R32_UINT => "r32ui",
        F::R32_SINT => "r32i",
        F::R32_SFLOAT => "r32f",
        F::R32G32_UINT => "rg32ui",
        F::R32G32_SINT => "rg32i",
        F::R32G32B32A32_SFLOAT => "rgba32f",
        F::A2B10G10R10_UNORM_PACK32 => "rgb10_a2",
        F::A2B10G10R10_UINT_PACK32 => "rgb10_a2ui",
        _ => "r11f_g11f_b10f",
    }
}

/// Compressed blocks of random bits, one texel per pixel. Alpha is mixed with green.
fn blocks(s: &mut Studio, format: F, [width, height]: [u32; 2], bytes: usize) -> Made<()> {
    s.need(s.offers(format, Features::SAMPLED_IMAGE), "compressed format")?;
    let image = s.image(Of::texture(format, SIZE, SIZE))?;
    let count = (SIZE.div_ceil(width) * SIZE.div_ceil(height)) as usize;
    let mut data = noise(count * bytes, Unorm, 77);
    if matches!(format, F::BC7_UNORM_BLOCK) {
        // Each of the eight modes occurs equally often.
        for (i, block) in data.chunks_mut(bytes).enumerate() {
            let mode = i as u32 % 8;
            block[0] = (block[0] & !((2 << mode) - 1) as u8) | 1 << mode;
        }
    }
    if matches!(format, F::BC6H_UFLOAT_BLOCK | F::BC6H_SFLOAT_BLOCK) {
        const MODES: [u8; 14] = [0, 1, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15];
        for (i, block) in data.chunks_mut(bytes).enumerate() {
            let mode = MODES[i % 14];
            block[0] = if mode < 2 { block[0] & !3 | mode } else { block[0] & !31 | mode };
        }
    }
    if format.as_raw() >= F::ASTC_4X4_UNORM_BLOCK.as_raw() {
        for (i, block) in data.chunks_exact_mut(16).enumerate() {
            let mut bits = [0; 16];
            bits.copy_from_slice(block);
            block.copy_from_slice(&astc(i as u128, u128::from_le_bytes(bits)).to_le_bytes());
        }
    }
    s.upload(&image, 0, &data)?;
    let shown = match format {
        F::BC6H_UFLOAT_BLOCK | F::BC6H_SFLOAT_BLOCK => "c / (1.0 + abs(c)) * .5 + .5",
        F::BC4_SNORM_BLOCK | F::BC5_SNORM_BLOCK | F::EAC_R11_SNORM_BLOCK => "c * .5 + .5",
        _ => "vec4(c.rgb * (c.a * .5 + .5), 1)",
    };
    let body = format!("vec4 c = texelFetch(t, px, 0); o = vec4(({shown}).rgb, 1);");
    let sampler = s.sampler(|i| i)?;
    s.paint("layout(binding = 0) uniform sampler2D t;", &body, &[Bind::Sampled(s.view(&image)?, sampler)])
}

/// The n-th ASTC block: mostly legal blocks, with all numbers of planes and partitions.
fn astc(n: u128, noise: u128) -> u128 {
    let (plain, set) = (|bits: u32| noise >> bits << bits, |at: u32, value: u128| value << at);
    if n % 16 == 7 {
        return noise; // random bits, mostly illegal blocks
    }
    if n % 8 == 5 {
        return plain(64) | 0xffff_ffff_ffff_fdfc; // one colour
    }
    // 4x4 weights of 4 to 8 levels; every fifth block has two planes.
    let (range, planes) = (4 + n % 4, u128::from(n.is_multiple_of(5)));
    let partitions = if planes == 1 { 0 } else { n / 3 % 4 };
    let mode = set(0, range >> 1 & 1) | set(1, range >> 2) | set(4, range & 1) | set(5, 2) | set(10, planes);
    let low = |i: u128| [0, 1, 4, 5, 6, 8, 9, 10, 12, 13][i as usize % 10];
    match partitions {
        0 => plain(17) | mode | set(13, low(n)),
        // The same kind of endpoints for all partitions, with fewer components for more partitions.
        _ => {
            plain(29)
                | mode
                | set(11, partitions)
                | (noise & set(13, 0x3ff))
                | set(25, low(n % if partitions == 1 { 7 } else { 3 }))
        }
    }
}
