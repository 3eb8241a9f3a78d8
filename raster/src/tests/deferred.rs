//! Deferred shading ([`crate::tiles`]) against immediate shading, which the scalar path does.

use quadrille_jit::ir::Interpolation;

use super::harness::{Picture, Rng, Scene, begin};
use crate::Pool;
use crate::memory::format::Format;
use crate::state::{BlendState, CompareOp, DepthState};

const SIZE: [u32; 2] = [150, 100];

/// A scene of `n` random triangles. `kind` selects the depth test, blending, discard or memory writes.
fn layer(rng: &mut Rng, kind: u32, n: usize) -> Scene {
    let mut s = Scene::new(4, Interpolation::Perspective, SIZE);
    s.lanes = [8, 8, 8, 16][kind as usize % 4];
    let size = [0.05, 0.5, 4.0][rng.next() as usize % 3];
    for _ in 0..n {
        let at = [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0)];
        for _ in 0..3 {
            let p = [at[0] + rng.range(-size, size), at[1] + rng.range(-size, size)];
            let color = [(); 4].map(|()| rng.range(0.0, 1.0));
            s.vertex([p[0], p[1], rng.range(0.0, 1.0), 1.0], &color);
        }
    }
    let depth = |write, compare| DepthState { test: true, write, compare, bounds: false };
    match kind {
        // Opaque scenes, which are deferred: two depth tests, and none.
        0 | 3 => s.desc.depth = depth(true, CompareOp::LessOrEqual),
        1 => s.desc.depth = depth(false, CompareOp::Greater),
        2 => {}
        // Scenes that are shaded immediately.
        4 => s.desc.blend = vec![BlendState::source_over()],
        5 => s.desc.blend = vec![BlendState { write_mask: 0b0110, ..BlendState::default() }],
        6 => {
            s.desc.depth = depth(true, CompareOp::Less);
            s.discard_below = Some(0.3);
            if let Some(f) = &mut s.desc.fragment {
                f.discards = true;
            }
        }
        _ => {
            s.desc.depth = depth(true, CompareOp::Less);
            if let Some(f) = &mut s.desc.fragment {
                f.writes_memory = true;
            }
        }
    }
    s
}

/// Draws the scenes. Returns the bytes of the picture and of depth, and the number of fragment invocations.
fn draw(scenes: &mut [Scene], depth: bool, scalar_merge: bool) -> (Vec<u8>, Vec<u8>, u64) {
    let pool = Pool::new(1);
    let mut color = Picture::new(Format::R8G8B8A8_UNORM, SIZE);
    let mut z = Picture::new(Format::D32_SFLOAT, SIZE);
    let mut pass = begin(&pool, &mut color, depth.then_some((&mut z, 0.6)));
    for s in scenes {
        s.desc.scalar_merge = scalar_merge;
        s.desc.color_formats = vec![Some(Format::R8G8B8A8_UNORM)];
        s.desc.depth_format = depth.then_some(Format::D32_SFLOAT);
        s.draw(&mut pass);
    }
    let stats = pass.end().unwrap();
    (color.bytes, z.bytes, stats.fragment_invocations)
}

#[test]
fn what_waits_looks_as_if_it_had_not() {
    let mut rng = Rng(11);
    for round in 0..60 {
        let mut scenes: Vec<Scene> = (0..1 + rng.next() % 6)
            .map(|_| {
                let kind = if rng.next().is_multiple_of(3) { rng.next() % 8 } else { rng.next() % 3 };
                let n = [1, 10, 100][rng.next() as usize % 3];
                layer(&mut rng, kind, n)
            })
            .collect();
        for depth in [true, false] {
            let at_once = draw(&mut scenes, depth, true);
            assert!(draw(&mut scenes, depth, false) == at_once, "round {round}, depth {depth}");
        }
    }
}

/// Fragments count that a later primitive overwrites: they do in a pass of their own as well.
#[test]
fn hidden_fragments_count() {
    let mut over = Scene::new(4, Interpolation::Perspective, SIZE);
    for [x, y] in [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]] {
        over.vertex([x, y, 0.5, 1.0], &[1.0; 4]);
    }
    let mut scenes = [layer(&mut Rng(12), 2, 100), over];
    for scalar_merge in [false, true] {
        let apart = scenes.each_mut().map(|s| draw(std::slice::from_mut(s), false, scalar_merge).2);
        assert_eq!(apart[1], u64::from(SIZE[0] * SIZE[1]));
        assert_eq!(draw(&mut scenes, false, scalar_merge).2, apart[0] + apart[1]);
    }
}

/// More stamps than may be deferred, in layers from back to front, then from front to back.
#[test]
fn many_layers_look_as_if_they_had_not_waited() {
    for step in [-0.01, 0.01] {
        let mut s = Scene::new(4, Interpolation::Perspective, SIZE);
        for i in 0..50 {
            let (z, v) = (0.55 + step * i as f32, i as f32 / 50.0);
            for [x, y] in [[-1.0, -1.0], [3.0, -1.0 + v], [-1.0 + v, 3.0]] {
                s.vertex([x, y, z, 1.0], &[v, 1.0 - v, 0.5, 1.0]);
            }
        }
        s.desc.depth = DepthState { test: true, write: true, compare: CompareOp::Less, bounds: false };
        let at_once = draw(std::slice::from_mut(&mut s), true, true);
        assert!(draw(std::slice::from_mut(&mut s), true, false) == at_once, "{step}");
    }
}
