//! Rough timings of the fixed function alone: `cargo test --release -p quadrille-raster --lib bench --
//! --ignored --nocapture`. The stages cost next to nothing here.

use std::sync::Arc;

use quadrille_jit::abi::{Ctx, DONE, EntryMeta};
use quadrille_jit::call::LaneFn;
use quadrille_jit::ir::{Interpolation, Stage};

use super::harness::*;
use super::stages::{EVALUATION, POINTS, Way, stage};
use crate::memory::format::Format;
use crate::state::{BlendState, CompareOp, DepthState, Topology};
use crate::*;

/// Interpolates the first two inputs and leaves the others constant, eight lanes.
#[expect(unsafe_code, reason = "stands for generated code")]
unsafe extern "C" fn ramp(ctx: *const Ctx, first: u32, count: u32) -> u32 {
    // SAFETY: the pipeline passes what `EntryMeta` and `Ctx` state.
    unsafe {
        let ctx = &*ctx;
        let prim = &*ctx.primitive;
        let [u, v, k] = [*prim.inputs, *prim.inputs.add(1), *prim.inputs.add(2)];
        const LX: [f32; 8] = [0.5, 1.5, 0.5, 1.5, 2.5, 3.5, 2.5, 3.5];
        const LY: [f32; 8] = [0.5, 0.5, 1.5, 1.5, 0.5, 0.5, 1.5, 1.5];
        for i in first as usize..(first + count) as usize {
            let s = *ctx.stamps.add(i);
            let out = &mut *ctx.output.cast::<[[f32; 8]; 4]>().add(i);
            let (x, y) = (s.x as f32 - prim.origin[0], s.y as f32 - prim.origin[1]);
            for l in 0..8 {
                let (dx, dy) = (x + LX[l], y + LY[l]);
                out[0][l] = u.a0 + u.dadx * dx + u.dady * dy;
                out[1][l] = v.a0 + v.dadx * dx + v.dady * dy;
            }
            out[2] = [k.a0; 8];
            out[3] = [1.0; 8];
            *ctx.out_masks.add(i) = s.mask;
        }
    }
    DONE
}

fn quads(n: usize, size: [u32; 2], z: impl Fn(usize) -> f32) -> Scene {
    let mut s = Scene::new(4, Interpolation::Perspective, size);
    for i in 0..n {
        for [x, y] in [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]] {
            s.vertex([x, y, z(i), 1.0], &[x, y, 0.5, 0.5]);
        }
    }
    let m = EntryMeta { lanes: 8, n_input_words: 4, n_output_words: 4, ..Default::default() };
    s.fragment = Some(LaneFn::new(ramp, std::ptr::null(), m, Arc::new(())));
    s
}

/// CPU time of all threads.
fn cpu_seconds() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}

/// Prints work per second of CPU time, the best of a few.
fn rate(name: &str, unit: &str, work: f64, mut f: impl FnMut()) {
    f();
    let mut best = f64::MAX;
    for _ in 0..7 {
        let start = cpu_seconds();
        f();
        best = best.min(cpu_seconds() - start);
    }
    println!("{name:28} {:10.1} {unit}", work / best);
}

fn run(name: &str, threads: usize, scene: &Scene, depth: bool, unit: &str, work: f64, repeat: usize) {
    let pool = Pool::new(threads);
    let size = [1920, 1080];
    let mut color = Picture::new(Format::R8G8B8A8_UNORM, size);
    let mut z = Picture::new(Format::D32_SFLOAT, size);
    let prepared = scene.prepare().unwrap();
    rate(&format!("{name} x{threads}"), unit, work, || {
        let mut pass = begin(&pool, &mut color, depth.then_some((&mut z, 1.0)));
        prepared.bind(scene, &mut pass);
        for _ in 0..repeat {
            pass.push(&[1, 2, 3]);
            scene.call(&mut pass).unwrap();
        }
        pass.end().unwrap();
    });
}

/// Colour alone, with these push constants.
fn run_with(name: &str, threads: usize, scene: &Scene, push: &[u8], unit: &str, work: f64) {
    let pool = Pool::new(threads);
    let mut color = Picture::new(Format::R8G8B8A8_UNORM, [1920, 1080]);
    let prepared = scene.prepare().unwrap();
    rate(&format!("{name} x{threads}"), unit, work, || {
        let mut pass = begin(&pool, &mut color, None);
        prepared.bind(scene, &mut pass);
        pass.push(push);
        scene.call(&mut pass).unwrap();
        pass.end().unwrap();
    });
}

#[test]
#[ignore = "measures"]
fn bench() {
    let mpix = 1920.0 * 1080.0 / 1e6;
    for threads in [1, 2] {
        let mut s = quads(16, [1920, 1080], |_| 0.5);
        s.desc.color_formats = vec![Some(Format::R8G8B8A8_UNORM)];
        run("fill", threads, &s, false, "Mpix/s", 16.0 * mpix, 1);
        s.desc.blend = vec![BlendState::source_over()];
        run("blend", threads, &s, false, "Mpix/s", 16.0 * mpix, 1);
        let mut s = quads(32, [1920, 1080], |i| 0.1 + i as f32 * 0.01);
        s.desc.color_formats = vec![Some(Format::R8G8B8A8_UNORM)];
        s.desc.depth_format = Some(Format::D32_SFLOAT);
        s.desc.depth = DepthState { test: true, write: true, compare: CompareOp::Less, bounds: false };
        run("early_z", threads, &s, true, "Mpix/s", 32.0 * mpix, 1);

        let mut s = quads(0, [1920, 1080], |_| 0.5);
        s.desc.color_formats = vec![Some(Format::R8G8B8A8_UNORM)];
        for [x, y] in [[0.0, 0.0], [0.0, 0.01], [0.01, 0.0]] {
            s.vertex([x, y, 0.5, 1.0], &[x, y, 0.5, 0.5]);
        }
        run("tiny draws", threads, &s, false, "kdraw/s", 10.0, 10_000);

        let mut s = quads(0, [1920, 1080], |_| 0.5);
        s.desc.color_formats = vec![Some(Format::R8G8B8A8_UNORM)];
        let (nu, nv) = (640, 360);
        for j in 0..=nv {
            for i in 0..=nu {
                let (x, y) = (i as f32 / nu as f32 * 2.0 - 1.0, j as f32 / nv as f32 * 2.0 - 1.0);
                s.vertex([x, y, 0.5, 1.0], &[x, y, 0.5, 0.5]);
            }
        }
        let mut indices = Vec::new();
        for j in 0..nv {
            for i in 0..nu {
                let k = j * (nu + 1) + i;
                indices.extend([k, k + 1, k + nu + 1, k + nu + 1, k + 1, k + nu + 2]);
            }
        }
        s.indices = Some(indices);
        run("small triangles", threads, &s, false, "Mtri/s", 2.0 * 640.0 * 360.0 / 1e6, 1);

        // Patches of 8 x 8 squares; points that become two triangles.
        let levels = [8.0f32; 6].map(f32::to_le_bytes).concat();
        let mut s = Scene::new(4, Interpolation::Perspective, [1920, 1080]);
        s.desc.color_formats = vec![Some(Format::R8G8B8A8_UNORM)];
        s.tessellate(EVALUATION, Way::Compiled(8));
        for i in 0..64 * 64 {
            let at = |v: usize| v as f32 / 32.0 - 1.0;
            let (x0, y0, x1, y1) = (at(i % 64), at(i / 64), at(i % 64 + 1), at(i / 64 + 1));
            s.patch([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], [0.5; 4]);
        }
        run_with("patches", threads, &s, &levels, "Mtri/s", 4096.0 * 128.0 / 1e6);
        let levels = [0.003f32; 6].map(f32::to_le_bytes).concat();
        let mut s = Scene::new(4, Interpolation::Perspective, [1920, 1080]);
        s.desc.color_formats = vec![Some(Format::R8G8B8A8_UNORM)];
        s.desc.topology = Topology::PointList;
        s.then(stage(POINTS, Stage::Geometry, Way::Compiled(8)));
        let mut rng = Rng(13);
        for _ in 0..100_000 {
            s.vertex([rng.range(-1.0, 1.0), rng.range(-1.0, 1.0), 0.5, 1.0], &[0.5; 4]);
        }
        run_with("geometry", threads, &s, &levels, "Mtri/s", 0.4);

        let pool = Pool::new(threads);
        let mut color = Picture::new(Format::R8G8B8A8_UNORM, [1920, 1080]);
        let mut z = Picture::new(Format::D32_SFLOAT, [1920, 1080]);
        rate(&format!("clear x{threads}"), "Mpix/s", mpix, || {
            begin(&pool, &mut color, Some((&mut z, 1.0))).end().unwrap();
        });
    }
}
