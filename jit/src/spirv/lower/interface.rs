//! What a shader shares with the outside: inputs, outputs, built-ins, resources, push constants,
//! workgroup memory. Everything is added on first use, so only what is used statically appears.

use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{Decoration, StorageClass};

use super::place::{Owner, Place, Root};
use super::{Lower, MAX_BINDINGS, Val, Value};
use crate::error::{Error, Result};
use crate::ir::{
    self, Binding, BuiltIn, Imm, Interface, Interpolation, Node, Op, Region, ResourceKind, Sampling, Shader,
    Slot, Stage, Ty, Var,
};
use crate::spirv::module::{Deco, Inst, Module};
use crate::spirv::tables;
use crate::spirv::types::{MatrixLayout, Type, Units};

/// Interface state of a lowering.
#[derive(Default)]
pub struct Io {
    /// Ids that the entry point lists.
    pub(super) interface: FxHashSet<u32>,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
    slots: FxHashMap<Slot, u32>,
    /// Index of each binding.
    bindings: FxHashMap<(u32, u32, ResourceKind), usize>,
    /// Where the aliased workgroup blocks are.
    aliased: Option<u32>,
    /// Outputs that are signed integers.
    signed: FxHashSet<Slot>,
}

/// Type under which a scalar passes between stages: 16-bit ones as 32-bit ones.
fn outer(ty: Ty) -> Ty {
    match ty {
        Ty::F16 => Ty::F32,
        Ty::I8 | Ty::I16 => Ty::I32,
        ty => ty,
    }
}

/// How a scalar becomes narrow again.
pub(super) fn narrowing(ty: Ty) -> Option<Op> {
    match ty {
        Ty::F16 => Some(Op::FConvert),
        Ty::I8 | Ty::I16 => Some(Op::UConvert),
        _ => None,
    }
}

/// An input variable: what each of its leaves is.
struct Input {
    leaves: Vec<(Slot, Interface)>,
    copy: Option<Var>,
}

/// An output variable: a private variable and where its leaves go.
struct Output {
    var: Var,
    /// Interface scalar and group (member of a block) of each leaf.
    leaves: Vec<(Interface, usize)>,
    /// Groups that the shader writes.
    written: Vec<bool>,
}

/// Decorations that a variable or a block member passes on to its scalars.
#[derive(Clone, Copy, Default)]
struct Style {
    location: Option<u32>,
    component: u32,
    index: u32,
    builtin: Option<u32>,
    interpolation: Interpolation,
    sampling: Sampling,
}

impl Style {
    fn with(mut self, decos: &[Deco]) -> Style {
        for &(kind, arg) in decos {
            match kind {
                Decoration::Location => self.location = Some(arg),
                Decoration::Component => self.component = arg,
                Decoration::Index => self.index = arg,
                Decoration::BuiltIn => self.builtin = Some(arg),
                Decoration::Flat => self.interpolation = Interpolation::Flat,
                Decoration::NoPerspective => self.interpolation = Interpolation::Linear,
                Decoration::Centroid => self.sampling = Sampling::Centroid,
                Decoration::Sample => self.sampling = Sampling::Sample,
                _ => {}
            }
        }
        self
    }
}

/// Kind of a resource variable of the given class and type (arrays peeled off).
pub fn resource_kind(m: &Module, class: StorageClass, ty: u32) -> Result<ResourceKind> {
    let mut ty = ty;
    while let Type::Array { elem, .. } | Type::RuntimeArray { elem } = m.ty(ty)? {
        ty = *elem;
    }
    let texels =
        |sampled| if sampled { ResourceKind::UniformTexelBuffer } else { ResourceKind::StorageTexelBuffer };
    Ok(match (class, m.ty(ty)?) {
        (StorageClass::StorageBuffer, Type::Struct { .. }) => ResourceKind::StorageBuffer,
        (StorageClass::Uniform, Type::Struct { .. }) => {
            if m.deco(ty, Decoration::BufferBlock).is_some() {
                ResourceKind::StorageBuffer
            } else {
                ResourceKind::UniformBuffer
            }
        }
        (StorageClass::UniformConstant, Type::Sampler) => ResourceKind::Sampler,
        (StorageClass::UniformConstant, Type::SampledImage { image }) => match m.ty(*image)? {
            Type::Image(i) if i.dim == spirv::Dim::DimBuffer => texels(true),
            _ => ResourceKind::CombinedImageSampler,
        },
        (StorageClass::UniformConstant, Type::Image(i)) => match i.dim {
            spirv::Dim::DimSubpassData => ResourceKind::InputAttachment,
            spirv::Dim::DimBuffer => texels(i.sampled != 2),
            _ if i.sampled == 2 => ResourceKind::StorageImage,
            _ => ResourceKind::SampledImage,
        },
        _ => return Err(Error::unsupported(format!("a resource of type %{ty} in storage class {class:?}"))),
    })
}

impl Lower<'_> {
    /// Place of a module-scope variable.
    pub(super) fn global(&mut self, def: &Inst) -> Result<Place> {
        let m = self.m;
        let (class, pointee) = m.variable(def.id)?;
        let root = match class {
            StorageClass::Private => {
                let mut tys = Vec::new();
                self.t.leaf_types(pointee, &mut tys)?;
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
                return Ok(place);
            }
            StorageClass::PushConstant => {
                let size = self.t.explicit_size(pointee, MatrixLayout::default())?;
                self.sh.push_size = self.sh.push_size.max(size);
                let handle = self.handle(Op::PushConstants, None, 0);
                Root::Buffer { handle, owner: Owner::Push }
            }
            StorageClass::Uniform | StorageClass::StorageBuffer | StorageClass::UniformConstant => {
                Root::Binding(self.binding(def, class, pointee)?)
            }
            other => return Err(m.unsupported(def, format!("storage class {other:?}"))),
        };
        let mut place = Place::new(root, pointee);
        place.ordered = is_ordered(m.decos(def.id));
        Ok(place)
    }

    /// Sets a module-scope private variable from its initializer, before anything else.
    fn initialize_first(&mut self, def: &Inst, var: Var) -> Result<()> {
        let Some(init) = self.m.initializer(def) else { return Ok(()) };
        let bits = self.t.const_bits(init)?;
        let tys = self.sh.vars[var.0 as usize].elems.clone();
        if bits.len() != tys.len() {
            return Err(self.m.invalid(def, "initializer does not fit the variable"));
        }
        for (i, (&ty, &bits)) in tys.iter().zip(bits.iter()).enumerate() {
            if bits != 0 {
                let v = self.constant(ty, bits);
                self.emit_first(Op::VarSet, &[v], Imm::Var { var, elem: i as u32 }, &[]);
            }
        }
        Ok(())
    }

    fn workgroup(&mut self, def: &Inst, pointee: u32) -> Result<(u32, Units)> {
        let explicit = matches!(self.m.ty(pointee)?, Type::Struct { .. })
            && self.m.member_deco(pointee, 0, Decoration::Offset).is_some();
        let (size, units, base) = if explicit {
            let size = self.t.explicit_size(pointee, MatrixLayout::default())?;
            // Aliased blocks share their bytes.
            let base = match self.m.deco(def.id, Decoration::Aliased) {
                Some(_) => self.aliased_blocks()?,
                None => self.sh.shared_size.next_multiple_of(16),
            };
            (size, Units::Explicit, base)
        } else {
            let (size, align) = self.t.natural(pointee)?;
            (size, Units::Natural, self.sh.shared_size.next_multiple_of(align.max(4)))
        };
        let end = base.checked_add(size).filter(|&e| e <= MAX_SHARED);
        let Some(end) = end else {
            return Err(Error::Limit(format!("workgroup memory, at most {MAX_SHARED} bytes")));
        };
        self.sh.shared_size = self.sh.shared_size.max(end);
        if let Some(init) = self.m.initializer(def) {
            // Only OpConstantNull is allowed; workgroup memory is zero anyway.
            if self.t.const_bits(init)?.iter().any(|&b| b != 0) {
                return Err(self.m.invalid(def, "workgroup variables can only be initialized with null"));
            }
        }
        Ok((base, units))
    }

    /// Where the aliased workgroup blocks are; makes room for the largest.
    fn aliased_blocks(&mut self) -> Result<u32> {
        if let Some(base) = self.io.aliased {
            return Ok(base);
        }
        let base = self.sh.shared_size.next_multiple_of(16);
        let mut size = 0;
        for &id in self.m.globals() {
            let (class, pointee) = self.m.variable(id)?;
            if class == StorageClass::Workgroup && self.m.deco(id, Decoration::Aliased).is_some() {
                size = size.max(self.t.explicit_size(pointee, MatrixLayout::default())?);
            }
        }
        self.sh.shared_size = base
            .checked_add(size)
            .filter(|&end| end <= MAX_SHARED)
            .ok_or_else(|| Error::Limit(format!("workgroup memory, at most {MAX_SHARED} bytes")))?;
        self.io.aliased = Some(base);
        Ok(base)
    }

    fn binding(&mut self, def: &Inst, class: StorageClass, pointee: u32) -> Result<u32> {
        let m = self.m;
        let kind = resource_kind(m, class, pointee)?;
        let set = m.deco(def.id, Decoration::DescriptorSet);
        let binding = m.deco(def.id, Decoration::Binding);
        let (Some(set), Some(binding)) = (set, binding) else {
            return Err(m.invalid(def, "resource without DescriptorSet or Binding"));
        };
        let (mut ty, mut count) = (pointee, 1u32);
        loop {
            ty = match m.ty(ty)? {
                Type::Array { elem, .. } => {
                    let len = self.t.array_len(ty)?;
                    count = count.checked_mul(len).ok_or_else(|| Error::Limit("descriptor array".into()))?;
                    *elem
                }
                Type::RuntimeArray { elem } => {
                    count = 0;
                    *elem
                }
                Type::Struct { .. } => break,
                _ => break,
            };
        }
        let size = match m.ty(ty)? {
            Type::Struct { .. } => self.t.explicit_size(ty, MatrixLayout::default())?,
            _ => 0,
        };
        let name = match m.name(def.id) {
            "" => m.name(ty),
            name => name,
        };
        let known = self.io.bindings.get(&(set, binding, kind)).copied();
        Ok(match known {
            Some(at) => {
                let b = &mut self.sh.bindings[at];
                b.size = b.size.max(size);
                b.count = if b.count == 0 || count == 0 { 0 } else { b.count.max(count) };
                at as u32
            }
            None => {
                let name = name.to_owned();
                if self.sh.bindings.len() >= MAX_BINDINGS {
                    return Err(Error::Limit(format!("more than {MAX_BINDINGS} resource variables")));
                }
                self.io.bindings.insert((set, binding, kind), self.sh.bindings.len());
                self.sh.bindings.push(Binding { set, binding, kind, count, name, size, written: false });
                self.sh.bindings.len() as u32 - 1
            }
        })
    }

    /// A descriptor with a constant index, made once at the start.
    pub(super) fn handle(&mut self, op: Op, binding: Option<u32>, index: u32) -> Value {
        let (set, number) = match binding {
            Some(b) => (self.sh.bindings[b as usize].set, self.sh.bindings[b as usize].binding),
            None => (0, 0),
        };
        let key = (op, set, number, index);
        if let Some(&v) = self.handles.get(&key) {
            return v;
        }
        let v = match op {
            Op::PushConstants => self.emit_first(op, &[], Imm::None, &[Ty::Buffer])[0],
            _ => {
                let index = self.i32(index);
                let ty = if op == Op::ImageDescriptor { Ty::Image } else { Ty::Buffer };
                self.emit_first(op, &[index], Imm::Binding { set, binding: number }, &[ty])[0]
            }
        };
        self.handles.insert(key, v);
        v
    }

    // Inputs.

    fn input(&mut self, def: &Inst, pointee: u32) -> Result<Root> {
        let list = self.interface_leaves(def, pointee, false)?;
        let leaves = list.into_iter().map(|(i, _)| (i.slot, i)).collect();
        self.io.inputs.push(Input { leaves, copy: None });
        Ok(Root::Input(self.io.inputs.len() as u32 - 1))
    }

    /// A scalar of an input variable.
    pub(super) fn load_input(&mut self, input: u32, leaf: u32, ordered: bool) -> Result<Value> {
        let (imm, ty) = self.input_imm(input, leaf)?;
        if ordered && matches!(imm, Imm::BuiltIn(BuiltIn::HelperInvocation, _)) {
            // Volatile: what the invocation is now, not what it was at the start.
            return Ok(self.emit(Op::IsHelper, &[], Imm::None, &[ty])[0]);
        }
        if let Some(v) = self.in_quads(&imm) {
            return Ok(v);
        }
        let op = if matches!(imm, Imm::Slot(_)) { Op::LoadInput } else { Op::BuiltIn };
        let v = self.emit(op, &[], imm, &[ty])[0];
        let want = self.io.inputs[input as usize].leaves[leaf as usize].1.ty;
        Ok(match narrowing(want) {
            Some(op) if ty != want => self.op(op, want, &[v]),
            _ => v,
        })
    }

    /// Sample shading is asked for by built-ins in the interface of a fragment shader, used or not.
    /// Spec: Vulkan, "Sample Shading" (primsrast-sampleshading).
    pub(super) fn note_sample_shading(&mut self) {
        let samples = [spirv::BuiltIn::SampleId, spirv::BuiltIn::SamplePosition].map(|b| b as u32);
        let asks = |id: &u32| {
            let number = self.m.deco(*id, Decoration::BuiltIn);
            number.is_some_and(|n| samples.contains(&n))
        };
        self.sh.sample_shading = self.sh.stage == Stage::Fragment && self.io.interface.iter().any(asks);
    }

    /// Interface index and type of a scalar of an input variable; `None` for built-ins.
    pub(super) fn input_slot(&mut self, input: u32, leaf: u32) -> Result<Option<(u32, Ty)>> {
        Ok(match self.input_imm(input, leaf)? {
            (Imm::Slot(slot), ty) => Some((slot, ty)),
            _ => None,
        })
    }

    /// Number of scalars of an input variable.
    pub(super) fn input_leaves(&self, input: u32) -> u32 {
        self.io.inputs[input as usize].leaves.len() as u32
    }

    fn input_imm(&mut self, input: u32, leaf: u32) -> Result<(Imm, Ty)> {
        let Some(&(slot, interface)) = self.io.inputs[input as usize].leaves.get(leaf as usize) else {
            return Err(Error::invalid("input index out of range"));
        };
        Ok(match slot {
            Slot::BuiltIn(b, component) if !b.is_interpolated() => {
                if b >= BuiltIn::SubgroupSize {
                    self.sh.observes_subgroup = true;
                }
                self.sh.sample_shading |= matches!(b, BuiltIn::SampleId | BuiltIn::SamplePosition);
                (Imm::BuiltIn(b, component), interface.ty)
            }
            _ => {
                let interface = Interface { ty: outer(interface.ty), ..interface };
                let known = self.io.slots.get(&slot).copied();
                let at = known.unwrap_or_else(|| {
                    self.sh.inputs.push(interface);
                    self.sh.inputs.len() as u32 - 1
                });
                if self.sh.inputs[at as usize].ty != interface.ty {
                    return Err(Error::unsupported("two inputs of different types at one location"));
                }
                self.io.slots.insert(slot, at);
                self.sh.sample_shading |= interface.sampling == Sampling::Sample;
                self.sh.centroid |= interface.sampling == Sampling::Centroid;
                (Imm::Slot(at), interface.ty)
            }
        })
    }

    /// A private copy of an input variable, made at the start, for dynamic indices.
    pub(super) fn input_copy(&mut self, input: u32) -> Result<Var> {
        if let Some(var) = self.io.inputs[input as usize].copy {
            return Ok(var);
        }
        let n = self.io.inputs[input as usize].leaves.len() as u32;
        let tys = self.io.inputs[input as usize].leaves.iter().map(|l| l.1.ty).collect();
        let var = self.new_var(tys, "input");
        for elem in 0..n {
            let (imm, ty) = self.input_imm(input, elem)?;
            let op = if matches!(imm, Imm::Slot(_)) { Op::LoadInput } else { Op::BuiltIn };
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
        let m = self.m;
        let leaves = self.interface_leaves(def, pointee, true)?;
        let n_groups = leaves.iter().map(|l| l.1 + 1).max().unwrap_or(0);
        let var = self.new_var(leaves.iter().map(|l| l.0.ty).collect(), m.name(def.id));
        let initialized = m.initializer(def).is_some();
        self.initialize_first(def, var)?;
        self.io.outputs.push(Output { var, leaves, written: vec![initialized; n_groups] });
        Ok(Root::Output(self.io.outputs.len() as u32 - 1, var))
    }

    /// Outputs with initializers count as written even if no instruction names them.
    pub(super) fn initialized_outputs(&mut self) -> Result<()> {
        let m = self.m;
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

    /// Notes that the group of a leaf is written.
    pub(super) fn mark_output(&mut self, output: u32, leaf: u32, n: u32) {
        let output = &mut self.io.outputs[output as usize];
        for leaf in leaf..leaf.saturating_add(n.max(1)).min(output.leaves.len() as u32) {
            let group = output.leaves[leaf as usize].1;
            output.written[group] = true;
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
                let signed = self.io.signed.contains(&interface.slot);
                let (interface, v) = match (interface.ty, outer(interface.ty)) {
                    (from, to) if from == to => (*interface, v),
                    (from, to) => {
                        let op = match from {
                            Ty::F16 => Op::FConvert,
                            _ if signed => Op::SConvert,
                            _ => Op::UConvert,
                        };
                        (Interface { ty: to, ..*interface }, self.op(op, to, &[v]))
                    }
                };
                let known = self.sh.outputs.iter().position(|i| i.slot == interface.slot);
                let at = known.unwrap_or_else(|| {
                    self.sh.outputs.push(interface);
                    self.sh.outputs.len() - 1
                });
                self.emit(Op::StoreOutput, &[v], Imm::Slot(at as u32), &[]);
            }
        }
    }

    /// Interface scalar and group of each leaf of an interface variable.
    fn interface_leaves(
        &mut self,
        def: &Inst,
        pointee: u32,
        output: bool,
    ) -> Result<Vec<(Interface, usize)>> {
        let m = self.m;
        let style = Style::default().with(m.decos(def.id));
        let mut out = Vec::new();
        self.t.leaves(pointee)?;
        match m.ty(pointee)? {
            Type::Struct { members } if m.deco(pointee, Decoration::Block).is_some() => {
                let mut location = style.location;
                for (i, &member) in members.iter().enumerate() {
                    let mut style = Style { location, ..style }.with(m.member_decos(pointee, i as u32));
                    if style.builtin.is_some() {
                        style.location = None;
                    }
                    let used = self.assign(member, style, output, i, &mut out)?;
                    location = style.location.map(|l| l + used).or(location);
                }
            }
            _ => {
                self.assign(pointee, style, output, 0, &mut out)?;
            }
        }
        Ok(out)
    }

    /// Assigns slots to the leaves of a type; returns the number of locations it takes.
    fn assign(
        &mut self,
        ty: u32,
        style: Style,
        output: bool,
        group: usize,
        out: &mut Vec<(Interface, usize)>,
    ) -> Result<u32> {
        let m = self.m;
        let mut tys = Vec::new();
        if let Some(number) = style.builtin {
            let b = tables::builtin(number)?;
            self.check_builtin(b, output)?;
            self.t.leaf_types(ty, &mut tys)?;
            let (want, most) = b.shape();
            if tys.len() > most as usize || tys.iter().any(|&t| t != want) {
                return Err(Error::invalid(format!("built-in {b:?} is {most} x {want}, not {tys:?}")));
            }
            for (i, &ty) in tys.iter().enumerate() {
                let slot = Slot::BuiltIn(b, i as u32);
                out.push((
                    Interface { slot, ty, interpolation: b.interpolation(), sampling: Sampling::default() },
                    group,
                ));
            }
            return Ok(0);
        }
        let Some(location) = style.location else {
            return Err(Error::invalid("interface variable without Location or BuiltIn"));
        };
        if location > MAX_LOCATION || out.len() > 4 * MAX_LOCATION as usize {
            return Err(Error::Limit(format!("location {location}, at most {MAX_LOCATION}")));
        }
        match m.ty(ty)? {
            Type::Matrix { column, columns, .. } => {
                let mut used = 0;
                for _ in 0..*columns {
                    let style = Style { location: Some(location + used), ..style };
                    used += self.assign(*column, style, output, group, out)?;
                }
                Ok(used)
            }
            Type::Array { elem, .. } => {
                let mut used = 0;
                for _ in 0..self.t.array_len(ty)? {
                    let style = Style { location: Some(location + used), ..style };
                    used += self.assign(*elem, style, output, group, out)?;
                    self.work(1)?;
                }
                Ok(used)
            }
            Type::Struct { members } => {
                let mut used = 0;
                for (i, &member) in members.iter().enumerate() {
                    let style = Style { location: Some(location + used), ..style };
                    let style = style.with(m.member_decos(ty, i as u32));
                    used += self.assign(member, style, output, group, out)?;
                    self.work(1)?;
                }
                Ok(used)
            }
            _ => {
                self.t.leaf_types(ty, &mut tys)?;
                let words = if tys.first().is_some_and(|t| t.bytes() == 8) { 2 } else { 1 };
                let signed = self.t.is_signed(ty);
                for (i, &ty) in tys.iter().enumerate() {
                    if !(ty.is_float() || ty.is_int()) {
                        return Err(Error::invalid("interface variables hold numbers only"));
                    }
                    let at = style.component + i as u32 * words;
                    let slot =
                        Slot::Location { location: location + at / 4, component: at % 4, index: style.index };
                    let fragment_input = self.sh.stage == Stage::Fragment && !output;
                    let (interpolation, sampling) = match fragment_input {
                        // Numbers that cannot be interpolated are flat whatever the module says.
                        true if ty.is_int() || ty == Ty::F64 => (Interpolation::Flat, Sampling::Center),
                        true => (style.interpolation, style.sampling),
                        false => Default::default(),
                    };
                    if signed {
                        self.io.signed.insert(slot);
                    }
                    out.push((Interface { slot, ty, interpolation, sampling }, group));
                }
                Ok((style.component + tys.len() as u32 * words).div_ceil(4).max(1))
            }
        }
    }

    /// Rejects built-ins in stages or directions that do not have them.
    fn check_builtin(&self, b: BuiltIn, output: bool) -> Result<()> {
        use BuiltIn as B;
        let subgroup = b >= B::SubgroupSize;
        let fits = match (self.sh.stage, output) {
            (Stage::Vertex, true) => matches!(
                b,
                B::Position | B::PointSize | B::ClipDistance | B::CullDistance | B::Layer | B::ViewportIndex
            ),
            (Stage::Vertex, false) => b <= B::ViewIndex || b == B::DeviceIndex || subgroup,
            (Stage::Fragment, true) => matches!(b, B::FragDepth | B::SampleMask | B::FragStencilRef),
            (Stage::Fragment, false) => {
                (b >= B::ViewIndex && b <= B::DeviceIndex)
                    || matches!(b, B::ClipDistance | B::CullDistance)
                    || (b >= B::FragCoord && b <= B::HelperInvocation && b != B::FragDepth)
                    || subgroup
            }
            (Stage::Compute, false) => {
                (b >= B::NumWorkgroups && b <= B::LocalInvocationIndex) || subgroup || b == B::DeviceIndex
            }
            _ => false,
        };
        if fits
            && !(subgroup && self.sh.stage != Stage::Compute && matches!(b, B::SubgroupId | B::NumSubgroups))
        {
            Ok(())
        } else {
            let direction = if output { "output" } else { "input" };
            Err(Error::invalid(format!("built-in {b:?} is no {direction} of {:?} shaders", self.sh.stage)))
        }
    }
}

/// Largest location of an interface variable.
pub const MAX_LOCATION: u32 = 255;

/// Most bytes of workgroup memory.
pub const MAX_SHARED: u32 = 64 * 1024;

/// Volatile or Coherent.
pub(super) fn is_ordered(decos: &[Deco]) -> bool {
    decos.iter().any(|d| matches!(d.0, Decoration::Volatile | Decoration::Coherent))
}

/// Order of interface scalars in [`Shader::inputs`] and [`Shader::outputs`]: the words of Position,
/// then other built-ins by [`BuiltIn`] and component, then locations by location, component, index.
pub fn canonical_order(a: &Interface, b: &Interface) -> std::cmp::Ordering {
    let rank = |i: &Interface| match i.slot {
        Slot::BuiltIn(BuiltIn::Position, _) => 0,
        Slot::BuiltIn(..) => 1,
        Slot::Location { .. } => 2,
    };
    rank(a).cmp(&rank(b)).then(a.slot.cmp(&b.slot))
}

/// Puts inputs and outputs into canonical order and renumbers their uses.
pub(super) fn sort(sh: &mut Shader) {
    fn order(list: &mut Vec<Interface>) -> Vec<u32> {
        let mut by: Vec<u32> = (0..list.len() as u32).collect();
        by.sort_by(|&a, &b| canonical_order(&list[a as usize], &list[b as usize]));
        *list = by.iter().map(|&i| list[i as usize]).collect();
        let mut new = vec![0; by.len()];
        for (at, &old) in by.iter().enumerate() {
            new[old as usize] = at as u32;
        }
        new
    }
    fn renumber(region: &mut Region, inputs: &[u32], outputs: &[u32]) {
        for node in &mut region.nodes {
            match node {
                Node::Inst(inst) => match (&mut inst.imm, inst.op) {
                    (Imm::Slot(at), Op::LoadInput) => *at = inputs[*at as usize],
                    (Imm::Slot(at), Op::StoreOutput) => *at = outputs[*at as usize],
                    (Imm::Interp(at, _), _) => *at = inputs[*at as usize],
                    _ => {}
                },
                Node::If(node) => {
                    renumber(&mut node.then, inputs, outputs);
                    renumber(&mut node.els, inputs, outputs);
                }
                Node::Block(node) => renumber(&mut node.body, inputs, outputs),
                Node::Loop(node) => renumber(&mut node.body, inputs, outputs),
            }
        }
    }
    let inputs = order(&mut sh.inputs);
    let outputs = order(&mut sh.outputs);
    renumber(&mut sh.body, &inputs, &outputs);
    sh.bindings.sort_by_key(|b| (b.set, b.binding, b.kind as u32));
    debug_assert!(sh.body.end == ir::End::Return);
}
