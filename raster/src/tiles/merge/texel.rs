//! Converts texels in merge kernels between the words of memory and components in lanes. Access to memory is left to
//! [`super::surface`].

use once_cell::race::OnceBox;
use quadrille_jit::ir::Ty;
use quadrille_jit::lane::{FCmp, ICmp, Lane, LaneBuilder};

use super::surface::{load_four, load_narrow, load_two, load_words, to_quads};
use crate::memory::format::srgb::{DECODE_BITS, THRESHOLD_BITS};
use crate::memory::format::{Format, Numeric, lane};

/// Memory layout of a format.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Four 8-bit components in a word, with the shift of each, and `true` if R, G and B are sRGB.
    Bytes([u8; 4], bool),
    /// One word.
    One(Numeric),
    /// Four words.
    Four(Numeric),
    /// Four 16-bit floats.
    Halves,
    /// Any other supported layout of 1, 2, 4 or 8 bytes.
    Packed(Format),
}

pub(super) fn class(f: Format) -> Option<Class> {
    Some(match f {
        Format::R8G8B8A8_UNORM | Format::A8B8G8R8_UNORM_PACK32 => Class::Bytes([0, 8, 16, 24], false),
        Format::B8G8R8A8_UNORM => Class::Bytes([16, 8, 0, 24], false),
        Format::R8G8B8A8_SRGB | Format::A8B8G8R8_SRGB_PACK32 => Class::Bytes([0, 8, 16, 24], true),
        Format::B8G8R8A8_SRGB => Class::Bytes([16, 8, 0, 24], true),
        Format::R32_SFLOAT => Class::One(Numeric::Sfloat),
        Format::R32_UINT => Class::One(Numeric::Uint),
        Format::R32_SINT => Class::One(Numeric::Sint),
        Format::R32G32B32A32_SFLOAT => Class::Four(Numeric::Sfloat),
        Format::R32G32B32A32_UINT => Class::Four(Numeric::Uint),
        Format::R32G32B32A32_SINT => Class::Four(Numeric::Sint),
        Format::R16G16B16A16_SFLOAT => Class::Halves,
        _ => {
            let info = f.info();
            let encoded = matches!(info.numeric, Numeric::Srgb | Numeric::SharedExp);
            if encoded || !matches!(info.bytes, 1 | 2 | 4 | 8) || !lane::supported(info) {
                return None;
            }
            Class::Packed(f)
        }
    })
}

/// Clamps to [0, 1]; NaN gives 0.
pub(super) fn saturate(b: &mut LaneBuilder, x: Lane) -> Lane {
    let (zero, one) = (b.f32(0.0), b.f32(1.0));
    let x = b.fmax(x, zero);
    b.fmin(x, one)
}

/// 2^23: adding it rounds a small positive float to an integer (nearest even) in the low bits of a number with known
/// high bits.
pub(super) const MAGIC: f32 = 8388608.0;

pub(super) fn pack_bytes(b: &mut LaneBuilder, out: [Lane; 4], shifts: [u8; 4], srgb: bool) -> Lane {
    let mut sum = None;
    let mut excess = 0u32;
    for (i, x) in out.into_iter().enumerate() {
        let x = saturate(b, x);
        let code = if srgb && i < 3 {
            encode_srgb(b, x)
        } else {
            let (scale, magic) = (b.f32(255.0), b.f32(MAGIC));
            let x = b.fmul(x, scale);
            let x = b.fadd(x, magic);
            excess = excess.wrapping_add(MAGIC.to_bits().wrapping_shl(u32::from(shifts[i])));
            b.bitcast(x, Ty::I32)
        };
        let shift = b.i32(i32::from(shifts[i]));
        let code = if shifts[i] == 0 { code } else { b.shl(code, shift) };
        sum = Some(match sum {
            None => code,
            Some(s) => b.iadd(s, code),
        });
    }
    let excess = b.u32(excess);
    let sum = sum.unwrap_or(excess);
    let packed = b.isub(sum, excess);
    b.splat(packed)
}

/// 1/255 as a sum of two floats. Products of 8-bit numbers with the first are exact, and the sum of both products is
/// the correctly rounded quotient (tested for all 8-bit numbers).
pub(super) fn inverse_255() -> (f32, f32) {
    let high = f32::from_bits((1.0f32 / 255.0).to_bits() & !0xff);
    let low = (1.0 / 255.0 - f64::from(high)) as f32;
    (high, low)
}

/// Texels before merging, in quad order. Empty if not needed.
pub(super) struct Old {
    pub words: Vec<Lane>,
}

impl Old {
    pub fn load(b: &mut LaneBuilder, class: Class, rows: &[Lane], wanted: bool) -> Old {
        if !wanted {
            return Old { words: Vec::new() };
        }
        let words = match class {
            Class::Bytes(..) => {
                let v = load_words(b, Ty::I32, rows);
                vec![to_quads(b, v)]
            }
            Class::One(_) => {
                let v = load_words(b, Ty::F32, rows);
                vec![to_quads(b, v)]
            }
            Class::Four(_) => load_four(b, rows),
            Class::Halves => load_two(b, rows),
            Class::Packed(f) => match f.bytes() {
                8 => load_two(b, rows),
                4 => {
                    let v = load_words(b, Ty::I32, rows);
                    vec![to_quads(b, v)]
                }
                bytes => {
                    let v = load_narrow(b, bytes, rows);
                    vec![to_quads(b, v)]
                }
            },
        };
        Old { words }
    }

    /// Components as floats; missing components are 0, 0, 1.
    pub fn components(&self, b: &mut LaneBuilder, class: Class) -> [Lane; 4] {
        match class {
            Class::Bytes(shifts, srgb) => std::array::from_fn(|i| {
                let shift = b.i32(i32::from(shifts[i]));
                let v = if shifts[i] == 0 { self.words[0] } else { b.ushr(self.words[0], shift) };
                let low = b.i32(255);
                let v = if shifts[i] == 24 { v } else { b.and(v, low) };
                if srgb && i < 3 {
                    let table = b.ptr(DECODE_BITS.as_ptr());
                    let four = b.i32(2);
                    let at = b.shl(v, four);
                    return b.gather(Ty::F32, table, at);
                }
                let x = b.s32_to_f32(v);
                let (high, low) = inverse_255();
                let (high, low) = (b.f32(high), b.f32(low));
                let (p, q) = (b.fmul(x, high), b.fmul(x, low));
                b.fadd(p, q)
            }),
            Class::One(_) => [self.words[0], b.f32(0.0), b.f32(0.0), b.f32(1.0)],
            Class::Packed(f) => lane::components(b, f.info(), &self.words),
            Class::Four(_) => std::array::from_fn(|i| b.bitcast(self.words[i], Ty::F32)),
            Class::Halves => std::array::from_fn(|i| {
                let w = self.words[i / 2];
                let (sixteen, low) = (b.i32(16), b.i32(0xffff));
                let h = if i % 2 == 0 { b.and(w, low) } else { b.ushr(w, sixteen) };
                b.f16_bits_to_f32(h)
            }),
        }
    }
}

/// Computes `(new & !keep) | (old & keep)`.
pub(super) fn merge_bits(b: &mut LaneBuilder, new: Lane, old: Lane, keep: u32) -> Lane {
    let (keep, write) = (b.u32(keep), b.u32(!keep));
    let (new, old) = (b.and(new, write), b.and(old, keep));
    b.or(new, old)
}

/// Encodes 16-bit floats; NaN gives 0x7e00.
pub(super) fn half_bits(b: &mut LaneBuilder, v: Lane) -> Lane {
    let v = b.splat(v);
    let h = b.f32_to_f16_bits(v);
    let nan = b.fcmp(FCmp::Unordered, v, v);
    let quiet = b.i32(0x7e00);
    b.select(nan, quiet, h)
}

/// Bits of a float below the first sRGB threshold: all smaller numbers have code 0.
const SRGB_FIRST: u32 = 0x3900_0000;

const SRGB_BUCKETS: usize = ((0x3f80_0000 - SRGB_FIRST) >> 16) as usize + 1;

/// For each range of floats with the same upper 16 bits: the code at its start in bits 20 and up, and the lower 16 bits
/// from which the next code applies (2^16 if none in the range).
fn srgb_buckets() -> &'static [u32] {
    static TABLE: OnceBox<Vec<u32>> = OnceBox::new();
    TABLE.get_or_init(|| {
        let table = (0..SRGB_BUCKETS as u32)
            .map(|i| {
                let start = SRGB_FIRST + (i << 16);
                let reached = THRESHOLD_BITS.partition_point(|&t| t <= start);
                let next = THRESHOLD_BITS.get(reached).map_or(1 << 16, |t| (t - start).min(1 << 16));
                (reached as u32 - 1) << 20 | next
            })
            .collect();
        Box::new(table)
    })
}

/// Encodes numbers in [0, 1] as sRGB codes.
fn encode_srgb(b: &mut LaneBuilder, x: Lane) -> Lane {
    let table = b.ptr(srgb_buckets().as_ptr());
    let first = b.bits(Ty::F32, u64::from(SRGB_FIRST));
    let x = b.fmax(x, first);
    let bits = b.bitcast(x, Ty::I32);
    let base = b.u32(SRGB_FIRST);
    let rel = b.isub(bits, base);
    let (fourteen, mask) = (b.i32(14), b.u32(!3));
    let at = b.ushr(rel, fourteen);
    let at = b.and(at, mask);
    let entry = b.gather(Ty::I32, table, at);
    let (twenty, low, next) = (b.i32(20), b.i32(0xffff), b.i32(0x1_ffff));
    let code = b.ushr(entry, twenty);
    let (bits, next) = (b.and(bits, low), b.and(entry, next));
    let reached = b.icmp(ICmp::Sge, bits, next);
    let one = b.bool_to_i32(reached);
    b.iadd(code, one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_by_255_are_exact() {
        let (high, low) = inverse_255();
        for v in 0..256u32 {
            let v = v as f32;
            assert_eq!(v * high + v * low, v / 255.0);
        }
    }

    #[test]
    fn srgb_buckets_have_one_threshold_at_most() {
        for i in 0..SRGB_BUCKETS as u32 {
            let start = SRGB_FIRST + (i << 16);
            let inside = THRESHOLD_BITS.iter().filter(|&&t| t > start && t < start + 0x1_0000).count();
            assert!(inside <= 1, "bucket {i}");
        }
        assert!(THRESHOLD_BITS[1] > SRGB_FIRST);
    }
}
