//! Pointers as compile-time places: access chains, loads, stores, copies. Those that exist at run time
//! are made by [`super::pointer`].

use smallvec::SmallVec;
use spirv::StorageClass;

use super::aggregate::MAX_SPLIT;
use super::interface::is_ordered;
use super::{Lower, Scalars, Val};
use crate::error::{Error, Result};
use crate::ir::{Imm, Mem, Op, ResourceKind, Ty, Value, Var};
use crate::spirv::module::Inst;
use crate::spirv::types::{MatrixLayout, Type, Units};

/// What a pointer points to.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where it starts from.
    pub(super) root: Root,
    /// Type id of what is there.
    pub(super) ty: u32,
    /// Static part of the offset: bytes in memory, scalars in variables, elements of bindings.
    pub(super) offset: u32,
    /// Dynamic part of the offset: indices (I32, unsigned) and their strides in the same unit.
    pub(super) dynamic: SmallVec<[(Value, u32); 2]>,
    /// Layout of matrices below here.
    pub(super) matrix: MatrixLayout,
    /// Distance between the components of the vector that is here; 0: they touch.
    pub(super) step: u32,
    /// Accesses must not be merged or forwarded.
    pub(super) ordered: bool,
    /// The vertex (I32), once it is chosen, of a variable that has an element for each.
    pub(super) vertex: Option<Value>,
    /// One past the last scalar that dynamic indices can mean.
    pub(super) end: u32,
}

/// Where a pointer starts from.
#[derive(Clone, Debug)]
pub(super) enum Root {
    /// A private variable.
    Var(Var),
    /// An output variable and the private variable that stands for it.
    Output(u32, Var),
    /// An input variable.
    Input(u32),
    /// A variable of several vertices, or an output of the patch: see [`super::vertices`].
    Record(u32),
    /// A buffer.
    Buffer { handle: Value, owner: Owner },
    /// What a device address points to.
    Address(Value),
    /// A binding (index into the shader's list) whose descriptor is not chosen yet.
    Binding(u32),
    /// Workgroup memory.
    Shared(Units),
    /// The payload of the task workgroup.
    Payload { handle: Value, units: Units },
    /// A texel of a storage image: handle, image type id, coordinates, sample.
    Texel { image: Value, ty: u32, binding: Option<u32>, coord: SmallVec<[Value; 4]>, sample: Value },
}

/// Whose a buffer is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Owner {
    /// A binding (index into the shader's list).
    Binding(u32),
    /// Push constants.
    Push,
    /// The payload's.
    Payload,
    /// A pointer's, known at run time.
    Any,
}

/// Scalars that one memory access moves.
struct Run {
    offset: u32,
    stride: u32,
    n: u32,
    ty: Ty,
}

impl Place {
    pub(super) fn new(root: Root, ty: u32) -> Place {
        Place {
            root,
            ty,
            offset: 0,
            dynamic: SmallVec::new(),
            matrix: MatrixLayout::default(),
            step: 0,
            ordered: false,
            vertex: None,
            end: u32::MAX,
        }
    }

    /// What lies between the scalars that one and the next of its dynamic indices mean: a common divisor of strides.
    pub(super) fn step_of_indices(&self) -> u32 {
        self.dynamic.iter().fold(0, |g, &(_, stride)| gcd(g, stride)).max(1)
    }

    pub(super) fn units(&self) -> Units {
        match self.root {
            Root::Buffer { .. } | Root::Address(_) => Units::Explicit,
            Root::Shared(units) | Root::Payload { units, .. } => units,
            _ => Units::Leaves,
        }
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Lower<'_> {
    /// The place that a pointer id stands for.
    pub(super) fn place(&mut self, id: u32) -> Result<Place> {
        match self.val(id)? {
            Val::Place(p) => Ok(p),
            Val::Scalars(s) => self.pointer_place(id, self.m.type_of(id)?, &s),
            Val::Memory(_) => Err(Error::invalid(format!("id %{id} is not a pointer"))),
        }
    }

    /// Follows the indices of an access chain.
    pub(super) fn access(&mut self, mut p: Place, indices: &[u32]) -> Result<Place> {
        let m = self.m;
        for &id in indices {
            if self.choose_vertex(&mut p, id)? {
                continue;
            }
            match m.ty(p.ty)? {
                Type::Struct { .. } => {
                    self.choose_buffer(&mut p)?;
                    let member = self.t.const_u32(id)?;
                    self.member(&mut p, member)?;
                }
                Type::Array { elem, .. } | Type::RuntimeArray { elem } => {
                    let len = self.t.array_len(p.ty)?;
                    let stride = match p.root {
                        Root::Binding(_) => self.count(*elem)?,
                        _ => self.t.array_stride(p.ty, p.units())?,
                    };
                    self.index(&mut p, id, stride, len)?;
                    p.ty = *elem;
                    p.step = 0;
                }
                Type::Matrix { column, columns, .. } => {
                    let (column_stride, row_stride) = self.t.matrix_strides(p.ty, p.units(), p.matrix)?;
                    self.index(&mut p, id, column_stride, *columns)?;
                    p.ty = *column;
                    p.step = row_stride;
                }
                Type::Vector { elem, n } => {
                    let tight = self.tight(*elem, p.units())?;
                    let stride = if p.step == 0 { tight } else { p.step };
                    self.index(&mut p, id, stride, *n)?;
                    p.ty = *elem;
                    p.step = 0;
                }
                _ => return Err(Error::invalid("too many indices")),
            }
        }
        Ok(p)
    }

    /// Goes to a member of the structure that is at a place.
    pub(super) fn member(&mut self, p: &mut Place, member: u32) -> Result<()> {
        let m = self.m;
        let Type::Struct { members } = m.ty(p.ty)? else {
            return Err(Error::invalid(format!("type %{} is not a struct", p.ty)));
        };
        let units = p.units();
        let step = self.t.member_offset(p.ty, member, units)?;
        p.offset = add(p.offset, step)?;
        if units == Units::Explicit {
            let layout = self.t.member_matrix(p.ty, member);
            if layout != MatrixLayout::default() {
                p.matrix = layout;
            }
        }
        p.ordered |= is_ordered(m.member_decos(p.ty, member));
        p.ty = members[member as usize];
        p.step = 0;
        Ok(())
    }

    /// Follows literal indices, which are in range.
    pub(super) fn part(&mut self, mut p: Place, indices: &[u32]) -> Result<Place> {
        let m = self.m;
        for &i in indices {
            let (stride, inner, step) = match m.ty(p.ty)? {
                Type::Struct { .. } => {
                    self.member(&mut p, i)?;
                    continue;
                }
                Type::Array { elem, .. } => (self.t.array_stride(p.ty, p.units())?, *elem, 0),
                Type::Matrix { column, .. } => {
                    let (columns, rows) = self.t.matrix_strides(p.ty, p.units(), p.matrix)?;
                    (columns, *column, rows)
                }
                Type::Vector { elem, .. } => {
                    let tight = self.tight(*elem, p.units())?;
                    (if p.step == 0 { tight } else { p.step }, *elem, 0)
                }
                _ => return Err(Error::invalid("too many indices")),
            };
            p.offset = element(p.offset, i, stride)?;
            (p.ty, p.step) = (inner, step);
        }
        Ok(p)
    }

    /// Distance between the components of a vector whose components touch.
    fn tight(&self, elem: u32, units: Units) -> Result<u32> {
        Ok(match (units, self.t.scalar(elem)?) {
            (Units::Leaves, _) => 1,
            (_, Ty::Bool) => 4,
            (_, ty) => ty.bytes(),
        })
    }

    /// Descriptors in an element of a descriptor array.
    fn count(&mut self, ty: u32) -> Result<u32> {
        match self.m.ty(ty)? {
            Type::Array { elem, .. } => {
                let (n, inner) = (self.t.array_len(ty)?, self.count(*elem)?);
                n.checked_mul(inner).ok_or_else(|| Error::Limit("descriptor array".into()))
            }
            _ => Ok(1),
        }
    }

    /// Adds `index * stride` to a place. `len` 0: unknown.
    fn index(&mut self, p: &mut Place, id: u32, stride: u32, len: u32) -> Result<()> {
        let m = self.m;
        if m.def(id).is_some_and(|d| d.op.is_constant()) {
            let index = self.t.const_scalar(id)?;
            let at = u32::try_from(index)
                .ok()
                .filter(|&i| i < len || len == 0)
                .and_then(|i| i.checked_mul(stride))
                .and_then(|step| p.offset.checked_add(step));
            if let Some(at) = at {
                p.offset = at;
                return Ok(());
            }
            if let (Root::Address(address), Type::Int { bits, signed }) = (&p.root, m.ty(m.type_of(id)?)?) {
                let unused = 64 - bits;
                let wide = index << unused;
                let wide = if *signed { ((wide as i64) >> unused) as u64 } else { wide >> unused };
                let index = self.constant(Ty::I64, wide);
                p.root = Root::Address(self.address_past(*address, index, stride));
                return Ok(());
            }
        }
        let index = self.scalar(id)?;
        let signed = self.t.is_signed(m.type_of(id)?);
        if let Root::Address(address) = p.root
            && self.ty(index) == Ty::I64
        {
            // Addresses are not bound to 32 bits.
            p.root = Root::Address(self.address_past(address, index, stride));
            return Ok(());
        }
        let index = self.i32_of(index, signed)?;
        // Elements without bytes are all at one place.
        if stride != 0 {
            if p.dynamic.is_empty() && len != 0 {
                p.end = p.offset.saturating_add(stride.saturating_mul(len));
            }
            p.dynamic.push((index, stride));
        }
        Ok(())
    }

    /// An integer as I32; 64-bit ones saturate.
    pub(super) fn i32_of(&mut self, v: Value, signed: bool) -> Result<Value> {
        match self.ty(v) {
            Ty::I32 => Ok(v),
            Ty::I8 | Ty::I16 if signed => Ok(self.op(Op::SConvert, Ty::I32, &[v])),
            Ty::I8 | Ty::I16 => Ok(self.op(Op::UConvert, Ty::I32, &[v])),
            Ty::I64 => {
                let max = self.constant(Ty::I64, u64::from(u32::MAX));
                let v = self.op(Op::UMin, Ty::I64, &[v, max]);
                Ok(self.op(Op::UConvert, Ty::I32, &[v]))
            }
            _ => Err(Error::invalid("index is not an integer")),
        }
    }

    /// Descriptor of a place among its binding's.
    fn descriptor(&mut self, op: Op, binding: u32, p: &Place) -> Value {
        let handle = match p.dynamic.is_empty() {
            true => self.handle(op, Some(binding), p.offset),
            false => {
                let mut p = p.clone();
                if p.offset != 0 {
                    p.dynamic.push((self.i32(p.offset), 1));
                }
                let index = self.dynamic_offset(&p);
                let b = &self.sh.bindings[binding as usize];
                let imm = Imm::Binding { set: b.set, binding: b.binding };
                let ty = if op == Op::ImageDescriptor { Ty::Image } else { Ty::Buffer };
                self.emit(op, &[index], imm, &[ty])[0]
            }
        };
        if op == Op::ImageDescriptor {
            self.image_bindings.insert(handle, binding);
        }
        handle
    }

    /// Turns a place at a buffer block of a binding into a place in that buffer.
    pub(super) fn choose_buffer(&mut self, p: &mut Place) -> Result<()> {
        let Root::Binding(binding) = p.root else { return Ok(()) };
        if !matches!(
            self.sh.bindings[binding as usize].kind,
            ResourceKind::UniformBuffer | ResourceKind::StorageBuffer
        ) {
            return Err(Error::invalid("resource is not a buffer"));
        }
        let handle = self.descriptor(Op::BufferDescriptor, binding, p);
        p.root = Root::Buffer { handle, owner: Owner::Binding(binding) };
        p.offset = 0;
        p.dynamic.clear();
        Ok(())
    }

    /// Appends the memory runs of a type.
    fn runs(
        &mut self,
        ty: u32,
        at: u32,
        units: Units,
        matrix: MatrixLayout,
        step: u32,
        out: &mut Vec<Run>,
    ) -> Result<()> {
        let m = self.m;
        if let Some(scalar) = m.ty(ty)?.scalar() {
            out.push(Run { offset: at, stride: scalar.bytes(), n: 1, ty: scalar });
            return Ok(());
        }
        if self.t.leaves(ty)? == 0 {
            return Ok(());
        }
        match m.ty(ty)? {
            Type::Vector { elem, n } => {
                let stride = if step == 0 { self.tight(*elem, units)? } else { step };
                out.push(Run { offset: at, stride, n: *n, ty: self.t.scalar(*elem)? });
            }
            Type::Matrix { column, columns, .. } => {
                let (column_stride, row_stride) = self.t.matrix_strides(ty, units, matrix)?;
                for i in 0..*columns {
                    let at = element(at, i, column_stride)?;
                    self.runs(*column, at, units, matrix, row_stride, out)?;
                }
            }
            Type::Array { elem, .. } => {
                let stride = self.t.array_stride(ty, units)?;
                for i in 0..self.t.array_len(ty)? {
                    self.runs(*elem, element(at, i, stride)?, units, matrix, 0, out)?;
                }
            }
            Type::Struct { members } => {
                for (i, &member) in members.iter().enumerate() {
                    let at = add(at, self.t.member_offset(ty, i as u32, units)?)?;
                    let layout = match self.t.member_matrix(ty, i as u32) {
                        l if l == MatrixLayout::default() => matrix,
                        l => l,
                    };
                    self.runs(member, at, units, layout, 0, out)?;
                }
            }
            _ => return Err(Error::invalid(format!("type %{ty} cannot be in memory"))),
        }
        Ok(())
    }

    fn place_runs(&mut self, p: &Place) -> Result<Vec<Run>> {
        let mut runs = Vec::new();
        self.t.leaves(p.ty)?;
        self.runs(p.ty, p.offset, p.units(), p.matrix, p.step, &mut runs)?;
        self.work(runs.len())?;
        Ok(runs)
    }

    /// Loads what is at a place.
    pub(super) fn load(&mut self, p: &Place) -> Result<Scalars> {
        let mut p = self.near(p);
        if matches!(self.m.ty(p.ty)?, Type::Struct { .. }) {
            self.choose_buffer(&mut p)?;
        }
        let mut out = Scalars::new();
        match p.root.clone() {
            Root::Var(var) | Root::Output(_, var) => self.load_var(var, &p, &mut out)?,
            Root::Input(input) => {
                let n = self.t.leaves(p.ty)?;
                self.work(n as usize)?;
                if !p.dynamic.is_empty() {
                    let var = self.input_copy(input)?;
                    self.load_var(var, &p, &mut out)?;
                } else {
                    for i in 0..n {
                        out.push(self.load_input(input, p.offset + i, p.ordered)?);
                    }
                }
            }
            Root::Record(record) => self.load_record(record, &p, &mut out)?,
            root @ (Root::Buffer { .. } | Root::Address(_)) => {
                let Some((handle, _)) = self.buffer_of(&root) else { return Ok(out) };
                let at = self.dynamic_offset(&p);
                for run in self.place_runs(&p)? {
                    let mem = Mem { offset: run.offset, stride: run.stride, ordered: p.ordered };
                    let tys = vec![run.ty; run.n as usize];
                    out.extend(self.emit(Op::LoadBuffer, &[handle, at], Imm::Mem(mem), &tys));
                }
            }
            root @ (Root::Shared(_) | Root::Payload { .. }) => {
                let handle = self.buffer_of(&root).map(|b| b.0);
                let op = if handle.is_some() { Op::LoadBuffer } else { Op::LoadShared };
                let at = self.dynamic_offset(&p);
                let args: Scalars = handle.into_iter().chain([at]).collect();
                for run in self.place_runs(&p)? {
                    let mem = Mem { offset: run.offset, stride: run.stride.max(1), ordered: p.ordered };
                    if run.ty == Ty::Bool {
                        let mem = Mem { stride: 4, ..mem };
                        let zero = self.i32(0);
                        let tys = vec![Ty::I32; run.n as usize];
                        for v in self.emit(op, &args, Imm::Mem(mem), &tys) {
                            out.push(self.op(Op::INe, Ty::Bool, &[v, zero]));
                        }
                    } else {
                        let tys = vec![run.ty; run.n as usize];
                        out.extend(self.emit(op, &args, Imm::Mem(mem), &tys));
                    }
                }
            }
            Root::Binding(binding) => {
                // One, or the elements of an array one after the other.
                let mut ty = p.ty;
                while let Type::Array { elem, .. } = self.m.ty(ty)? {
                    ty = *elem;
                }
                if !matches!(self.m.ty(ty)?, Type::Image(_) | Type::Sampler | Type::SampledImage { .. }) {
                    return Err(Error::unsupported(format!("loading a resource of type %{ty}")));
                }
                let n = self.t.leaves(p.ty)?;
                self.work(n as usize)?;
                for i in 0..n {
                    let element = Place { offset: add(p.offset, i)?, ..p.clone() };
                    out.push(self.descriptor(Op::ImageDescriptor, binding, &element));
                }
            }
            Root::Texel { .. } => return Err(Error::invalid("a texel pointer is for atomics only")),
        }
        Ok(out)
    }

    fn load_var(&mut self, var: Var, p: &Place, out: &mut Scalars) -> Result<()> {
        let mut tys = Vec::new();
        self.t.leaf_types(p.ty, &mut tys)?;
        self.work(tys.len())?;
        let at = self.dynamic_index(p);
        for (i, &ty) in tys.iter().enumerate() {
            let imm = Imm::Var { var, elem: add(p.offset, i as u32)? };
            out.push(match at {
                None => self.get_var(var, add(p.offset, i as u32)?, ty),
                Some(d) => self.emit(Op::VarGetDyn, &[d], imm, &[ty])[0],
            });
        }
        Ok(())
    }

    /// The dynamic part of a place's offset, 0 if it has none.
    pub(super) fn dynamic_offset(&mut self, p: &Place) -> Value {
        match self.dynamic_index(p) {
            Some(v) => v,
            None => self.i32(0),
        }
    }

    /// The dynamic part of a place's offset, if it has one.
    pub(super) fn dynamic_index(&mut self, p: &Place) -> Option<Value> {
        match p.dynamic[..] {
            [] => None,
            [(v, 1)] => Some(v),
            _ => {
                let (args, strides): (Scalars, SmallVec<[u32; 4]>) = p.dynamic.iter().copied().unzip();
                Some(self.emit(Op::Offset, &args, Imm::Strides(strides), &[Ty::I32])[0])
            }
        }
    }

    /// Notes a write to a buffer.
    pub(super) fn mark_buffer_written(&mut self, owner: Owner) -> Result<()> {
        if self.is_payload(owner)? {
            return Ok(());
        }
        self.sh.writes_memory = true;
        match owner {
            Owner::Binding(b) => self.mark_written(Some(b)),
            Owner::Push => Err(Error::invalid("store to push constants")),
            Owner::Payload | Owner::Any => Ok(()),
        }
    }

    /// Notes a write to a binding's buffer or image.
    pub(super) fn mark_written(&mut self, binding: Option<u32>) -> Result<()> {
        self.sh.writes_memory = true;
        match binding {
            Some(b) if self.sh.bindings[b as usize].kind == ResourceKind::UniformBuffer => {
                Err(Error::invalid("store to a uniform buffer"))
            }
            Some(b) => {
                self.sh.bindings[b as usize].written = true;
                Ok(())
            }
            None => Err(Error::invalid("store to an unknown resource")),
        }
    }

    /// Stores scalars at a place.
    pub(super) fn store(&mut self, p: &Place, scalars: &[Value]) -> Result<()> {
        let mut p = self.near(p);
        if matches!(self.m.ty(p.ty)?, Type::Struct { .. }) {
            self.choose_buffer(&mut p)?;
        }
        if self.t.leaves(p.ty)? as usize != scalars.len() {
            return Err(Error::invalid("object does not fit what the pointer points to"));
        }
        match p.root.clone() {
            Root::Var(var) | Root::Output(_, var) => {
                if let Root::Output(output, _) = p.root {
                    self.mark_output(output, &p, scalars.len() as u32);
                }
                self.work(scalars.len())?;
                let at = self.dynamic_index(&p);
                for (i, &v) in scalars.iter().enumerate() {
                    let imm = Imm::Var { var, elem: add(p.offset, i as u32)? };
                    match at {
                        None => self.emit(Op::VarSet, &[v], imm, &[]),
                        Some(d) => self.emit(Op::VarSetDyn, &[d, v], imm, &[]),
                    };
                }
                Ok(())
            }
            root @ (Root::Buffer { .. } | Root::Address(_)) => {
                let Some((handle, owner)) = self.buffer_of(&root) else { return Ok(()) };
                self.mark_buffer_written(owner)?;
                let at = self.dynamic_offset(&p);
                let mut from = 0;
                for run in self.place_runs(&p)? {
                    let mem = Mem { offset: run.offset, stride: run.stride, ordered: p.ordered };
                    let mut args: Scalars = [handle, at].into_iter().collect();
                    args.extend_from_slice(&scalars[from..from + run.n as usize]);
                    from += run.n as usize;
                    self.emit(Op::StoreBuffer, &args, Imm::Mem(mem), &[]);
                }
                Ok(())
            }
            root @ (Root::Shared(_) | Root::Payload { .. }) => {
                let buffer = self.buffer_of(&root);
                if let Some((_, owner)) = buffer {
                    self.mark_buffer_written(owner)?;
                }
                let op = if buffer.is_some() { Op::StoreBuffer } else { Op::StoreShared };
                let at = self.dynamic_offset(&p);
                let mut from = 0;
                for run in self.place_runs(&p)? {
                    let stride = if run.ty == Ty::Bool { 4 } else { run.stride };
                    let mem = Mem { offset: run.offset, stride, ordered: p.ordered };
                    let mut args: Scalars = buffer.map(|b| b.0).into_iter().chain([at]).collect();
                    for &v in &scalars[from..from + run.n as usize] {
                        args.push(if run.ty == Ty::Bool {
                            let (one, zero) = (self.i32(1), self.i32(0));
                            self.op(Op::Select, Ty::I32, &[v, one, zero])
                        } else {
                            v
                        });
                    }
                    from += run.n as usize;
                    self.emit(op, &args, Imm::Mem(mem), &[]);
                }
                Ok(())
            }
            Root::Record(record) => self.store_record(record, &p, scalars),
            Root::Input(_) => Err(Error::invalid("store to an input")),
            Root::Binding(_) | Root::Texel { .. } => Err(Error::invalid("store to a resource")),
        }
    }
}

fn add(a: u32, b: u32) -> Result<u32> {
    a.checked_add(b).ok_or_else(|| Error::Limit("offset beyond 4 GiB".into()))
}

pub(super) fn element(at: u32, i: u32, stride: u32) -> Result<u32> {
    i.checked_mul(stride)
        .and_then(|step| at.checked_add(step))
        .ok_or_else(|| Error::Limit("offset beyond 4 GiB".into()))
}

/// True if memory operands ask for accesses that must not be merged.
fn operands_ordered(mask: Option<&u32>) -> bool {
    let bits = spirv::MemoryAccess::from_bits_truncate(mask.copied().unwrap_or(0));
    bits.intersects(
        spirv::MemoryAccess::VOLATILE
            | spirv::MemoryAccess::MAKE_POINTER_AVAILABLE
            | spirv::MemoryAccess::MAKE_POINTER_VISIBLE,
    )
}

/// OpVariable in a function.
pub fn variable<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    let m = lower.m;
    let pointee = match m.ty(inst.ty)? {
        Type::Pointer { class: StorageClass::Function, pointee } => *pointee,
        _ => return Err(Error::invalid("a variable in a function must be of class Function")),
    };
    let mut tys = Vec::new();
    lower.t.leaf_types(pointee, &mut tys)?;
    if tys.contains(&Ty::Image) {
        return Err(Error::unsupported("variables that hold images or samplers"));
    }
    let var = lower.new_var(tys.clone(), m.name(inst.id));
    let place = Place::new(Root::Var(var), pointee);
    let large = tys.len() as u32 > MAX_SPLIT;
    let null = |&id: &u32| m.def(id).is_some_and(|d| d.op == spirv::Op::ConstantNull && d.ty == pointee);
    match operands.get(1) {
        // Variables are zero at the start.
        Some(id) if large && null(id) && lower.loop_depth == 0 => {}
        Some(id) if large && null(id) => lower.zero(&place)?,
        None if large && lower.loop_depth > 0 => lower.zero(&place)?,
        Some(&init) => {
            let scalars = lower.scalars(init)?;
            lower.store(&place, &scalars)?;
        }
        // Once more zero when the declaration is reached again.
        None if lower.loop_depth > 0 => {
            let zeros: Scalars = tys.iter().map(|&ty| lower.constant(ty, 0)).collect();
            lower.store(&place, &zeros)?;
        }
        None => {}
    }
    lower.bind(inst.id, Val::Place(place));
    Ok(())
}

/// OpAccessChain, OpInBoundsAccessChain.
pub fn access_chain<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    let base = lower.id_at(operands, 0)?;
    let base = lower.place(base)?;
    let place = lower.access(base, &operands[1..])?;
    match lower.m.ty(inst.ty)? {
        Type::Pointer { .. } => {}
        _ => return Err(Error::invalid("result type is not a pointer")),
    }
    lower.bind(inst.id, Val::Place(place));
    Ok(())
}

/// OpLoad.
pub fn load<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    let pointer = lower.id_at(operands, 0)?;
    let mut place = lower.place(pointer)?;
    lower.retype(&mut place, pointer, inst.ty)?;
    place.ordered |= operands_ordered(operands.get(1));
    if lower.stays_in_memory(&place, inst.ty)? {
        return lower.load_aggregate(inst, &place);
    }
    let scalars = lower.load(&place)?;
    let kind = std::mem::discriminant(lower.m.ty(inst.ty)?);
    let handles = scalars.iter().any(|&v| lower.ty(v) == Ty::Image);
    if kind != std::mem::discriminant(lower.m.ty(place.ty)?) || (handles && inst.ty != place.ty) {
        return Err(Error::invalid("result type is not what the pointer points to"));
    }
    lower.define(inst, scalars)
}

/// OpStore.
pub fn store<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let pointer = lower.id_at(operands, 0)?;
    let mut place = lower.place(pointer)?;
    let object = lower.id_at(operands, 1)?;
    lower.retype(&mut place, pointer, lower.m.type_of(object)?)?;
    place.ordered |= operands_ordered(operands.get(2));
    match lower.val(object)? {
        Val::Memory(from) if from.ty == place.ty && !matches!(place.root, Root::Record(_)) => {
            lower.copy(&place, &from)
        }
        _ => {
            let scalars = lower.scalars(object)?;
            lower.store(&place, &scalars)
        }
    }
}

/// OpCopyMemory.
pub fn copy_memory<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let (to_id, from_id) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let (mut to, mut from) = (lower.place(to_id)?, lower.place(from_id)?);
    // At most one is untyped.
    lower.retype(&mut to, to_id, from.ty)?;
    lower.retype(&mut from, from_id, to.ty)?;
    to.ordered |= operands_ordered(operands.get(2));
    from.ordered |= operands_ordered(operands.get(3).or(operands.get(2)));
    if lower.stays_in_memory(&from, to.ty)? {
        return lower.copy(&to, &from);
    }
    let scalars = lower.load(&from)?;
    lower.store(&to, &scalars)
}

/// OpCopyObject: also of pointers.
pub fn copy_object<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    let id = lower.id_at(operands, 0)?;
    if lower.m.type_of(id)? != inst.ty {
        return Err(Error::invalid("result type is not that of the operand"));
    }
    match lower.val(id)? {
        Val::Scalars(s) => lower.define(inst, s),
        place => {
            lower.bind(inst.id, place);
            Ok(())
        }
    }
}

/// OpArrayLength.
pub fn array_length<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (pointer, member) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let place = lower.place(pointer)?;
    lower.length_of(place, member)
}

impl Lower<'_> {
    /// Length of the runtime array that ends a structure.
    pub(super) fn length_of(&mut self, mut place: Place, member: u32) -> Result<Scalars> {
        let lower = self;
        lower.choose_buffer(&mut place)?;
        let Some((handle, _)) = lower.buffer_of(&place.root) else {
            return Err(Error::invalid("only buffers end in runtime arrays"));
        };
        let offset = lower.t.member_offset(place.ty, member, Units::Explicit)?;
        let array = match lower.m.ty(place.ty)? {
            Type::Struct { members } => members[member as usize],
            _ => return Err(Error::invalid("not a struct")),
        };
        let stride = lower.t.array_stride(array, Units::Explicit)?;
        let size = lower.op(Op::BufferSize, Ty::I32, &[handle]);
        let offset = lower.i32(offset);
        let most = lower.op(Op::UMax, Ty::I32, &[size, offset]);
        let bytes = lower.op(Op::ISub, Ty::I32, &[most, offset]);
        let stride = lower.i32(stride);
        Ok(Lower::one(lower.op(Op::UDiv, Ty::I32, &[bytes, stride])))
    }
}
