//! Texels: image formats by name, their components in memory, and the values of bits.

use std::collections::HashMap;

use once_cell::race::OnceBox;
use quadrille::{FORMATS, Format, Numeric};

use super::{Component, Number, Value};

/// Returns the image format with this name, if scripts may use it.
pub fn format_named(name: &str) -> Option<Format> {
    static NAMES: OnceBox<HashMap<&str, Format>> = OnceBox::new();
    let names = NAMES.get_or_init(|| {
        let usable = |f: &Format| f.vk() != 0 && !f.is_compressed() && !f.is_multi_planar();
        Box::new(FORMATS.iter().map(|row| row.format).filter(usable).map(|f| (f.name(), f)).collect())
    });
    names.get(name).copied()
}

/// Extracts bits from the little-endian word of a texel, starting at bit `shift`.
pub(super) fn field_bits(texel: &[u8], shift: usize, bits: usize) -> u64 {
    let mut word = [0u8; 16];
    let bytes = &texel[shift / 8..];
    let n = bytes.len().min(16);
    word[..n].copy_from_slice(&bytes[..n]);
    let word = u128::from_le_bytes(word) >> (shift % 8);
    (word & ((1u128 << bits) - 1)) as u64
}

/// True if scripts give one value per texel.
fn is_packed(format: Format) -> bool {
    format.name().contains("_PACK")
}

/// Returns the components of a texel: number among R, G, B, A, first bit, and number of bits. The table of formats has
/// the halves of 64-bit integers.
pub(super) fn fields(format: Format) -> impl Iterator<Item = (u8, u8, u8)> {
    let info = format.info();
    let words: u8 = if info.has_64_bit_texels() { 2 } else { 1 };
    let components = (0..).zip(info.fields.iter().step_by(usize::from(words)));
    components.filter(|(_, f)| f.bits > 0).map(move |(number, f)| (number, f.shift, f.bits * words))
}

/// Returns the components of a texel in memory; depth precedes stencil.
pub(super) fn texel_components(format: Format) -> Vec<Component> {
    let info = format.info();
    if is_packed(format) {
        let number = Number { numeric: Numeric::Uint, bits: (info.bytes * 8) as u8 };
        return vec![Component { offset: 0, number, row: 0 }];
    }
    let mut list: Vec<Component> = fields(format)
        .map(|(row, shift, bits)| Component {
            offset: u32::from(shift) / 8,
            number: Number { numeric: info.numeric, bits },
            row,
        })
        .collect();
    list.sort_by_key(|c| c.offset);
    if let Some(stencil) = stencil_offset(format) {
        let number = Number { numeric: Numeric::Uint, bits: 8 };
        list.push(Component { offset: stencil, number, row: 1 });
    }
    list
}

/// Offset of the stencil, which follows the depth, in a depth/stencil texel.
pub fn stencil_offset(format: Format) -> Option<u32> {
    match format {
        Format::D16_UNORM_S8_UINT => Some(2),
        Format::D24_UNORM_S8_UINT => Some(3),
        Format::D32_SFLOAT_S8_UINT => Some(4),
        _ => None,
    }
}

/// Size of a texel including its stencil, in bytes.
pub(super) fn texel_bytes(format: Format) -> u32 {
    stencil_offset(format).map_or(format.bytes(), |at| at + 1)
}

/// Encodes a value as bits.
pub(super) fn encode(number: Number, value: Value) -> u64 {
    match (value, number.is_float(), number.bits) {
        (Value::Float(v), true, 16) => half_bits(v).into(),
        (Value::Float(v), true, 32) => (v as f32).to_bits().into(),
        (Value::Float(v), ..) => v.to_bits(),
        (Value::Int(v), ..) => v,
    }
}

/// Converts to half precision, rounding towards zero; values that are too large become infinite. Amber itself rounds
/// this way, and expectations of existing scripts depend on it.
pub(super) fn half_bits(v: f64) -> u16 {
    let v = f64::from(v as f32);
    let nearest = half::f16::from_f64(v);
    let beyond = nearest.is_finite() && nearest.to_f64().abs() > v.abs();
    nearest.to_bits() - u16::from(beyond)
}

/// Decodes bits: normalized formats give [0, 1] or [-1, 1], sRGB gives linear values.
pub fn decode(number: Number, bits: u64) -> f64 {
    let n = u32::from(number.bits);
    let signed = || ((bits << (64 - n)) as i64) >> (64 - n);
    let unsigned_max = (u64::MAX >> (64 - n)) as f64;
    match number.numeric {
        Numeric::Uint | Numeric::Uscaled | Numeric::SharedExp => bits as f64,
        Numeric::Sint | Numeric::Sscaled => signed() as f64,
        Numeric::Unorm => bits as f64 / unsigned_max,
        Numeric::Snorm => (signed() as f64 / ((1u64 << (n - 1)) - 1) as f64).max(-1.0),
        Numeric::Srgb => {
            let s = bits as f64 / unsigned_max;
            if s <= 0.04045 { s / 12.92 } else { ((s + 0.055) / 1.055).powf(2.4) }
        }
        // Unsigned float: five exponent bits, then the mantissa.
        Numeric::Ufloat => half::f16::from_bits((bits << (15 - n)) as u16).into(),
        Numeric::Sfloat => match n {
            16 => half::f16::from_bits(bits as u16).into(),
            32 => f32::from_bits(bits as u32).into(),
            _ => f64::from_bits(bits),
        },
    }
}
