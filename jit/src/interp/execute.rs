//! Executes one instruction on the active lanes of a group.

use smallvec::SmallVec;

use super::atomic::eval_atomic;
use super::group::{Row, Rows, eval_derivative, eval_group, lanes_of};
use super::machine::Group;
use super::matrix::eval_matrix;
use super::memory::{Buffer, Image};
use super::watch::{AccessKind, MemoryAccess, Ranges, Space, byte};
use crate::abi::{Descriptor, DescriptorForm, INSIDE, ImageArgs, MAX_LANES, TEXEL_ROWS};
use crate::handle::{Handle, HandleRecord};
use crate::ir::{AtomicOp, HandleKind, ImageOp, ImageOpKind, Imm, Inst, LodMode, Mem, Op, Ty, Value};
use crate::ops;

/// A row of zeros.
const ZERO: Row = [0; MAX_LANES];

impl Group<'_> {
    /// Executes an instruction other than `ControlBarrier`.
    pub fn execute(&mut self, inst: &Inst) {
        match (inst.op, &inst.imm) {
            (Op::Const, Imm::Bits(bits)) => self.give(inst, &[*bits; MAX_LANES]),
            (Op::Select, _) => self.select(inst),
            (Op::DdxFine | Op::DdyFine | Op::DdxCoarse | Op::DdyCoarse, _) => {
                let x = self.row(inst.args[0]);
                let row = eval_derivative(inst.op, self.ty(inst.args[0]), self.active, &x);
                self.give(inst, &row);
            }
            (Op::Group, Imm::Group(op)) => {
                let args: Vec<Row> = inst.args.iter().map(|&a| self.row(a)).collect();
                let ty = inst.args.first().map_or(Ty::Bool, |&a| self.ty(a));
                let rows = eval_group(*op, ty, self.active, &args);
                self.give_rows(inst, &rows);
            }
            (Op::Matrix, Imm::Matrix(op)) => {
                let args: Vec<Row> = inst.args.iter().map(|&a| self.row(a)).collect();
                let ty = inst.args.first().map_or(Ty::F32, |&a| self.ty(a));
                let rows = eval_matrix(*op, ty, self.lanes(), self.active, &args);
                self.give_rows(inst, &rows);
            }
            (Op::VarGet | Op::VarGetDyn, &Imm::Var { var, elem }) => {
                let index = self.index(inst, inst.op == Op::VarGetDyn);
                let n = self.lanes();
                let row = self.each(|s, l| {
                    let at = elem.checked_add(index[l] as u32).and_then(|e| s.program.var(var, e));
                    at.map_or(0, |at| s.vars[at * n + l])
                });
                self.give(inst, &row);
            }
            (Op::VarSet | Op::VarSetDyn, &Imm::Var { var, elem }) => {
                let dynamic = inst.op == Op::VarSetDyn;
                let index = self.index(inst, dynamic);
                let value = self.row(inst.args[usize::from(dynamic)]);
                let n = self.lanes();
                for l in lanes_of(self.active) {
                    let at = elem.checked_add(index[l] as u32).and_then(|e| self.program.var(var, e));
                    if let Some(at) = at {
                        self.vars[at * n + l] = value[l];
                    }
                }
            }
            (Op::LoadConstant, &Imm::Table { table, elem }) => {
                let index = self.index(inst, true);
                let row = self.each(|s, l| {
                    let table = &s.program.shader.tables[table as usize];
                    let at = elem.checked_add(index[l] as u32);
                    at.and_then(|at| table.bits.get(at as usize).copied()).unwrap_or(0)
                });
                self.give(inst, &row);
            }
            (Op::LoadInput, &Imm::Slot(input)) => {
                let vertex = inst.args.first().map_or(ZERO, |&v| self.row(v));
                let row = self.each(|s, l| s.input(input as usize, l, vertex[l] as u32));
                self.give(inst, &row);
            }
            (Op::LoadPatchInput, &Imm::Slot(input)) => {
                let row = self.each(|s, _| s.patch_input(input as usize));
                self.give(inst, &row);
            }
            (Op::StoreOutput, &Imm::Slot(_)) if inst.args.len() == 2 => self.shared_output(inst),
            (Op::LoadOutput | Op::StorePatchOutput | Op::LoadPatchOutput, _)
            | (Op::StorePrimitiveOutput | Op::LoadPrimitiveOutput, _) => self.shared_output(inst),
            (Op::SetMeshOutputs | Op::EmitMeshTasks, _) => self.say_outputs(inst),
            (Op::Payload, _) => {
                let payload = self.payload();
                self.give_pair(inst, &[payload.base; MAX_LANES], &[payload.size; MAX_LANES]);
            }
            (Op::EmitVertex, &Imm::Stream(stream)) => self.emit_vertex(inst, stream),
            (Op::EndPrimitive, &Imm::Stream(stream)) => self.end_primitive(stream),
            (Op::StoreOutput, &Imm::Slot(output)) => {
                let value = self.row(inst.args[0]);
                let n = self.lanes();
                for l in lanes_of(self.active) {
                    self.outputs[output as usize * n + l] = value[l];
                }
            }
            (Op::BuiltIn, &Imm::BuiltIn(builtin, component)) => {
                let row = self.each(|s, l| s.builtin(builtin, component, l));
                self.give(inst, &row);
            }
            (Op::Interpolate, &Imm::Interp(input, at)) => {
                let args: Vec<Row> = inst.args.iter().map(|&a| self.row(a)).collect();
                let arg = |i: usize, l: usize| args.get(i).map_or(0, |row| row[l] as u32);
                let row = self.each(|s, l| s.interpolate(input as usize, at, l, arg(0, l), arg(1, l)));
                self.give(inst, &row);
            }
            (Op::Offset, Imm::Strides(strides)) => {
                let rows: Vec<Row> = inst.args.iter().map(|&a| self.row(a)).collect();
                let wide = inst.args.iter().any(|&a| self.ty(a) == Ty::I64);
                let row = self.each(|_, l| {
                    let indices = rows.iter().map(|r| r[l]).zip(strides.iter().map(|&s| u64::from(s)));
                    let sum = match wide {
                        true => indices.fold(0, |sum, (i, s)| i.wrapping_mul(s).wrapping_add(sum) & INSIDE),
                        false => indices.fold(0, |sum, (i, s)| i.saturating_mul(s).saturating_add(sum)),
                    };
                    sum.min(u64::from(u32::MAX))
                });
                self.give(inst, &row);
            }
            (Op::BufferDescriptor, &Imm::Binding { set, binding, kind }) => {
                let index = self.row(inst.args[0]);
                let of = |s: &Self, l: usize| {
                    let d = s.descriptor(kind, set, binding, index[l] as u32);
                    d.map_or(Buffer::default(), |d| Buffer { base: d.ptr, size: d.size })
                };
                let base = self.each(|s, l| of(s, l).base);
                let size = self.each(|s, l| of(s, l).size);
                self.give_pair(inst, &base, &size);
            }
            (Op::BufferAt, _) => {
                let (base, size) = (self.row(inst.args[0]), self.row(inst.args[1]));
                self.give_pair(inst, &base, &size);
            }
            (Op::BufferParts, _) => {
                let (base, size) = (self.part(inst.args[0], 0), self.part(inst.args[0], 1));
                self.give_rows(inst, &[base, size].into_iter().collect());
            }
            (Op::AddressBuffer, _) => {
                let address = self.row(inst.args[0]);
                let base = self.each(|s, l| s.host.at_address(address[l]).base);
                let size = self.each(|s, l| s.host.at_address(address[l]).size);
                self.give_rows(inst, &[base, size].into_iter().collect());
            }
            (Op::HandleBuffer, _) => {
                let (handle, range) = (self.row(inst.args[0]), self.row(inst.args[1]));
                let record = |l: usize| HandleRecord { handle: Handle(handle[l]), range: range[l] };
                let base = self.each(|s, l| s.host.buffer_of(record(l)).ptr);
                let size = self.each(|s, l| s.host.buffer_of(record(l)).size);
                self.give_rows(inst, &[base, size].into_iter().collect());
            }
            (Op::HandleImage, &Imm::Handle(kind)) => {
                let handle = self.row(inst.args[0]);
                let of = |s: &Self, l: usize| s.host.image_of(Handle(handle[l]), kind, s.program.views);
                let view = self.each(|s, l| of(s, l).ptr);
                let sampler = self.each(|s, l| of(s, l).size);
                self.give_pair(inst, &view, &sampler);
            }
            (Op::NullImage, _) => self.give_pair(inst, &ZERO, &ZERO),
            (Op::PushConstants, _) => {
                let push = self.host.push();
                self.give_pair(inst, &[push.base; MAX_LANES], &[push.size; MAX_LANES]);
            }
            (Op::BufferSize, _) => {
                let size = self.part(inst.args[0], 1);
                let wide = inst.results.first().is_some_and(|&r| self.ty(r) == Ty::I64);
                let most = if wide { u64::MAX } else { u64::from(u32::MAX) };
                let row = self.each(|_, l| size[l].min(most));
                self.give(inst, &row);
            }
            (Op::LoadBuffer, &Imm::Mem(mem)) => {
                let (buffers, offset) = (self.buffers(inst.args[0]), self.row(inst.args[1]));
                self.load(inst, mem, Ranges::Each(&buffers), &offset);
            }
            (Op::LoadShared, &Imm::Mem(mem)) => {
                let offset = self.row(inst.args[0]);
                self.load(inst, mem, Ranges::Same(self.shared()), &offset);
            }
            (Op::StoreBuffer, &Imm::Mem(mem)) => {
                let (buffers, offset) = (self.buffers(inst.args[0]), self.row(inst.args[1]));
                self.store(inst, &inst.args[2..], mem, Ranges::Each(&buffers), &offset);
            }
            (Op::StoreShared, &Imm::Mem(mem)) => {
                let offset = self.row(inst.args[0]);
                self.store(inst, &inst.args[1..], mem, Ranges::Same(self.shared()), &offset);
            }
            (Op::AtomicBuffer, &Imm::Atomic(op, mem)) => {
                let (buffers, offset) = (self.buffers(inst.args[0]), self.row(inst.args[1]));
                self.atomic(inst, (op, mem), &inst.args[2..], Ranges::Each(&buffers), &offset);
            }
            (Op::AtomicShared, &Imm::Atomic(op, mem)) => {
                let offset = self.row(inst.args[0]);
                self.atomic(inst, (op, mem), &inst.args[1..], Ranges::Same(self.shared()), &offset);
            }
            (Op::ImageDescriptor, &Imm::Binding { set, binding, kind }) => {
                let index = self.row(inst.args[0]);
                // An index past the end of resolved images selects the last image.
                let resolved =
                    self.program.binding(set, binding).filter(|b| b.form == DescriptorForm::Resolved);
                let last = resolved.map_or(u32::MAX, |b| b.count.saturating_sub(1));
                let of = |s: &Self, l: usize| s.descriptor(kind, set, binding, (index[l] as u32).min(last));
                let view = self.each(|s, l| of(s, l).map_or(0, |d| d.ptr));
                let sampler = self.each(|s, l| of(s, l).map_or(0, |d| d.size));
                self.give_pair(inst, &view, &sampler);
            }
            (Op::SampledImage, _) => {
                let (view, sampler) = (self.part(inst.args[0], 0), self.part(inst.args[1], 1));
                self.give_pair(inst, &view, &sampler);
            }
            (Op::ImageOp | Op::ImageWrite, Imm::Image(op)) => self.image(inst, op),
            (Op::RayStep | Op::RayGet, &Imm::Ray(op)) => self.ray(inst, op),
            (Op::RayCall, &Imm::Call(call)) => self.ray_call(inst, call),
            (Op::Printf, Imm::Printf(format)) => {
                let args: Vec<Row> = inst.args.iter().map(|&a| self.row(a)).collect();
                for l in lanes_of(self.writers()) {
                    let values: Vec<u64> = args.iter().map(|row| row[l]).collect();
                    crate::printf::print(&format.render(&values));
                }
            }
            (Op::Abort, Imm::Abort(part)) => {
                let args: Vec<Row> = inst.args.iter().map(|&a| self.row(a)).collect();
                if let Some(l) = lanes_of(self.writers()).next() {
                    let values: Vec<u64> = args.iter().map(|row| row[l]).collect();
                    self.aborted |= crate::abort::take_part(part, &values);
                }
            }
            (Op::Alarm, _) => {
                let row = self.row(inst.args[0]);
                if lanes_of(self.active).any(|l| row[l] & 1 == 1) {
                    self.host.ring();
                }
            }
            (Op::ReadClock, _) => self.give(inst, &[crate::runtime::clock(); MAX_LANES]),
            (Op::Demote, _) => self.helper |= self.active,
            (Op::IsHelper, _) => {
                let row = self.each(|s, l| u64::from(s.helper >> l & 1));
                self.give(inst, &row);
            }
            // Nothing to do: lanes and groups run one after another.
            (Op::MemoryBarrier | Op::ControlBarrier | Op::Note, _) => {}
            _ => self.compute(inst),
        }
    }

    /// Executes an operation that computes each lane independently.
    fn compute(&mut self, inst: &Inst) {
        let Some(&result) = inst.results.first() else { return };
        let tys: SmallVec<[Ty; 4]> = inst.args.iter().map(|&a| self.ty(a)).collect();
        let args: SmallVec<[&[u64]; 4]> = inst.args.iter().map(|&a| self.part_of(a, 0)).collect();
        let (ty, eval) = (self.ty(result), ops::evaluation(inst.op));
        let mut bits: SmallVec<[u64; 4]> = SmallVec::from_elem(0, args.len());
        let mut row = ZERO;
        for l in lanes_of(self.active) {
            for (b, a) in bits.iter_mut().zip(&args) {
                *b = a[l];
            }
            row[l] = eval(&tys, ty, &bits);
        }
        drop(args);
        self.give(inst, &row);
    }

    /// Executes `Select`; handles have two parts to select.
    fn select(&mut self, inst: &Inst) {
        let &[cond, a, b] = &inst.args[..] else { return };
        let cond = self.row(cond);
        for part in 0..super::program::rows_of(self.ty(a)) as usize {
            let (a, b) = (self.part(a, part), self.part(b, part));
            let row = self.each(|_, l| if cond[l] & 1 == 1 { a[l] } else { b[l] });
            if let Some(&result) = inst.results.first() {
                self.set_part(result, part, self.active, &row);
            }
        }
    }

    // Rows of values.

    pub(super) fn ty(&self, v: Value) -> Ty {
        self.program.shader.ty(v)
    }

    /// A row with `f` of each active lane.
    pub(super) fn each(&self, f: impl Fn(&Self, usize) -> u64) -> Row {
        let mut row = ZERO;
        for l in lanes_of(self.active) {
            row[l] = f(self, l);
        }
        row
    }

    /// Sets the first result of an instruction.
    pub(super) fn give(&mut self, inst: &Inst, row: &Row) {
        if let Some(&v) = inst.results.first() {
            self.set(v, row);
        }
    }

    fn give_rows(&mut self, inst: &Inst, rows: &Rows) {
        for (&v, row) in inst.results.iter().zip(rows) {
            self.set(v, row);
        }
    }

    /// Sets both parts of the first result, a handle.
    fn give_pair(&mut self, inst: &Inst, first: &Row, second: &Row) {
        if let Some(&v) = inst.results.first() {
            self.set_part(v, 0, self.active, first);
            self.set_part(v, 1, self.active, second);
        }
    }

    /// The first argument of dynamic accesses; zeros for static ones.
    fn index(&self, inst: &Inst, dynamic: bool) -> Row {
        if dynamic { self.row(inst.args[0]) } else { ZERO }
    }

    // Memory.

    /// Element `index` of the array of descriptors at a binding; `None` stands for a null descriptor.
    pub(super) fn descriptor(
        &self,
        kind: HandleKind,
        set: u32,
        binding: u32,
        index: u32,
    ) -> Option<Descriptor> {
        let layout = self.program.binding(set, binding)?;
        self.host.descriptor(layout, index, kind, self.program.views)
    }

    fn buffers(&self, v: Value) -> [Buffer; MAX_LANES] {
        let (base, size) = (self.part(v, 0), self.part(v, 1));
        std::array::from_fn(|l| Buffer { base: base[l], size: size[l] })
    }

    fn shared(&self) -> Buffer {
        self.host.shared(self.program.shader.shared_size)
    }

    fn load(&mut self, inst: &Inst, mem: Mem, ranges: Ranges<'_>, offsets: &Row) {
        for (i, &result) in inst.results.iter().enumerate() {
            let bytes = self.ty(result).bytes();
            let row = self.each(|s, l| s.host.load(ranges.of(l), byte(mem, offsets[l], i), bytes));
            self.set(result, &row);
        }
        self.tell_access(inst, AccessKind::Read, mem, &inst.results, ranges, offsets);
    }

    fn store(&mut self, inst: &Inst, values: &[Value], mem: Mem, ranges: Ranges<'_>, offsets: &Row) {
        let rows: Vec<(u32, Row)> = values.iter().map(|&v| (self.ty(v).bytes(), self.row(v))).collect();
        for l in lanes_of(self.writers()) {
            for (i, (bytes, row)) in rows.iter().enumerate() {
                self.host.store(ranges.of(l), byte(mem, offsets[l], i), *bytes, row[l]);
            }
        }
        self.tell_access(inst, AccessKind::Write, mem, values, ranges, offsets);
    }

    fn atomic(
        &mut self,
        inst: &Inst,
        (op, mem): (AtomicOp, Mem),
        operands: &[Value],
        ranges: Ranges<'_>,
        offsets: &Row,
    ) {
        let typed = inst.results.first().or(operands.first());
        let Some(&typed) = typed else { return };
        let ty = self.ty(typed);
        let rows: Vec<Row> = operands.iter().map(|&v| self.row(v)).collect();
        let mut result = ZERO;
        let lanes = if op == AtomicOp::Load { self.active } else { self.writers() };
        for l in lanes_of(lanes) {
            let (range, offset) = (ranges.of(l), byte(mem, offsets[l], 0));
            let operand = |i: usize| rows.get(i).map_or(0, |row| row[l]);
            result[l] = match op {
                AtomicOp::Load => self.host.load_aligned(range, offset, ty.bytes()),
                _ => self.host.update(range, offset, ty.bytes(), |old| {
                    eval_atomic(op, ty, old, operand(0), operand(1))
                }),
            };
        }
        self.give(inst, &result);
        self.tell_access(inst, AccessKind::Atomic(op), mem, &[typed], ranges, offsets);
    }

    /// Reports a memory access to the observer, after it was made.
    fn tell_access(
        &self,
        inst: &Inst,
        kind: AccessKind,
        mem: Mem,
        values: &[Value],
        ranges: Ranges<'_>,
        offsets: &Row,
    ) {
        self.tell(|o, at| {
            let lanes = if kind == AccessKind::Read { self.active } else { self.writers() };
            let space = match ranges {
                Ranges::Same(_) => Space::Workgroup,
                Ranges::Each(_) => Space::Buffer,
            };
            let shader = &self.program.shader;
            let access = MemoryAccess { kind, space, lanes, mem, values, shader, ranges, offsets };
            o.memory(at, inst, &access);
        });
    }

    // Images.

    fn image(&mut self, inst: &Inst, op: &ImageOp) {
        let reads = op.reads(inst.results.len());
        if reads < 2 {
            return self.one_image(inst, op);
        }
        // Joined reads are executed one after another.
        let (args, results) = ((inst.args.len() - 1) / reads, inst.results.len() / reads);
        for k in 0..reads {
            let mut one = Inst { args: inst.args[..1].into(), ..inst.clone() };
            one.args.extend_from_slice(&inst.args[1 + k * args..][..args]);
            one.results = inst.results[k * results..][..results].into();
            self.one_image(&one, op);
        }
    }

    fn one_image(&mut self, inst: &Inst, op: &ImageOp) {
        let (view, sampler) = (self.part(inst.args[0], 0), self.part(inst.args[0], 1));
        let sampled = matches!(op.kind, ImageOpKind::Sample | ImageOpKind::Gather | ImageOpKind::QueryLod);
        let of = |l: usize| Image { view: view[l], sampler: if sampled { sampler[l] } else { 0 } };
        let mut args = self.image_args(inst, op);
        let writes = inst.op == Op::ImageWrite && op.kind != ImageOpKind::Atomic(AtomicOp::Load);
        let wanted = if writes { self.writers() } else { self.active };
        // One call for each distinct pair of image and sampler among the lanes, in the order of their first lanes.
        let mut rest = wanted;
        while rest != 0 {
            let image = of(rest.trailing_zeros() as usize);
            args.mask = lanes_of(rest).filter(|&l| of(l) == image).fold(0, |m, l| m | 1 << l);
            rest &= !args.mask;
            let mut answer = args_clone(&args);
            if !self.host.image(image, &mut answer) {
                answer.texel = [[0; MAX_LANES]; TEXEL_ROWS];
            }
            self.tell(|o, at| o.image(at, inst, op, &answer, self.host.view(image).as_ref()));
            self.take_results(inst, &answer, args.mask);
        }
        // Lanes that made no call, such as helper invocations of an atomic, get zero.
        let left = self.active & !wanted;
        for &v in &inst.results {
            self.set_part(v, 0, left, &ZERO);
        }
    }

    /// The image arguments, in the order that [`ImageOp`] documents.
    fn image_args(&self, inst: &Inst, op: &ImageOp) -> Box<ImageArgs> {
        let mut args = new_args();
        args.op = self.program.image_op(op);
        args.quad_mask = self.active;
        args.lanes = self.program.lanes;
        let mut rest = inst.args[1..].iter();
        let mut word = |to: &mut [u32; MAX_LANES], high: Option<&mut [u32; MAX_LANES]>| {
            if let Some(&v) = rest.next() {
                let row = self.row(v);
                *to = row.map(|bits| bits as u32);
                if let Some(high) = high {
                    *high = row.map(|bits| (bits >> 32) as u32);
                }
            }
        };
        let n = op.dim.coords() as usize;
        let query =
            matches!(op.kind, ImageOpKind::QuerySize | ImageOpKind::QueryLevels | ImageOpKind::QuerySamples);
        if !query {
            for row in &mut args.coord[..n + usize::from(op.arrayed)] {
                word(row, None);
            }
        }
        if op.dref {
            word(&mut args.dref, None);
        }
        if matches!(op.lod, LodMode::Bias | LodMode::Explicit) {
            word(&mut args.lod, None);
        }
        if op.lod == LodMode::Grad {
            for row in &mut args.grad[..2 * n] {
                word(row, None);
            }
        }
        if op.min_lod {
            word(&mut args.min_lod, None);
        }
        if op.offset || op.offsets4 {
            let count = if op.offsets4 { 8 } else { n };
            for row in &mut args.offset[..count] {
                word(row, None);
            }
        }
        if op.multisampled && !query {
            word(&mut args.sample, None);
        }
        let operands = match op.kind {
            ImageOpKind::Write => 4,
            ImageOpKind::Atomic(_) => 2,
            _ => 0,
        };
        for i in 0..operands {
            if op.texel.bytes() == 8 {
                let (low, high) = args.texel[2 * i..].split_at_mut(1);
                word(&mut low[0], Some(&mut high[0]));
            } else {
                word(&mut args.texel[i], None);
            }
        }
        args
    }

    fn take_results(&mut self, inst: &Inst, args: &ImageArgs, mask: u32) {
        for (i, &v) in inst.results.iter().enumerate() {
            let wide = self.ty(v).bytes() == 8;
            let code = matches!(&inst.imm, Imm::Image(op) if op.residency) && i + 1 == inst.results.len();
            let row: Row = if code {
                args.residency.map(u64::from)
            } else if wide {
                std::array::from_fn(|l| {
                    u64::from(args.texel[2 * i][l]) | u64::from(args.texel[2 * i + 1][l]) << 32
                })
            } else {
                std::array::from_fn(|l| ops::value::wrap(self.ty(v), u64::from(args.texel[i][l])))
            };
            self.set_part(v, 0, mask, &row);
        }
    }
}

fn new_args() -> Box<ImageArgs> {
    let row = [0; MAX_LANES];
    Box::new(ImageArgs {
        view: std::ptr::null(),
        sampler_row: 0,
        sampler: 0,
        op: 0,
        mask: 0,
        quad_mask: 0,
        lanes: 0,
        unused: [0; 8],
        coord: [row; 4],
        dref: row,
        lod: row,
        grad: [row; 6],
        min_lod: row,
        offset: [row; 8],
        sample: row,
        texel: [row; TEXEL_ROWS],
        residency: row,
    })
}

fn args_clone(a: &ImageArgs) -> Box<ImageArgs> {
    let mut copy = new_args();
    *copy = ImageArgs { ..*a };
    copy
}
