//! Stencil and depth bounds tests, logic operations, advanced blending, alpha to one, resolves of depth and stencil.

use quadrille_jit::ir::{Interpolation, Slot};

use super::harness::*;
use crate::memory::format::Format;
use crate::pass::{LoadOp, ResolveMode};
use crate::state::*;
use crate::{Attachment, Budget, Pass, PassDesc, Pool};

const SIZE: [u32; 2] = [70, 66];

const DEPTHS: [Option<Format>; 4] =
    [None, Some(Format::D32_SFLOAT), Some(Format::D16_UNORM), Some(Format::X8_D24_UNORM_PACK32)];

const OPS: [StencilOp; 8] = [
    StencilOp::Keep,
    StencilOp::Zero,
    StencilOp::Replace,
    StencilOp::IncrementAndClamp,
    StencilOp::DecrementAndClamp,
    StencilOp::Invert,
    StencilOp::IncrementAndWrap,
    StencilOp::DecrementAndWrap,
];

const COMPARES: [CompareOp; 8] = [
    CompareOp::Never,
    CompareOp::Less,
    CompareOp::Equal,
    CompareOp::LessOrEqual,
    CompareOp::Greater,
    CompareOp::NotEqual,
    CompareOp::GreaterOrEqual,
    CompareOp::Always,
];

/// Draws the scenes over depth cleared to `z` and stencil cleared to `stencil`. Returns colour, depth and stencil.
fn draw(scenes: &[Scene], depth: Option<Format>, z: f32, stencil: u32) -> [Picture; 3] {
    let pool = Pool::new(2);
    let mut color = Picture::new(Format::R8G8B8A8_UNORM, SIZE);
    let mut d = Picture::new(depth.unwrap_or(Format::D16_UNORM), SIZE);
    let mut s = Picture::new(Format::S8_UINT, SIZE);
    let mut desc =
        PassDesc { area: Rect::of_size(SIZE[0], SIZE[1]), budget: Budget::seconds(60), ..Default::default() };
    desc.colors[0] = Some(Attachment::clear(color.target(), [0; 4]));
    desc.depth = depth.map(|_| Attachment::clear(d.target(), [z.to_bits(), 0, 0, 0]));
    desc.stencil = Some(Attachment::clear(s.target(), [stencil, 0, 0, 0]));
    let mut pass = Pass::begin(&pool, desc).unwrap();
    scenes.iter().for_each(|s| s.draw(&mut pass));
    pass.end().unwrap();
    [color, d, s]
}

/// A triangle at depth `z` that covers the picture and faces front or back.
fn cover(z: f32, front: bool, depth: Option<Format>) -> Scene {
    let mut s = Scene::new(4, Interpolation::Flat, SIZE);
    let mut corners = [[-1.0, -1.0], [-1.0, 3.0], [3.0, -1.0]];
    if !front {
        corners.swap(1, 2);
    }
    corners.iter().for_each(|[x, y]| s.vertex([*x, *y, z, 1.0], &[1.0; 4]));
    s.desc.color_formats = vec![Some(Format::R8G8B8A8_UNORM)];
    s.desc.depth_format = depth;
    s.desc.stencil_format = Some(Format::S8_UINT);
    s
}

/// Returns the new stencil value, and true if the fragment passes. Spec: Vulkan, "Stencil Test".
fn model(f: &StencilFace, d: &StencilDynamic, old: u32, depth_passes: bool) -> (u32, bool) {
    let (a, b) = (d.reference & d.compare_mask, old & d.compare_mask);
    let stencil_passes = match f.compare {
        CompareOp::Never => false,
        CompareOp::Less => a < b,
        CompareOp::Equal => a == b,
        CompareOp::LessOrEqual => a <= b,
        CompareOp::Greater => a > b,
        CompareOp::NotEqual => a != b,
        CompareOp::GreaterOrEqual => a >= b,
        CompareOp::Always => true,
    };
    let op = match (stencil_passes, depth_passes) {
        (false, _) => f.fail,
        (true, false) => f.depth_fail,
        (true, true) => f.pass,
    };
    let old = old as i32;
    let new = match op {
        StencilOp::Keep => old,
        StencilOp::Zero => 0,
        StencilOp::Replace => d.reference as i32,
        StencilOp::IncrementAndClamp => (old + 1).min(255),
        StencilOp::DecrementAndClamp => (old - 1).max(0),
        StencilOp::Invert => 255 - old,
        StencilOp::IncrementAndWrap => (old + 1) % 256,
        StencilOp::DecrementAndWrap => (old + 255) % 256,
    } as u32;
    (new & d.write_mask | old as u32 & !d.write_mask, stencil_passes && depth_passes)
}

/// Spec: Vulkan, VkClearDepthStencilValue.
#[test]
fn stencil_is_cleared_to_the_low_bits_of_the_value() {
    for value in [0x100, 0x123, u32::MAX] {
        let [_, _, stencil] = draw(&[], None, 0.0, value);
        assert_eq!(stencil.texel(69, 65)[0], value & 255, "{value:#x}");
    }
}

#[test]
fn stencil_operations_follow_the_specification() {
    let mut rng = Rng(21);
    for i in 0..256usize {
        let mut pick = || OPS[rng.next() as usize % 8];
        let face = |compare, ops: [StencilOp; 3]| StencilFace {
            compare,
            fail: ops[0],
            pass: ops[1],
            depth_fail: ops[2],
        };
        let faces = [
            face(COMPARES[i % 8], [pick(), OPS[i / 8 % 8], pick()]),
            face(COMPARES[i / 2 % 8], [OPS[i / 4 % 8], pick(), pick()]),
        ];
        let mut byte = || [0, 1, 127, 128, 254, 255, rng.next() & 255][rng.next() as usize % 7];
        let old = byte();
        let mut dynamic =
            || StencilDynamic { compare_mask: byte() | 0x11, write_mask: byte() | 3, reference: byte() };
        let dynamic = [dynamic(), dynamic()];
        let depth = DEPTHS[i % 4];
        let front = i % 3 != 0;
        let depth_passes = depth.is_none() || i / 4 % 2 == 0;
        for (scalar, discards) in [(true, false), (false, false), (false, true)] {
            let mut s = cover(0.5, front, depth);
            s.desc.scalar_merge = scalar;
            s.desc.fragment.as_mut().unwrap().discards = discards;
            (s.desc.stencil_test, s.desc.stencil) = (true, faces);
            s.desc.depth = DepthState { test: true, write: true, compare: CompareOp::Less, bounds: false };
            s.dynamic.stencil = dynamic;
            let z = if depth_passes { 1.0 } else { 0.25 };
            let [color, d, stencil] = draw(&[s], depth, z, old);
            let at = usize::from(!front);
            let (want, passes) = model(&faces[at], &dynamic[at], old, depth_passes);
            for (x, y) in [(0, 0), (69, 65), (63, 63), (64, 0), (33, 31)] {
                let what = format!("{:?} {:?} {old} {depth:?} {scalar} {discards}", faces[at], dynamic[at]);
                assert_eq!(stencil.texel(x, y)[0], want, "{what}");
                assert_eq!(color.float(x, y)[0] == 1.0, passes, "{what}");
                if depth.is_some() {
                    let want = if passes { 0.5 } else { z };
                    assert!((d.float(x, y)[0] - want).abs() < 1e-4, "{what}");
                }
            }
        }
    }
}

#[test]
fn depth_bounds_look_at_what_is_there() {
    // The attachment holds 0.25, 0.5 or 0.75; the primitive's own depth does not matter.
    for depth in DEPTHS.into_iter().flatten() {
        for there in [0.25f32, 0.5, 0.75] {
            for scalar in [false, true] {
                let mut s = cover(0.9, true, Some(depth));
                s.desc.scalar_merge = scalar;
                s.desc.depth.bounds = true;
                s.dynamic.depth_bounds = [0.375, 0.625];
                let [color, ..] = draw(&[s], Some(depth), there, 0);
                assert_eq!(color.float(50, 50)[0] == 1.0, there == 0.5, "{depth:?} {there} {scalar}");
            }
        }
    }
}

/// Compares kernels with the scalar path for random triangles, faces and states.
#[test]
fn kernels_match_the_scalar_path_with_stencil() {
    for i in 0..96u64 {
        let mut out = Vec::new();
        for scalar in [true, false] {
            let mut rng = Rng(1000 + i);
            let depth = DEPTHS[i as usize % 4];
            let mut scenes = Vec::new();
            for _ in 0..3 {
                let mut s = Scene::new(4, Interpolation::Perspective, SIZE);
                s.lanes = [8, 16, 32][i as usize % 3];
                for _ in 0..20 {
                    let at = [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0)];
                    for _ in 0..3 {
                        let p = [at[0] + rng.range(-0.8, 0.8), at[1] + rng.range(-0.8, 0.8)];
                        let c = [(); 4].map(|()| rng.range(-0.2, 1.2));
                        s.vertex([p[0], p[1], rng.range(0.0, 1.0), 1.0], &c);
                    }
                }
                let mut face = || StencilFace {
                    compare: COMPARES[rng.next() as usize % 8],
                    fail: OPS[rng.next() as usize % 8],
                    pass: OPS[rng.next() as usize % 8],
                    depth_fail: OPS[rng.next() as usize % 8],
                };
                (s.desc.stencil_test, s.desc.stencil) = (i % 5 != 4, [face(), face()]);
                let mut dynamic = || StencilDynamic {
                    compare_mask: rng.next(),
                    write_mask: rng.next(),
                    reference: rng.next() & 255,
                };
                s.dynamic.stencil = [dynamic(), dynamic()];
                s.desc.depth = DepthState {
                    test: !rng.next().is_multiple_of(4),
                    write: !rng.next().is_multiple_of(4),
                    compare: COMPARES[1 + rng.next() as usize % 7],
                    bounds: rng.next().is_multiple_of(4),
                };
                s.dynamic.depth_bounds = [0.125, 0.875];
                s.desc.color_formats = vec![Some(Format::R8G8B8A8_UNORM)];
                s.desc.depth_format = depth;
                s.desc.stencil_format = Some(Format::S8_UINT);
                s.desc.scalar_merge = scalar;
                if rng.next().is_multiple_of(3) {
                    s.discard_below = Some(0.3);
                    s.desc.fragment.as_mut().unwrap().discards = true;
                }
                scenes.push(s);
            }
            out.push(draw(&scenes, depth, 0.6, 7).map(|p| p.bytes));
        }
        assert!(out[0] == out[1], "seed {i}");
    }
}

#[test]
fn logic_operations_work_on_the_bits_of_each_component() {
    // Results by number of the operation, for s = 0b1100 and d = 0b1010 in the low nibble. Spec: Vulkan, "Logical
    // Operations".
    let want = [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15];
    for (number, want) in want.into_iter().enumerate() {
        let scene = |v: u32, op: Option<LogicOp>| {
            let mut s = cover(0.5, true, None);
            s.desc.stencil_format = None;
            s.vertices.clear();
            for [x, y] in [[-1.0, -1.0], [-1.0, 3.0], [3.0, -1.0]] {
                s.vertex([x, y, 0.5, 1.0], &[v as f32 / 255.0; 4]);
            }
            (s.desc.logic_op_enable, s.desc.logic_op) = (op.is_some(), op.unwrap_or_default());
            s.desc.blend = vec![BlendState { write_mask: 0b0111, ..BlendState::source_over() }];
            s
        };
        let mut first = scene(0b1010, None);
        first.desc.blend = Vec::new();
        let [color, ..] = draw(&[first, scene(0b1100, LogicOp::from_vk(number as u32))], None, 0.0, 0);
        let got = color.float(5, 5).map(|c| (c * 255.0).round() as u32);
        assert_eq!(got.map(|c| c & 15), [want, want, want, 0b1010], "operation {number}");
    }
}

#[test]
fn alpha_to_one_comes_before_blending() {
    let mut s = cover(0.5, true, None);
    s.vertices.clear();
    for [x, y] in [[-1.0, -1.0], [-1.0, 3.0], [3.0, -1.0]] {
        s.vertex([x, y, 0.5, 1.0], &[0.6, 0.4, 0.2, 0.0]);
    }
    s.desc.alpha_to_one = true;
    s.desc.blend = vec![BlendState::source_over()];
    let [color, ..] = draw(&[s], None, 0.0, 0);
    assert_eq!(color.float(5, 5).map(|c| (c * 255.0).round() as u32), [153, 102, 51, 255]);
}

/// Spec: Vulkan, "Multisample Coverage": the alpha is that of the output at location 0 and index 0.
#[test]
fn only_the_first_alpha_is_replaced_or_weighed() {
    let rendered = |corners: &[[f32; 2]], change: fn(&mut DrawStateDesc)| {
        let pool = Pool::new(1);
        let mut colors = [(); 2].map(|()| Picture::new(Format::R32G32B32A32_SFLOAT, SIZE));
        let mut desc = PassDesc { area: Rect::of_size(SIZE[0], SIZE[1]), ..Default::default() };
        for (to, color) in desc.colors.iter_mut().zip(&mut colors) {
            *to = Some(Attachment::clear(color.target(), [0; 4]));
        }
        let mut s = Scene::new(8, Interpolation::Flat, SIZE);
        corners.iter().for_each(|[x, y]| s.vertex([*x, *y, 0.5, 1.0], &[0.25; 8]));
        s.desc.color_formats = vec![Some(Format::R32G32B32A32_SFLOAT); 2];
        change(&mut s.desc);
        let mut pass = Pass::begin(&pool, desc).unwrap();
        s.draw(&mut pass);
        pass.end().unwrap();
        colors.map(|c| c.float(35, 33))
    };
    let all = [[-1.0, -1.0], [-1.0, 3.0], [3.0, -1.0]];
    let [first, second] = rendered(&all, |d| d.alpha_to_one = true);
    assert_eq!((first, second), ([0.25, 0.25, 0.25, 1.0], [0.25; 4]));
    // The other outputs are the second source of the first attachment; its alpha is the factor of the first source.
    let [first, _] = rendered(&all, |d| {
        d.alpha_to_one = true;
        let outputs = &mut d.fragment.as_mut().unwrap().outputs;
        for (component, output) in (0..).zip(&mut outputs[4..]) {
            output.slot = Slot::Location { location: 0, component, index: 1 };
        }
        let equation =
            BlendEquation { src: BlendFactor::Src1Alpha, dst: BlendFactor::Zero, op: BlendOp::Add };
        d.blend = vec![BlendState { enable: true, equations: [equation; 2], write_mask: 0xf }];
    });
    assert_eq!(first, [0.0625, 0.0625, 0.0625, 0.25]);
    // A smooth line between two rows of pixels covers half of each.
    let [first, second] = rendered(&[[-0.5, 0.0], [0.5, 0.0]], |d| {
        (d.topology, d.line_mode) = (Topology::LineList, LineMode::RectangularSmooth);
    });
    assert_eq!((first, second), ([0.25, 0.25, 0.25, 0.125], [0.25; 4]));
}

/// Spec: Vulkan, "Advanced Blend Operations": s = (0.5, 0.25, 1, 0.5) over d = 0.4 with alpha 1, neither premultiplied,
/// so the weights are p = (0.5, 0, 0.5).
#[test]
fn advanced_operations_mix_as_the_specification_says() {
    let half = |f: [f32; 3]| f.map(|f| f * 0.5 + 0.4 * 0.5);
    for (op, want) in [
        (AdvancedOp::Multiply, half([0.2, 0.1, 0.4])),
        (AdvancedOp::Screen, half([0.7, 0.55, 1.0])),
        (AdvancedOp::Darken, half([0.4, 0.25, 0.4])),
        (AdvancedOp::ColorDodge, half([0.8, 0.4 / 0.75, 1.0])),
        (AdvancedOp::HardLight, half([0.4, 0.2, 1.0])),
        (AdvancedOp::Exclusion, half([0.5, 0.45, 0.6])),
        (AdvancedOp::SrcIn, [0.25, 0.125, 0.5].map(|v: f32| v / 0.5)),
    ] {
        let scene = |c: [f32; 4], op: Option<AdvancedOp>| {
            let mut s = cover(0.5, true, None);
            s.desc.stencil_format = None;
            s.vertices.clear();
            for [x, y] in [[-1.0, -1.0], [-1.0, 3.0], [3.0, -1.0]] {
                s.vertex([x, y, 0.5, 1.0], &c);
            }
            let blend = op.map(|op| AdvancedBlend {
                op,
                src_premultiplied: false,
                dst_premultiplied: false,
                overlap: BlendOverlap::Uncorrelated,
            });
            let equation = |b| BlendEquation { op: BlendOp::Advanced(b), ..BlendEquation::default() };
            let equations = blend.map(|b| [equation(b); 2]).unwrap_or_default();
            s.desc.blend = vec![BlendState { enable: blend.is_some(), equations, ..BlendState::default() }];
            s
        };
        let scenes = [scene([0.4, 0.4, 0.4, 1.0], None), scene([0.5, 0.25, 1.0, 0.5], Some(op))];
        let [color, ..] = draw(&scenes, None, 0.0, 0);
        let got = color.float(60, 60);
        for i in 0..3 {
            assert!((got[i] - want[i]).abs() < 0.005, "{op:?}: {got:?}, not {want:?}");
        }
    }
}

/// Spec: Vulkan, VkResolveModeFlagBits.
#[test]
fn depth_and_stencil_resolve_in_every_mode() {
    for (mode, z, s) in [
        (ResolveMode::SampleZero, 0.5, 9),
        (ResolveMode::Average, 0.375, 9),
        (ResolveMode::Min, 0.125, 2),
        (ResolveMode::Max, 0.625, 11),
    ] {
        let pool = Pool::new(1);
        let mut depth = Picture::with_samples(Format::D32_SFLOAT, SIZE, 4);
        let mut stencil = Picture::with_samples(Format::S8_UINT, SIZE, 4);
        let plane = (SIZE[0] * SIZE[1]) as usize;
        for (k, (z, s)) in [(0.5f32, 9u8), (0.125, 2), (0.25, 4), (0.625, 11)].into_iter().enumerate() {
            stencil.bytes[k * plane..][..plane].fill(s);
            depth.bytes[4 * k * plane..][..4 * plane]
                .chunks_exact_mut(4)
                .for_each(|b| b.copy_from_slice(&z.to_le_bytes()));
        }
        let mut to = [Picture::new(Format::D32_SFLOAT, SIZE), Picture::new(Format::S8_UINT, SIZE)];
        let [to_depth, to_stencil] = to.each_mut().map(Picture::target);
        let attach = |target, resolve| Attachment {
            load: LoadOp::Load,
            resolve: Some(resolve),
            resolve_mode: mode,
            ..Attachment::load(target)
        };
        let desc = PassDesc {
            depth: Some(attach(depth.target(), to_depth)),
            stencil: Some(attach(stencil.target(), to_stencil)),
            area: Rect::of_size(SIZE[0], SIZE[1]),
            ..Default::default()
        };
        Pass::begin(&pool, desc).unwrap().end().unwrap();
        assert_eq!(to[0].float(69, 65)[0], z, "{mode:?}");
        assert_eq!(to[1].texel(69, 65)[0], s, "{mode:?}");
    }
}
