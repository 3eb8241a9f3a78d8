//! Program tests: a whole module with directives in comments that begin with `;!` (GLSL: `//!`).
//!
//! ```text
//! ;! test OpControlBarrier, GLSL Modf   rows of the instruction table that the file is the test of
//! ;! feature types: void | main         rows of GLSL that the file shows: CATEGORY: ROW | ROW; instead of `test`
//! ;! function abs(genIType x)          a function of GLSL that the file calls by this signature
//! ;! bind 0.1 u32 1 2 iota 4 7*3 zeros 8
//! ;! bind 0.1[3] u32 1                 an element of an array, run by a device
//! ;! push f32 1.5
//! ;! constant 3 u32 7                   specialization constant by id
//! ;! dispatch 2 1 1                     compute: workgroups
//! ;! vertices 4                         vertex: invocations; inputs: ;! input LOCATION.COMPONENT f32 VALUES
//! ;! patches 2 3                        tessellation control: patches, vertices of each; evaluation: 1 and vertices
//! ;! primitives 2                       geometry; inputs: a value for each vertex, primitive after primitive
//! ;! patch TessLevelOuter.0 f32 VALUE   evaluation: input of the patch
//! ;! payload u32 VALUES                 mesh: what the task workgroup has left; `dispatch`: workgroups, as of task
//! ;! coords f32 U V W U V W ...         evaluation: points of the domain
//! ;! pixels 8 4                         fragment: multiples of 8 and 4
//! ;! plane 0.0 f32 A0 DX DY             fragment input: value at (0, 0), changes; or u32 VALUE if flat
//! ;! inv_w A0 DX DY                     1 / w; the default is 1
//! ;! given primitive_id 3               what the stage is told: see [`crate::lanes::Given`]
//! ;! covered 11110000 ...               pixels that the primitive covers, a word per row
//! ;! image 0.1 R32_SFLOAT 4 2 f32 VALUES a 2D image; with any, the program is run by a device
//! ;! image 0.1[2] R8_UNORM cube 4x4 levels 3 u8 VALUES   of any shape, in an array: see [`crate::images::shape`]
//! ;! sampler 0.1 linear clamp           of a binding; see [`crate::images::sampler`]
//! ;! target R32G32B32A32_SFLOAT         fragment with images: format of the picture
//! ;! depth less 0.5                     fragment run by a device, of depth 0: test against this depth
//! ;! lanes 4 8 16 32                    where the shader observes the subgroup; the default is 8
//! ;! expect 0.1 f32 1 _ 2.5*3 ~ 2ulp    buffer contents from its start; `_` is not compared
//! ;! expect 0.1 +16 u32 1               likewise from byte 16
//! ;! expect out 0.0 f32 ...             output per vertex or pixel; built-ins: Position.0; index 1: 0.0#1
//! ;! expect out 0.0@1 f32 ...           geometry: of the vertices emitted on stream 1
//! ;! expect count u32 3 0               geometry: vertices that each invocation emits (`count@1`: on stream 1)
//! ;! expect strips u32 1 0 0            geometry: which of them begin strips (likewise)
//! ;! expect patch 0.0 f32 ...           tessellation control: output of each patch
//! ;! expect groups u32 X Y Z ...        task: mesh workgroups that each workgroup asks for
//! ;! expect payload u32 ...             task: words of the payload of each
//! ;! expect mesh u32 3 1 ...            mesh: numbers of vertices and primitives of each workgroup; `out`: of their
//!                                       vertices, workgroup after workgroup
//! ;! expect primitive 0.0 f32 ...       mesh: output of each primitive
//! ;! expect xfb u32 WORD BUFFER OFFSET ...   words that transform feedback captures
//! ;! expect xfb_buffers u32 STRIDE STREAM ...   of each of the four buffers
//! ;! expect image 0.1 f32 ...           texels of an image
//! ;! expect target f32 ...              the picture
//! ;! expect alive 11110000 ...          fragment: pixels left
//! ;! modes output: LineStrip              what the IR says of the stage's execution modes has this text
//! ;! newer                              than Khronos' tools may be: they are not asked
//! ;! error unsupported: text            the front end refuses the module with such a message
//! ```

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use quadrille::{CompareOp, Format, SamplerDesc, ShaderTest};
use quadrille_jit::abi::interface_words;
use quadrille_jit::ir::{Interface, MAX_STREAMS, Shader, Slot, Stage, StageKind};
use quadrille_jit::spirv;
use rspirv::spirv::{GlslStd450Op, Op};

use crate::images::{self, Image, Over, Read};
use crate::lanes::{self, Buffer, Given, Job, Outcome, Records, Variant, Work};
use crate::table::Counts;
use crate::tools;
use crate::value::{Scalar, Tolerance, tokens};

/// What is expected where.
#[derive(Clone, Debug)]
enum At {
    /// Set, binding, element, first byte.
    Buffer(u32, u32, u32, usize),
    Output(String),
    /// Output of a patch.
    Patch(String),
    /// Vertices of each unit on a stream, and which begin strips.
    Count(u32),
    Strips(u32),
    /// What task workgroups ask for, and their payloads.
    Groups,
    Payload,
    /// Sizes of meshes, and an output of their primitives.
    Mesh,
    Primitive(String),
    /// Words that transform feedback captures, and its buffers.
    Xfb,
    XfbBuffers,
    Alive,
    Image(u32, u32, u32),
    Target,
}

#[derive(Clone, Debug)]
struct Expect {
    line: usize,
    at: At,
    ty: Scalar,
    want: Vec<Option<u64>>,
    tolerance: Tolerance,
}

/// A file.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Instructions that the file is the test of: `OpX` or `GLSL X`.
    pub tests: Vec<String>,
    /// Rows of the language that the file shows: `CATEGORY: FEATURE`.
    pub features: Vec<String>,
    /// Functions of GLSL that it calls by these signatures.
    pub functions: Vec<String>,
    buffers: Vec<Buffer>,
    /// Elements of arrays of buffers.
    elements: Vec<((u32, u32, u32), Vec<u8>)>,
    push: Vec<u8>,
    constants: Vec<(u32, u64)>,
    dispatch: Option<[u32; 3]>,
    vertices: Option<u32>,
    inputs: Vec<(String, Vec<u64>)>,
    patches: Option<(u32, u32)>,
    primitives: Option<u32>,
    patch_inputs: Vec<(String, u64)>,
    coords: Vec<[f32; 3]>,
    payload: Vec<u8>,
    pixels: Option<(u32, u32)>,
    planes: Vec<(String, [f32; 3])>,
    inv_w: Option<[f32; 3]>,
    covered: Vec<bool>,
    lanes: Option<Vec<u32>>,
    images: Vec<Image>,
    samplers: Vec<(u32, u32, SamplerDesc)>,
    target: Option<Format>,
    depth: Option<(CompareOp, f32)>,
    expects: Vec<Expect>,
    /// What the IR says of execution modes.
    modes: Vec<(usize, String)>,
    error: Option<String>,
    given: Given,
    newer: bool,
}

impl Program {
    /// Reads the directives of a file.
    ///
    /// # Errors
    /// The line, from 1, and what is wrong with it.
    pub fn parse(text: &str) -> Result<Program, (usize, String)> {
        let mut program = Program::default();
        for (n, line) in text.lines().enumerate() {
            let line = line.trim_start();
            if let Some(directive) = line.strip_prefix(";!").or_else(|| line.strip_prefix("//!")) {
                program.directive(n + 1, directive.trim()).map_err(|e| (n + 1, e))?;
            }
        }
        let about = [&program.tests, &program.features, &program.functions];
        match about.iter().all(|list| list.is_empty()) {
            true => Err((1, "no `test`, `feature` or `function` directive".into())),
            false => Ok(program),
        }
    }

    fn directive(&mut self, line: usize, text: &str) -> Result<(), String> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        let mut parts = rest.split_whitespace();
        let mut next = || parts.next().ok_or_else(|| format!("`{word}` ends early"));
        match word {
            "test" => self.tests.extend(rest.split(',').map(|t| t.trim().to_string())),
            "feature" => {
                let (category, rows) = rest.split_once(": ").ok_or("features are CATEGORY: FEATURE")?;
                self.features.extend(rows.split(" | ").map(|row| format!("{category}: {row}")));
            }
            "function" => self.functions.push(rest.into()),
            "bind" => {
                let (set, binding, element) = place(next()?)?;
                let ty = scalar(next()?)?;
                let bytes = values(ty, parts.collect::<Vec<_>>().join(" ").as_str())?;
                let bytes = bytes.into_iter().flat_map(|v| memory(ty, v.unwrap_or(0))).collect();
                match element {
                    None => self.buffers.push(Buffer { set, binding, bytes }),
                    Some(element) => self.elements.push(((set, binding, element), bytes)),
                }
            }
            "push" => {
                let ty = scalar(next()?)?;
                let list = values(ty, parts.collect::<Vec<_>>().join(" ").as_str())?;
                self.push.extend(list.into_iter().flat_map(|v| memory(ty, v.unwrap_or(0))));
            }
            "payload" => {
                let ty = scalar(next()?)?;
                let list = values(ty, parts.collect::<Vec<_>>().join(" ").as_str())?;
                self.payload.extend(list.into_iter().flat_map(|v| memory(ty, v.unwrap_or(0))));
            }
            "constant" => {
                let id = number(next()?)?;
                let ty = scalar(next()?)?;
                self.constants.push((id, ty.value(next()?)?));
            }
            "dispatch" => self.dispatch = Some([number(next()?)?, number(next()?)?, number(next()?)?]),
            "vertices" => self.vertices = Some(number(next()?)?),
            "input" => {
                let slot = next()?.to_string();
                let ty = scalar(next()?)?;
                let list = values(ty, parts.collect::<Vec<_>>().join(" ").as_str())?;
                self.inputs.push((slot, list.into_iter().map(|v| v.unwrap_or(0)).collect()));
            }
            "patches" => self.patches = Some((number(next()?)?, number(next()?)?)),
            "primitives" => self.primitives = Some(number(next()?)?),
            "patch" => {
                let slot = next()?.to_string();
                let ty = scalar(next()?)?;
                self.patch_inputs.push((slot, ty.value(next()?)?));
            }
            "coords" => {
                let ty = scalar(next()?)?;
                let list = values(ty, parts.collect::<Vec<_>>().join(" ").as_str())?;
                let list: Vec<f32> =
                    list.into_iter().map(|v| f32::from_bits(v.unwrap_or(0) as u32)).collect();
                self.coords.extend(list.chunks_exact(3).map(|c| [c[0], c[1], c[2]]));
            }
            "pixels" => self.pixels = Some((number(next()?)?, number(next()?)?)),
            "plane" => {
                let slot = next()?.to_string();
                let ty = scalar(next()?)?;
                let mut plane = [0.0; 3];
                for (p, text) in plane.iter_mut().zip(parts) {
                    *p = f32::from_bits(ty.value(text)? as u32);
                }
                self.planes.push((slot, plane));
            }
            "inv_w" => {
                let mut plane = [0.0; 3];
                for p in &mut plane {
                    *p = next()?.parse().map_err(|_| "a number is wanted")?;
                }
                self.inv_w = Some(plane);
            }
            "covered" => self.covered = bits(rest)?,
            "lanes" => self.lanes = Some(parts.map(number).collect::<Result<_, _>>()?),
            "image" => {
                let (set, binding, element) = place(next()?)?;
                let format = images::format(next()?)?;
                let mut parts = parts.peekable();
                let mut shape = images::shape(&mut parts, format)?;
                let ty = scalar(parts.next().ok_or("`image` ends early")?)?;
                let list = values(ty, parts.collect::<Vec<_>>().join(" ").as_str())?;
                shape.texels = list.into_iter().flat_map(|v| memory(ty, v.unwrap_or(0))).collect();
                self.images.push(Image { place: (set, binding, element.unwrap_or(0)), shape });
            }
            "sampler" => {
                let (set, binding) = pair(next()?)?;
                self.samplers.push((set, binding, images::sampler(parts)?));
            }
            "given" => {
                let name = next()?;
                let value = next()?;
                match self.given.named(name) {
                    Some(to) => *to = number(value)?,
                    None if name == "base_vertex" => {
                        self.given.base_vertex = value.parse().map_err(|_| "a number is wanted")?;
                    }
                    None => return Err(format!("`{name}` is nothing that a stage is given")),
                }
            }
            "target" => self.target = Some(images::format(rest)?),
            "depth" => {
                let compare = images::sampler([next()?].into_iter())?.compare.ok_or("no comparison")?;
                let before = next()?.parse().map_err(|_| "a number is wanted")?;
                self.depth = Some((compare, before));
            }
            "modes" => self.modes.push((line, rest.into())),
            "newer" => self.newer = true,
            "error" if rest.is_empty() => return Err("`error` ends early".into()),
            "error" => self.error = Some(rest.into()),
            "expect" => {
                let (rest, tolerance) = match rest.split_once('~') {
                    Some((rest, t)) => (rest, Tolerance::parse(t.trim())?),
                    None => (rest, Tolerance::Exact),
                };
                let mut parts = rest.split_whitespace().peekable();
                let mut next = || parts.next().ok_or_else(|| "`expect` ends early".to_string());
                let place = next()?;
                if place == "alive" {
                    let rows = rest.trim_start().trim_start_matches("alive");
                    let want = bits(rows)?.into_iter().map(|b| Some(u64::from(b))).collect();
                    self.expects.push(Expect { line, at: At::Alive, ty: Scalar::Bool, want, tolerance });
                    return Ok(());
                }
                let mut word = next()?;
                let at = if place == "out" {
                    let slot = word.to_string();
                    word = next()?;
                    At::Output(slot)
                } else if place == "patch" {
                    let slot = word.to_string();
                    word = next()?;
                    At::Patch(slot)
                } else if place == "primitive" {
                    let slot = word.to_string();
                    word = next()?;
                    At::Primitive(slot)
                } else if place == "groups" {
                    At::Groups
                } else if place == "payload" {
                    At::Payload
                } else if place == "mesh" {
                    At::Mesh
                } else if place == "xfb" {
                    At::Xfb
                } else if place == "xfb_buffers" {
                    At::XfbBuffers
                } else if let Some(stream) = of_stream(place, "count") {
                    At::Count(stream)
                } else if let Some(stream) = of_stream(place, "strips") {
                    At::Strips(stream)
                } else if place == "image" {
                    let (set, binding, element) = self::place(word)?;
                    word = next()?;
                    At::Image(set, binding, element.unwrap_or(0))
                } else if place == "target" {
                    At::Target
                } else {
                    let (set, binding, element) = self::place(place)?;
                    let element = element.unwrap_or(0);
                    let mut offset = 0;
                    if let Some(at) = word.strip_prefix('+') {
                        offset = number(at)? as usize;
                        word = next()?;
                    }
                    At::Buffer(set, binding, element, offset)
                };
                let ty = scalar(word)?;
                let want = values(ty, parts.collect::<Vec<_>>().join(" ").as_str())?;
                self.expects.push(Expect { line, at, ty, want, tolerance });
            }
            _ => return Err(format!("`{word}` is not a directive")),
        }
        Ok(())
    }

    /// The module uses what Khronos' tools may not know yet.
    pub fn newer(&self) -> bool {
        self.newer
    }

    /// The error that the front end must give.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// The job of a compute program without images.
    pub fn compute_job(&self) -> Option<Job> {
        if !self.images.is_empty()
            || self.target.is_some()
            || self.depth.is_some()
            || self.pixels.is_some()
            || self.vertices.is_some()
            || self.patches.is_some()
            || self.primitives.is_some()
        {
            return None;
        }
        let work = Work::Compute(self.dispatch.unwrap_or([1, 1, 1]));
        Some(Job { buffers: self.buffers.clone(), push: self.push.clone(), work, given: self.given })
    }

    /// Specialization constants.
    pub fn constants(&self) -> &[(u32, u64)] {
        &self.constants
    }

    /// Lane group sizes that the file names.
    pub fn lane_sizes(&self) -> Option<&[u32]> {
        self.lanes.as_deref()
    }

    /// Expected values in buffers: number of the buffer, byte offset, type.
    pub fn buffer_values(&self) -> Vec<(usize, usize, Scalar)> {
        let mut list = Vec::new();
        for e in &self.expects {
            let At::Buffer(set, binding, 0, offset) = e.at else { continue };
            let buffer = self.buffers.iter().position(|b| (b.set, b.binding) == (set, binding));
            let Some(buffer) = buffer else { continue };
            let n = memory(e.ty, 0).len();
            let wanted = e.want.iter().enumerate().filter(|(_, w)| w.is_some());
            list.extend(wanted.map(|(i, _)| (buffer, offset + i * n, e.ty)));
        }
        list
    }

    fn job(&self, shader: &Shader) -> Result<Job, String> {
        // Inputs that the shader does not use need no value.
        let find = |list: &[Interface], slot: &str| list.iter().position(|i| slot_name(i.slot) == slot);
        let work = match shader.stage {
            Stage::Compute => Work::Compute(self.dispatch.unwrap_or([1, 1, 1])),
            Stage::Vertex => {
                let count = self.vertices.unwrap_or(1);
                let mut input = vec![vec![0; shader.inputs.len()]; count as usize];
                for (slot, list) in &self.inputs {
                    let Some(at) = find(&shader.inputs, slot) else { continue };
                    input.iter_mut().zip(list).for_each(|(v, word)| v[at] = *word as u32);
                }
                Work::Vertex { count, input }
            }
            Stage::Fragment => {
                let (width, height) = self.pixels.unwrap_or((8, 4));
                let mut planes = vec![[0.0; 3]; shader.inputs.len()];
                for (slot, plane) in &self.planes {
                    if let Some(at) = find(&shader.inputs, slot) {
                        planes[at] = *plane;
                    }
                }
                let inv_w = self.inv_w.unwrap_or([1.0, 0.0, 0.0]);
                Work::Fragment { width, height, covered: self.covered.clone(), planes, inv_w }
            }
            Stage::TessellationControl => {
                let (count, size) = self.patches.unwrap_or((1, 1));
                Work::Patches { size, count, vertices: records(&shader.inputs, &self.inputs, count * size) }
            }
            Stage::TessellationEvaluation => {
                let vertices = records(&shader.inputs, &self.inputs, self.patches.map_or(1, |p| p.1));
                let patch: Vec<_> = self.patch_inputs.iter().map(|(s, v)| (s.clone(), vec![*v])).collect();
                let patch = records(&shader.patch_inputs, &patch, 1);
                Work::Points { vertices, patch, coords: self.coords.clone() }
            }
            Stage::Task => Work::Tasks(self.dispatch.unwrap_or([1, 1, 1])),
            Stage::Mesh => {
                Work::Meshes { groups: self.dispatch.unwrap_or([1, 1, 1]), payload: self.payload.clone() }
            }
            Stage::Geometry => {
                let StageKind::Geometry(modes) = shader.kind else { return Err("no geometry".into()) };
                let count = self.primitives.unwrap_or(1);
                let vertices = records(&shader.inputs, &self.inputs, count * modes.input.vertices());
                Work::Primitives { count, vertices }
            }
        };
        Ok(Job { buffers: self.buffers.clone(), push: self.push.clone(), work, given: self.given })
    }
}

/// Records of `count` vertices, or of a patch: those of the inputs that the file gives.
fn records(list: &[Interface], given: &[(String, Vec<u64>)], count: u32) -> Records {
    let n = interface_words(list) as usize;
    let mut records = Records { there: vec![false; n], words: vec![vec![0; n]; count as usize] };
    for (slot, values) in given {
        let Some(at) = list.iter().position(|i| slot_name(i.slot) == *slot) else { continue };
        let word = interface_words(&list[..at]) as usize;
        let wide = list[at].ty.bytes() == 8;
        records.there[word..word + 1 + usize::from(wide)].fill(true);
        for (record, v) in records.words.iter_mut().zip(values) {
            record[word] = *v as u32;
            if wide {
                record[word + 1] = (v >> 32) as u32;
            }
        }
    }
    records
}

/// A scalar of each record.
fn column(list: &[Interface], slot: &str, records: &[Vec<u32>]) -> Result<Vec<u64>, String> {
    let at =
        list.iter().position(|o| slot_name(o.slot) == slot).ok_or_else(|| format!("no output {slot}"))?;
    let word = interface_words(&list[..at]) as usize;
    let wide = list[at].ty.bytes() == 8;
    let high = |v: &Vec<u32>| if wide { u64::from(v[word + 1]) << 32 } else { 0 };
    Ok(records.iter().map(|v| u64::from(v[word]) | high(v)).collect())
}

/// The stream of `NAME` or `NAME@STREAM`.
fn of_stream(text: &str, name: &str) -> Option<u32> {
    match text.strip_prefix(name)? {
        "" => Some(0),
        rest => rest.strip_prefix('@')?.parse().ok().filter(|s| *s < MAX_STREAMS as u32),
    }
}

/// Runs a program given as words; failures go to `fail` with their line.
pub fn run(
    program: &Program,
    words: &[u32],
    stage: Option<Stage>,
    second_opinion: bool,
    counts: &mut Counts,
    fail: &mut dyn FnMut(usize, String),
) {
    if second_opinion
        && program.error.is_none()
        && let Some(Err(e)) = tools::validate(words)
    {
        return fail(1, format!("spirv-val: {e}"));
    }
    if let Err(e) = try_run(program, words, stage, Effort::Full, counts, fail) {
        fail(1, e);
    }
}

/// How long a program may take in the interpreter: changed ones may not end.
const PATIENCE: Duration = Duration::from_secs(3);

/// In how many ways a program is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Every way that matters.
    Full,
    /// Only in the interpreter, at the first of its lane group sizes, on a device of the calling thread.
    Interpreter,
}

/// Runs a program given as words with so much effort; values that are not as expected go to `fail`.
///
/// # Errors
/// Whatever else is wrong.
pub fn try_run(
    program: &Program,
    words: &[u32],
    stage: Option<Stage>,
    effort: Effort,
    counts: &mut Counts,
    fail: &mut dyn FnMut(usize, String),
) -> Result<(), String> {
    if program.error.is_none() {
        let there = instructions(words);
        if let Some(absent) = program.tests.iter().find(|t| !there.contains(*t)) {
            return Err(format!("there is no {absent} in the module"));
        }
    }
    let lower = || {
        let module = spirv::Module::parse(words)?;
        let entry = module.entry_points().iter().find(|e| stage.is_none_or(|s| s == e.stage));
        let entry = entry.ok_or_else(|| quadrille_jit::Error::invalid("no entry point of the stage"))?;
        module.lower(&entry.name, entry.stage, &program.constants)
    };
    let shader = match (lower(), &program.error) {
        (Ok(_), Some(want)) => return Err(format!("accepted, expected an error with `{want}`")),
        (Err(e), Some(want)) if e.to_string().contains(want.as_str()) => return Ok(()),
        (Err(e), _) => return Err(e.to_string()),
        (Ok(shader), None) => Arc::new(shader),
    };
    let needs_device = !program.images.is_empty() || !program.elements.is_empty();
    if needs_device || program.target.is_some() || program.depth.is_some() {
        return on_devices(program, words, &shader, effort, counts, fail);
    }
    let modes = format!("{:?}", shader.kind);
    for (line, wanted) in &program.modes {
        counts.values += 1;
        if !modes.contains(wanted.as_str()) {
            fail(*line, format!("the modes are {modes}"));
            return Ok(());
        }
    }
    let job = program.job(&shader)?;
    let layout = lanes::layout(&job.buffers);
    counts.modules += 1;
    let lanes = program.sizes(&shader);
    let variants = match effort {
        Effort::Full => lanes::variants(&lanes),
        Effort::Interpreter => vec![Variant::interpreter(lanes.first().copied().unwrap_or(8))],
    };
    let mut reference: Option<Outcome> = None;
    for variant in variants {
        let build = || {
            let f = lanes::build(&shader, &layout, variant)?;
            match effort {
                Effort::Full => lanes::run(&shader, &f, &job),
                Effort::Interpreter => lanes::run_for(&shader, &f, &job, PATIENCE),
            }
        };
        let outcome = build().map_err(|e| format!("{variant}: {e}"))?;
        counts.runs += 1;
        for expect in &program.expects {
            let got = read(expect, &outcome, &shader)?;
            for (i, want) in expect.want.iter().enumerate() {
                let Some(want) = *want else { continue };
                counts.values += 1;
                let Some(&got) = got.get(i) else {
                    return Err(format!("line {}: no value {i}", expect.line));
                };
                if !expect.tolerance.accepts(expect.ty, got, want) {
                    let (got, want) = (expect.ty.show(got), expect.ty.show(want));
                    fail(expect.line, format!("value {i} is {got}, expected {want} ({variant})"));
                    return Ok(());
                }
            }
        }
        if let Some(r) = &reference
            && *r != outcome
            && !program.differs_in_nan(r, &outcome)
        {
            fail(1, format!("{} ({variant})", difference(r, &outcome)));
            return Ok(());
        }
        reference.get_or_insert(outcome);
    }
    Ok(())
}

/// Names of the instructions of a module, as `test` spells them.
fn instructions(words: &[u32]) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let mut at = 5;
    while let Some(&word) = words.get(at) {
        let (op, n) = (word & 0xffff, (word >> 16).max(1) as usize);
        out.extend(Op::from_u32(op).map(|op| format!("Op{op:?}")));
        if op == Op::ExtInst as u32
            && let Some(name) = words.get(at + 4).and_then(|n| GlslStd450Op::from_u32(*n))
        {
            out.insert(format!("GLSL {name:?}"));
        }
        at += n;
    }
    out
}

/// Runs a program with images in every way, and compares what it expects.
fn on_devices(
    program: &Program,
    words: &[u32],
    shader: &Shader,
    effort: Effort,
    counts: &mut Counts,
    fail: &mut dyn FnMut(usize, String),
) -> Result<(), String> {
    let mut test = ShaderTest::spirv(words);
    for b in &program.buffers {
        test = test.bind(b.set, b.binding, &b.bytes);
    }
    for ((set, binding, element), bytes) in &program.elements {
        test = test.bind_at(*set, *binding, *element, bytes);
    }
    for i in &program.images {
        let (set, binding, element) = i.place;
        test = test.bind_shape(set, binding, element, i.shape.clone());
    }
    for (set, binding, desc) in &program.samplers {
        test = test.bind_sampler(*set, *binding, *desc);
    }
    for (id, bits) in &program.constants {
        test = test.spec(*id, *bits);
    }
    if !program.push.is_empty() {
        test = test.push(&program.push);
    }
    if let Some((compare, before)) = program.depth {
        test = test.depth_test(compare, before);
    }
    let over = match shader.stage {
        Stage::Compute => Over::Dispatch(program.dispatch.unwrap_or([1, 1, 1])),
        _ => {
            let (width, height) = program.pixels.unwrap_or((8, 4));
            Over::Draw(program.target.unwrap_or(Format::R8G8B8A8_UNORM), width, height)
        }
    };
    let reads: Vec<Read> = program
        .expects
        .iter()
        .map(|e| match e.at {
            At::Buffer(set, binding, element, _) => Ok(Read::Buffer(set, binding, element)),
            At::Image(set, binding, element) => Ok(Read::Image(set, binding, element)),
            At::Target => Ok(Read::Target),
            _ => Err(format!("line {}: programs with images have buffers, images and a target", e.line)),
        })
        .collect::<Result<_, _>>()?;
    counts.modules += 1;
    let own;
    let ways = match effort {
        Effort::Full => images::ways(),
        Effort::Interpreter => {
            own = images::interpreter()?;
            std::slice::from_ref(&own)
        }
    };
    for way in ways {
        let sizes = program.sizes(shader);
        let sizes = if effort == Effort::Full { &sizes[..] } else { &sizes[..sizes.len().min(1)] };
        for &lanes in sizes {
            let name = format!("S = {lanes}, {}", way.name);
            let got = images::run(&test, way, lanes, &over, &reads).map_err(|e| format!("{name}: {e}"))?;
            counts.runs += 1;
            for (expect, bytes) in program.expects.iter().zip(got) {
                let skip = if let At::Buffer(.., offset) = expect.at { offset } else { 0 };
                let n = memory(expect.ty, 0).len();
                let word = |c: &[u8]| c.iter().rev().fold(0, |w, b| w << 8 | u64::from(*b));
                let got: Vec<u64> = bytes.get(skip..).unwrap_or(&[]).chunks_exact(n).map(word).collect();
                for (i, want) in expect.want.iter().enumerate() {
                    let Some(want) = *want else { continue };
                    counts.values += 1;
                    let value = got.get(i).copied().unwrap_or(0);
                    if i >= got.len() || !expect.tolerance.accepts(expect.ty, value, want) {
                        let (value, want) = (expect.ty.show(value), expect.ty.show(want));
                        fail(expect.line, format!("value {i} is {value}, expected {want} ({name})"));
                        return Ok(());
                    }
                }
            }
        }
    }
    Ok(())
}

impl Program {
    /// Lane group sizes to run at.
    fn sizes(&self, shader: &Shader) -> Vec<u32> {
        match (&self.lanes, shader.observes_subgroup) {
            (Some(list), _) => list.clone(),
            (None, true) => vec![8],
            (None, false) => vec![8, 4, 16, 32],
        }
    }

    /// Two outcomes that differ in the bits of NaNs only, which are not part of the contract: words that
    /// are NaNs of f32 in both.
    fn differs_in_nan(&self, a: &Outcome, b: &Outcome) -> bool {
        let same = |x: u32, y: u32| x == y || (f32::from_bits(x).is_nan() && f32::from_bits(y).is_nan());
        let word = |c: &[u8]| c.iter().rev().fold(0u32, |w, b| w << 8 | u32::from(*b));
        let buffers = a
            .buffers
            .iter()
            .zip(&b.buffers)
            .all(|(x, y)| x.bytes.chunks(4).zip(y.bytes.chunks(4)).all(|(x, y)| same(word(x), word(y))));
        let outputs = a.output.iter().flatten().zip(b.output.iter().flatten()).all(|(x, y)| same(*x, *y));
        let words = |o: &Outcome| -> Vec<u32> {
            let vertices = o.streams.iter().flat_map(|s| s.vertices.iter().flatten());
            let meshes = o.meshes.iter().flat_map(|m| m.vertices.iter().chain(&m.primitives).flatten());
            let tasks = o.tasks.iter().flat_map(|t| t.groups.iter().chain(&t.payload));
            o.patches.iter().flatten().chain(vertices).chain(meshes).chain(tasks).copied().collect()
        };
        let (x, y) = (words(a), words(b));
        let emitted = x.len() == y.len() && x.iter().zip(&y).all(|(x, y)| same(*x, *y));
        let strips =
            |o: &Outcome| o.streams.iter().map(|s| (s.counts.clone(), s.begins.clone())).collect::<Vec<_>>();
        buffers && outputs && emitted && strips(a) == strips(b) && a.alive == b.alive
    }
}

/// The first difference of two outcomes, in words.
pub fn difference(a: &Outcome, b: &Outcome) -> String {
    for (x, y) in a.buffers.iter().zip(&b.buffers) {
        if let Some(i) = (0..x.bytes.len()).find(|&i| x.bytes[i] != y.bytes[i]) {
            let word =
                |v: &[u8]| v[i / 4 * 4..].iter().take(4).rev().fold(0u32, |w, b| w << 8 | u32::from(*b));
            let (set, binding) = (x.set, x.binding);
            let (first, this) = (word(&x.bytes), word(&y.bytes));
            let word = i / 4;
            return format!("set {set}, binding {binding}, word {word}: {this:#x}, first variant {first:#x}");
        }
    }
    if let Some(i) = (0..a.output.len()).find(|&i| a.output[i] != b.output[i]) {
        return format!("output {i}: {:x?}, first variant {:x?}", b.output[i], a.output[i]);
    }
    if a.patches != b.patches {
        return format!("patches: {:x?}, first variant {:x?}", b.patches, a.patches);
    }
    if a.streams != b.streams {
        return format!("emitted: {:x?}, first variant {:x?}", b.streams, a.streams);
    }
    if let Some(i) = (0..a.tasks.len()).find(|&i| a.tasks[i] != b.tasks[i]) {
        return format!("task workgroup {i}: {:x?}, first variant {:x?}", b.tasks[i], a.tasks[i]);
    }
    if let Some(i) = (0..a.meshes.len()).find(|&i| a.meshes[i] != b.meshes[i]) {
        return format!("mesh workgroup {i}: {:x?}, first variant {:x?}", b.meshes[i], a.meshes[i]);
    }
    format!("pixels left: {:?}, first variant {:?}", b.alive, a.alive)
}

fn read(expect: &Expect, outcome: &Outcome, shader: &Shader) -> Result<Vec<u64>, String> {
    match &expect.at {
        At::Buffer(set, binding, _, offset) => {
            let buffer = outcome.buffers.iter().find(|b| (b.set, b.binding) == (*set, *binding));
            let buffer = buffer.ok_or_else(|| format!("nothing is bound to {set}.{binding}"))?;
            let bytes = buffer.bytes.get(*offset..).unwrap_or(&[]);
            let n = memory(expect.ty, 0).len();
            Ok(bytes.chunks_exact(n).map(|c| c.iter().rev().fold(0, |w, b| w << 8 | u64::from(*b))).collect())
        }
        At::Output(slot) if shader.stage == Stage::Geometry => {
            let (slot, stream) = slot.split_once('@').unwrap_or((slot, "0"));
            let stream = number(stream)?;
            let list: Vec<Interface> = shader.stream(stream).copied().collect();
            column(&list, slot, &outcome.streams.get(stream as usize).ok_or("no such stream")?.vertices)
        }
        At::Output(slot) if shader.stage == Stage::Mesh => {
            let vertices: Vec<_> = outcome.meshes.iter().flat_map(|m| m.vertices.clone()).collect();
            column(&shader.outputs, slot, &vertices)
        }
        At::Output(slot) => column(&shader.outputs, slot, &outcome.output),
        At::Primitive(slot) => {
            let primitives: Vec<_> = outcome.meshes.iter().flat_map(|m| m.primitives.clone()).collect();
            column(&shader.primitive_outputs, slot, &primitives)
        }
        At::Groups => Ok(outcome.tasks.iter().flat_map(|t| &t.groups).map(|n| u64::from(*n)).collect()),
        At::Payload => Ok(outcome.tasks.iter().flat_map(|t| &t.payload).map(|n| u64::from(*n)).collect()),
        At::Mesh => {
            let sizes = outcome.meshes.iter().flat_map(|m| [m.vertices.len(), m.primitives.len()]);
            Ok(sizes.map(|n| n as u64).collect())
        }
        At::Patch(slot) => column(&shader.patch_outputs, slot, &outcome.patches),
        At::Xfb => {
            let words = shader.xfb.outputs.iter().flat_map(|o| [o.word, o.buffer, o.offset]);
            Ok(words.map(u64::from).collect())
        }
        At::XfbBuffers => {
            let buffers = shader.xfb.strides.iter().zip(&shader.xfb.streams);
            Ok(buffers.flat_map(|(stride, stream)| [u64::from(*stride), u64::from(*stream)]).collect())
        }
        At::Count(stream) | At::Strips(stream) => {
            let emitted = outcome.streams.get(*stream as usize).ok_or("nothing is emitted here")?;
            let list = if matches!(expect.at, At::Count(_)) { &emitted.counts } else { &emitted.begins };
            Ok(list.iter().map(|&n| u64::from(n)).collect())
        }
        At::Image(..) | At::Target => Err(format!("line {}: there are no images", expect.line)),
        At::Alive => Ok(outcome.alive.iter().map(|a| u64::from(*a)).collect()),
    }
}

fn slot_name(slot: Slot) -> String {
    match slot {
        Slot::Location { location, component, index: 0 } => format!("{location}.{component}"),
        Slot::Location { location, component, index } => format!("{location}.{component}#{index}"),
        Slot::BuiltIn(builtin, n) => format!("{builtin:?}.{n}"),
    }
}

fn pair(text: &str) -> Result<(u32, u32), String> {
    let (a, b) = text.split_once('.').ok_or_else(|| format!("`{text}` is not SET.BINDING"))?;
    Ok((number(a)?, number(b)?))
}

/// `SET.BINDING` or `SET.BINDING[ELEMENT]`.
fn place(text: &str) -> Result<(u32, u32, Option<u32>), String> {
    let (place, element) =
        text.split_once('[').map_or((text, None), |(p, e)| (p, Some(e.trim_end_matches(']'))));
    let (set, binding) = pair(place)?;
    Ok((set, binding, element.map(number).transpose()?))
}

fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("`{text}` is not a number"))
}

fn scalar(text: &str) -> Result<Scalar, String> {
    Scalar::parse(text).ok_or_else(|| format!("`{text}` is not a scalar type"))
}

/// Rows of 0 and 1.
fn bits(text: &str) -> Result<Vec<bool>, String> {
    text.chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| match c {
            '0' => Ok(false),
            '1' => Ok(true),
            _ => Err(format!("`{c}` is not 0 or 1")),
        })
        .collect()
}

/// Bytes of a value in memory.
fn memory(ty: Scalar, bits: u64) -> Vec<u8> {
    let n = match ty {
        Scalar::Bool => 4,
        _ => ty.bits() as usize / 8,
    };
    bits.to_le_bytes()[..n].to_vec()
}

/// A list: values, `_`, `VALUE*COUNT`, `iota COUNT`, `zeros COUNT`.
fn values(ty: Scalar, text: &str) -> Result<Vec<Option<u64>>, String> {
    const MOST: u32 = 1 << 20;
    let count = |text: Option<&str>| {
        let n = number(text.ok_or("a count is wanted")?)?;
        if n <= MOST { Ok(n) } else { Err(format!("more than {MOST} values")) }
    };
    let mut out = Vec::new();
    let mut list = tokens(text);
    while let Some(token) = list.next() {
        match token {
            "iota" => {
                for i in 0..count(list.next())? {
                    out.push(Some(ty.value(&i.to_string())?));
                }
            }
            "zeros" => out.extend((0..count(list.next())?).map(|_| Some(0))),
            _ => {
                let (value, n) = match token.split_once('*') {
                    Some((value, n)) => (value, count(Some(n))?),
                    None => (token, 1),
                };
                let value = if value == "_" { None } else { Some(ty.value(value)?) };
                out.extend((0..n).map(|_| value));
            }
        }
    }
    Ok(out)
}
