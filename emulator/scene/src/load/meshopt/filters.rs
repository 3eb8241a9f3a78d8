//! Filters: functions of decoded elements.

/// Applies a filter to elements of `stride` bytes. [`super::decode`] has checked that both go together.
pub fn apply(filter: &str, stride: usize, data: &mut [u8]) {
    match (filter, stride) {
        ("OCTAHEDRAL", 4) => {
            each(data, |v| octahedral(v.map(|b| i32::from(b as i8)), 127.0).map(|c| c as i8 as u8))
        }
        ("OCTAHEDRAL", _) => {
            each_short(data, |v| octahedral(v.map(|s| i32::from(s as i16)), 32767.0).map(|c| c as i16 as u16))
        }
        ("QUATERNION", _) => each_short(data, quaternion),
        ("EXPONENTIAL", _) => each(data, |v| exponential(i32::from_le_bytes(v)).to_le_bytes()),
        ("COLOR", 4) => each(data, |[y, co, cg, a]| {
            let v = [i32::from(y), i32::from(co as i8), i32::from(cg as i8), i32::from(a)];
            color(v, 255.0).map(|c| c as u8)
        }),
        ("COLOR", _) => each_short(data, |[y, co, cg, a]| {
            let v = [i32::from(y), i32::from(co as i16), i32::from(cg as i16), i32::from(a)];
            color(v, 65535.0).map(|c| c as u16)
        }),
        ("NONE", _) => {}
        (other, _) => debug_assert!(false, "`super::decode` lets the filter {other} pass"),
    }
}

fn each(data: &mut [u8], f: impl Fn([u8; 4]) -> [u8; 4]) {
    for v in data.chunks_exact_mut(4) {
        let new = f([v[0], v[1], v[2], v[3]]);
        v.copy_from_slice(&new);
    }
}

fn each_short(data: &mut [u8], f: impl Fn([u16; 4]) -> [u16; 4]) {
    for v in data.chunks_exact_mut(8) {
        let old = std::array::from_fn(|i| u16::from_le_bytes([v[2 * i], v[2 * i + 1]]));
        for (to, new) in v.chunks_exact_mut(2).zip(f(old)) {
            to.copy_from_slice(&new.to_le_bytes());
        }
    }
}

/// A unit vector in octahedral encoding, as normalized integers up to `most`; the last component is kept.
fn octahedral([x, y, one, last]: [i32; 4], most: f32) -> [f32; 4] {
    let (x, y) = (x as f32 / one as f32, y as f32 / one as f32);
    let z = 1.0 - x.abs() - y.abs();
    let t = z.min(0.0);
    let (x, y) = (x - t.copysign(x), y - t.copysign(y));
    let length = (x * x + y * y + z * z).sqrt();
    let [x, y, z] = [x, y, z].map(|v| (v / length * most).round());
    [x, y, z, last as f32]
}

/// A rotation without its largest component, whose index is in the last bits.
fn quaternion(v: [u16; 4]) -> [u16; 4] {
    let [x, y, z, last] = v.map(|s| i32::from(s as i16));
    let one = (last | 3) as f32;
    let [x, y, z] = [x, y, z].map(|c| c as f32 / one * std::f32::consts::FRAC_1_SQRT_2);
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let mut out = [0; 4];
    for (i, c) in [w, x, y, z].into_iter().enumerate() {
        out[((last & 3) as usize + i) % 4] = (c * 32767.0).round() as i16 as u16;
    }
    out
}

/// A float of an exponent of 8 bits and a mantissa of 24 bits.
fn exponential(v: i32) -> f32 {
    let (exponent, mantissa) = ((v >> 24).clamp(-126, 127), v << 8 >> 8);
    f32::from_bits(((exponent + 127) as u32) << 23) * mantissa as f32
}

/// A colour in YCoCg, whose range is given by the highest bit of alpha.
fn color([y, co, cg, a]: [i32; 4], most: f32) -> [f32; 4] {
    let range = (a as u32 + 1).next_power_of_two().max(2) as i32 - 1;
    let alpha = a & range >> 1;
    let rgba = [y + co - cg, y + cg, y - co - cg, alpha << 1 | alpha & 1];
    rgba.map(|c| (c as f32 * (most / range as f32)).round())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Axes and the middle of a face of the octahedron; 8 and 6 bits.
    #[test]
    fn vectors_are_unit_vectors() {
        assert_eq!(octahedral([127, 0, 127, 5], 127.0), [127.0, 0.0, 0.0, 5.0]);
        assert_eq!(octahedral([0, 0, 31, -1], 127.0), [0.0, 0.0, 127.0, -1.0]);
        // The lower hemisphere is folded outwards.
        assert_eq!(octahedral([31, 31, 31, 0], 127.0), [0.0, 0.0, -127.0, 0.0]);
        let [x, y, z, _] = octahedral([-10922, 10922, 32767, 0], 32767.0);
        assert!(
            (x + 18918.0).abs() < 2.0 && (y - 18918.0).abs() < 2.0 && (z - 18918.0).abs() < 4.0,
            "{x} {y} {z}"
        );
    }

    #[test]
    fn rotations_get_their_largest_component() {
        // The identity: w, component 3, is the largest.
        assert_eq!(quaternion([0, 0, 0, 0x7fff]), [0, 0, 0, 32767]);
        assert_eq!(quaternion([0, 0, 0, 0x7ffc]), [32767, 0, 0, 0]);
        // A quarter turn about z: z is as large as w.
        let [x, y, z, w] = quaternion([0, 0, 32767, 0x7fff]).map(|s| s as i16);
        assert!((x, y) == (0, 0) && (z - 23170).abs() < 2 && (w - 23170).abs() < 2, "{z} {w}");
    }

    #[test]
    fn floats_are_exact() {
        assert_eq!(exponential(3), 3.0);
        assert_eq!(exponential((-2i32) << 24 | 5), 1.25);
        assert_eq!(exponential(4 << 24 | 0xff_fffd), -48.0);
        assert!(exponential(i32::MIN).is_finite());
    }

    #[test]
    fn colours_have_the_range_of_alpha() {
        // White with 8 bits; red: y 64, co 127, cg -64 and opaque.
        assert_eq!(color([255, 0, 0, 255], 255.0), [255.0; 4]);
        // With 4 bits: 15 is the largest value, 7 of alpha is opaque.
        assert_eq!(color([15, 0, 0, 15], 255.0), [255.0; 4]);
        assert_eq!(color([4, 7, -4, 8], 255.0), [255.0, 0.0, 17.0, 0.0]);
        assert!(color([1, 2, 3, 0], 255.0).iter().all(|c| c.is_finite()));
    }
}
