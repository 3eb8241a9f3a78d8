//! Decodes blocks of compressed texels.
//!
//! A block of at most 16 bytes becomes one word per texel, in the decoded format of the format table:
//!
//! * BC1 to BC3, BC7 and ETC2: four 8-bit components (sRGB formats keep their codes); without an alpha channel, a
//!   format without alpha. The interpolated thirds of BC1 to BC3 are rounded to the nearest code.
//! * BC4, BC5 and EAC: 16-bit normalized components, nearest to the exact value.
//! * BC6H: 16-bit floats, exact.
//! * ASTC: 16-bit floats as the specification says, or 8-bit codes for sRGB. Blocks that are invalid, and HDR blocks of
//!   other formats than SFLOAT ones, give the error colour, magenta.
//! * 4:2:2 formats with interleaved chroma: both texels take the chroma sample of their pair.
//!
//! The `bcdec_rs` crate decodes BC6H and BC7, this module all other formats. Reading the blocks from memory is left to
//! transfers and samplers.
//!
//! Spec: Khronos Data Format, chapters 18 to 23.

mod astc;
mod bc;
mod etc;

#[cfg(test)]
mod tests;

use std::cell::RefCell;

use astc::Profile;

use super::{Format, FormatInfo, Numeric, convert::max_uint};

/// Encoding of the texels of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of the formats")]
pub enum Codec {
    Bc1Rgb,
    Bc1,
    Bc2,
    Bc3,
    Bc4,
    Bc5,
    Bc6hU,
    Bc6hS,
    Bc7,
    Etc2Rgb,
    Etc2A1,
    Etc2A8,
    EacR,
    EacRg,
    Astc,
    AstcHdr,
    Gbgr8,
    Bgrg8,
    Gbgr10,
    Bgrg10,
    Gbgr12,
    Bgrg12,
    Gbgr16,
    Bgrg16,
}

impl Codec {
    /// Compatibility class: views may reinterpret formats as each other if their codecs have the same class.
    pub(super) fn class(self) -> u32 {
        match self {
            Codec::Bc6hS => Codec::Bc6hU as u32,
            Codec::AstcHdr => Codec::Astc as u32,
            c => c as u32,
        }
    }
    /// For 4:2:2 formats, the bits of a component, and `true` if the first unit of 8 or 16 bits is luma.
    fn packed_422(self) -> Option<(u32, bool)> {
        Some(match self {
            Codec::Gbgr8 => (8, true),
            Codec::Bgrg8 => (8, false),
            Codec::Gbgr10 => (10, true),
            Codec::Bgrg10 => (10, false),
            Codec::Gbgr12 => (12, true),
            Codec::Bgrg12 => (12, false),
            Codec::Gbgr16 => (16, true),
            Codec::Bgrg16 => (16, false),
            _ => return None,
        })
    }
    /// Number of bits of a component of a 4:2:2 format; `None` for other codecs.
    pub fn bits_422(self) -> Option<u32> {
        self.packed_422().map(|(bits, _)| bits)
    }
    /// True for 4:2:2 formats, which are uncompressed but stored in blocks of two texels.
    pub fn is_422(self) -> bool {
        self.packed_422().is_some()
    }
}

/// Maximum number of texels per block.
pub const MAX_TEXELS: usize = 216;

/// Words of a block's texels in the decoded format, row by row and slice by slice.
pub type Texels = [u64; MAX_TEXELS];

/// Decodes the block in the low bytes of a little-endian word.
pub fn decode(info: &FormatInfo, block: u128, out: &mut Texels) {
    let Some(b) = info.block else { return };
    let (low, high) = (block as u64, (block >> 64) as u64);
    let signed = info.numeric == Numeric::Snorm;
    match b.codec {
        Codec::Bc1Rgb => bc::colors(low, false, out),
        Codec::Bc1 => {
            bc::colors(low, false, out);
            bc::one_bit_alpha(low, out);
        }
        Codec::Bc2 => {
            bc::colors(high, true, out);
            (0..16).for_each(|i| out[i] |= (low >> (4 * i) & 15) * (17 << 24));
        }
        Codec::Bc3 => {
            bc::colors(high, true, out);
            bc::alpha(low, out);
        }
        Codec::Bc4 => bc::red(low, signed, out, 0),
        Codec::Bc5 => {
            bc::red(low, signed, out, 0);
            bc::red(high, signed, out, 16);
        }
        Codec::Bc6hU | Codec::Bc6hS => {
            let mut rgb = [0u16; 48];
            bcdec_rs::bc6h_half(&block.to_le_bytes(), &mut rgb, 12, b.codec == Codec::Bc6hS);
            for (o, c) in out.iter_mut().zip(rgb.chunks_exact(3)) {
                *o = u64::from(c[0]) | u64::from(c[1]) << 16 | u64::from(c[2]) << 32;
            }
        }
        Codec::Bc7 => {
            let mut rgba = [0u8; 64];
            bcdec_rs::bc7(&block.to_le_bytes(), &mut rgba, 16);
            for (o, c) in out.iter_mut().zip(rgba.chunks_exact(4)) {
                *o = u64::from(u32::from_le_bytes([c[0], c[1], c[2], c[3]]));
            }
        }
        Codec::Etc2Rgb => etc::colors(low.swap_bytes(), false, out),
        Codec::Etc2A1 => etc::colors(low.swap_bytes(), true, out),
        Codec::Etc2A8 => {
            etc::colors(high.swap_bytes(), false, out);
            etc::alpha(low.swap_bytes(), out);
        }
        Codec::EacR => etc::red(low.swap_bytes(), signed, out, 0),
        Codec::EacRg => {
            etc::red(low.swap_bytes(), signed, out, 0);
            etc::red(high.swap_bytes(), signed, out, 16);
        }
        Codec::Astc | Codec::AstcHdr => {
            let profile = match (info.numeric, b.codec) {
                (Numeric::Srgb, _) => Profile::Srgb,
                (_, Codec::AstcHdr) => Profile::Hdr,
                _ => Profile::Ldr,
            };
            astc::decode(block, info.format.block(), profile, out);
        }
        _ => {
            if let Some((bits, luma_first)) = b.codec.packed_422() {
                packed_422(low, bits, luma_first, out);
            }
        }
    }
}

/// Decodes two texels from four units: luma, chroma, luma, chroma, or chroma first. Cr becomes red, Cb blue.
fn packed_422(word: u64, bits: u32, luma_first: bool, out: &mut Texels) {
    let unit = if bits == 8 { 8 } else { 16 };
    let (max, wide) = (u64::from(max_uint(bits)), u64::from(max_uint(unit)));
    // Components occupy the top bits of their unit, and are rescaled to the whole unit.
    let at = |i: u32| {
        let v = word >> (unit * i + unit - bits) & max;
        (2 * v * wide + max) / (2 * max)
    };
    let [y0, cb, y1, cr] = if luma_first { [0, 1, 2, 3] } else { [1, 0, 3, 2] }.map(at);
    for (o, y) in out.iter_mut().zip([y0, y1]) {
        *o = cr | y << unit | cb << (2 * unit);
    }
}

/// Decodes one texel of a block. Each thread caches the blocks that it decoded last, by content.
pub fn texel(info: &FormatInfo, block: u128, [x, y, z]: [u32; 3]) -> u64 {
    const WAYS: usize = 32;
    struct Entry {
        format: Option<Format>,
        block: u128,
        texels: Texels,
    }
    thread_local! {
        static KEPT: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
    }
    let [width, height, _] = info.format.block();
    let i = (((z * height + y) * width + x) as usize).min(MAX_TEXELS - 1);
    KEPT.with_borrow_mut(|kept| {
        if kept.is_empty() {
            kept.resize_with(WAYS, || Entry { format: None, block: 0, texels: [0; MAX_TEXELS] });
        }
        let mixed = (block as u64 ^ (block >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let e = &mut kept[(mixed >> 59) as usize % WAYS];
        if e.format != Some(info.format) || e.block != block {
            decode(info, block, &mut e.texels);
            (e.format, e.block) = (Some(info.format), block);
        }
        e.texels[i]
    })
}
