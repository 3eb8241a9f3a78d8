//! Rows of texels as floats or integers, for transfers that convert.

use crate::format::{Format, Numeric, Texel, convert, srgb};
use crate::image::Span;

/// Reads `out.len()` texels at `offset` as words (floats, or integers for integer formats).
pub fn read(memory: &Span, offset: u64, format: Format, out: &mut [Texel], bytes: &mut Vec<u8>) {
    let size = format.bytes() as usize;
    bytes.resize(out.len() * size, 0);
    super::must(memory.read(offset, bytes));
    let info = format.info();
    match (info.numeric, info.is_plain(8), info.components()) {
        (Numeric::Unorm, true, 4) => {
            for (t, b) in out.iter_mut().zip(bytes.chunks_exact(4)) {
                *t = std::array::from_fn(|c| (f32::from(b[c]) / 255.0).to_bits());
            }
        }
        (Numeric::Srgb, true, 4) => {
            for (t, b) in out.iter_mut().zip(bytes.chunks_exact(4)) {
                let [r, g, bl] = [b[0], b[1], b[2]].map(|v| srgb::DECODE_BITS[v as usize]);
                *t = [r, g, bl, (f32::from(b[3]) / 255.0).to_bits()];
            }
        }
        _ => {
            for (t, b) in out.iter_mut().zip(bytes.chunks_exact(size)) {
                *t = format.unpack(b);
            }
        }
    }
}

/// Writes texels at `offset`.
pub fn write(memory: &Span, offset: u64, format: Format, texels: &[Texel], bytes: &mut Vec<u8>) {
    let size = format.bytes() as usize;
    bytes.resize(texels.len() * size, 0);
    let info = format.info();
    if (info.numeric, info.is_plain(8), info.components()) == (Numeric::Unorm, true, 4) {
        for (t, b) in texels.iter().zip(bytes.chunks_exact_mut(4)) {
            for c in 0..4 {
                b[c] = convert::f32_to_unorm(f32::from_bits(t[c]), 8) as u8;
            }
        }
    } else {
        for (t, b) in texels.iter().zip(bytes.chunks_exact_mut(size)) {
            b.copy_from_slice(&format.pack(*t)[..size]);
        }
    }
    super::must(memory.write(offset, bytes));
}
