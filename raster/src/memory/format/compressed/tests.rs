//! Compares decoded values with values derived from the specification, and decodes random blocks.

use super::*;
use crate::memory::format::{FORMATS, convert};

fn texels(format: Format, block: u128) -> Texels {
    let mut out = [0; MAX_TEXELS];
    decode(format.info(), block, &mut out);
    out
}

#[test]
fn any_bytes_decode_to_words_of_the_decoded_format() {
    let mut seed = 1u128;
    for info in FORMATS {
        let Some(b) = info.block else { continue };
        let bits = 8 * b.decoded.bytes();
        let n = usize::from(b.width) * usize::from(b.height);
        assert!(n <= MAX_TEXELS && info.bytes <= 16 && bits <= 64);
        for _ in 0..2000 {
            seed = seed.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(0x1234_5679);
            let block = (seed ^ seed >> 71) & (u128::MAX >> (128 - 8 * info.bytes));
            let t = texels(info.format, block);
            assert!(t[..n].iter().all(|&w| bits == 64 || w >> bits == 0), "{} {block:x}", info.name);
            let at = (seed >> 64) as usize % n;
            let (x, y) = (at % usize::from(b.width), at / usize::from(b.width));
            assert_eq!(texel(info, block, x as u32, y as u32), t[at], "{} {block:x}", info.name);
        }
    }
}

#[test]
fn bc1_has_two_palettes() {
    // Red and blue, with indices 0, 1, 2, 3 for the first texels.
    let indices = 0b11_10_01_00u128 << 32;
    let four = texels(Format::BC1_RGBA_UNORM_BLOCK, 0xf800 | 0x001f << 16 | indices);
    assert_eq!(four[..4], [0xff00_00ff, 0xffff_0000, 0xff55_00aa, 0xffaa_0055]);
    let three = texels(Format::BC1_RGBA_UNORM_BLOCK, 0x001f | 0xf800 << 16 | indices);
    assert_eq!(three[..4], [0xffff_0000, 0xff00_00ff, 0xff80_0080, 0]);
    assert_eq!(texels(Format::BC1_RGB_UNORM_BLOCK, 0x001f | 0xf800 << 16 | indices)[3], 0);
}

#[test]
fn bc4_means_are_the_nearest_of_16_bits() {
    for (e0, e1) in [(200u8, 13u8), (13, 200), (255, 0), (0, 255), (7, 7)] {
        let indices = (0..8u128).fold(0, |b, i| b | i << (16 + 3 * i));
        let block = u128::from(e0) | u128::from(e1) << 8 | indices;
        let unorm = texels(Format::BC4_UNORM_BLOCK, block);
        let (a, b) = (f64::from(e0), f64::from(e1));
        for i in 2..8 {
            let k = i as f64 - 1.0;
            let exact = match (e0 > e1, i) {
                (true, _) => (a * (7.0 - k) + b * k) / 7.0,
                (_, 6) => 0.0,
                (_, 7) => 255.0,
                _ => (a * (5.0 - k) + b * k) / 5.0,
            };
            assert_eq!(unorm[i] as f64, (exact * 257.0).round(), "{e0} {e1} {i}");
        }
    }
    // -128 counts as -127.
    let signed = texels(Format::BC4_SNORM_BLOCK, 0x80 | 0x7f << 8);
    assert_eq!(Format::R16_SNORM.unpack_f32(&signed[0].to_le_bytes())[0], -1.0);
}

#[test]
fn eac_keeps_eleven_bits() {
    for v in 0..256u64 {
        // With multiplier 0, the modifier is in units of 1/2047.
        for (i, m) in [-3, -6, -9, -15, 2, 5, 8, 14].into_iter().enumerate() {
            let block = (v << 56 | (i as u64) << 45).swap_bytes();
            let exact = (8 * v as i32 + 4 + m).clamp(0, 2047);
            let t = texels(Format::EAC_R11_UNORM_BLOCK, block.into())[0];
            assert_eq!(convert::f32_to_unorm(t as f32 / 65535.0, 11), exact as u32, "{v} {i}");
            let base = i32::from(v as u8 as i8).max(-127);
            let exact = (8 * base + m).clamp(-1023, 1023);
            let t = texels(Format::EAC_R11_SNORM_BLOCK, block.into())[0] as i16;
            assert_eq!(convert::f32_to_snorm(f32::from(t) / 32767.0, 11), exact, "{v} {i}");
        }
    }
}

#[test]
fn etc2_individual_and_punch_through() {
    // Individual mode, both halves 0x888888, table 0, all indices 0: each component increases by 2.
    let block = 0x8888_8800_0000_0000u64.swap_bytes();
    assert_eq!(texels(Format::ETC2_R8G8B8_UNORM_BLOCK, block.into())[..16], [0x8a_8a8a; 16]);
    // Without the opaque bit, index 2 is transparent, and index 0 has no modifier.
    let block = (0x8080_8000_0000_0000u64 | 1 << 16).swap_bytes();
    let t = texels(Format::ETC2_R8G8B8A1_UNORM_BLOCK, block.into());
    assert_eq!(t[..2], [0, 0xff84_8484]);
}

#[test]
fn astc_void_extents_round_towards_zero() {
    for c in (0..=0xffffu128).step_by(7).chain([0xffff, 1, 2, 3, 4, 0xfffe]) {
        let block = 0x1fc | 3 << 10 | ((1u128 << 52) - 1) << 12 | c << 64 | c << 112;
        let t = texels(Format::ASTC_8x8_UNORM_BLOCK, block);
        let h = convert::f16_to_f32(t[63] as u16);
        let up = convert::f16_to_f32(t[63] as u16 + 1);
        let exact = if c == 0xffff { 1.0 } else { c as f32 / 65536.0 };
        assert!(h <= exact && (up > exact), "{c}: {h}");
        let s = texels(Format::ASTC_8x8_SRGB_BLOCK, block)[63];
        assert_eq!(s, u64::from((c >> 8) as u32) * 0x0100_0001);
    }
    // A reserved block mode gives the error colour.
    assert_eq!(texels(Format::ASTC_4x4_SRGB_BLOCK, 0)[15], 0xffff_00ff);
    assert_eq!(texels(Format::ASTC_4x4_UNORM_BLOCK, 0)[0], 0x3c00_3c00_0000_3c00);
}

#[test]
fn pairs_of_texels_share_chroma() {
    let t = texels(Format::G8B8G8R8_422_UNORM, 0x4030_2010);
    assert_eq!(t[..2], [0x20_1040, 0x20_3040]);
    let t = texels(Format::B8G8R8G8_422_UNORM, 0x3040_1020);
    assert_eq!(t[..2], [0x20_1040, 0x20_3040]);
    let all = texels(Format::G10X6B10X6G10X6R10X6_422_UNORM_4PACK16, 0xffc0_ffc0_ffc0_ffc0);
    assert_eq!(all[0], 0xffff_ffff_ffff);
}
