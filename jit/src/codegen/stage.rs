//! Built-ins, inputs, outputs, and the loops over workgroups, vertices and stamps.

use std::mem::offset_of;

use cranelift_codegen::ir::InstBuilder;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::ahead::{certain, has_loop};
use super::{Gen, Level, Tables};
use crate::abi::{self, Ctx, Plane, Primitive, Stamp};
use crate::ir::op::Effect;
use crate::ir::{
    BuiltIn, Imm, Inst, InterpAt, Interpolation, Node, Op, Region, ResourceKind, Sampling, Shader, Sig,
    Stage, Ty,
};
use crate::lane::{ICmp, Lane, LaneVar};
use crate::passes::each_inst;
use crate::{Error, Result};

/// Values that the whole function uses.
pub(super) struct Env {
    pub sets: [Option<Lane>; abi::MAX_SETS],
    pub dynamic: Lane,
    pub push: Lane,
    pub scratch: Lane,
    pub shared: Lane,
    /// Frame of the current group.
    pub frame: Lane,
    /// First and one past the last unit.
    pub first: Lane,
    pub end: Lane,
    /// Workgroup id (compute).
    pub workgroup: [Lane; 3],
    /// Where that is on the stack, from byte 16 on.
    pub workgroup_at: Lane,
    /// Group within the workgroup (compute), invocation or stamp at hand.
    pub unit: Lane,
    /// Address of the image arguments.
    pub image_args: Lane,
    pub input: Lane,
    pub output: Lane,
    pub primitive: Lane,
    pub planes: Lane,
    /// Integer coordinates of the stamp's first pixel (uniform).
    pub corner: [Lane; 2],
    /// Where in the stamp each lane's inputs are evaluated.
    pub rows: [Lane; 2],
    pub made: Made,
    /// Origin of the primitive.
    pub origin: [Lane; 2],
    /// Position within the pixel at which inputs are evaluated.
    pub within: [Lane; 2],
    /// Where centroid inputs are evaluated, relative to the origin.
    pub centroid: Option<[Lane; 2]>,
    /// Lanes that the primitive covers.
    pub covered: Lane,
    /// Outputs waiting for the end of the group.
    pub pending: Vec<Option<Lane>>,
    /// Where a group's barrier state and kept values are in its frame.
    pub resume: Option<Resume>,
}

/// What a fragment group makes where it is first needed; kept until the end of the region that this is in.
#[derive(Clone, Copy, Default)]
pub(super) struct Made {
    /// Where inputs are evaluated, in pixels.
    pixel: [Option<Lane>; 2],
    /// That place relative to the primitive's origin.
    distance: [Option<Lane>; 2],
    /// 1 / (1 / w).
    w: Option<Lane>,
}

/// Control of groups with barriers.
pub(super) struct Resume {
    /// Blocks to resume at, in barrier order.
    pub points: Vec<cranelift_codegen::ir::Block>,
    /// Where a waiting group goes.
    pub wait: cranelift_codegen::ir::Block,
    /// Byte offset of the kept values in the frame.
    pub kept_at: u32,
    pub kept_bytes: u32,
    /// Points of barriers in code that is never run.
    pub left_out: Vec<cranelift_codegen::ir::Block>,
}

impl Env {
    pub fn new(zero: Lane) -> Env {
        Env {
            sets: [None; abi::MAX_SETS],
            dynamic: zero,
            push: zero,
            scratch: zero,
            shared: zero,
            frame: zero,
            first: zero,
            end: zero,
            workgroup: [zero; 3],
            workgroup_at: zero,
            unit: zero,
            image_args: zero,
            input: zero,
            output: zero,
            primitive: zero,
            planes: zero,
            corner: [zero; 2],
            rows: [zero; 2],
            made: Made::default(),
            origin: [zero; 2],
            within: [zero; 2],
            centroid: None,
            covered: zero,
            pending: Vec::new(),
            resume: None,
        }
    }
}

/// Invocations of a workgroup.
fn invocations(shader: &Shader) -> u32 {
    shader.local_size.iter().product::<u32>().max(1)
}

/// Tables for a variant: local ids where they are not simple.
pub(super) fn tables(shader: &Shader, lanes: u32) -> Tables {
    let mut t = Tables::default();
    if shader.stage == Stage::Compute && !shader.local_size[0].is_multiple_of(lanes) {
        let [x, y, _] = shader.local_size.map(|s| s.max(1));
        let n = invocations(shader).next_multiple_of(lanes);
        t.local_ids.extend((0..n).map(|i| i % x));
        t.local_ids.extend((0..n).map(|i| i / x % y));
        t.local_ids.extend((0..n).map(|i| i / x / y));
    }
    each_inst(&shader.body, &mut |i| {
        if let Imm::Printf(format) = &i.imm {
            t.formats.push(format.clone());
        }
    });
    t
}

impl<'s> Gen<'_, '_, 's> {
    /// How often each value is computed.
    pub(super) fn find_levels(&self) -> Vec<Level> {
        let shader = self.shader;
        let mut levels = vec![Level::Place; shader.values.len()];
        let mut read_only = vec![false; shader.values.len()];
        let mut insts = Vec::new();
        each_inst(&shader.body, &mut |i| insts.push(i));
        let certain = if self.partial { certain(&shader.body) } else { FxHashSet::default() };
        for i in insts {
            let args = i.args.iter().map(|a| levels[a.0 as usize]).max().unwrap_or(Level::Call);
            let level = match (i.op, &i.imm) {
                (Op::Const | Op::PushConstants, _) => Level::Call,
                (Op::BufferDescriptor | Op::ImageDescriptor, Imm::Binding { set, binding }) => {
                    let fixed = shader.bindings.iter().any(|b| {
                        (b.set, b.binding) == (*set, *binding)
                            && (b.kind == ResourceKind::UniformBuffer || !shader.writes_memory)
                    });
                    let partial = self.layout.find(*set, *binding).is_some_and(|b| b.partially_bound);
                    let valid = !partial || certain.contains(&i.results[0]);
                    read_only[i.results[0].0 as usize] = fixed && valid;
                    args
                }
                (
                    Op::BufferSize
                    | Op::SampledImage
                    | Op::BufferAt
                    | Op::BufferParts
                    | Op::AddressBuffer
                    | Op::NullImage,
                    _,
                ) => args,
                (Op::LoadBuffer, Imm::Mem(m)) if read_only[i.args[0].0 as usize] && !m.ordered => args,
                (Op::BuiltIn, Imm::BuiltIn(b, c)) => self.builtin_level(*b, *c),
                (Op::LoadInput, Imm::Slot(s)) => {
                    let flat = shader.inputs[*s as usize].interpolation == Interpolation::Flat;
                    if shader.stage == Stage::Fragment && flat { Level::Call } else { Level::Place }
                }
                (op, _) if (op == Op::Offset || op.sig() != Sig::Free) && op.effect() == Effect::Pure => {
                    let cheap = i.results.iter().all(|r| matches!(shader.ty(*r), Ty::I32 | Ty::Bool));
                    if args == Level::Group && !(shader.has_barrier && cheap) { Level::Place } else { args }
                }
                _ => Level::Place,
            };
            if i.op == Op::PushConstants {
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
            (Stage::Compute, WorkgroupId) => Level::Workgroup,
            (Stage::Compute, GlobalInvocationId)
                if component > 0
                    && self.shader.local_size[component as usize] == 1
                    && self.b_lanes_divide() =>
            {
                Level::Workgroup
            }
            (Stage::Compute, _) => Level::Group,
            (Stage::Fragment, FrontFacing | PrimitiveId | Layer | ViewportIndex | SampleId) => Level::Call,
            _ => Level::Place,
        }
    }

    fn b_lanes_divide(&self) -> bool {
        self.shader.local_size[0].is_multiple_of(self.b.lanes())
    }

    /// Emits what is computed once at a level.
    fn emit_level(&mut self, level: Level) -> Result<()> {
        let shader: &'s Shader = self.shader;
        let mut insts = Vec::new();
        each_inst(&shader.body, &mut |i| insts.push(i));
        for i in insts {
            if i.results.first().is_some_and(|r| self.levels[r.0 as usize] == level) {
                self.check_size()?;
                self.emit(i)?;
            }
        }
        Ok(())
    }

    /// Loads what the whole function needs.
    pub(super) fn prologue(&mut self, args: &[Lane]) {
        self.env.first = args[1];
        self.env.end = self.b.iadd(args[1], args[2]);
        self.env.push = self.load_ctx(Ty::I64, offset_of!(Ctx, push));
        self.env.dynamic = self.load_ctx(Ty::I64, offset_of!(Ctx, dynamic));
        self.env.scratch = self.load_ctx(Ty::I64, offset_of!(Ctx, scratch));
        for b in &self.shader.bindings {
            let s = b.set as usize;
            if s < abi::MAX_SETS && self.env.sets[s].is_none() {
                self.env.sets[s] = Some(self.load_ctx(Ty::I64, offset_of!(Ctx, sets) + 8 * s));
            }
        }
        match self.shader.stage {
            Stage::Compute => self.env.shared = self.load_ctx(Ty::I64, offset_of!(Ctx, shared)),
            Stage::Fragment => {
                self.env.primitive = self.load_ctx(Ty::I64, offset_of!(Ctx, primitive));
                self.env.planes =
                    self.b.load(Ty::I64, self.env.primitive, offset_of!(Primitive, inputs) as i32);
            }
            _ => self.env.input = self.load_ctx(Ty::I64, offset_of!(Ctx, input)),
        }
        self.env.output = self.load_ctx(Ty::I64, offset_of!(Ctx, output));
        self.env.pending = vec![None; self.shader.outputs.len()];
        if !self.image_ops.is_empty() {
            self.env.image_args = self.b.offset(self.env.scratch, self.scratch as i64);
            self.scratch += size_of::<abi::ImageArgs>().next_multiple_of(64);
        }
        self.env.frame = self.b.offset(self.env.scratch, self.scratch as i64);
    }

    fn finish_function(&mut self, done: cranelift_codegen::ir::Block) {
        self.start_sealed(done);
        let v = self.b.fb.ins().iconst(cranelift_codegen::ir::types::I32, i64::from(abi::DONE));
        self.b.fb.ins().return_(&[v]);
        let stopped = self.flow.stopped;
        self.start_sealed(stopped);
        let v = self.b.fb.ins().iconst(cranelift_codegen::ir::types::I32, i64::from(abi::STOPPED));
        self.b.fb.ins().return_(&[v]);
    }

    /// Opens `for (var = first; var < end; ...)`; gives (variable, head, exit), inside the body.
    fn open_units(
        &mut self,
        first: Lane,
        end: Lane,
    ) -> (LaneVar, cranelift_codegen::ir::Block, cranelift_codegen::ir::Block) {
        let var = self.b.declare(Ty::I32, true);
        self.b.set(&var, first);
        let (head, body, exit) = (self.block(), self.block(), self.block());
        self.jump(head);
        self.b.fb.switch_to_block(head);
        let i = self.b.get(&var);
        let more = self.b.icmp(ICmp::Ult, i, end);
        self.branch(more, body, exit);
        self.start_sealed(body);
        (var, head, exit)
    }

    fn close_units(&mut self, var: &LaneVar, head: cranelift_codegen::ir::Block, step: u32) {
        let i = self.b.get(var);
        let step = self.b.u32(step);
        let next = self.b.iadd(i, step);
        self.b.set(var, next);
        self.jump(head);
        self.b.fb.seal_block(head);
    }

    fn zero_frame(&mut self) {
        if self.frame_bytes > 0 {
            let f = self.b.ptr(crate::runtime::zero_bytes as *const u8);
            let n = self.b.i64(i64::from(self.frame_bytes));
            self.b.call_values(f, &[self.env.frame, n], None);
        }
    }

    // Compute.

    pub(super) fn compute(&mut self, count: Lane) -> Result<()> {
        let s = self.b.lanes();
        let n_groups = invocations(self.shader).div_ceil(s);
        self.flow.full = invocations(self.shader).is_multiple_of(s);
        self.emit_level(Level::Call)?;
        self.prepare_proof();
        let at = self.first_workgroup(count);
        let (head, body, done) = (self.block(), self.block(), self.block());
        self.jump(head);
        self.b.fb.switch_to_block(head);
        let (left, none) = (self.b.load(Ty::I32, at, 12), self.b.u32(0));
        let more = self.b.icmp(ICmp::Ne, left, none);
        self.branch(more, body, done);
        self.start_sealed(body);
        self.poll_stop();
        self.workgroup_id(at);
        if self.shader.shared_size > 0 {
            let f = self.b.ptr(crate::runtime::zero_bytes as *const u8);
            let n = self.b.i64(i64::from(self.shader.shared_size));
            self.b.call_values(f, &[self.env.shared, n], None);
        }
        self.emit_level(Level::Workgroup)?;
        if self.shader.has_barrier {
            self.groups_with_barriers(n_groups)?;
        } else {
            self.scratch += self.frame_bytes as usize;
            match if n_groups > 1 { self.prove() } else { None } {
                Some(ok) => {
                    let (fast, slow, next) = (self.block(), self.block(), self.block());
                    self.branch(ok, fast, slow);
                    for (block, on) in [(fast, true), (slow, false)] {
                        self.start_sealed(block);
                        self.proven.on = on;
                        self.groups(n_groups)?;
                        self.jump(next);
                    }
                    self.start_sealed(next);
                }
                None => self.groups(n_groups)?,
            }
        }
        self.next_workgroup(at);
        self.jump(head);
        self.b.fb.seal_block(head);
        self.finish_function(done);
        Ok(())
    }

    /// Runs the groups of a workgroup without barriers.
    fn groups(&mut self, n_groups: u32) -> Result<()> {
        let (zero, n) = (self.b.u32(0), self.b.u32(n_groups));
        if n_groups == 1 {
            self.env.unit = zero;
            return self.compute_group();
        }
        if self.proven.on && self.proven.is_tiny() && n_groups <= 8 {
            for k in 0..n_groups {
                self.env.unit = self.b.u32(k);
                self.compute_group()?;
            }
            return Ok(());
        }
        // There is at least one: the test stands at the end.
        let g = self.b.declare(Ty::I32, true);
        self.b.set(&g, zero);
        let (head, done) = (self.block(), self.block());
        self.jump(head);
        self.b.fb.switch_to_block(head);
        self.env.unit = self.b.get(&g);
        self.compute_group()?;
        let (i, one) = (self.b.get(&g), self.b.u32(1));
        let next = self.b.iadd(i, one);
        self.b.set(&g, next);
        let more = self.b.icmp(ICmp::Ult, next, n);
        self.branch(more, head, done);
        self.b.fb.seal_block(head);
        self.start_sealed(done);
        Ok(())
    }

    /// Size of the dispatch across and down, at least one.
    fn dispatch_size(&mut self) -> [Lane; 2] {
        [0, 1].map(|k| {
            let n = self.load_ctx(Ty::I32, offset_of!(Ctx, num_workgroups) + 4 * k);
            let one = self.b.u32(1);
            self.b.umax(n, one)
        })
    }

    /// Where the first workgroup of the call is, without the dispatch's base, and how many there are: x, y, z
    /// and the number left, then the workgroup at hand, on the stack, so that registers are free for what a group computes with.
    fn first_workgroup(&mut self, count: Lane) -> Lane {
        let size = self.dispatch_size();
        let linear = self.env.first;
        let (l, nx, ny) = (self.b.scalar(linear), self.b.scalar(size[0]), self.b.scalar(size[1]));
        // The divisors are at least one: no trap.
        let x = self.b.fb.ins().urem(l, nx);
        let t = self.b.fb.ins().udiv(l, nx);
        let y = self.b.fb.ins().urem(t, ny);
        let z = self.b.fb.ins().udiv(t, ny);
        let at = self.b.stack(32);
        self.env.workgroup_at = at;
        for (k, v) in [x, y, z].into_iter().enumerate() {
            let v = self.b.push(Ty::I32, crate::lane::Parts::Uniform(v));
            self.b.store(v, at, 4 * k as i32);
        }
        self.b.store(count, at, 12);
        at
    }

    /// The workgroup at hand, as far as the shader asks for it.
    fn workgroup_id(&mut self, at: Lane) {
        let mut asked = [false; 3];
        each_inst(&self.shader.body, &mut |i| {
            if let Imm::BuiltIn(BuiltIn::WorkgroupId | BuiltIn::GlobalInvocationId, c) = i.imm {
                asked[c as usize] = true;
            }
        });
        for k in (0..3).filter(|&k| asked[k as usize]) {
            let v = self.b.load(Ty::I32, at, 4 * k);
            let base = self.load_ctx(Ty::I32, offset_of!(Ctx, base_workgroup) + 4 * k as usize);
            let v = self.b.iadd(v, base);
            self.b.store(v, at, 16 + 4 * k);
            self.env.workgroup[k as usize] = v;
        }
    }

    /// Steps to the next workgroup: x first.
    fn next_workgroup(&mut self, at: Lane) {
        let (zero, one) = (self.b.u32(0), self.b.u32(1));
        let done = self.block();
        for k in 0..3 {
            let v = self.b.load(Ty::I32, at, 4 * k);
            let v = self.b.iadd(v, one);
            self.b.store(v, at, 4 * k);
            if k < 2 {
                let n = self.load_ctx(Ty::I32, offset_of!(Ctx, num_workgroups) + 4 * k as usize);
                let inside = self.b.icmp(ICmp::Ult, v, n);
                let wraps = self.block();
                self.branch(inside, done, wraps);
                self.b.set_cold(wraps);
                self.start_sealed(wraps);
                self.b.store(zero, at, 4 * k);
            }
        }
        self.jump(done);
        self.start_sealed(done);
        let left = self.b.load(Ty::I32, at, 12);
        let left = self.b.isub(left, one);
        self.b.store(left, at, 12);
    }

    /// Lanes of a partly filled last group.
    fn start_mask(&mut self) {
        if self.flow.full {
            return;
        }
        let s = self.b.lanes();
        let n = self.b.u32(invocations(self.shader));
        let k = self.b.u32(s);
        let base = self.b.imul(self.env.unit, k);
        let lane = self.b.lane_index();
        let i = self.b.iadd(base, lane);
        let i = self.b.splat(i);
        let m = self.b.icmp(ICmp::Ult, i, n);
        self.set_mask(m);
    }

    fn compute_group(&mut self) -> Result<()> {
        self.flow.group_end = self.block();
        // No lane of this group has left.
        self.flow.missing = vec![false];
        self.flow.some = false;
        self.start_mask();
        self.zero_frame();
        self.emit_level(Level::Group)?;
        let shader: &'s Shader = self.shader;
        self.body(&shader.body)?;
        let end = self.flow.group_end;
        self.start_sealed(end);
        Ok(())
    }

    /// Runs all groups of a workgroup from barrier to barrier. The first word of a group's frame says where
    /// it goes on: 0 at the start, k at barrier k, all ones when it is done.
    fn groups_with_barriers(&mut self, n_groups: u32) -> Result<()> {
        let done_mark = u32::MAX;
        let s = self.b.lanes();
        let n_points = self.barriers.live.len();
        let kept_at = 64 + self.frame_bytes.next_multiple_of(64);
        // Room for what any barrier keeps; grown while the body is emitted.
        let points: Vec<_> = (0..n_points).map(|_| self.block()).collect();
        let wait = self.block();
        self.env.resume =
            Some(Resume { points: points.clone(), wait, kept_at, kept_bytes: 0, left_out: Vec::new() });
        // Kept values are bounded by all values kept anywhere plus the open constructs' state.
        let state_bound = 64 * (s * 4) as usize;
        let kept_bound: usize = self
            .barriers
            .kept
            .iter()
            .map(|v| (s as usize) * if crate::lane::is_wide(self.shader.ty(*v)) { 8 } else { 4 })
            .sum::<usize>()
            + state_bound;
        let frame_stride = (kept_at as usize + kept_bound).next_multiple_of(64);
        let frames = self.env.frame;
        self.scratch += frame_stride * n_groups as usize;
        if self.scratch > 256 << 20 {
            return Err(Error::Limit(format!("{} bytes of frames for one workgroup", self.scratch)));
        }

        let (zero, n) = (self.b.u32(0), self.b.u32(n_groups));
        let (g, h, x) = self.open_units(zero, n);
        let i = self.b.get(&g);
        let frame = self.b.index(frames, i, frame_stride as u32);
        self.b.store(zero, frame, 0);
        self.close_units(&g, h, 1);
        self.start_sealed(x);

        let (phase, all_done) = (self.block(), self.block());
        let waiting = self.b.declare(Ty::I32, true);
        self.jump(phase);
        self.b.fb.switch_to_block(phase);
        self.poll_stop();
        self.b.set(&waiting, zero);
        let (g, ghead, gdone) = self.open_units(zero, n);
        self.env.unit = self.b.get(&g);
        let latch = self.block();
        let unit_frame = self.b.index(frames, self.env.unit, frame_stride as u32);
        self.env.frame = self.b.offset(unit_frame, 64);
        self.start_mask();
        if self.flow.full {
            let yes = self.b.bool(true);
            self.set_mask(yes);
        }
        self.emit_level(Level::Group)?;
        let state = self.b.load(Ty::I32, unit_frame, 0);
        // Where the group goes on.
        let start = self.block();
        let mut next = self.block();
        self.b.if_to(state, 0, start, next);
        for (k, &p) in points.iter().enumerate() {
            self.start_sealed(next);
            next = self.block();
            self.b.if_to(state, k as u32 + 1, p, next);
        }
        self.start_sealed(next);
        self.jump(latch);
        self.start_sealed(start);
        self.zero_frame();
        let shader: &'s Shader = self.shader;
        self.body(&shader.body)?;
        let end = self.flow.group_end;
        self.start_sealed(end);
        let mark = self.b.u32(done_mark);
        self.b.store(mark, unit_frame, 0);
        self.jump(latch);
        for point in self.env.resume.as_mut().map(|r| std::mem::take(&mut r.left_out)).unwrap_or_default() {
            self.start_sealed(point);
            self.jump(latch);
        }
        self.start_sealed(wait);
        let one = self.b.u32(1);
        self.b.set(&waiting, one);
        self.jump(latch);
        self.start_sealed(latch);
        self.close_units(&g, ghead, 1);
        self.start_sealed(gdone);
        let w = self.b.get(&waiting);
        let again = self.b.icmp(ICmp::Ne, w, zero);
        self.branch(again, phase, all_done);
        self.b.fb.seal_block(phase);
        self.start_sealed(all_done);
        let used = self.env.resume.as_ref().map_or(0, |r| r.kept_bytes) as usize;
        if used > kept_bound {
            return Err(Error::Limit("constructs open at a barrier".into()));
        }
        Ok(())
    }

    /// Counts the barriers of a region that is not emitted; no group waits at them.
    pub(super) fn skip_barriers(&mut self, region: &Region) {
        let n = super::barrier::count(region);
        let skipped = self.barriers.next..self.barriers.next + n;
        self.barriers.next += n;
        if let Some(r) = &mut self.env.resume {
            r.left_out.extend_from_slice(&r.points[skipped]);
        }
    }

    /// Gives way to the other groups of the workgroup; goes on in a new block.
    pub(super) fn control_barrier(&mut self) -> Result<()> {
        let k = self.barriers.next;
        self.barriers.next += 1;
        let Some(resume) = &self.env.resume else {
            // Outside of compute a barrier has nobody to wait for.
            self.b.fb.ins().fence();
            return Ok(());
        };
        let (point, wait, kept_at) = (resume.points[k], resume.wait, resume.kept_at);
        let mut vars: Vec<LaneVar> = Vec::new();
        for v in self.barriers.live[k].clone() {
            if let Some(var) = self.backed.get(&v) {
                vars.push(var.clone());
            }
        }
        vars.extend(self.flow.state.iter().cloned());
        vars.push(self.flow.mask.clone());
        if self.flow.full && !self.flow.missing.iter().any(|&m| m) {
            vars.pop();
        }
        let unit_frame = self.b.offset(self.env.frame, -64);
        let mut at = kept_at as i32;
        let mut places = Vec::new();
        for var in &vars {
            let v = self.b.get(var);
            at = (at + 15) & !15;
            if var.is_uniform() {
                self.b.store(v, unit_frame, at);
                places.push(at);
                at += 8;
            } else {
                self.b.store_row(v, unit_frame, at);
                places.push(at);
                at += self.b.row_bytes(var.ty()) as i32;
            }
        }
        let state = self.b.u32(k as u32 + 1);
        self.b.store(state, unit_frame, 0);
        self.jump(wait);
        if let Some(r) = &mut self.env.resume {
            r.kept_bytes = r.kept_bytes.max(at as u32 - kept_at);
        }
        self.start_sealed(point);
        let unit_frame = self.b.offset(self.env.frame, -64);
        for (var, &at) in vars.iter().zip(&places) {
            let v = if var.is_uniform() {
                self.b.load(var.ty(), unit_frame, at)
            } else {
                self.b.load_row(var.ty(), unit_frame, at)
            };
            self.b.set(var, v);
        }
        Ok(())
    }

    // Vertex.

    pub(super) fn vertex(&mut self) -> Result<()> {
        let s = self.b.lanes();
        self.scratch += self.frame_bytes as usize;
        self.flow.full = !self.shader.writes_memory && !self.partial;
        self.emit_level(Level::Call)?;
        let (first, end) = (self.env.first, self.env.end);
        let (var, head, done) = self.open_units(first, end);
        self.poll_stop();
        self.env.unit = self.b.get(&var);
        if !self.flow.full {
            let lane = self.b.lane_index();
            let i = self.b.iadd(self.env.unit, lane);
            let i = self.b.splat(i);
            let m = self.b.icmp(ICmp::Ult, i, end);
            self.set_mask(m);
        }
        self.zero_frame();
        let shader: &'s Shader = self.shader;
        self.body(&shader.body)?;
        let end = self.flow.group_end;
        self.start_sealed(end);
        self.close_units(&var, head, s);
        self.finish_function(done);
        Ok(())
    }

    // Fragment.

    pub(super) fn fragment(&mut self) -> Result<()> {
        let s = self.b.lanes();
        self.scratch += self.frame_bytes as usize;
        // Uncovered lanes may run along where that cannot be seen and costs nothing.
        let quiet = !self.shader.writes_memory && !has_loop(&self.shader.body);
        self.flow.full = (self.shader.needs_quads || quiet) && !self.partial;
        self.emit_level(Level::Call)?;
        let stamps = self.load_ctx(Ty::I64, offset_of!(Ctx, stamps));
        let out_masks = self.load_ctx(Ty::I64, offset_of!(Ctx, out_masks));
        let origin: [Lane; 2] = [0, 4]
            .map(|k| self.b.load(Ty::F32, self.env.primitive, offset_of!(Primitive, origin) as i32 + k));
        self.env.origin = origin;
        self.env.within = [0, 4].map(|k| self.load_ctx(Ty::F32, offset_of!(Ctx, pixel_offset) + k));
        let rows = [0, 1].map(|k| {
            let place = |l| if k == 0 { abi::stamp_lane(s, l).0 } else { abi::stamp_lane(s, l).1 };
            let row: Vec<u32> = (0..s).map(|l| (place(l) as f32).to_bits()).collect();
            let row = self.b.row_const(Ty::F32, &row);
            self.b.fadd(row, self.env.within[k])
        });
        let (first, end) = (self.env.first, self.env.end);
        let (var, head, done) = self.open_units(first, end);
        self.poll_stop();
        let i = self.b.get(&var);
        self.env.unit = i;
        let stamp = self.b.index(stamps, i, size_of::<Stamp>() as u32);
        let x = self.b.load(Ty::I32, stamp, offset_of!(Stamp, x) as i32);
        let y = self.b.load(Ty::I32, stamp, offset_of!(Stamp, y) as i32);
        let mask = self.b.load(Ty::I32, stamp, offset_of!(Stamp, mask) as i32);
        let live = self.b.mask_from_bits(mask);
        let live_var = self.flow.live.clone();
        self.b.set(&live_var, live);
        self.env.covered = live;
        self.env.corner = [x, y];
        if !self.flow.full {
            let present = if self.shader.needs_quads { self.quads_of(mask) } else { live };
            self.set_mask(present);
        }
        self.env.rows = rows;
        self.env.made = Made::default();
        self.env.centroid = None;
        if self.shader.centroid {
            self.env.centroid = Some(self.centroid());
        }
        self.zero_frame();
        let shader: &'s Shader = self.shader;
        self.body(&shader.body)?;
        let end = self.flow.group_end;
        self.start_sealed(end);
        let bits = if self.shader.discards {
            let live = self.live();
            self.b.mask_bits(live)
        } else {
            mask
        };
        let at = self.b.index(out_masks, i, 4);
        self.b.store(bits, at, 0);
        self.close_units(&var, head, 1);
        self.finish_function(done);
        Ok(())
    }

    /// The lanes of all quads that have a covered one.
    fn quads_of(&mut self, mut bits: Lane) -> Lane {
        for step in [1, 2] {
            let step = self.b.u32(step);
            let next = self.b.ushr(bits, step);
            bits = self.b.or(bits, next);
        }
        let (first, quad) = (self.b.u32(0x1111_1111), self.b.u32(15));
        let quads = self.b.and(bits, first);
        let lanes = self.b.imul(quads, quad);
        self.b.mask_from_bits(lanes)
    }

    /// Value of a plane at the pixel centres.
    fn plane(&mut self, at: Lane, offset: i32) -> Lane {
        let (dx, dy) = (self.distance(0), self.distance(1));
        self.plane_at(at, offset, dx, dy)
    }

    fn plane_at(&mut self, at: Lane, offset: i32, dx: Lane, dy: Lane) -> Lane {
        let a0 = self.b.load(Ty::F32, at, offset + offset_of!(Plane, a0) as i32);
        let dadx = self.b.load(Ty::F32, at, offset + offset_of!(Plane, dadx) as i32);
        let dady = self.b.load(Ty::F32, at, offset + offset_of!(Plane, dady) as i32);
        let gx = self.b.fmul(dadx, dx);
        let gy = self.b.fmul(dady, dy);
        let v = self.b.fadd(a0, gx);
        self.b.fadd(v, gy)
    }

    fn inv_w(&mut self) -> Lane {
        self.plane(self.env.primitive, offset_of!(Primitive, inv_w) as i32)
    }

    /// Where in x (0) or y (1) inputs are evaluated.
    fn pixel(&mut self, k: usize) -> Lane {
        if let Some(p) = self.env.made.pixel[k] {
            return p;
        }
        let corner = self.b.s32_to_f32(self.env.corner[k]);
        let p = self.b.fadd(corner, self.env.rows[k]);
        self.env.made.pixel[k] = Some(p);
        p
    }

    /// That place relative to the primitive's origin.
    fn distance(&mut self, k: usize) -> Lane {
        if let Some(d) = self.env.made.distance[k] {
            return d;
        }
        let p = self.pixel(k);
        let d = self.b.fsub(p, self.env.origin[k]);
        self.env.made.distance[k] = Some(d);
        d
    }

    fn w(&mut self) -> Lane {
        if let Some(w) = self.env.made.w {
            return w;
        }
        let iw = self.inv_w();
        let one = self.b.f32(1.0);
        let w = self.b.fdiv(one, iw);
        self.env.made.w = Some(w);
        w
    }

    /// Makes what a construct would make more than once.
    pub(super) fn prepare(&mut self, node: &Node) {
        if matches!(node, Node::Inst(_) | Node::Block(_))
            || self.shader.stage != Stage::Fragment
            || self.env.made.w.is_some()
        {
            return;
        }
        let wanted = |r: &Region| {
            let (mut place, mut w) = (false, false);
            each_inst(r, &mut |i| match (i.op, &i.imm) {
                (Op::LoadInput, Imm::Slot(k)) => {
                    let interpolation = self.shader.inputs[*k as usize].interpolation;
                    place |= interpolation != Interpolation::Flat;
                    w |= interpolation == Interpolation::Perspective;
                }
                (Op::BuiltIn, Imm::BuiltIn(BuiltIn::FragCoord, _)) | (Op::Interpolate, _) => place = true,
                _ => {}
            });
            (place, w)
        };
        let (place, w) = match node {
            Node::If(n) => {
                let (a, b) = (wanted(&n.then), wanted(&n.els));
                (a.0 && b.0, a.1 && b.1)
            }
            Node::Loop(n) => wanted(&n.body),
            Node::Inst(_) | Node::Block(_) => return,
        };
        if place {
            self.distance(0);
            self.distance(1);
        }
        if w {
            self.w();
        }
    }

    /// Relative to the origin, the place that a position within each pixel has, moved by an offset.
    fn from_origin(&mut self, within: [Lane; 2], offset: Option<[Lane; 2]>) -> [Lane; 2] {
        [0, 1].map(|k| {
            let p = self.pixel(k);
            // Exact: pixels and positions within them are multiples of 1/16.
            let step = self.b.fsub(within[k], self.env.within[k]);
            let mut p = self.b.fadd(p, step);
            if let Some(offset) = offset {
                p = self.b.fadd(p, offset[k]);
            }
            self.b.fsub(p, self.env.origin[k])
        })
    }

    /// Where centroid inputs are evaluated.
    fn centroid(&mut self) -> [Lane; 2] {
        let rows = self.load_ctx(Ty::I64, offset_of!(Ctx, centroids));
        let zero = self.b.i64(0);
        let several = self.b.icmp(ICmp::Ne, rows, zero);
        let vars = [0, 1].map(|_| self.b.declare(Ty::F32, false));
        let (unit, s, half) = (self.env.unit, self.b.lanes(), self.b.f32(0.5));
        self.b.if_else(
            several,
            |b| {
                let at = b.index(rows, unit, 8 * s);
                for (k, var) in vars.iter().enumerate() {
                    let row = b.load_row(Ty::F32, at, (k as u32 * 4 * s) as i32);
                    b.set(var, row);
                }
            },
            |b| vars.iter().for_each(|var| b.set(var, half)),
        );
        let within = vars.map(|var| self.b.take(var));
        self.from_origin(within, None)
    }

    /// Where a sample is; the centre for samples that there are not.
    fn sample_place(&mut self, sample: Lane) -> [Lane; 2] {
        let table = self.load_ctx(Ty::I64, offset_of!(Ctx, sample_positions));
        let last = self.b.u32(abi::SAMPLE_POSITIONS as u32 - 1);
        let sample = self.b.umin(sample, last);
        let eight = self.b.u32(8);
        let at = self.b.imul(sample, eight);
        let within = [0, 4].map(|k| {
            let table = self.b.offset(table, k);
            self.b.gather(Ty::F32, table, at)
        });
        self.from_origin(within, None)
    }

    /// Word of an interface scalar.
    fn word(list: &[crate::ir::Interface], k: u32) -> u32 {
        abi::interface_words(&list[..k as usize])
    }

    pub(super) fn interface(&mut self, i: &Inst) -> Result<()> {
        match (i.op, &i.imm) {
            (Op::LoadInput, Imm::Slot(k)) => {
                let v = if self.shader.stage == Stage::Fragment {
                    self.fragment_input(*k)?
                } else {
                    self.vertex_input(*k)
                };
                self.def(i.results[0], v);
            }
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

    fn vertex_input(&mut self, k: u32) -> Lane {
        let s = self.b.lanes();
        let n_words = abi::interface_words(&self.shader.inputs);
        let ty = self.shader.inputs[k as usize].ty;
        let word = Self::word(&self.shader.inputs, k);
        // The unit is a multiple of S: the group's rows begin at unit * n_words words.
        let at = self.b.index(self.env.input, self.env.unit, 4 * n_words);
        let off = (word * s * 4) as i32;
        if crate::lane::is_wide(ty) {
            let lo = self.b.load_row(Ty::I32, at, off);
            let hi = self.b.load_row(Ty::I32, at, off + 4 * s as i32);
            let v = self.b.join_words(lo, hi);
            return self.b.bitcast(v, ty);
        }
        let v = self.b.load_row(Ty::I32, at, off);
        self.b.word_to(v, ty)
    }

    fn fragment_input(&mut self, k: u32) -> Result<Lane> {
        let input = self.shader.inputs[k as usize];
        let at = (Self::word(&self.shader.inputs, k) * size_of::<Plane>() as u32) as i32;
        if input.interpolation == Interpolation::Flat {
            if crate::lane::is_wide(input.ty) {
                let lo = self.b.load(Ty::I32, self.env.planes, at);
                let hi = self.b.load(Ty::I32, self.env.planes, at + size_of::<Plane>() as i32);
                let v = self.b.join_words(lo, hi);
                return Ok(self.b.bitcast(v, input.ty));
            }
            let v = self.b.load(Ty::I32, self.env.planes, at);
            return Ok(self.b.word_to(v, input.ty));
        }
        if input.ty != Ty::F32 {
            return Err(Error::unsupported(format!("interpolated input of type {:?}", input.ty)));
        }
        if let (Sampling::Centroid, Some(at)) = (input.sampling, self.env.centroid) {
            return Ok(self.input_at(k, at));
        }
        // Inputs decorated Sample make the shader run per sample.
        let v = self.plane(self.env.planes, at);
        if input.interpolation != Interpolation::Perspective {
            return Ok(v);
        }
        let w = self.w();
        Ok(self.b.fmul(v, w))
    }

    fn interpolate(&mut self, k: u32, at: InterpAt, args: &[Lane]) -> Result<Lane> {
        let input = self.shader.inputs[k as usize];
        if input.interpolation == Interpolation::Flat || input.ty != Ty::F32 {
            return self.fragment_input(k);
        }
        let place = match at {
            InterpAt::Centroid => match self.env.centroid {
                Some(place) => place,
                None => [self.distance(0), self.distance(1)],
            },
            InterpAt::Sample => self.sample_place(args[0]),
            InterpAt::Offset => {
                let half = self.b.f32(0.5);
                self.from_origin([half; 2], Some([args[0], args[1]]))
            }
        };
        Ok(self.input_at(k, place))
    }

    /// An interpolated input at a place relative to the origin.
    fn input_at(&mut self, k: u32, [dx, dy]: [Lane; 2]) -> Lane {
        let word = (Self::word(&self.shader.inputs, k) * size_of::<Plane>() as u32) as i32;
        let v = self.plane_at(self.env.planes, word, dx, dy);
        if self.shader.inputs[k as usize].interpolation == Interpolation::Linear {
            return v;
        }
        let iw = self.plane_at(self.env.primitive, offset_of!(Primitive, inv_w) as i32, dx, dy);
        let one = self.b.f32(1.0);
        let w = self.b.fdiv(one, iw);
        self.b.fmul(v, w)
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

    /// Writes the outputs of the group. By contract of the front end they are stored together at the
    /// end, where every invocation that has outputs is active.
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
                words.push(self.b.to_word(v));
            }
        }
        let (s, n) = (self.b.lanes(), words.len() as u32);
        if self.shader.stage == Stage::Fragment {
            let at = self.b.index(self.env.output, self.env.unit, n * s * 4);
            for (w, &v) in words.iter().enumerate() {
                self.b.store_row(v, at, (w as u32 * s * 4) as i32);
            }
            return;
        }
        let at = self.b.index(self.env.output, self.env.unit, n * 4);
        self.b.store_records(&words, at, n * 4);
    }

    fn builtin(&mut self, b: BuiltIn, c: u32) -> Result<Lane> {
        use BuiltIn::*;
        let s = self.b.lanes();
        let u32_at = |g: &mut Self, o: usize| g.load_ctx(Ty::I32, o);
        Ok(match b {
            NumWorkgroups => u32_at(self, offset_of!(Ctx, num_workgroups) + 4 * c as usize),
            WorkgroupId => self.env.workgroup[c as usize],
            LocalInvocationId => self.local_id(c),
            GlobalInvocationId => {
                let size = self.b.u32(self.shader.local_size[c as usize]);
                // From the stack, so that it takes no register from one group to the next.
                let id = self.b.load(Ty::I32, self.env.workgroup_at, 16 + 4 * c as i32);
                let base = self.b.imul(id, size);
                let local = self.local_id(c);
                self.b.iadd(base, local)
            }
            LocalInvocationIndex => {
                let k = self.b.u32(s);
                let base = self.b.imul(self.env.unit, k);
                self.b.lanes_from(base)
            }
            SubgroupSize => self.b.u32(s),
            NumSubgroups => self.b.u32(invocations(self.shader).div_ceil(s)),
            SubgroupId => self.env.unit,
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
            VertexIndex | InstanceIndex => {
                let o = if b == VertexIndex {
                    offset_of!(Ctx, vertex_ids)
                } else {
                    offset_of!(Ctx, instance_ids)
                };
                let ids = self.load_ctx(Ty::I64, o);
                let at = self.b.index(ids, self.env.unit, 4);
                self.b.load_row(Ty::I32, at, 0)
            }
            BaseVertex => u32_at(self, offset_of!(Ctx, base_vertex)),
            BaseInstance => u32_at(self, offset_of!(Ctx, base_instance)),
            DrawIndex => u32_at(self, offset_of!(Ctx, draw_index)),
            ViewIndex => u32_at(self, offset_of!(Ctx, view_index)),
            DeviceIndex => self.b.u32(0),
            FragCoord => match c {
                0 | 1 => self.pixel(c as usize),
                2 => self.plane(self.env.primitive, offset_of!(Primitive, z) as i32),
                _ => self.inv_w(),
            },
            FrontFacing => {
                let v = self.b.load(Ty::I32, self.env.primitive, offset_of!(Primitive, front_facing) as i32);
                let zero = self.b.u32(0);
                self.b.icmp(ICmp::Ne, v, zero)
            }
            PrimitiveId => {
                self.b.load(Ty::I32, self.env.primitive, offset_of!(Primitive, primitive_id) as i32)
            }
            Layer => self.b.load(Ty::I32, self.env.primitive, offset_of!(Primitive, layer) as i32),
            ViewportIndex => {
                self.b.load(Ty::I32, self.env.primitive, offset_of!(Primitive, viewport_index) as i32)
            }
            // As it was at the start; what it is now is asked with IsHelper.
            HelperInvocation => self.b.not(self.env.covered),
            SampleId => u32_at(self, offset_of!(Ctx, sample_id)),
            SampleMask if c == 0 => self.sample_mask(),
            SampleMask => self.b.u32(0),
            SamplePosition => {
                let table = self.load_ctx(Ty::I64, offset_of!(Ctx, sample_positions));
                let id = u32_at(self, offset_of!(Ctx, sample_id));
                let at = self.b.index(table, id, 8);
                self.b.load(Ty::F32, at, 4 * c as i32)
            }
            other => return Err(Error::unsupported(format!("built-in {other:?} as input"))),
        })
    }

    /// The integer that `i` converts FragCoord.x or .y to: the coordinate of the pixel, as a sample is
    /// less than one pixel from its corner.
    pub(super) fn whole_pixel(&mut self, i: &Inst) -> Option<Lane> {
        let to_i32 = matches!(i.op, Op::FToS | Op::FToU) && self.shader.ty(i.results[0]) == Ty::I32;
        let c = match self.ranges.def(*i.args.first()?)? {
            Inst { op: Op::BuiltIn, imm: Imm::BuiltIn(BuiltIn::FragCoord, c @ 0..=1), .. } if to_i32 => {
                *c as usize
            }
            _ => return None,
        };
        let s = self.b.lanes();
        let offsets: Vec<u32> = (0..s).map(|l| <[u32; 2]>::from(abi::stamp_lane(s, l))[c]).collect();
        let row = self.b.row_const(Ty::I32, &offsets);
        Some(self.b.iadd(self.env.corner[c], row))
    }

    /// Covered samples of each lane.
    fn sample_mask(&mut self) -> Lane {
        let rows = self.load_ctx(Ty::I64, offset_of!(Ctx, in_sample_masks));
        let zero = self.b.i64(0);
        let several = self.b.icmp(ICmp::Ne, rows, zero);
        let var = self.b.declare(Ty::I32, false);
        let one_sample = self.b.bool_to_i32(self.env.covered);
        let (unit, s) = (self.env.unit, self.b.lanes());
        self.b.if_else(
            several,
            |b| {
                let at = b.index(rows, unit, 4 * s);
                let row = b.load_row(Ty::I32, at, 0);
                b.set(&var, row);
            },
            |b| b.set(&var, one_sample),
        );
        self.b.take(var)
    }

    fn local_id(&mut self, c: u32) -> Lane {
        if self.shader.local_size[c as usize] <= 1 {
            return self.b.u32(0);
        }
        let s = self.b.lanes();
        let k = self.b.u32(s);
        let base = self.b.imul(self.env.unit, k);
        if self.tables.local_ids.is_empty() {
            // A group lies within one row of the workgroup.
            let [x, y, z] = self.shader.local_size.map(|n| n.max(1));
            let (n, rows) = (invocations(self.shader).next_multiple_of(s), y * z);
            return match c {
                0 => {
                    let x0 = if rows == 1 { base } else { self.b.urem_small(base, x, n) };
                    self.b.lanes_from(x0)
                }
                1 => {
                    let row = self.b.udiv_small(base, x, n);
                    if z == 1 { row } else { self.b.urem_small(row, y, n) }
                }
                _ => self.b.udiv_small(base, x * y, n),
            };
        }
        let n = self.tables.local_ids.len() / 3;
        let table = self.b.ptr(self.tables.local_ids[n * c as usize..].as_ptr());
        let at = self.b.index(table, base, 4);
        self.b.load_row(Ty::I32, at, 0)
    }
}
