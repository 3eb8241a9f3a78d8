//! Module-scope variables: a shader's interface with its surroundings. Each variable is added on first use, so only
//! statically used variables appear. Leaves their interface scalars to `slots` and resources to `resource`.

use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{Decoration, StorageClass};

use super::place::{Owner, Place, Root, is_ordered};
use super::{Lower, Val, Value};
use crate::error::{Error, Result};
use crate::ir::{
    BuiltIn, Imm, Interface, Interpolation, Note, Op, ResourceKind, Sampling, Shader, Slot, Stage, Ty, Var,
};
use crate::spirv::module::Inst;
use crate::spirv::types::{MatrixLayout, Type, UNTYPED};

/// Interface state of a lowering.
#[derive(Default)]
pub struct Io {
    /// Interface ids that the entry point lists.
    pub(super) interface: FxHashSet<u32>,
    inputs: Vec<Input>,
    pub(super) outputs: Vec<Output>,
    /// Per-vertex and per-primitive arrays, and outputs of the patch.
    pub(super) records: Vec<Record>,
    /// Index of each scalar in its list, by vertex for per-vertex inputs.
    slots: FxHashMap<(List, Slot, Option<u8>), u32>,
    /// Outputs that every vertex carries during lowering: all outputs of its stream, written or not.
    pub(super) emitted: Vec<Interface>,
    /// Scalars that transform feedback captures.
    pub(super) captured: Vec<super::capture::Captured>,
    /// Index of each binding.
    pub(super) bindings: FxHashMap<(u32, u32, ResourceKind), usize>,
    /// Resource variables that are mapped to descriptor heaps.
    pub(super) mapped: Vec<super::heap::Mapped>,
    /// Offset of the aliased workgroup blocks in workgroup memory, if known.
    pub(super) aliased: Option<u32>,
    /// Outputs that are signed integers.
    pub(super) signed: FxHashSet<Slot>,
    /// State of ray tracing stages.
    pub(super) rays: Rays,
}

/// State of the lowering of a ray tracing stage.
#[derive(Default)]
pub(super) struct Rays {
    /// The incoming payload or data: id of the variable, and the private variable.
    pub incoming: Option<(u32, Var)>,
    /// The hit attribute.
    pub attribute: Option<(u32, Var)>,
    /// The end of an any-hit invocation ([`crate::ir::HitEnd`]).
    pub end: Option<Var>,
    /// Intersection: RayTmax, which reports change.
    pub t_max: Option<Var>,
    /// The buffer of the data in the shader record.
    pub record: Option<Value>,
}

/// A list of interface scalars of [`Shader`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum List {
    Inputs,
    Outputs,
    PatchInputs,
    PatchOutputs,
    PrimitiveOutputs,
}

impl List {
    pub(super) fn of(self, sh: &mut Shader) -> &mut Vec<Interface> {
        match self {
            List::Inputs => &mut sh.inputs,
            List::Outputs => &mut sh.outputs,
            List::PatchInputs => &mut sh.patch_inputs,
            List::PatchOutputs => &mut sh.patch_outputs,
            List::PrimitiveOutputs => &mut sh.primitive_outputs,
        }
    }
}

/// A per-vertex or per-primitive variable, or an output of the patch.
pub(super) struct Record {
    /// List that contains its scalars.
    pub list: List,
    /// Interface scalar and group (member of a block) of each leaf, for a single vertex.
    pub leaves: Vec<(Interface, usize)>,
}

impl Record {
    pub fn has_vertices(&self) -> bool {
        self.list != List::PatchOutputs
    }
}

/// Type under which a scalar passes between stages: narrow scalars as 32-bit, Bools as words.
pub(super) fn outer(ty: Ty) -> Ty {
    match ty {
        Ty::F16 => Ty::F32,
        Ty::Bool | Ty::I8 | Ty::I16 => Ty::I32,
        ty => ty,
    }
}

/// Operation that converts a 32-bit scalar back to its type, if that type is narrower.
pub(super) fn narrowing(ty: Ty) -> Option<Op> {
    match ty {
        Ty::F16 => Some(Op::FConvert),
        Ty::I8 | Ty::I16 => Some(Op::UConvert),
        _ => None,
    }
}

/// An input variable, with the interface scalar of each leaf.
struct Input {
    leaves: Vec<(Slot, Interface)>,
    /// `true` for an input of the patch (evaluation).
    patch: bool,
    copy: Option<Var>,
}

/// An output variable: its private variable, and the interface scalars of its leaves.
pub(super) struct Output {
    pub(super) var: Var,
    /// Interface scalar and group (member of a block) of each leaf.
    pub(super) leaves: Vec<(Interface, usize)>,
    /// `true` for each group that the shader writes.
    pub(super) written: Vec<bool>,
}

impl Lower<'_> {
    /// Checks that a variable of this class may hold its vectors. Spec: SPV_EXT_long_vector, "Universal Validation Rules".
    fn check_long_vectors(&mut self, class: StorageClass, pointee: u32) -> Result<()> {
        use StorageClass as C;
        let any = matches!(
            class,
            C::Private
                | C::Uniform
                | C::Workgroup
                | C::StorageBuffer
                | C::PushConstant
                | C::ShaderRecordBufferKHR
        );
        if any || pointee == UNTYPED {
            return Ok(());
        }
        match self.types.longest_vector(pointee)? {
            n @ 5.. => Err(Error::invalid(format!("a vector of {n} components in class {class:?}"))),
            _ => Ok(()),
        }
    }

    /// Returns the place of a module-scope variable, and adds the variable on first use.
    pub(super) fn global(&mut self, def: &Inst) -> Result<Place> {
        let m = self.module;
        let (class, pointee) = m.variable(def.id)?;
        if self.is_kernel() {
            let place = self.kernel_global(def, class, pointee)?;
            self.debug_global(def, class, &place);
            return Ok(place);
        }
        self.check_long_vectors(class, pointee).map_err(|e| e.at(m.place(def)))?;
        let root = match class {
            StorageClass::Private if let Some(place) = self.global_query(pointee)? => place.root,
            StorageClass::Private => {
                let mut tys = Vec::new();
                self.types.leaf_types(pointee, &mut tys)?;
                let var = self.new_var(tys, m.name(def.id));
                self.initialize_first(def, var)?;
                Root::Var(var)
            }
            StorageClass::Input => self.input(def, pointee)?,
            StorageClass::Output => self.output(def, pointee)?,
            StorageClass::Workgroup => {
                let (base, units) = self.workgroup(def, pointee)?;
                let mut place = Place::new(Root::Shared(units), pointee);
                place.offset = base;
                self.debug_global(def, class, &place);
                return Ok(place);
            }
            StorageClass::TaskPayloadWorkgroupEXT => {
                let (handle, units) = self.payload(def, pointee)?;
                Root::Payload { handle, units }
            }
            StorageClass::RayPayloadKHR | StorageClass::CallableDataKHR => {
                Root::Var(self.outgoing(def, class, pointee)?)
            }
            StorageClass::IncomingRayPayloadKHR | StorageClass::IncomingCallableDataKHR => {
                Root::Var(self.incoming(def, class, pointee)?)
            }
            StorageClass::TileImageEXT => {
                let place = self.tile_image(def, pointee)?;
                self.debug_global(def, class, &place);
                return Ok(place);
            }
            StorageClass::HitAttributeKHR => Root::Var(self.hit_attribute(def, pointee)?),
            StorageClass::HitObjectAttributeEXT => Root::Var(self.hit_object_attribute(def, pointee)?),
            StorageClass::ShaderRecordBufferKHR if !self.shader.stage.is_of_rays() => {
                return Err(m.invalid(def, "a shader record outside of ray tracing stages"));
            }
            StorageClass::ShaderRecordBufferKHR => {
                Root::Buffer { handle: self.record_data()?, owner: Owner::Record }
            }
            StorageClass::PushConstant => {
                let size = self.types.explicit_size(pointee, MatrixLayout::default())?;
                self.shader.push_size = self.shader.push_size.max(size);
                let handle = self.handle(Op::PushConstants, None, 0);
                Root::Buffer { handle, owner: Owner::Push }
            }
            StorageClass::Uniform | StorageClass::StorageBuffer | StorageClass::UniformConstant => {
                self.resource(def, class, pointee)?
            }
            other => return Err(m.unsupported(def, format!("storage class {other:?}"))),
        };
        let mut place = Place::new(root, pointee);
        place.ordered = is_ordered(m.decos(def.id));
        if self.debug.is_some() {
            self.debug_global(def, class, &place);
        }
        Ok(place)
    }

    /// Initializes a module-scope private variable before the body of the shader.
    fn initialize_first(&mut self, def: &Inst, var: Var) -> Result<()> {
        let Some(init) = self.module.initializer(def) else { return Ok(()) };
        let bits = self.types.const_bits(init)?;
        let tys = self.shader.vars[var.0 as usize].elems.clone();
        if bits.len() != tys.len() {
            return Err(self.module.invalid(def, "initializer does not fit the variable"));
        }
        self.note_zeros(Note::Zeros(var));
        for (i, (&ty, &bits)) in tys.iter().zip(bits.iter()).enumerate() {
            if bits != 0 {
                let v = self.constant(ty, bits);
                self.emit_first(Op::VarSet, &[v], Imm::Var { var, elem: i as u32 }, &[]);
            }
        }
        Ok(())
    }

    // Inputs.

    fn input(&mut self, def: &Inst, pointee: u32) -> Result<Root> {
        self.check_no_locations(def, false)?;
        let patch = self.is_of_patch(def, pointee)?;
        if self.shader.stage.reads_vertices() && !patch && self.is_of_vertices(def, pointee)? {
            return self.record(def, pointee, List::Inputs);
        }
        let list = match self.is_per_vertex(def, pointee)? {
            true => self.leaves_of_each_vertex(def, pointee)?,
            false => self.interface_leaves(def, pointee, false)?,
        };
        let leaves = list.into_iter().map(|(i, _)| (i.slot, i)).collect();
        self.io.inputs.push(Input { leaves, patch, copy: None });
        Ok(Root::Input(self.io.inputs.len() as u32 - 1))
    }

    /// `true` if an input holds the values of each vertex of the primitive. Spec: SPIR-V,
    /// SPV_KHR_fragment_shader_barycentric.
    fn is_per_vertex(&self, def: &Inst, pointee: u32) -> Result<bool> {
        let (m, mut inner) = (self.module, pointee);
        while let Type::Array { elem, .. } = m.ty(inner)? {
            inner = *elem;
        }
        let members = match m.ty(inner)? {
            Type::Struct { members } => members.len() as u32,
            _ => 0,
        };
        let per_vertex = m.deco(def.id, Decoration::PerVertexKHR).is_some()
            || (0..members).any(|i| m.member_deco(inner, i, Decoration::PerVertexKHR).is_some());
        match per_vertex && self.shader.stage != Stage::Fragment {
            true => {
                Err(m.invalid(def, "PerVertexKHR on a variable that is not an input of a fragment shader"))
            }
            false => Ok(per_vertex),
        }
    }

    /// The leaves of a variable that is an array with one element per vertex.
    fn leaves_of_each_vertex(&mut self, def: &Inst, pointee: u32) -> Result<Vec<(Interface, usize)>> {
        let Type::Array { elem, .. } = *self.module.ty(pointee)? else {
            return Err(self.module.invalid(def, "PerVertexKHR on a variable that is not an array"));
        };
        let n = self.types.array_len(pointee)?;
        if n > 3 {
            return Err(self.module.invalid(def, "PerVertexKHR with more vertices than primitives have"));
        }
        let one = self.interface_leaves(def, elem, false)?;
        let of = |vertex: u32| {
            let flat = (Interpolation::Flat, Sampling::Center);
            one.iter().map(move |&(i, group)| {
                let (interpolation, sampling) = flat;
                (Interface { interpolation, sampling, vertex: Some(vertex as u8), ..i }, group)
            })
        };
        Ok((0..n).flat_map(of).collect())
    }

    /// Loads a scalar of an input variable.
    pub(super) fn load_input(&mut self, input: u32, leaf: u32, ordered: bool) -> Result<Value> {
        let (imm, ty) = self.input_imm(input, leaf)?;
        if let Some(var) = self.changing_t_max(&imm) {
            return Ok(self.get_var(var, 0, ty));
        }
        if ordered && matches!(imm, Imm::BuiltIn(BuiltIn::HelperInvocation, _)) {
            // A volatile HelperInvocation reads the current state instead of the state at the start.
            return Ok(self.emit(Op::IsHelper, &[], Imm::None, &[ty])[0]);
        }
        if let Some(v) = self.in_quads(&imm) {
            return Ok(v);
        }
        let op = self.input_op(input, &imm);
        let v = self.emit(op, &[], imm, &[ty])[0];
        let want = self.io.inputs[input as usize].leaves[leaf as usize].1.ty;
        Ok(match narrowing(want) {
            Some(op) if ty != want => self.op(op, want, &[v]),
            _ => v,
        })
    }

    /// Built-ins in the interface of a fragment shader enable sample shading, even if they are not used. Spec: Vulkan,
    /// "Sample Shading" (primsrast-sampleshading).
    pub(super) fn note_sample_shading(&mut self) {
        let samples = [spirv::BuiltIn::SampleId, spirv::BuiltIn::SamplePosition].map(|b| b as u32);
        let asks = |id: &u32| {
            let number = self.module.deco(*id, Decoration::BuiltIn);
            number.is_some_and(|n| samples.contains(&n))
        };
        self.shader.sample_shading =
            self.shader.stage == Stage::Fragment && self.io.interface.iter().any(asks);
    }

    /// Interface index and type of a scalar of an input variable; `None` for built-ins.
    pub(super) fn input_slot(&mut self, input: u32, leaf: u32) -> Result<Option<(u32, Ty)>> {
        Ok(match self.input_imm(input, leaf)? {
            (Imm::Slot(slot), ty) => Some((slot, ty)),
            _ => None,
        })
    }

    /// Operation that reads a scalar of an input variable.
    fn input_op(&self, input: u32, imm: &Imm) -> Op {
        match imm {
            Imm::Slot(_) if self.io.inputs[input as usize].patch => Op::LoadPatchInput,
            Imm::Slot(_) => Op::LoadInput,
            _ => Op::BuiltIn,
        }
    }

    /// Interface slots of an input variable's scalars.
    pub(super) fn input_slots(&self, input: u32) -> Vec<Slot> {
        self.io.inputs[input as usize].leaves.iter().map(|l| l.0).collect()
    }

    /// Number of scalars of an input variable.
    pub(super) fn input_leaves(&self, input: u32) -> u32 {
        self.io.inputs[input as usize].leaves.len() as u32
    }

    /// `true` for built-ins that are read from the list of inputs.
    fn is_listed(&self, b: BuiltIn) -> bool {
        let of_rays = self.shader.stage.is_of_rays() && b.is_of_rays();
        b.is_interpolated() || b.is_of_patch() || of_rays
    }

    fn input_imm(&mut self, input: u32, leaf: u32) -> Result<(Imm, Ty)> {
        let Some(&(slot, interface)) = self.io.inputs[input as usize].leaves.get(leaf as usize) else {
            return Err(Error::invalid("input index out of range"));
        };
        Ok(match slot {
            Slot::BuiltIn(b, component) if !self.is_listed(b) => {
                if b >= BuiltIn::SubgroupSize {
                    self.shader.observes_subgroup = true;
                }
                self.shader.sample_shading |= matches!(b, BuiltIn::SampleId | BuiltIn::SamplePosition);
                (Imm::BuiltIn(b, component), interface.ty)
            }
            _ => {
                let interface = Interface { ty: outer(interface.ty), ..interface };
                let patch = self.io.inputs[input as usize].patch;
                let at = self.slot_in(if patch { List::PatchInputs } else { List::Inputs }, interface)?;
                self.shader.sample_shading |= interface.sampling == Sampling::Sample;
                self.shader.centroid |= interface.sampling == Sampling::Centroid;
                (Imm::Slot(at), interface.ty)
            }
        })
    }

    /// Returns the index of a scalar in its list, and adds the scalar if necessary.
    pub(super) fn slot_in(&mut self, which: List, interface: Interface) -> Result<u32> {
        let key = (which, interface.slot, interface.vertex);
        let known = self.io.slots.get(&key).copied();
        let list = which.of(&mut self.shader);
        let at = known.unwrap_or_else(|| {
            list.push(interface);
            list.len() as u32 - 1
        });
        if list[at as usize].ty != interface.ty {
            let what = if matches!(which, List::Inputs | List::PatchInputs) { "inputs" } else { "outputs" };
            return Err(Error::unsupported(format!("two {what} of different types at one location")));
        }
        self.io.slots.insert(key, at);
        Ok(at)
    }

    /// Returns a private copy of an input variable, made at the start of the shader, for dynamic indices.
    pub(super) fn input_copy(&mut self, input: u32) -> Result<Var> {
        if let Some(var) = self.io.inputs[input as usize].copy {
            return Ok(var);
        }
        let n = self.io.inputs[input as usize].leaves.len() as u32;
        let tys = self.io.inputs[input as usize].leaves.iter().map(|l| l.1.ty).collect();
        let var = self.new_var(tys, "input");
        for elem in 0..n {
            let (imm, ty) = self.input_imm(input, elem)?;
            let op = self.input_op(input, &imm);
            let v = match self.in_quads(&imm) {
                Some(v) => v,
                None => self.emit_first(op, &[], imm, &[ty])[0],
            };
            let want = self.io.inputs[input as usize].leaves[elem as usize].1.ty;
            let v = match narrowing(want) {
                Some(op) if ty != want => self.emit_first(op, &[v], Imm::None, &[want])[0],
                _ => v,
            };
            self.emit_first(Op::VarSet, &[v], Imm::Var { var, elem }, &[]);
        }
        self.io.inputs[input as usize].copy = Some(var);
        Ok(var)
    }

    // Outputs.

    fn output(&mut self, def: &Inst, pointee: u32) -> Result<Root> {
        let m = self.module;
        if self.shader.stage == Stage::TessellationControl {
            let patch = self.is_of_patch(def, pointee)?;
            return self.record(def, pointee, if patch { List::PatchOutputs } else { List::Outputs });
        }
        self.check_no_locations(def, true)?;
        if self.shader.stage == Stage::Mesh {
            let of_primitives = self.is_of_primitives(def, pointee)?;
            let list = if of_primitives { List::PrimitiveOutputs } else { List::Outputs };
            return self.record(def, pointee, list);
        }
        let leaves = self.interface_leaves(def, pointee, true)?;
        let n_groups = leaves.iter().map(|l| l.1 + 1).max().unwrap_or(0);
        let var = self.new_var(leaves.iter().map(|l| l.0.ty).collect(), m.name(def.id));
        let mut written = vec![m.initializer(def).is_some(); n_groups];
        for (interface, group) in &leaves {
            written[*group] |= self.is_captured(interface);
        }
        self.initialize_first(def, var)?;
        self.io.outputs.push(Output { var, leaves, written });
        Ok(Root::Output(self.io.outputs.len() as u32 - 1, var))
    }

    /// Marks outputs with initializers as written, even if no instruction uses them.
    pub(super) fn initialized_outputs(&mut self) -> Result<()> {
        let m = self.module;
        for &id in m.globals() {
            let Some(def) = m.def(id) else { continue };
            let output = matches!(m.ty(def.ty)?, Type::Pointer { class: StorageClass::Output, .. });
            if output && m.initializer(def).is_some() && self.io.interface.contains(&id) {
                let place = self.global(def)?;
                self.globals.insert(id, Val::Place(place));
            }
        }
        Ok(())
    }

    /// Marks the groups of `n` scalars of a place as written. A dynamic index marks the groups of every element that it
    /// can select.
    pub(super) fn mark_output(&mut self, output: u32, p: &Place, n: u32) {
        let output = &mut self.io.outputs[output as usize];
        let all = output.leaves.len() as u32;
        let (first, n) = (p.offset, n.max(1));
        let (end, step) = match p.dynamic.is_empty() {
            true => (first.saturating_add(n), n),
            false => (p.end, p.step_of_indices()),
        };
        for start in (first..end.min(all)).step_by(step as usize) {
            for leaf in start..start.saturating_add(n.min(step)).min(all) {
                output.written[output.leaves[leaf as usize].1] = true;
            }
        }
    }

    /// Converts an output to the type that passes between stages.
    pub(super) fn widen(&mut self, interface: &Interface, v: Value) -> Value {
        let signed = self.io.signed.contains(&interface.slot);
        match (interface.ty, outer(interface.ty)) {
            (from, to) if from == to => v,
            (Ty::F16, to) => self.op(Op::FConvert, to, &[v]),
            (Ty::Bool, to) => {
                let (one, zero) = (self.i32(1), self.i32(0));
                self.op(Op::Select, to, &[v, one, zero])
            }
            (_, to) if signed => self.op(Op::SConvert, to, &[v]),
            (_, to) => self.op(Op::UConvert, to, &[v]),
        }
    }

    /// Stores the written outputs, at the end of the entry point.
    pub(super) fn store_outputs(&mut self) {
        for o in std::mem::take(&mut self.io.outputs) {
            for (elem, (interface, group)) in o.leaves.iter().enumerate() {
                if !o.written[*group] {
                    continue;
                }
                let v = self.get_var(o.var, elem as u32, interface.ty);
                let v = self.widen(interface, v);
                let interface = Interface { ty: outer(interface.ty), ..*interface };
                let known = self.shader.outputs.iter().position(|i| i.slot == interface.slot);
                let at = known.unwrap_or_else(|| {
                    self.shader.outputs.push(interface);
                    self.shader.outputs.len() - 1
                });
                self.emit(Op::StoreOutput, &[v], Imm::Slot(at as u32), &[]);
            }
        }
    }
}
