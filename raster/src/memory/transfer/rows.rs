//! Rows of texels as floats or integers, for transfers that convert.
//!
//! Formats whose components are whole bytes use short loops; other formats use the scalar conversion of each texel,
//! which is left to [`crate::memory::format`]. Both give the same results.

use once_cell::race::OnceBox;
use quadrille_jit::cpu::IS_X86;

use crate::memory::format::{Field, Format, FormatInfo, Numeric, Texel, convert, srgb};
use crate::memory::image::Span;

/// Position of each component in units of `bits` bits, if all components have that width.
fn units(info: &FormatInfo, bits: u8) -> Option<[Option<usize>; 4]> {
    let whole = |f: &Field| f.bits == 0 || (f.bits == bits && f.shift.is_multiple_of(bits));
    let place = |f: Field| (f.bits != 0).then_some(usize::from(f.shift / bits));
    (info.block.is_none() && info.planes.is_empty() && info.fields.iter().all(whole))
        .then(|| info.fields.map(place))
}

/// Positions of components in the order R, G, B, A.
const IN_ORDER: [Option<usize>; 4] = [Some(0), Some(1), Some(2), Some(3)];

/// Like [`convert::f32_to_unorm`] for 8 bits, without conversion to integer, for which few hosts have vector
/// instructions.
#[inline]
fn unorm8(x: f32) -> u8 {
    // Compilers for other processors make a maximum of the comparison, whose result for a signaling NaN is NaN, not 0. A
    // sum makes the NaN quiet, for which the maximum is 0.
    let x = if IS_X86 { x } else { x + 0.0 };
    let x = if x > 0.0 { x } else { 0.0 };
    let x = if x < 1.0 { x } else { 1.0 };
    // The sum has no bits for a fraction, so it is rounded.
    (x * 255.0 + 8_388_608.0).to_bits() as u8
}

/// Returns true if all bytes of a format are unsigned normalized components.
pub fn is_unorm8(format: Format) -> bool {
    let info = format.info();
    let components = units(info, 8).map_or(0, |places| places.iter().flatten().count());
    info.numeric == Numeric::Unorm && components == format.bytes() as usize
}

/// Adds components that are bytes, as [`read`] reads them, to sums.
pub fn add_unorm8(sums: &mut [f32], bytes: &[u8]) {
    for (sum, &byte) in sums.iter_mut().zip(bytes) {
        let v = f32::from(byte);
        *sum += v * convert::NORM8_HI + v * convert::NORM8_LO;
    }
}

/// Packs scaled sums of components into bytes, as [`pack`] does.
pub fn pack_unorm8(sums: &[f32], scale: f32, bytes: &mut [u8]) {
    for (byte, &sum) in bytes.iter_mut().zip(sums) {
        *byte = unorm8(sum * scale);
    }
}

/// Unpacked words of all 8-bit codes: for R, G and B, and for A.
fn codes(numeric: Numeric) -> Option<&'static [[u32; 256]; 2]> {
    static TABLES: [OnceBox<[[u32; 256]; 2]>; 4] = [const { OnceBox::new() }; 4];
    let (table, format) = match numeric {
        Numeric::Unorm => (0, Format::R8G8B8A8_UNORM),
        Numeric::Snorm => (1, Format::R8G8B8A8_SNORM),
        Numeric::Srgb => (2, Format::R8G8B8A8_SRGB),
        Numeric::Sint => (3, Format::R8G8B8A8_SINT),
        _ => return None,
    };
    Some(
        TABLES[table].get_or_init(|| {
            Box::new([0, 3].map(|c| std::array::from_fn(|v| format.unpack(&[v as u8; 4])[c])))
        }),
    )
}

/// Reads `out.len()` texels at `offset` as words (floats, or integers for integer formats).
pub fn read(memory: &Span, offset: u64, format: Format, out: &mut [Texel], bytes: &mut Vec<u8>) {
    let size = format.bytes() as usize;
    bytes.resize(out.len() * size, 0);
    super::must(memory.read(offset, bytes));
    let info = format.info();
    let missing = [0, 0, 0, info.one()];
    let texels = out.iter_mut().zip(bytes.chunks_exact(size));
    if units(info, 16) == Some(IN_ORDER) && info.numeric == Numeric::Sfloat {
        for (t, b) in out.iter_mut().zip(bytes.as_chunks::<8>().0) {
            for c in 0..4 {
                t[c] = convert::f16_to_f32(u16::from_le_bytes([b[2 * c], b[2 * c + 1]])).to_bits();
            }
        }
    } else if let (Some(places), Some(codes)) = (units(info, 8), codes(info.numeric)) {
        for (t, b) in texels {
            *t = std::array::from_fn(|c| {
                places[c].map_or(missing[c], |at| codes[usize::from(c == 3)][usize::from(b[at])])
            });
        }
    } else if let (Some(places), Numeric::Sfloat) = (units(info, 16), info.numeric) {
        for (t, b) in texels {
            let half = |at: usize| u16::from_le_bytes([b[2 * at], b[2 * at + 1]]);
            *t = std::array::from_fn(|c| {
                places[c].map_or(missing[c], |at| convert::f16_to_f32(half(at)).to_bits())
            });
        }
    } else if let Some(places) = units(info, 32) {
        for (t, b) in texels {
            let word = |at: usize| {
                let b = &b[4 * at..4 * at + 4];
                u32::from_le_bytes([b[0], b[1], b[2], b[3]])
            };
            *t = std::array::from_fn(|c| places[c].map_or(missing[c], word));
        }
    } else {
        for (t, b) in texels {
            *t = format.unpack(b);
        }
    }
}

/// Packs texels, and replaces the contents of `bytes` with their bytes.
pub fn pack(format: Format, texels: &[Texel], bytes: &mut Vec<u8>) {
    let size = format.bytes() as usize;
    // Bits that no component covers are zero.
    bytes.clear();
    bytes.resize(texels.len() * size, 0);
    let info = format.info();
    let rows = texels.iter().zip(bytes.chunks_exact_mut(size));
    if units(info, 16) == Some(IN_ORDER) && info.numeric == Numeric::Sfloat {
        for (t, b) in texels.iter().zip(bytes.as_chunks_mut::<8>().0) {
            for c in 0..4 {
                let h = convert::f32_to_f16(f32::from_bits(t[c]));
                b[2 * c..2 * c + 2].copy_from_slice(&h.to_le_bytes());
            }
        }
    } else if units(info, 8) == Some(IN_ORDER) && info.numeric == Numeric::Unorm {
        for (t, b) in texels.iter().zip(bytes.as_chunks_mut::<4>().0) {
            *b = t.map(|v| unorm8(f32::from_bits(v)));
        }
    } else if let (Some(places), Numeric::Unorm | Numeric::Srgb) = (units(info, 8), info.numeric) {
        let is_srgb = info.numeric == Numeric::Srgb;
        for (t, b) in rows {
            for c in 0..4 {
                if let Some(at) = places[c] {
                    let v = f32::from_bits(t[c]);
                    let curved = is_srgb && c < 3;
                    b[at] = if curved { srgb::encode(v) } else { convert::f32_to_unorm(v, 8) as u8 };
                }
            }
        }
    } else if let (Some(places), Numeric::Sfloat) = (units(info, 16), info.numeric) {
        for (t, b) in rows {
            for c in 0..4 {
                if let Some(at) = places[c] {
                    let h = convert::f32_to_f16(f32::from_bits(t[c]));
                    b[2 * at..2 * at + 2].copy_from_slice(&h.to_le_bytes());
                }
            }
        }
    } else if let Some(places) = units(info, 32) {
        for (t, b) in rows {
            for c in 0..4 {
                if let Some(at) = places[c] {
                    b[4 * at..4 * at + 4].copy_from_slice(&t[c].to_le_bytes());
                }
            }
        }
    } else {
        for (t, b) in rows {
            b.copy_from_slice(&format.pack(*t)[..size]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::format::FORMATS;

    /// Checks that the short loops agree with the scalar conversions.
    #[test]
    #[expect(unsafe_code, reason = "wraps test memory")]
    fn rows_agree_with_single_texels() {
        const N: usize = 4096;
        let mut store = vec![0u8; N * 16];
        // SAFETY: `store` outlives the span, and the test accesses it only through the span.
        let memory = unsafe { Span::new(store.as_mut_ptr(), (N * 16) as u64) };
        let mut seed = 9u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 32) as u32
        };
        for info in FORMATS.iter().filter(|r| r.block.is_none() && r.planes.is_empty() && r.bytes <= 16) {
            let size = info.bytes as usize;
            let random_bytes: Vec<u8> = (0..N * size).map(|_| random() as u8).collect();
            assert!(memory.write(0, &random_bytes));
            let (mut out, mut bytes) = (vec![[0; 4]; N], Vec::new());
            read(&memory, 0, info.format, &mut out, &mut bytes);
            for (t, b) in out.iter().zip(random_bytes.chunks_exact(size)) {
                assert_eq!(*t, info.format.unpack(b), "{} {b:x?}", info.name);
            }
            for t in &mut out {
                *t = [(); 4].map(|()| match random() % 3 {
                    0 => random(),
                    1 => (random() as f32 / 4e9).to_bits(),
                    _ => (random() as i32 as f32 / 1e9).to_bits(),
                });
            }
            pack(info.format, &out, &mut bytes);
            for (t, b) in out.iter().zip(bytes.chunks_exact(size)) {
                assert_eq!(info.format.pack(*t)[..size], *b, "{} {t:x?}", info.name);
            }
        }
    }
}
