//! Scalar conversion between a texel's bytes and four 32-bit words. Formats with 64-bit components are not converted.
//! Conversion of single components is left to [`super::convert`].

use super::convert::*;
use super::{Field, Format, FormatInfo, Numeric, srgb};

/// Four components R, G, B, A as words: bits of `f32`, or integers for UINT and SINT formats.
pub type Texel = [u32; 4];

/// Maximum number of bytes of a texel in an image or texel buffer.
pub const MAX_TEXEL_BYTES: usize = 16;

/// Extracts the bits of a component; of components wider than 32 bits, the low word.
fn field(word: u128, f: Field) -> u32 {
    (word.checked_shr(f.shift.into()).unwrap_or(0) as u32) & max_uint(u32::from(f.bits.min(32)))
}

fn unpack_component(numeric: Numeric, c: usize, bits: u32, v: u32) -> u32 {
    match numeric {
        Numeric::Unorm => unorm_to_f32(v, bits).to_bits(),
        Numeric::Snorm => snorm_to_f32(sign_extend(v, bits), bits).to_bits(),
        Numeric::Uscaled => (v as f32).to_bits(),
        Numeric::Sscaled => (sign_extend(v, bits) as f32).to_bits(),
        Numeric::Uint => v,
        Numeric::Sint => sign_extend(v, bits) as u32,
        Numeric::Ufloat => ufloat_to_f32(v, bits - 5).to_bits(),
        Numeric::Sfloat if bits == 16 => f16_to_f32(v as u16).to_bits(),
        Numeric::Srgb if c < 3 => srgb::DECODE_BITS[(v & 255) as usize],
        Numeric::Srgb => unorm_to_f32(v, bits).to_bits(),
        Numeric::Sfloat | Numeric::SharedExp => v,
    }
}

fn pack_component(numeric: Numeric, c: usize, bits: u32, v: u32) -> u32 {
    let x = f32::from_bits(v);
    let mask = max_uint(bits);
    match numeric {
        Numeric::Unorm => f32_to_unorm(x, bits),
        Numeric::Snorm => f32_to_snorm(x, bits) as u32 & mask,
        Numeric::Uscaled => f32_to_uint(x, bits),
        Numeric::Sscaled => f32_to_sint(x, bits) as u32 & mask,
        Numeric::Uint => v.min(mask),
        Numeric::Sint => clamp_sint(v as i32, bits) as u32 & mask,
        Numeric::Ufloat => f32_to_ufloat(x, bits - 5),
        Numeric::Sfloat if bits == 16 => u32::from(f32_to_f16(x)),
        Numeric::Srgb if c < 3 => u32::from(srgb::encode(x)),
        Numeric::Srgb => f32_to_unorm(x, bits),
        Numeric::Sfloat | Numeric::SharedExp => v,
    }
}

impl FormatInfo {
    /// The word for 1 in this format, used for missing alpha: the float 1.0 or the integer 1.
    pub fn one(&self) -> u32 {
        if self.numeric.is_integer() { 1 } else { 1.0f32.to_bits() }
    }

    /// Components of a texel whose bytes `word` holds in little-endian order; missing ones are 0, 0, 0, 1.
    pub fn unpack_word(&self, word: u128) -> Texel {
        let mut out = [0, 0, 0, self.one()];
        if self.numeric == Numeric::SharedExp {
            let rgb = unpack_shared_exp(word as u32);
            return [rgb[0].to_bits(), rgb[1].to_bits(), rgb[2].to_bits(), out[3]];
        }
        for (c, f) in self.fields.iter().enumerate() {
            if f.bits != 0 {
                out[c] = unpack_component(self.numeric, c, u32::from(f.bits.min(32)), field(word, *f));
            }
        }
        out
    }

    /// Packs components into a texel's bytes, in little-endian order.
    pub fn pack_word(&self, texel: Texel) -> u128 {
        if self.numeric == Numeric::SharedExp {
            return u128::from(pack_shared_exp([texel[0], texel[1], texel[2]].map(f32::from_bits)));
        }
        let mut word = 0;
        for (c, f) in self.fields.iter().enumerate() {
            if f.bits != 0 {
                let bits = pack_component(self.numeric, c, u32::from(f.bits.min(32)), texel[c]);
                word |= u128::from(bits).checked_shl(f.shift.into()).unwrap_or(0);
            }
        }
        word
    }
}

impl Format {
    /// Components of the texel in the first [`Format::bytes`] bytes of `bytes`; missing bytes read as 0.
    pub fn unpack(self, bytes: &[u8]) -> Texel {
        let n = bytes.len().min(self.bytes() as usize).min(MAX_TEXEL_BYTES);
        let mut word = [0; MAX_TEXEL_BYTES];
        word[..n].copy_from_slice(&bytes[..n]);
        self.info().unpack_word(u128::from_le_bytes(word))
    }

    /// Like [`Format::unpack`], with the words read as floats (integers are converted).
    pub fn unpack_f32(self, bytes: &[u8]) -> [f32; 4] {
        let texel = self.unpack(bytes);
        match self.info().numeric {
            Numeric::Uint => texel.map(|v| v as f32),
            Numeric::Sint => texel.map(|v| v as i32 as f32),
            _ => texel.map(f32::from_bits),
        }
    }

    /// Packs components into the bytes of a texel; only the first [`Format::bytes`] bytes are used.
    pub fn pack(self, texel: Texel) -> [u8; MAX_TEXEL_BYTES] {
        self.info().pack_word(texel).to_le_bytes()
    }

    /// Packs a clear value. Like [`Format::pack`], but of integers that are too wide the low bits are written.
    ///
    /// Spec: Vulkan, VkClearColorValue and VkClearDepthStencilValue.
    pub fn pack_clear(self, value: Texel) -> [u8; MAX_TEXEL_BYTES] {
        let info = self.info();
        if !info.numeric.is_integer() {
            return self.pack(value);
        }
        let mut texel = value;
        for (word, f) in texel.iter_mut().zip(&info.fields).filter(|(_, f)| (1..32).contains(&f.bits)) {
            let bits = u32::from(f.bits);
            *word = match info.numeric == Numeric::Sint {
                true => sign_extend(*word, bits) as u32,
                false => *word & max_uint(bits),
            };
        }
        self.pack(texel)
    }

    /// Like [`Format::pack`], from floats (converted to integers towards zero, with clamping).
    pub fn pack_f32(self, c: [f32; 4]) -> [u8; MAX_TEXEL_BYTES] {
        self.pack(match self.info().numeric {
            Numeric::Uint => c.map(|x| x as u32),
            Numeric::Sint => c.map(|x| x as i32 as u32),
            _ => c.map(f32::to_bits),
        })
    }
}
