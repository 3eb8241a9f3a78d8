//! Exhaustive round trips, and comparisons with values from the specification.

use super::convert::*;
use super::*;

/// True for formats whose components lie in the texel.
fn plain(row: &FormatInfo) -> bool {
    row.block.is_none() && row.planes.is_empty()
}

#[test]
fn table_is_consistent() {
    for (i, row) in FORMATS.iter().enumerate() {
        let private = row.format.vk() >= PRIVATE;
        assert_eq!(Format::from_vk(row.format.vk()), (!private).then_some(row.format));
        assert!(std::ptr::eq(row.format.info(), row), "{}", row.name);
        assert!(i == 0 || FORMATS[i - 1].format.vk() < row.format.vk());
        for f in row.fields.iter().filter(|_| plain(row)) {
            assert!(u32::from(f.shift) + u32::from(f.bits) <= row.bytes * 8, "{}", row.name);
        }
    }
    assert_eq!(Format::from_vk(0), None);
    assert_eq!(Format::from_vk(121), Some(Format::R64G64B64A64_SFLOAT));
    assert_eq!(Format::from_vk(185), None);
    assert_eq!(Format::from_vk(1_000_156_003), Some(Format::G8_B8R8_2PLANE_420_UNORM));
    assert_eq!(Format::G8_B8R8_2PLANE_420_UNORM.plane(Aspects::PLANES[1]), Some(Format::R8G8_UNORM));
    assert_eq!(Format::G8_B8R8_2PLANE_420_UNORM.plane(Aspects::PLANES[2]), None);
    assert_eq!(Format::BC1_RGB_SRGB_BLOCK.without_srgb(), Format::BC1_RGB_UNORM_BLOCK);
    assert!(Format::BC1_RGB_SRGB_BLOCK.is_view_compatible(Format::BC1_RGB_UNORM_BLOCK));
    assert!(Format::R16G16_UINT.is_view_compatible(Format::R8G8B8A8_SRGB));
    assert!(Format::R32G32_UINT.is_view_compatible(Format::BC1_RGB_UNORM_BLOCK));
    assert!(!Format::BC1_RGB_UNORM_BLOCK.is_view_compatible(Format::R32G32_UINT));
    assert!(!Format::BC1_RGB_UNORM_BLOCK.is_view_compatible(Format::BC4_UNORM_BLOCK));
    assert_eq!(Format::R8G8B8A8_UNORM.vk(), 37);
    assert_eq!(Format::B8G8R8A8_SRGB.vk(), 50);
    assert_eq!(Format::R32G32B32A32_SFLOAT.vk(), 109);
    assert_eq!(Format::D32_SFLOAT.vk(), 126);
    assert_eq!(Format::B8G8R8A8_SRGB.without_srgb(), Format::B8G8R8A8_UNORM);
}

/// Spec: Vulkan, VkClearColorValue and VkClearDepthStencilValue.
#[test]
fn integers_of_clear_values_are_cast() {
    use Format as F;
    let word = |format: Format, value: u32| {
        let [a, b, c, d, ..] = format.pack_clear([value; 4]);
        u32::from_le_bytes([a, b, c, d])
    };
    assert_eq!([0xff, 0x100, 0x1234].map(|v| word(F::R8_UINT, v)), [0xff, 0, 0x34]);
    assert_eq!(word(F::R16_UINT, 0x1_2345), 0x2345);
    assert_eq!(word(F::A2B10G10R10_UINT_PACK32, 0x405), 5 | 5 << 10 | 5 << 20 | 1 << 30);
    assert_eq!([word(F::S8_UINT, 0x180), word(F::R32_UINT, u32::MAX)], [0x80, u32::MAX]);
    assert_eq!([(-3i32).cast_unsigned(), 0x7f].map(|v| word(F::R8_SINT, v)), [0xfd, 0x7f]);
    assert_eq!(word(F::R8_UNORM, 2.0f32.to_bits()), 0xff);
}

#[test]
fn small_formats_round_trip_every_value() {
    for row in FORMATS.iter().filter(|r| r.bytes <= 2 && plain(r)) {
        let field_mask: u32 = row
            .fields
            .iter()
            .fold(0, |m, f| m | if f.bits == 0 { 0 } else { max_uint(f.bits.into()) << f.shift });
        for v in 0..1u32 << (8 * row.bytes) {
            let v = v & field_mask;
            let texel = row.unpack_word(u128::from(v));
            let back = row.pack_word(texel) as u32;
            if back != v {
                // Only the two codes of -1, and NaNs, may map to another code.
                let snorm = row.numeric == Numeric::Snorm && row.unpack_word(u128::from(back)) == texel;
                let nan = texel.iter().any(|&t| row.numeric == Numeric::Sfloat && f32::from_bits(t).is_nan());
                assert!(snorm || nan, "{}: {v:#x} -> {texel:x?} -> {back:#x}", row.name);
            }
        }
    }
}

#[test]
fn wide_components_round_trip() {
    for row in FORMATS.iter().filter(|r| r.bytes > 2 && plain(r) && r.numeric != Numeric::SharedExp) {
        for (c, f) in row.fields.iter().enumerate() {
            if f.bits == 0 || f.bits > 16 {
                continue;
            }
            for v in 0..1u32 << f.bits {
                let texel = row.unpack_word(u128::from(v) << f.shift);
                let back = (row.pack_word(texel) >> f.shift) as u32 & max_uint(f.bits.into());
                let x = f32::from_bits(texel[c]);
                let float = matches!(row.numeric, Numeric::Ufloat | Numeric::Sfloat);
                let merged = (row.numeric == Numeric::Snorm && x == -1.0) || (float && x.is_nan());
                assert!(back == v || merged, "{} component {c}: {v:#x} -> {back:#x}", row.name);
            }
        }
    }
    let d24 = Format::X8_D24_UNORM_PACK32.info();
    for v in [0, 1, 2, 0x7f_ffff, 0x80_0000, 0xff_fffe, 0xff_ffff] {
        assert!((d24.pack_word(d24.unpack_word(v)) as i64 - v as i64).abs() <= 1);
    }
    assert_eq!(d24.pack_word([1.0f32.to_bits(), 0, 0, 0]), 0xff_ffff);
}

#[test]
fn shared_exponent_round_trips() {
    for e in 0..32u32 {
        for m in [256u32, 257, 300, 511] {
            let v = m | (m / 2) << 9 | 1 << 18 | e << 27;
            assert_eq!(pack_shared_exp(unpack_shared_exp(v)), v, "{v:#x}");
        }
    }
    assert_eq!(pack_shared_exp([0.0, -1.0, f32::NAN]), 0);
    assert_eq!(unpack_shared_exp(pack_shared_exp([f32::INFINITY, 0.0, 0.0]))[0], 65408.0);
    assert_eq!(unpack_shared_exp(pack_shared_exp([1.0, 0.5, 0.25])), [1.0, 0.5, 0.25]);
}

#[test]
fn half_conversion_agrees_with_the_half_crate() {
    for h in 0..=u16::MAX {
        let x = half::f16::from_bits(h).to_f32();
        let y = f16_to_f32(h);
        assert!(x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan()), "{h:#x}");
    }
    let mut bits = 0u32;
    while let Some(next) = bits.checked_add(997) {
        let x = f32::from_bits(bits);
        if !x.is_nan() {
            assert_eq!(f32_to_f16(x), half::f16::from_f32(x).to_bits(), "{bits:#x}");
        }
        bits = next;
    }
    for edge in [65504.0f32, 65519.99, 65520.0, 6.1e-5, 5.96e-8, 2.98e-8, 2.99e-8, 6.1035156e-5] {
        assert_eq!(f32_to_f16(edge), half::f16::from_f32(edge).to_bits(), "{edge}");
    }
}

#[test]
fn small_float_edges() {
    assert_eq!(f32_to_ufloat(65024.0, 6), 0x7bf);
    assert_eq!(f32_to_ufloat(1e9, 6), 0x7bf);
    assert_eq!(f32_to_ufloat(f32::INFINITY, 6), 0x7c0);
    assert_eq!(f32_to_ufloat(-1.0, 6), 0);
    assert_eq!(f32_to_ufloat(1.0, 6), 0x3c0);
    assert_eq!(f32_to_ufloat(1.0, 5), 0x1e0);
    assert!(ufloat_to_f32(f32_to_ufloat(f32::NAN, 5), 5).is_nan());
}

#[test]
fn normalized_rounding_and_nan() {
    assert_eq!(Format::R8G8B8A8_UNORM.pack_f32([f32::NAN, 2.0, -1.0, 0.5])[..4], [0, 255, 0, 128]);
    assert_eq!(Format::R8G8B8A8_SNORM.pack_f32([f32::NAN, 2.0, -2.0, 0.5])[..4], [0, 127, 0x81, 64]);
    assert_eq!(Format::R8G8B8A8_UINT.pack([256, 7, 255, u32::MAX])[..4], [255, 7, 255, 255]);
    assert_eq!(Format::R5G6B5_UNORM_PACK16.pack_f32([1.0, 0.0, 0.0, 0.0])[..2], [0x00, 0xf8]);
    assert_eq!(Format::B8G8R8A8_UNORM.pack_f32([1.0, 0.0, 0.0, 1.0])[..4], [0, 0, 255, 255]);
    assert_eq!(Format::R8_UNORM.unpack_f32(&[51]), [51.0 / 255.0, 0.0, 0.0, 1.0]);
    assert_eq!(Format::R8_UINT.unpack(&[51]), [51, 0, 0, 1]);
}

#[test]
fn srgb_is_exact() {
    assert_eq!(srgb::decode(0), 0.0);
    assert_eq!(srgb::decode(255), 1.0);
    for code in 0..=255u8 {
        assert_eq!(srgb::encode(srgb::decode(code)), code);
        // Compares with the formula in `f64`, away from ties.
        let x = f64::from(code) / 255.0;
        let linear = if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) };
        assert!((f64::from(srgb::decode(code)) - linear).abs() <= linear * 6e-8);
    }
    for i in 0..10_000 {
        let x = i as f64 / 10_000.0;
        let y = if x <= 0.0031308 { x * 12.92 } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 };
        let scaled = y * 255.0;
        if (scaled - scaled.floor() - 0.5).abs() > 1e-4 {
            assert_eq!(f64::from(srgb::encode(x as f32)), scaled.round());
        }
    }
    assert_eq!([srgb::encode(f32::NAN), srgb::encode(-1.0), srgb::encode(2.0)], [0, 0, 255]);
}
