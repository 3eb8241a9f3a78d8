//! Debug information of an entry point, collected during lowering, and only on request.
//!
//! Only lowering knows the inlined call of each instruction, and the places and scalars behind each id.

use rustc_hash::FxHashMap;
use spirv::StorageClass;

use super::place::{Owner, Place, Root};
use super::{Lower, Val};
use crate::error::Result;
use crate::ir::debug::{
    self, Class, Debug, Function, Home, Member, PointerMemory, Space, TypeKind, Variable,
};
use crate::ir::{self, Imm, Slot, Src, Var};
use crate::spirv::debug::Sources;
use crate::spirv::kernel;
use crate::spirv::module::{self, Inst, Module};
use crate::spirv::sizes::Types;
use crate::spirv::types::{MatrixLayout, Type, Units};

/// Maximum number of variables that are described.
const MAX_VARIABLES: usize = 1 << 16;
/// Maximum number of types that are described, which bounds nested structures with many layouts.
const MAX_TYPES: usize = 1 << 16;

/// Debug information under construction.
pub(super) struct Collect {
    info: Debug,
    sources: Sources,
    types: FxHashMap<(u32, Units, MatrixLayout, u32), u32>,
    /// Arrays of unknown length, by element and stride.
    arrays: FxHashMap<(u32, u32), u32>,
    /// Functions by id of the OpFunction or DebugFunction.
    functions: FxHashMap<u32, u32>,
    /// The inlined call that is being lowered.
    call: u32,
    /// Calls that DebugInlinedAt describes, by enclosing call, scope and DebugInlinedAt.
    inlined: FxHashMap<(u32, u32, u32), u32>,
    /// Word offset and call of the last place, and the place itself.
    last: (u32, u32, u32),
}

impl Collect {
    pub fn new(m: &Module, entry: u32) -> Collect {
        let (places, words) = (vec![debug::Place::default()], m.words().to_vec());
        let mut info = Debug { places, words, wgsl: m.is_wgsl(), ..Debug::default() };
        let mut sources = Sources::of(m);
        info.files = std::mem::take(&mut sources.files);
        let mut collect = Collect {
            info,
            sources,
            types: FxHashMap::default(),
            arrays: FxHashMap::default(),
            functions: FxHashMap::default(),
            call: 0,
            inlined: FxHashMap::default(),
            last: (0, 0, 0),
        };
        let function = collect.function(m, entry);
        collect.info.calls.push(debug::Call { function, from: None });
        collect
    }

    /// Returns the function with the given OpFunction id, and adds it if necessary.
    fn function(&mut self, m: &Module, id: u32) -> u32 {
        if let Some(&known) = self.functions.get(&id) {
            return known;
        }
        let described = self.sources.functions.get(&id).and_then(|&f| Sources::function(m, f));
        let (name, line) = described.unwrap_or_else(|| {
            // glslang appends the types of parameters.
            let name = m.name(id).split('(').next().unwrap_or_default();
            // Compilers of OpenCL C name only the entry point.
            let entry = || m.entry_points().iter().find(|e| e.function == id).map_or("", |e| &e.name);
            let name = if name.is_empty() { entry() } else { name };
            (name.to_owned(), m.def(id).map_or(0, |d| d.line))
        });
        self.add_function(id, name, line)
    }

    fn add_function(&mut self, id: u32, name: String, line: u32) -> u32 {
        self.info.functions.push(Function { name, line });
        let at = self.info.functions.len() as u32 - 1;
        self.functions.insert(id, at);
        at
    }

    /// Line of a source location; 0 if it has none.
    pub(super) fn line(&self, src: Src) -> u32 {
        self.info.place(src).map_or(0, |p| p.line)
    }

    /// Returns the place of an instruction, and adds it if necessary.
    fn place(&mut self, m: &Module, inst: &Inst) -> u32 {
        let (word, call, known) = self.last;
        if known != 0 && word == inst.at && call == self.call {
            return known;
        }
        let at = self.sources.at(inst);
        let inner = if at.inlined == 0 { self.call } else { self.inlined_call(m, at.scope, at.inlined) };
        self.info.places.push(debug::Place {
            file: at.file,
            line: if at.line != 0 { at.line } else { inst.line },
            column: at.column,
            call: inner,
            word: inst.at,
        });
        self.last = (inst.at, self.call, self.info.places.len() as u32 - 1);
        self.last.2
    }

    /// Returns the call that the module's compiler inlined, and adds it with its callers if necessary.
    fn inlined_call(&mut self, m: &Module, scope: u32, inlined: u32) -> u32 {
        let key = (self.call, scope, inlined);
        if let Some(&known) = self.inlined.get(&key) {
            return known;
        }
        let chain = Sources::inlined(m, inlined);
        let mut call = self.call;
        for (i, &(line, _)) in chain.iter().enumerate().rev() {
            let scope = if i == 0 { scope } else { chain[i - 1].1 };
            let Some(of) = Sources::function_of_scope(m, scope) else { continue };
            let function = self.functions.get(&of).copied().unwrap_or_else(|| {
                let (name, line) = Sources::function(m, of).unwrap_or_default();
                self.add_function(of, name, line)
            });
            let caller = debug::Place { line, call, ..debug::Place::default() };
            self.info.places.push(caller);
            let from = Some((call, self.info.places.len() as u32 - 1));
            self.info.calls.push(debug::Call { function, from });
            call = self.info.calls.len() as u32 - 1;
        }
        self.inlined.insert(key, call);
        call
    }

    /// Declaration of a module-scope variable.
    fn declared(&self, m: &Module, id: u32) -> debug::Place {
        let Some(def) = m.def(id) else { return debug::Place::default() };
        let at = match self.sources.globals.get(&id) {
            Some((_, at)) if at.line != 0 => *at,
            _ => self.sources.at(def),
        };
        debug::Place { file: at.file, line: at.line, column: at.column, call: 0, word: def.at }
    }

    /// A type with the distances of `units`; the components of a vector are `step` apart, unless that is 0.
    fn ty(
        &mut self,
        t: &mut Types<'_>,
        ty: u32,
        units: Units,
        matrix: MatrixLayout,
        step: u32,
    ) -> Result<u32> {
        let key = (ty, units, matrix, step);
        if let Some(&known) = self.types.get(&key) {
            return Ok(known);
        }
        let (kind, extent) = self.kind(t, ty, units, matrix, step)?;
        if self.info.types.len() >= MAX_TYPES {
            return Err(too_many_types());
        }
        self.info.types.push(debug::Type { kind, extent });
        let at = self.info.types.len() as u32 - 1;
        self.types.insert(key, at);
        Ok(at)
    }

    /// The kind and the extent of a type, as of [`Collect::ty`].
    fn kind(
        &mut self,
        t: &mut Types<'_>,
        ty: u32,
        units: Units,
        matrix: MatrixLayout,
        step: u32,
    ) -> Result<(TypeKind, u32)> {
        let m = t.module;
        Ok(match m.ty(ty)? {
            Type::Vector { elem, .. } => {
                let n = t.leaves(ty)?;
                let tight = match (units, t.scalar(*elem)?) {
                    (Units::Leaves, _) => 1,
                    (_, ir::Ty::Bool) => 4,
                    (_, ty) => ty.bytes(),
                };
                let stride = if step == 0 { tight } else { step };
                let elem = self.ty(t, *elem, units, matrix, 0)?;
                let extent = stride.saturating_mul(n - 1).saturating_add(tight);
                (TypeKind::Vector { elem, n, stride }, extent)
            }
            Type::Matrix { column, columns, .. } => {
                let (stride, rows) = t.matrix_strides(ty, units, matrix)?;
                let column = self.ty(t, *column, units, matrix, rows)?;
                let extent = stride.saturating_mul(*columns - 1).saturating_add(self.extent(column));
                (TypeKind::Matrix { column, n: *columns, stride }, extent)
            }
            // The scalars of the invocation.
            Type::CooperativeMatrix(_) => {
                let shape = t.cooperative(ty)?;
                let elem = self.ty(t, shape.elem_id, units, MatrixLayout::default(), 0)?;
                let matrix = Some(shape.name(&self.info.type_name(elem)));
                let n = shape.scalars;
                (TypeKind::Array { elem, n, stride: 1, matrix }, n)
            }
            Type::Array { elem, .. } | Type::RuntimeArray { elem } => {
                let n = t.array_len(ty)?;
                let stride = t.array_stride(ty, units)?;
                let elem = self.ty(t, *elem, units, matrix, 0)?;
                let extent = stride.saturating_mul(n.saturating_sub(1)).saturating_add(self.extent(elem));
                let kind = TypeKind::Array { elem, n, stride, matrix: None };
                (kind, if n == 0 { 0 } else { extent })
            }
            Type::Struct { members } => self.structure(t, ty, members, units, matrix)?,
            Type::Bool => (plain(ir::Ty::Bool, false), self.unit(units, 4)),
            Type::Int { bits, signed } => (plain(t.scalar(ty)?, *signed), self.unit(units, bits / 8)),
            Type::Float { bits } => (plain(t.scalar(ty)?, true), self.unit(units, bits / 8)),
            Type::SmallFloat(small) => {
                let encoding = Some(small.name());
                let kind = TypeKind::Scalar { ty: small.held(), signed: true, encoding };
                (kind, self.unit(units, small.held().bytes()))
            }
            other => {
                let name = opaque_name(other);
                let extent = if units == Units::Leaves { t.leaves(ty)? } else { 8 };
                (TypeKind::Opaque(name.to_owned()), extent)
            }
        })
    }

    fn structure(
        &mut self,
        t: &mut Types<'_>,
        ty: u32,
        members: &[u32],
        units: Units,
        matrix: MatrixLayout,
    ) -> Result<(TypeKind, u32)> {
        let m = t.module;
        let (mut list, mut extent) = (Vec::new(), 0u32);
        for (i, &member) in members.iter().enumerate() {
            let i = i as u32;
            let offset = t.member_offset(ty, i, units)?;
            let matrix = match t.member_matrix(ty, i) {
                layout if layout == MatrixLayout::default() || units != Units::Explicit => matrix,
                layout => layout,
            };
            let inner = self.ty(t, member, units, matrix, 0)?;
            extent = extent.max(offset.saturating_add(self.extent(inner)));
            list.push(Member { name: m.member_name(ty, i).to_owned(), ty: inner, offset });
        }
        Ok((TypeKind::Struct { name: m.name(ty).to_owned(), members: list }, extent))
    }

    /// The type of an array of unknown length.
    fn elements(&mut self, elem: u32, stride: u32) -> Result<u32> {
        if let Some(&known) = self.arrays.get(&(elem, stride)) {
            return Ok(known);
        }
        if self.info.types.len() >= MAX_TYPES {
            return Err(too_many_types());
        }
        let kind = TypeKind::Array { elem, n: 0, stride, matrix: None };
        self.info.types.push(debug::Type { kind, extent: 0 });
        let at = self.info.types.len() as u32 - 1;
        self.arrays.insert((elem, stride), at);
        Ok(at)
    }

    fn unit(&self, units: Units, bytes: u32) -> u32 {
        if units == Units::Leaves { 1 } else { bytes }
    }

    fn extent(&self, ty: u32) -> u32 {
        self.info.types.get(ty as usize).map_or(0, |t| t.extent)
    }
}

/// A scalar with an encoding that the IR has.
fn plain(ty: ir::Ty, signed: bool) -> TypeKind {
    TypeKind::Scalar { ty, signed, encoding: None }
}

/// Name of a type whose values are not shown.
fn opaque_name(ty: &Type) -> &'static str {
    match ty {
        Type::Pointer { .. } | Type::Address { .. } => "pointer",
        Type::Image(_) => "image",
        Type::Sampler => "sampler",
        Type::SampledImage { .. } => "sampled image",
        Type::TensorLayout { .. } => "tensor layout",
        Type::TensorView { .. } => "tensor view",
        _ => "?",
    }
}

fn too_many_types() -> crate::Error {
    crate::Error::Limit(format!("more than {MAX_TYPES} types in debug information"))
}

/// Location of the value at a place; indices that are missing count as constant.
fn home(p: &Place, bindings: &[ir::Binding], private: Option<Var>) -> Home {
    if let (Some(memory), true) = (pointer_memory(p, private), p.dynamic.is_empty()) {
        let base = if let Root::Address(base) = p.root { Some(base) } else { None };
        let parts = base.into_iter().chain(p.wide).collect();
        return Home::Pointer { memory, parts, offset: p.offset };
    }
    let wide = p.wide.filter(|_| matches!(p.root, Root::Buffer { .. })).map(|wide| (wide, 1));
    let indices = p.dynamic.iter().copied().chain(wide).collect::<Vec<_>>();
    let memory = |space| Home::Memory { space, offset: p.offset, indices: indices.clone(), array: false };
    match &p.root {
        Root::Var(var) | Root::Output(_, var) => Home::Var { var: *var, elem: p.offset, indices },
        Root::Shared(_) => memory(Space::Shared),
        Root::Payload { .. } | Root::Buffer { owner: Owner::Payload, .. } => memory(Space::Payload),
        Root::Buffer { owner: Owner::Push, .. } => memory(Space::Push),
        Root::Buffer { owner: Owner::Binding(b), .. } => {
            let b = &bindings[*b as usize];
            memory(Space::Binding { set: b.set, binding: b.binding })
        }
        Root::Binding(b) => {
            let b = &bindings[*b as usize];
            let space = Space::Binding { set: b.set, binding: b.binding };
            Home::Memory { space, offset: 0, indices, array: b.count != 1 }
        }
        Root::Input(_) if p.offset == 0 && p.dynamic.is_empty() => Home::Inputs,
        _ => Home::Elsewhere,
    }
}

/// Memory of a kernel that a place is in. Workgroup memory without a dynamic offset is memory as in shaders.
fn pointer_memory(p: &Place, private: Option<Var>) -> Option<PointerMemory> {
    match p.root {
        Root::Address(_) => Some(PointerMemory::Device),
        Root::Shared(_) if p.wide.is_some() => Some(PointerMemory::Workgroup),
        Root::Private => private.map(PointerMemory::Private),
        _ => None,
    }
}

impl<'m> Lower<'m> {
    /// Returns the source location of an instruction.
    pub(super) fn origin(&mut self, inst: &Inst) -> Src {
        let place = match &mut self.debug {
            Some(debug) => debug.place(self.module, inst),
            None => 0,
        };
        Src { id: inst.id, line: inst.line, place }
    }

    /// Enters a function, called from the current instruction. Returns the argument for [`Lower::debug_leave`].
    pub(super) fn debug_enter(&mut self, function: u32) -> u32 {
        let (m, from) = (self.module, self.src.place);
        let Some(debug) = &mut self.debug else { return 0 };
        let before = debug.call;
        // The call of the entry point exists from the start.
        if self.frames.len() > 1 {
            let function = debug.function(m, function);
            let caller = debug.info.places.get(from as usize).map_or(before, |p| p.call);
            debug.info.calls.push(debug::Call { function, from: Some((caller, from)) });
            debug.call = debug.info.calls.len() as u32 - 1;
        }
        before
    }

    /// Describes the parameters of the function that was just entered.
    pub(super) fn debug_parameters(&mut self, function: &module::Function) {
        let Some(call) = self.debug.as_ref().map(|d| d.call) else { return };
        for &(id, _) in &function.params {
            if let Ok(val) = self.val(id) {
                self.debug_named(id, &val, Class::Parameter, call);
            }
        }
    }

    /// Leaves the function that was entered.
    pub(super) fn debug_leave(&mut self, before: u32) {
        if let Some(debug) = &mut self.debug {
            debug.call = before;
        }
    }

    /// Describes an id that a function binds, if it has a name: it is a variable or value of the source.
    pub(super) fn debug_bind(&mut self, id: u32, val: &Val) {
        let call = self.call_of_place();
        self.debug_named(id, val, Class::Local, call);
    }

    fn debug_named(&mut self, id: u32, val: &Val, class: Class, call: u32) {
        let name = self.module.name(id);
        if self.debug.is_some() && !name.is_empty() {
            // Variables that cannot be described are left out.
            let _ = self.describe(id, name.to_owned(), val, class, call);
        }
    }

    /// Describes the variable of a DebugDeclare or DebugValue.
    pub(super) fn debug_inst(&mut self, inst: &Inst) {
        if self.debug.is_none() {
            return;
        }
        let Some(local) = Sources::local(self.module, inst) else { return };
        self.src = self.origin(inst);
        let class = if local.is_parameter { Class::Parameter } else { Class::Local };
        if let Ok(val) = self.val(local.id) {
            let call = self.call_of_place();
            let _ = self.describe(local.id, local.name, &val, class, call);
        }
    }

    /// Describes a module-scope variable.
    pub(super) fn debug_global(&mut self, def: &Inst, class: StorageClass, place: &Place) {
        let Some(debug) = &self.debug else { return };
        let name = match debug.sources.globals.get(&def.id) {
            Some((name, _)) => name.clone(),
            None => self.module.name(def.id).to_owned(),
        };
        let class = match class {
            StorageClass::Private
            | StorageClass::RayPayloadKHR
            | StorageClass::IncomingRayPayloadKHR
            | StorageClass::CallableDataKHR
            | StorageClass::IncomingCallableDataKHR
            | StorageClass::HitAttributeKHR
            | StorageClass::HitObjectAttributeEXT => Class::Private,
            StorageClass::Input => Class::Input,
            StorageClass::Output => Class::Output,
            StorageClass::PushConstant => Class::PushConstant,
            StorageClass::Workgroup => Class::Workgroup,
            _ => Class::Resource,
        };
        let _ = self.describe(def.id, name, &Val::Place(place.clone()), class, 0);
    }

    /// The call of the current instruction.
    fn call_of_place(&self) -> u32 {
        let places = self.debug.as_ref().map(|debug| &debug.info.places);
        places.and_then(|p| p.get(self.src.place as usize)).map_or(0, |p| p.call)
    }

    /// Adds a variable to the description.
    fn describe(&mut self, id: u32, name: String, val: &Val, class: Class, call: u32) -> Result<()> {
        let slots = match val {
            Val::Place(Place { root: Root::Input(input), .. }) => self.input_slots(*input),
            Val::Place(Place { root: Root::Output(output, _), .. }) => self.output_slots(*output),
            Val::Place(Place { root: Root::Record(record), .. }) => self.record_slots(*record),
            _ => Vec::new(),
        };
        let (m, private) = (self.module, self.private_words());
        // The elements that a parameter points to, whose number is unknown.
        let pointer = if class == Class::Parameter { self.debug_pointer(id, val)? } else { None };
        let bindings = &self.shader.bindings;
        let Some(debug) = &mut self.debug else { return Ok(()) };
        if debug.info.variables.len() >= MAX_VARIABLES {
            return Ok(());
        }
        let (ty, home) = match (pointer, val) {
            (Some((pointee, stride, home)), _) => {
                let elem = debug.ty(&mut self.types, pointee, Units::Natural, MatrixLayout::default(), 0)?;
                (debug.elements(elem, stride)?, home)
            }
            (None, Val::Scalars(values)) => {
                let ty =
                    debug.ty(&mut self.types, m.type_of(id)?, Units::Leaves, MatrixLayout::default(), 0)?;
                (ty, Home::Values(values.to_vec()))
            }
            (None, Val::Place(p) | Val::Memory(p)) => {
                let (mut inner, mut units) = (p.ty, p.units());
                let home = home(p, bindings, private);
                if let Root::Binding(_) = p.root {
                    // The elements of a descriptor array are blocks.
                    while let Type::Array { elem, .. } | Type::RuntimeArray { elem } = m.ty(inner)? {
                        inner = *elem;
                    }
                    units = if matches!(m.ty(inner)?, Type::Struct { .. }) { Units::Explicit } else { units };
                }
                (debug.ty(&mut self.types, inner, units, p.matrix, p.step)?, home)
            }
        };
        let of_module = !matches!(class, Class::Local | Class::Parameter);
        let declared = if of_module { debug.declared(m, id) } else { debug::Place::default() };
        let artificial = matches!(class, Class::Local) && matches!(&name[..], "param" | "indexable");
        debug.info.variables.push(Variable {
            name,
            class,
            ty,
            call: if of_module { None } else { Some(call) },
            from: if of_module { 0 } else { self.src.place },
            home,
            slots,
            declared,
            artificial,
        });
        Ok(())
    }

    /// A parameter of a kernel that is a pointer: type of the elements, their distance, and the location of the first.
    fn debug_pointer(&mut self, id: u32, val: &Val) -> Result<Option<(u32, u32, Home)>> {
        let (m, private) = (self.module, self.private_words());
        let &Type::Address { class, pointee } = m.ty(m.type_of(id)?)? else { return Ok(None) };
        if kernel::is_by_value(m, id) {
            return Ok(None);
        }
        let home = match (val, class, private) {
            (Val::Place(p), ..) if p.ty == pointee => home(p, &self.shader.bindings, private),
            (Val::Scalars(pointer), class, private) => {
                let memory = match (class, private) {
                    (StorageClass::CrossWorkgroup | StorageClass::UniformConstant, _) => {
                        PointerMemory::Device
                    }
                    (StorageClass::Workgroup, _) => PointerMemory::Workgroup,
                    (StorageClass::Function, Some(var)) => PointerMemory::Private(var),
                    _ => return Ok(None),
                };
                Home::Pointer { memory, parts: pointer.to_vec(), offset: 0 }
            }
            _ => return Ok(None),
        };
        match home {
            Home::Pointer { .. } => Ok(Some((pointee, self.kernel_stride(pointee)?, home))),
            // A variable of a caller, which is one value.
            _ => Ok(None),
        }
    }

    fn output_slots(&self, output: u32) -> Vec<Slot> {
        self.io.outputs[output as usize].leaves.iter().map(|l| l.0.slot).collect()
    }

    fn record_slots(&self, record: u32) -> Vec<Slot> {
        self.io.records[record as usize].leaves.iter().map(|l| l.0.slot).collect()
    }

    /// Describes, for observers, the outputs that the shader declares but does not use.
    pub(super) fn debug_outputs(&mut self) {
        if self.noted {
            // Outputs that cannot be described are left out.
            let _ = self.all_outputs();
        }
    }

    /// Completes the debug information with facts that only the whole shader shows.
    pub(super) fn debug_finish(&mut self) {
        let Some(mut debug) = self.debug.take() else { return };
        // Compilers declare variables at the start of functions, so a variable is shown from its first assignment on.
        let mut first: FxHashMap<Var, u32> = FxHashMap::default();
        let m = self.module;
        let has_line = |place: u32| debug.info.places.get(place as usize).is_some_and(|p| p.line != 0);
        ir::each_inst(&self.shader.body, &mut |inst| {
            let Imm::Var { var, .. } = inst.imm else { return };
            let declares = m.def(inst.src.id).is_some_and(|d| d.op == spirv::Op::Variable);
            if !declares && has_line(inst.src.place) {
                first.entry(var).or_insert(inst.src.place);
            }
        });
        for variable in &mut debug.info.variables {
            if let (Class::Local, Home::Var { var, indices, .. }) = (variable.class, &variable.home)
                && indices.is_empty()
                && let Some(&place) = first.get(var)
            {
                variable.from = variable.from.max(place);
            }
        }
        self.shader.debug = Some(std::sync::Arc::new(debug.info));
    }
}
