//! Finds outputs that invocations do not write although the next stage or fixed function reads them.
//!
//! ```text
//!   taken    outputs that a later stage or attachment uses
//!   plan     mapping of outputs to the variables that they are copied from
//!   records  outputs per vertex of several vertices, per primitive and per patch
//! ```
//!
//! There is one report per variable, at its declaration. Inputs that the previous stage does not declare as outputs are
//! reported where they are read: see `stages`.

mod plan;
mod records;
mod taken;

use std::sync::Arc;

use quadrille_jit::interp::watch::{View, lanes};
use quadrille_jit::ir::{Inst, Op, Shader, Slot, Src, Stage, StageKind, Var};
use rustc_hash::FxHashMap;

use crate::interface::{self, Scalar};
use crate::kind::Kind;
use crate::pending::{Pending, Where};
use crate::place::{self, Order};
use crate::report::{Invocation, Report};
pub use plan::{Home, Plan};
use records::Records;
pub use taken::{Taken, used};

/// Output checks of a lane function call.
pub struct Outputs {
    shader: Arc<Shader>,
    plan: Arc<Plan>,
    taken: Taken,
    pending: Pending,
    records: Option<Records>,
    /// Number of vertices that an invocation of a geometry shader has emitted, by lane.
    vertices: FxHashMap<usize, u32>,
    /// The request of the task workgroup for mesh workgroups.
    request: Option<Request>,
    /// Number of lane groups of the unit that have not ended.
    running: u32,
}

/// A request of a task workgroup for mesh workgroups.
struct Request {
    /// Place and address of the instruction.
    src: Src,
    address: usize,
    /// First invocation that executed it.
    first: Order,
    /// Number of invocations that executed it.
    invocations: u32,
}

impl Outputs {
    /// Creates the checks of a call; `taken` are the outputs that are read.
    pub fn new(pending: Pending, shader: &Arc<Shader>, plan: &Arc<Plan>, taken: Option<Taken>) -> Self {
        let taken = taken.unwrap_or_else(|| Taken::all(shader));
        let records = shader.stage.writes_vertices().then(|| Records::new(shader));
        let vertices = FxHashMap::default();
        let (shader, plan) = (shader.clone(), plan.clone());
        Outputs { shader, plan, taken, pending, records, vertices, request: None, running: 0 }
    }

    /// Starts a unit with this number of lane groups.
    pub fn unit(&mut self, groups: u32) {
        self.vertices.clear();
        (self.request, self.running) = (None, groups);
        if let Some(records) = &mut self.records {
            records.unit(groups);
        }
    }

    /// Called after an instruction; `written` returns the lanes in which a scalar of a variable has been written.
    pub fn after(&mut self, at: &View<'_>, inst: &Inst, written: impl Fn(Var, u32) -> u32) {
        if let Some(records) = &mut self.records {
            return records.after(at, inst, &mut self.pending);
        }
        if inst.op == Op::EmitMeshTasks {
            return self.request(at, inst);
        }
        if inst.op != Op::EmitVertex {
            return;
        }
        self.count(at, inst);
        let plan = self.plan.clone();
        let Some(homes) = plan.emitted.get(&std::ptr::from_ref(inst).addr()) else { return };
        let homes = homes.iter().map(|&(k, home)| (k, home));
        self.lacking(at, homes, at.active(), written);
    }

    /// Counts the vertices of invocations, on all streams together, and reports those past the declared number. A lane
    /// group of a geometry shader is a unit.
    fn count(&mut self, at: &View<'_>, inst: &Inst) {
        let StageKind::Geometry(modes) = self.shader.kind else { return };
        let key = (Where::instruction(inst.src, std::ptr::from_ref(inst).addr()), 0, Kind::TooManyOutputs);
        for lane in lanes(at.active()) {
            let emitted = self.vertices.entry(lane).or_default();
            *emitted = emitted.saturating_add(1);
            let (n, most) = (*emitted, modes.max_vertices);
            if n > most {
                self.pending.add(at, lane, key, || {
                    let message = format!("vertex {n} of an invocation, which emits at most {most}");
                    place::report_op(at, inst, Kind::TooManyOutputs, message)
                });
            }
        }
    }

    /// Reports a request for more mesh workgroups than the device allows. The first invocation decides.
    fn request(&mut self, at: &View<'_>, inst: &Inst) {
        let Some(lane) = lanes(at.active()).next() else { return };
        let (address, invocations) = (std::ptr::from_ref(inst).addr(), at.active().count_ones());
        if let Some(request) = &mut self.request {
            request.invocations += if request.address == address { invocations } else { 0 };
            return;
        }
        self.request = Some(Request { src: inst.src, address, first: place::order(at, lane), invocations });
        let Some((most, in_all)) = self.taken.mesh_groups else { return };
        let groups = [0, 1, 2].map(|i: usize| at.value(inst.args[i], lane) as u32);
        let total = groups.iter().map(|&n| u64::from(n)).try_fold(1, u64::checked_mul);
        let past = groups.iter().zip(most).any(|(&n, most)| n > most);
        if past || total.is_none_or(|n| n > u64::from(in_all)) {
            let here = Where::instruction(inst.src, address);
            self.pending.add(at, lane, (here, 0, Kind::TooManyOutputs), || {
                let ([x, y, z], [a, b, c]) = (groups, most);
                let message = format!(
                    "{x} x {y} x {z} mesh workgroups, of which there are at most {a} x {b} x {c}, and {in_all} in all"
                );
                place::report_op(at, inst, Kind::TooManyOutputs, message)
            });
        }
    }

    /// Reports a request that only some invocations of the workgroup execute. Spec: SPV_EXT_mesh_shader, Universal Validation
    /// Rules.
    fn requested(&mut self, at: &View<'_>) {
        let Some(Request { src, address, first, invocations: n }) = self.request.take() else { return };
        let all = self.shader.local_size.iter().product::<u32>().max(1);
        if n >= all {
            return;
        }
        let step = self.pending.session().step();
        let who = Invocation { step, ..Invocation::new(self.shader.stage, &self.shader.name) };
        let who = who.id("workgroup", &first[..3]).id("local invocation", &first[3..6]);
        self.pending.add_in(first, (Where::instruction(src, address), 1, Kind::BarrierDivergent), || {
            let reach = if n == 1 { "reaches" } else { "reach" };
            let message =
                format!("{n} of {all} invocations of the workgroup {reach} the request for mesh workgroups");
            let (frame, calls) = place::frames(at.shader(), src, Op::EmitMeshTasks.name());
            let report = Report::new(Kind::BarrierDivergent, message).at(frame).by(who);
            Report { called_from: calls, ..report }
        });
    }

    /// Returns the outputs whose values are undefined after an instruction that emits a vertex: those of its stream.
    pub fn emitted(&self, inst: &Inst) -> &[(usize, Home)] {
        self.plan.emitted.get(&std::ptr::from_ref(inst).addr()).map_or(&[], Vec::as_slice)
    }

    /// True for an output that only one vertex of each primitive needs: an earlier one may have had it.
    pub fn is_flat(&self, output: usize) -> bool {
        self.taken.flat.get(output) == Some(&true)
    }

    /// Called when a lane group has ended.
    pub fn finish(&mut self, at: &View<'_>, written: impl Fn(Var, u32) -> u32) {
        if let Some(records) = &mut self.records {
            return records.finish(at, &self.taken, &mut self.pending);
        }
        self.running = self.running.saturating_sub(1);
        if self.running == 0 {
            self.requested(at);
        }
        // Geometry shaders write outputs when they emit a vertex; callers of shaders of rays look at the payload.
        if self.shader.stage == Stage::Geometry || self.shader.stage.is_of_rays() {
            return;
        }
        let plan = self.plan.clone();
        let homes = plan.homes.iter().enumerate().filter_map(|(k, home)| Some((k, (*home)?)));
        let ended = at.full() & !at.killed() & !at.helpers();
        self.lacking(at, homes, ended, written);
    }

    /// Reports the outputs that these invocations have not written.
    fn lacking(
        &mut self,
        at: &View<'_>,
        homes: impl Iterator<Item = (usize, (Var, u32))>,
        who: u32,
        written: impl Fn(Var, u32) -> u32,
    ) {
        let taken = homes.filter(|(k, _)| self.taken.outputs.get(*k) == Some(&true));
        let unwritten = taken.map(|(k, (var, elem))| (k, who & !written(var, elem)));
        let n = self.shader.outputs.len();
        let missing = (0..self.taken.missing.len()).map(|k| (n + k, who));
        let found: Vec<(usize, u32)> = unwritten.chain(missing).filter(|u| u.1 != 0).collect();
        if found.is_empty() {
            return;
        }
        let name = |k: usize| self.plan.name(&self.shader, &self.taken.missing, k);
        let found: Vec<Lacking> =
            found.into_iter().map(|(k, mask)| Lacking { k, mask, scalar: name(k) }).collect();
        let mut rest: Vec<&Lacking> = found.iter().collect();
        while let Some(first) = rest.first().copied() {
            let (group, others): (Vec<_>, Vec<_>) =
                rest.into_iter().partition(|l| l.scalar.variable == first.scalar.variable);
            rest = others;
            self.report(at, &group);
        }
    }

    /// Reports scalars of one variable.
    fn report(&mut self, at: &View<'_>, group: &[&Lacking]) {
        let first = group[0];
        let slot = |k: usize| match self.shader.outputs.get(k) {
            Some(output) => output.slot,
            None => self.taken.missing[k - self.shader.outputs.len()],
        };
        let key = (Where::Address(0), first.k as u64, Kind::UnwrittenOutput);
        // Number of scalars of the variable that are read.
        let all = (0..self.shader.outputs.len())
            .filter(|&k| self.taken.outputs.get(k) == Some(&true))
            .filter(|&k| self.plan.name(&self.shader, &[], k).variable == first.scalar.variable)
            .count();
        // Earlier vertices may have had the output.
        let of = if self.shader.stage == Stage::Geometry { " for this vertex" } else { "" };
        for lane in lanes(group.iter().fold(0, |m, l| m | l.mask)) {
            self.pending.add(at, lane, key, || {
                let lacking: Vec<&Scalar> =
                    group.iter().filter(|l| l.mask >> lane & 1 == 1).map(|l| &l.scalar).collect();
                let why = self.taken.why(self.shader.stage, slot(first.k));
                unwritten(&lacking, lacking.len() >= all, of, &why)
            });
        }
    }
}

/// A scalar that some invocations have not written: number among the outputs and missing slots, and lanes.
struct Lacking {
    k: usize,
    mask: u32,
    scalar: Scalar,
}

/// Creates a report about scalars of one variable; `of` names the vertex or primitive.
fn unwritten(scalars: &[&Scalar], whole: bool, of: &str, why: &str) -> Report {
    let names = interface::list(scalars, whole);
    let (is, why) = match whole || scalars.len() == 1 {
        true => ("is", why.to_owned()),
        false => ("are", why.replace(" it", " them")),
    };
    let message = format!("{names} {is} not written{of}, but {why}");
    match scalars.first() {
        Some(first) => first.report(Kind::UnwrittenOutput, message),
        None => Report::new(Kind::UnwrittenOutput, message),
    }
}

/// Describes the scalar of an output by its slot.
fn scalar(shader: &Shader, slot: Slot) -> Scalar {
    Scalar::of(shader, true, slot)
}
