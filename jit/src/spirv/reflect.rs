//! The interface of a module, for people and for applications that create pipelines.
//!
//! Lists the variables that each entry point uses statically, with the defaults of specialization constants. Running a
//! shader needs none of this: [`crate::ir::Shader`] carries its interface itself.

use std::fmt;

use rustc_hash::FxHashSet;
use spirv::{Decoration, ExecutionMode, Op, StorageClass};

use super::grammar;
use super::kernel::{Argument, arguments};
use super::lower::resource::resource_kind;
use super::module::{EntryPoint, Module, SpecConstant};
use super::sizes::Types;
use super::types::{MatrixLayout, SmallFloat, Type, Units};
use crate::error::{Error, Result};
use crate::ir::{ResourceKind, Stage};

/// Maximum number of members that a reflection lists, nested members included.
const MAX_MEMBERS: usize = 1 << 16;
/// Maximum number of bytes of the parts of all interfaces. Very many members may have a type with the same long name, and
/// very many entry points the same resources.
const MAX_BYTES: usize = 1 << 27;

/// Interface of a module.
#[derive(Clone, Debug)]
pub struct Reflection {
    /// Entry points, in module order.
    pub entry_points: Vec<EntryInfo>,
    /// Specialization constants, in module order.
    pub spec_constants: Vec<SpecConstant>,
    /// Names of the capabilities that the module declares.
    pub capabilities: Vec<String>,
}

/// Interface of an entry point.
#[derive(Clone, Debug)]
pub struct EntryInfo {
    /// Name.
    pub name: String,
    /// Stage.
    pub stage: Stage,
    /// Workgroup size (compute, task and mesh; otherwise 1, 1, 1).
    pub local_size: [u32; 3],
    /// `true` for a kernel whose launches state the workgroup size.
    pub is_size_free: bool,
    /// Arguments of a kernel.
    pub arguments: Vec<Argument>,
    /// Statically used inputs, built-ins included.
    pub inputs: Vec<Variable>,
    /// Statically used outputs, built-ins included.
    pub outputs: Vec<Variable>,
    /// Statically used resources, by set and binding.
    pub bindings: Vec<Resource>,
    /// The push constant block, if it is used statically.
    pub push_constants: Option<BlockInfo>,
}

/// An input or output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Name of the variable or block member.
    pub name: String,
    /// Location.
    pub location: Option<u32>,
    /// First component.
    pub component: u32,
    /// Name of the built-in.
    pub builtin: Option<String>,
    /// Type, in GLSL syntax.
    pub ty: String,
    /// `flat`, `noperspective`, `centroid`, `sample`, `patch`, `perprimitiveEXT`, separated by spaces.
    pub qualifiers: String,
}

/// A resource.
#[derive(Clone, Debug)]
pub struct Resource {
    /// Descriptor set.
    pub set: u32,
    /// Binding.
    pub binding: u32,
    /// Kind of the resource that must be bound.
    pub kind: ResourceKind,
    /// Array size; 0 for runtime arrays.
    pub count: u32,
    /// Name.
    pub name: String,
    /// Type, in GLSL syntax.
    pub ty: String,
    /// Block of a buffer resource.
    pub block: Option<BlockInfo>,
    /// Format that a storage image is declared with, as SPIR-V names it (`Rgba32f`, `Unknown`); otherwise empty.
    pub format: String,
}

/// A block in memory.
#[derive(Clone, Debug)]
pub struct BlockInfo {
    /// Name of the block type.
    pub name: String,
    /// Size in bytes, without a runtime array at the end.
    pub size: u32,
    /// Members, in order of declaration.
    pub members: Vec<Member>,
}

/// A member of a block.
#[derive(Clone, Debug)]
pub struct Member {
    /// Name.
    pub name: String,
    /// Byte offset from the start of the enclosing struct.
    pub offset: u32,
    /// Type, in GLSL syntax.
    pub ty: String,
    /// Size in bytes; 0 for runtime arrays.
    pub size: u32,
    /// Bytes between elements, if the member is an array.
    pub array_stride: u32,
    /// Bytes between elements of nested arrays, from the outside in.
    pub inner_strides: Vec<u32>,
    /// Bytes between columns (rows if row-major), if the member holds matrices.
    pub matrix_stride: u32,
    /// `true` if the matrices are row-major.
    pub row_major: bool,
    /// Members of the struct, if the member is a struct or an array of structs.
    pub members: Vec<Member>,
}

/// Reflects a module.
///
/// # Errors
/// `Invalid` if types or decorations of the interface are malformed.
pub fn reflect(module: &Module) -> Result<Reflection> {
    let mut reflect = Reflect { module, types: Types::new(module, &[]), members: 0, bytes: 0 };
    let entry_points = module.entry_points().iter().map(|e| reflect.entry(e)).collect::<Result<_>>()?;
    Ok(Reflection {
        entry_points,
        spec_constants: module.spec_constants().to_vec(),
        capabilities: module.capability_names().collect(),
    })
}

struct Reflect<'m> {
    module: &'m Module,
    types: Types<'m>,
    members: usize,
    /// Number of bytes of the parts of interfaces.
    bytes: usize,
}

impl Reflect<'_> {
    fn entry(&mut self, entry: &EntryPoint) -> Result<EntryInfo> {
        let m = self.module;
        let used = used_globals(m, entry.function)?;
        let of_kernel = m.has_kernels() && entry.stage == Stage::Compute;
        let sized =
            |mode: &ExecutionMode| matches!(mode, ExecutionMode::LocalSize | ExecutionMode::LocalSizeId);
        // Lowering reports arguments of other types.
        let arguments = of_kernel.then(|| arguments(&mut self.types, entry.function).ok()).flatten();
        let mut info = EntryInfo {
            name: entry.name.clone(),
            stage: entry.stage,
            local_size: self.local_size(entry)?,
            is_size_free: of_kernel && !entry.modes.iter().any(|(mode, _)| sized(mode)),
            arguments: arguments.map_or_else(Vec::new, |(all, _)| all),
            inputs: Vec::new(),
            outputs: Vec::new(),
            bindings: Vec::new(),
            push_constants: None,
        };
        for &id in m.globals().iter().filter(|id| used.contains(id)) {
            let (class, pointee) = m.variable(id)?;
            match class {
                StorageClass::Input => self.variables(id, pointee, &mut info.inputs)?,
                StorageClass::Output => self.variables(id, pointee, &mut info.outputs)?,
                StorageClass::PushConstant => info.push_constants = Some(self.block(pointee)?),
                // Kernels have arguments; variables of their modules are data, or samplers that the module states.
                StorageClass::UniformConstant if m.has_kernels() => {}
                // A descriptor heap has no binding.
                StorageClass::UniformConstant if m.deco(id, Decoration::BuiltIn).is_some() => {}
                StorageClass::Uniform | StorageClass::StorageBuffer | StorageClass::UniformConstant => {
                    info.bindings.push(self.resource(id, class, pointee)?);
                }
                _ => {}
            }
        }
        info.bindings.sort_by_key(|b| (b.set, b.binding));
        Ok(info)
    }

    fn local_size(&mut self, entry: &EntryPoint) -> Result<[u32; 3]> {
        let mut size = [1; 3];
        if !entry.stage.has_workgroups() {
            return Ok(size);
        }
        for (mode, args) in &entry.modes {
            for (i, &arg) in args.iter().take(3).enumerate() {
                match mode {
                    ExecutionMode::LocalSize => size[i] = arg,
                    ExecutionMode::LocalSizeId => size[i] = self.types.const_u32(arg)?,
                    _ => {}
                }
            }
        }
        if let Some(id) = self.module.workgroup_size()
            && let [x, y, z] = *self.types.const_bits(id)?
        {
            size = [x as u32, y as u32, z as u32];
        }
        Ok(size)
    }

    /// Appends a variable, or the members of a block.
    fn variables(&mut self, id: u32, ty: u32, out: &mut Vec<Variable>) -> Result<()> {
        let m = self.module;
        // Strips the per-vertex arrays around a block.
        let mut inner = ty;
        while let Type::Array { elem, .. } = m.ty(inner)? {
            inner = *elem;
        }
        match m.ty(inner)? {
            Type::Struct { members } if m.deco(inner, Decoration::Block).is_some() => {
                for (i, &member) in members.iter().enumerate() {
                    self.count()?;
                    let i = i as u32;
                    let name = m.member_name(inner, i);
                    let mut decos = m.decos(id).to_vec();
                    decos.extend_from_slice(m.member_decos(inner, i));
                    out.push(self.variable(name, member, &decos)?);
                }
            }
            _ => out.push(self.variable(m.name(id), ty, m.decos(id))?),
        }
        Ok(())
    }

    fn variable(&mut self, name: &str, ty: u32, decos: &[super::module::Deco]) -> Result<Variable> {
        let find = |which| decos.iter().rev().find(|d| d.0 == which).map(|d| d.1);
        let builtin = find(Decoration::BuiltIn).map(|n| match spirv::BuiltIn::from_u32(n) {
            Some(b) => format!("{b:?}"),
            None => n.to_string(),
        });
        let mut qualifiers = Vec::new();
        for (which, word) in [
            (Decoration::Flat, "flat"),
            (Decoration::NoPerspective, "noperspective"),
            (Decoration::Centroid, "centroid"),
            (Decoration::Sample, "sample"),
            (Decoration::Patch, "patch"),
            (Decoration::PerPrimitiveEXT, "perprimitiveEXT"),
            (Decoration::PerVertexKHR, "pervertexEXT"),
        ] {
            if find(which).is_some() {
                qualifiers.push(word);
            }
        }
        let type_name = self.type_name(ty)?;
        self.count_bytes::<Variable>([name, &type_name])?;
        Ok(Variable {
            name: name.to_owned(),
            location: find(Decoration::Location),
            component: find(Decoration::Component).unwrap_or(0),
            builtin,
            ty: type_name,
            qualifiers: qualifiers.join(" "),
        })
    }

    fn resource(&mut self, id: u32, class: StorageClass, ty: u32) -> Result<Resource> {
        let m = self.module;
        let kind = resource_kind(m, class, ty)?;
        let (mut inner, mut count) = (ty, 1u32);
        while let Type::Array { elem, .. } | Type::RuntimeArray { elem } = m.ty(inner)? {
            count = count.saturating_mul(self.types.array_len(inner)?);
            inner = *elem;
        }
        let block = match m.ty(inner)? {
            Type::Struct { .. } => Some(self.block(inner)?),
            _ => None,
        };
        let name = match m.name(id) {
            "" => m.name(inner),
            name => name,
        };
        let format = match m.ty(inner)? {
            Type::Image(image) if image.sampled == 2 => spirv::ImageFormat::from_u32(image.format),
            _ => None,
        };
        let type_name = self.type_name(ty)?;
        self.count_bytes::<Resource>([name, &type_name])?;
        Ok(Resource {
            set: m.deco(id, Decoration::DescriptorSet).unwrap_or(0),
            binding: m.deco(id, Decoration::Binding).unwrap_or(0),
            kind,
            count,
            name: name.to_owned(),
            ty: type_name,
            block,
            format: format.map_or(String::new(), |f| format!("{f:?}")),
        })
    }

    fn block(&mut self, ty: u32) -> Result<BlockInfo> {
        Ok(BlockInfo {
            name: self.module.name(ty).to_owned(),
            size: self.types.explicit_size(ty, MatrixLayout::default())?,
            members: self.block_members(ty)?,
        })
    }

    fn count(&mut self) -> Result<()> {
        self.members += 1;
        if self.members > MAX_MEMBERS {
            return Err(Error::Limit(format!("more than {MAX_MEMBERS} members in an interface")));
        }
        Ok(())
    }

    /// Counts the bytes of a part of an interface, with its names.
    fn count_bytes<T>(&mut self, names: [&str; 2]) -> Result<()> {
        self.bytes += size_of::<T>() + names[0].len() + names[1].len();
        if self.bytes > MAX_BYTES {
            return Err(Error::Limit(format!("more than {MAX_BYTES} bytes of interfaces")));
        }
        Ok(())
    }

    fn block_members(&mut self, ty: u32) -> Result<Vec<Member>> {
        let m = self.module;
        let Type::Struct { members } = m.ty(ty)? else { return Ok(Vec::new()) };
        let mut out = Vec::with_capacity(members.len());
        for (i, &member) in members.iter().enumerate() {
            self.count()?;
            let layout = self.types.member_matrix(ty, i as u32);
            let mut inner = member;
            let mut strides = Vec::new();
            while let Type::Array { elem, .. } | Type::RuntimeArray { elem } = m.ty(inner)? {
                strides.push(self.types.array_stride(inner, Units::Explicit)?);
                inner = *elem;
            }
            let (name, type_name) = (m.member_name(ty, i as u32), self.type_name(member)?);
            self.count_bytes::<Member>([name, &type_name])?;
            out.push(Member {
                name: name.to_owned(),
                offset: self.types.member_offset(ty, i as u32, Units::Explicit)?,
                ty: type_name,
                size: self.types.explicit_size(member, layout)?,
                array_stride: strides.first().copied().unwrap_or(0),
                inner_strides: strides.into_iter().skip(1).collect(),
                matrix_stride: layout.stride,
                row_major: layout.row_major,
                members: self.block_members(inner)?,
            });
        }
        Ok(out)
    }

    /// Name of a type, in GLSL syntax.
    fn type_name(&mut self, ty: u32) -> Result<String> {
        let m = self.module;
        Ok(match m.ty(ty)? {
            Type::Void => "void".into(),
            Type::Bool => "bool".into(),
            Type::Int { bits: 32, signed } => if *signed { "int" } else { "uint" }.into(),
            Type::Int { bits, signed } => format!("{}{bits}_t", if *signed { "int" } else { "uint" }),
            Type::Float { bits: 32 } => "float".into(),
            Type::Float { bits: 64 } => "double".into(),
            Type::Float { bits } => format!("float{bits}_t"),
            Type::SmallFloat(small) => small.name().into(),
            Type::Vector { elem, .. } => match self.types.leaves(ty)? {
                n @ 2..=4 => format!("{}vec{n}", self.prefix(*elem)?),
                n => format!("vector<{}, {n}>", self.type_name(*elem)?),
            },
            Type::Matrix { elem, rows, columns, .. } => {
                let prefix = self.prefix(*elem)?;
                if rows == columns {
                    format!("{prefix}mat{rows}")
                } else {
                    format!("{prefix}mat{columns}x{rows}")
                }
            }
            Type::CooperativeMatrix(matrix) => {
                let (shape, elem) = (self.types.cooperative(ty)?, self.type_name(matrix.elem)?);
                let scope = if shape.of_workgroup { "Workgroup" } else { "Subgroup" };
                format!(
                    "coopmat<{elem}, gl_Scope{scope}, {}, {}, {}>",
                    shape.rows, shape.columns, shape.usage
                )
            }
            Type::Array { .. } | Type::RuntimeArray { .. } => self.array_name(ty)?,
            Type::Struct { .. } => match m.name(ty) {
                "" => format!("struct%{ty}"),
                name => name.to_owned(),
            },
            Type::Sampler => "sampler".into(),
            Type::BufferDescriptor => "buffer".into(),
            Type::AccelerationStructure => "accelerationStructureEXT".into(),
            Type::RayQuery => "rayQueryEXT".into(),
            Type::HitObject => "hitObjectEXT".into(),
            Type::TensorLayout { .. } => "tensorLayoutNV".into(),
            Type::TensorView { .. } => "tensorViewNV".into(),
            Type::SampledImage { image } => match m.ty(*image)? {
                Type::Image(i) => {
                    let shadow = if i.depth { "Shadow" } else { "" };
                    format!("{}sampler{}{shadow}", self.prefix(i.sampled_type)?, image_suffix(i))
                }
                _ => "sampler".into(),
            },
            Type::Image(i) => {
                let word = match (i.dim, i.sampled) {
                    (spirv::Dim::DimSubpassData, _) => "subpassInput",
                    (_, 2) => "image",
                    _ => "texture",
                };
                format!("{}{word}{}", self.prefix(i.sampled_type)?, image_suffix(i))
            }
            Type::Pointer { .. } | Type::Address { .. } => "pointer".into(),
            Type::Event => "event".into(),
            Type::Function { .. } => "function".into(),
        })
    }

    /// Name of an array, whose elements may be arrays.
    fn array_name(&mut self, ty: u32) -> Result<String> {
        let m = self.module;
        let (mut inner, mut dims) = (ty, String::new());
        while let Type::Array { elem, .. } | Type::RuntimeArray { elem } = m.ty(inner)? {
            match self.types.array_len(inner)? {
                0 => dims.push_str("[]"),
                n => dims.push_str(&format!("[{n}]")),
            }
            inner = *elem;
        }
        Ok(format!("{}{dims}", self.type_name(inner)?))
    }

    /// Prefix of `vec`, `mat` and `sampler` for a component type.
    fn prefix(&self, elem: u32) -> Result<&'static str> {
        Ok(match self.module.ty(elem)? {
            Type::Bool => "b",
            Type::Int { bits: 32, signed: true } => "i",
            Type::Int { bits: 32, signed: false } => "u",
            Type::Int { bits: 64, signed: true } => "i64",
            Type::Int { bits: 64, signed: false } => "u64",
            Type::Int { bits: 16, signed: true } => "i16",
            Type::Int { bits: 16, signed: false } => "u16",
            Type::Int { signed: true, .. } => "i8",
            Type::Int { .. } => "u8",
            Type::Float { bits: 64 } => "d",
            Type::Float { bits: 16 } => "f16",
            Type::SmallFloat(SmallFloat::BFloat16) => "bf16",
            Type::SmallFloat(SmallFloat::E4M3) => "fe4m3",
            Type::SmallFloat(SmallFloat::E5M2) => "fe5m2",
            Type::SmallFloat(SmallFloat::E2M3) => "fe2m3",
            Type::SmallFloat(SmallFloat::E3M2) => "fe3m2",
            Type::SmallFloat(SmallFloat::E2M1) => "fe2m1",
            Type::SmallFloat(SmallFloat::E8M0) => "fue8m0",
            Type::SmallFloat(SmallFloat::MxInt8) => "mxi8",
            _ => "",
        })
    }
}

fn image_suffix(i: &super::types::ImageType) -> String {
    let dim = match i.dim {
        spirv::Dim::Dim1D => "1D",
        spirv::Dim::Dim2D => "2D",
        spirv::Dim::Dim3D => "3D",
        spirv::Dim::DimCube => "Cube",
        spirv::Dim::DimBuffer => "Buffer",
        spirv::Dim::DimRect => "2DRect",
        _ => "",
    };
    format!("{dim}{}{}", if i.multisampled { "MS" } else { "" }, if i.arrayed { "Array" } else { "" })
}

/// Module-scope variables that a function or one of its callees uses.
fn used_globals(m: &Module, function: u32) -> Result<FxHashSet<u32>> {
    let mut used = FxHashSet::default();
    let mut done = FxHashSet::default();
    let mut stack = vec![function];
    while let Some(id) = stack.pop() {
        if !done.insert(id) {
            continue;
        }
        for block in &m.function(id)?.blocks {
            for i in block.body.clone().chain([block.end]) {
                let inst = m.inst(i);
                let operands = m.operands(inst);
                if inst.op == Op::FunctionCall {
                    stack.extend(operands.first().filter(|&&callee| m.import(callee).is_none()));
                }
                stack.extend(super::cooperative::functions(inst.op, operands).into_iter().flatten());
                used.extend(grammar::ids(inst.op, operands));
            }
        }
    }
    Ok(used)
}

impl fmt::Display for Reflection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for e in &self.entry_points {
            writeln!(f, "{:?} {:?}", e.stage, e.name)?;
            if e.is_size_free {
                writeln!(f, "  local size: that of the launch")?;
            } else if e.stage.has_workgroups() {
                let [x, y, z] = e.local_size;
                writeln!(f, "  local size {x} {y} {z}")?;
            }
            for (n, argument) in e.arguments.iter().enumerate() {
                let space = if argument.name.is_empty() { "" } else { " " };
                writeln!(f, "  argument {n}{space}{}: {}", argument.name, argument.describe())?;
            }
            for (direction, list) in [("in ", &e.inputs), ("out", &e.outputs)] {
                for v in list {
                    let slot = match (&v.builtin, v.location) {
                        (Some(b), _) => format!("built-in {b}"),
                        (None, Some(l)) if v.component > 0 => format!("location {l}.{}", v.component),
                        (None, Some(l)) => format!("location {l}"),
                        (None, None) => "no location".into(),
                    };
                    let space = if v.qualifiers.is_empty() { "" } else { " " };
                    writeln!(f, "  {direction} {slot}: {}{space}{} {}", v.qualifiers, v.ty, v.name)?;
                }
            }
            for b in &e.bindings {
                writeln!(f, "  set {} binding {}: {:?} {} {}", b.set, b.binding, b.kind, b.ty, b.name)?;
                if let Some(block) = &b.block {
                    write_members(f, &block.members, 2)?;
                }
            }
            if let Some(block) = &e.push_constants {
                writeln!(f, "  push constants: {} bytes {}", block.size, block.name)?;
                write_members(f, &block.members, 2)?;
            }
        }
        for s in &self.spec_constants {
            writeln!(
                f,
                "specialization constant {}: {} {} = {:#x}",
                s.spec_id, s.ty, s.name, s.default_bits
            )?;
        }
        Ok(())
    }
}

fn write_members(f: &mut fmt::Formatter<'_>, members: &[Member], depth: usize) -> fmt::Result {
    for m in members {
        let indent = depth * 2;
        writeln!(f, "{:indent$}+{:<4} {} {}", "", m.offset, m.ty, m.name)?;
        write_members(f, &m.members, depth + 1)?;
    }
    Ok(())
}
