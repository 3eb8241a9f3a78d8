//! Words of a module to tables, and the checks that lowering relies on.
//!
//! Every instruction keeps its word offset and source line. What is checked here: the header, word
//! counts, result ids (in range, defined once), operand counts, the type section, the block
//! structure of functions, capabilities. What is checked where it is used: operand types, control
//! flow, uses of ids. Decorations of ids that are never defined are harmless and kept.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spirv::{Capability, Decoration, ExecutionMode, Op};

use super::grammar;
use super::ops;
use super::types::{self, ImageType, Type, Types};
use crate::error::{Error, Place, Result};
use crate::ir;

/// Largest id bound. Spec: SPIR-V, 2.17 Universal Limits.
pub const MAX_BOUND: u32 = 0x3f_ffff;
/// Largest module, in words.
pub const MAX_WORDS: usize = 1 << 26;

/// An instruction: where it is and what it defines.
#[derive(Clone, Copy, Debug)]
pub struct Inst {
    /// Opcode.
    pub op: Op,
    /// Offset of its first word.
    pub at: u32,
    /// First operand word after result type and result.
    pub first: u32,
    /// One past its last word.
    pub end: u32,
    /// Result type id, 0 if none.
    pub ty: u32,
    /// Result id, 0 if none.
    pub id: u32,
    /// Source line, 0 if unknown.
    pub line: u32,
}

/// An entry point of a module.
#[derive(Clone, Debug)]
pub struct EntryPoint {
    /// Name.
    pub name: String,
    /// Stage.
    pub stage: ir::Stage,
    /// Id of its function.
    pub function: u32,
    /// Ids of its interface variables.
    pub interface: Vec<u32>,
    /// Execution modes: mode, literal or id operands.
    pub modes: Vec<(ExecutionMode, SmallVec<[u32; 3]>)>,
}

/// A specialization constant that carries a SpecId.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecConstant {
    /// SpecId.
    pub spec_id: u32,
    /// Type.
    pub ty: ir::Ty,
    /// Value if not given.
    pub default_bits: u64,
    /// Name from OpName.
    pub name: String,
    /// Result id.
    pub id: u32,
}

/// What a selection or loop header declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// OpSelectionMerge: merge block.
    Selection(u32),
    /// OpLoopMerge: merge block, continue target.
    Loop(u32, u32),
}

/// A block of a function.
#[derive(Clone, Debug)]
pub struct Block {
    /// Label id.
    pub label: u32,
    /// Indices into the module's instructions, without label, merge and terminator.
    pub body: std::ops::Range<usize>,
    /// Merge instruction.
    pub merge: Option<Merge>,
    /// Index of the terminator.
    pub end: usize,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    /// Id.
    pub id: u32,
    /// Return type id.
    pub ret: u32,
    /// Parameters: id, type id.
    pub params: Vec<(u32, u32)>,
    /// Blocks, entry first.
    pub blocks: Vec<Block>,
    /// Index of a block by label id.
    pub by_label: FxHashMap<u32, usize>,
}

/// An extended instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtSet {
    /// GLSL.std.450.
    Glsl,
    /// NonSemantic.Shader.DebugInfo.100.
    ShaderDebug,
    /// Any other NonSemantic set: ignored.
    NonSemantic,
}

/// A decoration and its first literal (0 if it has none).
pub type Deco = (Decoration, u32);

/// A parsed module.
#[derive(Clone, Debug)]
pub struct Module {
    words: Box<[u32]>,
    bound: u32,
    insts: Vec<Inst>,
    defs: Vec<u32>,
    names: FxHashMap<u32, String>,
    member_names: FxHashMap<(u32, u32), String>,
    decos: FxHashMap<u32, SmallVec<[Deco; 4]>>,
    member_decos: FxHashMap<(u32, u32), SmallVec<[Deco; 4]>>,
    types: FxHashMap<u32, Type>,
    depths: FxHashMap<u32, u32>,
    entry_points: Vec<EntryPoint>,
    functions: FxHashMap<u32, Function>,
    spec_constants: Vec<SpecConstant>,
    ext_sets: FxHashMap<u32, ExtSet>,
    capabilities: Vec<Capability>,
    globals: Vec<u32>,
    source_file: Option<String>,
}

impl Module {
    /// Parses and checks a module.
    ///
    /// # Errors
    /// `Invalid` with the word offset for malformed modules, `Unsupported` for capabilities and
    /// extended instruction sets that are not offered.
    pub fn parse(words: &[u32]) -> Result<Module> {
        if words.len() > MAX_WORDS {
            return Err(Error::Limit(format!("module of {} words, at most {MAX_WORDS}", words.len())));
        }
        let invalid = |message: &str| Err(Error::invalid(message));
        let swapped: Box<[u32]>;
        let words = match words.first() {
            Some(&spirv::MAGIC_NUMBER) => words,
            Some(&magic) if magic == spirv::MAGIC_NUMBER.swap_bytes() => {
                swapped = words.iter().map(|w| w.swap_bytes()).collect();
                &swapped
            }
            _ => return invalid("not a SPIR-V module: wrong magic number"),
        };
        if words.len() < 5 {
            return invalid("module header is incomplete");
        }
        let (version, bound) = (words[1], words[3]);
        if version >> 16 != 1 {
            return invalid("SPIR-V version is not 1.x");
        }
        if bound == 0 || bound > MAX_BOUND {
            return Err(Error::invalid(format!("id bound {bound} is not in 1..={MAX_BOUND}")));
        }
        let mut module = Module {
            words: words.into(),
            bound,
            insts: Vec::with_capacity(words.len() / 4),
            defs: vec![0; bound as usize],
            names: FxHashMap::default(),
            member_names: FxHashMap::default(),
            decos: FxHashMap::default(),
            member_decos: FxHashMap::default(),
            types: FxHashMap::default(),
            depths: FxHashMap::default(),
            entry_points: Vec::new(),
            functions: FxHashMap::default(),
            spec_constants: Vec::new(),
            ext_sets: FxHashMap::default(),
            capabilities: Vec::new(),
            globals: Vec::new(),
            source_file: None,
        };
        module.split()?;
        module.sections()?;
        module.find_functions()?;
        module.find_spec_constants()?;
        Ok(module)
    }

    /// The entry points, in module order.
    pub fn entry_points(&self) -> &[EntryPoint] {
        &self.entry_points
    }

    /// The specialization constants with a SpecId, in module order.
    pub fn spec_constants(&self) -> &[SpecConstant] {
        &self.spec_constants
    }

    /// Lowers an entry point, with specialization constants given as (SpecId, bits).
    ///
    /// # Errors
    /// See [`crate::error::Error`]; the place names the instruction, its id and source line.
    pub fn lower(&self, name: &str, stage: ir::Stage, spec: &[(u32, u64)]) -> Result<ir::Shader> {
        super::lower::lower(self, name, stage, spec)
    }

    /// The words, in host order.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// Capabilities that the module declares.
    pub fn capabilities(&self) -> &[Capability] {
        &self.capabilities
    }

    /// Id bound.
    pub fn bound(&self) -> u32 {
        self.bound
    }

    /// Operand words of an instruction after result type and result.
    pub fn operands(&self, inst: &Inst) -> &[u32] {
        &self.words[inst.first as usize..inst.end as usize]
    }

    /// Operand word `i`.
    pub fn operand(&self, inst: &Inst, i: usize) -> Result<u32> {
        self.operands(inst).get(i).copied().ok_or_else(|| self.invalid(inst, "operand is missing"))
    }

    /// Operand words from `i` on.
    pub fn operands_from(&self, inst: &Inst, i: usize) -> &[u32] {
        self.operands(inst).get(i..).unwrap_or_default()
    }

    /// Operand word `i` reinterpreted as an id reference (same bits as `operand`).
    pub fn string(&self, inst: &Inst, i: usize) -> String {
        let bytes = self.operands_from(inst, i).iter().flat_map(|w| w.to_le_bytes());
        String::from_utf8_lossy(&bytes.take_while(|&b| b != 0).collect::<Vec<_>>()).into_owned()
    }

    /// The instruction at index `i`.
    pub fn inst(&self, i: usize) -> &Inst {
        &self.insts[i]
    }

    /// The instruction that defines `id`.
    pub fn def(&self, id: u32) -> Option<&Inst> {
        match self.defs.get(id as usize) {
            Some(&n) if n > 0 => self.insts.get(n as usize - 1),
            _ => None,
        }
    }

    /// Result type of `id`.
    pub fn type_of(&self, id: u32) -> Result<u32> {
        match self.def(id) {
            Some(inst) if inst.ty != 0 => Ok(inst.ty),
            _ => Err(Error::invalid(format!("id %{id} has no type"))),
        }
    }

    /// The type with this id.
    pub fn ty(&self, id: u32) -> Result<&Type> {
        self.types.get(&id).ok_or_else(|| Error::invalid(format!("id %{id} is not a type")))
    }

    /// A function with a body.
    pub fn function(&self, id: u32) -> Result<&Function> {
        self.functions
            .get(&id)
            .ok_or_else(|| Error::invalid(format!("id %{id} is not a function with a body")))
    }

    /// Module-scope variables, in module order.
    pub fn globals(&self) -> &[u32] {
        &self.globals
    }

    /// Extended instruction set of an import.
    pub fn ext_set(&self, id: u32) -> Option<ExtSet> {
        self.ext_sets.get(&id).copied()
    }

    /// The constant decorated as the WorkgroupSize built-in.
    pub fn workgroup_size(&self) -> Option<u32> {
        let is = |d: &Deco| *d == (Decoration::BuiltIn, spirv::BuiltIn::WorkgroupSize as u32);
        let found = self.decos.iter().filter(|(_, decos)| decos.iter().any(is)).map(|(&id, _)| id);
        found.filter(|&id| self.def(id).is_some_and(|d| d.op.is_constant())).min()
    }

    /// Name of an id, empty if it has none.
    pub fn name(&self, id: u32) -> &str {
        self.names.get(&id).map_or("", String::as_str)
    }

    /// Name of a struct member, empty if it has none.
    pub fn member_name(&self, id: u32, member: u32) -> &str {
        self.member_names.get(&(id, member)).map_or("", String::as_str)
    }

    /// Decorations of an id.
    pub fn decos(&self, id: u32) -> &[Deco] {
        self.decos.get(&id).map_or(&[], |d| d)
    }

    /// Decorations of a struct member.
    pub fn member_decos(&self, id: u32, member: u32) -> &[Deco] {
        self.member_decos.get(&(id, member)).map_or(&[], |d| d)
    }

    /// First literal of a decoration of an id.
    pub fn deco(&self, id: u32, which: Decoration) -> Option<u32> {
        self.decos(id).iter().find(|d| d.0 == which).map(|d| d.1)
    }

    /// First literal of a decoration of a struct member.
    pub fn member_deco(&self, id: u32, member: u32, which: Decoration) -> Option<u32> {
        self.member_decos(id, member).iter().find(|d| d.0 == which).map(|d| d.1)
    }

    /// Where an instruction is, for errors.
    pub fn place(&self, inst: &Inst) -> Place {
        Place {
            instruction: Some(grammar::op_name(inst.op as u32)),
            id: (inst.id != 0).then_some(inst.id),
            word: Some(inst.at as usize),
            file: self.source_file.clone().filter(|_| inst.line != 0),
            line: (inst.line != 0).then_some(inst.line),
        }
    }

    /// An `Invalid` at an instruction.
    pub fn invalid(&self, inst: &Inst, message: impl Into<String>) -> Error {
        Error::invalid(message).at(self.place(inst))
    }

    /// An `Unsupported` at an instruction.
    pub fn unsupported(&self, inst: &Inst, what: impl Into<String>) -> Error {
        Error::unsupported(what).at(self.place(inst))
    }

    /// Words to instructions; defines ids and lines.
    fn split(&mut self) -> Result<()> {
        let mut at = 5;
        let mut line = 0;
        let mut debug_sets: SmallVec<[u32; 2]> = SmallVec::new();
        while at < self.words.len() {
            let (count, opcode) = ((self.words[at] >> 16) as usize, self.words[at] & 0xffff);
            let here =
                |instruction: Option<String>| Place { instruction, word: Some(at), ..Place::default() };
            let Some(row) = grammar::instruction(opcode) else {
                return Err(Error::invalid(format!("unknown opcode {opcode}")).at(here(None)));
            };
            let named = || here(Some(format!("Op{}", row.opname)));
            if count == 0 || at + count > self.words.len() {
                return Err(Error::invalid("instruction reaches past the end of the module").at(named()));
            }
            let (has_type, has_result, least) = grammar::shape(row);
            let fixed = 1 + usize::from(has_type) + usize::from(has_result);
            if count < fixed + least {
                return Err(Error::invalid("operands are missing").at(named()));
            }
            let ty = if has_type { self.words[at + 1] } else { 0 };
            let id = if has_result { self.words[at + fixed - 1] } else { 0 };
            let inst = Inst {
                op: row.opcode,
                at: at as u32,
                first: (at + fixed) as u32,
                end: (at + count) as u32,
                ty,
                id,
                line,
            };
            match row.opcode {
                Op::Line => line = self.words[at + 2],
                Op::NoLine | Op::FunctionEnd => line = 0,
                Op::ExtInstImport if self.string(&inst, 0).starts_with("NonSemantic.Shader.DebugInfo") => {
                    debug_sets.push(id);
                }
                // DebugLine: Source, Line Start, ...; its operands are ids of constants.
                Op::ExtInst
                    if count >= 7
                        && debug_sets.contains(&self.words[at + 3])
                        && self.words[at + 4] == 103 =>
                {
                    line = self.constant_word(self.words[at + 6]).unwrap_or(line);
                }
                _ => {}
            }
            if has_result {
                if id == 0 || id >= self.bound {
                    return Err(Error::invalid(format!("result id {id} is not below the bound")).at(named()));
                }
                if self.defs[id as usize] != 0 {
                    return Err(Error::invalid(format!("id %{id} is defined twice")).at(named()));
                }
                self.defs[id as usize] = self.insts.len() as u32 + 1;
            }
            if has_type && self.def(ty).is_none_or(|d| !d.op.is_type()) {
                return Err(Error::invalid(format!("result type %{ty} is not a type")).at(named()));
            }
            // The line of a block's terminator does not reach into the next block.
            if is_terminator(row.opcode) {
                line = 0;
            }
            self.insts.push(inst);
            at += count;
        }
        Ok(())
    }

    /// Literal of an already seen 32-bit OpConstant.
    fn constant_word(&self, id: u32) -> Option<u32> {
        let inst = self.def(id)?;
        (inst.op == Op::Constant).then(|| self.operands(inst).first().copied())?
    }

    /// Everything before the functions.
    fn sections(&mut self) -> Result<()> {
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
        self.apply_groups();
        Ok(())
    }

    fn global_inst(&mut self, inst: &Inst) -> Result<()> {
        let o: SmallVec<[u32; 8]> = self.operands(inst).iter().copied().take(8).collect();
        match inst.op {
            Op::Capability => {
                let Some(capability) = Capability::from_u32(o[0]) else {
                    return Err(self.unsupported(inst, format!("capability {}", o[0])));
                };
                if !ops::CAPABILITIES.contains(&capability) {
                    return Err(self.unsupported(inst, format!("capability {capability:?}")));
                }
                self.capabilities.push(capability);
            }
            Op::ExtInstImport => {
                let name = self.string(inst, 0);
                let set = match name.as_str() {
                    "GLSL.std.450" => ExtSet::Glsl,
                    n if n.starts_with("NonSemantic.Shader.DebugInfo") => ExtSet::ShaderDebug,
                    n if n.starts_with("NonSemantic.") || n.contains("DebugInfo") => ExtSet::NonSemantic,
                    _ => return Err(self.unsupported(inst, format!("extended instruction set {name}"))),
                };
                self.ext_sets.insert(inst.id, set);
            }
            Op::MemoryModel if o[0] != spirv::AddressingModel::Logical as u32 => {
                return Err(self.unsupported(inst, "addressing model other than Logical"));
            }
            Op::EntryPoint => self.entry_point(inst)?,
            Op::ExecutionMode | Op::ExecutionModeId => {
                let Some(mode) = ExecutionMode::from_u32(o[1]) else {
                    return Err(self.invalid(inst, format!("unknown execution mode {}", o[1])));
                };
                let args: SmallVec<[u32; 3]> = o[2..].iter().copied().take(3).collect();
                for entry in self.entry_points.iter_mut().filter(|e| e.function == o[0]) {
                    entry.modes.push((mode, args.clone()));
                }
            }
            Op::Source if o.len() > 2 => {
                self.source_file = self.def(o[2]).filter(|d| d.op == Op::String).map(|d| self.string(d, 0));
            }
            Op::Name => {
                let name = self.string(inst, 1);
                self.names.insert(o[0], name);
            }
            Op::MemberName => {
                let name = self.string(inst, 2);
                self.member_names.insert((o[0], o[1]), name);
            }
            Op::Decorate => {
                if let Some(decoration) = Decoration::from_u32(o[1]) {
                    self.decos.entry(o[0]).or_default().push((decoration, o.get(2).copied().unwrap_or(0)));
                }
            }
            Op::MemberDecorate => {
                if let Some(decoration) = Decoration::from_u32(o[2]) {
                    let literal = o.get(3).copied().unwrap_or(0);
                    self.member_decos.entry((o[0], o[1])).or_default().push((decoration, literal));
                }
            }
            Op::Variable => {
                self.check_pointer(inst)?;
                self.globals.push(inst.id);
            }
            op if op.is_type() => self.type_inst(inst)?,
            op if op.is_constant() || op == Op::Undef => {
                self.ty(inst.ty).map_err(|e| e.at(self.place(inst)))?;
            }
            Op::Label | Op::FunctionParameter => return Err(self.invalid(inst, "outside of a function")),
            _ => {}
        }
        Ok(())
    }

    fn check_pointer(&self, inst: &Inst) -> Result<()> {
        match self.types.get(&inst.ty) {
            Some(Type::Pointer { .. }) => Ok(()),
            _ => Err(self.invalid(inst, "type of a variable is not a pointer")),
        }
    }

    fn entry_point(&mut self, inst: &Inst) -> Result<()> {
        let (model, function) = (self.operand(inst, 0)?, self.operand(inst, 1)?);
        let name = self.string(inst, 2);
        let after = 2 + name.len() / 4 + 1;
        let interface = self.operands_from(inst, after).to_vec();
        let stage = match spirv::ExecutionModel::from_u32(model) {
            Some(spirv::ExecutionModel::Vertex) => ir::Stage::Vertex,
            Some(spirv::ExecutionModel::TessellationControl) => ir::Stage::TessellationControl,
            Some(spirv::ExecutionModel::TessellationEvaluation) => ir::Stage::TessellationEvaluation,
            Some(spirv::ExecutionModel::Geometry) => ir::Stage::Geometry,
            Some(spirv::ExecutionModel::Fragment) => ir::Stage::Fragment,
            Some(spirv::ExecutionModel::GLCompute) => ir::Stage::Compute,
            Some(other) => return Err(self.unsupported(inst, format!("execution model {other:?}"))),
            None => return Err(self.invalid(inst, format!("unknown execution model {model}"))),
        };
        if self.entry_points.iter().any(|e| e.name == name && e.stage == stage) {
            return Err(self.invalid(inst, format!("two entry points '{name}' of the same stage")));
        }
        self.entry_points.push(EntryPoint { name, stage, function, interface, modes: Vec::new() });
        Ok(())
    }

    fn type_inst(&mut self, inst: &Inst) -> Result<()> {
        let o = self.operands(inst);
        let known = |id: u32| match self.types.get(&id) {
            Some(t) => Ok(t),
            None => Err(self.invalid(inst, format!("type %{id} is not defined before"))),
        };
        // The type of something that has values.
        let data = |id: u32| match known(id)? {
            Type::Void | Type::Function { .. } => {
                Err(self.invalid(inst, format!("type %{id} has no values")))
            }
            t => Ok(t),
        };
        let ty = match inst.op {
            Op::TypeVoid => Type::Void,
            Op::TypeBool => Type::Bool,
            Op::TypeInt if matches!(o[0], 8 | 16 | 32 | 64) => Type::Int { bits: o[0], signed: o[1] != 0 },
            Op::TypeFloat if matches!(o[0], 16 | 32 | 64) && o.len() == 1 => Type::Float { bits: o[0] },
            Op::TypeVector => {
                if !known(o[0])?.is_scalar() || !(2..=4).contains(&o[1]) {
                    return Err(self.invalid(inst, "vectors are of 2 to 4 scalars"));
                }
                Type::Vector { elem: o[0], n: o[1] }
            }
            Op::TypeMatrix => match known(o[0])? {
                Type::Vector { elem, n } if (2..=4).contains(&o[1]) && known(*elem)?.is_float() => {
                    Type::Matrix { elem: *elem, column: o[0], rows: *n, columns: o[1] }
                }
                _ => return Err(self.invalid(inst, "matrices have 2 to 4 columns of floats")),
            },
            Op::TypeArray => {
                data(o[0])?;
                if self.def(o[1]).is_none_or(|d| !d.op.is_constant()) {
                    return Err(self.invalid(inst, "array length is not a constant"));
                }
                Type::Array { elem: o[0], len: o[1] }
            }
            Op::TypeRuntimeArray => {
                data(o[0])?;
                Type::RuntimeArray { elem: o[0] }
            }
            Op::TypeStruct => {
                for &m in o {
                    data(m)?;
                }
                Type::Struct { members: o.into() }
            }
            Op::TypePointer => match spirv::StorageClass::from_u32(o[0]) {
                Some(class) => Type::Pointer { class, pointee: o[1] },
                None => return Err(self.invalid(inst, "unknown storage class")),
            },
            Op::TypeFunction => Type::Function { ret: o[0], params: o[1..].into() },
            Op::TypeSampler => Type::Sampler,
            Op::TypeSampledImage => match known(o[0])? {
                Type::Image(_) => Type::SampledImage { image: o[0] },
                _ => return Err(self.invalid(inst, "sampled image of what is not an image")),
            },
            Op::TypeImage => {
                let Some(dim) = spirv::Dim::from_u32(o[1]) else {
                    return Err(self.invalid(inst, "unknown image dimension"));
                };
                if !matches!(known(o[0])?, Type::Void | Type::Int { .. } | Type::Float { .. }) {
                    return Err(self.invalid(inst, "sampled type is not a number"));
                }
                Type::Image(ImageType {
                    sampled_type: o[0],
                    dim,
                    depth: o[2] == 1,
                    arrayed: o[3] != 0,
                    multisampled: o[4] != 0,
                    sampled: o[5],
                    format: o[6],
                })
            }
            Op::TypeForwardPointer => return Ok(()),
            _ => return Err(self.unsupported(inst, grammar::op_name(inst.op as u32))),
        };
        let inner = |id: &u32| self.depths.get(id).copied().unwrap_or(0);
        let depth = 1 + match &ty {
            Type::Array { elem, .. } | Type::RuntimeArray { elem } => inner(elem),
            Type::Struct { members } => members.iter().map(inner).max().unwrap_or(0),
            _ => 0,
        };
        if depth > types::MAX_DEPTH {
            return Err(Error::Limit(format!("types nested deeper than {}", types::MAX_DEPTH)));
        }
        self.depths.insert(inst.id, depth);
        self.types.insert(inst.id, ty);
        Ok(())
    }

    /// Decoration groups: copies their decorations to the targets.
    fn apply_groups(&mut self) {
        for i in 0..self.insts.len() {
            let inst = self.insts[i];
            if !matches!(inst.op, Op::GroupDecorate | Op::GroupMemberDecorate) {
                continue;
            }
            let operands = self.operands(&inst).to_vec();
            let Some(decos) = self.decos.get(&operands[0]).cloned() else { continue };
            if inst.op == Op::GroupDecorate {
                for &target in &operands[1..] {
                    self.decos.entry(target).or_default().extend(decos.iter().copied());
                }
            } else {
                for pair in operands[1..].chunks_exact(2) {
                    self.member_decos.entry((pair[0], pair[1])).or_default().extend(decos.iter().copied());
                }
            }
        }
    }

    fn find_functions(&mut self) -> Result<()> {
        let mut i = 0;
        while i < self.insts.len() {
            if self.insts[i].op == Op::Function {
                let (function, next) = self.read_function(i)?;
                if !function.blocks.is_empty() {
                    self.functions.insert(function.id, function);
                }
                i = next;
            } else {
                i += 1;
            }
        }
        for entry in &self.entry_points {
            let function = self.function(entry.function)?;
            if !function.params.is_empty() || !matches!(self.ty(function.ret)?, Type::Void) {
                return Err(Error::invalid(format!("entry point '{}' takes or returns values", entry.name)));
            }
        }
        Ok(())
    }

    /// Reads the function at instruction `start`; returns it and the index after its end.
    fn read_function(&self, start: usize) -> Result<(Function, usize)> {
        let head = self.insts[start];
        let mut function = Function {
            id: head.id,
            ret: head.ty,
            params: Vec::new(),
            blocks: Vec::new(),
            by_label: FxHashMap::default(),
        };
        let mut open: Option<Block> = None;
        for i in start + 1..self.insts.len() {
            let inst = self.insts[i];
            match inst.op {
                Op::FunctionEnd => {
                    if open.is_some() {
                        return Err(self.invalid(&inst, "block without a terminator"));
                    }
                    return Ok((function, i + 1));
                }
                Op::Function => return Err(self.invalid(&inst, "function inside a function")),
                Op::FunctionParameter if function.blocks.is_empty() && open.is_none() => {
                    function.params.push((inst.id, inst.ty));
                }
                Op::Line | Op::NoLine | Op::Nop if open.is_none() => {}
                Op::ExtInst if open.is_none() => {}
                Op::Label => {
                    if open.is_some() {
                        return Err(self.invalid(&inst, "block without a terminator before this label"));
                    }
                    open = Some(Block { label: inst.id, body: i + 1..i + 1, merge: None, end: 0 });
                }
                op if is_terminator(op) => {
                    let Some(mut block) = open.take() else {
                        return Err(self.invalid(&inst, "terminator outside of a block"));
                    };
                    block.end = i;
                    if block.merge.is_none() {
                        block.body.end = i;
                    }
                    function.by_label.insert(block.label, function.blocks.len());
                    function.blocks.push(block);
                }
                _ => {
                    let Some(block) = &mut open else {
                        return Err(self.invalid(&inst, "instruction outside of a block"));
                    };
                    let merge = match inst.op {
                        Op::SelectionMerge => Merge::Selection(self.operand(&inst, 0)?),
                        Op::LoopMerge => Merge::Loop(self.operand(&inst, 0)?, self.operand(&inst, 1)?),
                        Op::Line | Op::NoLine => continue,
                        _ if block.merge.is_some() => {
                            return Err(self.invalid(&inst, "instruction between a merge and its branch"));
                        }
                        Op::Variable => {
                            self.check_pointer(&inst)?;
                            continue;
                        }
                        _ => continue,
                    };
                    if block.merge.replace(merge).is_some() {
                        return Err(self.invalid(&inst, "two merge instructions in a block"));
                    }
                    block.body.end = i;
                }
            }
        }
        Err(self.invalid(&head, "function without an end"))
    }

    fn find_spec_constants(&mut self) -> Result<()> {
        let mut list = Vec::new();
        let mut consts = Types::new(self, &[]);
        for inst in &self.insts {
            if !matches!(inst.op, Op::SpecConstant | Op::SpecConstantTrue | Op::SpecConstantFalse) {
                continue;
            }
            let Some(spec_id) = self.deco(inst.id, Decoration::SpecId) else { continue };
            let ty = match self.ty(inst.ty)?.scalar() {
                Some(ty) => ty,
                None => return Err(self.invalid(inst, "type of a specialization constant is not a scalar")),
            };
            let default_bits = consts.const_scalar(inst.id)?;
            list.push(SpecConstant {
                spec_id,
                ty,
                default_bits,
                name: self.name(inst.id).to_owned(),
                id: inst.id,
            });
        }
        self.spec_constants = list;
        Ok(())
    }
}

/// True for instructions that end a block.
pub fn is_terminator(op: Op) -> bool {
    rspirv::grammar::reflect::is_block_terminator(op)
}
