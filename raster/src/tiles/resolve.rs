//! Resolves multisampled attachments to single-sampled ones. The order of resolves in a pass is left to
//! [`crate::pass`].
//!
//! Spec: Vulkan, "Multisample Resolve" (renderpass-resolve-operations).

use super::attachment::ResolveMode;
use crate::memory::format::{Format, convert::f32_to_unorm};
use crate::memory::target::Target;

/// Resolves a rectangle of a layer to a target of the same format.
///
/// The average of integer formats and of stencil is sample 0.
pub(crate) fn resolve(from: &Target, to: &Target, mode: ResolveMode, layer: u32, [x0, y0, x1, y1]: [u32; 4]) {
    let format = from.format();
    let mode = mode.of(format);
    let n = if mode == ResolveMode::SampleZero { 1 } else { from.desc().samples };
    let scale = 1.0 / n as f32;
    let bytes = matches!(format, Format::R8G8B8A8_UNORM | Format::B8G8R8A8_UNORM);
    let bytes = bytes && mode == ResolveMode::Average && n > 1;
    let info = format.info();
    let combine = |a: u32, b: u32| mode.combine(info.numeric, a, b);
    for y in y0..y1 {
        let pixel = |x: u32| {
            let first = from.read(layer, 0, x, y);
            let mut rest = (1..n).map(|s| from.read(layer, s, x, y));
            // If all samples are equal, the result is bitwise equal to them.
            if rest.clone().all(|t| t == first) {
                to.write(layer, x, y, first);
                return;
            }
            let mut sum = info.unpack_word(first);
            for t in rest.by_ref() {
                let t = info.unpack_word(t);
                sum = std::array::from_fn(|c| combine(sum[c], t[c]));
            }
            if mode == ResolveMode::Average {
                sum = sum.map(|v| (f32::from_bits(v) * scale).to_bits());
            }
            to.write(layer, x, y, info.pack_word(sum));
        };
        let done = if bytes { from.combine_blocks(to, layer, y, [x0, x1], average_bytes) } else { x0 };
        (done..x1).for_each(pixel);
    }
}

/// Averages texels of four 8-bit components, four texels of each sample, with the same operations as one texel at a
/// time.
fn average_bytes(samples: &[[u8; 16]]) -> [u8; 16] {
    let Some((first, rest)) = samples.split_first() else { return [0; 16] };
    // Usually all samples are equal, and so is their average.
    if rest.iter().all(|s| s == first) {
        return *first;
    }
    let value = |v: u8| f32::from(v) / 255.0;
    let mut sum = first.map(value);
    for s in rest {
        (0..16).for_each(|i| sum[i] += value(s[i]));
    }
    let scale = 1.0 / samples.len() as f32;
    sum.map(|v| f32_to_unorm(v * scale, 8) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::harness::Rng;

    #[test]
    fn averages_of_bytes_are_those_of_texels() {
        let info = Format::R8G8B8A8_UNORM.info();
        let mut rng = Rng(5);
        for i in 0..20_000 {
            let n = [2, 4, 8, 16][i % 4];
            let samples: Vec<[u8; 16]> = (0..n).map(|_| [(); 16].map(|()| rng.next() as u8)).collect();
            let got = average_bytes(&samples);
            for texel in 0..4 {
                let word =
                    |s: &[u8; 16]| s[4 * texel..][..4].iter().rev().fold(0, |w, &b| w << 8 | u128::from(b));
                let values = |s| info.unpack_word(word(s)).map(f32::from_bits);
                let mut sum = values(&samples[0]);
                for s in &samples[1..] {
                    let v = values(s);
                    sum = std::array::from_fn(|c| sum[c] + v[c]);
                }
                let want = info.pack_word(sum.map(|v| (v * (1.0 / n as f32)).to_bits()));
                assert_eq!(word(&got), want);
            }
        }
    }
}
