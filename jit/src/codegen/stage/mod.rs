//! The stages: sources of inputs and built-ins, destinations of outputs, and the loops over units.
//!
//! This file has the parts common to all stages: values of the whole function, values computed once per call or group,
//! interface operations, and built-ins of the group. The file of a stage has its state, its loop, and its own built-ins
//! and inputs.
//!
//! * `compute`: workgroups
//! * `free`: number of invocations that run at once, in shaders that cannot observe it
//! * `mesh`: outputs of the workgroups of task and mesh shaders
//! * `vertex`: vertices, and the invocations of ray tracing stages
//! * `vertices`: vertex records that the stages after it read
//! * `control`: patches
//! * `evaluation`: points of a patch's domain
//! * `geometry`: invocations of primitives
//! * `fragment`: stamps of a primitive, or quads of several
//! * `planes`: data of the primitive that fragments read
//! * `records`: outputs of several vertices or primitives, shared by invocations
//! * `runs`: runs of adjacent workgroups
//! * `entered`: values that are computed each time a group is entered
//! * `groups`: groups of a workgroup or a patch, and barriers between them

mod compute;
mod control;
mod entered;
mod evaluation;
mod fragment;
mod free;
mod geometry;
mod groups;
mod mesh;
mod planes;
mod records;
mod runs;
mod vertex;
mod vertices;

use std::mem::offset_of;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

pub(super) use free::{MOST_VECTOR_LANES, group_size, has_free_groups};

use super::{Gen, Tables};
use crate::abi::{self, Ctx};
use crate::ir::op::Effect;
use crate::ir::{
    ATTACHMENT_SET, Binding, BuiltIn, Imm, Inst, Insts, Interface, Interpolation, Op, ResourceKind, Shader,
    Sig, Stage, Ty, Value,
};
use crate::lane::{Block, ICmp, Lane, LaneVar};
use crate::{Error, Result, Tier};

/// Values that the whole function uses, in every stage.
pub(super) struct Env<'s> {
    pub sets: [Option<Lane>; abi::MAX_SETS],
    pub dynamic: Lane,
    pub push: Lane,
    pub scratch: Lane,
    /// Frame of the current group.
    pub frame: Lane,
    /// First unit, and one past the last.
    first: Lane,
    end: Lane,
    /// Current unit: group within the workgroup, first invocation of a group of vertices, or stamp.
    unit: Lane,
    /// Address of the arguments of image operations and ray queries.
    pub image_args: Lane,
    /// Address of the arguments of calls of other shaders.
    pub call_args: Lane,
    output: Lane,
    /// Outputs to be written at the end of the group.
    pending: Vec<Option<Lane>>,
    /// State of groups that wait at barriers: position of the saved values in the frame, resume points.
    resume: Option<groups::Resume>,
    pub compute: compute::Env,
    vertex: vertex::Env,
    pub vertices: vertices::Env,
    control: control::Env,
    records: records::Env,
    mesh: mesh::Env,
    geometry: geometry::Env,
    pub fragment: fragment::Env,
    once: Once<'s>,
}

/// An operation: name, static operand, arguments, types of the results, and true if its halves are quiet.
type Operation<'s> = (Op, &'s Imm, SmallVec<[Value; 4]>, SmallVec<[Ty; 4]>, bool);

/// Values that are computed once at a level.
#[derive(Default)]
struct Once<'s> {
    /// Results, by operation.
    known: FxHashMap<Operation<'s>, &'s [Value]>,
    /// The known value that equals a value.
    same: FxHashMap<Value, Value>,
}

impl Env<'_> {
    pub fn new(zero: Lane) -> Self {
        Env {
            sets: [None; abi::MAX_SETS],
            dynamic: zero,
            push: zero,
            scratch: zero,
            frame: zero,
            first: zero,
            end: zero,
            unit: zero,
            image_args: zero,
            call_args: zero,
            output: zero,
            pending: Vec::new(),
            resume: None,
            compute: compute::Env::new(zero),
            vertex: vertex::Env { input: zero },
            vertices: vertices::Env::new(zero),
            control: control::Env::new(zero),
            records: records::Env::default(),
            mesh: mesh::Env::new(zero),
            geometry: geometry::Env::new(zero),
            fragment: fragment::Env::new(zero),
            once: Once::default(),
        }
    }
}

/// Frequency at which a value is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// Once per call.
    Call,
    /// Once per workgroup (compute) or patch (tessellation control).
    Workgroup,
    /// Once each time a group is entered.
    Group,
    /// At its position in the code.
    Place,
}

/// Number of invocations that may share barriers: those of a workgroup or a patch.
fn invocations(shader: &Shader) -> u32 {
    match shader.stage {
        Stage::TessellationControl => shader.output_vertices(),
        _ => shader.local_size.iter().product::<u32>().max(1),
    }
}

/// Returns true if several groups wait for each other at barriers.
pub(super) fn groups_wait(shader: &Shader, lanes: u32) -> bool {
    !shader.stage.has_workgroups() || invocations(shader) > lanes
}

/// Tables for a variant.
pub(super) fn tables(shader: &Shader, insts: &Insts<'_>, lanes: u32) -> Tables {
    let mut t = Tables {
        local_ids: compute::local_ids(shader, lanes),
        messages: Vec::new(),
        constants: shader.tables.iter().map(super::memory::Constants::new).collect(),
    };
    for i in insts.iter() {
        if matches!(i.op, Op::Printf | Op::Abort) {
            t.messages.push(i.imm.clone());
        }
    }
    t
}

impl<'s> Gen<'_, '_, 's> {
    /// Finds how often each value is computed.
    pub(super) fn find_levels(&self) -> Vec<Level> {
        let shader = self.shader;
        let mut levels = vec![Level::Place; shader.values.len()];
        let mut read_only = vec![false; shader.values.len()];
        for i in self.insts.iter() {
            let args = i.args.iter().map(|a| levels[a.0 as usize]).max().unwrap_or(Level::Call);
            // Values whose level is not set are computed at their place.
            if self.near && !matches!(i.op, Op::PushConstants | Op::Payload | Op::BuiltIn) {
                continue;
            }
            let level = match (i.op, &i.imm) {
                (Op::Const | Op::PushConstants, _) => Level::Call,
                // All mesh workgroups of a call belong to one task workgroup.
                (Op::Payload, _) if shader.stage == Stage::Mesh => Level::Call,
                (Op::Payload, _) => Level::Workgroup,
                (Op::BufferDescriptor | Op::ImageDescriptor, Imm::Binding { set, binding, .. }) => {
                    let fixed = shader.bindings.iter().any(|b| {
                        (b.set, b.binding) == (*set, *binding)
                            && (b.kind == ResourceKind::UniformBuffer || !shader.writes_memory)
                    });
                    read_only[i.results[0].0 as usize] = fixed;
                    args
                }
                (
                    Op::BufferSize
                    | Op::SampledImage
                    | Op::BufferAt
                    | Op::BufferParts
                    | Op::AddressBuffer
                    | Op::HandleBuffer
                    | Op::NullImage
                    | Op::HandleImage,
                    _,
                ) => args,
                (Op::LoadBuffer, Imm::Mem(m)) if read_only[i.args[0].0 as usize] && !m.ordered => args,
                (Op::BuiltIn, Imm::BuiltIn(b, c)) => self.builtin_level(*b, *c),
                (Op::LoadInput, _) if shader.stage.reads_vertices() => match shader.stage {
                    Stage::TessellationEvaluation if args == Level::Call => Level::Call,
                    Stage::TessellationControl if args <= Level::Workgroup => Level::Workgroup,
                    _ => Level::Place,
                },
                (Op::LoadPatchInput, _) => Level::Call,
                (Op::LoadInput, Imm::Slot(s)) => {
                    let flat = shader.inputs[*s as usize].interpolation == Interpolation::Flat;
                    let call = shader.stage == Stage::Fragment && flat && !shader.packed;
                    if call { Level::Call } else { Level::Place }
                }
                (op, _)
                    if (matches!(op, Op::Offset | Op::LoadConstant) || op.sig() != Sig::Free)
                        && op.effect() == Effect::Pure =>
                {
                    let cheap = i.results.iter().all(|r| matches!(shader.ty(*r), Ty::I32 | Ty::Bool));
                    if args == Level::Group && !(shader.has_barrier && cheap) { Level::Place } else { args }
                }
                _ => Level::Place,
            };
            if i.op == Op::PushConstants || i.op == Op::Payload && shader.stage == Stage::Mesh {
                read_only[i.results[0].0 as usize] = true;
            }
            for r in &i.results {
                levels[r.0 as usize] = level;
            }
        }
        levels
    }

    fn builtin_level(&self, b: BuiltIn, component: u32) -> Level {
        use BuiltIn::*;
        match (self.shader.stage, b) {
            (
                _,
                NumWorkgroups | SubgroupSize | NumSubgroups | DrawIndex | BaseVertex | BaseInstance
                | ViewIndex | DeviceIndex,
            ) => Level::Call,
            (stage, WorkgroupId) if stage.has_workgroups() => Level::Workgroup,
            (stage, GlobalInvocationId)
                if stage.has_workgroups()
                    && component > 0
                    && self.shader.local_size[component as usize] == 1
                    && self.b_lanes_divide() =>
            {
                Level::Workgroup
            }
            (Stage::TessellationEvaluation, PrimitiveId) | (_, PatchVertices) => Level::Call,
            (Stage::TessellationControl, PrimitiveId) => Level::Workgroup,
            (stage, _) if stage.has_barriers() => Level::Group,
            (Stage::Fragment, FrontFacing | PrimitiveId | Layer | ViewportIndex) if self.shader.packed => {
                Level::Place
            }
            (
                Stage::Fragment,
                FrontFacing | PrimitiveId | Layer | ViewportIndex | SampleId | ShadingRate | FragSize
                | FragInvocationCount,
            ) => Level::Call,
            _ => Level::Place,
        }
    }

    fn b_lanes_divide(&self) -> bool {
        self.shader.local_size[0].is_multiple_of(self.b.lanes())
    }

    /// Emits the values that are computed once at a level.
    fn emit_level(&mut self, level: Level) -> Result<()> {
        for i in self.insts.iter() {
            let first = i.results.first();
            if first.is_some_and(|r| self.levels[r.0 as usize] == level && !self.tests.contains_key(r)) {
                // Group values are emitted anew in each copy of the code.
                if level <= Level::Workgroup && self.tier == Tier::Optimized && self.is_repeated(i)? {
                    continue;
                }
                self.check_size()?;
                self.emit(i)?;
            }
        }
        Ok(())
    }

    /// Defines the results of an instruction by those of an equal one on another path, which was emitted before. Divisions
    /// are the reason: Cranelift does not share them.
    fn is_repeated(&mut self, i: &'s Inst) -> Result<bool> {
        let shader = self.shader;
        if i.results.iter().any(|r| matches!(shader.ty(*r), Ty::Buffer | Ty::Image)) {
            return Ok(false);
        }
        // Equal halves differ if only one may lose a signaling NaN.
        let quiet = self.is_quiet(i);
        let once = &mut self.env.once;
        let args = i.args.iter().map(|a| once.same.get(a).copied().unwrap_or(*a)).collect();
        let types = i.results.iter().map(|r| shader.ty(*r)).collect();
        let earlier = *once.known.entry((i.op, &i.imm, args, types, quiet)).or_insert(&i.results);
        if earlier == i.results.as_slice() {
            return Ok(false);
        }
        once.same.extend(i.results.iter().copied().zip(earlier.iter().copied()));
        for (&r, &known) in i.results.iter().zip(earlier) {
            let known = self.val(known)?;
            self.def(r, known);
        }
        Ok(true)
    }

    /// Loads the values that the whole function needs. Cranelift keeps unused loads, so only needed ones are emitted.
    pub(super) fn prologue(&mut self, args: &[Lane]) {
        self.env.first = args[1];
        if !self.shader.stage.has_workgroups() {
            self.env.end = self.b.iadd(args[1], args[2]);
        }
        if self.insts.contain(Op::PushConstants) {
            self.env.push = self.load_ctx(Ty::I64, offset_of!(Ctx, push));
        }
        let is_dynamic =
            |b: &Binding| self.layout.find(b.set, b.binding).is_some_and(|b| b.dynamic.is_some());
        if self.shader.bindings.iter().any(is_dynamic) {
            self.env.dynamic = self.load_ctx(Ty::I64, offset_of!(Ctx, dynamic));
        }
        let calls_host = !self.image_ops.is_empty() || self.shader.ray_queries > 0;
        let call_bytes = self.ray_call_bytes();
        if self.frame_bytes > 0 || self.shader.has_barrier || calls_host || call_bytes > 0 {
            self.env.scratch = self.load_ctx(Ty::I64, offset_of!(Ctx, scratch));
        }
        let attachments = (self.shader.reads_attachments != [false; 2]).then_some(ATTACHMENT_SET);
        for set in self.shader.bindings.iter().map(|b| b.set).chain(attachments) {
            let s = set as usize;
            if s < abi::MAX_SETS && self.env.sets[s].is_none() {
                self.env.sets[s] = Some(self.load_ctx(Ty::I64, offset_of!(Ctx, sets) + 8 * s));
            }
        }
        match self.shader.stage {
            Stage::Compute | Stage::Task | Stage::Mesh => self.compute_prologue(),
            Stage::Fragment => self.fragment_prologue(),
            Stage::Vertex
            | Stage::RayGeneration
            | Stage::Intersection
            | Stage::AnyHit
            | Stage::ClosestHit
            | Stage::Miss
            | Stage::Callable => self.vertex_prologue(),
            Stage::TessellationControl | Stage::TessellationEvaluation | Stage::Geometry => {
                self.vertices_prologue();
            }
        }
        if !self.shader.outputs.is_empty() {
            self.env.output = self.load_ctx(Ty::I64, offset_of!(Ctx, output));
        }
        self.env.pending = vec![None; self.shader.outputs.len()];
        if calls_host {
            self.env.image_args = self.b.offset(self.env.scratch, self.scratch as i64);
            self.scratch += size_of::<abi::ImageArgs>().next_multiple_of(64);
        }
        if call_bytes > 0 {
            self.env.call_args = self.b.offset(self.env.scratch, self.scratch as i64);
            self.scratch += call_bytes;
        }
        self.env.frame = self.b.offset(self.env.scratch, self.scratch as i64);
    }

    /// Emits the loop over the `count` units of a call.
    pub(super) fn units(&mut self, count: Lane) -> Result<()> {
        match self.shader.stage {
            Stage::Compute | Stage::Task | Stage::Mesh => self.compute(count),
            Stage::TessellationControl => self.control(),
            Stage::Vertex
            | Stage::TessellationEvaluation
            | Stage::RayGeneration
            | Stage::Intersection
            | Stage::AnyHit
            | Stage::ClosestHit
            | Stage::Miss
            | Stage::Callable => self.vertex(),
            Stage::Geometry => self.geometry(),
            Stage::Fragment => self.fragment(),
        }
    }

    fn finish_function(&mut self, done: Block) {
        self.start_sealed(done);
        self.b.leave_with(abi::DONE);
        let stopped = self.flow.stopped;
        self.start_sealed(stopped);
        self.b.leave_with(abi::STOPPED);
    }

    /// Opens `for (var = first; var < end; ...)`; returns (variable, head, exit), with the body as the current block.
    fn open_units(&mut self, first: Lane, end: Lane) -> (LaneVar, Block, Block) {
        let var = self.b.declare(Ty::I32, true);
        self.b.set(&var, first);
        let (head, body, exit) = (self.block(), self.block(), self.block());
        self.jump(head);
        self.b.go_on_in(head);
        let i = self.b.get(&var);
        let more = self.b.icmp(ICmp::Ult, i, end);
        self.branch(more, body, exit);
        self.start_sealed(body);
        (var, head, exit)
    }

    fn close_units(&mut self, var: &LaneVar, head: Block, step: u32) {
        let i = self.b.get(var);
        let step = self.b.u32(step);
        let next = self.b.iadd(i, step);
        self.b.set(var, next);
        self.jump(head);
        self.b.seal(head);
    }

    fn zero_frame(&mut self) {
        if self.frame_bytes > 0 {
            let f = self.b.ptr(crate::runtime::zero_bytes as *const u8);
            let n = self.b.i64(i64::from(self.frame_bytes));
            self.b.call_values(f, &[self.env.frame, n], None);
        }
    }

    /// Word of an interface scalar in its record.
    fn word(list: &[Interface], k: u32) -> u32 {
        abi::interface_words(&list[..k as usize])
    }

    pub(super) fn interface(&mut self, i: &Inst) -> Result<()> {
        match (i.op, &i.imm) {
            (Op::LoadInput, Imm::Slot(k)) => {
                let v = match (self.shader.stage, i.args.first()) {
                    (Stage::Fragment, _) => self.fragment_input(*k)?,
                    (_, Some(&vertex)) => self.vertices_input(*k, vertex)?,
                    _ => self.vertex_input(*k),
                };
                self.def(i.results[0], v);
            }
            (Op::LoadPatchInput, Imm::Slot(k)) => {
                let v = self.patch_input(*k);
                self.def(i.results[0], v);
            }
            (Op::StoreOutput | Op::LoadOutput, Imm::Slot(k)) if self.shader.stage.writes_vertices() => {
                self.record_output(i, *k)?;
            }
            (Op::StorePrimitiveOutput | Op::LoadPrimitiveOutput, Imm::Slot(k)) => {
                self.record_output(i, *k)?
            }
            (Op::SetMeshOutputs | Op::EmitMeshTasks, _) => self.say_outputs(i)?,
            (Op::StorePatchOutput | Op::LoadPatchOutput, Imm::Slot(k)) => self.patch_output(i, *k)?,
            (Op::EmitVertex, Imm::Stream(stream)) => {
                let values = i.args.iter().map(|&a| self.val(a)).collect::<Result<Vec<_>>>()?;
                self.emit_vertex(*stream, &values)?;
            }
            (Op::EndPrimitive, Imm::Stream(stream)) => self.end_primitive(*stream),
            (Op::StoreOutput, Imm::Slot(k)) => {
                let v = self.val(i.args[0])?;
                self.store_output(*k, v)?;
            }
            (Op::BuiltIn, Imm::BuiltIn(b, c)) => {
                let v = self.builtin(*b, *c)?;
                self.def(i.results[0], v);
            }
            (Op::Interpolate, Imm::Interp(k, at)) => {
                let args = i.args.iter().map(|&a| self.val(a)).collect::<Result<Vec<_>>>()?;
                let v = self.interpolate(*k, *at, &args)?;
                self.def(i.results[0], v);
            }
            _ => return Err(Error::Internal(format!("malformed {}", i.op.name()))),
        }
        Ok(())
    }

    /// The records that an operation on shared outputs accesses.
    fn records(&mut self, op: Op) -> records::Records {
        match self.shader.stage {
            Stage::TessellationControl => self.control_outputs(),
            _ => self.mesh_outputs(op),
        }
    }

    fn store_output(&mut self, k: u32, v: Lane) -> Result<()> {
        let slot = self.shader.outputs[k as usize];
        if crate::lane::is_wide(slot.ty) && self.shader.stage == Stage::Fragment {
            return Err(Error::unsupported("64-bit outputs of fragment shaders"));
        }
        self.env.pending[k as usize] = Some(v);
        if self.env.pending.iter().all(Option::is_some) {
            self.flush_outputs();
        }
        Ok(())
    }

    /// Writes the outputs of the group. The front end stores them together at the end of the shader, where every
    /// invocation that has outputs is active.
    fn flush_outputs(&mut self) {
        let values: SmallVec<[Lane; 16]> =
            std::mem::take(&mut self.env.pending).into_iter().flatten().collect();
        self.env.pending = vec![None; values.len()];
        let mut words: SmallVec<[Lane; 16]> = SmallVec::new();
        for v in values {
            if crate::lane::is_wide(self.b.ty(v)) {
                let v = self.b.bitcast(v, Ty::I64);
                words.extend([self.b.low_word(v), self.b.high_word(v)]);
            } else {
                // Floats are stored without conversion.
                words.push(if self.b.ty(v) == Ty::F32 { v } else { self.b.to_word(v) });
            }
        }
        match self.shader.stage {
            Stage::Fragment => self.store_pixels(&words),
            _ => self.store_vertices(&words),
        }
    }

    fn builtin(&mut self, b: BuiltIn, c: u32) -> Result<Lane> {
        use BuiltIn::*;
        let s = self.b.lanes();
        Ok(match b {
            SubgroupSize => self.b.u32(s),
            SubgroupLocalInvocationId => self.b.lane_index(),
            SubgroupEqMask | SubgroupGeMask | SubgroupGtMask | SubgroupLeMask | SubgroupLtMask => {
                let all = if s == 32 { u32::MAX } else { (1 << s) - 1 };
                let words: Vec<u32> = (0..s)
                    .map(|l| {
                        let (eq, lt) = (1u32 << l, (1u32 << l) - 1);
                        let m = match b {
                            SubgroupEqMask => eq,
                            SubgroupGeMask => !lt,
                            SubgroupGtMask => !(lt | eq),
                            SubgroupLeMask => lt | eq,
                            _ => lt,
                        };
                        if c == 0 { m & all } else { 0 }
                    })
                    .collect();
                self.b.row_const(Ty::I32, &words)
            }
            ViewIndex => self.load_ctx(Ty::I32, offset_of!(Ctx, view_index)),
            DeviceIndex => self.b.u32(0),
            _ => match self.shader.stage {
                Stage::Compute | Stage::Task | Stage::Mesh => self.compute_builtin(b, c)?,
                Stage::Vertex => self.vertex_builtin(b)?,
                Stage::TessellationControl => self.control_builtin(b)?,
                Stage::TessellationEvaluation => self.evaluation_builtin(b, c)?,
                Stage::Geometry => self.geometry_builtin(b)?,
                Stage::Fragment => self.fragment_builtin(b, c)?,
                Stage::RayGeneration
                | Stage::Intersection
                | Stage::AnyHit
                | Stage::ClosestHit
                | Stage::Miss
                | Stage::Callable => self.no_builtin(b)?,
            },
        })
    }

    /// Returns the error for a built-in that is not an input of the stage.
    fn no_builtin(&self, b: BuiltIn) -> Result<Lane> {
        Err(Error::unsupported(format!("built-in {b:?} as input of {:?} shaders", self.shader.stage)))
    }
}
