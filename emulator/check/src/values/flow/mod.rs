//! Follows undefined values from the operation that made them to where they surface: where they are written, decide a
//! branch, or address memory or an image. A value that never surfaces is not an error.
//!
//! `variables` follows values through variables and outputs, `private` through the bytes of private memory.

mod private;
mod variables;

use std::sync::Arc;

use quadrille_jit::abi::MAX_LANES;
use quadrille_jit::interp::watch::{View, lanes};
use quadrille_jit::ir::{
    End, GroupOp, If, ImageOp, ImageOpKind, Imm, Inst, Note, Op, Partial, Src, Ty, Value,
};
use rustc_hash::FxHashMap;

use crate::kind::Kind;
use crate::pending::{Key, Pending, Where};
use crate::place;
use crate::report::{Other, Report};
use crate::session::Session;
use crate::values::names::Names;
use crate::values::origin::{Made, NonFinite, Origin, Origins};
use crate::values::propagate::{keeps, makes_non_finite, may_break, non_finite, through};
use crate::values::rules::{self, Operands, Undefined};
use crate::values::subgroup::{inactive, source};
use crate::values::surface::{Surface, is_of_nan};
use crate::values::taint::{Shadow, Taint};

/// Undefined values of a lane function call.
pub struct Values {
    /// State of each lane group of the unit, by its number.
    groups: Vec<Group>,
    /// Names of memory, by buffer handle.
    names: Arc<Names>,
    pending: Pending,
    session: Arc<Session>,
    /// Reported causes, by the address of the instruction that made the value and the kind.
    surfaced: FxHashMap<(usize, Kind), Key>,
}

#[derive(Default)]
struct Group {
    shadow: Shadow,
    private: private::Private,
    places: variables::Places,
    origins: Origins,
    started: bool,
}

impl Values {
    /// Creates the state of a call.
    pub fn new(pending: Pending, names: &Arc<Names>) -> Values {
        Values {
            groups: Vec::new(),
            names: names.clone(),
            session: pending.session().clone(),
            surfaced: FxHashMap::default(),
            pending,
        }
    }

    fn group(&mut self, at: &View<'_>) -> &mut Group {
        let i = at.group() as usize;
        if self.groups.len() <= i {
            self.groups.resize_with(i + 1, Group::default);
        }
        let group = &mut self.groups[i];
        if !group.started {
            group.shadow = Shadow::new(at.shader(), at.lanes() as usize);
            group.started = true;
        }
        group
    }

    /// Starts a lane group.
    pub fn start(&mut self, at: &View<'_>) {
        let group = self.group(at);
        group.shadow.restart();
        group.private.clear();
        group.places.clear();
        group.origins.clear();
    }

    /// Marks a value as undefined in these lanes; `report` is used if it surfaces.
    pub fn poison(&mut self, at: &View<'_>, inst: &Inst, v: Value, poisoned: u32, report: &Report) {
        self.poison_for(at, inst, v, poisoned, (report, None));
    }

    /// Marks a value as undefined for a cause that several instructions may share, by its number.
    pub fn poison_for(
        &mut self,
        at: &View<'_>,
        inst: &Inst,
        v: Value,
        poisoned: u32,
        (report, cause): (&Report, Option<usize>),
    ) {
        let made_in = self.pending.clock().now();
        let group = self.group(at);
        for l in lanes(poisoned & at.active()) {
            let made = Made::Found(Box::new(report.clone()));
            let origin = Origin { kind: Some(report.kind), cause, ..Origin::at(inst, made, made_in) };
            let taint = Taint::new(group.origins.add(origin, v.0 as usize, l), true);
            group.shadow.set(v, l, taint);
        }
    }

    /// Retracts reports of values that were marked at the instruction with this address.
    pub fn retract(&mut self, inst: usize, kind: Kind) {
        if let Some(key) = self.surfaced.remove(&(inst, kind)) {
            self.pending.retract(key);
        }
    }

    /// Returns the lanes in which a value is undefined.
    pub fn undefined(&self, at: &View<'_>, v: Value) -> u32 {
        self.groups.get(at.group() as usize).map_or(0, |g| g.shadow.mask(v))
    }

    /// Called after the active lanes have executed an instruction.
    pub fn after(&mut self, at: &View<'_>, inst: &Inst) {
        match (inst.op, &inst.imm) {
            (Op::Const, _) => {}
            (Op::Note, Imm::Note(note)) => self.note(at, inst, *note),
            (Op::VarGet, &Imm::Var { var, elem }) => self.get(at, inst, var, elem),
            (Op::VarSet, &Imm::Var { var, elem }) => self.set(at, inst, var, elem),
            (Op::VarGetDyn, &Imm::Var { var, elem }) => self.get_element(at, inst, var, elem),
            (Op::VarSetDyn, &Imm::Var { var, elem }) => self.set_element(at, inst, var, elem),
            (Op::Select, _) => self.select(at, inst),
            (Op::Group, Imm::Group(op)) => self.across(at, inst, *op),
            (Op::Matrix, _) => self.mixed(at, inst),
            (Op::DdxFine | Op::DdyFine | Op::DdxCoarse | Op::DdyCoarse, _) => self.derivative(at, inst),
            (Op::StoreOutput, &Imm::Slot(output)) if inst.args.len() == 1 => self.store(at, inst, output),
            (Op::StoreOutput, &Imm::Slot(output)) => {
                let name = place::output_name(at.shader(), output as usize);
                self.surface_all(at, inst, &inst.args[1..], &Surface::Written(name));
            }
            (Op::StorePatchOutput | Op::StorePrimitiveOutput, _) => {
                let value = inst.args.last().map(std::slice::from_ref).unwrap_or_default();
                self.surface_all(at, inst, value, &Surface::Written("an output".into()));
            }
            (Op::EmitVertex, _) => {
                self.surface_all(at, inst, &inst.args, &Surface::Written("a vertex".into()));
            }
            (Op::StoreBuffer, _) => {
                self.surface_all(at, inst, &inst.args[1..2], &Surface::Addresses("an index"));
                let name = self.names.get(inst.args[0]);
                self.surface_all(at, inst, &inst.args[2..], &Surface::Written(name));
            }
            (Op::AtomicBuffer, _) => {
                self.surface_all(at, inst, &inst.args[1..2], &Surface::Addresses("an index"));
                let name = self.names.get(inst.args[0]);
                self.surface_all(at, inst, &inst.args[2..], &Surface::Written(name));
                self.clear_results(at, inst);
            }
            (Op::StoreShared | Op::AtomicShared, _) => {
                self.surface_all(at, inst, &inst.args[..1], &Surface::Addresses("an index"));
                let name = Surface::Written("workgroup memory".into());
                self.surface_all(at, inst, &inst.args[1..], &name);
                self.clear_results(at, inst);
            }
            (Op::LoadBuffer, _) => {
                self.surface_all(at, inst, &inst.args[1..2], &Surface::Addresses("an index"));
                self.clear_results(at, inst);
            }
            (Op::LoadShared | Op::BufferDescriptor | Op::ImageDescriptor, _) => {
                self.surface_all(at, inst, &inst.args[..1], &Surface::Addresses("an index"));
                self.clear_results(at, inst);
            }
            (Op::ImageOp | Op::ImageWrite, Imm::Image(op)) => self.image(at, inst, op),
            (Op::RayCall, Imm::Call(call)) => {
                // The operands of the call may be overwritten before anyone reads them.
                self.surface_undefined(at, inst, &inst.args[..call.operands().len()]);
                self.clear_results(at, inst);
            }
            (Op::RayStep | Op::RayGet, _) => {
                self.surface_undefined(at, inst, &inst.args);
                self.clear_results(at, inst);
            }
            _ => self.compute(at, inst),
        }
    }

    /// Called before the active lanes branch.
    pub fn branch(&mut self, at: &View<'_>, node: &If) {
        let Some(group) = self.groups.get(at.group() as usize) else { return };
        if group.shadow.mask(node.cond) & at.active() != 0 {
            self.surface_at(at, (node.src, "a branch"), &[node.cond], &Surface::Decides);
        }
    }

    /// Called before values are copied.
    pub fn copy(&mut self, at: &View<'_>, from: &[Value], to: &[Value]) {
        let active = at.active();
        if let Some(group) = self.groups.get_mut(at.group() as usize) {
            group.shadow.copy(from, to, active);
        }
    }

    /// Called when the active lanes reach the end of a region.
    pub fn end(&mut self, at: &View<'_>, end: &End) {
        if let End::Unreachable = end {
            let said = at.active() & !at.helpers();
            for l in lanes(said) {
                let report = || {
                    let (frame, _) = place::frames(at.shader(), Default::default(), "OpUnreachable");
                    Report::new(Kind::UnreachableReached, "OpUnreachable is reached").at(frame)
                };
                let place = Where::Address(std::ptr::from_ref(end).addr());
                self.pending.add(at, l, (place, 0, Kind::UnreachableReached), report);
            }
        }
    }

    /// Called when a lane group has ended, which makes its outputs final.
    pub fn finish(&mut self, at: &View<'_>) {
        let lived = at.full() & !at.killed() & !at.helpers();
        let Some(group) = self.groups.get(at.group() as usize) else { return };
        let tainted: Vec<(usize, u32)> = (0..at.shader().outputs.len())
            .map(|o| (o, group.shadow.output_mask(o) & lived))
            .filter(|o| o.1 != 0)
            .collect();
        for (output, mask) in tainted {
            let name = Surface::Written(place::output_name(at.shader(), output));
            let ty = at.shader().outputs[output].ty;
            for l in lanes(mask) {
                let group = &self.groups[at.group() as usize];
                let (taint, src) = (group.shadow.output(output, l), group.places.store(output, l));
                self.surface(at, src, "OpStore", l, taint, (ty, at.output(output, l)), &name);
            }
        }
    }

    // Effects of instructions on taints.

    fn clear_results(&mut self, at: &View<'_>, inst: &Inst) {
        let active = at.active();
        let shadow = &mut self.group(at).shadow;
        for &v in &inst.results {
            shadow.clear(v, active);
        }
    }

    /// Propagates taints through a lane-wise operation.
    fn compute(&mut self, at: &View<'_>, inst: &Inst) {
        let active = at.active();
        let Some(&result) = inst.results.first() else { return };
        let ty = at.shader().ty(result);
        let now = self.pending.clock().now();
        let group = self.group(at);
        let incoming = inst.args.iter().fold(0, |m, &a| m | group.shadow.mask(a)) & active;
        let row = at.row(result);
        let odd = if ty.is_float() { non_finite(ty, row, active) } else { 0 };
        if incoming | odd == 0 {
            inst.results.iter().for_each(|&v| group.shadow.clear(v, active));
            return;
        }
        for l in lanes(active) {
            let mut taint = Taint::default();
            if incoming >> l & 1 == 1 {
                taint = through(at, (&group.shadow, &group.origins), inst, ty, l);
            }
            if !taint.is_set() && odd >> l & 1 == 1 && makes_non_finite(at, inst, ty, row[l], l) {
                let args = inst.args.iter().map(|&a| (at.shader().ty(a), at.value(a, l))).collect();
                let origin = Origin::at(inst, Made::By(inst.op, args, NonFinite::of(ty, row[l])), now);
                taint = Taint::new(group.origins.add(origin, 0, l), false);
            }
            inst.results.iter().for_each(|&v| group.shadow.set(v, l, taint));
        }
    }

    /// Propagates taints through a select. The other operand does not count; an undefined condition counts only if the
    /// operands differ.
    fn select(&mut self, at: &View<'_>, inst: &Inst) {
        let &[cond, a, b] = &inst.args[..] else { return };
        let active = at.active();
        let shadow = &mut self.group(at).shadow;
        let result = inst.results[0];
        if (shadow.mask(cond) | shadow.mask(a) | shadow.mask(b)) & active == 0 {
            shadow.clear(result, active);
            return;
        }
        for l in lanes(active) {
            let chosen = if at.value(cond, l) & 1 == 1 { a } else { b };
            let same = at.value(a, l) == at.value(b, l);
            let (of_cond, of_value) = (shadow.get(cond, l), shadow.get(chosen, l));
            let taint = if of_cond.is_set() && !same { of_cond.hardened() } else { of_value };
            shadow.set(result, l, taint);
        }
    }

    /// Propagates taints across lanes. The result of an operation that reads one lane is undefined if that lane is, or
    /// if it is inactive. For other operations, one undefined lane suffices.
    fn across(&mut self, at: &View<'_>, inst: &Inst, op: GroupOp) {
        let (active, now) = (at.active(), self.pending.clock().now());
        let group = self.group(at);
        let incoming = inst.args.iter().fold(0, |m, &a| m | group.shadow.mask(a)) & active;
        let any = lanes(incoming)
            .flat_map(|l| inst.args.iter().map(move |&a| (a, l)))
            .map(|(a, l)| group.shadow.get(a, l))
            .find(|t| t.is_set())
            .unwrap_or_default();
        let (Some(&x), Some(&result)) = (inst.args.first(), inst.results.first()) else { return };
        let ty = at.shader().ty(result);
        let mut taints = [Taint::default(); MAX_LANES];
        for l in lanes(active) {
            taints[l] = match source(at, inst, op, l) {
                None => any,
                Some(from) if from < at.lanes() as usize && active >> from & 1 == 1 => {
                    group.shadow.get(x, from)
                }
                // Quad votes are composed of swaps, in which an inactive lane does not vote.
                Some(_) if matches!(op, GroupOp::QuadSwap(_)) && ty == Ty::Bool => any,
                Some(from) => {
                    let made = Made::Found(Box::new(inactive(at, inst, op, from)));
                    let new = Origin { kind: Some(Kind::SubgroupInactive), ..Origin::at(inst, made, now) };
                    Taint::new(group.origins.add(new, 0, l), true)
                }
            };
        }
        for &v in &inst.results {
            for l in lanes(active) {
                group.shadow.set(v, l, keeps(taints[l], ty, at.value(v, l)));
            }
        }
    }

    /// Propagates taints through an operation whose results depend on all arguments in all active lanes.
    fn mixed(&mut self, at: &View<'_>, inst: &Inst) {
        let active = at.active();
        let group = self.group(at);
        let all = inst.args.iter().flat_map(|&a| lanes(active).map(move |l| (a, l)));
        let taint = all.map(|(a, l)| group.shadow.get(a, l)).find(|t| t.is_set()).unwrap_or_default();
        for &v in &inst.results {
            for l in lanes(active) {
                group.shadow.set(v, l, taint);
            }
        }
    }

    /// Propagates taints through derivatives, which subtract two lanes of a quad.
    fn derivative(&mut self, at: &View<'_>, inst: &Inst) {
        let active = at.active();
        let shadow = &mut self.group(at).shadow;
        let (x, result) = (inst.args[0], inst.results[0]);
        let mask = shadow.mask(x) & active;
        shadow.clear(result, active);
        let ty = at.shader().ty(result);
        for l in lanes(if mask == 0 { 0 } else { active }) {
            let quad = mask >> (l & !3) & 15;
            if quad != 0 {
                let taint = shadow.get(x, (l & !3) + quad.trailing_zeros() as usize);
                shadow.set(result, l, keeps(taint, ty, at.value(result, l)));
            }
        }
    }

    fn image(&mut self, at: &View<'_>, inst: &Inst, op: &ImageOp) {
        let texel = match op.kind {
            ImageOpKind::Write => 4,
            ImageOpKind::Atomic(_) => inst.args.len().min(2),
            _ => 0,
        };
        let (places, texels) = inst.args.split_at(inst.args.len() - texel.min(inst.args.len()));
        let places = places.get(1..).unwrap_or_default();
        self.surface_all(at, inst, places, &Surface::Addresses("a coordinate of an image"));
        self.surface_all(at, inst, texels, &Surface::Written("an image".into()));
        self.clear_results(at, inst);
    }

    /// Processes a note about a partial instruction.
    fn note(&mut self, at: &View<'_>, inst: &Inst, note: Note) {
        match note {
            Note::Undef => {
                let (active, now) = (at.active(), self.pending.clock().now());
                let group = self.group(at);
                for &v in &inst.args {
                    for l in lanes(active) {
                        let undef = Origin {
                            kind: Some(Kind::UndefUsed),
                            instruction: "OpUndef",
                            ..Origin::at(inst, Made::Undef, now)
                        };
                        let taint = Taint::new(group.origins.add(undef, v.0 as usize, l), true);
                        group.shadow.set(v, l, taint);
                    }
                }
            }
            Note::Partial(partial) => self.partial(at, inst, partial),
            Note::Private { offset, bytes, access } => self.private(at, inst, (offset, bytes), access),
            Note::Copied => self.copied(at, inst),
            // Notes about memory.
            Note::UniformIndex | Note::MaximallyReconverges | Note::Cooperates { .. } | Note::Leaves => {}
            Note::Index { .. }
            | Note::Order(_)
            | Note::Operands(_)
            | Note::Interlock { .. }
            | Note::Fresh(_)
            | Note::Zeros(_)
            | Note::Aligned(_)
            | Note::GroupCopy
            | Note::GroupWait
            | Note::SharedZeros { .. } => {}
        }
    }

    fn partial(&mut self, at: &View<'_>, inst: &Inst, partial: Partial) {
        let n = inst.args.len() / (partial.operands() + 1);
        let results = inst.args.len() - n;
        let ty_of = |v: Value| at.shader().ty(v);
        if !may_break(at, partial, inst.args.split_at(results)) {
            return;
        }
        if matches!(partial, Partial::Normalize | Partial::MatrixInverse) {
            return self.whole(at, inst, partial, n);
        }
        let mut tys = [Ty::I32; 4];
        let mut bits = [0; 4];
        let m = partial.operands();
        for i in 0..n {
            let (operands, result) = (inst.args.iter().skip(i).step_by(n).take(m), inst.args[results + i]);
            let operands: [Value; 4] = {
                let mut list = [result; 4];
                list.iter_mut().zip(operands).for_each(|(to, &v)| *to = v);
                list
            };
            for (ty, &v) in tys.iter_mut().zip(&operands[..m]) {
                *ty = ty_of(v);
            }
            for l in lanes(at.active()) {
                for (to, &v) in bits.iter_mut().zip(&operands[..m]) {
                    *to = at.value(v, l);
                }
                let on = Operands { tys: &tys[..m], bits: &bits[..m] };
                let Some((kind, what)) = rules::component(partial, ty_of(result), on) else { continue };
                let args: Vec<(Ty, u64)> = tys[..m].iter().copied().zip(bits).collect();
                let made = Made::Partly(partial, args);
                self.broken(at, inst, (kind, what), made, l, &operands[..m], &[result]);
            }
        }
    }

    fn whole(&mut self, at: &View<'_>, inst: &Inst, partial: Partial, n: usize) {
        let (operand, results) = inst.args.split_at(n);
        let ty = operand.first().map_or(Ty::F32, |&v| at.shader().ty(v));
        // Filter quickly: in most lanes no result is non-finite and no vector is zero.
        for l in lanes(at.active()) {
            let list =
                |of: &[Value]| of.iter().map(|&v| at.value(v, l)).collect::<smallvec::SmallVec<[u64; 16]>>();
            let (x, y) = (list(operand), list(results));
            if let Some(broken) = rules::whole(partial, ty, &x, &y) {
                let made = Made::Whole(partial, ty, x.to_vec());
                self.broken(at, inst, broken, made, l, operand, results);
            }
        }
    }

    /// Handles a violated rule in a lane: undefined behaviour is reported at once, undefined values are followed.
    fn broken(
        &mut self,
        at: &View<'_>,
        inst: &Inst,
        (kind, what): (Kind, Undefined),
        made: Made,
        lane: usize,
        operands: &[Value],
        results: &[Value],
    ) {
        let now = self.pending.clock().now();
        let mut new = Origin { kind: Some(kind), ..Origin::at(inst, made, now) };
        let group = self.group(at);
        let old = operands.iter().map(|&v| group.shadow.get(v, lane)).find(|t| t.is_set());
        let old = old.and_then(|t| group.origins.get(t.origin()));
        new.from = old.map(|o| o.src);
        if what == Undefined::Behavior {
            if at.helpers() >> lane & 1 == 0 && self.session.reports.wants(kind) {
                let inherited = self.inherited(at, &new);
                let report = || {
                    let (message, values) = new.describe();
                    let (frame, calls) = place::frames(at.shader(), new.src, new.instruction);
                    let mut report = Report::new(kind, message).at(frame);
                    (report.values, report.called_from) = (values, calls);
                    report.others.extend(inherited);
                    report
                };
                let key = (Where::instruction(new.src, new.inst), 0, kind);
                self.pending.add(at, lane, key, report);
                // The behaviour has been reported, so the results count as defined.
                let group = self.group(at);
                results.iter().for_each(|&v| group.shadow.clear(v, 1 << lane));
            }
            return;
        }
        // A result that is already undefined has an earlier cause.
        let group = self.group(at);
        if results.iter().any(|&v| group.shadow.get(v, lane).is_hard()) {
            return;
        }
        let component = results.first().map_or(0, |v| v.0 as usize);
        let taint = Taint::new(group.origins.add(new, component, lane), what == Undefined::Value);
        for &v in results {
            let ty = at.shader().ty(v);
            group.shadow.set(v, lane, keeps(taint, ty, at.value(v, lane)));
        }
    }

    // Surfacing of values.

    /// Surfaces operands of an instruction, in the lanes in which they are undefined.
    fn surface_all(&mut self, at: &View<'_>, inst: &Inst, values: &[Value], surface: &Surface) {
        self.surface_at(at, (inst.src, inst.op.name()), values, surface);
    }

    /// Surfaces operands of a ray instruction that are undefined whatever their bits are. NaNs and infinities are
    /// reported as those of the ray.
    fn surface_undefined(&mut self, at: &View<'_>, inst: &Inst, values: &[Value]) {
        let Some(group) = self.groups.get(at.group() as usize) else { return };
        let hard = |&v: &Value| lanes(group.shadow.mask(v)).any(|l| group.shadow.get(v, l).is_hard());
        let values: Vec<Value> = values.iter().copied().filter(hard).collect();
        self.surface_all(at, inst, &values, &Surface::Addresses("an operand of a ray"));
    }

    /// Returns the place where a NaN or an infinity was made.
    pub fn made(&self, at: &View<'_>, v: Value, lane: usize) -> Option<Other> {
        let group = self.groups.get(at.group() as usize)?;
        let taint = group.shadow.get(v, lane);
        let origin = group.origins.get(taint.origin()).filter(|_| taint.is_set() && !taint.is_hard())?;
        let (what, _) = origin.describe();
        let (frame, _) = place::frames(at.shader(), origin.src, origin.instruction);
        Some(Other { what, at: frame, invocation: None })
    }

    /// Surfaces values at a place with the name of its instruction, in the lanes in which they are undefined.
    fn surface_at(
        &mut self,
        at: &View<'_>,
        (src, instruction): (Src, &str),
        values: &[Value],
        surface: &Surface,
    ) {
        let Some(group) = self.groups.get(at.group() as usize) else { return };
        let said = at.active() & !at.helpers();
        if values.iter().all(|&v| group.shadow.mask(v) & said == 0) {
            return;
        }
        let taints: Vec<(usize, Taint, (Ty, u64))> = values
            .iter()
            .flat_map(|&v| {
                let shadow = &group.shadow;
                lanes(shadow.mask(v) & said)
                    .map(move |l| (l, shadow.get(v, l), (at.shader().ty(v), at.value(v, l))))
            })
            .collect();
        for (lane, taint, value) in taints {
            self.surface(at, src, instruction, lane, taint, value, surface);
        }
    }

    fn surface(
        &mut self,
        at: &View<'_>,
        src: Src,
        instruction: &str,
        lane: usize,
        taint: Taint,
        (ty, bits): (Ty, u64),
        surface: &Surface,
    ) {
        let Some(group) = self.groups.get(at.group() as usize) else { return };
        let Some(origin) = group.origins.get(taint.origin()) else { return };
        let nan = taint.is_hard() || is_of_nan(origin, ty, bits);
        if !nan && !taint.is_hard() && !matches!(surface, Surface::Written(_)) {
            return;
        }
        let kind = origin.kind.unwrap_or(if nan { Kind::NanSurfaced } else { Kind::InfinitySurfaced });
        if !self.session.reports.wants(kind) {
            return;
        }
        let origin = origin.clone();
        let inherited = self.inherited(at, &origin);
        let (place, number) = origin.cause(at.shader());
        let key = (place, number, kind);
        self.surfaced.insert((origin.inst, kind), key);
        let report = || surface.report(at, (src, instruction), &origin, (kind, nan), inherited);
        self.pending.add_made(at, lane, origin.execution, key, report);
    }

    /// Returns the place where an operand became undefined.
    fn inherited(&self, at: &View<'_>, origin: &Origin) -> Option<Other> {
        let (frame, _) = place::frames(at.shader(), origin.from?, "an operand");
        Some(Other { what: "an operand became undefined".into(), at: frame, invocation: None })
    }
}
