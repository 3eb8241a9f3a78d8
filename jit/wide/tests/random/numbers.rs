//! Random numbers with frequent special cases.

use crate::support::Random;

/// Random bits that are often special floats or integers.
pub fn hard(r: &mut Random) -> u64 {
    let (a, b) = (r.next(), r.next());
    u64::from(hard32(a).to_bits()) | u64::from(hard32(b).to_bits()) << 32
}

pub fn hard32(k: u64) -> f32 {
    const SPECIAL: [u32; 16] = [
        0,
        0x8000_0000,
        0x3f80_0000,
        0xbf80_0000,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0000,
        0x4f00_0000,
        0x4f80_0000,
        0xcf00_0000,
        1,
        0x7f7f_ffff,
        0x3f00_0000,
        0x3fc0_0000,
        0xffff_ffff,
        0x0080_0000,
    ];
    let bits = (k >> 8) as u32;
    f32::from_bits(match k % 8 {
        0 | 1 => SPECIAL[bits as usize % 16],
        2 | 3 => bits,
        // Floats of moderate magnitude.
        4 | 5 => (bits & 0x807f_ffff) | (112 + bits % 31) << 23,
        6 => bits & 0xff,
        _ => (bits % 2048).wrapping_sub(1024),
    })
}
