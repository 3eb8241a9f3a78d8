//! Outputs of vertices, primitives and patches that the invocations of a patch or workgroup write together. They are
//! checked when all of these invocations have ended.

use std::sync::Arc;

use quadrille_jit::interp::watch::{View, lanes};
use quadrille_jit::ir::{BuiltIn, Imm, Inst, Interface, Op, RaySlot, Shader, Slot, Src, Stage, StageKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::taken::Taken;
use super::{scalar, unwritten};
use crate::interface::Scalar;
use crate::kind::Kind;
use crate::pending::{Pending, Where};
use crate::place::{self, Order};
use crate::report::{Invocation, Report};

/// Kind of record that an output belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Of {
    Vertex,
    Primitive,
    Patch,
}

/// State of the outputs of a unit.
pub struct Records {
    shader: Arc<Shader>,
    /// Number of lane groups of the unit that have not ended.
    running: u32,
    /// Scalars that have been written, with the number of their vertex or primitive.
    written: FxHashSet<(Of, u32, u32)>,
    /// Values of scalars that determine which other outputs are used.
    values: FxHashMap<(Of, u32, u32), u64>,
    /// Numbers of vertices and primitives of the mesh.
    counts: [u32; 2],
    /// Instruction by which the mesh has said them: place and address.
    said: Option<(Src, usize)>,
    /// Invocations of the mesh that have said them, by their indices in the workgroup: address of the instruction.
    saying: FxHashMap<u32, usize>,
}

impl Records {
    pub fn new(shader: &Arc<Shader>) -> Records {
        let counts = [shader.output_vertices(), 0];
        Records {
            shader: shader.clone(),
            running: 0,
            written: FxHashSet::default(),
            values: FxHashMap::default(),
            counts,
            said: None,
            saying: FxHashMap::default(),
        }
    }

    pub fn unit(&mut self, groups: u32) {
        self.running = groups;
        self.written.clear();
        self.values.clear();
        self.counts = [self.shader.output_vertices(), 0];
        self.said = None;
        self.saying.clear();
    }

    fn list(&self, of: Of) -> &[Interface] {
        match of {
            Of::Vertex => &self.shader.outputs,
            Of::Primitive => &self.shader.primitive_outputs,
            Of::Patch => &self.shader.patch_outputs,
        }
    }

    /// Called after an instruction.
    pub fn after(&mut self, at: &View<'_>, inst: &Inst, pending: &mut Pending) {
        let (of, slot) = match (inst.op, &inst.imm) {
            (Op::StoreOutput, &Imm::Slot(slot)) => (Of::Vertex, slot),
            (Op::StorePrimitiveOutput, &Imm::Slot(slot)) => (Of::Primitive, slot),
            (Op::StorePatchOutput, &Imm::Slot(slot)) => (Of::Patch, slot),
            (Op::SetMeshOutputs, _) => return self.say(at, inst, pending),
            _ => return,
        };
        self.early(at, inst, pending);
        let Some(&value) = inst.args.last() else { return };
        let decides = self.list(of).get(slot as usize).is_some_and(|o| decides(o.slot));
        for lane in lanes(at.active()) {
            let index = if of == Of::Patch { 0 } else { at.value(inst.args[0], lane) as u32 };
            self.written.insert((of, slot, index));
            if decides {
                self.values.insert((of, slot, index), at.value(value, lane));
            }
        }
    }

    /// Reports outputs of a mesh that an invocation writes before it says how many vertices and primitives there are. Spec:
    /// SPV_EXT_mesh_shader, OpSetMeshOutputsEXT.
    fn early(&self, at: &View<'_>, inst: &Inst, pending: &mut Pending) {
        // Initializers are not instructions, and have no place.
        if self.shader.stage != Stage::Mesh || inst.src.place == 0 {
            return;
        }
        let here = Where::instruction(inst.src, std::ptr::from_ref(inst).addr());
        for lane in lanes(at.active()) {
            let who = at.builtin(BuiltIn::LocalInvocationIndex, 0, lane) as u32;
            if !self.saying.contains_key(&who) {
                pending.add(at, lane, (here, 4, Kind::TooManyOutputs), || {
                    let message =
                        "an output of the mesh is written before the numbers of vertices and primitives are declared";
                    place::report_op(at, inst, Kind::TooManyOutputs, message.to_owned())
                });
            }
        }
    }

    /// Called after a mesh says how many vertices and primitives it has: the first invocation decides, and there are no
    /// more than the shader declares. Spec: GLSL_EXT_mesh_shader, SetMeshOutputsEXT.
    fn say(&mut self, at: &View<'_>, inst: &Inst, pending: &mut Pending) {
        let (StageKind::Mesh(modes), Some(lane)) = (self.shader.kind, lanes(at.active()).next()) else {
            return;
        };
        self.say_again(at, inst, pending);
        if self.said.is_some() {
            return;
        }
        self.said = Some((inst.src, std::ptr::from_ref(inst).addr()));
        let most = [(modes.max_vertices, "vertices"), (modes.max_primitives, "primitives")];
        for (i, (most, what)) in most.into_iter().enumerate() {
            let n = at.value(inst.args[i], lane) as u32;
            self.counts[i] = n.min(most);
            if n > most {
                let here = Where::instruction(inst.src, std::ptr::from_ref(inst).addr());
                pending.add(at, lane, (here, i as u64, Kind::TooManyOutputs), || {
                    let message = format!("a mesh of {n} {what}, which has at most {most}");
                    place::report_op(at, inst, Kind::TooManyOutputs, message)
                });
            }
        }
    }

    /// Reports invocations that say the numbers more than once. Spec: SPV_EXT_mesh_shader, Universal Validation Rules.
    fn say_again(&mut self, at: &View<'_>, inst: &Inst, pending: &mut Pending) {
        let address = std::ptr::from_ref(inst).addr();
        let here = Where::instruction(inst.src, address);
        for lane in lanes(at.active()) {
            let who = at.builtin(BuiltIn::LocalInvocationIndex, 0, lane) as u32;
            let before = self.saying.len();
            self.saying.entry(who).or_insert(address);
            if self.saying.len() > before {
                continue;
            }
            pending.add(at, lane, (here, 2, Kind::TooManyOutputs), || {
                let message = "an invocation declares the numbers of vertices and primitives a second time";
                place::report_op(at, inst, Kind::TooManyOutputs, message.to_owned())
            });
        }
    }

    /// Reports numbers that only some invocations say, or that they say by different instructions: the control flow is not
    /// uniform. Spec: SPV_EXT_mesh_shader, OpSetMeshOutputsEXT.
    fn say_together(&self, at: &View<'_>, pending: &mut Pending) {
        let Some((src, address)) = self.said else { return };
        let all = self.shader.local_size.iter().product::<u32>().max(1);
        let n = self.saying.values().filter(|&&by| by == address).count() as u32;
        if n >= all {
            return;
        }
        let (order, who) = self.who(at, Of::Patch, 0, pending);
        pending.add_in(order, (Where::instruction(src, address), 3, Kind::TooManyOutputs), || {
            let declare = if n == 1 { "declares" } else { "declare" };
            let message = format!(
                "{n} of {all} invocations of the workgroup {declare} the numbers of vertices and primitives here"
            );
            let (frame, calls) = place::frames(at.shader(), src, Op::SetMeshOutputs.name());
            let report = Report::new(Kind::TooManyOutputs, message).at(frame).by(who);
            Report { called_from: calls, ..report }
        });
    }

    /// Called when a lane group has ended; after the last one, unwritten outputs are reported.
    pub fn finish(&mut self, at: &View<'_>, taken: &Taken, pending: &mut Pending) {
        self.running = self.running.saturating_sub(1);
        if self.running > 0 {
            return;
        }
        self.say_together(at, pending);
        let ([vertices, provoking], primitives) = match self.shader.stage {
            Stage::Mesh => self.mesh(at, taken, pending),
            _ if self.is_dropped(taken) => return,
            _ => ([(0..self.counts[0]).collect(), Vec::new()], Vec::new()),
        };
        let patch = if self.shader.stage == Stage::Mesh { Vec::new() } else { vec![0] };
        let [whole, flat] = taken.by_vertices();
        self.look(at, Of::Vertex, &whole, &vertices, taken, pending);
        if flat.contains(&true) {
            // An output that no instruction writes is missing in all vertices, for which it has been reported.
            let written = Taken { missing: Vec::new(), ..taken.clone() };
            self.look(at, Of::Vertex, &flat, &provoking, &written, pending);
        }
        self.look(at, Of::Primitive, &taken.primitive, &primitives, taken, pending);
        self.look(at, Of::Patch, &taken.patch, &patch, taken, pending);
    }

    /// True if an outer tessellation level discards the patch. Spec: Vulkan, "Tessellator Patch Discard".
    fn is_dropped(&self, taken: &Taken) -> bool {
        self.shader.patch_outputs.iter().enumerate().any(|(k, o)| {
            let level = match o.slot {
                Slot::BuiltIn(BuiltIn::TessLevelOuter, c) if c < taken.outer => {
                    self.values.get(&(Of::Patch, k as u32, 0))
                }
                _ => None,
            };
            level.is_some_and(|&bits| {
                let level = f32::from_bits(bits as u32);
                level.is_nan() || level <= 0.0
            })
        })
    }

    /// Returns the vertices that the mesh's primitives use, the provoking ones among them, and the primitives that are
    /// not culled. Reports indices of vertices that the mesh does not have.
    fn mesh(&self, at: &View<'_>, taken: &Taken, pending: &mut Pending) -> ([Vec<u32>; 2], Vec<u32>) {
        let list = &self.shader.primitive_outputs;
        let value =
            |k: usize, primitive: u32| self.values.get(&(Of::Primitive, k as u32, primitive)).copied();
        let of = |builtin: BuiltIn| {
            let is = move |slot| matches!(slot, Slot::BuiltIn(b, _) if b == builtin);
            (0..list.len()).filter(move |&k| is(list[k].slot))
        };
        let culled =
            |primitive: u32| of(BuiltIn::CullPrimitive).any(|k| value(k, primitive).is_some_and(|v| v != 0));
        let primitives: Vec<u32> = (0..self.counts[1]).filter(|&p| !culled(p)).collect();
        let is_index = |k: &usize| matches!(list[*k].slot, Slot::BuiltIn(b, _) if b.is_indices());
        let columns: Vec<usize> = (0..list.len()).filter(is_index).collect();
        let provokes = self.provoking(taken);
        let mut lists = [Vec::new(), Vec::new()];
        for &primitive in &primitives {
            for &k in &columns {
                match value(k, primitive).map(|v| v as u32) {
                    Some(v) if v < self.counts[0] => {
                        lists[0].push(v);
                        if matches!(list[k].slot, Slot::BuiltIn(_, c) if Some(c) == provokes) {
                            lists[1].push(v);
                        }
                    }
                    Some(v) => self.past(at, list[k].slot, primitive, v, pending),
                    None => {}
                }
            }
        }
        for list in &mut lists {
            list.sort_unstable();
            list.dedup();
        }
        (lists, primitives)
    }

    /// Number of the provoking vertex within a primitive of a mesh; `None` if pipelines differ.
    fn provoking(&self, taken: &Taken) -> Option<u32> {
        let StageKind::Mesh(modes) = self.shader.kind else { return None };
        taken.provoking_last.map(|last| if last { modes.output.vertices() - 1 } else { 0 })
    }

    /// Reports the index of a vertex that the mesh does not have.
    fn past(&self, at: &View<'_>, slot: Slot, primitive: u32, vertex: u32, pending: &mut Pending) {
        let (order, who) = self.who(at, Of::Primitive, primitive, pending);
        let n = self.counts[0];
        // All indices are of one variable.
        pending.add_in(order, (Where::Address(0), 0, Kind::TooManyOutputs), || {
            let variable = scalar(&self.shader, slot);
            let has = if n == 1 { "1 vertex".to_owned() } else { format!("{n} vertices") };
            let name = &variable.variable;
            let message =
                format!("`{name}` has vertex {vertex} for primitive {primitive}, but the mesh has {has}");
            variable.report(Kind::TooManyOutputs, message).by(who)
        });
    }

    /// Reports unwritten outputs of these vertices or primitives.
    fn look(
        &self,
        at: &View<'_>,
        of: Of,
        counts: &[bool],
        indices: &[u32],
        taken: &Taken,
        pending: &mut Pending,
    ) {
        let list = self.list(of);
        let counted: Vec<u32> =
            (0..list.len() as u32).filter(|&k| counts.get(k as usize) == Some(&true)).collect();
        let missing = || taken.missing.iter().copied().filter(|&slot| belongs(slot) == of);
        for &index in indices {
            let lacking: Vec<Slot> = counted
                .iter()
                .filter(|&&k| !self.written.contains(&(of, k, index)))
                .map(|&k| list[k as usize].slot)
                .chain(missing())
                .collect();
            if lacking.is_empty() {
                continue;
            }
            let all: Vec<Scalar> =
                counted.iter().map(|&k| scalar(&self.shader, list[k as usize].slot)).collect();
            let mut rest: Vec<(Slot, Scalar)> =
                lacking.into_iter().map(|slot| (slot, scalar(&self.shader, slot))).collect();
            while let Some((slot, first)) = rest.first().cloned() {
                let (group, others): (Vec<_>, Vec<_>) =
                    rest.into_iter().partition(|l| l.1.variable == first.variable);
                rest = others;
                let n = all.iter().filter(|s| s.variable == first.variable).count();
                let scalars: Vec<&Scalar> = group.iter().map(|g| &g.1).collect();
                let key = (Where::Address(0), key(of, slot), Kind::UnwrittenOutput);
                let (order, who) = self.who(at, of, index, pending);
                pending.add_in(order, key, || {
                    let place = match of {
                        Of::Vertex => format!(" for vertex {index}"),
                        Of::Primitive => format!(" for primitive {index}"),
                        Of::Patch => String::new(),
                    };
                    unwritten(&scalars, scalars.len() >= n, &place, &taken.why(self.shader.stage, slot))
                        .by(who)
                });
            }
        }
    }

    /// Returns the invocation to which a vertex or primitive is attributed.
    fn who(&self, at: &View<'_>, of: Of, index: u32, pending: &Pending) -> (Order, Invocation) {
        let word = |b, c| at.builtin(b, c, 0) as u32;
        let step = pending.session().step();
        let who = Invocation { step, ..Invocation::new(self.shader.stage, &self.shader.name) };
        let mut order = Order::default();
        let who = match self.shader.stage {
            Stage::Mesh => {
                let group = [0, 1, 2].map(|c| word(BuiltIn::WorkgroupId, c));
                order[..3].copy_from_slice(&group);
                who.id("workgroup", &group)
            }
            _ => {
                order[0] = word(BuiltIn::PrimitiveId, 0);
                who.id("patch", &order[..1])
            }
        };
        order[3] = index;
        match of {
            Of::Vertex => (order, who.id("vertex", &[index])),
            Of::Primitive => (order, who.id("primitive", &[index])),
            Of::Patch => (order, who),
        }
    }
}

/// True if the value of an output determines which other outputs are used.
fn decides(slot: Slot) -> bool {
    use BuiltIn::{CullPrimitive, TessLevelOuter};
    matches!(slot, Slot::BuiltIn(b, _) if matches!(b, CullPrimitive | TessLevelOuter) || b.is_indices())
}

/// Returns the kind of record that a slot belongs to.
fn belongs(slot: Slot) -> Of {
    match slot {
        Slot::BuiltIn(b, _) if b.is_of_patch() => Of::Patch,
        Slot::BuiltIn(b, _) if b.is_of_primitive() => Of::Primitive,
        _ => Of::Vertex,
    }
}

/// A number for a variable.
fn key(of: Of, slot: Slot) -> u64 {
    let within = match slot {
        Slot::Location { location, component, index } => u64::from(location << 4 | component << 1 | index),
        Slot::BuiltIn(b, c) => 1 << 32 | (b as u64) << 8 | u64::from(c),
        Slot::Ray(RaySlot::Payload(word)) => 1 << 33 | u64::from(word),
        Slot::Ray(RaySlot::Attribute(word)) => 2 << 33 | u64::from(word),
        Slot::Ray(RaySlot::Record) => 3 << 33,
        Slot::Ray(RaySlot::End) => 4 << 33,
    };
    within << 2 | of as u64
}
