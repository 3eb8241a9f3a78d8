//! Checks stages against each other and against the pipeline state: inputs that the previous stage does not output,
//! payloads that no task shader writes, push constants that nobody set.
//!
//! The state is known for all draws of a render pass together. If the draws differ, only errors common to all of them
//! are reported. Outputs that are declared but not written are reported for the previous stage: see `outputs`.

use std::sync::{Arc, Mutex, PoisonError};

use crate::events::Runs;
use quadrille_jit::interp::watch::View;
use quadrille_jit::ir::{Imm, Inst, Interface, Op, Shader, Slot, Stage, Value, each_inst};
use rustc_hash::FxHashMap;

use crate::interface::{self, Scalar};
use crate::kind::Kind;
use crate::outputs::Taken;
use crate::place;
use crate::report::{Other, Report};
use crate::values::Values;

/// Errors of a shader that all its pipelines have in common.
#[derive(Clone)]
struct Lacks {
    /// True for each input that the previous stage does not output.
    inputs: Vec<bool>,
    /// True for each input of the patch that the previous stage does not output.
    patch: Vec<bool>,
    /// Handles of the payload of a mesh shader, if no task shader writes any of it.
    payload: Vec<Value>,
    /// Bytes of push constants that were set.
    pushed: u32,
    /// Outputs that are read.
    taken: Taken,
}

impl Lacks {
    fn and(&mut self, other: &Lacks) {
        let both = |a: &mut Vec<bool>, b: &[bool]| a.iter_mut().zip(b).for_each(|(a, b)| *a &= b);
        both(&mut self.inputs, &other.inputs);
        both(&mut self.patch, &other.patch);
        self.payload.retain(|handle| other.payload.contains(handle));
        self.pushed = self.pushed.max(other.pushed);
        self.taken.and(&other.taken);
    }
}

type Known = FxHashMap<usize, (Arc<Shader>, Lacks)>;

/// State of the shaders that run now, and of those of the next work.
#[derive(Default)]
pub struct Stages(Mutex<[Known; 2]>);

impl Stages {
    /// Called before these shaders run together.
    pub fn runs(&self, runs: &Runs<'_>) {
        let [_, next] = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut before: Option<&Arc<Shader>> = None;
        for (i, shader) in runs.stages.iter().enumerate() {
            let lacking = |input: &Interface| before.is_some_and(|b| !puts_out(b, input));
            let lacking_of_patch =
                |input: &Interface| before.is_some_and(|b| !holds(&b.patch_outputs, input));
            let lacks = Lacks {
                inputs: shader.inputs.iter().map(lacking).collect(),
                patch: shader.patch_inputs.iter().map(lacking_of_patch).collect(),
                payload: unwritten_payload(shader, before),
                pushed: runs.pushed,
                taken: Taken::of(runs.stages, i, &runs.fixed),
            };
            add(next, shader, &lacks);
            before = Some(shader);
        }
    }

    /// Starts the next work, with the shaders recorded last.
    pub fn next(&self) {
        let [now, next] = &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *now = std::mem::take(next);
    }

    /// True if a shader has any of these errors.
    pub fn lacks(&self, shader: &Arc<Shader>) -> bool {
        let wrong = |l: &Lacks| {
            let inputs = l.inputs.contains(&true) || l.patch.contains(&true);
            inputs || l.pushed < shader.push_size || !l.taken.missing.is_empty()
        };
        self.of(shader).as_ref().is_some_and(wrong)
    }

    /// Returns the errors of a shader.
    fn of(&self, shader: &Arc<Shader>) -> Option<Lacks> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = known.iter().filter_map(|k| k.get(&(Arc::as_ptr(shader) as usize)));
        let mut lacks = found.next()?.1.clone();
        found.for_each(|(_, other)| lacks.and(other));
        Some(lacks)
    }
}

fn add(known: &mut Known, shader: &Arc<Shader>, lacks: &Lacks) {
    let entry = known.entry(Arc::as_ptr(shader) as usize);
    entry.and_modify(|(_, old)| old.and(lacks)).or_insert_with(|| (shader.clone(), lacks.clone()));
}

/// True if a stage outputs an input of the next one that is not of the patch.
fn puts_out(stage: &Shader, input: &Interface) -> bool {
    holds(&stage.outputs, input) || holds(&stage.primitive_outputs, input)
}

/// True if outputs contain an input of the next stage. Built-ins always count as output.
fn holds(outputs: &[Interface], input: &Interface) -> bool {
    let Slot::Location { location, component, .. } = input.slot else { return true };
    outputs.iter().any(|o| {
        matches!(o.slot, Slot::Location { location: l, component: c, .. } if (l, c) == (location, component))
    })
}

/// Returns the handles of the payload of a mesh shader, unless a task shader writes some of it.
fn unwritten_payload(shader: &Shader, before: Option<&Arc<Shader>>) -> Vec<Value> {
    if shader.stage != Stage::Mesh || before.is_some_and(|task| writes_payload(task)) {
        return Vec::new();
    }
    payload(shader)
}

/// Returns the handles of the payload of a shader.
fn payload(shader: &Shader) -> Vec<Value> {
    let mut handles = Vec::new();
    each_inst(&shader.body, &mut |inst| {
        if inst.op == Op::Payload {
            handles.extend(inst.results.first());
        }
    });
    handles
}

/// True if a task shader may write some of its payload.
fn writes_payload(task: &Shader) -> bool {
    let handles = payload(task);
    let mut writes = false;
    each_inst(&task.body, &mut |inst| {
        writes |= inst.op != Op::LoadBuffer && inst.args.iter().any(|arg| handles.contains(arg));
    });
    writes
}

/// Interface checks of a lane function call.
pub struct Interfaces {
    lacks: Option<Lacks>,
}

impl Interfaces {
    /// Creates the checks of a call.
    pub fn new(stages: &Stages, shader: &Arc<Shader>) -> Interfaces {
        Interfaces { lacks: stages.of(shader) }
    }

    /// Called after an instruction has been executed and `values` updated.
    pub fn after(&mut self, at: &View<'_>, inst: &Inst, values: &mut Values) {
        let Some(lacks) = &self.lacks else { return };
        let shader = at.shader();
        if inst.op == Op::LoadBuffer && inst.args.first().is_some_and(|of| lacks.payload.contains(of)) {
            let message = "the payload is read, but no task shader writes it".to_owned();
            let report = place::report_op(at, inst, Kind::InputWithoutOutput, message).about("payload");
            inst.results.iter().for_each(|&v| values.poison(at, inst, v, at.active(), &report));
            return;
        }
        // Numbers of causes follow those of the other inputs.
        let (all, lacking, input, from) = match (inst.op, &inst.imm) {
            (Op::LoadInput, &Imm::Slot(k)) => (&shader.inputs, &lacks.inputs, k as usize, 0),
            (Op::LoadPatchInput, &Imm::Slot(k)) => {
                (&shader.patch_inputs, &lacks.patch, k as usize, shader.inputs.len())
            }
            _ => return,
        };
        if lacking.get(input) == Some(&true) {
            let (cause, report) = missing_input(shader, all, lacking, input);
            let (read, _) = place::frames(at.shader(), inst.src, inst.op.name());
            let report = report.other(Other { what: "read".into(), at: read, invocation: None });
            values.poison_for(at, inst, inst.results[0], at.active(), (&report, Some(from + cause)));
        }
    }

    /// Bytes of push constants that were set.
    pub fn pushed(&self) -> u32 {
        self.lacks.as_ref().map_or(u32::MAX, |l| l.pushed)
    }

    /// Outputs that are read, if known.
    pub fn taken(&self) -> Option<Taken> {
        self.lacks.as_ref().map(|l| l.taken.clone())
    }
}

/// Creates a report about an input variable with all its missing scalars, and returns it with the number of the first of
/// them, which distinguishes causes.
fn missing_input(shader: &Shader, inputs: &[Interface], lacks: &[bool], input: usize) -> (usize, Report) {
    let named = |k: usize| Scalar::of(shader, false, inputs[k].slot);
    let of = named(input);
    let all: Vec<(usize, Scalar)> =
        (0..inputs.len()).map(|k| (k, named(k))).filter(|(_, s)| s.variable == of.variable).collect();
    let lacking: Vec<&(usize, Scalar)> = all.iter().filter(|(k, _)| lacks[*k]).collect();
    let scalars: Vec<&Scalar> = lacking.iter().map(|(_, scalar)| scalar).collect();
    let whole = lacking.len() == all.len();
    let (is, them) = if whole || lacking.len() == 1 { ("is", "it") } else { ("are", "them") };
    let names = interface::list(&scalars, whole);
    let message = format!("{names} {is} read, but the previous stage does not write {them}");
    let report = of.report(Kind::InputWithoutOutput, message);
    (lacking.first().map_or(input, |l| l.0), report)
}
