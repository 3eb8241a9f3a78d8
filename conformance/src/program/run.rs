//! Runs programs as lane functions in every variant, or on devices, and compares the results.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use quadrille::{Error, Format, ShaderTest};
use quadrille_jit::ir::{Interface, Shader, Stage};
use quadrille_jit::spirv::{self, grammar};
use rspirv::spirv::{GlslStd450Op, Op};

use super::job::column;
use super::words::{memory, number};
use super::{At, Expect, Program, kernel, rays};
use crate::images::{self, Over, Read};
use crate::lanes::{self, Outcome, Variant};
use crate::table::Counts;
use crate::tools;

/// Runs a program from words; reports failures to `fail` with their line.
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

/// Record offset of the first instance that ray queries see.
const QUERIED_OFFSET: u32 = 5;

/// Time limit of a program in the interpreter: changed programs may not terminate.
const PATIENCE: Duration = Duration::from_secs(3);

/// Set of variants in which a program runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// All variants that matter.
    Full,
    /// Only the interpreter, at the first of the lane group sizes, on a device of the calling thread.
    Interpreter,
    /// Like `Interpreter`, under the watcher of default devices.
    Checked,
}

impl Effort {
    /// Variants of a module at these lane group sizes.
    fn variants(self, sizes: &[u32], words: &[u32]) -> Vec<Variant> {
        match self {
            Effort::Full => lanes::variants(sizes, words),
            Effort::Interpreter | Effort::Checked => {
                vec![Variant::interpreter(sizes.first().copied().unwrap_or(8))]
            }
        }
    }
}

/// Runs a program from words in these variants; reports unexpected values to `fail`.
///
/// # Errors
/// Any other failure.
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
    if launched(program, words, effort, counts, fail)? {
        return Ok(());
    }
    let first = program.lanes.as_ref().and_then(|list| list.first()).copied();
    let Some(shader) = lowered(program, words, stage, effort, first)? else { return Ok(()) };
    let resources = !program.images.is_empty() || !program.elements.is_empty();
    let needs_device = resources || !program.scenes.is_empty();
    if needs_device || program.target.is_some() || program.depth.is_some() {
        return on_devices(program, words, &shader, effort, counts, fail);
    }
    if let Some((line, message)) = other_modes(program, &shader, counts) {
        fail(line, message);
        return Ok(());
    }
    let job = program.job(&shader)?;
    let layout = lanes::layout(&job.buffers);
    counts.modules += 1;
    let mut reference: Option<Outcome> = None;
    let mut builder = lanes::Builder::default();
    for variant in effort.variants(&program.sizes(&shader), words) {
        let shader = sized(program, words, &shader, effort, variant.lanes)?;
        let mut build = || {
            let f = builder.build(&shader, &layout, variant)?;
            match effort {
                Effort::Full => lanes::run(&shader, &f, &job),
                Effort::Interpreter => lanes::run_for(&shader, &f, &job, PATIENCE),
                Effort::Checked => lanes::run_watched(&shader, &layout, &job, variant.lanes),
            }
        };
        counts.runs += 1;
        let outcome = build();
        if let Some((line, wanted)) = &program.aborts {
            if let Err(found) = aborted(outcome, wanted) {
                fail(*line, format!("{found} ({variant})"));
                return Ok(());
            }
            counts.values += 1;
            continue;
        }
        let outcome = outcome.map_err(|e| format!("{variant}: {e}"))?;
        if let Some((line, message)) = unexpected(program, &outcome, &shader, counts)? {
            fail(line, format!("{message} ({variant})"));
            return Ok(());
        }
        if let Some(r) = &reference
            && *r != outcome
            && !differs_in_nan(r, &outcome, &shader)
        {
            fail(1, format!("{} ({variant})", difference(r, &outcome)));
            return Ok(());
        }
        reference.get_or_insert(outcome);
    }
    Ok(())
}

/// The line of modes that a shader lacks, with its own.
fn other_modes(program: &Program, shader: &Shader, counts: &mut Counts) -> Option<(usize, String)> {
    let modes = format!("{:?}", shader.kind);
    for (line, wanted) in &program.modes {
        counts.values += 1;
        if !modes.contains(wanted.as_str()) {
            return Some((*line, format!("the modes are {modes}")));
        }
    }
    None
}

/// Checks that a program aborts with a message that contains the wanted text.
fn aborted(outcome: Result<Outcome, Error>, wanted: &str) -> Result<(), String> {
    match outcome {
        Err(Error::Aborted { text, .. }) if text.contains(wanted) => Ok(()),
        Err(other) => Err(other.to_string()),
        Ok(_) => Err("no abort".into()),
    }
}

/// Runs a launch of rays or of a kernel in every variant, and compares its buffers. Returns false for other programs.
fn launched(
    program: &Program,
    words: &[u32],
    effort: Effort,
    counts: &mut Counts,
    fail: &mut dyn FnMut(usize, String),
) -> Result<bool, String> {
    let launched = match (program.rays, &program.launch) {
        (Some(size), _) if program.error.is_none() => rays::trace(program, words, size, effort, counts)?,
        (_, Some(range)) => kernel::launch(program, words, range, effort, counts)?,
        _ => return Ok(false),
    };
    for (name, got) in launched {
        if let Some((line, message)) = unexpected_bytes(program, &got, counts) {
            fail(line, format!("{message} ({name})"));
            break;
        }
    }
    Ok(true)
}

/// The shader for a subgroup size: lowered again if its scalars depend on the size.
fn sized(
    program: &Program,
    words: &[u32],
    shader: &Arc<Shader>,
    effort: Effort,
    lanes: u32,
) -> Result<Arc<Shader>, String> {
    match shader.subgroup_size {
        Some(size) if size != lanes => {
            let other = lowered(program, words, Some(shader.stage), effort, Some(lanes))?;
            Ok(other.ok_or("refused at another subgroup size")?)
        }
        _ => Ok(shader.clone()),
    }
}

/// Lowers a module for a subgroup size. Returns `None` if it is refused as the program expects.
fn lowered(
    program: &Program,
    words: &[u32],
    stage: Option<Stage>,
    effort: Effort,
    lanes: Option<u32>,
) -> Result<Option<Arc<Shader>>, String> {
    let lower = || {
        let module = spirv::Module::parse(words)?;
        let entry = module.entry_points().iter().find(|e| stage.is_none_or(|s| s == e.stage));
        let entry = entry.ok_or_else(|| Error::invalid("no entry point of the stage"))?;
        let mappings = (!program.descriptors.is_empty()).then_some(&[][..]);
        let beside = match effort {
            Effort::Checked => spirv::Beside::PlacesAndNotes,
            Effort::Full | Effort::Interpreter => spirv::Beside::Nothing,
        };
        module.lower_as(
            &entry.name,
            entry.stage,
            &spirv::Lowering {
                spec: &program.constants,
                beside,
                lanes,
                mappings,
                wide_indexing: program.wide_indexing,
            },
        )
    };
    match (lower(), &program.error) {
        (Ok(_), Some(want)) => Err(format!("accepted, expected an error with `{want}`")),
        (Err(e), Some(want)) if e.to_string().contains(want.as_str()) => Ok(None),
        (Err(e), _) => Err(e.to_string()),
        (Ok(shader), None) => Ok(Some(Arc::new(shader))),
    }
}

/// Compares an outcome with the expected values. Returns the line and a text of the first other value.
fn unexpected(
    program: &Program,
    outcome: &Outcome,
    shader: &Shader,
    counts: &mut Counts,
) -> Result<Option<(usize, String)>, String> {
    for expect in &program.expects {
        let got = read(expect, outcome, shader)?;
        for (i, want) in expect.want.iter().enumerate() {
            let Some(want) = *want else { continue };
            counts.values += 1;
            let Some(&got) = got.get(i) else {
                return Err(format!("line {}: no value {i}", expect.line));
            };
            if !expect.tolerance.accepts(expect.ty, got, want) {
                let (got, want) = (expect.ty.show(got), expect.ty.show(want));
                return Ok(Some((expect.line, format!("value {i} is {got}, expected {want}"))));
            }
        }
    }
    Ok(None)
}

/// Names of the instructions of a module, in the notation of `test`.
fn instructions(words: &[u32]) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let mut at = 5;
    while let Some(&word) = words.get(at) {
        let (op, n) = (word & 0xffff, (word >> 16).max(1) as usize);
        out.extend(grammar::instruction(op).map(|row| format!("Op{}", row.opname)));
        if op == Op::ExtInst as u32
            && let Some(name) = words.get(at + 4).and_then(|n| GlslStd450Op::from_u32(*n))
        {
            out.insert(format!("GLSL {name:?}"));
        }
        at += n;
    }
    out
}

/// Runs a program with images in every device configuration, and compares the results.
fn on_devices(
    program: &Program,
    words: &[u32],
    shader: &Shader,
    effort: Effort,
    counts: &mut Counts,
    fail: &mut dyn FnMut(usize, String),
) -> Result<(), String> {
    let test = shader_test(program, words);
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
    let sizes = program.sizes(shader);
    let ways = match effort {
        Effort::Full => images::ways_at(&sizes, words),
        Effort::Interpreter | Effort::Checked => {
            own = images::interpreter()?;
            sizes.first().map(|&lanes| (&own, lanes)).into_iter().collect()
        }
    };
    for (way, lanes) in ways {
        let test = program.scenes.iter().try_fold(test.clone(), |test, scene| {
            let built = scene.build(&way.device, QUERIED_OFFSET).map_err(|e| e.to_string())?;
            Ok::<_, String>(test.structure(scene.place.0, scene.place.1, &built))
        })?;
        let name = format!("S = {lanes}, {}", way.name);
        let got = images::run(&test, way, lanes, &over, &reads).map_err(|e| format!("{name}: {e}"))?;
        counts.runs += 1;
        if let Some((line, message)) = unexpected_bytes(program, &got, counts) {
            fail(line, format!("{message} ({name})"));
            return Ok(());
        }
    }
    Ok(())
}

/// A test with the resources and constants of a program.
fn shader_test(program: &Program, words: &[u32]) -> ShaderTest {
    let mut test = ShaderTest::spirv(words).loose();
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
    test
}

/// Compares the bytes of each expected place. Returns the line and a text of the first other value.
fn unexpected_bytes(program: &Program, got: &[Vec<u8>], counts: &mut Counts) -> Option<(usize, String)> {
    for (expect, bytes) in program.expects.iter().zip(got) {
        let skip = if let At::Buffer(.., offset) | At::Argument(_, offset) = expect.at { offset } else { 0 };
        let n = memory(expect.ty, 0).len();
        let word = |c: &[u8]| c.iter().rev().fold(0, |w, b| w << 8 | u64::from(*b));
        let got: Vec<u64> = bytes.get(skip..).unwrap_or(&[]).chunks_exact(n).map(word).collect();
        for (i, want) in expect.want.iter().enumerate() {
            let Some(want) = *want else { continue };
            counts.values += 1;
            let value = got.get(i).copied().unwrap_or(0);
            if i >= got.len() || !expect.tolerance.accepts(expect.ty, value, want) {
                let (value, want) = (expect.ty.show(value), expect.ty.show(want));
                return Some((expect.line, format!("value {i} is {value}, expected {want}")));
            }
        }
    }
    None
}

/// Describes the first difference of two outcomes.
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
        At::Argument(..) | At::Image(..) | At::Target => {
            Err(format!("line {}: there are no images and arguments", expect.line))
        }
        At::Alive => Ok(outcome.alive.iter().map(|a| u64::from(*a)).collect()),
    }
}

impl Program {
    /// Lane group sizes at which the program runs.
    fn sizes(&self, shader: &Shader) -> Vec<u32> {
        match (&self.lanes, shader.observes_subgroup) {
            (Some(list), _) => list.clone(),
            (None, true) => vec![8],
            (None, false) => vec![8, 4, 16, 32],
        }
    }
}

/// True if two outcomes differ only in the bits of NaNs, which the contract excludes: such words are NaNs of f32 in both.
fn differs_in_nan(a: &Outcome, b: &Outcome, shader: &Shader) -> bool {
    with_one_nan(a.clone(), shader) == with_one_nan(b.clone(), shader)
}

/// For each word of a record of these scalars, `true` if the scalar is a float.
fn are_floats<'a>(list: impl IntoIterator<Item = &'a Interface>) -> Vec<bool> {
    let words = |i: &Interface| if i.ty.bytes() == 8 { 2 } else { 1 };
    list.into_iter().flat_map(|i| std::iter::repeat_n(i.ty.is_float(), words(i))).collect()
}

/// Gives all words of values that are NaNs of f32 the bits of one NaN, except for integers. In buffers and payloads, whose
/// types are not known here, each word may be a float.
fn with_one_nan(mut outcome: Outcome, shader: &Shader) -> Outcome {
    let one = |word: u32| if f32::from_bits(word).is_nan() { f32::NAN.to_bits() } else { word };
    for bytes in outcome.buffers.iter_mut().flat_map(|buffer| buffer.bytes.chunks_exact_mut(4)) {
        let word = one(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    outcome.tasks.iter_mut().flat_map(|task| &mut task.payload).for_each(|word| *word = one(*word));
    let in_floats = |are_floats: &[bool], records: &mut [Vec<u32>]| {
        for (word, is_float) in records.iter_mut().flat_map(|record| record.iter_mut().zip(are_floats)) {
            *word = if *is_float { one(*word) } else { *word };
        }
    };
    let (outputs, primitives) = (are_floats(&shader.outputs), are_floats(&shader.primitive_outputs));
    in_floats(&outputs, &mut outcome.output);
    in_floats(&are_floats(&shader.patch_outputs), &mut outcome.patches);
    for (number, stream) in outcome.streams.iter_mut().enumerate() {
        in_floats(&are_floats(shader.stream(number as u32)), &mut stream.vertices);
    }
    for mesh in &mut outcome.meshes {
        in_floats(&outputs, &mut mesh.vertices);
        in_floats(&primitives, &mut mesh.primitives);
    }
    outcome
}

#[cfg(test)]
mod tests {
    use quadrille_jit::ir::{Slot, StageKind, Ty};

    use super::*;

    #[test]
    fn only_nans_may_differ() {
        let slot = |location| Slot::Location { location, component: 0, index: 0 };
        let mut shader = Shader::empty(StageKind::Vertex, "main");
        shader.outputs = vec![
            Interface::new(slot(0), Ty::F64),
            Interface::new(slot(1), Ty::F32),
            Interface::new(slot(2), Ty::I32),
        ];
        let differs = |a: [u32; 2], b: [u32; 2]| {
            let of = |[float, integer]: [u32; 2]| Outcome {
                output: vec![vec![1, 2, float, integer]],
                ..Outcome::default()
            };
            differs_in_nan(&of(a), &of(b), &shader)
        };
        let nans = [0x7fc0_0000, 0xffc0_0001, 0x7f80_0001];
        assert!(differs([nans[0], 1], [nans[1], 1]));
        assert!(differs([nans[2], 1], [nans[0], 1]));
        assert!(!differs([nans[0], 1], [nans[0], 2]));
        assert!(!differs([nans[0], 1], [0x7f80_0000, 1]));
        // -1 and -2.
        assert!(!differs([nans[0], !0], [nans[0], !1]));
        let of = |words: &[u32]| Outcome { output: vec![words.to_vec()], ..Outcome::default() };
        assert!(!differs_in_nan(&of(&[1]), &of(&[1, 2]), &shader));
    }
}
