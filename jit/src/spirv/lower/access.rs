//! Loads from places and stores to them.

use smallvec::SmallVec;
use spirv::Dim;

use super::place::{Owner, Place, Root, add, element};
use super::{Lower, Scalars};
use crate::error::{Error, Result};
use crate::ir::{HandleKind, Imm, Mem, Op, ResourceKind, Ty, Value, Var};
use crate::spirv::types::{MatrixLayout, Type, Units};

/// Maximum number of scalars of a run. Longer vectors are several runs.
const MAX_RUN: u32 = 16;

/// A run of scalars that one memory access moves.
pub(super) struct Run {
    pub(super) offset: u32,
    pub(super) stride: u32,
    pub(super) count: u32,
    pub(super) ty: Ty,
}

impl Lower<'_> {
    /// Returns the descriptor that a place selects in the array of its binding.
    fn descriptor(&mut self, op: Op, binding: u32, p: &Place) -> Value {
        let handle = match p.dynamic.is_empty() {
            true => self.handle(op, Some(binding), p.offset),
            false => {
                let mut p = p.clone();
                if p.offset != 0 {
                    p.dynamic.push((self.i32(p.offset), 1));
                }
                let index = self.dynamic_offset(&p);
                self.note_uniform_index(index);
                let b = &self.shader.bindings[binding as usize];
                let imm = Imm::Binding { set: b.set, binding: b.binding, kind: b.kind.handle() };
                let ty = if op == Op::ImageDescriptor { Ty::Image } else { Ty::Buffer };
                self.emit(op, &[index], imm, &[ty])[0]
            }
        };
        if op == Op::ImageDescriptor {
            self.image_bindings.insert(handle, Some(binding));
        }
        handle
    }

    /// Turns a place in the descriptor array of a binding into a place in the selected buffer.
    pub(super) fn choose_buffer(&mut self, p: &mut Place) -> Result<()> {
        let binding = match p.root {
            Root::Binding(binding) => binding,
            Root::Mapped(number) => return self.mapped_buffer(number, p),
            _ => return Ok(()),
        };
        if self.shader.bindings[binding as usize].kind.handle() != HandleKind::Buffer {
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
        let m = self.module;
        if let Some(scalar) = m.ty(ty)?.scalar() {
            out.push(Run { offset: at, stride: scalar.bytes(), count: 1, ty: scalar });
            return Ok(());
        }
        if self.types.leaves(ty)? == 0 {
            return Ok(());
        }
        match m.ty(ty)? {
            Type::Vector { elem, .. } => {
                let stride = if step == 0 { self.tight(*elem, units)? } else { step };
                let (n, ty) = (self.types.leaves(ty)?, self.types.scalar(*elem)?);
                for first in (0..n).step_by(MAX_RUN as usize) {
                    let count = (n - first).min(MAX_RUN);
                    out.push(Run { offset: element(at, first, stride)?, stride, count, ty });
                }
            }
            Type::Matrix { column, columns, .. } => {
                let (column_stride, row_stride) = self.types.matrix_strides(ty, units, matrix)?;
                for i in 0..*columns {
                    let at = element(at, i, column_stride)?;
                    self.runs(*column, at, units, matrix, row_stride, out)?;
                }
            }
            Type::Array { elem, .. } => {
                let stride = self.types.array_stride(ty, units)?;
                for i in 0..self.types.array_len(ty)? {
                    self.runs(*elem, element(at, i, stride)?, units, matrix, 0, out)?;
                }
            }
            Type::Struct { members } => {
                for (i, &member) in members.iter().enumerate() {
                    let at = add(at, self.types.member_offset(ty, i as u32, units)?)?;
                    let layout = match self.types.member_matrix(ty, i as u32) {
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

    pub(super) fn place_runs(&mut self, p: &Place) -> Result<Vec<Run>> {
        let mut runs = Vec::new();
        self.types.leaves(p.ty)?;
        self.runs(p.ty, p.offset, p.units(), p.matrix, p.step, &mut runs)?;
        self.work(runs.len())?;
        Ok(runs)
    }

    /// Loads the value at a place.
    pub(super) fn load(&mut self, p: &Place) -> Result<Scalars> {
        let mut p = self.near(p);
        if p.is_unchosen() && matches!(self.module.ty(p.ty)?, Type::Struct { .. }) {
            self.choose_buffer(p.to_mut())?;
        }
        if self.is_long(&p)? {
            return self.load_long(&p);
        }
        let mut out = Scalars::new();
        match p.root.clone() {
            Root::Var(var) | Root::Output(_, var) => self.load_var(var, &p, &mut out)?,
            Root::Input(input) => {
                let n = self.types.leaves(p.ty)?;
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
            Root::Buffer { .. } | Root::Address(_) => {
                let Some((handle, _)) = self.buffer_of(&p.root) else { return Ok(out) };
                let at = self.dynamic_offset(&p);
                for run in self.place_runs(&p)? {
                    let mem = Mem { offset: run.offset, stride: run.stride, ordered: p.ordered };
                    let tys = vec![run.ty; run.count as usize];
                    out.extend(self.emit(Op::LoadBuffer, &[handle, at], Imm::Mem(mem), &tys));
                }
            }
            Root::Generic(_) => return self.load_generic(&p),
            Root::Private => {
                let (list, dynamic) = (self.private_list(&p)?, self.dynamic_index(&p));
                return self.load_private(&list, dynamic);
            }
            Root::Shared(_) | Root::Payload { .. } => self.load_shared(&p, &mut out)?,
            Root::Binding(_) | Root::Mapped(_) => self.load_resources(&p, &mut out)?,
            Root::Heap(heap) => match self.module.ty(p.ty)? {
                Type::Image(image) => {
                    let kind = match image.dim {
                        Dim::DimBuffer => HandleKind::TexelBuffer,
                        _ => HandleKind::Image,
                    };
                    out.push(self.heap_image(heap, kind, &p)?);
                }
                Type::Sampler => out.push(self.heap_image(heap, HandleKind::Image, &p)?),
                Type::AccelerationStructure => out.push(self.heap_structure(&p)?),
                _ => {
                    let data = self.heap_data(&p)?;
                    return self.load(&data);
                }
            },
            Root::Texel(_) => return Err(Error::invalid("only atomics can access a texel pointer")),
            Root::Query(_) => out.push(self.load_query(&p)?),
        }
        Ok(out)
    }

    /// Loads the value at a place in workgroup memory or a payload.
    fn load_shared(&mut self, p: &Place, out: &mut Scalars) -> Result<()> {
        let handle = self.buffer_of(&p.root).map(|b| b.0);
        let op = if handle.is_some() { Op::LoadBuffer } else { Op::LoadShared };
        let at = self.dynamic_offset(p);
        let args: Scalars = handle.into_iter().chain([at]).collect();
        for run in self.place_runs(p)? {
            let mem = Mem { offset: run.offset, stride: run.stride.max(1), ordered: p.keeps_order() };
            if run.ty == Ty::Bool {
                let mem = Mem { stride: 4, ..mem };
                let zero = self.i32(0);
                let tys = vec![Ty::I32; run.count as usize];
                for v in self.emit(op, &args, Imm::Mem(mem), &tys) {
                    out.push(self.op(Op::INe, Ty::Bool, &[v, zero]));
                }
            } else {
                let tys = vec![run.ty; run.count as usize];
                out.extend(self.emit(op, &args, Imm::Mem(mem), &tys));
            }
        }
        Ok(())
    }

    /// Loads an image, sampler or acceleration structure of a variable, or the elements of an array of them in order.
    fn load_resources(&mut self, p: &Place, out: &mut Scalars) -> Result<()> {
        let mut ty = p.ty;
        while let Type::Array { elem, .. } = self.module.ty(ty)? {
            ty = *elem;
        }
        let structure = *self.module.ty(ty)? == Type::AccelerationStructure;
        let image = matches!(self.module.ty(ty)?, Type::Image(_) | Type::Sampler | Type::SampledImage { .. });
        if !image && !structure {
            return Err(Error::unsupported(format!("loading a resource of type %{ty}")));
        }
        let n = self.types.leaves(p.ty)?;
        self.work(n as usize)?;
        for i in 0..n {
            let mut element = Place { offset: add(p.offset, i)?, ..p.clone() };
            out.push(match p.root {
                Root::Mapped(number) if structure => self.mapped_structure(number, &element)?,
                _ if structure => {
                    self.choose_buffer(&mut element)?;
                    let Root::Buffer { handle, .. } = element.root else {
                        return Err(Error::Internal("a structure without a descriptor".into()));
                    };
                    self.load_structure(handle)
                }
                Root::Mapped(number) => self.mapped_image(number, &element)?,
                Root::Binding(binding) => self.descriptor(Op::ImageDescriptor, binding, &element),
                _ => return Err(Error::Internal("a resource without a variable".into())),
            });
        }
        Ok(())
    }

    fn load_var(&mut self, var: Var, p: &Place, out: &mut Scalars) -> Result<()> {
        let mut tys = Vec::new();
        self.types.leaf_types(p.ty, &mut tys)?;
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

    /// The dynamic part of a place's offset (I32, or I64 in a buffer with 64-bit indexing), 0 if it has none.
    pub(super) fn dynamic_offset(&mut self, p: &Place) -> Value {
        match self.dynamic_index(p) {
            Some(v) => v,
            None => self.i32(0),
        }
    }

    /// The dynamic part of a place's offset, if it has one.
    pub(super) fn dynamic_index(&mut self, p: &Place) -> Option<Value> {
        if p.wide.is_some() && self.has_wide_offsets(p) {
            return Some(self.wide_offset(p));
        }
        match p.dynamic[..] {
            [] => None,
            [(v, 1)] => Some(v),
            _ => {
                let (args, strides): (Scalars, SmallVec<[u32; 4]>) = p.dynamic.iter().copied().unzip();
                Some(self.emit(Op::Offset, &args, Imm::Strides(strides), &[Ty::I32])[0])
            }
        }
    }

    /// Records a write to a buffer.
    pub(super) fn mark_buffer_written(&mut self, owner: Owner) -> Result<()> {
        if self.is_payload(owner)? {
            return Ok(());
        }
        self.shader.writes_memory = true;
        match owner {
            Owner::Binding(b) => self.mark_written(Some(b)),
            Owner::Push => Err(Error::invalid("store to push constants")),
            Owner::Record => Err(Error::invalid("store to a shader record")),
            Owner::Payload | Owner::Any => Ok(()),
        }
    }

    /// Records a write to a binding's buffer or image; `binding` is `None` for resources in heaps.
    pub(super) fn mark_written(&mut self, binding: Option<u32>) -> Result<()> {
        self.shader.writes_memory = true;
        match binding {
            Some(b) if self.shader.bindings[b as usize].kind == ResourceKind::UniformBuffer => {
                Err(Error::invalid("store to a uniform buffer"))
            }
            Some(b) => {
                self.shader.bindings[b as usize].written = true;
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Stores scalars at a place.
    pub(super) fn store(&mut self, p: &Place, scalars: &[Value]) -> Result<()> {
        let mut p = self.near(p);
        if p.is_unchosen() && matches!(self.module.ty(p.ty)?, Type::Struct { .. }) {
            self.choose_buffer(p.to_mut())?;
        }
        if self.types.leaves(p.ty)? as usize != scalars.len() {
            return Err(Error::invalid("the object does not have the pointer's pointee type"));
        }
        if self.is_long(&p)? {
            return self.store_long(&p, scalars);
        }
        match p.root.clone() {
            Root::Var(var) | Root::Output(_, var) => self.store_variable(var, &p, scalars),
            root @ (Root::Buffer { .. } | Root::Address(_)) => self.store_buffer(&root, &p, scalars),
            root @ (Root::Shared(_) | Root::Payload { .. }) => self.store_shared(&root, &p, scalars),
            Root::Generic(_) => self.store_generic(&p, scalars),
            Root::Private => {
                let (list, dynamic) = (self.private_list(&p)?, self.dynamic_index(&p));
                let cells: Vec<_> = list.iter().zip(scalars).map(|(cell, &v)| (cell.0, v)).collect();
                self.store_private(&cells, dynamic)
            }
            Root::Record(record) => self.store_record(record, &p, scalars),
            Root::Input(_) => Err(Error::invalid("store to an input")),
            Root::Query(_) => self.store_query(&p, scalars),
            Root::Binding(_) | Root::Mapped(_) | Root::Heap(_) | Root::Texel(_) => {
                Err(Error::invalid("store to a resource"))
            }
        }
    }

    /// Stores to a variable, which an output is until the end.
    fn store_variable(&mut self, var: Var, p: &Place, scalars: &[Value]) -> Result<()> {
        if let Root::Output(output, _) = p.root {
            self.mark_output(output, p, scalars.len() as u32);
        }
        self.work(scalars.len())?;
        let at = self.dynamic_index(p);
        for (i, &v) in scalars.iter().enumerate() {
            let imm = Imm::Var { var, elem: add(p.offset, i as u32)? };
            match at {
                None => self.emit(Op::VarSet, &[v], imm, &[]),
                Some(d) => self.emit(Op::VarSetDyn, &[d, v], imm, &[]),
            };
        }
        Ok(())
    }

    /// Stores to a buffer, or to an address.
    fn store_buffer(&mut self, root: &Root, p: &Place, scalars: &[Value]) -> Result<()> {
        let Some((handle, owner)) = self.buffer_of(root) else { return Ok(()) };
        self.mark_buffer_written(owner)?;
        let at = self.dynamic_offset(p);
        let mut from = 0;
        for run in self.place_runs(p)? {
            let mem = Mem { offset: run.offset, stride: run.stride, ordered: p.ordered };
            let mut args: Scalars = [handle, at].into_iter().collect();
            args.extend_from_slice(&scalars[from..from + run.count as usize]);
            from += run.count as usize;
            self.emit(Op::StoreBuffer, &args, Imm::Mem(mem), &[]);
        }
        Ok(())
    }

    /// Stores to workgroup memory, or to a payload.
    fn store_shared(&mut self, root: &Root, p: &Place, scalars: &[Value]) -> Result<()> {
        let buffer = self.buffer_of(root);
        if let Some((_, owner)) = buffer {
            self.mark_buffer_written(owner)?;
        }
        let op = if buffer.is_some() { Op::StoreBuffer } else { Op::StoreShared };
        let at = self.dynamic_offset(p);
        let mut from = 0;
        for run in self.place_runs(p)? {
            let stride = if run.ty == Ty::Bool { 4 } else { run.stride };
            let mem = Mem { offset: run.offset, stride, ordered: p.keeps_order() };
            let mut args: Scalars = buffer.map(|b| b.0).into_iter().chain([at]).collect();
            for &v in &scalars[from..from + run.count as usize] {
                args.push(if run.ty == Ty::Bool {
                    let (one, zero) = (self.i32(1), self.i32(0));
                    self.op(Op::Select, Ty::I32, &[v, one, zero])
                } else {
                    v
                });
            }
            from += run.count as usize;
            self.emit(op, &args, Imm::Mem(mem), &[]);
        }
        Ok(())
    }
}
