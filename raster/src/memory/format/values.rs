//! Compares every format with the specification's formulas in `f64`: all values of components of up to 16 bits, dense
//! samples of wider ones. Also checks that packing gives the nearest code.

use super::convert::*;
use super::*;

/// Value of a component according to the specification.
#[derive(Debug, PartialEq)]
enum Want {
    Real(f64),
    Bits(u32),
    NotANumber,
}

/// Spec: Vulkan, "Fixed-Point Data Conversions", "Unsigned 11-Bit Floating-Point Numbers" and following.
fn value(numeric: Numeric, bits: u32, component: usize, v: u32) -> Want {
    let signed = f64::from(v.cast_signed() << (32 - bits) >> (32 - bits));
    let top = |n: u32| (1u64 << n) as f64 - 1.0;
    let float = |mantissa: u32, bias: i32| {
        let (m, e) = (f64::from(v & max_uint(mantissa)) / f64::from(1u32 << mantissa), v >> mantissa & 31);
        match e {
            0 => Want::Real(m * 2f64.powi(1 - bias)),
            31 if m == 0.0 => Want::Real(f64::INFINITY),
            31 => Want::NotANumber,
            _ => Want::Real((1.0 + m) * 2f64.powi(e as i32 - bias)),
        }
    };
    match numeric {
        Numeric::Srgb if component < 3 => {
            let x = f64::from(v) / 255.0;
            Want::Real(if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) })
        }
        Numeric::Unorm | Numeric::Srgb => Want::Real(f64::from(v) / top(bits)),
        Numeric::Snorm => Want::Real((signed / top(bits - 1)).max(-1.0)),
        Numeric::Uscaled => Want::Real(f64::from(v)),
        Numeric::Sscaled => Want::Real(signed),
        Numeric::Uint => Want::Bits(v),
        Numeric::Sint => Want::Bits((signed as i32).cast_unsigned()),
        Numeric::Sfloat if bits == 32 => Want::Bits(v),
        Numeric::Sfloat => match (float(10, 15), v >> 15) {
            (Want::Real(x), 1) => Want::Real(-x),
            (want, _) => want,
        },
        Numeric::Ufloat => float(bits - 5, 15),
        Numeric::SharedExp => unreachable!("shared exponents have a separate test"),
    }
}

/// All values of `bits` bits, or a subset that includes both ends.
fn samples(bits: u32) -> impl Iterator<Item = u32> {
    let step = if bits <= 16 { 1 } else { 1 << (bits - 16) | 1 };
    let (top, half) = (max_uint(bits), 1 << (bits - 1));
    (0..=top).step_by(step).chain([top, top - 1, half, half - 1].into_iter().filter(move |_| bits > 16))
}

fn rows() -> impl Iterator<Item = &'static FormatInfo> {
    FORMATS.iter().filter(|r| {
        let plain = r.block.is_none() && r.planes.is_empty();
        let wide = r.name.starts_with("R64");
        plain && !wide && r.numeric != Numeric::SharedExp
    })
}

#[test]
fn every_code_means_what_the_specification_says() {
    let mut checked = 0;
    for row in rows() {
        for (c, f) in row.fields.iter().enumerate() {
            let bits = u32::from(f.bits);
            if bits == 0 {
                let one = if row.numeric.is_integer() { 1 } else { 1.0f32.to_bits() };
                assert_eq!(row.unpack_word(0)[c], if c == 3 { one } else { 0 }, "{} component {c}", row.name);
                continue;
            }
            for v in samples(bits) {
                let got = row.unpack_word(u128::from(v) << f.shift)[c];
                let x = f64::from(f32::from_bits(got));
                let right = match value(row.numeric, bits, c, v) {
                    Want::Bits(want) => got == want,
                    Want::NotANumber => x.is_nan(),
                    // The sRGB table is as accurate as `powf` in the reference.
                    Want::Real(want) if row.numeric == Numeric::Srgb => (x - want).abs() <= want * 6e-8,
                    Want::Real(want) => x == f64::from(want as f32),
                };
                assert!(right, "{} component {c}: {v:#x} is {x} ({got:#x})", row.name);
                checked += 1;
            }
        }
    }
    assert!(checked > 5_000_000, "{checked}");
}

/// Packing gives a code to which no neighbouring code is nearer.
#[test]
fn numbers_are_packed_to_the_nearest_code() {
    // Scaled integers are for vertices, so nothing is packed to them.
    for row in rows().filter(|r| !matches!(r.numeric, Numeric::Uscaled | Numeric::Sscaled)) {
        for (c, f) in row.fields.iter().enumerate() {
            let bits = u32::from(f.bits);
            if bits == 0 || bits > 16 {
                continue;
            }
            let real = |v: u32| match value(row.numeric, bits, c, v & max_uint(bits)) {
                Want::Real(x) => Some(x),
                Want::Bits(x) if row.numeric == Numeric::Sint => Some(f64::from(x.cast_signed())),
                Want::Bits(x) => Some(f64::from(x)),
                Want::NotANumber => None,
            };
            let reach = match row.numeric {
                Numeric::Unorm | Numeric::Snorm | Numeric::Srgb => 1.1,
                Numeric::Ufloat | Numeric::Sfloat => 70.0,
                _ => f64::from(max_uint(bits)) * 1.1,
            };
            for i in -600..=600 {
                // Denser around zero.
                let t = f64::from(i) / 600.0;
                let x = (t * t.abs() * reach) as f32;
                let (word, x) = match row.numeric {
                    Numeric::Uint => ((x.max(0.0) as u32), f64::from(x.max(0.0) as u32)),
                    Numeric::Sint => ((x as i32).cast_unsigned(), f64::from(x as i32)),
                    _ => (x.to_bits(), f64::from(x)),
                };
                let mut texel = [0; 4];
                texel[c] = word;
                let code = (row.pack_word(texel) >> f.shift) as u32 & max_uint(bits);
                let Some(got) = real(code) else {
                    panic!("{} component {c}: {x} becomes {code:#x}", row.name)
                };
                for other in [code.wrapping_sub(1), code.wrapping_add(1)].into_iter().filter_map(real) {
                    // sRGB codes are nearest on the curve, not on the line; 16-bit components are scaled in `f32`.
                    let slack = if row.numeric == Numeric::Srgb { 0.002 } else { 1e-7 * (1.0 + x.abs()) };
                    let nearest = (got - x).abs() <= (other - x).abs() + slack;
                    assert!(nearest, "{} component {c}: {x} becomes {got}, {other} is nearer", row.name);
                }
            }
        }
    }
}

/// Tests every exponent with many mantissas: the value follows the formula, and packing restores the code.
#[test]
fn shared_exponents_mean_what_the_specification_says() {
    for e in 0..32u32 {
        for m in 0..512u32 {
            let v = m | (m * 37 % 512) << 9 | (m * 91 % 512) << 18 | e << 27;
            let got = unpack_shared_exp(v);
            for (c, got) in got.into_iter().enumerate() {
                let mantissa = f64::from(v >> (9 * c) & 511);
                assert_eq!(f64::from(got), mantissa * 2f64.powi(e as i32 - 15 - 9), "{v:#x}");
            }
            assert_eq!(unpack_shared_exp(pack_shared_exp(got)), got, "{v:#x}");
        }
    }
}
