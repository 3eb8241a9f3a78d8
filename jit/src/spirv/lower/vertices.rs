//! Per-vertex, per-primitive and per-patch variables: inputs of tessellation and geometry, outputs of tessellation
//! control, and outputs of meshes.
//!
//! The first index selects a vertex ([`Place::vertex`]) or a primitive; everything below it is ordinary interface
//! scalars of that vertex. The invocations of a patch or of a workgroup share the memory of such outputs, so each read
//! and write happens in program order. A dynamic index below the vertex becomes a selection among the scalars that it
//! can select.

use spirv::Decoration;

use super::interface::{List, Record, narrowing, outer};
use super::place::{Place, Root};
use super::{Lower, Scalars, Value};
use crate::error::{Error, Result};
use crate::ir::{self, BuiltIn, End, Imm, Interface, Node, Op, Region, Stage, Ty};
use crate::spirv::module::Inst;
use crate::spirv::tables;
use crate::spirv::types::Type;

impl Lower<'_> {
    /// `true` if an interface variable belongs to the patch.
    pub(super) fn is_of_patch(&self, def: &Inst, pointee: u32) -> Result<bool> {
        let m = self.module;
        let mut inner = pointee;
        while let Type::Array { elem, .. } = m.ty(inner)? {
            inner = *elem;
        }
        let level = |number: Option<u32>| {
            number.and_then(|n| tables::builtin(n).ok()).is_some_and(BuiltIn::is_of_patch)
        };
        let members = if let Type::Struct { members } = m.ty(inner)? { members.len() as u32 } else { 0 };
        Ok(m.deco(def.id, Decoration::Patch).is_some()
            || level(m.deco(def.id, Decoration::BuiltIn))
            || (0..members).any(|i| m.member_deco(inner, i, Decoration::Patch).is_some()))
    }

    /// `true` if an input variable that is not per patch is an array with one element per vertex.
    pub(super) fn is_of_vertices(&self, def: &Inst, pointee: u32) -> Result<bool> {
        match self.module.deco(def.id, Decoration::BuiltIn) {
            Some(number) => Ok(tables::builtin(number)?.is_of_vertex()),
            None if matches!(self.module.ty(pointee)?, Type::Array { .. }) => Ok(true),
            None => Err(self.module.invalid(def, "a per-vertex input is not an array")),
        }
    }

    /// Adds a per-vertex, per-primitive or per-patch variable.
    pub(super) fn record(&mut self, def: &Inst, pointee: u32, list: List) -> Result<Root> {
        let m = self.module;
        let one = match m.ty(pointee)? {
            Type::Array { elem, .. } if list != List::PatchOutputs => *elem,
            _ if list == List::PatchOutputs => pointee,
            _ => return Err(m.invalid(def, "a per-vertex variable is not an array")),
        };
        let leaves = self.interface_leaves(def, one, list != List::Inputs)?;
        self.io.records.push(Record { list, leaves });
        let record = self.io.records.len() as u32 - 1;
        if list != List::Inputs {
            self.initialize_record(def, pointee, record)?;
        }
        Ok(Root::Record(record))
    }

    /// Stores an initializer. Each invocation stores the values of its vertex, and the first stores those of the patch.
    /// In meshes, the first invocation of the workgroup, which runs before the others, stores all values.
    fn initialize_record(&mut self, def: &Inst, pointee: u32, record: u32) -> Result<()> {
        let Some(init) = self.module.initializer(def) else { return Ok(()) };
        let bits = self.types.const_bits(init)?;
        if self.types.leaves(pointee)? as usize != bits.len() {
            return Err(self.module.invalid(def, "initializer does not fit the variable"));
        }
        let of_vertices = self.io.records[record as usize].has_vertices();
        let n = self.io.records[record as usize].leaves.len();
        let mesh = self.shader.stage == Stage::Mesh;
        let number = if mesh { BuiltIn::LocalInvocationIndex } else { BuiltIn::InvocationId };
        // Initializers go to the start of the shader, before anything else.
        let later = std::mem::take(&mut self.cur);
        let id = self.emit(Op::BuiltIn, &[], Imm::BuiltIn(number, 0), &[Ty::I32])[0];
        for (vertex, bits) in bits.chunks(n.max(1)).enumerate() {
            self.work(n)?;
            let at = self.i32(vertex as u32);
            let by = if mesh { self.i32(0) } else { at };
            let mine = self.op(Op::IEq, Ty::Bool, &[id, by]);
            let outer = std::mem::take(&mut self.cur);
            for (leaf, &b) in bits.iter().enumerate() {
                let ty = self.io.records[record as usize].leaves[leaf].0.ty;
                let v = self.constant(ty, b);
                self.store_leaf(record, leaf as u32, of_vertices.then_some(at), v)?;
            }
            self.only_if(mine, outer);
        }
        let nodes = std::mem::replace(&mut self.cur, later);
        self.first.extend(nodes);
        Ok(())
    }

    /// Wraps the current nodes in an `If` with the given condition, after the nodes `before`.
    fn only_if(&mut self, cond: Value, before: Vec<Node>) {
        let nodes = std::mem::replace(&mut self.cur, before);
        let then = Region { nodes, end: End::Yield(Vec::new()) };
        let node = ir::If { cond, then, els: Region::default(), results: Vec::new(), src: self.src };
        self.cur.push(Node::If(Box::new(node)));
    }

    /// Uses an index as the vertex of a place, if its vertex is not chosen yet.
    pub(super) fn choose_vertex(&mut self, p: &mut Place, id: u32) -> Result<bool> {
        let Root::Record(record) = p.root else { return Ok(false) };
        if p.vertex.is_some() || !self.io.records[record as usize].has_vertices() {
            return Ok(false);
        }
        let Type::Array { elem, .. } = *self.module.ty(p.ty)? else {
            return Err(Error::invalid("a per-vertex variable is not an array"));
        };
        let index = self.scalar(id)?;
        let signed = self.types.is_signed(self.module.type_of(id)?);
        let vertex = self.i32_of(index, signed)?;
        if self.noted {
            let len = self.types.array_len(p.ty)?;
            let input = self.io.records[record as usize].list == List::Inputs;
            let stage = self.shader.stage;
            let tessellates = matches!(stage, Stage::TessellationControl | Stage::TessellationEvaluation);
            self.note_element(vertex, len, input && tessellates);
        }
        p.vertex = Some(vertex);
        p.ty = elem;
        p.step = 0;
        Ok(true)
    }

    /// The places of all vertices, if no vertex is chosen.
    fn each_vertex(&mut self, p: &Place) -> Result<Vec<Place>> {
        let Type::Array { elem, .. } = *self.module.ty(p.ty)? else {
            return Err(Error::invalid("a per-vertex variable is not an array"));
        };
        let n = self.types.array_len(p.ty)?;
        Ok((0..n).map(|v| Place { vertex: Some(self.i32(v)), ty: elem, ..p.clone() }).collect())
    }

    /// The scalars of type `ty` that scalar `i` of a place can be, each with the index that selects it.
    fn candidates(&mut self, record: u32, p: &Place, i: u32, ty: Ty) -> Result<Vec<(u32, u32)>> {
        let step = p.step_of_indices();
        let leaves = &self.io.records[record as usize].leaves;
        let first = p.offset.saturating_add(i);
        let list: Vec<(u32, u32)> = (first..p.end.min(leaves.len() as u32))
            .step_by(step as usize)
            .filter(|&leaf| leaves[leaf as usize].0.ty == ty)
            .map(|leaf| (leaf, leaf - first))
            .collect();
        self.work(list.len())?;
        Ok(list)
    }

    pub(super) fn load_record(&mut self, record: u32, p: &Place, out: &mut Scalars) -> Result<()> {
        if p.vertex.is_none() && self.io.records[record as usize].has_vertices() {
            // An error if the vertices have too many scalars together.
            self.types.leaves(p.ty)?;
            for p in self.each_vertex(p)? {
                self.load_record(record, &p, out)?;
            }
            return Ok(());
        }
        let mut tys = Vec::new();
        self.types.leaf_types(p.ty, &mut tys)?;
        self.work(tys.len())?;
        let at = self.dynamic_index(p);
        for (i, &ty) in tys.iter().enumerate() {
            let Some(at) = at else {
                out.push(self.load_leaf(record, p.offset + i as u32, p.vertex)?);
                continue;
            };
            let mut v = self.constant(ty, 0);
            for (leaf, index) in self.candidates(record, p, i as u32, ty)? {
                let one = self.load_leaf(record, leaf, p.vertex)?;
                let index = self.i32(index);
                let is = self.op(Op::IEq, Ty::Bool, &[at, index]);
                v = self.op(Op::Select, ty, &[is, one, v]);
            }
            out.push(v);
        }
        Ok(())
    }

    pub(super) fn store_record(&mut self, record: u32, p: &Place, scalars: &[Value]) -> Result<()> {
        if self.io.records[record as usize].list == List::Inputs {
            return Err(Error::invalid("store to an input"));
        }
        if p.vertex.is_none() && self.io.records[record as usize].has_vertices() {
            let places = self.each_vertex(p)?;
            let n = (scalars.len() / places.len().max(1)).max(1);
            return places
                .iter()
                .zip(scalars.chunks(n))
                .try_for_each(|(p, s)| self.store_record(record, p, s));
        }
        self.work(scalars.len())?;
        let at = self.dynamic_index(p);
        for (i, &v) in scalars.iter().enumerate() {
            let Some(at) = at else {
                self.store_leaf(record, p.offset + i as u32, p.vertex, v)?;
                continue;
            };
            let ty = self.ty(v);
            for (leaf, index) in self.candidates(record, p, i as u32, ty)? {
                let index = self.i32(index);
                let is = self.op(Op::IEq, Ty::Bool, &[at, index]);
                let outer = std::mem::take(&mut self.cur);
                self.store_leaf(record, leaf, p.vertex, v)?;
                self.only_if(is, outer);
            }
        }
        Ok(())
    }

    /// Returns the index of a scalar in its list; adds all scalars of its group.
    fn leaf_slot(&mut self, record: u32, leaf: u32) -> Result<(List, u32, Interface)> {
        let r = &self.io.records[record as usize];
        let list = r.list;
        let Some(&(interface, group)) = r.leaves.get(leaf as usize) else {
            return Err(Error::invalid("index of an interface variable is out of range"));
        };
        let group: Vec<Interface> = r.leaves.iter().filter(|l| l.1 == group).map(|l| l.0).collect();
        let whole = list != List::Inputs;
        for one in group.into_iter().filter(|one| whole || one.slot == interface.slot) {
            self.slot_in(list, Interface { ty: outer(one.ty), ..one })?;
        }
        let at = self.slot_in(list, Interface { ty: outer(interface.ty), ..interface })?;
        Ok((list, at, interface))
    }

    fn load_leaf(&mut self, record: u32, leaf: u32, vertex: Option<Value>) -> Result<Value> {
        let (list, at, interface) = self.leaf_slot(record, leaf)?;
        let op = match list {
            List::Inputs => Op::LoadInput,
            List::Outputs => Op::LoadOutput,
            List::PrimitiveOutputs => Op::LoadPrimitiveOutput,
            _ => Op::LoadPatchOutput,
        };
        let (from, to) = (outer(interface.ty), interface.ty);
        let v = self.emit(op, vertex.as_slice(), Imm::Slot(at), &[from])[0];
        Ok(match narrowing(to) {
            Some(op) if from != to => self.op(op, to, &[v]),
            _ if to == Ty::Bool => {
                let zero = self.i32(0);
                self.op(Op::INe, to, &[v, zero])
            }
            _ => v,
        })
    }

    fn store_leaf(&mut self, record: u32, leaf: u32, vertex: Option<Value>, v: Value) -> Result<()> {
        let (list, at, interface) = self.leaf_slot(record, leaf)?;
        if self.ty(v) != interface.ty {
            return Err(Error::invalid("the object does not have the pointer's pointee type"));
        }
        let v = self.widen(&interface, v);
        let args: Scalars = vertex.into_iter().chain([v]).collect();
        let op = match list {
            List::Outputs => Op::StoreOutput,
            List::PrimitiveOutputs => Op::StorePrimitiveOutput,
            _ => Op::StorePatchOutput,
        };
        self.emit(op, &args, Imm::Slot(at), &[]);
        Ok(())
    }
}
