//! Triangles that are transformed and set up many at once, against the same triangles in a draw each.

use quadrille_jit::ir::Interpolation;

use super::harness::*;
use crate::memory::format::Format;
use crate::state::*;
use crate::{Draw, Pool};

const SIZE: [u32; 2] = [300, 200];
const TRIANGLES: usize = 400;

/// A triangle of some kind: mostly small, but also larger than a batch takes, without area, behind the eye, beyond the guard
/// band, or not finite. Half of the small ones lie on a grid of half pixels, where edges pass through pixel centres.
fn corners(rng: &mut Rng) -> [[f32; 4]; 3] {
    let kind = rng.next() % 16;
    let at = [rng.range(-1.1, 1.1), rng.range(-1.1, 1.1)];
    let reach = match kind {
        0 => 2.5,
        1 => 60.0,
        2..=5 => 0.2,
        _ => 0.03,
    };
    let mut p = [(); 3].map(|()| {
        let [x, y] = at.map(|c| c + rng.range(-reach, reach));
        let (z, w) = (rng.range(0.1, 0.9), rng.range(0.3, 3.0));
        let grid =
            |v: f32, n: u32| if kind.is_multiple_of(2) { (v * n as f32).round() / n as f32 } else { v };
        [grid(x, SIZE[0]) * w, grid(y, SIZE[1]) * w, z * w, w]
    });
    match kind {
        6 => p[2] = p[0],
        7 => p[rng.next() as usize % 3][3] *= -1.0,
        8 => p[rng.next() as usize % 3][2] = -0.5,
        9 => p[1][0] = f32::NAN,
        // Kinds that differ in their reach only.
        0..=5 | 10.. => return p,
    }
    p
}

/// Triangles with the state of variant `i`.
fn scene(i: usize) -> Scene {
    let flat = if i.is_multiple_of(3) { Interpolation::Flat } else { Interpolation::Perspective };
    let mut s = Scene::new(3, flat, SIZE);
    s.lanes = [8, 4, 16, 32][i % 4];
    s.desc.color_formats = vec![Some(Format::R8G8B8A8_UNORM)];
    s.desc.blend = vec![additive()];
    s.desc.depth_format = Some(Format::D32_SFLOAT);
    s.desc.depth = DepthState { test: true, write: true, compare: CompareOp::Less, bounds: false };
    s.desc.cull = [(false, false), (true, false), (false, true), (true, true)]
        .map(|(front, back)| CullMode { front, back })[i / 2 % 4];
    s.desc.front_face = [FrontFace::CounterClockwise, FrontFace::Clockwise][i / 3 % 2];
    s.desc.negative_one_to_one = i % 7 == 3;
    s.desc.depth_clamp = i % 7 == 5;
    s.desc.provoking_last = i.is_multiple_of(5);
    s.desc.samples = if i % 6 == 5 { 4 } else { 1 };
    s.desc.depth_bias = i % 2 == 1;
    s.dynamic.depth_bias = DepthBias { constant: 3.0, clamp: 0.01, slope: 1.5, unit: DepthBiasUnit::Format };
    if i % 4 == 3 {
        s.dynamic.scissors = vec![Rect { x: 41, y: 33, width: 170, height: 90 }];
    }
    let mut rng = Rng(i as u64);
    for _ in 0..TRIANGLES {
        for p in corners(&mut rng) {
            s.vertex(p, &[(); 3].map(|()| rng.range(0.0, 0.3)));
        }
    }
    s
}

/// Bounds of such viewports are at the ends of the integers.
#[test]
fn viewports_far_away_show_nothing() {
    let pool = Pool::new(1);
    for far in [-4e9, 4e9, f32::NEG_INFINITY, f32::INFINITY, f32::NAN] {
        let mut s = scene(0);
        (s.dynamic.viewports[0].x, s.dynamic.viewports[0].y) = (far, -far);
        let mut color = Picture::new(Format::R8G8B8A8_UNORM, SIZE);
        let mut depth = Picture::new(Format::D32_SFLOAT, SIZE);
        let mut pass = begin(&pool, &mut color, Some((&mut depth, 1.0)));
        s.draw(&mut pass);
        pass.end().unwrap();
        assert!(color.bytes.iter().all(|b| *b == 0), "{far}");
    }
}

#[test]
fn batches_are_their_triangles_one_by_one() {
    let pool = Pool::new(2);
    let mut drawn = 0;
    for i in 0..24 {
        let s = scene(i);
        let results = [TRIANGLES, 1].map(|at_once| {
            let mut color = Picture::with_samples(Format::R8G8B8A8_UNORM, SIZE, s.desc.samples);
            let mut depth = Picture::with_samples(Format::D32_SFLOAT, SIZE, s.desc.samples);
            let mut pass = begin(&pool, &mut color, Some((&mut depth, 1.0)));
            s.prepare().unwrap().bind(&s, &mut pass);
            for first in (0..TRIANGLES).step_by(at_once) {
                let (first, count) = (3 * first as u32, 3 * at_once as u32);
                pass.draw(&Draw { first, count, instances: 1, ..Draw::default() }).unwrap();
            }
            let stats = pass.end().unwrap();
            let counts = [stats.clipping_invocations, stats.clipping_primitives, stats.fragment_invocations];
            (color.bytes, depth.bytes, counts)
        });
        let [many, each] = results;
        assert!(many == each, "variant {i}: {:?} {:?}", many.2, each.2);
        drawn += usize::from(many.0.iter().any(|b| *b != 0));
    }
    assert_eq!(drawn, 18, "all but the variants that cull both faces");
}
