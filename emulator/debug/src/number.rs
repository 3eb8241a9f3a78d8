//! Scalars as text, in the notation of the languages.

use quadrille_jit::ir::Ty;
use quadrille_jit::spirv::types::SmallFloat;

/// Formats a scalar in the notation of the languages.
pub fn scalar_text(ty: Ty, signed: bool, bits: u64) -> String {
    let unused = 64 - 8 * ty.bytes().clamp(1, 8);
    let integer = || match signed {
        true => (((bits << unused) as i64) >> unused).to_string(),
        false => (bits << unused >> unused).to_string(),
    };
    match ty {
        Ty::Bool => (bits & 1 == 1).to_string(),
        Ty::F32 => format!("{:?}", f32::from_bits(bits as u32)),
        Ty::F64 => format!("{:?}", f64::from_bits(bits)),
        Ty::F16 => format!("{:?}", half(bits as u16)),
        _ => integer(),
    }
}

/// Exact value of a 16-bit float.
pub(crate) fn half(bits: u16) -> f32 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    let magnitude = match exponent {
        0 => fraction * 2f32.powi(-24),
        31 if fraction == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        e => (1.0 + fraction / 1024.0) * 2f32.powi(e - 15),
    };
    if bits >> 15 == 1 { -magnitude } else { magnitude }
}

/// Formats a float with an encoding of its own, by the name of the encoding.
pub fn encoded_text(encoding: &str, bits: u64) -> String {
    match SmallFloat::named(encoding) {
        Some(small) => format!("{:?}", small.number(bits) as f32),
        None => format!("{bits:#x}"),
    }
}
