//! Parses the words of a module into tables, and makes the checks that lowering relies on.
//!
//! Every instruction keeps its word offset and source line. Checked here: the header, word counts, result ids (in
//! range, defined once), operand counts, the type section, the block structure of functions, capabilities. Left to
//! lowering: operand types, control flow, uses of ids. Decorations of ids that are never defined are harmless and kept.

mod functions;
mod rules;
mod sections;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use spirv::{Capability, Decoration, ExecutionMode, Op};

use super::imports::Import;
use super::types::{self, Type};
use super::{grammar, newer};
use crate::error::{Error, Place, Result};
use crate::ir;

/// Largest id bound. Spec: SPIR-V, 2.17 Universal Limits.
pub const MAX_BOUND: u32 = 0x3f_ffff;
/// Largest module, in words.
pub const MAX_WORDS: usize = 1 << 26;

/// Major and minor version of accepted modules: SPIR-V 1.0 to 1.6.
const VERSIONS: std::ops::RangeInclusive<u32> = 0x100..=0x106;

/// Tool number of naga. naga writes the number into the half of the generator word that the registry reserves for the
/// version. Spec: SPIR-V registry, spir-v.xml, "SPIR-V Tools".
const NAGA: u32 = 28;

/// An instruction: its location in the module, and the ids that it defines.
#[derive(Clone, Copy, Debug)]
pub struct Inst {
    /// Opcode.
    pub op: Op,
    /// Word offset of its first word.
    pub at: u32,
    /// Word offset of its first operand after result type and result.
    pub first: u32,
    /// Word offset one past its last word.
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
    /// Execution modes, each with its literal or id operands.
    pub modes: Vec<(ExecutionMode, SmallVec<[u32; 3]>)>,
}

/// A specialization constant that carries a SpecId.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpecConstant {
    /// SpecId.
    pub spec_id: u32,
    /// Type.
    pub ty: ir::Ty,
    /// Bits of the default value.
    pub default_bits: u64,
    /// Name from OpName.
    pub name: String,
    /// Result id.
    pub id: u32,
}

/// Declaration of a selection or loop header.
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
    /// Range of the module's instructions, without label, merge and terminator.
    pub body: std::ops::Range<usize>,
    /// Merge instruction.
    pub merge: Option<Merge>,
    /// Index of the terminator among the module's instructions.
    pub end: usize,
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    /// Id of its OpFunction.
    pub id: u32,
    /// Return type id.
    pub ret: u32,
    /// Parameters: id, type id.
    pub params: Vec<(u32, u32)>,
    /// Blocks, entry first.
    pub blocks: Vec<Block>,
    /// Index of each block, by label id.
    pub by_label: FxHashMap<u32, usize>,
}

/// An extended instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtSet {
    /// GLSL.std.450.
    Glsl,
    /// OpenCL.std.
    OpenCl,
    /// NonSemantic.Shader.DebugInfo.100.
    ShaderDebug,
    /// NonSemantic.DebugPrintf.
    DebugPrintf,
    /// Any other NonSemantic set, which is ignored.
    NonSemantic,
}

/// A decoration and its first literal (0 if it has none).
pub type Deco = (Decoration, u32);

/// A parsed module.
#[derive(Clone, Debug)]
pub struct Module {
    words: Box<[u32]>,
    bound: u32,
    pub(super) insts: Vec<Inst>,
    defs: Vec<u32>,
    names: FxHashMap<u32, String>,
    member_names: FxHashMap<(u32, u32), String>,
    decos: FxHashMap<u32, SmallVec<[Deco; 4]>>,
    member_decos: FxHashMap<(u32, u32), SmallVec<[Deco; 4]>>,
    types: FxHashMap<u32, Type>,
    depths: FxHashMap<u32, u32>,
    entry_points: Vec<EntryPoint>,
    entry_names: FxHashSet<(String, ir::Stage)>,
    /// Indices of entry points, by the id of their function.
    entries_of: FxHashMap<u32, Vec<usize>>,
    n_modes: usize,
    functions: FxHashMap<u32, Function>,
    /// Functions without a body that are known by their names.
    imports: FxHashMap<u32, Import>,
    pub(super) spec_constants: Vec<SpecConstant>,
    ext_sets: FxHashMap<u32, ExtSet>,
    capabilities: Vec<Capability>,
    /// Numbers of capabilities that the bindings lack.
    newer_capabilities: Vec<u32>,
    globals: Vec<u32>,
    source_file: Option<String>,
    /// Source language, if an OpSource states one.
    source_language: Option<u32>,
    /// Ids that OpTypeForwardPointer declares.
    forward_pointers: FxHashSet<u32>,
    /// Types that hold floats of 4 or 6 bits.
    of_part_bytes: FxHashSet<u32>,
    /// `true` if the memory model is OpenCL.
    kernels: bool,
}

/// A map with capacity for a small module, to avoid repeated growth.
fn small<V>() -> FxHashMap<u32, V> {
    FxHashMap::with_capacity_and_hasher(28, Default::default())
}

impl Module {
    /// Parses and checks a module.
    ///
    /// # Errors
    /// `Invalid` with the word offset for malformed modules, `Unsupported` for capabilities and extended instruction
    /// sets that are not supported.
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
        if !VERSIONS.contains(&(version >> 8)) {
            return invalid("version is not one of SPIR-V 1.0 to 1.6");
        }
        if words[4] != 0 {
            return invalid("instruction schema is not 0");
        }
        if bound == 0 || bound > MAX_BOUND {
            return Err(Error::invalid(format!("id bound {bound} is not in 1..={MAX_BOUND}")));
        }
        let mut module = Module {
            words: words.into(),
            bound,
            insts: Vec::with_capacity(words.len() / 4),
            defs: vec![0; bound as usize],
            names: small(),
            member_names: FxHashMap::default(),
            decos: small(),
            member_decos: FxHashMap::default(),
            types: small(),
            depths: small(),
            entry_points: Vec::new(),
            entry_names: FxHashSet::default(),
            entries_of: FxHashMap::default(),
            n_modes: 0,
            functions: FxHashMap::default(),
            imports: FxHashMap::default(),
            spec_constants: Vec::new(),
            ext_sets: FxHashMap::default(),
            capabilities: Vec::new(),
            newer_capabilities: Vec::new(),
            globals: Vec::new(),
            source_file: None,
            source_language: None,
            forward_pointers: FxHashSet::default(),
            of_part_bytes: FxHashSet::default(),
            kernels: false,
        };
        module.split()?;
        module.sections()?;
        module.find_functions()?;
        module.find_spec_constants()?;
        module.check_rules()?;
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

    /// The module's words, in host byte order.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// Capabilities that the module declares.
    pub fn capabilities(&self) -> &[Capability] {
        &self.capabilities
    }

    /// Names of the capabilities that the module declares.
    pub fn capability_names(&self) -> impl Iterator<Item = String> {
        let newer = self.newer_capabilities.iter().map(|&number| newer::capability_name(number));
        self.capabilities.iter().map(|c| format!("{c:?}")).chain(newer)
    }

    /// `true` if the module declares a capability that the bindings lack.
    pub fn declares_newer(&self, number: u32) -> bool {
        self.newer_capabilities.contains(&number)
    }

    /// `true` if the module declares the Vulkan memory model.
    pub fn is_vulkan_memory_model(&self) -> bool {
        let declared = self.insts.iter().find(|inst| inst.op == Op::MemoryModel);
        declared.is_some_and(|inst| self.operands(inst).get(1) == Some(&(spirv::MemoryModel::Vulkan as u32)))
    }

    /// `true` if the memory model is OpenCL: the entry points are kernels, and pointers are addresses.
    pub fn has_kernels(&self) -> bool {
        self.kernels
    }

    /// `true` for types that hold floats of 4 or 6 bits, which have no place in memory with a layout.
    pub fn is_of_part_bytes(&self, ty: u32) -> bool {
        self.of_part_bytes.contains(&ty)
    }

    /// `true` if the module was compiled from WGSL: by its OpSource, or without one, by the generator in the header.
    /// WGSL defines more than SPIR-V does, and its compilers leave part of that to the device.
    pub fn is_wgsl(&self) -> bool {
        match self.source_language {
            Some(language) => language == spirv::SourceLanguage::WGSL as u32,
            None => self.words[2] == NAGA || self.words[2] >> 16 == NAGA,
        }
    }

    /// The id bound of the header.
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

    /// The string literal that begins at operand word `i`; invalid UTF-8 is replaced.
    pub fn string(&self, inst: &Inst, i: usize) -> String {
        let bytes = self.operands_from(inst, i).iter().flat_map(|w| w.to_le_bytes());
        String::from_utf8_lossy(&bytes.take_while(|&b| b != 0).collect::<Vec<_>>()).into_owned()
    }

    /// All instructions, in order.
    pub(super) fn insts(&self) -> &[Inst] {
        &self.insts
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

    /// The distinct array strides of the array types with element type `elem`.
    pub fn array_strides(&self, elem: u32) -> impl Iterator<Item = u32> {
        let of = |ty: &Type| matches!(ty, Type::Array { elem: e, .. } | Type::RuntimeArray { elem: e } if *e == elem);
        let arrays = self.types.iter().filter(move |(_, ty)| of(ty));
        let mut strides: SmallVec<[u32; 2]> =
            arrays.filter_map(|(&id, _)| self.deco(id, Decoration::ArrayStride)).collect();
        strides.sort_unstable();
        strides.dedup();
        strides.into_iter()
    }

    /// The function with this id; it must have a body.
    pub fn function(&self, id: u32) -> Result<&Function> {
        self.functions
            .get(&id)
            .ok_or_else(|| Error::invalid(format!("id %{id} is not a function with a body")))
    }

    /// The built-in function that a function without a body stands for.
    pub fn import(&self, id: u32) -> Option<Import> {
        self.imports.get(&id).copied().filter(|_| self.kernels && !self.functions.contains_key(&id))
    }

    /// Module-scope variables, in module order.
    pub fn globals(&self) -> &[u32] {
        &self.globals
    }

    /// `true` if an instruction defines a module-scope variable.
    pub fn is_global(&self, def: &Inst) -> bool {
        let at = |id: &u32| self.def(*id).map_or(0, |d| d.at);
        self.globals.binary_search_by_key(&def.at, at).is_ok()
    }

    /// Storage class of a module-scope variable, and its value type.
    pub fn variable(&self, id: u32) -> Result<(spirv::StorageClass, u32)> {
        match (self.ty(self.type_of(id)?)?, self.def(id)) {
            (Type::Pointer { class, pointee: types::UNTYPED }, Some(def)) => {
                // Heap variables may have no data type.
                Ok((*class, self.operands(def).get(1).copied().unwrap_or(types::UNTYPED)))
            }
            (Type::Pointer { class, pointee } | Type::Address { class, pointee }, _) => {
                Ok((*class, *pointee))
            }
            _ => Err(Error::invalid(format!("type of variable %{id} is not a pointer"))),
        }
    }

    /// Initializer id of a variable.
    pub fn initializer(&self, def: &Inst) -> Option<u32> {
        let at = if def.op == Op::UntypedVariableKHR { 2 } else { 1 };
        self.operands(def).get(at).copied()
    }

    /// The extended instruction set that an OpExtInstImport imports.
    pub fn ext_set(&self, id: u32) -> Option<ExtSet> {
        self.ext_sets.get(&id).copied()
    }

    /// The constant decorated as the WorkgroupSize built-in.
    pub fn workgroup_size(&self) -> Option<u32> {
        let is = |d: &Deco| *d == (Decoration::BuiltIn, spirv::BuiltIn::WorkgroupSize as u32);
        let found = self.decos.iter().filter(|(_, decos)| decos.iter().any(is)).map(|(&id, _)| id);
        found.filter(|&id| self.def(id).is_some_and(|d| grammar::is_constant(d.op))).min()
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

    /// The decoration lists of all ids and members, in unspecified order.
    pub(super) fn all_decorations(&self) -> impl Iterator<Item = &[Deco]> {
        self.decos.values().chain(self.member_decos.values()).map(|d| &d[..])
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

    /// Location of an instruction, for errors.
    pub fn place(&self, inst: &Inst) -> Place {
        Place {
            instruction: Some(grammar::name_of(inst.op)),
            id: (inst.id != 0).then_some(inst.id),
            word: Some(inst.at as usize),
            file: self.source_file.clone().filter(|_| inst.line != 0),
            line: (inst.line != 0).then_some(inst.line),
            ..Place::default()
        }
    }

    /// An `Invalid` error at an instruction.
    pub fn invalid(&self, inst: &Inst, message: impl Into<String>) -> Error {
        Error::invalid(message).at(self.place(inst))
    }

    /// An `Unsupported` error at an instruction.
    pub fn unsupported(&self, inst: &Inst, what: impl Into<String>) -> Error {
        Error::unsupported(what).at(self.place(inst))
    }

    /// Splits the words into instructions, and records result ids and lines.
    fn split(&mut self) -> Result<()> {
        let mut at = 5;
        let mut line = 0;
        let mut debug_sets: FxHashSet<u32> = FxHashSet::default();
        while at < self.words.len() {
            crate::budget::work(1)?;
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
            let (has_type, has_result, least, exact) = grammar::shape(row);
            let fixed = 1 + usize::from(has_type) + usize::from(has_result);
            if count < fixed + least {
                return Err(Error::invalid("operands are missing").at(named()));
            }
            if exact && count > fixed + least {
                return Err(Error::invalid("more operands than the instruction takes").at(named()));
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
                    debug_sets.insert(id);
                }
                Op::ExtInst if debug_sets.contains(&self.words[at + 3]) => match self.words[at + 4] {
                    // DebugLine: Source, Line Start, ...; its operands are ids of constants.
                    103 if count >= 7 => line = self.constant_word(self.words[at + 6]).unwrap_or(line),
                    // DebugNoLine.
                    104 => line = 0,
                    _ => {}
                },
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
            // A line does not carry over from a block's terminator to the next block.
            if grammar::is_terminator(row.opcode) {
                line = 0;
            }
            self.insts.push(inst);
            at += count;
        }
        Ok(())
    }

    /// Literal of a 32-bit OpConstant that has already been parsed.
    fn constant_word(&self, id: u32) -> Option<u32> {
        let inst = self.def(id)?;
        (inst.op == Op::Constant).then(|| self.operands(inst).first().copied())?
    }
}
