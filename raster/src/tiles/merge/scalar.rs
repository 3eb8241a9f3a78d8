//! Output merge, one pixel at a time, for every format, factor and operation. Advanced blend operations are left to
//! [`super::advanced`].
//!
//! Spec: Vulkan, "Fragment Operations" (fragops) and "The Framebuffer" (framebuffer-blending).

use quadrille_jit::abi::{Stamp, stamp_lane};

use super::{ColorMerge, MergeRun, MergeState, advanced};
use crate::activity::Activity;
use crate::memory::format::{FormatInfo, Numeric};
use crate::state::{BlendEquation, BlendFactor, BlendOp, StencilOp};

/// Indices of the lanes set in a mask.
fn lanes_of(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (lane < 32).then_some(lane)
    })
}

/// Tests depth and stencil before the fragment stage, and clears lanes that fail. With `write`, also writes both.
pub(crate) fn early_tests(m: &MergeState, run: &MergeRun<'_>, stamps: &mut [Stamp], write: bool) {
    let _activity = Activity::Merge.begin();
    let reference = run.stencil_dynamic.reference;
    for s in stamps {
        for lane in lanes_of(s.mask) {
            let (x, y) = stamp_lane(run.lanes, lane);
            let (x, y) = (s.x + x as i32, s.y + y as i32);
            if !test_pixel(m, run, x, y, run.depth_at(x, y), reference, write) {
                s.mask &= !(1 << lane);
            }
        }
    }
}

/// Tests a pixel: depth bounds, stencil, depth. With `write`, writes depth if all tests pass, and applies the stencil
/// operation for the result.
///
/// Spec: Vulkan, "Depth Bounds Test" (fragops-dbt), "Stencil Test" (fragops-stencil), "Depth Test" (fragops-depth).
fn test_pixel(
    m: &MergeState,
    run: &MergeRun<'_>,
    x: i32,
    y: i32,
    z: f32,
    reference: u32,
    write: bool,
) -> bool {
    let depth = run.depth.filter(|_| m.depth_format.is_some());
    let old_z = depth.map(|v| f32::from_bits(v.format().info().unpack_word(v.read(x, y))[0]));
    if let Some(old) = old_z.filter(|_| m.depth_bounds) {
        let [min, max] = run.depth_bounds;
        if !(old >= min && old <= max) {
            return false;
        }
    }
    let face = m.stencil.map(|faces| faces[usize::from(run.back)]);
    let stencil = face.zip(run.stencil).map(|(f, v)| (f, v, v.read(x, y) as u32));
    let d = &run.stencil_dynamic;
    let put_stencil = |op: StencilOp| {
        if let Some((_, view, old)) = stencil.filter(|_| write) {
            let new = op.apply(old, reference);
            view.write(x, y, u128::from(new & d.write_mask | old & !d.write_mask));
        }
    };
    if let Some((f, _, old)) = stencil
        && !f.compare.test(reference & d.compare_mask & 255, old & d.compare_mask)
    {
        put_stencil(f.fail);
        return false;
    }
    let passes = match (depth.filter(|_| m.depth_test), old_z) {
        (Some(view), Some(old)) => {
            let info = view.format().info();
            let word = info.pack_word([z.to_bits(), 0, 0, 0]);
            let passes = m.compare.test(f32::from_bits(info.unpack_word(word)[0]), old);
            if passes && write && m.depth_write {
                view.write(x, y, word);
            }
            passes
        }
        _ => true,
    };
    if let Some((f, ..)) = stencil {
        put_stencil(if passes { f.pass } else { f.depth_fail });
    }
    passes
}

/// Writes the depth of a pixel.
fn write_depth(run: &MergeRun<'_>, x: i32, y: i32, z: f32) {
    if let Some(view) = run.depth {
        view.write(x, y, view.format().info().pack_word([z.to_bits(), 0, 0, 0]));
    }
}

/// Depth and stencil operations after the fragment stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LateDepth {
    /// `true` if both are tested, and written as the state says.
    pub test: bool,
    /// `true` if depth is written.
    pub write: bool,
}

/// Merges a run of stamps. `masks` are the lanes that the fragment stage left, `output` its rows. Lanes that fail the
/// late tests are cleared from the masks.
pub(crate) fn merge(
    m: &MergeState,
    run: &MergeRun<'_>,
    stamps: &[Stamp],
    masks: &mut [u32],
    output: &[u32],
    depth: LateDepth,
) {
    let _activity = Activity::Merge.begin();
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
                let reference = m.stencil_ref.map_or(run.stencil_dynamic.reference, |w| word(w, lane));
                if !depth.test {
                    write_depth(run, x, y, z);
                } else if !test_pixel(m, run, x, y, z, reference, true) {
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

/// Merges a source colour into the previous texel, and returns the new texel.
pub(crate) fn color_pixel(
    c: &ColorMerge,
    src: [u32; 4],
    src1: [u32; 4],
    old: u128,
    constants: &[f32; 4],
) -> u128 {
    let info = c.format.info();
    let src = if c.alpha_to_one { [src[0], src[1], src[2], info.one()] } else { src };
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
    let new = c.logic_op.map_or(new, |op| op.apply(new, old));
    if c.plain() {
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

/// Clamps blend inputs to the range of a normalized format; NaN gives the minimum.
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
    if let BlendOp::Advanced(a) = &e[0].op {
        return advanced::blend(a, src, dst);
    }
    std::array::from_fn(|i| {
        let e = &e[usize::from(i == 3)];
        let factor = |f: BlendFactor| factor(f, i, src, src1, dst, constants);
        let (s, d) = (src[i], dst[i]);
        match e.op {
            BlendOp::Add => product(s, e.src, factor(e.src)) + product(d, e.dst, factor(e.dst)),
            BlendOp::Subtract => product(s, e.src, factor(e.src)) - product(d, e.dst, factor(e.dst)),
            BlendOp::ReverseSubtract => product(d, e.dst, factor(e.dst)) - product(s, e.src, factor(e.src)),
            // The equation of colour names the operation; see the check above.
            BlendOp::Advanced(_) => d,
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

/// Product with a factor; factors of zero and one give exact results, even for infinities and NaN.
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
