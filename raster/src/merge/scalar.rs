//! Output merge, one pixel at a time: every format, factor and operation.
//!
//! Spec: Vulkan, "Fragment Operations" (fragops) and "The Framebuffer" (framebuffer-blending).

use quadrille_jit::abi::{Stamp, stamp_lane};

use super::{ColorMerge, MergeRun, MergeState};
use crate::format::{FormatInfo, Numeric};
use crate::state::{BlendEquation, BlendFactor, BlendOp};

/// Lanes that are set in a mask.
fn lanes_of(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (lane < 32).then_some(lane)
    })
}

/// Tests depth before the fragment stage, and writes it if `write`: clears lanes that fail.
pub(crate) fn early_depth(m: &MergeState, run: &MergeRun<'_>, stamps: &mut [Stamp], write: bool) {
    for s in stamps {
        for lane in lanes_of(s.mask) {
            let (x, y) = stamp_lane(run.lanes, lane);
            let (x, y) = (s.x + x as i32, s.y + y as i32);
            if !depth_pixel(m, run, x, y, run.depth_at(x, y), true, write) {
                s.mask &= !(1 << lane);
            }
        }
    }
}

/// Tests and writes the depth of a pixel.
fn depth_pixel(m: &MergeState, run: &MergeRun<'_>, x: i32, y: i32, z: f32, test: bool, write: bool) -> bool {
    let Some(view) = run.depth else { return true };
    let info = view.format().info();
    let word = info.pack_word([z.to_bits(), 0, 0, 0]);
    if test {
        let new = f32::from_bits(info.unpack_word(word)[0]);
        let old = f32::from_bits(info.unpack_word(view.read(x, y))[0]);
        if !m.compare.test(new, old) {
            return false;
        }
    }
    if write {
        view.write(x, y, word);
    }
    true
}

/// What late merging has to do about depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LateDepth {
    pub test: bool,
    pub write: bool,
}

/// Merges a run of stamps: `masks` are the lanes that the fragment stage left, `output` its rows.
/// Lanes that fail the depth test are cleared from the masks.
pub(crate) fn merge(
    m: &MergeState,
    run: &MergeRun<'_>,
    stamps: &[Stamp],
    masks: &mut [u32],
    output: &[u32],
    depth: LateDepth,
) {
    let lanes = run.lanes as usize;
    for (i, (s, mask)) in stamps.iter().zip(masks).enumerate() {
        let word = |w: u32, lane: u32| output[(i * m.words as usize + w as usize) * lanes + lane as usize];
        for lane in lanes_of(*mask) {
            let (x, y) = stamp_lane(run.lanes, lane);
            let (x, y) = (s.x + x as i32, s.y + y as i32);
            if m.sample_mask.is_some_and(|w| word(w, lane) & 1 == 0) {
                *mask &= !(1 << lane);
                continue;
            }
            if depth.test || depth.write {
                let z = match m.frag_depth {
                    Some(w) => run.clamp_depth(f32::from_bits(word(w, lane))),
                    None => run.depth_at(x, y),
                };
                if !depth_pixel(m, run, x, y, z, depth.test, depth.write) {
                    *mask &= !(1 << lane);
                    continue;
                }
            }
            for c in &m.colors {
                let Some(view) = &run.colors[c.target] else { continue };
                let fetch = |words: &[Option<u32>; 4]| words.map(|w| w.map_or(0, |w| word(w, lane)));
                let (src, src1) = (fetch(&c.words), fetch(&c.words1));
                let old = view.read(x, y);
                view.write(x, y, color_pixel(c, src, src1, old, &run.constants));
            }
        }
    }
}

/// The texel that results from a source colour and the texel before.
pub(crate) fn color_pixel(
    c: &ColorMerge,
    src: [u32; 4],
    src1: [u32; 4],
    old: u128,
    constants: &[f32; 4],
) -> u128 {
    let info = c.format.info();
    let texel = match &c.blend.equations {
        None => src,
        Some(equations) => {
            let clamp = |v: [f32; 4]| clamp_to(info, v);
            let src = clamp(src.map(f32::from_bits));
            let src1 = clamp(src1.map(f32::from_bits));
            let dst = info.unpack_word(old).map(f32::from_bits);
            blend(equations, src, src1, dst, clamp(*constants)).map(f32::to_bits)
        }
    };
    let new = info.pack_word(texel);
    if c.blend.write_mask == 0xf {
        return new;
    }
    let mut written = 0u128;
    for (i, f) in info.fields.iter().enumerate() {
        if c.blend.write_mask >> i & 1 != 0 {
            written |= ((1u128 << f.bits) - 1) << f.shift;
        }
    }
    (new & written) | (old & !written)
}

/// Blend inputs are clamped to what a normalized format can hold; NaN gives the least.
fn clamp_to(info: &FormatInfo, v: [f32; 4]) -> [f32; 4] {
    let low = match info.numeric {
        Numeric::Unorm | Numeric::Srgb => 0.0,
        Numeric::Snorm => -1.0,
        _ => return v,
    };
    v.map(|x| {
        let x = if x > low { x } else { low };
        if x < 1.0 { x } else { 1.0 }
    })
}

fn blend(
    e: &[BlendEquation; 2],
    src: [f32; 4],
    src1: [f32; 4],
    dst: [f32; 4],
    constants: [f32; 4],
) -> [f32; 4] {
    std::array::from_fn(|i| {
        let e = &e[usize::from(i == 3)];
        let factor = |f: BlendFactor| factor(f, i, src, src1, dst, constants);
        let (s, d) = (src[i], dst[i]);
        match e.op {
            BlendOp::Add => product(s, e.src, factor(e.src)) + product(d, e.dst, factor(e.dst)),
            BlendOp::Subtract => product(s, e.src, factor(e.src)) - product(d, e.dst, factor(e.dst)),
            BlendOp::ReverseSubtract => product(d, e.dst, factor(e.dst)) - product(s, e.src, factor(e.src)),
            BlendOp::Min => {
                if s < d {
                    s
                } else {
                    d
                }
            }
            BlendOp::Max => {
                if s > d {
                    s
                } else {
                    d
                }
            }
        }
    })
}

/// A factor of zero or one is exact, whatever it is applied to.
fn product(v: f32, f: BlendFactor, factor: f32) -> f32 {
    match f {
        BlendFactor::Zero => 0.0,
        BlendFactor::One => v,
        _ => v * factor,
    }
}

fn factor(
    f: BlendFactor,
    i: usize,
    src: [f32; 4],
    src1: [f32; 4],
    dst: [f32; 4],
    constants: [f32; 4],
) -> f32 {
    match f {
        BlendFactor::Zero => 0.0,
        BlendFactor::One => 1.0,
        BlendFactor::SrcColor => src[i],
        BlendFactor::OneMinusSrcColor => 1.0 - src[i],
        BlendFactor::DstColor => dst[i],
        BlendFactor::OneMinusDstColor => 1.0 - dst[i],
        BlendFactor::SrcAlpha => src[3],
        BlendFactor::OneMinusSrcAlpha => 1.0 - src[3],
        BlendFactor::DstAlpha => dst[3],
        BlendFactor::OneMinusDstAlpha => 1.0 - dst[3],
        BlendFactor::ConstantColor => constants[i],
        BlendFactor::OneMinusConstantColor => 1.0 - constants[i],
        BlendFactor::ConstantAlpha => constants[3],
        BlendFactor::OneMinusConstantAlpha => 1.0 - constants[3],
        BlendFactor::SrcAlphaSaturate if i == 3 => 1.0,
        BlendFactor::SrcAlphaSaturate => {
            let room = 1.0 - dst[3];
            if src[3] < room { src[3] } else { room }
        }
        BlendFactor::Src1Color => src1[i],
        BlendFactor::OneMinusSrc1Color => 1.0 - src1[i],
        BlendFactor::Src1Alpha => src1[3],
        BlendFactor::OneMinusSrc1Alpha => 1.0 - src1[3],
    }
}
