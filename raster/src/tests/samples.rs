//! Rendering with several samples per pixel.

use quadrille_jit::ir::{Interpolation, Ty};

use super::harness::*;
use crate::memory::format::Format;
use crate::state::{CompareOp, DepthState, Rect};
use crate::{Attachment, Budget, Pass, PassDesc, Pool};

pub(super) const SIZE: [u32; 2] = [90, 75];

/// Sample positions in 1/256 pixels. Spec: Vulkan, "Standard sample locations".
fn positions(samples: u32) -> Vec<[i128; 2]> {
    let sixteenths: &[[i128; 2]] = match samples {
        1 => &[[8, 8]],
        2 => &[[12, 12], [4, 4]],
        4 => &[[6, 2], [14, 6], [2, 10], [10, 14]],
        8 => &[[9, 5], [7, 11], [13, 9], [5, 3], [3, 13], [1, 7], [11, 15], [15, 1]],
        _ => &[
            [9, 9],
            [7, 5],
            [5, 10],
            [12, 7],
            [3, 6],
            [10, 13],
            [13, 11],
            [11, 3],
            [6, 14],
            [8, 1],
            [4, 2],
            [2, 12],
            [0, 8],
            [15, 4],
            [14, 15],
            [1, 0],
        ],
    };
    sixteenths.iter().map(|p| p.map(|v| v * 16)).collect()
}

/// Renders with four samples. Returns the colour samples, the depth samples and the resolved picture.
fn render4(threads: usize, scenes: &mut [Scene], depth: bool) -> (Picture, Picture, Picture) {
    render_samples(4, threads, scenes, depth)
}

pub(super) fn render_samples(
    samples: u32,
    threads: usize,
    scenes: &mut [Scene],
    depth: bool,
) -> (Picture, Picture, Picture) {
    let pool = Pool::new(threads);
    let mut color = Picture::with_samples(Format::R32_SFLOAT, SIZE, samples);
    let mut z = Picture::with_samples(Format::D32_SFLOAT, SIZE, samples);
    let mut resolved = Picture::new(Format::R32_SFLOAT, SIZE);
    let mut desc =
        PassDesc { area: Rect::of_size(SIZE[0], SIZE[1]), budget: Budget::seconds(60), ..Default::default() };
    let attachment = Attachment::clear(color.target(), [0; 4]);
    desc.colors[0] = Some(Attachment { resolve: Some(resolved.target()), ..attachment });
    desc.depth = depth.then(|| Attachment::clear(z.target(), [1.0f32.to_bits(), 0, 0, 0]));
    let mut pass = Pass::begin(&pool, desc).unwrap();
    for s in scenes {
        s.desc.samples = samples;
        s.desc.color_formats = vec![Some(color.format)];
        s.desc.depth_format = depth.then_some(z.format);
        s.draw(&mut pass);
    }
    pass.end().unwrap();
    (color, z, resolved)
}

pub(super) fn sample(p: &Picture, s: u32, x: u32, y: u32) -> f32 {
    p.float(x, y + s * p.size[1])[0]
}

#[test]
fn each_sample_is_covered_by_the_fill_rule() {
    let mut rng = Rng(8);
    let mut triangles = Vec::new();
    let mut s = Scene::new(1, Interpolation::Flat, SIZE);
    s.desc.blend = vec![additive()];
    for i in 0..120 {
        let reach = [0.05, 0.4, 3.0][i % 3];
        let at = [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0)];
        let t = [(); 3].map(|()| [at[0] + rng.range(-reach, reach), at[1] + rng.range(-reach, reach)]);
        t.iter().for_each(|v| s.vertex([v[0], v[1], 0.5, 1.0], &[1.0]));
        triangles.push(t.map(|v| super::coverage::snap(v, SIZE)));
    }
    for samples in [2, 4, 8, 16] {
        let (color, _, resolved) = render_samples(samples, 2, std::slice::from_mut(&mut s), false);
        for y in 0..SIZE[1] {
            for x in 0..SIZE[0] {
                let mut sum = 0.0;
                for (k, p) in positions(samples).iter().enumerate() {
                    let at = [i128::from(x) * 256 + p[0], i128::from(y) * 256 + p[1]];
                    let want = triangles.iter().filter(|t| super::coverage::inside(**t, at)).count() as f32;
                    assert_eq!(sample(&color, k as u32, x, y), want, "pixel {x},{y} sample {k} of {samples}");
                    sum += want;
                }
                assert_eq!(resolved.float(x, y)[0], sum / samples as f32);
            }
        }
    }
}

/// The mesh fills the picture without gaps or overlaps, so additive blending gives 1 at each sample.
#[test]
fn meshes_are_watertight_at_every_number_of_samples() {
    const N: usize = 23;
    let mut rng = Rng(77);
    let mut s = Scene::new(1, Interpolation::Flat, SIZE);
    s.desc.blend = vec![additive()];
    let grid: Vec<[f32; 2]> = (0..=N * (N + 2))
        .map(|i| {
            let (x, y) = (i % (N + 1), i / (N + 1));
            let inner = |v: usize| if v == 0 || v >= N { 0.0 } else { 0.24 };
            let place = |v: usize, jitter: f32| (v as f32 + jitter * inner(v)) / N as f32 * 3.0 - 1.5;
            [place(x, rng.range(-1.0, 1.0)), place(y, rng.range(-1.0, 1.0))]
        })
        .collect();
    for y in 0..N {
        for x in 0..N {
            let c = [0, 1, N + 1, N + 2].map(|d| grid[y * (N + 1) + x + d]);
            for k in if (x + y) % 2 == 0 { [0, 1, 2, 2, 1, 3] } else { [0, 1, 3, 3, 2, 0] } {
                s.vertex([c[k][0], c[k][1], 0.5, 1.0], &[1.0]);
            }
        }
    }
    for samples in [1, 2, 4, 8, 16] {
        let (color, _, _) = render_samples(samples, 2, std::slice::from_mut(&mut s), false);
        assert!(color.bytes.chunks(4).all(|v| v == 1.0f32.to_le_bytes()), "{samples} samples");
    }
}

#[test]
fn depth_is_tested_at_samples_and_threads_do_not_matter() {
    let make = |scalar: bool| {
        let mut rng = Rng(9);
        let mut s = Scene::new(1, Interpolation::Flat, SIZE);
        s.desc.scalar_merge = scalar;
        s.desc.depth = DepthState { test: true, write: true, compare: CompareOp::Less, bounds: false };
        for i in 0..60 {
            for _ in 0..3 {
                let p = [rng.range(-1.2, 1.2), rng.range(-1.2, 1.2), rng.range(0.0, 1.0), 1.0];
                s.vertex(p, &[1.0 + i as f32]);
            }
        }
        s
    };
    let (color, z, _) = render4(1, &mut [make(true)], true);
    for threads in [2, 7] {
        let (c, d, _) = render4(threads, &mut [make(false)], true);
        assert!(c.bytes == color.bytes && d.bytes == z.bytes);
    }
    // The samples of a pixel differ at the line along which two triangles cross.
    let differ = (0..SIZE[0] * SIZE[1]).filter(|i| {
        let (x, y) = (i % SIZE[0], i / SIZE[0]);
        (1..4).any(|s| sample(&color, s, x, y) != sample(&color, 0, x, y))
    });
    assert!(differ.count() > 100);
}

#[test]
fn sample_mask_limits_what_is_written() {
    let mut s = Scene::new(1, Interpolation::Flat, SIZE);
    for [x, y] in [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]] {
        s.vertex([x, y, 0.5, 1.0], &[1.0]);
    }
    s.desc.sample_mask = Some(0b0110);
    let (color, _, resolved) = render4(1, &mut [s], false);
    assert_eq!([0, 1, 2, 3].map(|k| sample(&color, k, 70, 70)), [0.0, 1.0, 1.0, 0.0]);
    assert_eq!(resolved.float(70, 70)[0], 0.5);
}

#[test]
fn a_mask_without_samples_draws_nothing() {
    let mut s = Scene::new(1, Interpolation::Flat, SIZE);
    for [x, y] in [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]] {
        s.vertex([x, y, 0.5, 1.0], &[1.0]);
    }
    s.desc.sample_mask = Some(0b10);
    let p = render(1, Format::R32_SFLOAT, SIZE, &mut [s]);
    assert!(p.bytes.iter().all(|&b| b == 0));
}

/// Spec: Vulkan, "Fragment Operations": with PostDepthCoverage, the sample mask test comes after the depth test.
#[test]
fn a_mask_after_the_depth_test_lets_depth_be_written() {
    for (samples, scalar) in [(1, false), (1, true), (4, false), (4, true)] {
        let mut s = Scene::new(1, Interpolation::Flat, SIZE);
        for [x, y] in [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]] {
            s.vertex([x, y, 0.5, 1.0], &[1.0]);
        }
        (s.desc.sample_mask, s.desc.scalar_merge) = (Some(0), scalar);
        s.desc.depth = DepthState { test: true, write: true, compare: CompareOp::Less, bounds: false };
        let f = s.desc.fragment.as_mut().unwrap();
        (f.early_fragment_tests, f.post_depth_coverage) = (true, true);
        let (color, z, _) = render_samples(samples, 1, &mut [s], true);
        // A pixel of a tile that is covered as a whole, and one of a tile at the edge.
        for [x, y] in [[5, 5], [70, 70]] {
            let all = |p: &Picture| (0..samples).map(|k| sample(p, k, x, y)).collect::<Vec<_>>();
            assert!(all(&color).iter().all(|c| *c == 0.0), "{samples} samples, scalar: {scalar}");
            assert!(all(&z).iter().all(|z| *z == 0.5), "{samples} samples, scalar: {scalar}");
        }
    }
}

/// Spec: Vulkan, "Multisample Coverage": operations on alpha are skipped if the first output is of integers.
#[test]
fn integers_have_no_alpha() {
    for (samples, scalar) in [(1, false), (1, true), (4, false), (4, true)] {
        let mut s = Scene::new(4, Interpolation::Flat, SIZE);
        for [x, y] in [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]] {
            s.vertex([x, y, 0.5, 1.0], &[f32::from_bits(7); 4]);
        }
        s.desc.fragment.as_mut().unwrap().outputs.iter_mut().for_each(|o| o.ty = Ty::I32);
        (s.desc.alpha_to_coverage, s.desc.alpha_to_one) = (true, true);
        (s.desc.samples, s.desc.scalar_merge) = (samples, scalar);
        let pool = Pool::new(1);
        let mut color = Picture::with_samples(Format::R8G8B8A8_UINT, SIZE, samples);
        s.desc.color_formats = vec![Some(color.format)];
        let mut pass = begin(&pool, &mut color, None);
        s.draw(&mut pass);
        pass.end().unwrap();
        for k in 0..samples {
            assert_eq!(
                color.texel(70, 70 + k * SIZE[1]),
                [7; 4],
                "sample {k} of {samples}, scalar: {scalar}"
            );
        }
    }
}
