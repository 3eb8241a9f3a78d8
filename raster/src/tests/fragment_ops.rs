//! Depth test, blending, formats and write masks.

use quadrille_jit::ir::Interpolation;

use super::harness::*;
use crate::Pool;
use crate::memory::format::{Format, Numeric};
use crate::state::{BlendState, CompareOp, DepthState};

const SIZE: [u32; 2] = [80, 70];

/// A quad at depth `z` that covers the picture.
fn quad(z: f32, color: [f32; 4]) -> Scene {
    let mut s = Scene::new(4, Interpolation::Flat, SIZE);
    for [x, y] in [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]] {
        s.vertex([x, y, z, 1.0], &color);
    }
    s
}

#[test]
fn depth_test_and_write_early_and_late() {
    for discards in [false, true] {
        for compare in [CompareOp::Less, CompareOp::LessOrEqual, CompareOp::Greater, CompareOp::Always] {
            for format in [Format::D32_SFLOAT, Format::D16_UNORM] {
                let pool = Pool::new(2);
                let mut color = Picture::new(Format::R8G8B8A8_UNORM, SIZE);
                let mut depth = Picture::new(format, SIZE);
                let mut pass = begin(&pool, &mut color, Some((&mut depth, 0.5)));
                let layers = [(0.25, true), (0.75, true), (0.25, true), (0.125, false), (0.5, true)];
                let (mut z, mut last) = (0.5f32, 0);
                let mut scenes = Vec::new();
                for (i, &(d, write)) in layers.iter().enumerate() {
                    let mut s = quad(d, [(i as f32 + 1.0) / 255.0, 0.0, 0.0, 1.0]);
                    s.desc.color_formats = vec![Some(color.format)];
                    s.desc.depth_format = Some(format);
                    s.desc.depth = DepthState { test: true, write, compare, bounds: false };
                    if let Some(f) = &mut s.desc.fragment {
                        f.discards = discards;
                    }
                    s.draw(&mut pass);
                    scenes.push(s);
                    if compare.test(d, z) {
                        last = i as u32 + 1;
                        z = if write { d } else { z };
                    }
                }
                pass.end().unwrap();
                for (x, y) in [(0, 0), (79, 69), (64, 63), (33, 12)] {
                    let got = (color.float(x, y)[0] * 255.0).round() as u32;
                    assert_eq!(got, last, "{compare:?} {format:?}");
                    assert!((depth.float(x, y)[0] - z).abs() < 1e-4, "{compare:?} {format:?}");
                }
            }
        }
    }
}

#[test]
fn discarded_pixels_write_neither_colour_nor_depth() {
    for (format, step) in [(Format::R32G32B32A32_SFLOAT, 0.0), (Format::R8G8B8A8_UNORM, 1.0 / 255.0)] {
        let pool = Pool::new(1);
        let mut color = Picture::new(format, SIZE);
        let mut depth = Picture::new(Format::D32_SFLOAT, SIZE);
        let mut pass = begin(&pool, &mut color, Some((&mut depth, 1.0)));
        let mut s = Scene::new(4, Interpolation::Perspective, SIZE);
        for [x, y] in [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]] {
            s.vertex([x, y, 0.5, 1.0], &[x, y, 0.0, 1.0]);
        }
        s.desc.color_formats = vec![Some(color.format)];
        s.desc.depth_format = Some(depth.format);
        s.desc.depth = DepthState { test: true, write: true, compare: CompareOp::Less, bounds: false };
        s.discard_below = Some(0.05);
        s.desc.fragment.as_mut().unwrap().discards = true;
        s.draw(&mut pass);
        pass.end().unwrap();
        for y in 0..70 {
            for x in 0..80 {
                // The boundary lies inside a stamp.
                let kept = x >= 42;
                assert_eq!(color.float(x, y)[3] == 1.0, kept);
                assert_eq!(depth.float(x, y)[0], if kept { 0.5 } else { 1.0 });
                if kept {
                    let want = (x as f32 + 0.5) / 40.0 - 1.0;
                    assert!((color.float(x, y)[0] - want).abs() < 1e-5 + 0.5 * step);
                }
            }
        }
    }
}

#[test]
fn source_over_in_every_format() {
    let layers = [[0.9, 0.2, 0.1, 0.5], [0.1, 0.8, 0.3, 0.25], [0.0, 0.4, 1.0, 0.75]];
    for (format, tolerance) in [
        (Format::R8G8B8A8_UNORM, 0.008),
        (Format::B8G8R8A8_UNORM, 0.008),
        (Format::R32G32B32A32_SFLOAT, 1e-6),
        (Format::R16G16B16A16_SFLOAT, 2e-3),
        (Format::R8G8B8A8_SRGB, 0.02),
    ] {
        let mut scenes: Vec<_> = layers.iter().map(|&c| quad(0.5, c)).collect();
        for s in &mut scenes {
            s.desc.blend = vec![BlendState::source_over()];
        }
        let p = render(2, format, SIZE, &mut scenes);
        let mut want = [0f64; 4];
        for c in layers.map(|c| c.map(f64::from)) {
            for (i, w) in want.iter_mut().enumerate() {
                *w = if i < 3 { c[i] * c[3] } else { c[3] } + *w * (1.0 - c[3]);
            }
        }
        for (x, y) in [(0, 0), (79, 69), (64, 64), (31, 63)] {
            for (got, want) in p.float(x, y).iter().zip(want) {
                assert!((f64::from(*got) - want).abs() < tolerance, "{format:?}: {got} {want}");
            }
        }
    }
}

#[test]
fn write_mask_keeps_components() {
    let mut first = quad(0.5, [0.2, 0.4, 0.6, 0.8]);
    let mut second = quad(0.5, [1.0, 1.0, 1.0, 1.0]);
    first.desc.blend = vec![BlendState::default()];
    second.desc.blend = vec![BlendState { write_mask: 0b1010, ..BlendState::default() }];
    let p = render(1, Format::R8G8B8A8_UNORM, SIZE, &mut [first, second]);
    assert_eq!(p.float(3, 3).map(|c| (c * 255.0).round() as u32), [51, 255, 153, 255]);
}

/// Work behind a covering primitive is dropped. Components that the primitive does not write and later primitives stay.
#[test]
fn covered_tiles_keep_what_shows() {
    let over = BlendState::source_over();
    let alpha_only = BlendState { write_mask: 0b1000, ..BlendState::default() };
    // Values and blend states of the layers from back to front, and the expected R, G, B, A.
    let cases: [(&[(f32, BlendState)], [f32; 4]); 4] = [
        (&[(0.2, BlendState::default()), (0.6, BlendState::default())], [0.6; 4]),
        (&[(0.2, BlendState::default()), (0.6, alpha_only)], [0.2, 0.2, 0.2, 0.6]),
        (&[(0.2, BlendState::default()), (0.6, BlendState::default()), (0.0, over)], [0.6; 4]),
        (&[(0.2, BlendState::default()), (1.0, over)], [1.0; 4]),
    ];
    for (layers, want) in cases {
        let mut scenes: Vec<Scene> = layers
            .iter()
            .map(|&(v, blend)| {
                // One triangle over the whole picture, so that it covers whole tiles.
                let mut s = Scene::new(4, Interpolation::Flat, SIZE);
                for [x, y] in [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]] {
                    s.vertex([x, y, 0.5, 1.0], &[v; 4]);
                }
                s.desc.blend = vec![blend];
                s
            })
            .collect();
        let p = render(2, Format::R8G8B8A8_UNORM, SIZE, &mut scenes);
        // Pixels of the full tile and of the partial tiles at the edges.
        for (x, y) in [(5, 5), (63, 63), (32, 32), (50, 10), (79, 69), (70, 5)] {
            let got = p.float(x, y).map(|c| (c * 255.0).round());
            assert_eq!(got, want.map(|c| (c * 255.0).round()), "{layers:?} at {x}, {y}");
        }
    }
}

#[test]
fn unsupported_state_is_refused_by_name() {
    let mut s = quad(0.5, [0.0; 4]);
    s.desc.samples = 3;
    let e = crate::DrawState::new(s.desc.clone(), &kernels()).unwrap_err();
    assert!(e.to_string().contains("3 rasterization samples"), "{e}");
}

/// Random triangles with colours that include NaN and values beyond the range of formats.
fn wild(seed: u64, lanes: u32) -> Scene {
    let mut rng = Rng(seed);
    let mut s = Scene::new(4, Interpolation::Perspective, SIZE);
    s.lanes = lanes;
    for _ in 0..60 {
        let at = [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0)];
        for _ in 0..3 {
            let color = [(); 4].map(|()| match rng.next() % 16 {
                0 => f32::NAN,
                1 => 1e20,
                2 => -1e20,
                _ => rng.range(-0.5, 1.5),
            });
            let p = [at[0] + rng.range(-0.8, 0.8), at[1] + rng.range(-0.8, 0.8)];
            s.vertex([p[0], p[1], rng.range(0.0, 1.0), 1.0], &color);
        }
    }
    s
}

/// Bytes of a picture with each 32-bit NaN replaced by the same NaN: NaN bits are unspecified, as in Rust's own
/// arithmetic. Conversion to smaller formats gives only one NaN.
fn promised(picture: &Picture) -> Vec<u8> {
    let info = picture.format.info();
    let mut bytes = picture.bytes.clone();
    if info.numeric == Numeric::Sfloat && info.fields[0].bits == 32 {
        for word in bytes.chunks_exact_mut(4) {
            if f32::from_le_bytes([word[0], word[1], word[2], word[3]]).is_nan() {
                word.copy_from_slice(&f32::NAN.to_le_bytes());
            }
        }
    }
    bytes
}

fn twins(make: impl Fn() -> Scene, format: Format, depth: Option<Format>) {
    let mut results = Vec::new();
    for scalar_merge in [true, false] {
        let pool = Pool::new(2);
        let mut color = Picture::new(format, SIZE);
        let mut z = depth.map(|d| Picture::new(d, SIZE));
        let mut s = make();
        s.desc.scalar_merge = scalar_merge;
        s.desc.color_formats = vec![Some(format)];
        s.desc.depth_format = depth;
        let mut pass = begin(&pool, &mut color, z.as_mut().map(|z| (z, 0.6)));
        s.draw(&mut pass);
        let stats = pass.end().unwrap();
        results.push((promised(&color), z.map(|z| z.bytes), stats));
    }
    let state = make().desc;
    assert!(results[0] == results[1], "{format:?} {depth:?} {:?} {:?}", state.blend, state.depth);
}

const KERNEL_FORMATS: [Format; 10] = [
    Format::R8G8B8A8_UNORM,
    Format::B8G8R8A8_UNORM,
    Format::R8G8B8A8_SRGB,
    Format::B8G8R8A8_SRGB,
    Format::R32_SFLOAT,
    Format::R32_UINT,
    Format::R32G32B32A32_SFLOAT,
    Format::R32G32B32A32_UINT,
    Format::R16G16B16A16_SFLOAT,
    Format::A8B8G8R8_UNORM_PACK32,
];

/// Formats whose kernels are generated from rows of the format table.
fn packed_formats() -> impl Iterator<Item = Format> {
    use crate::memory::format::{FORMATS, FormatFeatures};
    FORMATS
        .iter()
        .filter(|r| {
            let drawn = r.format.image_features().contains(FormatFeatures::COLOR_ATTACHMENT);
            drawn && r.numeric != Numeric::Srgb && matches!(r.bytes, 1 | 2 | 4 | 8)
        })
        .map(|r| r.format)
        .filter(|f| !KERNEL_FORMATS.contains(f))
}

#[test]
fn kernels_match_the_scalar_path_in_packed_formats() {
    let mut formats = 0;
    for (i, format) in packed_formats().enumerate() {
        let lanes = [8, 16, 32][i % 3];
        for blend in [None, Some(BlendState::source_over())] {
            twins(
                || {
                    let mut s = wild(7, lanes);
                    s.desc.blend = blend.iter().copied().collect();
                    s
                },
                format,
                None,
            );
        }
        twins(|| wild_with(BlendState { write_mask: 0b0110, ..BlendState::source_over() }), format, None);
        formats += 1;
    }
    assert!(formats > 40, "{formats}");
}

#[test]
fn kernels_match_the_scalar_path_in_every_format() {
    for format in KERNEL_FORMATS {
        for lanes in [8, 16, 32] {
            for blend in [None, Some(BlendState::source_over())] {
                twins(
                    || {
                        let mut s = wild(7, lanes);
                        s.desc.blend = blend.iter().copied().collect();
                        s
                    },
                    format,
                    None,
                );
            }
        }
        let mut mask = BlendState { write_mask: 0b0101, ..BlendState::source_over() };
        twins(|| wild_with(mask), format, None);
        mask.enable = false;
        twins(|| wild_with(mask), format, None);
    }
}

fn wild_with(blend: BlendState) -> Scene {
    let mut s = wild(3, 8);
    s.dynamic.blend_constants = [0.25, 1.5, -0.5, 0.75];
    s.desc.blend = vec![blend];
    s
}

#[test]
fn kernels_match_the_scalar_path_for_every_factor_and_operation() {
    use crate::state::{BlendEquation, BlendFactor::*, BlendOp};
    let factors = [
        Zero,
        One,
        SrcColor,
        OneMinusSrcColor,
        DstColor,
        OneMinusDstColor,
        SrcAlpha,
        OneMinusSrcAlpha,
        DstAlpha,
        OneMinusDstAlpha,
        ConstantColor,
        OneMinusConstantColor,
        ConstantAlpha,
        OneMinusConstantAlpha,
        SrcAlphaSaturate,
        Src1Color,
        OneMinusSrc1Alpha,
    ];
    let ops = [BlendOp::Add, BlendOp::Subtract, BlendOp::ReverseSubtract, BlendOp::Min, BlendOp::Max];
    for (i, &src) in factors.iter().enumerate() {
        let dst = factors[(i * 7 + 3) % factors.len()];
        let color = BlendEquation { src, dst, op: ops[i % 5] };
        let alpha = BlendEquation { src: dst, dst: src, op: ops[(i + 2) % 5] };
        let blend = BlendState { enable: true, equations: [color, alpha], write_mask: 0xf };
        for format in [Format::B8G8R8A8_UNORM, Format::R32G32B32A32_SFLOAT] {
            twins(|| wild_with(blend), format, None);
        }
    }
}

#[test]
fn kernels_match_the_scalar_path_in_depth() {
    use crate::state::CompareOp::*;
    for compare in [Never, Less, Equal, LessOrEqual, Greater, NotEqual, GreaterOrEqual, Always] {
        for (discards, writes_memory) in [(false, false), (true, false), (true, true)] {
            for lanes in [8, 32] {
                twins(
                    || {
                        let mut s = wild(9, lanes);
                        s.desc.depth = DepthState { test: true, write: true, compare, bounds: false };
                        s.discard_below = discards.then_some(0.3);
                        if let Some(f) = &mut s.desc.fragment {
                            (f.discards, f.writes_memory) = (discards, writes_memory);
                        }
                        s
                    },
                    Format::R8G8B8A8_UNORM,
                    Some(Format::D32_SFLOAT),
                );
            }
        }
    }
}
