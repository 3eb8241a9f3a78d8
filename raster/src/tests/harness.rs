//! Stages written in Rust that stand for generated code, and small scenes to draw with them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use once_cell::race::OnceBox;
use quadrille_jit::abi::{Ctx, DONE, EntryMeta, stamp_lane};
use quadrille_jit::call::LaneFn;
use quadrille_jit::cpu::CpuLevel;
use quadrille_jit::ir::{BuiltIn, Interface, Interpolation, Slot, Ty};

use crate::memory::buffer::{BufferRange, IndexBuffer, IndexType};
use crate::memory::format::Format;
use crate::state::*;
use crate::*;

/// Returns the kernels that all tests share.
pub(crate) fn kernels() -> DrawKernels {
    static KERNELS: OnceBox<DrawKernels> = OnceBox::new();
    KERNELS.get_or_init(|| Box::new(DrawKernels::new(CpuLevel::current()))).clone()
}

/// Pseudorandom numbers from a linear congruential generator.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as u32
    }
    pub fn range(&mut self, a: f32, b: f32) -> f32 {
        a + (b - a) * (self.next() & 0xff_ffff) as f32 / 16777216.0
    }
}

/// Program of `vertex_entry`.
pub struct VertexProgram {
    meta: EntryMeta,
    invocations: Arc<AtomicU64>,
}

/// Copies inputs to outputs.
///
/// # Safety
/// `ctx` must be valid for these units, as `Ctx` and `EntryMeta` describe, with a `VertexProgram` as its program.
#[expect(unsafe_code, reason = "stands for generated code")]
unsafe extern "C" fn vertex_entry(ctx: *const Ctx, first: u32, count: u32) -> u32 {
    // SAFETY: the pipeline passes a context and units that satisfy `Ctx` and this stage's `EntryMeta`. `Scene::prepare`
    // pairs this entry with a `VertexProgram`, which the `LaneFn` keeps alive.
    unsafe {
        let ctx = &*ctx;
        let VertexProgram { meta, invocations } = &*ctx.program.cast::<VertexProgram>();
        invocations.fetch_add(u64::from(count), Ordering::Relaxed);
        let (lanes, words) = (meta.lanes as usize, meta.n_input_words as usize);
        for i in first as usize..(first + count) as usize {
            for w in 0..words {
                let row = ctx.input.cast::<u32>().add((i / lanes * words + w) * lanes);
                *ctx.output.cast::<u32>().add(i * words + w) = *row.add(i % lanes);
            }
        }
    }
    DONE
}

/// Program of `fragment_entry`.
pub struct Program {
    meta: EntryMeta,
    flat: Vec<bool>,
    /// Lanes whose first input is below this value are discarded.
    pub discard_below: Option<f32>,
}

/// Interpolates the inputs and writes them to the outputs.
///
/// # Safety
/// `ctx` must be valid for these units, as `Ctx` and `EntryMeta` describe, with a `Program` as its program.
#[expect(unsafe_code, reason = "stands for generated code")]
unsafe extern "C" fn fragment_entry(ctx: *const Ctx, first: u32, count: u32) -> u32 {
    // SAFETY: the pipeline passes a context and units that satisfy `Ctx` and this stage's `EntryMeta`.
    // `Scene::fragment_fn` pairs this entry with a `Program`, which the `LaneFn` keeps alive.
    unsafe {
        let ctx = &*ctx;
        let program = &*ctx.program.cast::<Program>();
        let (lanes, words) = (program.meta.lanes, program.meta.n_output_words as usize);
        let prim = &*ctx.primitive;
        for i in first as usize..(first + count) as usize {
            let s = *ctx.stamps.add(i);
            let mut mask = s.mask;
            for lane in 0..lanes {
                let (x, y) = stamp_lane(lanes, lane);
                let dx = (s.x + x as i32) as f32 + 0.5 - prim.origin[0];
                let dy = (s.y + y as i32) as f32 + 0.5 - prim.origin[1];
                let w = prim.inv_w.a0 + prim.inv_w.dadx * dx + prim.inv_w.dady * dy;
                for k in 0..words {
                    let p = *prim.inputs.add(k);
                    let v = p.a0 + p.dadx * dx + p.dady * dy;
                    let v = if program.flat[k] { p.a0 } else { v / w };
                    let out = ctx.output.cast::<f32>().add((i * words + k) * lanes as usize + lane as usize);
                    *out = v;
                    if k == 0 && program.discard_below.is_some_and(|d| v < d) {
                        mask &= !(1 << lane);
                    }
                }
            }
            *ctx.out_masks.add(i) = mask;
        }
    }
    DONE
}

fn float(slot: Slot, interpolation: Interpolation) -> Interface {
    Interface { interpolation, ..Interface::new(slot, Ty::F32) }
}

fn location(location: u32, component: u32) -> Slot {
    Slot::Location { location, component, index: 0 }
}

/// A draw. Each vertex has four words of position and `n` words of attributes; the fragment stage writes the attributes
/// to the components of consecutive locations.
pub struct Scene {
    pub desc: DrawStateDesc,
    pub dynamic: Dynamic,
    pub vertices: Vec<f32>,
    pub indices: Option<Vec<u32>>,
    pub instances: u32,
    pub lanes: u32,
    pub discard_below: Option<f32>,
    /// Lane functions of the stages after the vertex stage, in the order of `desc`.
    pub later: Vec<LaneFn>,
    pub feedback: Option<Arc<feedback::TransformFeedback>>,
    /// Fragment stage to run instead of `fragment_entry`.
    pub fragment: Option<LaneFn>,
    /// Number of vertex invocations so far.
    pub invocations: Arc<AtomicU64>,
    n: usize,
}

/// State and stages of a scene, ready to bind.
pub struct Prepared {
    state: Arc<DrawState>,
    stages: Vec<LaneFn>,
    fragment: Option<LaneFn>,
}

impl Scene {
    /// A scene without vertices whose fragment stage outputs `n` floats, at most 4 per attachment.
    pub fn new(n: usize, interpolation: Interpolation, size: [u32; 2]) -> Scene {
        let attributes: Vec<Slot> = (0..n as u32).map(|i| location(1 + i / 4, i % 4)).collect();
        let mut vertex_outputs: Vec<Interface> =
            (0..4).map(|c| float(Slot::BuiltIn(BuiltIn::Position, c), Interpolation::Flat)).collect();
        vertex_outputs.extend(attributes.iter().map(|&s| float(s, Interpolation::Perspective)));
        let mut vertex_inputs: Vec<Interface> =
            (0..4).map(|c| float(location(0, c), Interpolation::Flat)).collect();
        vertex_inputs.extend(attributes.iter().map(|&s| float(s, Interpolation::Flat)));
        let fragment = StageInfo {
            name: "fragment".into(),
            inputs: attributes.iter().map(|&s| float(s, interpolation)).collect(),
            outputs: (0..n as u32).map(|i| float(location(i / 4, i % 4), Interpolation::Flat)).collect(),
            ..StageInfo::default()
        };
        let mut vertex_attributes =
            vec![VertexAttribute { location: 0, binding: 0, format: Format::R32G32B32A32_SFLOAT, offset: 0 }];
        for i in 0..n.div_ceil(4) {
            let format = [
                Format::R32_SFLOAT,
                Format::R32G32_SFLOAT,
                Format::R32G32B32_SFLOAT,
                Format::R32G32B32A32_SFLOAT,
            ][(n - 4 * i).min(4) - 1];
            let offset = 16 + 16 * i as u32;
            vertex_attributes.push(VertexAttribute { location: 1 + i as u32, binding: 0, format, offset });
        }
        Scene {
            desc: DrawStateDesc {
                stages: vec![PreRasterStage::vertex(StageInfo {
                    name: "vertex".into(),
                    inputs: vertex_inputs,
                    outputs: vertex_outputs,
                    ..StageInfo::default()
                })],
                fragment: Some(fragment),
                vertex_bindings: vec![VertexBinding {
                    binding: 0,
                    stride: 16 + 4 * n as u32,
                    ..Default::default()
                }],
                vertex_attributes,
                ..DrawStateDesc::default()
            },
            dynamic: Dynamic::of_size(size[0], size[1]),
            vertices: Vec::new(),
            indices: None,
            instances: 1,
            lanes: 8,
            discard_below: None,
            later: Vec::new(),
            feedback: None,
            fragment: None,
            invocations: Arc::default(),
            n,
        }
    }

    /// Adds a vertex.
    pub fn vertex(&mut self, position: [f32; 4], attributes: &[f32]) {
        assert_eq!(attributes.len(), self.n);
        self.vertices.extend(position);
        self.vertices.extend(attributes);
    }

    /// Draws into the pass.
    pub fn draw(&self, pass: &mut Pass<'_>) {
        self.try_draw(pass).unwrap();
    }

    pub fn try_draw(&self, pass: &mut Pass<'_>) -> quadrille_jit::Result<()> {
        self.prepare()?.bind(self, pass);
        self.call(pass)
    }

    pub fn prepare(&self) -> quadrille_jit::Result<Prepared> {
        let state = Arc::new(DrawState::new(self.desc.clone(), &kernels())?);
        let words = 4 + self.n as u32;
        let vm = EntryMeta { lanes: 8, n_input_words: words, n_output_words: words, ..Default::default() };
        let program = Arc::new(VertexProgram { meta: vm, invocations: self.invocations.clone() });
        let vertex = LaneFn::new(vertex_entry, Arc::as_ptr(&program).cast(), vm, program.clone());
        let fragment = self.fragment_fn();
        let stages = [vec![vertex], self.later.clone()].concat();
        Ok(Prepared { state, stages, fragment })
    }

    /// Returns the scene's own fragment stage, or one that copies its inputs if the scene has none.
    pub fn fragment_fn(&self) -> Option<LaneFn> {
        let n = self.n as u32;
        let fm = EntryMeta { lanes: self.lanes, n_input_words: n, n_output_words: n, ..Default::default() };
        let flat = |i: &Interface| i.interpolation == Interpolation::Flat;
        self.desc.fragment.as_ref().map(|f| {
            self.fragment.clone().unwrap_or_else(|| {
                let p = Arc::new(Program {
                    meta: fm,
                    flat: f.inputs.iter().map(flat).collect(),
                    discard_below: self.discard_below,
                });
                LaneFn::new(fragment_entry, Arc::as_ptr(&p).cast(), fm, p.clone())
            })
        })
    }

    /// Draws with the state that is bound.
    pub fn call(&self, pass: &mut Pass<'_>) -> quadrille_jit::Result<()> {
        let count = self.indices.as_ref().map_or(self.vertices.len() / (4 + self.n), Vec::len);
        pass.draw(&Draw {
            indexed: self.indices.is_some(),
            count: count as u32,
            instances: self.instances,
            ..Draw::default()
        })
    }
}

impl Prepared {
    pub fn bind(&self, scene: &Scene, pass: &mut Pass<'_>) -> BindNumber {
        // SAFETY: each test keeps its scene, with the vertices and indices unchanged, until its pass has ended.
        #[expect(unsafe_code, reason = "binds test memory")]
        let (vertex_buffer, index) = unsafe {
            let bytes = size_of_val(&scene.vertices[..]) as u64;
            let v = BufferRange::new(scene.vertices.as_ptr().cast(), bytes);
            let i = scene.indices.as_ref().map(|i| IndexBuffer {
                range: BufferRange::new(i.as_ptr().cast(), size_of_val(&i[..]) as u64),
                ty: IndexType::U32,
                restart: IndexType::U32.restart(),
            });
            (v, i)
        };
        pass.bind(&BoundState {
            state: &self.state,
            owner: None,
            stages: &self.stages.iter().collect::<Vec<_>>(),
            fragment: self.fragment.as_ref(),
            packed: None,
            footprint: None,
            dynamic: &scene.dynamic,
            resources: BoundResources::none(),
            vertex_buffers: &[vertex_buffer],
            index,
            feedback: scene.feedback.as_ref(),
            occlusion: None,
        })
        .unwrap()
    }
}

/// Memory of an attachment.
pub struct Picture {
    pub format: Format,
    pub size: [u32; 2],
    /// Number of samples, each of which is a separate plane.
    pub samples: u32,
    pub bytes: Vec<u8>,
}

impl Picture {
    pub fn new(format: Format, size: [u32; 2]) -> Picture {
        Picture::with_samples(format, size, 1)
    }

    pub fn with_samples(format: Format, size: [u32; 2], samples: u32) -> Picture {
        let bytes = vec![0; (size[0] * size[1] * format.bytes() * samples) as usize];
        Picture { format, size, samples, bytes }
    }

    pub fn target(&mut self) -> Target {
        let [width, height] = self.size;
        let row_pitch = u64::from(width * self.format.bytes());
        let desc = TargetDesc {
            format: self.format,
            width,
            height,
            layers: 1,
            samples: self.samples,
            row_pitch,
            layer_pitch: 0,
            sample_pitch: row_pitch * u64::from(height),
        };
        // SAFETY: `bytes` has the given length. Each test keeps its picture until its pass has ended, and does not use
        // `bytes` before that.
        #[expect(unsafe_code, reason = "binds test memory")]
        unsafe {
            Target::new(desc, self.bytes.as_mut_ptr(), self.bytes.len() as u64).unwrap()
        }
    }

    pub fn texel(&self, x: u32, y: u32) -> [u32; 4] {
        let n = self.format.bytes() as usize;
        self.format.unpack(&self.bytes[(y * self.size[0] + x) as usize * n..])
    }

    pub fn float(&self, x: u32, y: u32) -> [f32; 4] {
        self.texel(x, y).map(f32::from_bits)
    }
}

/// Begins a pass that clears the picture to 0 and, if given, the depth picture to the value beside it.
pub fn begin<'p>(pool: &'p Pool, color: &mut Picture, depth: Option<(&mut Picture, f32)>) -> Pass<'p> {
    let size = color.size;
    let mut desc =
        PassDesc { area: Rect::of_size(size[0], size[1]), budget: Budget::seconds(60), ..Default::default() };
    desc.colors[0] = Some(Attachment::clear(color.target(), [0; 4]));
    desc.depth = depth.map(|(d, v)| Attachment::clear(d.target(), [v.to_bits(), 0, 0, 0]));
    Pass::begin(pool, desc).unwrap()
}

/// Renders scenes into a new picture.
pub fn render(threads: usize, format: Format, size: [u32; 2], scenes: &mut [Scene]) -> Picture {
    let pool = Pool::new(threads);
    let mut picture = Picture::new(format, size);
    let mut pass = begin(&pool, &mut picture, None);
    for s in scenes {
        s.desc.color_formats = vec![Some(format)];
        s.draw(&mut pass);
    }
    pass.end().unwrap();
    picture
}

/// Blending as `src + dst`.
pub fn additive() -> BlendState {
    let one = BlendEquation { src: BlendFactor::One, dst: BlendFactor::One, op: BlendOp::Add };
    BlendState { enable: true, equations: [one; 2], write_mask: 0xf }
}
