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
        let [width, height, depth] = [b.width, b.height, b.depth].map(usize::from);
        let n = width * height * depth;
        assert!(n <= MAX_TEXELS && info.bytes <= 16 && bits <= 64);
        for _ in 0..2000 {
            seed = seed.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(0x1234_5679);
            let block = (seed ^ seed >> 71) & (u128::MAX >> (128 - 8 * info.bytes));
            let t = texels(info.format, block);
            assert!(t[..n].iter().all(|&w| bits == 64 || w >> bits == 0), "{} {block:x}", info.name);
            let at = (seed >> 64) as usize % n;
            let place = [at % width, at / width % height, at / (width * height)].map(|c| c as u32);
            assert_eq!(texel(info, block, place), t[at], "{} {block:x}", info.name);
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

/// The n-th of the ASTC blocks that were decoded by another implementation, with all numbers of planes and partitions, and
/// all modes of end points. Blocks have 4 by 4 weights, and mostly 2 or 3 along each axis if they are `deep`.
fn astc_block(n: u128, noise: u128, deep: bool) -> u128 {
    let kept = |from: u32| noise >> from << from;
    let planes = u128::from(n.is_multiple_of(5));
    let partitions = if planes == 1 { 0 } else { n / 3 % 4 };
    let range = if deep { 2 + n % 6 } else { 4 + n % 4 };
    let size = if deep { (n / 2 % 2) << 5 | (n / 4 % 2) << 2 | (n / 8 % 2) << 7 } else { 2 << 5 };
    let mut mode = range >> 1 & 1 | range >> 2 << 1 | (range & 1) << 4 | size | planes << 10;
    if deep && n % 11 == 3 {
        mode = noise & 0x7ff;
        mode ^= u128::from(mode & 0x1ff == 0x1fc); // no void extents
    }
    mode |= partitions << 11;
    match partitions {
        0 => kept(17) | mode | (n % 16) << 13,
        _ if n.is_multiple_of(7) => kept(13) | mode,
        _ => kept(29) | mode | noise & 0x3ff << 13 | (n % (16 - 4 * partitions)) << 25,
    }
}

/// Hashes of the texels of 2,000 blocks of each size, decoded by astcenc in the profiles LDR and HDR, with magenta for
/// its error colour.
const ASTCENC: [(&str, u64, u64); 24] = [
    ("4x4", 0xc3f9_eadb_7241_e3e0, 0x72fd_1737_ffe5_e3d3),
    ("5x4", 0xcce1_bf3a_b8fb_7ad4, 0x86a5_e78d_88c9_6cff),
    ("5x5", 0xad7e_aec9_dad1_ef31, 0xad6d_0642_4cf0_4e03),
    ("6x5", 0x5f6c_eaac_ec48_1f36, 0x8f48_1154_c496_8351),
    ("6x6", 0x8751_dde0_5ef0_8ca0, 0x55e4_2595_5169_ad1e),
    ("8x5", 0x5bd5_bed5_cea5_5362, 0x400c_adfe_10d2_0ec6),
    ("8x6", 0x3c7d_1778_cfd9_dcd4, 0x1634_b372_bbd4_68d1),
    ("8x8", 0xe28f_7031_ad9e_173f, 0xbcd5_37c1_2af1_1c9f),
    ("10x5", 0xae6c_2c2e_6ceb_97ac, 0x9dd7_870b_d2d2_b59d),
    ("10x6", 0x53b1_8098_73c1_0cfa, 0xfa39_3c67_e6f5_648e),
    ("10x8", 0xb729_44cb_d3d2_3e38, 0x477f_fb6a_a418_e1cb),
    ("10x10", 0xff58_f7b8_8e4d_3af5, 0x2f19_773b_1b06_914d),
    ("12x10", 0x1e96_aaab_c50d_e72d, 0xf62e_8e2d_a4d1_68b9),
    ("12x12", 0xaca4_8634_bf19_71dd, 0x2086_7e71_715f_08f2),
    ("3x3x3", 0xf65a_dc95_a0f2_77b8, 0x3880_6c26_7f3a_4bff),
    ("4x3x3", 0xd2c4_0aa3_4360_14d3, 0xf5c7_9294_3a67_058e),
    ("4x4x3", 0x303c_e63d_2088_c0a2, 0x87ab_0b32_fc8e_964a),
    ("4x4x4", 0xcbee_b113_34f2_272c, 0xa58f_80f9_94ff_2084),
    ("5x4x4", 0x8d65_3f04_4e08_75fc, 0x85f9_db74_4746_7bd7),
    ("5x5x4", 0x5ee4_0c16_613f_bbf6, 0xebad_000e_2774_5fdb),
    ("5x5x5", 0x6a21_4444_245d_937d, 0xfd52_b790_2b44_a3a8),
    ("6x5x5", 0x7f33_f93b_7e50_eb36, 0x6a59_62e1_53a9_ae21),
    ("6x6x5", 0x630b_b945_d72f_45ef, 0xf12d_0ab4_f040_d7fa),
    ("6x6x6", 0xb8c2_1527_062f_e697, 0xdce1_0385_d0ea_7768),
];

#[test]
fn astc_blocks_have_the_texels_of_astcenc() {
    for (size, ldr, hdr) in ASTCENC {
        for (kind, expected) in [("UNORM", ldr), ("SFLOAT", hdr)] {
            let name = format!("ASTC_{size}_{kind}_BLOCK");
            let info = FORMATS.iter().find(|r| r.name == name).expect("a row of the table");
            let block = info.format.block();
            let count = block.into_iter().product::<u32>() as usize;
            let (mut seed, mut hash) = (1u128, 0xcbf2_9ce4_8422_2325u64);
            for n in 0..2000 {
                seed = seed.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(0x1234_5679);
                let mut out = [0; MAX_TEXELS];
                decode(info, astc_block(n, seed ^ seed >> 71, block[2] > 1), &mut out);
                for word in &out[..count] {
                    hash = (hash ^ word).wrapping_mul(0x100_0000_01b3);
                }
            }
            assert_eq!(hash, expected, "{name}: {hash:#x}");
        }
    }
}

/// Hashes of the texels of 4,000 blocks of each size with block modes of all kinds, decoded by the decoder of VK-GL-CTS in
/// the HDR profile, with magenta for the error colour. A tenth to a third of the blocks are legal.
const OF_ALL_MODES: [(&str, u64); 14] = [
    ("4x4", 0x3199_2f59_7be8_850b),
    ("5x4", 0x36e2_4a80_baff_3839),
    ("5x5", 0x14c6_b571_83b0_09e0),
    ("6x5", 0x7592_ef96_426b_18f6),
    ("6x6", 0x7a7b_a2f5_bfb0_c0cc),
    ("8x5", 0xb2be_bf36_69be_995b),
    ("8x6", 0xc754_d093_61da_0af5),
    ("8x8", 0xc9ec_e4b7_3dab_6f05),
    ("10x5", 0xea42_05cf_abe1_56be),
    ("10x6", 0x4d5c_636f_99ac_0e11),
    ("10x8", 0xbd88_2587_84f3_95c5),
    ("10x10", 0xdba6_ea4b_4896_3fc2),
    ("12x10", 0xc3bf_01a0_4286_0893),
    ("12x12", 0x39d7_44fb_6466_91d4),
];

#[test]
fn astc_block_modes_have_the_texels_of_the_conformance_tests() {
    for (size, expected) in OF_ALL_MODES {
        let name = format!("ASTC_{size}_SFLOAT_BLOCK");
        let info = FORMATS.iter().find(|r| r.name == name).expect("a row of the table");
        let count = info.format.block().into_iter().product::<u32>() as usize;
        let (mut seed, mut hash) = (1u128, 0xcbf2_9ce4_8422_2325u64);
        for n in 0..4000 {
            seed = seed.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(0x1234_5679);
            let mut block = seed ^ seed >> 71;
            block ^= u128::from(block & 0x1ff == 0x1fc); // no void extents
            if n % 3 != 0 {
                block &= !(3 << 11); // a single partition
            }
            for word in &texels(info.format, block)[..count] {
                hash = (hash ^ word).wrapping_mul(0x100_0000_01b3);
            }
        }
        assert_eq!(hash, expected, "{name}: {hash:#x}");
    }
}

#[test]
fn astc_void_extents_of_floats_need_the_hdr_profile() {
    let block = 0x1fc | 7 << 9 | ((1u128 << 52) - 1) << 12 | 0x7bff_3c00_4000_0001 << 64;
    assert_eq!(texels(Format::ASTC_8x8_SFLOAT_BLOCK, block)[63], 0x7bff_3c00_4000_0001);
    assert_eq!(texels(Format::ASTC_8x8_UNORM_BLOCK, block)[63], 0x3c00_3c00_0000_3c00);
    // Extents of three dimensions begin at bit 10, which is reserved in two.
    let extents =
        |low: u128, high: u128| 0x3fc | ((low | high << 9) * (1 | 1 << 18 | 1 << 36)) << 10 | 0x3c00 << 64;
    assert_eq!(texels(Format::ASTC_6x6x6_SFLOAT_BLOCK, extents(3, 4))[215], 0x3c00);
    assert_eq!(texels(Format::ASTC_6x6x6_SFLOAT_BLOCK, extents(4, 4))[215], 0x3c00_3c00_0000_3c00);
    assert_eq!(texels(Format::ASTC_6x6x6_SFLOAT_BLOCK, extents(0x1ff, 0x1ff))[215], 0x3c00);
}

/// The reserved bits of blocks of two dimensions must be 1, whatever the profile. Spec: Khronos Data Format, "Illegal
/// Encodings".
#[test]
fn astc_void_extents_have_all_reserved_bits() {
    let block = |reserved: u128| 0x1fc | reserved << 10 | ((1u128 << 52) - 1) << 12 | 0xffff << 64;
    for reserved in 0..4 {
        let legal = reserved == 3;
        let srgb = texels(Format::ASTC_4x4_SRGB_BLOCK, block(reserved))[15];
        assert_eq!(srgb, if legal { 0xff } else { 0xffff_00ff }, "{reserved}");
        for format in [Format::ASTC_4x4_UNORM_BLOCK, Format::ASTC_4x4_SFLOAT_BLOCK] {
            let expected = if legal { 0x3c00 } else { 0x3c00_3c00_0000_3c00 };
            assert_eq!(texels(format, block(reserved))[15], expected, "{reserved}");
        }
    }
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
