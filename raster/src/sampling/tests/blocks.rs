//! Blocks of compressed images as views show them. Tests of the codecs are left to the formats.

use super::*;

/// Blocks of several slices that are not decoded in advance: each of 2 by 2 by 2 blocks has one colour.
#[test]
fn blocks_of_several_slices() {
    let tables = Interner::new(CpuLevel::current());
    let desc = ImageDesc {
        image_type: ImageType::D3,
        extent: [8, 8, 5],
        ..ImageDesc::new_2d(Format::ASTC_4x4x3_SFLOAT_BLOCK, 8, 8)
    };
    let t = Texture::new(&tables, desc);
    let s = t.layout.subresource(Aspects::COLOR, 0, 0).expect("the level exists");
    for n in 0..8u64 {
        // Constant blocks of 16-bit floats; red is the number of the block.
        let red = half::f16::from_f32(n as f32).to_bits();
        let block = 0xffff_ffff_ffff_fffc | u128::from(red) << 64 | 0x3c00 << 112;
        let at = s.offset + (n >> 2) * s.slice_pitch + (n >> 1 & 1) * s.row_pitch + (n & 1) * 16;
        t.memory.write_texel(at, 16, block);
    }
    let op = ImageOp { dim: ImageDim::D3, lod: LodMode::Explicit, ..sample_op() };
    let state = SamplerState::nearest(AddressMode::ClampToEdge);
    for (x, y, z) in (0..8 * 8 * 5).map(|i| (i % 8, i / 8 % 8, i / 64)) {
        let at = [(x as f32 + 0.5) / 8.0, (y as f32 + 0.5) / 8.0, (z as f32 + 0.5) / 5.0, 0.0];
        let got = sample(&tables, &t.view, &state, &op, &[at], |_| {})[0];
        assert_eq!(got, [(z / 3 * 4 + y / 4 * 2 + x / 4) as f32, 0.0, 0.0, 1.0], "{x} {y} {z}");
    }
    // Between two blocks, a linear filter takes half of each.
    let linear = SamplerState::linear(AddressMode::ClampToEdge);
    let between = sample(&tables, &t.view, &linear, &op, &[[0.5, 0.25, 0.6, 0.0]], |_| {})[0];
    assert_eq!(between, [2.5, 0.0, 0.0, 1.0]);
}

/// The texels of a view of an image that keeps decoded texels, with one block.
fn shown(image: Format, view: Format, block: u128) -> [f32; 4] {
    let tables = Interner::new(CpuLevel::current());
    let desc = ImageDesc { decoded: true, ..ImageDesc::new_2d(image, 4, 4) };
    let t = Texture::with(&tables, desc, |v| v.format = view);
    let s = t.layout.subresource(Aspects::COLOR, 0, 0).expect("the level exists");
    t.memory.write_texel(s.offset, 16, block);
    let op = ImageOp { lod: LodMode::Explicit, ..sample_op() };
    let state = SamplerState::nearest(AddressMode::ClampToEdge);
    sample(&tables, &t.view, &state, &op, &[xy(0.5, 0.5)], |_| {})[0]
}

/// A view decodes blocks by its own format. Spec: Khronos Data Format, "BPTC Compressed Texture Image Formats", "ASTC
/// Compressed Texture Image Formats".
#[test]
fn views_of_another_format_decode_blocks_again() {
    // Mode 3 (bits 0 to 4), then six end points of 10 bits: all -256, or 768 without sign.
    let block = (0..6).fold(3u128, |block, i| block | 0x300 << (5 + 10 * i));
    // ((-256 << 15) - 0x4000 >> 9) * 31 >> 5, rounded towards 0, is the 16-bit float -0x3e1f.
    let signed = [-1.530_273_4, -1.530_273_4, -1.530_273_4, 1.0];
    // ((768 << 16) + 0x8000 >> 10) * 31 >> 6 is the 16-bit float 0x5d0f.
    let unsigned = [323.75, 323.75, 323.75, 1.0];
    let (u, s) = (Format::BC6H_UFLOAT_BLOCK, Format::BC6H_SFLOAT_BLOCK);
    assert_eq!([shown(u, s, block), shown(s, u, block)], [signed, unsigned]);
    // A constant block of 16-bit floats is an error in the LDR profile, which shows magenta.
    let half = 0x3800u128;
    let block = 0xffff_ffff_ffff_fffc | half << 64 | 0x3c00 << 112;
    let (unorm, float) = (Format::ASTC_4x4_UNORM_BLOCK, Format::ASTC_4x4_SFLOAT_BLOCK);
    assert_eq!(shown(float, unorm, block), [1.0, 0.0, 1.0, 1.0]);
    assert_eq!(shown(unorm, float, block), [0.5, 0.0, 0.0, 1.0]);
}
