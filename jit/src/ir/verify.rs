//! Checks the rules of the IR, after lowering and (in tests) after each pass.
//!
//! Covers rules 1 to 4 and 6 of [`crate::ir`], the argument and result types of every row, ranges of variables, slots
//! and labels, and the number of arguments of an [`ImageOp`]. It does not check that a Break has the right target (any
//! enclosing label is legal), or that images and buffers come from descriptors of the right kind.

use super::interface::{ATTACHMENT_SET, COLOR_BINDING, DEPTH_STENCIL_BINDING};
use super::matrix;
use super::op::Sig;
use super::provenance;
use super::signature::{Done, atomic, ensure, group, image, misfit};
use super::{
    AtomicOp, BuiltIn, End, HandleKind, ImageOpKind, Imm, Inst, Interface, InterpAt, Label, MAX_ACCESS,
    MAX_STREAMS, MAX_WIDE_STRIDE, Node, Note, Op, PrivateAccess, Region, Shader, Slot, Src, Stage, Ty, Value,
};
use crate::abort::Part;

/// Maximum nesting depth of regions.
pub const MAX_DEPTH: u32 = 1024;

/// Checks the rules stated in the module documentation of [`crate::ir`]; describes the first violation.
pub fn verify(shader: &Shader) -> Result<(), String> {
    verify_at(shader).map_err(|(message, src)| format!("{message}{}", place(src)))
}

/// As [`verify`], and also returns the origin of the instruction at fault.
pub fn verify_at(shader: &Shader) -> Result<(), (String, Src)> {
    let mut check = Check {
        at: Src::default(),
        sh: shader,
        state: vec![State::Unseen; shader.values.len()],
        labels: Vec::new(),
        seen_labels: vec![false; shader.n_labels as usize],
        depth: 0,
    };
    check.shader().map_err(|message| (message, check.at))?;
    provenance::check(shader)
}

/// Checks the lists of inputs and outputs.
fn interface(shader: &Shader) -> Done {
    let lists = [
        &shader.inputs,
        &shader.outputs,
        &shader.patch_inputs,
        &shader.patch_outputs,
        &shader.primitive_outputs,
    ];
    for list in lists {
        for (i, one) in list.iter().enumerate() {
            let place = |i: &Interface| (i.slot, i.stream, i.vertex);
            if list[..i].iter().any(|other| place(other) == place(one)) {
                return Err(format!("interface {} appears twice", one.slot));
            }
        }
    }
    for one in shader.outputs.iter().chain(&shader.patch_outputs).chain(&shader.primitive_outputs) {
        // Truth values pass between stages as words.
        let ty = |b: BuiltIn| if b.shape().0 == Ty::Bool { Ty::I32 } else { b.shape().0 };
        if let Slot::BuiltIn(b, component) = one.slot
            && (one.ty != ty(b) || component >= b.shape().1)
        {
            return Err(format!("built-in output {} is {}", one.slot, one.ty));
        }
    }
    for one in lists.into_iter().flatten() {
        if matches!(one.ty, Ty::Bool | Ty::Buffer | Ty::Image) {
            return Err(format!("interface {} is {}", one.slot, one.ty));
        }
    }
    let listed = |b: BuiltIn| match shader.stage {
        stage if stage.reads_vertices() => b.is_of_vertex(),
        stage if stage.is_of_rays() => b.is_of_rays(),
        _ => b.is_interpolated(),
    };
    let of_rays = |i: &&Interface| matches!(i.slot, Slot::Ray(_));
    if let Some(i) = lists.into_iter().flatten().find(of_rays).filter(|_| !shader.stage.is_of_rays()) {
        return Err(format!("{} is of ray tracing stages", i.slot));
    }
    let builtin = |i: &&Interface| matches!(i.slot, Slot::BuiltIn(b, _) if !listed(b));
    if let Some(i) = shader.inputs.iter().find(builtin) {
        return Err(format!("built-in {} must not be in the list of inputs", i.slot));
    }
    if shader.kind.stage() != shader.stage {
        return Err(format!("execution modes of a stage other than {:?}", shader.stage));
    }
    let (stage, geometry) = (shader.stage, shader.stage == Stage::Geometry);
    if !shader.patch_inputs.is_empty() && stage != Stage::TessellationEvaluation
        || !shader.patch_outputs.is_empty() && stage != Stage::TessellationControl
        || !shader.primitive_outputs.is_empty() && stage != Stage::Mesh
        || shader.stage.has_workgroups() && !shader.inputs.is_empty()
        || matches!(stage, Stage::Compute | Stage::Task) && !shader.outputs.is_empty()
        || shader.payload_size > 0 && !matches!(stage, Stage::Task | Stage::Mesh)
        || shader.inputs.iter().any(|i| (i.per_primitive || i.vertex.is_some()) && stage != Stage::Fragment)
        || shader.outputs.iter().any(|o| o.stream as usize >= if geometry { MAX_STREAMS } else { 1 })
    {
        return Err(format!("an interface that {stage:?} shaders do not have"));
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Unseen,
    Visible,
    Gone,
}

struct Check<'a> {
    sh: &'a Shader,
    /// Origin of the instruction that is being checked.
    at: Src,
    state: Vec<State>,
    /// Enclosing labels with the types of their results.
    labels: Vec<(Label, &'a [Value])>,
    seen_labels: Vec<bool>,
    depth: u32,
}

impl<'a> Check<'a> {
    fn shader(&mut self) -> Done {
        interface(self.sh)?;
        self.region(&self.sh.body, None)?;
        let ends = matches!(self.sh.body.end, End::Return | End::Kill | End::Unreachable);
        ensure(ends, || "body does not end in return".into())
    }

    fn ty(&self, v: Value) -> Result<Ty, String> {
        self.sh.values.get(v.0 as usize).copied().ok_or_else(|| format!("value {v} has no type"))
    }

    fn uses(&self, v: Value) -> Result<Ty, String> {
        let ty = self.ty(v)?;
        match self.state[v.0 as usize] {
            State::Visible => Ok(ty),
            State::Unseen => Err(format!("{v} is used before it is defined")),
            State::Gone => Err(format!("{v} is used outside of the region that defines it")),
        }
    }

    fn defines(&mut self, v: Value, defined: &mut Vec<Value>) -> Done {
        self.ty(v)?;
        let state = &mut self.state[v.0 as usize];
        ensure(*state == State::Unseen, || format!("{v} is defined twice"))?;
        *state = State::Visible;
        defined.push(v);
        Ok(())
    }

    fn label(&mut self, label: Label) -> Done {
        match self.seen_labels.get_mut(label.0 as usize) {
            Some(seen) if !*seen => {
                *seen = true;
                Ok(())
            }
            Some(_) => Err(format!("label L{} names two constructs", label.0)),
            None => Err(format!("label L{} is out of range", label.0)),
        }
    }

    /// Checks that the given values match the types of the values that receive them.
    fn matches(&self, given: &[Value], taken: &[Value], what: &str) -> Done {
        ensure(given.len() == taken.len(), || format!("{what}: {} values for {}", given.len(), taken.len()))?;
        for (&g, &t) in given.iter().zip(taken) {
            let (g_ty, t_ty) = (self.uses(g)?, self.ty(t)?);
            ensure(g_ty == t_ty, || format!("{what}: {g} is {g_ty}, {t} is {t_ty}"))?;
        }
        Ok(())
    }

    /// Checks a region. `yields`: the values that its `Yield` sets; `None` for the body of the shader.
    fn region(&mut self, region: &'a Region, yields: Option<&[Value]>) -> Done {
        self.depth += 1;
        ensure(self.depth <= MAX_DEPTH, || format!("nested deeper than {MAX_DEPTH}"))?;
        let mut defined = Vec::new();
        for node in &region.nodes {
            self.node(node, &mut defined)?;
        }
        match (&region.end, yields) {
            (End::Yield(values), Some(taken)) => self.matches(values, taken, "yield")?,
            (End::Yield(_), None) => return Err("the body of the shader yields".into()),
            (End::Break(label, values), _) => {
                let Some(&(_, taken)) = self.labels.iter().rev().find(|l| l.0 == *label) else {
                    return Err(format!("break to L{}, which does not enclose it", label.0));
                };
                self.matches(values, taken, "break")?;
            }
            (End::Kill, _) => {
                ensure(self.sh.stage == Stage::Fragment, || "kill outside of a fragment shader".into())?;
                ensure(self.sh.discards, || "kill in a shader declared not to discard".into())?;
            }
            (End::Return | End::Unreachable, _) => {}
        }
        for v in defined {
            self.state[v.0 as usize] = State::Gone;
        }
        self.depth -= 1;
        Ok(())
    }

    fn node(&mut self, node: &'a Node, defined: &mut Vec<Value>) -> Done {
        match node {
            Node::Inst(inst) => {
                self.at = inst.src;
                for &a in &inst.args {
                    self.uses(a).map_err(|e| format!("{}: {e}", inst.op.name()))?;
                }
                self.inst(inst).map_err(|e| format!("{}: {e}", inst.op.name()))?;
                for &r in &inst.results {
                    self.defines(r, defined)?;
                }
            }
            Node::If(node) => {
                let ty = self.uses(node.cond)?;
                ensure(ty == Ty::Bool, || format!("condition {} is {ty}", node.cond))?;
                self.region(&node.then, Some(&node.results))?;
                self.region(&node.els, Some(&node.results))?;
                for &r in &node.results {
                    self.defines(r, defined)?;
                }
            }
            Node::Block(node) => {
                self.label(node.label)?;
                self.labels.push((node.label, &node.results));
                self.region(&node.body, Some(&node.results))?;
                self.labels.pop();
                for &r in &node.results {
                    self.defines(r, defined)?;
                }
            }
            Node::Loop(node) => {
                self.label(node.label)?;
                let mut params = Vec::new();
                for &(param, init) in &node.params {
                    let (p, i) = (self.ty(param)?, self.uses(init)?);
                    ensure(p == i, || format!("loop: {param} is {p}, {init} is {i}"))?;
                }
                for &(param, _) in &node.params {
                    self.defines(param, &mut params)?;
                }
                self.labels.push((node.label, &node.results));
                let list = params.clone();
                self.region(&node.body, Some(&list))?;
                self.labels.pop();
                for v in params {
                    self.state[v.0 as usize] = State::Gone;
                }
                for &r in &node.results {
                    self.defines(r, defined)?;
                }
            }
        }
        Ok(())
    }

    fn inst(&self, inst: &Inst) -> Done {
        let args: Vec<Ty> = inst.args.iter().map(|&a| self.ty(a)).collect::<Result<_, _>>()?;
        let results: Vec<Ty> = inst.results.iter().map(|&r| self.ty(r)).collect::<Result<_, _>>()?;
        let shape = || misfit(&args, &results);
        let sig = inst.op.sig();
        if !matches!(sig, Sig::Free | Sig::Const) {
            ensure(matches!(inst.imm, Imm::None), || "has an immediate operand".into())?;
        }
        let float = |t: &Ty| t.is_float();
        let int = |t: &Ty| t.is_int();
        let fits = match (sig, &args[..], &results[..]) {
            (Sig::Const, [], [t]) => !matches!(t, Ty::Buffer | Ty::Image) && matches!(inst.imm, Imm::Bits(_)),
            (Sig::UnF, [a], [r]) => float(a) && a == r,
            (Sig::BinF, [a, b], [r]) => float(a) && a == b && a == r,
            (Sig::TriF, [a, b, c], [r]) => float(a) && a == b && a == c && a == r,
            (Sig::TestF, [a], [Ty::Bool]) => float(a),
            (Sig::CmpF, [a, b], [Ty::Bool]) => float(a) && a == b,
            (Sig::UnI, [a], [r]) => int(a) && a == r,
            (Sig::BinI, [a, b], [r]) => int(a) && a == b && a == r,
            (Sig::TriI, [a, b, c], [r]) => int(a) && a == b && a == c && a == r,
            (Sig::Shift, [a, n], [r]) => int(a) && int(n) && a == r,
            (Sig::Packed, [Ty::I32, Ty::I32], [Ty::I32]) => true,
            (Sig::Extract, [a, Ty::I32, Ty::I32], [r]) => int(a) && a == r,
            (Sig::Insert, [a, b, Ty::I32, Ty::I32], [r]) => int(a) && a == b && a == r,
            (Sig::CmpI, [a, b], [Ty::Bool]) => int(a) && a == b,
            (Sig::UnBits, [a], [r]) => (int(a) || *a == Ty::Bool) && a == r,
            (Sig::BinBits, [a, b], [r]) => (int(a) || *a == Ty::Bool) && a == b && a == r,
            (Sig::Select, [Ty::Bool, a, b], [r]) => a == b && a == r && !matches!(a, Ty::Buffer | Ty::Image),
            (Sig::FToI, [a], [r]) => float(a) && int(r),
            (Sig::IToF, [a], [r]) => int(a) && float(r),
            (Sig::FToF, [a], [r]) => float(a) && float(r) && a != r,
            (Sig::IToI, [a], [r]) => int(a) && int(r) && a != r,
            (Sig::Bitcast, [a], [r]) => (int(a) || float(a)) && a.bits() == r.bits() && a != r,
            (Sig::FI, [a, Ty::I32], [r]) => float(a) && a == r,
            (Sig::FToI32, [a], [Ty::I32]) => float(a),
            (Sig::Free, _, _) => return self.free(inst, &args, &results),
            _ => false,
        };
        ensure(fits, shape)
    }

    fn var(&self, inst: &Inst) -> Result<Ty, String> {
        let Imm::Var { var, elem } = inst.imm else {
            return Err("names no variable".into());
        };
        let decl =
            self.sh.vars.get(var.0 as usize).ok_or_else(|| format!("variable ${} is not declared", var.0))?;
        decl.elems
            .get(elem as usize)
            .copied()
            .ok_or_else(|| format!("element {elem} is outside of variable ${}", var.0))
    }

    /// Returns true if the shader has this binding and it holds buffers (`buffers`) or other resources (not `buffers`).
    fn binding(&self, set: u32, binding: u32, kind: HandleKind) -> bool {
        if set == ATTACHMENT_SET {
            let read = match binding {
                DEPTH_STENCIL_BINDING => self.sh.reads_attachments[0],
                COLOR_BINDING => self.sh.reads_attachments[1],
                _ => false,
            };
            return read && kind == HandleKind::Image;
        }
        self.sh.bindings.iter().any(|b| b.set == set && b.binding == binding && b.kind.handle() == kind)
    }

    /// Checks the rows whose shape depends on their immediate operand.
    fn free(&self, inst: &Inst, args: &[Ty], results: &[Ty]) -> Done {
        let shape = || misfit(args, results);
        let stored = |t: &Ty| t.bits().is_some();
        let holds = |list: &[Interface], i: u32, ty: Ty| list.get(i as usize).is_some_and(|s| s.ty == ty);
        let vertices = self.sh.stage.reads_vertices();
        let indexed = self.sh.stage.writes_vertices();
        let (task, mesh) = (self.sh.stage == Stage::Task, self.sh.stage == Stage::Mesh);
        let fits = match (inst.op, args, results, &inst.imm) {
            (Op::VarGet, [], [r], _) => self.var(inst)? == *r,
            (Op::VarSet, [v], [], _) => self.var(inst)? == *v,
            (Op::VarGetDyn, [Ty::I32], [r], _) => self.var(inst)? == *r,
            (Op::VarSetDyn, [Ty::I32, v], [], _) => self.var(inst)? == *v,
            (Op::LoadConstant, [Ty::I32], [r], Imm::Table { table, elem }) => {
                self.sh.tables.get(*table as usize).is_some_and(|t| t.elems.get(*elem as usize) == Some(r))
            }
            (Op::LoadInput, [], [r], Imm::Slot(i)) => !vertices && holds(&self.sh.inputs, *i, *r),
            (Op::LoadInput, [Ty::I32], [r], Imm::Slot(i)) => vertices && holds(&self.sh.inputs, *i, *r),
            (Op::LoadPatchInput, [], [r], Imm::Slot(i)) => holds(&self.sh.patch_inputs, *i, *r),
            (Op::StoreOutput, [v], [], Imm::Slot(i)) => {
                !indexed && self.sh.stage != Stage::Geometry && holds(&self.sh.outputs, *i, *v)
            }
            (Op::StoreOutput, [Ty::I32, v], [], Imm::Slot(i)) => indexed && holds(&self.sh.outputs, *i, *v),
            (Op::LoadOutput, [Ty::I32], [r], Imm::Slot(i)) => indexed && holds(&self.sh.outputs, *i, *r),
            (Op::StorePatchOutput, [v], [], Imm::Slot(i)) => holds(&self.sh.patch_outputs, *i, *v),
            (Op::LoadPatchOutput, [], [r], Imm::Slot(i)) => holds(&self.sh.patch_outputs, *i, *r),
            (Op::StorePrimitiveOutput, [Ty::I32, v], [], Imm::Slot(i)) => {
                holds(&self.sh.primitive_outputs, *i, *v)
            }
            (Op::LoadPrimitiveOutput, [Ty::I32], [r], Imm::Slot(i)) => {
                holds(&self.sh.primitive_outputs, *i, *r)
            }
            (Op::SetMeshOutputs, [Ty::I32, Ty::I32], [], Imm::None) => mesh,
            (Op::EmitMeshTasks, [Ty::I32, Ty::I32, Ty::I32], [], Imm::None) => task,
            (Op::Payload, [], [Ty::Buffer], Imm::None) => task || mesh,
            (Op::EmitVertex, args, [], Imm::Stream(s)) => {
                self.sh.stage == Stage::Geometry
                    && (*s as usize) < MAX_STREAMS
                    && self.sh.stream(*s).map(|o| o.ty).eq(args.iter().copied())
            }
            (Op::EndPrimitive, [], [], Imm::Stream(s)) => {
                self.sh.stage == Stage::Geometry && (*s as usize) < MAX_STREAMS
            }
            (Op::BuiltIn, [], [r], Imm::BuiltIn(b, component)) => {
                let (want, most) = b.shape();
                *r == want && *component < most
            }
            (Op::Interpolate, args, [r], Imm::Interp(i, at)) => {
                let slot = self.sh.inputs.get(*i as usize).is_some_and(|s| s.ty == *r);
                slot && match at {
                    InterpAt::Centroid => args.is_empty(),
                    InterpAt::Sample => args == [Ty::I32],
                    InterpAt::Offset => args == [Ty::F32; 2],
                }
            }
            (Op::Offset, [_, ..], [Ty::I32], Imm::Strides(s)) => {
                let most = if args.contains(&Ty::I64) { MAX_WIDE_STRIDE } else { u32::MAX };
                args.iter().all(|t| matches!(t, Ty::I32 | Ty::I64))
                    && s.len() == args.len()
                    && s.iter().all(|s| (1..=most).contains(s))
            }
            (Op::BufferDescriptor, [Ty::I32], [Ty::Buffer], Imm::Binding { set, binding, kind }) => {
                *kind == HandleKind::Buffer && self.binding(*set, *binding, *kind)
            }
            (Op::ImageDescriptor, [Ty::I32], [Ty::Image], Imm::Binding { set, binding, kind }) => {
                *kind != HandleKind::Buffer && self.binding(*set, *binding, *kind)
            }
            (Op::PushConstants, [], [Ty::Buffer], Imm::None) => true,
            (Op::BufferAt, [Ty::I64, Ty::I64], [Ty::Buffer], Imm::None) => true,
            (Op::BufferParts, [Ty::Buffer], [Ty::I64, Ty::I64], Imm::None) => true,
            (Op::AddressBuffer, [Ty::I64], [Ty::I64, Ty::I64], Imm::None) => true,
            (Op::HandleBuffer, [Ty::I64, Ty::I64], [Ty::I64, Ty::I64], Imm::None) => true,
            (Op::NullImage, [], [Ty::Image], Imm::None) => true,
            (Op::HandleImage, [Ty::I64], [Ty::Image], Imm::Handle(kind)) => *kind != HandleKind::Buffer,
            (Op::BufferSize, [Ty::Buffer], [Ty::I32 | Ty::I64], Imm::None) => true,
            (Op::LoadBuffer, [Ty::Buffer, Ty::I32 | Ty::I64], [first, ..], Imm::Mem(_))
            | (Op::LoadShared, [Ty::I32], [first, ..], Imm::Mem(_)) => {
                stored(first) && results.len() <= MAX_ACCESS && results.iter().all(|r| r == first)
            }
            (Op::StoreBuffer, [Ty::Buffer, Ty::I32 | Ty::I64, values @ ..], [], Imm::Mem(_))
            | (Op::StoreShared, [Ty::I32, values @ ..], [], Imm::Mem(_)) => {
                let fits = values.len() <= MAX_ACCESS && values.first().is_some_and(stored);
                fits && values.iter().all(|v| *v == values[0])
            }
            (Op::AtomicBuffer, [Ty::Buffer, Ty::I32 | Ty::I64, operands @ ..], [r], Imm::Atomic(op, _))
            | (Op::AtomicShared, [Ty::I32, operands @ ..], [r], Imm::Atomic(op, _)) => {
                atomic(*op, operands, *r)
            }
            (Op::SampledImage, [Ty::Image, Ty::Image], [Ty::Image], Imm::None) => true,
            (Op::ImageOp | Op::ImageWrite, args, results, Imm::Image(op)) => {
                image(op, inst.op == Op::ImageWrite, args, results)?;
                true
            }
            (Op::RayStep | Op::RayGet, [Ty::I32, args @ ..], results, Imm::Ray(op)) => {
                self.sh.ray_queries > 0
                    && op.is_step() == (inst.op == Op::RayStep)
                    && op.args().eq(args.iter().copied())
                    && op.results().eq(results.iter().copied())
            }
            (Op::RayCall, args, results, Imm::Call(call)) => {
                let word = |ty: &Ty| matches!(ty, Ty::I32 | Ty::F32 | Ty::I64 | Ty::F64);
                let operands = call.operands();
                call.is_of(self.sh.stage)
                    && self.sh.writes_memory
                    && args.len() >= operands.len()
                    && args[..operands.len()] == *operands
                    && args[operands.len()..].iter().all(word)
                    && call.results(&args[operands.len()..]) == results
            }
            (Op::ControlBarrier, [], [], Imm::None) => self.sh.has_barrier && self.sh.stage.has_barriers(),
            (Op::MemoryBarrier, [], [], Imm::None) => true,
            (Op::Demote, [], [], Imm::None) => self.sh.stage == Stage::Fragment && self.sh.discards,
            (Op::IsHelper, [], [Ty::Bool], Imm::None) => true,
            (Op::Group, args, results, Imm::Group(op)) => group(*op, args, results),
            (Op::Matrix, args, results, Imm::Matrix(op)) => {
                self.sh.subgroup_size.is_some_and(|size| matrix::fits(*op, size, args, results))
            }
            (Op::ReadClock, [], [Ty::I64], Imm::None) => true,
            (Op::Alarm, [Ty::Bool], [], Imm::None) => true,
            (Op::Printf, args, [], Imm::Printf(format)) => {
                args == format.tys && args.iter().all(Ty::is_plain)
            }
            (Op::Abort, args, [], Imm::Abort(part)) => {
                let tys = match &**part {
                    Part::Last(format) => args == format.tys,
                    Part::First(_) | Part::Scalars(_) => true,
                };
                tys && args.len() == part.arguments() && args.iter().all(Ty::is_plain)
            }
            (Op::Note, args, [], Imm::Note(note)) => match note {
                Note::Partial(p) => !args.is_empty() && args.len() % (p.operands() + 1) == 0,
                Note::Undef | Note::Copied => args.iter().all(Ty::is_plain),
                Note::Index { .. } | Note::UniformIndex => args == [Ty::I32],
                Note::Fresh(var) | Note::Zeros(var) => {
                    args.is_empty() && (var.0 as usize) < self.sh.vars.len()
                }
                Note::GroupCopy => args == [Ty::I32, Ty::I64, Ty::I64, Ty::I64, Ty::I64],
                Note::GroupWait => args == [Ty::I32],
                Note::Private { access: PrivateAccess::Fresh, .. } => args.is_empty(),
                Note::Private { .. } => matches!(args, [Ty::I32, value] if value.is_plain()),
                Note::Order(_)
                | Note::Aligned(_)
                | Note::Operands(_)
                | Note::Interlock { .. }
                | Note::SharedZeros { .. }
                | Note::MaximallyReconverges
                | Note::Cooperates { .. }
                | Note::Leaves => args.is_empty(),
            },
            _ => false,
        };
        ensure(fits, shape)?;
        // Stores of task shaders may write the payload.
        if matches!(inst.op, Op::StoreBuffer | Op::ImageWrite) && !self.sh.writes_memory && !task {
            let reads = matches!(&inst.imm, Imm::Image(op) if op.kind == ImageOpKind::Atomic(AtomicOp::Load));
            ensure(reads, || "memory write in a shader declared not to write memory".into())?;
        }
        Ok(())
    }
}

fn place(src: Src) -> String {
    match (src.id, src.line) {
        (0, 0) => String::new(),
        (0, line) => format!(", from source line {line}"),
        (id, 0) => format!(", from id %{id}"),
        (id, line) => format!(", from id %{id}, source line {line}"),
    }
}

#[cfg(test)]
mod tests {
    use smallvec::smallvec;

    use super::*;
    use crate::ir::{Block, StageKind, Var, VarDecl};

    fn inst(op: Op, args: &[u32], results: &[u32], imm: Imm) -> Node {
        let values = |list: &[u32]| list.iter().map(|&v| Value(v)).collect();
        Node::Inst(Inst {
            op,
            args: values(args),
            results: values(results),
            imm,
            src: Src { id: 9, line: 0, place: 0 },
        })
    }

    /// Checks a shader with values 0: i32, 1: i32, further ones: f32, label 0 and a variable of one i32.
    fn check(nodes: Vec<Node>) -> Result<(), String> {
        let mut values = vec![Ty::F32; 300];
        values[..2].fill(Ty::I32);
        verify(&Shader {
            values,
            n_labels: 1,
            vars: vec![VarDecl { elems: vec![Ty::I32], name: String::new() }],
            body: Region { nodes, end: End::Return },
            ..Shader::empty(StageKind::Compute, "main")
        })
    }

    fn fails(nodes: Vec<Node>, part: &str) {
        match check(nodes) {
            Err(e) => assert!(e.contains(part), "{e}"),
            Ok(()) => panic!("accepted, wanted: {part}"),
        }
    }

    fn constant(v: u32) -> Node {
        inst(Op::Const, &[], &[v], Imm::Bits(1))
    }

    fn block(nodes: Vec<Node>, end: End, results: Vec<Value>) -> Node {
        Node::Block(Box::new(Block { label: Label(0), body: Region { nodes, end }, results }))
    }

    #[test]
    fn rules_hold() {
        let add = || inst(Op::IAdd, &[0, 0], &[1], Imm::None);
        assert_eq!(check(vec![constant(0), add()]), Ok(()));
        fails(vec![add()], "used before it is defined, from id %9");
        fails(vec![constant(0), constant(0)], "defined twice");
        let inner = || block(vec![constant(0)], End::Yield(vec![]), vec![]);
        fails(vec![inner(), add()], "outside of the region");
        fails(vec![constant(0), inst(Op::IAdd, &[0, 0], &[2], Imm::None)], "(i32, i32) -> (f32)");
        fails(vec![inst(Op::VarGet, &[], &[0], Imm::Var { var: Var(0), elem: 1 })], "element 1");
        fails(vec![inst(Op::VarGet, &[], &[2], Imm::Var { var: Var(0), elem: 0 })], "() -> (f32)");
        let gives = |end| vec![block(vec![constant(0)], end, vec![Value(1)])];
        assert_eq!(check(gives(End::Break(Label(0), vec![Value(0)]))), Ok(()));
        fails(gives(End::Break(Label(0), vec![])), "0 values for 1");
        fails(gives(End::Break(Label(3), vec![Value(0)])), "does not enclose");
        fails(vec![inner(), inner()], "names two");
        fails(vec![inst(Op::ControlBarrier, &[], &[], Imm::None)], "does not fit");
        let load = Inst {
            op: Op::LoadShared,
            args: smallvec![Value(0)],
            results: smallvec![Value(1), Value(2)],
            imm: Imm::Mem(Default::default()),
            src: Src::default(),
        };
        let many = |n: u32| Node::Inst(Inst { results: (3..3 + n).map(Value).collect(), ..load.clone() });
        assert_eq!(check(vec![constant(0), many(255)]), Ok(()));
        fails(vec![constant(0), many(256)], "(i32) -> (f32, f32");
        fails(vec![constant(0), Node::Inst(load)], "(i32) -> (i32, f32)");
    }

    /// Offsets in buffers and sizes of buffers have 32 or 64 bits.
    #[test]
    fn offsets_have_two_widths() {
        let verdict = |at: Ty, size: Ty| {
            let (values, imm) = (vec![Ty::Buffer, at, Ty::F32, size], Imm::Mem(Default::default()));
            let nodes = vec![
                inst(Op::PushConstants, &[], &[0], Imm::None),
                inst(Op::Const, &[], &[1], Imm::Bits(1)),
                inst(Op::LoadBuffer, &[0, 1], &[2], imm),
                inst(Op::BufferSize, &[0], &[3], Imm::None),
            ];
            let body = Region { nodes, end: End::Return };
            verify(&Shader { values, body, ..Shader::empty(StageKind::Compute, "main") }).is_ok()
        };
        for ty in [Ty::I32, Ty::I64] {
            assert!(verdict(ty, Ty::I32) && verdict(ty, Ty::I64) && verdict(Ty::I64, ty), "{ty}");
            for other in [Ty::I16, Ty::F32, Ty::F64] {
                assert!(!verdict(other, ty) && !verdict(ty, other), "{other}");
            }
        }
    }
}
