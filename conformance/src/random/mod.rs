//! Random structured modules: compute, task, mesh and fragment.
//!
//! They contain divergent ifs, loops with breaks, continues and loop-carried values, switches, calls with early returns
//! and kills; buffers of records, private and function variables, arrays, structures, workgroup memory with barriers in
//! uniform control flow, atomics, group operations; arithmetic of all widths. They have no data races and do not expose
//! NaN bits, so each module has one right result.
//!
//! The same seed makes the same module. A limit on the number of statements truncates the module without changing the
//! statements before, which allows a search for the shortest failing module.
//!
//! A module is for workgroups or fragments ([`make`]), or for the stages between vertices and rasterization
//! ([`make_stage`]).
//!
//! * [`ops`]: instructions on operands of one size. `expression`: their nesting, and other instructions.
//! * `bounds`: accesses that invite a compiler to reason about bounds.
//! * `small_floats`: floats of 4, 6 and 8 bits, and bfloat16.
//! * `memory`: all other memory. `group`: subgroups and derivatives. `control`: statements.
//! * [`pipeline`]: whole pipelines with matching stages. `stages`: interfaces, outputs and emission. `mesh`: outputs of
//!   task and mesh modules. `small`: small compute modules of many workgroups.
//! * [`matrices`]: cooperative matrices.
//! * [`kernels`]: kernels of OpenCL.
//! * [`rays`]: ray queries, and ray tracing pipelines.

mod bounds;
mod control;
mod expression;
mod group;
pub mod kernels;
pub mod matrices;
mod memory;
mod mesh;
mod ops;
pub mod pipeline;
pub mod rays;
mod shape;
mod small;
mod small_floats;
mod stages;

use quadrille_jit::ir::{Shader, Slot, Stage};

use crate::lanes::{Buffer, Given, Job, Work};
use crate::text::{ENTRY, Module};
use crate::value::{Scalar, Type};
use memory::Record;
use shape::Shape;
use stages::Ports;

/// SplitMix64, or the bytes of a fuzzer while they last.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
    bytes: std::sync::Arc<[u8]>,
    at: usize,
}

impl Random {
    /// Starts the sequence of a seed.
    pub fn new(seed: u64) -> Random {
        Random { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), bytes: [].into(), at: 0 }
    }
    /// Takes decisions from bytes, two for each. After their end every decision is 0, which selects the first of any
    /// list.
    pub fn from_bytes(bytes: &[u8]) -> Random {
        Random { state: 0, bytes: bytes.into(), at: 0 }
    }
    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        if !self.bytes.is_empty() {
            let byte = |at: usize| u64::from(self.bytes.get(at).copied().unwrap_or(0));
            let v = byte(self.at) | byte(self.at + 1) << 8;
            self.at += 2;
            return v;
        }
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// True if the bytes of a fuzzer are used up.
    pub fn is_used_up(&self) -> bool {
        !self.bytes.is_empty() && self.at >= self.bytes.len()
    }
    /// Starts another sequence, one for each number.
    pub fn fork(&self, number: u64) -> Random {
        let mut r = Random { state: self.state ^ number.wrapping_mul(0xd6e8_feb8_6659_fd93), ..self.clone() };
        r.at += number as usize;
        r
    }
    /// Returns a number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n.max(1) as u64) as usize
    }
    /// Returns true once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
    /// Picks an element of a list that is not empty.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

const U: Scalar = Scalar::Int(32, false);
const I: Scalar = Scalar::Int(32, true);
const F: Scalar = Scalar::Float(32);
const B: Scalar = Scalar::Bool;
/// Scalars that a module may use in addition to those of 32 bits.
const OTHERS: [Scalar; 8] = [
    Scalar::Float(16),
    Scalar::Float(64),
    Scalar::Int(8, false),
    Scalar::Int(8, true),
    Scalar::Int(16, false),
    Scalar::Int(16, true),
    Scalar::Int(64, false),
    Scalar::Int(64, true),
];

/// A scalar, or a vector.
type Ty = (Scalar, u32);

/// Numbers of components that values have; in modules with long vectors, the second list.
const SIZES: [&[u32]; 2] = [&[1, 1, 1, 2, 3, 4], &[1, 1, 1, 2, 4, 5, 19]];

/// Converts to the type of the text writer.
fn full((s, n): Ty) -> Type {
    if n == 1 { Type::Scalar(s) } else { Type::Vector(s, n) }
}

/// Result words per invocation, and words of the input buffers.
const SLOTS: usize = 16;
const INPUTS: usize = 64;
/// Elements of private, function and workgroup arrays with random indices.
const ARRAY: u32 = 8;
/// Elements of the workgroup arrays for exchanges between invocations: a power of two, at least the size of a
/// workgroup.
const SHARED: u32 = 64;
/// Records in the input.
const RECORDS: usize = 8;
/// Pixels of fragment modules.
const WIDTH: u32 = 16;
const HEIGHT: u32 = 8;

/// A callable function.
struct Callee {
    id: String,
    result: Ty,
    params: Vec<Ty>,
    /// Type of the variable if the last parameter is a pointer to a local variable.
    pointer: Option<Ty>,
}

/// Targets of breaks and continues.
#[derive(Clone, Default)]
struct Exits {
    /// Merge and continue block of the innermost loop.
    around: Option<(String, String)>,
    /// Merge block of the innermost switch, if no loop is inside it.
    switch: Option<String>,
    /// True if the function may return here.
    returns: bool,
    /// True if barriers are allowed.
    uniform: bool,
}

struct Generator {
    m: Module,
    r: Random,
    /// Number of statements left.
    left: usize,
    fragment: bool,
    /// Set for a stage between vertices and rasterization.
    shape: Option<Shape>,
    ports: Ports,
    /// Stage of a task or mesh module; its outputs are in `outputs`.
    mesh: Option<Stage>,
    outputs: mesh::Outputs,
    /// True for a small compute module; number of all its invocations.
    small: bool,
    invocations: u32,
    /// Invocations of a workgroup.
    local: u32,
    /// True if the module has group operations.
    groups: bool,
    /// True if the module has atomics whose result or order is visible.
    ordered: bool,
    /// Scalar types of the module.
    scalars: Vec<Scalar>,
    /// Numbers of components of its values.
    sizes: &'static [u32],
    /// Indices make offsets of 64 bits.
    wide_indexing: bool,
    values: Vec<(String, Ty)>,
    /// Function and private variables with their storage class.
    variables: Vec<(String, Ty, &'static str)>,
    /// Function and private arrays of `u32`: variable and storage class.
    arrays: Vec<(String, &'static str)>,
    /// Variables of all functions.
    globals: Vec<(String, Ty, &'static str)>,
    callees: Vec<Callee>,
    /// Workgroup arrays of SHARED elements: variable and member.
    shared: Vec<(String, Ty)>,
    /// A workgroup word for atomics: variable and member.
    tally: String,
    local_index: String,
    /// Index of the invocation among all.
    id: String,
    input: String,
    block: String,
    out: String,
    counter: String,
    /// Input records, and an output record for each invocation.
    records: String,
    own: String,
    record: Record,
    /// Structure variables with the record's members: variable and storage class.
    structures: Vec<(String, &'static str)>,
    /// Memory for accesses that test bounds.
    places: bounds::Places,
    /// Small floats of the module.
    smalls: Vec<small_floats::Held>,
    /// `true` if the module may have small floats.
    has_smalls: bool,
    /// Input variables of fragments.
    inputs: Vec<(String, Ty)>,
    /// Label of the current block.
    current: String,
    /// Return type of the current function.
    returned: Option<Ty>,
}

/// A module, with what is needed to run it.
pub struct Made {
    /// SPIR-V text.
    pub text: String,
    /// Seed of the module.
    pub seed: u64,
    /// Number of statements.
    pub statements: usize,
    /// True if the results depend on the order of the invocations, and hence on the lane group size.
    pub ordered: bool,
    /// Invocations of a workgroup.
    local: u32,
    groups: u32,
    fragment: bool,
    shape: Option<Shape>,
    mesh: Option<Stage>,
    small: bool,
    record_bytes: usize,
    /// True for a kernel of OpenCL.
    kernel: bool,
}

/// Special words.
const SPECIAL: [u32; 12] = [
    0x7f80_0000,
    0x8000_0000,
    0x3f80_0000,
    0xffff_ffff,
    1,
    0xff80_0000,
    0x7f7f_ffff,
    0x7c00_3c00,
    0x8000_bc00,
    0x7fff_ffff,
    0x3ff0_0000,
    0x8080_7f7f,
];

impl Made {
    /// The stage of `main`.
    pub fn stage(&self) -> Stage {
        match self.shape {
            Some(shape) => shape.stage,
            None if self.fragment => Stage::Fragment,
            None => self.mesh.unwrap_or(Stage::Compute),
        }
    }

    /// Buffers and units of work for input set `k`.
    pub fn job(&self, shader: &Shader, k: u64) -> Job {
        if self.kernel {
            return self.kernel_job(k);
        }
        let mut r = Random::new(self.seed ^ k.wrapping_mul(0xd134_2543_de82_ef95) ^ 0x5555);
        let mut words = |n: usize| -> Vec<u8> {
            (0..n)
                .flat_map(|_| {
                    let bits = r.bits();
                    let word = match r.below(5) {
                        0 => (bits % 16) as u32,
                        1 => ((bits % 4096) as f32 / 64.0 - 32.0).to_bits(),
                        2 => *r.pick(&SPECIAL),
                        // f16 values of moderate size, or small bytes.
                        3 => (bits as u32 & 0x83ff_83ff) | if bits >> 63 == 1 { 0x3c00_4000 } else { 0 },
                        _ => bits as u32,
                    };
                    word.to_le_bytes()
                })
                .collect()
        };
        let invocations = match (self.shape, self.fragment) {
            (Some(shape), _) => shape.invocations(),
            (None, true) => (WIDTH * HEIGHT) as usize,
            (None, false) => (self.local * self.groups) as usize,
        };
        // Small modules have about one word for each invocation.
        let inputs = if self.small { invocations + k as usize % 20 - invocations.min(9) } else { INPUTS };
        let buffers = vec![
            Buffer { set: 0, binding: 0, bytes: words(inputs) },
            Buffer { set: 0, binding: 1, bytes: vec![0; 4 * SLOTS * invocations] },
            Buffer { set: 0, binding: 2, bytes: vec![0; 64] },
            Buffer { set: 0, binding: 3, bytes: words(INPUTS) },
            Buffer { set: 0, binding: 4, bytes: words(RECORDS * self.record_bytes / 4) },
            Buffer { set: 0, binding: 5, bytes: vec![0; invocations * self.record_bytes] },
            Buffer { set: 0, binding: bounds::FAR, bytes: words(bounds::FAR_WORDS) },
        ];
        let work = match (self.shape, self.fragment) {
            (Some(shape), _) => shape.work(&shader.inputs, &shader.patch_inputs, &mut r),
            (None, false) => {
                let groups = [self.groups, 1, 1];
                match self.mesh {
                    Some(Stage::Task) => Work::Tasks(groups),
                    Some(_) => Work::Meshes { groups, payload: Vec::new() },
                    None => Work::Compute(groups),
                }
            }
            (None, true) => {
                let covered = (0..WIDTH * HEIGHT).map(|_| !r.one_in(4)).collect();
                let mut float = || r.below(4001) as f32 / 100.0 - 20.0;
                let mut plane = |slot: Slot| match slot {
                    Slot::Location { location: 0, .. } => [float(), float() / 8.0, float() / 8.0],
                    _ => [float(), 0.0, 0.0],
                };
                let planes = shader.inputs.iter().map(|i| plane(i.slot)).collect();
                let inv_w = [1.0, 0.0, if k.is_multiple_of(2) { 0.0 } else { 0.03 }];
                Work::Fragment { width: WIDTH, height: HEIGHT, covered, planes, inv_w }
            }
        };
        Job { buffers, descriptors: Vec::new(), push: Vec::new(), work, given: Given::default() }
    }
}

/// Maximum number of statements of the module of a seed. Every third module is short, because the compiler treats short
/// shaders differently.
pub fn length(seed: u64) -> usize {
    if seed.is_multiple_of(3) { 1 + (seed / 3 % 8) as usize } else { usize::MAX }
}

/// Makes the module of a seed with at most `limit` statements.
pub fn make(seed: u64, limit: usize) -> Made {
    make_with(Random::new(seed), seed, limit, None)
}

/// Makes the module of a seed for a stage between vertices and rasterization.
pub fn make_stage(seed: u64, limit: usize) -> Made {
    let mut r = Random::new(!seed);
    let shape = Shape::random(&mut r);
    make_with(r, seed, limit, Some(shape))
}

/// Makes a module from the decisions in a fuzzer's bytes.
pub fn make_from(bytes: &[u8], limit: usize) -> Made {
    let seed = bytes.iter().fold(0u64, |h, b| h.wrapping_mul(31).wrapping_add(u64::from(*b)));
    // Without bytes, every decision is zero.
    make_with(Random::from_bytes(if bytes.is_empty() { &[0] } else { bytes }), seed, limit, None)
}

fn make_with(r: Random, seed: u64, limit: usize, shape: Option<Shape>) -> Made {
    generate(r, seed, limit, shape, Ports::default()).0
}

/// The stage of a module with workgroups, if it is not compute.
fn mesh_stage(seed: u64) -> Option<Stage> {
    match seed % 7 {
        3 => Some(Stage::Mesh),
        5 => Some(Stage::Task),
        _ => None,
    }
}

/// Makes a module. `ports` contains the outputs of the previous stage, if there is one; the returned ports are the
/// module's own.
fn generate(mut r: Random, seed: u64, limit: usize, shape: Option<Shape>, ports: Ports) -> (Made, Ports) {
    let fragment = r.one_in(5) && shape.is_none();
    let mut local = *r.pick(&[1, 5, 8, 24, 32, 40, 64]);
    let mut groups = r.below(3) as u32 + 1;
    let mesh = if fragment || shape.is_some() { None } else { mesh_stage(seed) };
    let small = seed % 4 == 1 && !fragment && shape.is_none() && mesh.is_none();
    if small {
        (local, groups) = (*r.pick(&[16, 32, 64, 64, 128]), r.below(20) as u32 + 1);
    }
    let m = match shape {
        Some(shape) => shape.module(&mut r),
        None if fragment => Module::fragment(),
        None => match mesh {
            Some(stage) => mesh::module(stage, local),
            None => Module::new([local, 1, 1]),
        },
    };
    let linked = shape.is_some_and(|s| s.linked);
    let mut g = Generator {
        m,
        left: limit,
        fragment,
        shape,
        ports,
        mesh,
        outputs: mesh::Outputs::default(),
        small,
        invocations: local * groups,
        local,
        groups: r.one_in(3) && !linked && !small,
        ordered: r.one_in(4) && !linked && !small,
        scalars: vec![F, F, F, U, U, U, I, I, B, B],
        sizes: SIZES[usize::from(seed % 5 == 2)],
        wide_indexing: seed % 7 == 3,
        values: Vec::new(),
        variables: Vec::new(),
        arrays: Vec::new(),
        globals: Vec::new(),
        callees: Vec::new(),
        shared: Vec::new(),
        tally: String::new(),
        local_index: String::new(),
        id: String::new(),
        input: String::new(),
        block: String::new(),
        out: String::new(),
        counter: String::new(),
        records: String::new(),
        own: String::new(),
        record: Record::default(),
        structures: Vec::new(),
        places: bounds::Places::default(),
        smalls: Vec::new(),
        has_smalls: seed % 3 == 1,
        inputs: Vec::new(),
        current: ENTRY.into(),
        returned: None,
        r,
    };
    g.contents();
    let ports = std::mem::take(&mut g.ports);
    (g.made(seed, limit, groups), ports)
}

impl Generator {
    /// The finished module of a shader.
    fn made(self, seed: u64, limit: usize, groups: u32) -> Made {
        Made {
            seed,
            statements: limit - self.left,
            ordered: self.ordered,
            local: self.local,
            groups,
            fragment: self.fragment,
            shape: self.shape,
            mesh: self.mesh,
            small: self.small,
            record_bytes: self.record.bytes,
            kernel: false,
            text: self.m.finish(),
        }
    }
}

impl Generator {
    /// Generates memory, functions and the entry point.
    fn contents(&mut self) {
        for s in OTHERS {
            if self.r.one_in(4) && !self.small {
                self.scalars.push(s);
            }
        }
        if self.sizes == SIZES[1] {
            self.m.capability("LongVectorEXT");
            self.m.extension("SPV_EXT_long_vector");
        }
        if self.wide_indexing {
            self.m.capability("Shader64BitIndexingEXT");
            self.m.extension("SPV_EXT_shader_64bit_indexing");
            self.m.mode("Shader64BitIndexingEXT");
        }
        self.memory();
        if self.has_smalls {
            self.small_memory();
        }
        if self.small {
            return self.small_main();
        }
        for _ in 0..self.r.below(3) {
            self.function();
        }
        self.main();
    }
}
