//! Cases for the drivers, with the types of their results and our own answers.

use std::sync::Arc;

use quadrille_jit::ir::{ResourceKind, Shader};
use quadrille_jit::{CpuLevel, Tier, spirv};

use super::wire::Case;
use crate::filetest::{self, Body, FileTest};
use crate::lanes::{self, Job, Variant, Work};
use crate::table;
use crate::tools;
use crate::ulp;
use crate::value::Scalar;

/// A result value.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// Type of the value.
    pub ty: Scalar,
    /// Bits of the value.
    pub bits: u64,
}

/// Extracts the values from buffers.
type Look = Box<dyn Fn(&[Vec<u8>]) -> Vec<Value>>;

/// A case, with the instructions that it tests and a function that reads its buffers.
pub struct Asked {
    /// Rows of the instruction table.
    pub instructions: Vec<String>,
    /// Name: file and form.
    pub form: String,
    /// Case for the drivers.
    pub case: Case,
    /// Our answer.
    pub ours: Vec<Value>,
    /// Extracts the values from a driver's buffers.
    pub look: Look,
}

/// Makes a case from a module, by lowering and running it here.
fn asked(
    words: Vec<u32>,
    constants: &[(u32, u64)],
    job: &Job,
    lanes: Option<u32>,
    instructions: Vec<String>,
    form: String,
    look: Look,
) -> Result<Asked, String> {
    let Work::Compute(groups) = job.work else { return Err("not compute".into()) };
    if let Some(Err(e)) = tools::validate(&words) {
        return Err(format!("spirv-val: {e}"));
    }
    let module = spirv::Module::parse(&words).map_err(|e| e.to_string())?;
    let entry = module.entry_points().first().ok_or("no entry point")?.clone();
    let shader = module.lower(&entry.name, entry.stage, constants).map_err(|e| e.to_string())?;
    let shader = Arc::new(shader);
    let size = lanes.unwrap_or(8);
    let variant = Variant::code(size, Tier::Optimized, CpuLevel::host());
    let f = lanes::build(&shader, &lanes::layout(&job.buffers), variant).map_err(|e| e.to_string())?;
    let outcome = lanes::run(&shader, &f, job).map_err(|e| e.to_string())?;
    let bytes: Vec<Vec<u8>> = outcome.buffers.into_iter().map(|b| b.bytes).collect();
    let case = Case {
        words,
        constants: constants.iter().map(|(id, bits)| (*id, *bits, constant_bytes(&module, *id))).collect(),
        buffers: job.buffers.iter().map(|b| (b.clone(), is_uniform(&shader, b.set, b.binding))).collect(),
        push: job.push.clone(),
        groups,
        lanes: if shader.observes_subgroup { size } else { 0 },
    };
    Ok(Asked { instructions, form, case, ours: look(&bytes), look })
}

/// Size of a specialization constant in bytes: four for booleans and everything up to 32 bits.
fn constant_bytes(_: &spirv::Module, _: u32) -> u32 {
    4
}

fn is_uniform(shader: &Shader, set: u32, binding: u32) -> bool {
    shader
        .bindings
        .iter()
        .any(|b| (b.set, b.binding) == (set, binding) && b.kind == ResourceKind::UniformBuffer)
}

/// The cases of all file tests whose name contains `filter`.
pub fn filetests(filter: &str, skipped: &mut Vec<String>) -> Vec<Asked> {
    let mut list = Vec::new();
    for file in filetest::all().into_iter().filter(|f| f.name.contains(filter)) {
        let made = match &file.body {
            Ok(Body::Table(t)) => tables(t, &file),
            Ok(Body::Program(p)) if p.error().is_some() => continue,
            Ok(Body::Program(_)) => program(&file).into_iter().collect(),
            Err((_, e)) => vec![Err(e.clone())],
        };
        for m in made {
            match m {
                Ok(a) => list.push(a),
                Err(e) if e == "not compute" => {}
                Err(e) => skipped.push(format!("{}: {e}", file.name)),
            }
        }
    }
    list
}

fn tables(t: &table::Table, file: &FileTest) -> Vec<Result<Asked, String>> {
    table::generate(t)
        .into_iter()
        .map(|g| {
            let words = tools::assemble(&g.text, false)?;
            let (job, form) = (g.job.clone(), format!("{} {}", file.name, g.kind));
            let look = Box::new(move |buffers: &[Vec<u8>]| {
                let Some(out) = buffers.get(table::OUTPUT) else { return Vec::new() };
                let list = g.values(out);
                list.into_iter().map(|(ty, bits)| Value { ty, bits }).collect()
            });
            asked(words, &[], &job, None, file.tests(), form, look)
        })
        .collect()
}

fn program(file: &FileTest) -> Option<Result<Asked, String>> {
    let Ok(Body::Program(p)) = &file.body else { return None };
    let (words, stage) = match file.words(false) {
        Ok(w) => w,
        Err(e) => return Some(Err(e)),
    };
    if stage.is_some_and(|s| s != quadrille::frontend::Stage::Compute) {
        return None;
    }
    let job = p.compute_job()?;
    let places = p.buffer_values();
    let look = Box::new(move |buffers: &[Vec<u8>]| {
        let mut list = Vec::new();
        for (index, at, ty) in &places {
            let n = ty.bits().max(32) as usize / 8;
            let n = if ty.bits() < 32 && *ty != Scalar::Bool { ty.bits() as usize / 8 } else { n };
            let bytes = buffers.get(*index).and_then(|b| b.get(*at..at + n));
            let bits = bytes.map_or(0, |b| b.iter().rev().fold(0, |w, b| w << 8 | u64::from(*b)));
            list.push(Value { ty: *ty, bits });
        }
        list
    });
    let lanes = p.lane_sizes().map(|l| if l.contains(&8) { 8 } else { l.first().copied().unwrap_or(8) });
    Some(asked(words, p.constants(), &job, lanes, p.tests.clone(), file.name.clone(), look))
}

/// Sweeps of the functions of shader maths.
pub fn sweeps(filter: &str, tuples: u64, skipped: &mut Vec<String>) -> Vec<Asked> {
    let mut list = Vec::new();
    for f in ulp::all().iter().filter(|f| f.name.contains(filter) && !f.name.starts_with("OpenCL ")) {
        for &width in f.widths {
            let (text, job, to) = ulp::sweep(f, width, tuples);
            let name = match f.name.starts_with("Op") {
                true => f.name.to_string(),
                false => format!("GLSL {}", f.name),
            };
            let look = Box::new(move |buffers: &[Vec<u8>]| {
                let n = to.words() * 4;
                let Some(out) = buffers.get(1) else { return Vec::new() };
                let value = |c: &[u8]| c.iter().rev().fold(0, |w, b| w << 8 | u64::from(*b)) & to.mask();
                out.chunks_exact(n).map(|c| Value { ty: to, bits: value(c) }).collect()
            });
            let made = tools::assemble(&text, false)
                .and_then(|words| asked(words, &[], &job, None, vec![name], format!("sweep f{width}"), look));
            match made {
                Ok(a) => list.push(a),
                Err(e) => skipped.push(format!("{} f{width}: {e}", f.name)),
            }
        }
    }
    list
}
