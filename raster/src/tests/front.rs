//! Primitive assembly, interpolation, order, and independence of the number of threads.

use std::sync::atomic::Ordering;

use quadrille_jit::ir::Interpolation;

use super::harness::*;
use crate::memory::format::Format;
use crate::state::{BlendState, CompareOp, DepthState, Topology};
use crate::{Draw, Pool};

const SIZE: [u32; 2] = [150, 100];

/// Many overlapping, blended triangles, so that any change of order shows.
fn soup(n: usize, topology: Topology) -> Scene {
    let mut rng = Rng(11);
    let mut s = Scene::new(4, Interpolation::Perspective, SIZE);
    s.desc.topology = topology;
    s.desc.blend = vec![BlendState::source_over()];
    for _ in 0..n {
        let at = [rng.range(-1.0, 1.0), rng.range(-1.0, 1.0)];
        for _ in 0..3 {
            let w = rng.range(0.2, 3.0);
            let (x, y) = (at[0] + rng.range(-0.3, 0.3), at[1] + rng.range(-0.3, 0.3));
            let color = [(); 4].map(|()| rng.range(0.0, 1.0));
            s.vertex([x * w, y * w, 0.5 * w, w], &color);
        }
    }
    s
}

#[test]
fn threads_do_not_matter() {
    for topology in [Topology::TriangleList, Topology::TriangleStrip] {
        let one = render(1, Format::R8G8B8A8_UNORM, SIZE, &mut [soup(5000, topology), soup(10, topology)]);
        for threads in [2, 7] {
            let p = render(
                threads,
                Format::R8G8B8A8_UNORM,
                SIZE,
                &mut [soup(5000, topology), soup(10, topology)],
            );
            assert!(p.bytes == one.bytes);
        }
        let again = render(2, Format::R8G8B8A8_UNORM, SIZE, &mut [soup(5000, topology), soup(10, topology)]);
        assert!(again.bytes == one.bytes);
    }
}

#[test]
fn indices_restart_and_topologies_make_the_same_triangles() {
    // The same triangles as a list, as an indexed list, and as strips and fans with restart.
    let list = soup(4000, Topology::TriangleList);
    let want = render(2, Format::R8G8B8A8_UNORM, SIZE, &mut [soup(4000, Topology::TriangleList)]);
    let mut indexed = soup(4000, Topology::TriangleList);
    indexed.indices = Some((0..12000).collect());
    assert!(render(2, Format::R8G8B8A8_UNORM, SIZE, &mut [indexed]).bytes == want.bytes);
    for topology in [Topology::TriangleStrip, Topology::TriangleFan] {
        let mut s = soup(4000, topology);
        s.desc.primitive_restart = true;
        let mut indices = Vec::new();
        for i in 0..4000 {
            // A fan assembles its first triangle from its vertices 1, 2 and 0. The colours are not flat here.
            indices.extend(match topology {
                Topology::TriangleFan => [3 * i + 2, 3 * i, 3 * i + 1],
                _ => [3 * i, 3 * i + 1, 3 * i + 2],
            });
            indices.push(u32::MAX);
        }
        s.indices = Some(indices);
        assert!(render(2, Format::R8G8B8A8_UNORM, SIZE, &mut [s]).bytes == want.bytes, "{topology:?}");
    }
    drop(list);
}

/// Spec: vkCmdDrawIndexed adds vertexOffset to each index; no rule limits indices to less than 2^31.
#[test]
fn indices_of_more_than_31_bits_are_what_they_are() {
    let size = [16, 16];
    let pool = Pool::new(1);
    let pictures = [(0, 0), (1 << 31, i32::MIN), (u32::MAX - 5, 6), (0x7fff_ffff, -0x7fff_ffff)].map(
        |(first, vertex_offset)| {
            let mut color = Picture::new(Format::R32_SFLOAT, size);
            let mut pass = begin(&pool, &mut color, None);
            let mut s = Scene::new(1, Interpolation::Flat, size);
            s.desc.color_formats = vec![Some(color.format)];
            for [x, y] in [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]] {
                s.vertex([x, y, 0.5, 1.0], &[1.0]);
            }
            s.indices = Some((0..3).map(|i| first + i).collect());
            s.prepare().unwrap().bind(&s, &mut pass);
            pass.draw(&Draw { indexed: true, count: 3, instances: 1, vertex_offset, ..Draw::default() })
                .unwrap();
            pass.end().unwrap();
            color.bytes
        },
    );
    assert!(pictures[0].iter().any(|&b| b != 0));
    assert!(pictures.iter().all(|p| *p == pictures[0]));
}

/// Restart indices are not counted as vertices: in draws of one unit and of several, and in each instance.
/// Spec: Vulkan, "Pipeline Statistics Queries" (the number of vertices that input assembly processes).
#[test]
fn restart_indices_are_not_input_vertices() {
    let pool = Pool::new(2);
    for (topology, strips, instances) in [
        (Topology::TriangleStrip, 3, 2),
        (Topology::TriangleFan, 1500, 2),
        (Topology::TriangleStrip, 4000, 1),
    ] {
        let mut color = Picture::new(Format::R32_SFLOAT, SIZE);
        let mut pass = begin(&pool, &mut color, None);
        let mut s = Scene::new(1, Interpolation::Flat, SIZE);
        s.desc.topology = topology;
        s.desc.primitive_restart = true;
        s.desc.color_formats = vec![Some(Format::R32_SFLOAT)];
        // Triangles without an area.
        for _ in 0..4 {
            s.vertex([0.0, 0.0, 0.5, 1.0], &[1.0]);
        }
        s.indices = Some([0, 1, 2, 3, u32::MAX].repeat(strips));
        s.instances = instances;
        s.draw(&mut pass);
        let stats = pass.end().unwrap();
        let all = strips as u64 * u64::from(instances);
        assert_eq!((stats.input_vertices, stats.input_primitives), (4 * all, 2 * all), "{topology:?}");
    }
}

#[test]
fn perspective_interpolation_is_right() {
    // A quad that recedes: u / w is linear on the screen, but u is not.
    let mut s = Scene::new(2, Interpolation::Perspective, SIZE);
    for [x, y] in [[0.0f32, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]] {
        let w = 1.0 + 3.0 * x;
        s.vertex([(x * 2.0 - 1.0) * w, (y * 2.0 - 1.0) * w, 0.5 * w, w], &[x, y]);
    }
    let p = render(1, Format::R32G32_SFLOAT, SIZE, &mut [s]);
    for y in 0..SIZE[1] {
        for x in 0..SIZE[0] {
            let sx = (f64::from(x) + 0.5) / f64::from(SIZE[0]);
            // x / w and 1 / w are linear on the screen.
            let u = (sx / 4.0) / ((1.0 - sx) + sx / 4.0);
            assert!((f64::from(p.float(x, y)[0]) - u).abs() < 2e-5);
        }
    }
}

#[test]
fn instances_come_in_order_and_many_units_are_flushed() {
    // More instances than a flush holds; additive blending counts them.
    let pool = Pool::new(2);
    let mut color = Picture::new(Format::R32_SFLOAT, [70, 70]);
    let mut pass = begin(&pool, &mut color, None);
    let mut s = Scene::new(1, Interpolation::Flat, [70, 70]);
    s.desc.color_formats = vec![Some(color.format)];
    s.desc.blend = vec![additive()];
    for [x, y] in [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]] {
        s.vertex([x, y, 0.5, 1.0], &[1.0]);
    }
    // All but the first triangle are degenerate: they cost vertex work but no tile work.
    for _ in 0..1000 {
        for _ in 0..3 {
            s.vertex([0.0, 0.0, 0.5, 1.0], &[1.0]);
        }
    }
    s.instances = 300;
    s.draw(&mut pass);
    let stats = pass.end().unwrap();
    assert_eq!(stats.input_primitives, 300 * 1001);
    assert_eq!(stats.fragment_invocations, 300 * 4900);
    assert_eq!(color.float(69, 69)[0], 300.0);
    assert_eq!(color.float(0, 0)[0], 300.0);
}

#[test]
fn depth_only_and_empty_draws() {
    let pool = Pool::new(1);
    let mut color = Picture::new(Format::R8G8B8A8_UNORM, SIZE);
    let mut depth = Picture::new(Format::D32_SFLOAT, SIZE);
    let mut pass = begin(&pool, &mut color, Some((&mut depth, 1.0)));
    let mut s = soup(50, Topology::TriangleList);
    s.desc.fragment = None;
    s.desc.depth_format = Some(Format::D32_SFLOAT);
    s.desc.depth = DepthState { test: true, write: true, compare: CompareOp::Less, bounds: false };
    s.draw(&mut pass);
    pass.draw(&Draw::default()).unwrap();
    pass.end().unwrap();
    assert!(color.bytes.iter().all(|&b| b == 0));
    let hit = (0..SIZE[1]).any(|y| (0..SIZE[0]).any(|x| (depth.float(x, y)[0] - 0.5).abs() < 1e-6));
    assert!(hit);
}

#[test]
fn positions_that_are_not_numbers_draw_nothing() {
    let mut s = Scene::new(1, Interpolation::Perspective, SIZE);
    let mut rng = Rng(5);
    for i in 0..900 {
        let mut p = [rng.range(-2.0, 2.0), rng.range(-2.0, 2.0), 0.5, 1.0];
        if i % 3 == i / 9 % 3 {
            p[[0, 1, 3][i / 3 % 3]] = f32::NAN;
        }
        s.vertex(p, &[1.0]);
    }
    assert!(render(2, Format::R32_SFLOAT, SIZE, &mut [s]).bytes.iter().all(|&b| b == 0));
}

/// No panic: positions and a viewport without limits.
#[test]
fn any_position_can_be_drawn() {
    let mut s = Scene::new(1, Interpolation::Perspective, SIZE);
    let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e38, -1e38, 0.0, 1e-42];
    let mut rng = Rng(3);
    for _ in 0..3000 {
        let mut pick = || match rng.next() % 12 {
            k if (k as usize) < bad.len() => bad[k as usize],
            _ => rng.range(-2.0, 2.0),
        };
        let p = [pick(), pick(), pick(), pick()];
        s.vertex(p, &[1.0]);
    }
    s.dynamic.viewports[0].height = -1e30;
    let _ = render(2, Format::R32_SFLOAT, SIZE, &mut [s]);
}

#[test]
fn units_that_fill_their_chunk_are_resumed() {
    let size = [130, 70];
    let pool = Pool::new(2);
    let mut color = Picture::new(Format::R32_SFLOAT, size);
    let mut pass = begin(&pool, &mut color, None);
    let scenes = [Topology::TriangleList, Topology::TriangleStrip].map(|topology| {
        let mut s = Scene::new(1, Interpolation::Flat, size);
        s.desc.topology = topology;
        s.desc.color_formats = vec![Some(Format::R32_SFLOAT)];
        s.desc.blend = vec![additive()];
        for _ in 0..1500 {
            for [x, y] in [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]] {
                s.vertex([x, y, 0.5, 1.0], &[1.0]);
            }
        }
        s.draw(&mut pass);
        s
    });
    let stats = pass.end().unwrap();
    assert_eq!(stats.input_primitives, 1500 + 4498);
    assert_eq!(stats.vertex_invocations, 9000);
    assert_eq!((color.float(0, 0)[0], color.float(129, 69)[0]), (5998.0, 5998.0));
    // Resumption does not run the vertex stage again, because the stage might store to memory.
    assert!(scenes.iter().all(|s| s.invocations.load(Ordering::Relaxed) == 4500));
}

/// Chunks fill within each draw of a unit. The unit resumes without running its earlier draws again.
#[test]
fn draws_of_a_unit_run_once_though_a_later_one_fills_the_chunk() {
    let size = [130, 70];
    let pool = Pool::new(1);
    let mut color = Picture::new(Format::R32_SFLOAT, size);
    let mut pass = begin(&pool, &mut color, None);
    let draws = [3, 700, 10, 900, 5].map(|n| {
        let mut s = Scene::new(1, Interpolation::Flat, size);
        s.desc.color_formats = vec![Some(Format::R32_SFLOAT)];
        s.desc.blend = vec![additive()];
        for _ in 0..n {
            for [x, y] in [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]] {
                s.vertex([x, y, 0.5, 1.0], &[1.0]);
            }
        }
        s.draw(&mut pass);
        (s, 3 * n)
    });
    let stats = pass.end().unwrap();
    assert_eq!((stats.vertex_invocations, stats.clipping_primitives), (3 * 1618, 1618));
    assert_eq!(color.float(129, 69)[0], 1618.0);
    for (s, n) in draws {
        assert_eq!(s.invocations.load(Ordering::Relaxed), n);
    }
}

/// Spec of the project: many small draws and many small triangles are ordinary and need bounded memory.
#[test]
fn ten_thousand_draws_and_a_million_triangles() {
    let size = [128, 128];
    let pool = Pool::new(2);
    let mut color = Picture::new(Format::R32_SFLOAT, size);
    let mut pass = begin(&pool, &mut color, None);
    let mut s = Scene::new(1, Interpolation::Flat, size);
    s.desc.color_formats = vec![Some(color.format)];
    s.desc.blend = vec![additive()];
    // A mesh of small triangles that covers each pixel once.
    let n = 25;
    for i in 0..n * n {
        let at = |v: usize| v as f32 / n as f32 * 2.0 - 1.0;
        let (x0, y0, x1, y1) = (at(i % n), at(i / n), at(i % n + 1), at(i / n + 1));
        for [x, y] in [[x0, y0], [x1, y0], [x0, y1], [x0, y1], [x1, y0], [x1, y1]] {
            s.vertex([x, y, 0.5, 1.0], &[1.0]);
        }
    }
    s.instances = 800;
    let prepared = s.prepare().unwrap();
    prepared.bind(&s, &mut pass);
    s.call(&mut pass).unwrap();
    // 10,000 small draws of one square each, which go through the mesh over and over.
    for i in 0..10_000 {
        let draw = Draw { first: i % 625 * 6, count: 6, instances: 1, ..Draw::default() };
        pass.draw(&draw).unwrap();
    }
    let stats = pass.end().unwrap();
    assert_eq!(stats.input_primitives, 1_000_000 + 20_000);
    assert!(color.bytes.chunks(4).all(|v| v == 816.0f32.to_le_bytes()));
}
