//! Checks of rays: their operands, ray queries, acceleration structures, shader binding tables, and the payloads,
//! callable data and hit attributes that shaders exchange.
//!
//! ```text
//!   operands    rules about the operands of a ray and of a hit, as pure functions
//!   queries     states of the ray queries of invocations
//!   structures  what the device has told about acceleration structures
//!   records     records of shader binding tables
//! ```
//!
//! Variables that cross shaders are followed by `memory::initial`, as other variables are: this folder only tells it
//! which of their scalars arrived unwritten. `crossing` knows the words that cross shaders.

mod operands;
mod queries;
mod records;
mod structures;

use std::sync::Arc;

use quadrille_jit::abi::MAX_LANES;
use quadrille_jit::interp::watch::{Invocation, View, lanes};
use quadrille_jit::ir::{Imm, Inst, Op, RayCall, RayOp, RaySlot, Slot, Value, Var};
use rustc_hash::FxHashMap;

pub use records::report as record_report;
pub use structures::Structures;

use crate::crossing::Crossing;
use crate::crossing::frames::{self, Frame};
use crate::kind::Kind;
use crate::memory::Memory;
use crate::outputs::Plan;
use crate::pending::{Pending, Where};
use crate::place::report;
use crate::report::Report;
use crate::values::Values;
use queries::Queries;

/// Ray checks of a lane function call.
pub struct Rays {
    pending: Pending,
    crossing: Arc<Crossing>,
    plan: Arc<Plan>,
    structures: Arc<Structures>,
    queries: Queries,
    /// Lanes in which a word that came from another shader is unwritten.
    unwritten: FxHashMap<Value, u32>,
}

impl Rays {
    /// Creates the checks of a call.
    pub fn new(
        pending: Pending,
        (crossing, plan): (&Arc<Crossing>, &Arc<Plan>),
        structures: &Arc<Structures>,
    ) -> Rays {
        Rays {
            pending,
            crossing: crossing.clone(),
            plan: plan.clone(),
            structures: structures.clone(),
            queries: Queries::default(),
            unwritten: FxHashMap::default(),
        }
    }

    /// Starts a lane group.
    pub fn start(&mut self, at: &View<'_>) {
        self.queries.start(at);
        self.unwritten.clear();
    }

    /// Called before an instruction is executed.
    pub fn before(&mut self, at: &View<'_>, inst: &Inst, memory: &mut Memory, values: &Values) {
        match (inst.op, &inst.imm) {
            (Op::RayCall, &Imm::Call(call)) => {
                match call {
                    RayCall::Trace | RayCall::HitTrace => self.ray(at, inst, &inst.args, memory, values),
                    RayCall::Report => self.reported(at, inst),
                    RayCall::Execute | RayCall::HitExecute | RayCall::HitGet => {}
                }
                if matches!(call, RayCall::Trace | RayCall::HitExecute) {
                    self.nested(at, inst, call);
                }
                frames::enter(self.frame(at, inst, call, memory, values));
            }
            (Op::RayStep | Op::RayGet, &Imm::Ray(op)) => {
                if op == RayOp::Initialize {
                    self.ray(at, inst, &inst.args[1..], memory, values);
                }
                self.queries.before(&mut self.pending, at, inst, op);
            }
            // Other instructions neither take rays nor ask about them.
            _ => {}
        }
    }

    /// Called after an instruction has been executed. Returns a scalar of a variable that was set to a word of another
    /// shader, with the lanes in which nobody wrote this word.
    pub fn after(&mut self, at: &View<'_>, inst: &Inst) -> Option<(Var, u32, u32)> {
        match (inst.op, &inst.imm) {
            (Op::RayCall, &Imm::Call(call)) => self.called(at, inst, call),
            (Op::RayStep, &Imm::Ray(op)) => self.queries.after(at, inst, op),
            (Op::LoadInput, &Imm::Slot(input)) => {
                let slot = at.shader().inputs.get(input as usize)?.slot;
                if let Slot::Ray(slot @ (RaySlot::Payload(_) | RaySlot::Attribute(_))) = slot {
                    self.unwritten.insert(inst.results[0], incoming(at, slot));
                }
            }
            (Op::VarSet, &Imm::Var { var, elem }) => {
                let source = self.crossing.source(inst)?;
                let lanes = self.unwritten.get(&source).copied().unwrap_or(0) & at.active();
                return (lanes != 0).then_some((var, elem, lanes));
            }
            // Other instructions pass on no words between shaders.
            _ => {}
        }
        None
    }

    /// Called when a lane group has ended: the caller learns which words of the payload nobody has written.
    pub fn finish(&mut self, at: &View<'_>, written: impl Fn(Var, u32) -> u32) {
        if !at.shader().stage.is_of_rays() {
            return;
        }
        let shader = at.shader();
        for (output, home) in shader.outputs.iter().zip(&self.plan.homes) {
            let Slot::Ray(RaySlot::Payload(word)) = output.slot else { continue };
            let unwritten = home.map_or(0, |(var, elem)| !written(var, elem));
            for lane in lanes(at.full()) {
                frames::set_payload(launch(at, lane), word, unwritten >> lane & 1 == 1);
            }
        }
    }

    /// Checks a ray: `args` begin with the reference of the structure.
    fn ray(&mut self, at: &View<'_>, inst: &Inst, args: &[Value], memory: &mut Memory, values: &Values) {
        let trace = inst.op == Op::RayCall;
        let name = if trace { "OpTraceRayKHR" } else { "OpRayQueryInitializeKHR" };
        // Between flags with mask and the origin, a trace has three operands that select records.
        let floats = if trace { &args[6..14] } else { &args[3..11] };
        let told = at.active() & !at.helpers();
        for lane in lanes(told) {
            let ray: [f32; 8] = std::array::from_fn(|i| f32::from_bits(at.value(floats[i], lane) as u32));
            for (kind, what) in
                operands::ray(&ray).into_iter().chain(operands::flags(at.value(args[1], lane) as u32))
            {
                let origin = floats
                    .iter()
                    .find_map(|&v| values.made(at, v, lane))
                    .filter(|_| kind == Kind::InvalidRay);
                self.add(at, inst, lane, kind, || {
                    let report = report(at, inst, name, kind, format!("{name} with {what}"));
                    origin.into_iter().fold(report, Report::other)
                });
            }
            let address = at.value(args[0], lane);
            let what = || memory.names().structure(args[0], at, lane);
            if let Some((kind, state)) = self.structures.fault(address) {
                let what = what();
                self.add(at, inst, lane, kind, || {
                    let message = format!("{name} in {what}, {state}");
                    report(at, inst, name, kind, message).about(what.clone())
                });
            }
            let Some(range) = self.structures.range(address) else { continue };
            let what = what();
            memory.structure_read(at, inst, lane, &what, range);
        }
    }

    /// Checks the nesting of a call whose shaders may trace. Spec: Vulkan,
    /// VUID-vkCmdTraceRaysKHR-maxPipelineRayRecursionDepth-03679.
    fn nested(&mut self, at: &View<'_>, inst: &Inst, call: RayCall) {
        let (depth, most) = (frames::depth(), at.max_trace_depth());
        if depth < most {
            return;
        }
        let name = frames::name(call);
        for lane in lanes(at.active()) {
            self.add(at, inst, lane, Kind::RecursionTooDeep, || {
                let message =
                    format!("{name} at recursion depth {}, but that of the pipeline is {most}", depth + 1);
                report(at, inst, name, Kind::RecursionTooDeep, message)
            });
        }
    }

    /// Checks a reported hit. Spec: Vulkan, VUID-RuntimeSpirv-OpReportIntersectionKHR-06998.
    fn reported(&mut self, at: &View<'_>, inst: &Inst) {
        let name = "OpReportIntersectionKHR";
        for lane in lanes(at.active()) {
            let (t, kind) =
                (f32::from_bits(at.value(inst.args[0], lane) as u32), at.value(inst.args[1], lane));
            for what in operands::hit(t, kind as u32) {
                self.add(at, inst, lane, Kind::InvalidHit, || {
                    report(at, inst, name, Kind::InvalidHit, format!("{name} with {what}"))
                });
            }
        }
    }

    fn add(&mut self, at: &View<'_>, inst: &Inst, lane: usize, kind: Kind, report: impl FnOnce() -> Report) {
        let place = Where::instruction(inst.src, std::ptr::from_ref(inst).addr());
        self.pending.add(at, lane, (place, 0, kind), report);
    }

    /// The frame of a call, with the words that the caller has not written.
    fn frame(&self, at: &View<'_>, inst: &Inst, call: RayCall, memory: &Memory, values: &Values) -> Frame {
        let (scalars, tys) = (&inst.args[call.operands().len()..], at.shader());
        let mut unwritten = Vec::new();
        for (i, &v) in scalars.iter().enumerate() {
            let home = self.crossing.passed(inst, i);
            let lacks = home.map_or(0, |(var, elem)| !memory.has_written(at, var, elem));
            let lanes = (lacks | values.undefined(at, v)) & at.active();
            unwritten.extend(std::iter::repeat_n(lanes, tys.ty(v).bytes().div_ceil(4) as usize));
        }
        let step = self.pending.session().step();
        let mut frame = Frame::new(at, inst, call, step, unwritten);
        for lane in lanes(at.active()) {
            frame.launch[lane] = launch(at, lane);
        }
        frame
    }

    /// Takes the words that a call returns.
    fn called(&mut self, at: &View<'_>, inst: &Inst, call: RayCall) {
        let Some(frame) = frames::leave() else { return };
        if call == RayCall::Report {
            for lane in lanes(at.active()).filter(|&lane| at.value(inst.results[0], lane) != 0) {
                frames::accepted(launch(at, lane), frame.words_of(lane));
            }
            return;
        }
        // Words of hit objects come before those of the payload.
        let Some(before) = call.results_before_scalars() else { return };
        let mut word = 0;
        for &v in &inst.results[before..] {
            self.unwritten.insert(v, frame.unwritten.get(word).copied().unwrap_or(0));
            word += at.shader().ty(v).bytes().div_ceil(4) as usize;
        }
    }
}

/// Lanes for which a word that the shader takes is unwritten.
fn incoming(at: &View<'_>, slot: RaySlot) -> u32 {
    let triangles = at.triangles();
    let unwritten = |lane: usize| match slot {
        RaySlot::Payload(word) => frames::payload_is_unwritten(launch(at, lane), word),
        // Spec: Vulkan, the attribute of a triangle is the barycentric coordinates.
        RaySlot::Attribute(word) if triangles >> lane & 1 == 1 => word >= 2,
        RaySlot::Attribute(word) => frames::attribute_is_unwritten(launch(at, lane), word),
        RaySlot::Record | RaySlot::End => false,
    };
    lanes(at.active()).filter(|&lane| unwritten(lane)).fold(0, |mask, lane| mask | 1 << lane)
}

/// LaunchId of a lane, which no other lane of its group has.
fn launch(at: &View<'_>, lane: usize) -> [u32; 3] {
    debug_assert!(lane < MAX_LANES);
    match at.invocation(lane) {
        Invocation::Ray { launch } => launch,
        _ => [0; 3],
    }
}
