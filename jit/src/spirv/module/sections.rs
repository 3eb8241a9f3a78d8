//! The module outside of its functions: capabilities, entry points, names, decorations, types, variables.

use smallvec::SmallVec;
use spirv::{Capability, Decoration, ExecutionMode, LinkageType, Op};

use super::{EntryPoint, ExtSet, Inst, Module};
use crate::error::{Error, Result};
use crate::ir;
use crate::spirv::types::{self, Components, Cooperative, ImageType, SmallFloat, Type};
use crate::spirv::{grammar, imports, newer, ops, tables};

/// Maximum number of decorations of one id or member, since each lookup scans all of them.
const MAX_DECORATIONS: usize = 256;

/// Maximum number of decorations that groups may apply to their targets, in addition to four per word of the module. No
/// compiler reaches the limit, and it keeps memory in proportion to the module.
const MAX_GROUPED: usize = 1 << 16;

/// Maximum number of execution modes, over all entry points.
const MAX_MODES: usize = 1 << 20;

fn check_decorations(n: usize) -> Result<()> {
    if n <= MAX_DECORATIONS {
        return Ok(());
    }
    Err(Error::Limit(format!("more than {MAX_DECORATIONS} decorations on one id")))
}

impl Module {
    /// Reads everything before the functions.
    pub(super) fn sections(&mut self) -> Result<()> {
        let mut in_function = false;
        for i in 0..self.insts.len() {
            let inst = self.insts[i];
            match inst.op {
                Op::Function => in_function = true,
                Op::FunctionEnd => in_function = false,
                op if op.is_type() && in_function => {
                    return Err(self.invalid(&inst, "type inside a function"));
                }
                _ if in_function => {}
                _ => self.global_inst(&inst)?,
            }
        }
        self.apply_groups()
    }

    fn global_inst(&mut self, inst: &Inst) -> Result<()> {
        let o: SmallVec<[u32; 8]> = self.operands(inst).iter().copied().take(8).collect();
        match inst.op {
            Op::Capability => self.capability(inst, o[0])?,
            Op::ExtInstImport => self.ext_inst_import(inst)?,
            Op::MemoryModel => self.memory_model(inst, &o)?,
            Op::EntryPoint => self.entry_point(inst)?,
            Op::ExecutionMode | Op::ExecutionModeId => self.execution_mode(inst, &o)?,
            Op::Source => {
                self.source_language = o.first().copied();
                if let Some(&file) = o.get(2) {
                    self.source_file =
                        self.def(file).filter(|d| d.op == Op::String).map(|d| self.string(d, 0));
                }
            }
            Op::Name => {
                let name = self.string(inst, 1);
                self.names.insert(o[0], name);
            }
            Op::MemberName => {
                let name = self.string(inst, 2);
                self.member_names.insert((o[0], o[1]), name);
            }
            // Text or not, the elements are the same.
            Op::Decorate if o[1] == newer::UTF_ENCODED => {}
            Op::Decorate => {
                let decoration = self.decoration(inst, o[1])?;
                let list = self.decos.entry(o[0]).or_default();
                list.push((decoration, o.get(2).copied().unwrap_or(0)));
                check_decorations(list.len())?;
                if decoration == Decoration::LinkageAttributes
                    && self.operands(inst).last() == Some(&(LinkageType::Import as u32))
                    && let Some(import) = imports::find(&self.string(inst, 2))
                {
                    self.imports.insert(o[0], import);
                }
            }
            // The operand is the id of a constant.
            Op::DecorateId if o[1] == Decoration::ArrayStrideIdEXT as u32 => {
                let constant = self.operand(inst, 2)?;
                let list = self.decos.entry(o[0]).or_default();
                list.push((Decoration::ArrayStrideIdEXT, constant));
                check_decorations(list.len())?;
            }
            Op::MemberDecorateIdEXT => {
                let decoration = self.decoration(inst, self.operand(inst, 2)?)?;
                let constant = self.operand(inst, 3)?;
                let list = self.member_decos.entry((o[0], o[1])).or_default();
                list.push((decoration, constant));
                check_decorations(list.len())?;
            }
            Op::MemberDecorate => {
                let decoration = self.decoration(inst, o[2])?;
                let list = self.member_decos.entry((o[0], o[1])).or_default();
                list.push((decoration, o.get(3).copied().unwrap_or(0)));
                check_decorations(list.len())?;
            }
            Op::Variable | Op::UntypedVariableKHR => {
                self.check_pointer(inst)?;
                self.globals.push(inst.id);
            }
            op if op.is_type() => self.type_inst(inst)?,
            op if grammar::is_constant(op) || op == Op::Undef => {
                self.ty(inst.ty).map_err(|e| e.at(self.place(inst)))?;
            }
            Op::Label | Op::FunctionParameter => return Err(self.invalid(inst, "outside of a function")),
            _ => {}
        }
        Ok(())
    }

    /// Kernels need 64-bit addresses. Spec: SPIR-V, "Addressing Model", "Memory Model".
    fn memory_model(&mut self, inst: &Inst, o: &[u32]) -> Result<()> {
        use spirv::AddressingModel as A;
        let memory = self.operand(inst, 1)?;
        self.kernels = memory == spirv::MemoryModel::OpenCL as u32;
        let model = A::from_u32(o[0]);
        match (self.kernels, model) {
            (true, Some(A::Physical64)) => Ok(()),
            (true, Some(A::Physical32)) => {
                let why = "addressing model Physical32: the device has 64-bit addresses, for which compilers have the target spir64";
                Err(self.unsupported(inst, why))
            }
            (false, Some(A::Logical | A::PhysicalStorageBuffer64)) => Ok(()),
            (_, Some(model)) => {
                let memory = if self.kernels { "OpenCL" } else { "this" };
                Err(self.unsupported(inst, format!("addressing model {model:?} under {memory} memory model")))
            }
            (_, None) => Err(self.invalid(inst, format!("unknown addressing model {}", o[0]))),
        }
    }

    /// Adds a capability; those that are not accepted are an error.
    fn capability(&mut self, inst: &Inst, number: u32) -> Result<()> {
        let Some(capability) = Capability::from_u32(number) else {
            if !newer::CAPABILITIES.contains(&number) {
                return Err(self.unsupported(inst, format!("capability {number}")));
            }
            self.newer_capabilities.push(number);
            return Ok(());
        };
        if !ops::CAPABILITIES.contains(&capability) {
            let why = ops::REASONS.iter().find(|row| row.0 == capability);
            let why = why.map_or(String::new(), |row| format!(": {}", row.1));
            return Err(self.unsupported(inst, format!("capability {capability:?}{why}")));
        }
        self.capabilities.push(capability);
        Ok(())
    }

    fn ext_inst_import(&mut self, inst: &Inst) -> Result<()> {
        let name = self.string(inst, 0);
        let set = match name.as_str() {
            "GLSL.std.450" => ExtSet::Glsl,
            "OpenCL.std" => ExtSet::OpenCl,
            "NonSemantic.DebugPrintf" => ExtSet::DebugPrintf,
            n if n.starts_with("NonSemantic.Shader.DebugInfo") => ExtSet::ShaderDebug,
            n if n.starts_with("NonSemantic.") || n.contains("DebugInfo") => ExtSet::NonSemantic,
            _ => return Err(self.unsupported(inst, format!("extended instruction set {name}"))),
        };
        self.ext_sets.insert(inst.id, set);
        Ok(())
    }

    /// Adds a mode to the entry points of its function.
    fn execution_mode(&mut self, inst: &Inst, o: &[u32]) -> Result<()> {
        let Some(mode) = ExecutionMode::from_u32(o[1]) else {
            if o[1] == newer::OPACITY_MICROMAP_ID {
                return Ok(());
            }
            return Err(self.invalid(inst, format!("unknown execution mode {}", o[1])));
        };
        let args: SmallVec<[u32; 3]> = o[2..].iter().copied().take(3).collect();
        for &at in self.entries_of.get(&o[0]).into_iter().flatten() {
            self.entry_points[at].modes.push((mode, args.clone()));
            self.n_modes += 1;
        }
        if self.n_modes > MAX_MODES {
            return Err(Error::Limit(format!("more than {MAX_MODES} execution modes")));
        }
        Ok(())
    }

    /// Converts a decoration number; decorations that are not accepted are an error.
    fn decoration(&self, inst: &Inst, number: u32) -> Result<Decoration> {
        let Some(d) = newer::decoration(number) else {
            return Err(self.unsupported(inst, format!("decoration {number}")));
        };
        match tables::decoration(d) {
            Some(_) => Ok(d),
            None => Err(self.unsupported(inst, format!("decoration {d:?}"))),
        }
    }

    pub(super) fn check_pointer(&self, inst: &Inst) -> Result<()> {
        match self.types.get(&inst.ty) {
            Some(Type::Pointer { .. } | Type::Address { .. }) => Ok(()),
            _ => Err(self.invalid(inst, "type of a variable is not a pointer")),
        }
    }

    fn entry_point(&mut self, inst: &Inst) -> Result<()> {
        let (model, function) = (self.operand(inst, 0)?, self.operand(inst, 1)?);
        let name = self.string(inst, 2);
        // The name ends with the first word that holds a zero byte.
        let ends = |w: &u32| w.to_le_bytes().contains(&0);
        let words = self.operands_from(inst, 2).iter().position(ends).map_or(0, |n| n + 1);
        let after = 2 + words;
        let interface = self.operands_from(inst, after).to_vec();
        let stage = match spirv::ExecutionModel::from_u32(model) {
            Some(spirv::ExecutionModel::Vertex) => ir::Stage::Vertex,
            Some(spirv::ExecutionModel::TessellationControl) => ir::Stage::TessellationControl,
            Some(spirv::ExecutionModel::TessellationEvaluation) => ir::Stage::TessellationEvaluation,
            Some(spirv::ExecutionModel::Geometry) => ir::Stage::Geometry,
            Some(spirv::ExecutionModel::TaskEXT) => ir::Stage::Task,
            Some(spirv::ExecutionModel::MeshEXT) => ir::Stage::Mesh,
            Some(spirv::ExecutionModel::Fragment) => ir::Stage::Fragment,
            Some(spirv::ExecutionModel::GLCompute) if !self.kernels => ir::Stage::Compute,
            Some(spirv::ExecutionModel::Kernel) if self.kernels => ir::Stage::Compute,
            Some(spirv::ExecutionModel::RayGenerationKHR) => ir::Stage::RayGeneration,
            Some(spirv::ExecutionModel::IntersectionKHR) => ir::Stage::Intersection,
            Some(spirv::ExecutionModel::AnyHitKHR) => ir::Stage::AnyHit,
            Some(spirv::ExecutionModel::ClosestHitKHR) => ir::Stage::ClosestHit,
            Some(spirv::ExecutionModel::MissKHR) => ir::Stage::Miss,
            Some(spirv::ExecutionModel::CallableKHR) => ir::Stage::Callable,
            Some(other) => return Err(self.unsupported(inst, format!("execution model {other:?}"))),
            None => return Err(self.invalid(inst, format!("unknown execution model {model}"))),
        };
        if !self.entry_names.insert((name.clone(), stage)) {
            return Err(self.invalid(inst, format!("two entry points '{name}' of the same stage")));
        }
        self.entries_of.entry(function).or_default().push(self.entry_points.len());
        self.entry_points.push(EntryPoint { name, stage, function, interface, modes: Vec::new() });
        Ok(())
    }

    fn type_inst(&mut self, inst: &Inst) -> Result<()> {
        let o = self.operands(inst);
        let known = |id: u32| self.known_type(inst, id);
        // Requires a type that values can have.
        let data = |id: u32| match known(id) {
            Err(_) if self.forward_pointers.contains(&id) => Ok(()),
            Err(e) => Err(e),
            Ok(Type::Void | Type::Function { .. }) => {
                Err(self.invalid(inst, format!("type %{id} has no values")))
            }
            Ok(_) => Ok(()),
        };
        let ty = match inst.op {
            Op::TypeVoid => Type::Void,
            Op::TypeBool => Type::Bool,
            Op::TypeInt if matches!(o[0], 8 | 16 | 32 | 64) => Type::Int { bits: o[0], signed: o[1] != 0 },
            Op::TypeFloat if matches!(o[0], 16 | 32 | 64) && o.len() == 1 => Type::Float { bits: o[0] },
            Op::TypeFloat if o.len() == 2 => Type::SmallFloat(self.small_float(inst)?),
            Op::TypeVector | Op::TypeVectorIdEXT => {
                if !known(o[0])?.is_scalar() {
                    return Err(self.invalid(inst, "components of a vector must be scalars"));
                }
                Type::Vector { elem: o[0], n: self.components(inst)? }
            }
            Op::TypeMatrix => self.matrix_type(inst)?,
            Op::TypeCooperativeMatrixKHR => Type::CooperativeMatrix(self.cooperative_matrix(inst)?),
            Op::TypeArray => {
                data(o[0])?;
                if self.def(o[1]).is_none_or(|d| !grammar::is_constant(d.op)) {
                    return Err(self.invalid(inst, "array length is not a constant"));
                }
                Type::Array { elem: o[0], len: o[1] }
            }
            Op::TypeRuntimeArray => {
                data(o[0])?;
                Type::RuntimeArray { elem: o[0] }
            }
            Op::TypeStruct => {
                o.iter().try_for_each(|&member| data(member))?;
                Type::Struct { members: o.into() }
            }
            Op::TypePointer => self.pointer_type(inst)?,
            Op::TypeUntypedPointerKHR => {
                Type::Pointer { class: self.storage_class(inst)?, pointee: types::UNTYPED }
            }
            Op::TypeFunction => Type::Function { ret: o[0], params: o[1..].into() },
            Op::TypeEvent => Type::Event,
            Op::TypeSampler => Type::Sampler,
            Op::TypeBufferEXT => Type::BufferDescriptor,
            Op::TypeAccelerationStructureKHR => Type::AccelerationStructure,
            Op::TypeRayQueryKHR => Type::RayQuery,
            Op::TypeHitObjectEXT => Type::HitObject,
            Op::TypeTensorLayoutNV | Op::TypeTensorViewNV => self.tensor_type(inst)?,
            Op::TypeSampledImage => match known(o[0])? {
                Type::Image(_) => Type::SampledImage { image: o[0] },
                _ => return Err(self.invalid(inst, "sampled image of a type that is not an image")),
            },
            Op::TypeImage => Type::Image(self.image_type(inst)?),
            Op::TypeForwardPointer => {
                let id = o[0];
                self.forward_pointers.insert(id);
                return Ok(());
            }
            _ => return Err(self.unsupported(inst, grammar::name_of(inst.op))),
        };
        self.define_type(inst.id, ty)
    }

    /// The type with an id, which must have been declared before an instruction.
    fn known_type(&self, inst: &Inst, id: u32) -> Result<&Type> {
        self.types.get(&id).ok_or_else(|| self.undefined_type(inst, id))
    }

    fn matrix_type(&self, inst: &Inst) -> Result<Type> {
        let o = self.operands(inst);
        match self.known_type(inst, o[0])? {
            &Type::Vector { elem, n: Components::Literal(n @ 2..=4) }
                if (2..=4).contains(&o[1]) && self.known_type(inst, elem)?.is_float() =>
            {
                Ok(Type::Matrix { elem, column: o[0], rows: n, columns: o[1] })
            }
            _ => Err(self.invalid(inst, "matrices must have 2 to 4 columns of 2 to 4 floats")),
        }
    }

    fn pointer_type(&self, inst: &Inst) -> Result<Type> {
        let (class, pointee) = (self.storage_class(inst)?, self.operand(inst, 1)?);
        if !tables::STORAGE_CLASSES.contains(&class) {
            return Err(self.unsupported(inst, format!("storage class {class:?}")));
        }
        if !self.forward_pointers.contains(&pointee) && !self.types.contains_key(&pointee) {
            return Err(self.undefined_type(inst, pointee));
        }
        Ok(match self.kernels {
            true => Type::Address { class, pointee },
            false => Type::Pointer { class, pointee },
        })
    }

    /// Number of components of a vector type. Spec: SPIR-V, "Universal Validation Rules"; SPV_EXT_long_vector.
    fn components(&self, inst: &Inst) -> Result<Components> {
        let n = self.operand(inst, 1)?;
        let long = self.capabilities.contains(&Capability::LongVectorEXT);
        if inst.op == Op::TypeVector {
            let wide = matches!(n, 8 | 16) && self.capabilities.contains(&Capability::Vector16);
            return match n {
                2..=4 => Ok(Components::Literal(n)),
                1.. if long || wide => Ok(Components::Literal(n)),
                _ => Err(self.invalid(
                    inst,
                    "vectors must have 2 to 4 scalars, 8 or 16 with Vector16, or any number with LongVectorEXT",
                )),
            };
        }
        if !long {
            return Err(self.invalid(inst, "needs LongVectorEXT"));
        }
        let def = self.def(n).filter(|def| grammar::is_constant(def.op) && def.at < inst.at);
        match def.and_then(|def| self.types.get(&def.ty)) {
            Some(Type::Int { bits: 32, .. }) => Ok(Components::Constant(n)),
            _ => Err(self.invalid(inst, "the number of components must be a constant of 32 bits")),
        }
    }

    /// A float type with an encoding of its own.
    fn small_float(&self, inst: &Inst) -> Result<SmallFloat> {
        let (bits, encoding) = (self.operand(inst, 0)?, self.operand(inst, 1)?);
        let what = || format!("float type of {bits} bits with encoding {encoding}");
        SmallFloat::of(bits, encoding).ok_or_else(|| self.unsupported(inst, what()))
    }

    fn cooperative_matrix(&self, inst: &Inst) -> Result<Cooperative> {
        let &[elem, scope, rows, columns, usage] = self.operands(inst) else {
            return Err(self.invalid(inst, "operands are missing"));
        };
        match self.types.get(&elem) {
            Some(Type::Int { .. } | Type::Float { .. } | Type::SmallFloat(_)) => {}
            Some(_) => return Err(self.invalid(inst, "components of cooperative matrices must be numbers")),
            None => return Err(self.undefined_type(inst, elem)),
        }
        let before = |id: u32| self.def(id).is_some_and(|d| grammar::is_constant(d.op) && d.at < inst.at);
        if ![scope, rows, columns, usage].into_iter().all(before) {
            let message = "scope, rows, columns and use must be constants that are defined before";
            return Err(self.invalid(inst, message));
        }
        Ok(Cooperative { elem, scope, rows, columns, usage })
    }

    fn tensor_type(&self, inst: &Inst) -> Result<Type> {
        let o = self.operands(inst);
        if !o.iter().all(|&id| self.def(id).is_some_and(|d| grammar::is_constant(d.op) && d.at < inst.at)) {
            return Err(self.invalid(inst, "operands must be constants that are defined before"));
        }
        Ok(match (inst.op, o) {
            (Op::TypeTensorLayoutNV, &[dim, clamp]) => Type::TensorLayout { dim, clamp },
            (Op::TypeTensorViewNV, &[dim, has_dimensions, ref permutation @ ..]) => {
                Type::TensorView { dim, has_dimensions, permutation: permutation.into() }
            }
            _ => return Err(self.invalid(inst, "operands are missing")),
        })
    }

    fn undefined_type(&self, inst: &Inst, id: u32) -> Error {
        self.invalid(inst, format!("type %{id} is not defined before"))
    }

    /// The storage class of a pointer type.
    fn storage_class(&self, inst: &Inst) -> Result<spirv::StorageClass> {
        let class = spirv::StorageClass::from_u32(self.operands(inst)[0]);
        class.ok_or_else(|| self.invalid(inst, "unknown storage class"))
    }

    fn image_type(&self, inst: &Inst) -> Result<ImageType> {
        let o = self.operands(inst);
        let Some(dim) = spirv::Dim::from_u32(o[1]) else {
            return Err(self.invalid(inst, "unknown image dimension"));
        };
        match self.types.get(&o[0]) {
            Some(Type::Void | Type::Int { .. } | Type::Float { .. }) => {}
            Some(_) => return Err(self.invalid(inst, "sampled type is not a number")),
            None => return Err(self.undefined_type(inst, o[0])),
        }
        let access = match o.get(7) {
            None => None,
            Some(&number) => match spirv::AccessQualifier::from_u32(number) {
                Some(access) => Some(access),
                None => return Err(self.invalid(inst, "unknown access qualifier")),
            },
        };
        match spirv::ImageFormat::from_u32(o[6]) {
            Some(format) if tables::IMAGE_FORMATS.contains(&format) => {}
            _ => return Err(self.unsupported(inst, format!("image format {}", o[6]))),
        }
        Ok(ImageType {
            sampled_type: o[0],
            dim,
            depth: o[2] == 1,
            arrayed: o[3] != 0,
            multisampled: o[4] != 0,
            sampled: o[5],
            format: o[6],
            access,
        })
    }

    /// Records a type, whose depth of nesting is limited.
    fn define_type(&mut self, id: u32, ty: Type) -> Result<()> {
        // Only pointers may lead back to a type, so that walks over members and elements end.
        if self.forward_pointers.contains(&id) && !matches!(ty, Type::Pointer { .. } | Type::Address { .. }) {
            return Err(Error::invalid(format!("OpTypeForwardPointer names %{id}, which is not a pointer")));
        }
        let inner = |id: &u32| self.depths.get(id).copied().unwrap_or(0);
        let depth = 1 + match &ty {
            Type::Array { elem, .. } | Type::RuntimeArray { elem } => inner(elem),
            Type::Struct { members } => members.iter().map(inner).max().unwrap_or(0),
            _ => 0,
        };
        if depth > types::MAX_DEPTH {
            return Err(Error::Limit(format!("types nested deeper than {}", types::MAX_DEPTH)));
        }
        self.depths.insert(id, depth);
        let part = |id: &u32| self.of_part_bytes.contains(id);
        let of_part_bytes = match &ty {
            Type::SmallFloat(small) => small.bits() < 8,
            Type::Vector { elem, .. } | Type::Array { elem, .. } | Type::RuntimeArray { elem } => part(elem),
            Type::Struct { members } => members.iter().any(part),
            _ => false,
        };
        if of_part_bytes {
            self.of_part_bytes.insert(id);
        }
        self.types.insert(id, ty);
        Ok(())
    }

    /// Copies the decorations of decoration groups to the targets.
    fn apply_groups(&mut self) -> Result<()> {
        let mut left = MAX_GROUPED.saturating_add(self.words.len().saturating_mul(4));
        let mut take = |n: usize| {
            left = left.checked_sub(n).ok_or_else(|| Error::Limit("decorations applied by groups".into()))?;
            Ok::<(), Error>(())
        };
        for i in 0..self.insts.len() {
            let inst = self.insts[i];
            if !matches!(inst.op, Op::GroupDecorate | Op::GroupMemberDecorate) {
                continue;
            }
            let operands = self.operands(&inst).to_vec();
            let Some(decos) = self.decos.get(&operands[0]).cloned() else { continue };
            if inst.op == Op::GroupDecorate {
                for &target in &operands[1..] {
                    take(decos.len())?;
                    let list = self.decos.entry(target).or_default();
                    list.extend(decos.iter().copied());
                    check_decorations(list.len())?;
                }
            } else {
                for pair in operands[1..].chunks_exact(2) {
                    take(decos.len())?;
                    let list = self.member_decos.entry((pair[0], pair[1])).or_default();
                    list.extend(decos.iter().copied());
                    check_decorations(list.len())?;
                }
            }
        }
        Ok(())
    }
}
