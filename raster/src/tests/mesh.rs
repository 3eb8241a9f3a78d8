//! Task and mesh stages written in Rust: from workgroups to pictures.

use std::sync::Arc;

use quadrille_jit::abi::{Ctx, DONE, EntryMeta};
use quadrille_jit::call::LaneFn;
use quadrille_jit::ir::{BuiltIn, Interface, Interpolation, MeshModes, MeshOutput, Slot, StageKind, Ty};

use super::harness::*;
use crate::format::Format;
use crate::pass::{MeshDraw, Stats};
use crate::state::*;
use crate::*;

const SIZE: [u32; 2] = [96, 80];
const MAX_VERTICES: u32 = 8;
const MAX_PRIMITIVES: u32 = 4;

/// A workgroup that a test's mesh stage runs.
struct Group<'a> {
    id: u32,
    counts: [u32; 3],
    payload: &'a [u32],
}

type Emits = Box<dyn Fn(&Group<'_>, &mut Out) + Send + Sync>;
type Asks = Box<dyn Fn(u32, &mut [u32]) -> [u32; 3] + Send + Sync>;

/// Output of a mesh workgroup.
#[derive(Default)]
struct Out {
    vertices: Vec<([f32; 4], [f32; 2])>,
    primitives: Vec<One>,
    /// Numbers of vertices and primitives to report instead of the lengths.
    counts: Option<[u32; 2]>,
}

/// A primitive: its vertex indices and its outputs.
#[derive(Clone, Copy, Default)]
struct One {
    v: [u32; 3],
    cull: bool,
    id: u32,
    viewport: u32,
    own: [f32; 2],
}

impl Out {
    /// Adds a rectangle, in pixels, as two triangles.
    fn quad(&mut self, [x0, y0, x1, y1]: [u32; 4], of_vertex: [f32; 2], own: [f32; 2]) {
        let at = |x: u32, y: u32| {
            let ndc = |v: u32, size: u32| v as f32 / size as f32 * 2.0 - 1.0;
            [ndc(x, SIZE[0]), ndc(y, SIZE[1]), 0.5, 1.0]
        };
        let first = self.vertices.len() as u32;
        self.vertices.extend([at(x0, y0), at(x1, y0), at(x1, y1), at(x0, y1)].map(|p| (p, of_vertex)));
        for v in [[0, 1, 2], [0, 2, 3]] {
            self.primitives.push(One { v: v.map(|v| first + v), own, ..One::default() });
        }
    }
}

struct MeshProgram {
    meta: EntryMeta,
    n_indices: usize,
    emits: Emits,
}

struct TaskProgram {
    asks: Asks,
}

/// Writes the output that the program produces for each workgroup.
///
/// # Safety
/// `ctx` must be valid for these units, as `Ctx` and `EntryMeta` describe, with a `MeshProgram` as its program.
#[expect(unsafe_code, reason = "stands for generated code")]
unsafe extern "C" fn mesh_entry(ctx: *const Ctx, first: u32, count: u32) -> u32 {
    // SAFETY: the pipeline passes a context and units that satisfy `Ctx` and this stage's `EntryMeta`; `Ctx` promises
    // at least 16 bytes of payload. `Meshes::new` pairs this entry with a `MeshProgram`, which the `LaneFn` keeps
    // alive.
    unsafe {
        let ctx = &*ctx;
        let program = &*ctx.program.cast::<MeshProgram>();
        let meta = &program.meta;
        let payload = std::slice::from_raw_parts(ctx.payload.cast::<u32>(), 4);
        for id in first..first + count {
            let stride = ctx.mesh_stride as usize;
            let start = ctx.mesh_records.add((id - first) as usize * stride);
            let words = std::slice::from_raw_parts_mut(start, stride);
            words.fill(0);
            let mut out = Out::default();
            (program.emits)(&Group { id, counts: ctx.num_workgroups, payload }, &mut out);
            let counts = out.counts.unwrap_or([out.vertices.len() as u32, out.primitives.len() as u32]);
            words[..2].copy_from_slice(&counts);
            let (vertices, primitives) =
                words[2..].split_at_mut((meta.max_vertices * meta.n_output_words) as usize);
            for (to, (position, own)) in vertices.chunks_mut(6).zip(out.vertices) {
                to[..4].copy_from_slice(&position.map(f32::to_bits));
                to[4..].copy_from_slice(&own.map(f32::to_bits));
            }
            for (to, one) in primitives.chunks_mut(meta.n_primitive_words as usize).zip(out.primitives) {
                let (indices, rest) = to.split_at_mut(program.n_indices);
                indices.copy_from_slice(&one.v[..program.n_indices]);
                let [a, b] = one.own.map(f32::to_bits);
                rest.copy_from_slice(&[u32::from(one.cull), one.id, one.viewport, a, b]);
            }
        }
    }
    DONE
}

/// Asks for the mesh workgroups that the program returns for each task workgroup.
///
/// # Safety
/// `ctx` must be valid for these units, as `Ctx` and `EntryMeta` describe, with a `TaskProgram` as its program and 16
/// bytes of payload per unit.
#[expect(unsafe_code, reason = "stands for generated code")]
unsafe extern "C" fn task_entry(ctx: *const Ctx, first: u32, count: u32) -> u32 {
    // SAFETY: the pipeline passes a context and units that satisfy `Ctx` and this stage's `EntryMeta`. `Meshes::after`
    // asks for 16 bytes of payload and pairs this entry with a `TaskProgram`, which the `LaneFn` keeps alive.
    unsafe {
        let ctx = &*ctx;
        let program = &*ctx.program.cast::<TaskProgram>();
        for id in first..first + count {
            let i = (id - first) as usize;
            let payload = ctx.payload.add(i * ctx.payload_stride as usize).cast::<u32>();
            let counts = (program.asks)(id, std::slice::from_raw_parts_mut(payload, 4));
            std::slice::from_raw_parts_mut(ctx.task_groups.add(3 * i), 3).copy_from_slice(&counts);
        }
    }
    DONE
}

/// A pipeline with a mesh stage. Fragments output two floats per vertex, then two floats per primitive.
struct Meshes {
    desc: DrawStateDesc,
    dynamic: Dynamic,
    stages: Vec<LaneFn>,
}

impl Meshes {
    fn new(output: MeshOutput, emits: Emits) -> Meshes {
        let scene = Scene::new(4, Interpolation::Flat, SIZE);
        let mut desc = DrawStateDesc {
            fragment: scene.desc.fragment,
            color_formats: vec![Some(Format::R32G32B32A32_SFLOAT)],
            blend: vec![additive()],
            ..DrawStateDesc::default()
        };
        let inputs = &mut desc.fragment.as_mut().unwrap().inputs;
        inputs[2..].iter_mut().for_each(|i| i.per_primitive = true);
        let built_in = |b, c, ty| Interface::new(Slot::BuiltIn(b, c), ty);
        let position = (0..4).map(|c| built_in(BuiltIn::Position, c, Ty::F32));
        let outputs: Vec<Interface> = position.chain(inputs[..2].iter().copied()).collect();
        let n_indices = output.vertices();
        let indices = (0..n_indices).map(|c| built_in(output.indices(), c, Ty::I32));
        let named = [BuiltIn::CullPrimitive, BuiltIn::PrimitiveId, BuiltIn::ViewportIndex];
        let named = named.map(|b| built_in(b, 0, Ty::I32));
        let primitive_outputs: Vec<Interface> =
            indices.chain(named).chain(inputs[2..].iter().copied()).collect();
        let meta = EntryMeta {
            lanes: 8,
            max_vertices: MAX_VERTICES,
            max_primitives: MAX_PRIMITIVES,
            n_output_words: outputs.len() as u32,
            n_primitive_words: primitive_outputs.len() as u32,
            ..EntryMeta::default()
        };
        let modes = MeshModes { max_vertices: MAX_VERTICES, max_primitives: MAX_PRIMITIVES, output };
        desc.stages.push(PreRasterStage {
            kind: StageKind::Mesh(modes),
            info: StageInfo {
                name: "mesh".into(),
                outputs,
                primitive_outputs,
                local_size: [4, 1, 1],
                ..StageInfo::default()
            },
        });
        let program = Arc::new(MeshProgram { meta, n_indices: n_indices as usize, emits });
        let f = LaneFn::new(mesh_entry, Arc::as_ptr(&program).cast(), meta, program.clone());
        Meshes { desc, dynamic: scene.dynamic, stages: vec![f] }
    }

    /// Adds a task stage, which asks for mesh workgroups as `asks` says and has four words of payload.
    fn after(mut self, asks: Asks) -> Meshes {
        let info = StageInfo { name: "task".into(), local_size: [2, 1, 1], ..StageInfo::default() };
        self.desc.stages.insert(0, PreRasterStage { kind: StageKind::Task, info });
        let meta = EntryMeta { lanes: 8, payload_bytes: 16, ..EntryMeta::default() };
        let program = Arc::new(TaskProgram { asks });
        self.stages.insert(0, LaneFn::new(task_entry, Arc::as_ptr(&program).cast(), meta, program.clone()));
        self
    }

    fn bind(&self, pass: &mut Pass<'_>) {
        // The harness's fragment stage copies its inputs.
        let mut plain = Scene::new(4, Interpolation::Flat, SIZE);
        plain.desc.fragment.clone_from(&self.desc.fragment);
        let fragment = plain.fragment_fn();
        let state = Arc::new(DrawState::new(self.desc.clone(), &kernels()).unwrap());
        pass.bind(&BoundState {
            state: &state,
            owner: None,
            stages: &self.stages.iter().collect::<Vec<_>>(),
            fragment: fragment.as_ref(),
            packed: None,
            footprint: None,
            dynamic: &self.dynamic,
            resources: BoundResources::none(),
            vertex_buffers: &[],
            index: None,
            feedback: None,
            occlusion: None,
        })
        .unwrap();
    }

    fn draw(&self, threads: usize, groups: [u32; 3]) -> (Picture, Stats) {
        let pool = Pool::new(threads);
        let mut picture = Picture::new(Format::R32G32B32A32_SFLOAT, SIZE);
        let mut pass = begin(&pool, &mut picture, None);
        self.bind(&mut pass);
        pass.draw_meshes(&MeshDraw { groups, ..MeshDraw::default() }).unwrap();
        let stats = pass.end().unwrap();
        (picture, stats)
    }
}

fn texels(p: &Picture) -> impl Iterator<Item = ([u32; 2], [f32; 4])> + '_ {
    (0..SIZE[1]).flat_map(move |y| (0..SIZE[0]).map(move |x| ([x, y], p.float(x, y))))
}

/// Emits a square of 16 by 16 pixels, with its column and row as attributes.
fn square(x: u32, y: u32, out: &mut Out) {
    out.quad([16 * x, 16 * y, 16 * x + 16, 16 * y + 16], [x as f32, 2.0], [y as f32, 1.0]);
}

#[test]
fn workgroups_put_out_vertices_and_primitives() {
    let meshes = Meshes::new(
        MeshOutput::Triangles,
        Box::new(|g, out| {
            assert_eq!(g.counts, [6, 5, 1]);
            square(g.id % 6, g.id / 6, out);
        }),
    );
    for threads in [1, 3] {
        let (p, stats) = meshes.draw(threads, [6, 5, 1]);
        for ([x, y], texel) in texels(&p) {
            assert_eq!(texel, [(x / 16) as f32, 2.0, (y / 16) as f32, 1.0], "{x} {y}");
        }
        assert_eq!((stats.mesh_invocations, stats.mesh_primitives), (30 * 4, 60));
        assert_eq!((stats.task_invocations, stats.input_vertices, stats.vertex_invocations), (0, 0, 0));
        assert_eq!(stats.clipping_invocations, 60);
    }
}

#[test]
fn task_workgroups_hand_their_payload_to_their_mesh_workgroups() {
    let meshes = Meshes::new(
        MeshOutput::Triangles,
        Box::new(|g, out| {
            assert_eq!((g.counts, g.payload[1..4].to_vec()), ([3, 1, 2], vec![0, 7, 0]));
            square(g.id, g.payload[0], out);
        }),
    );
    let meshes = meshes.after(Box::new(|id, payload| {
        (payload[0], payload[2]) = (id, 7);
        // The task workgroup of the middle row asks for none.
        if id == 2 { [3, 0, 2] } else { [3, 1, 2] }
    }));
    let (p, stats) = meshes.draw(2, [5, 1, 1]);
    for ([x, y], texel) in texels(&p) {
        let expected = if y / 16 == 2 { [0.0; 4] } else { [(x / 16) as f32, 2.0, (y / 16) as f32, 1.0] };
        assert_eq!(texel, expected, "{x} {y}");
    }
    assert_eq!((stats.task_invocations, stats.mesh_invocations), (5 * 2, 4 * 6 * 4));
}

/// Spec: Vulkan, "Mesh Shader Primitive Ordering".
#[test]
fn primitives_stay_in_order_and_none_is_drawn_twice() {
    // Each workgroup covers a random rectangle; the last one that covers a pixel stays.
    fn rectangle(n: u32) -> [u32; 4] {
        let mut rng = Rng(u64::from(n));
        let [x, y] = [rng.next() % 64, rng.next() % 64];
        [x, y, (x + 1 + rng.next() % 40).min(SIZE[0]), (y + 1 + rng.next() % 40).min(SIZE[1])]
    }
    let mut expected = vec![[0.0; 4]; (SIZE[0] * SIZE[1]) as usize];
    let n = 12_000;
    for i in 0..n {
        let [x0, y0, x1, y1] = rectangle(i);
        for y in y0..y1 {
            expected[(y * SIZE[0] + x0) as usize..(y * SIZE[0] + x1) as usize].fill([
                i as f32,
                0.0,
                i as f32 / 2.0,
                1.0,
            ]);
        }
    }
    for tasks in [None, Some(100), Some(12_000)] {
        let make = |number: u32, out: &mut Out| {
            out.quad(rectangle(number), [number as f32, 0.0], [number as f32 / 2.0, 1.0]);
        };
        let mut meshes = match tasks {
            None => Meshes::new(MeshOutput::Triangles, Box::new(move |g, out| make(g.id, out))),
            Some(_) => {
                Meshes::new(MeshOutput::Triangles, Box::new(move |g, out| make(g.payload[0] + g.id, out)))
            }
        };
        meshes.desc.blend = vec![BlendState::default()];
        let groups = tasks.unwrap_or(n);
        if let Some(tasks) = tasks {
            let each = n / tasks;
            meshes = meshes.after(Box::new(move |id, payload| {
                payload[0] = id * each;
                [each, 1, 1]
            }));
        }
        for threads in [1, 2] {
            let (p, stats) = meshes.draw(threads, [groups, 1, 1]);
            assert_eq!((stats.mesh_invocations, stats.mesh_primitives), (u64::from(n) * 4, u64::from(n) * 2));
            for (([x, y], texel), expected) in texels(&p).zip(&expected) {
                assert_eq!(texel, *expected, "{tasks:?} {x} {y}");
            }
        }
    }
}

#[test]
fn full_chunks_are_resumed() {
    let n = 3000;
    let whole = [0, 0, SIZE[0], SIZE[1]];
    for tasks in [false, true] {
        let mut meshes = Meshes::new(
            MeshOutput::Triangles,
            Box::new(move |_, out| out.quad(whole, [1.0, 0.0], [0.0, 2.0])),
        );
        if tasks {
            meshes = meshes.after(Box::new(|_, _| [30, 1, 10]));
        }
        let (p, stats) = meshes.draw(2, if tasks { [10, 1, 1] } else { [n, 1, 1] });
        assert!(texels(&p).all(|(_, texel)| texel == [n as f32, 0.0, 0.0, 2.0 * n as f32]));
        assert_eq!(stats.mesh_invocations, u64::from(n) * 4);
    }
}

#[test]
fn what_is_culled_or_names_no_vertex_is_left_out() {
    let meshes = Meshes::new(
        MeshOutput::Triangles,
        Box::new(|g, out| {
            square(g.id, 0, out);
            match g.id {
                1 => out.primitives[1].cull = true,
                2 => out.primitives[0].v[2] = 4,
                3 => out.primitives[1].viewport = 1,
                4 => out.counts = Some([4, 0]),
                // Counts above the maximum are clamped to it: 4 primitives, of which two are zeros and cover nothing.
                5 => out.counts = Some([u32::MAX; 2]),
                _ => {}
            }
        }),
    );
    let (p, stats) = meshes.draw(1, [6, 1, 1]);
    let covered = |i: u32| {
        let mut n = 0;
        for ([x, y], texel) in texels(&p) {
            if x / 16 == i && y < 16 && texel != [0.0; 4] {
                assert_eq!(texel, [i as f32, 2.0, 0.0, 1.0]);
                n += 1;
            }
        }
        n
    };
    assert_eq!(covered(0), 256);
    let halves = [covered(1), covered(2), covered(3)];
    // Pixels on the diagonal belong to only one of the two triangles.
    assert!(halves.iter().all(|h| [120, 136].contains(h)), "{halves:?}");
    assert_eq!((covered(4), covered(5)), (0, 256));
    assert_eq!(stats.mesh_primitives, 2 + 1 + 1 + 2 + MAX_PRIMITIVES as u64);
}

#[test]
fn points_and_lines_and_the_provoking_vertex() {
    let px = |x: f32, y: f32| [x / SIZE[0] as f32 * 2.0 - 1.0, y / SIZE[1] as f32 * 2.0 - 1.0, 0.5, 1.0];
    for last in [false, true] {
        let mut points = Meshes::new(
            MeshOutput::Points,
            Box::new(move |g, out| {
                out.vertices.push((px(g.id as f32 + 0.5, 3.5), [g.id as f32, 5.0]));
                out.primitives.push(One { own: [9.0, g.id as f32], ..One::default() });
            }),
        );
        points.desc.provoking_last = last;
        let (p, _) = points.draw(1, [40, 1, 1]);
        for ([x, y], texel) in texels(&p) {
            let lit = y == 3 && x < 40;
            assert_eq!(texel, if lit { [x as f32, 5.0, 9.0, x as f32] } else { [0.0; 4] });
        }
        let mut lines = Meshes::new(
            MeshOutput::Lines,
            Box::new(move |_, out| {
                out.vertices.push((px(8.0, 10.5), [1.0, 0.0]));
                out.vertices.push((px(24.0, 10.5), [2.0, 0.0]));
                out.primitives.push(One { v: [0, 1, 77], own: [3.0, 4.0], ..One::default() });
            }),
        );
        // Lines have two indices, so the third, 77, is ignored.
        lines.desc.provoking_last = last;
        let (p, stats) = lines.draw(1, [1, 1, 1]);
        let own = if last { 2.0 } else { 1.0 };
        for ([x, y], texel) in texels(&p) {
            let lit = y == 10 && (8..24).contains(&x);
            assert_eq!(texel, if lit { [own, 0.0, 3.0, 4.0] } else { [0.0; 4] }, "{x} {y}");
        }
        assert_eq!(stats.mesh_primitives, 1);
        let mut triangle = Meshes::new(
            MeshOutput::Triangles,
            Box::new(move |_, out| {
                square(0, 0, out);
                (0..3).for_each(|i| out.vertices[i].1 = [i as f32, 0.0]);
                out.primitives.pop();
            }),
        );
        triangle.desc.provoking_last = last;
        triangle.desc.cull = CullMode { front: false, back: true };
        triangle.desc.front_face = FrontFace::Clockwise;
        let (p, _) = triangle.draw(1, [1, 1, 1]);
        assert_eq!(p.float(15, 1), [if last { 2.0 } else { 0.0 }, 0.0, 0.0, 1.0]);
    }
}

#[test]
fn more_workgroups_than_there_may_be_draw_nothing() {
    let asks: [fn(u32, &mut [u32]) -> [u32; 3]; 2] =
        [|_, _| [1 << 11, 1 << 11, 2], |_, _| [u32::MAX, u32::MAX, u32::MAX]];
    for asks in asks {
        let meshes = Meshes::new(MeshOutput::Triangles, Box::new(|_, _| panic!("a workgroup")));
        let (_, stats) = meshes.after(Box::new(asks)).draw(2, [3, 1, 1]);
        assert_eq!((stats.task_invocations, stats.mesh_invocations), (6, 0));
    }
    let meshes = Meshes::new(MeshOutput::Triangles, Box::new(|_, _| panic!("a workgroup")));
    for groups in [[1 << 11, 1 << 11, 2], [u32::MAX; 3], [7, 0, 7]] {
        assert_eq!(meshes.draw(2, groups).1.mesh_invocations, 0);
    }
}

/// Mesh workgroups are enumerated on demand, because each task workgroup asks for 2^20.
#[test]
fn task_workgroups_may_ask_for_many_mesh_workgroups() {
    let meshes = Meshes::new(MeshOutput::Triangles, Box::new(|_, _| {}));
    let (_, stats) = meshes.after(Box::new(|_, _| [1 << 10, 1 << 10, 1])).draw(2, [2, 2, 1]);
    assert_eq!((stats.task_invocations, stats.mesh_invocations), (8, 4 << 22));
}

#[test]
fn small_draws_of_meshes_and_others_stay_in_order() {
    let pool = Pool::new(2);
    let mut picture = Picture::new(Format::R32G32B32A32_SFLOAT, SIZE);
    let mut pass = begin(&pool, &mut picture, None);
    let make = |tasks: bool| {
        let whole = [0, 0, SIZE[0], SIZE[1]];
        let mut m = Meshes::new(
            MeshOutput::Triangles,
            Box::new(move |g, out| out.quad(whole, [0.5, 1.0], [g.payload[0] as f32, 0.0])),
        );
        m.desc.blend = vec![BlendState::default()];
        if !tasks {
            return m;
        }
        m.after(Box::new(|_, payload| {
            payload[0] = 3;
            [1, 2, 1]
        }))
    };
    let (mesh, task) = (make(false), make(true));
    let mut plain = Scene::new(4, Interpolation::Flat, SIZE);
    plain.desc.color_formats = vec![Some(Format::R32G32B32A32_SFLOAT)];
    for [x, y] in [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0]] {
        plain.vertex([x, y, 0.5, 1.0], &[9.0; 4]);
    }
    let prepared = plain.prepare().unwrap();
    for i in 0..200 {
        prepared.bind(&plain, &mut pass);
        plain.call(&mut pass).unwrap();
        if i % 3 == 0 {
            mesh.bind(&mut pass);
            pass.draw_meshes(&MeshDraw { groups: [1, 1, 1], ..MeshDraw::default() }).unwrap();
        }
        task.bind(&mut pass);
        pass.draw_meshes(&MeshDraw { groups: [2, 1, 1], ..MeshDraw::default() }).unwrap();
    }
    let stats = pass.end().unwrap();
    assert!(texels(&picture).all(|(_, texel)| texel == [0.5, 1.0, 3.0, 0.0]));
    assert_eq!((stats.task_invocations, stats.mesh_invocations), (200 * 4, (67 + 200 * 4) * 4));
}

#[test]
fn stages_that_do_not_make_a_pipeline_are_refused() {
    let mesh = || Meshes::new(MeshOutput::Triangles, Box::new(|_, _| {})).desc;
    let refused = |desc: DrawStateDesc| DrawState::new(desc, &kernels()).is_err();
    assert!(!refused(mesh()));
    // Mesh pipelines ignore the topology.
    assert!(!refused(DrawStateDesc { topology: Topology::PatchList, ..mesh() }));
    let task = PreRasterStage { kind: StageKind::Task, info: StageInfo::default() };
    let vertex = PreRasterStage::vertex(StageInfo::default());
    for stages in
        [vec![task.clone()], vec![vertex, mesh().stages[0].clone()], vec![mesh().stages[0].clone(), task]]
    {
        assert!(refused(DrawStateDesc { stages, ..mesh() }));
    }
    let mut large = mesh();
    large.stages[0].kind = StageKind::Mesh(MeshModes { max_vertices: 257, ..MeshModes::default() });
    assert!(refused(large));
}
