//! Facts about a module: the inventory rows that it uses, and for instructions the class of their types.

use std::collections::{BTreeMap, BTreeSet};

use quadrille_jit::spirv::{grammar, newer};
use rspirv::binary::{Consumer, ParseAction, parse_words};
use rspirv::dr::{Instruction, ModuleHeader, Operand};
use rspirv::spirv::{self, Capability, FPEncoding, Op, StorageClass};

/// A table of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Table {
    /// Core and extension instructions, by opcode.
    Instruction,
    /// GLSL.std.450, by number.
    Glsl,
    /// OpenCL.std, by number.
    OpenCl,
    /// Capabilities.
    Capability,
    /// Decorations.
    Decoration,
    /// Built-in variables.
    BuiltIn,
    /// Execution modes.
    Mode,
    /// Storage classes.
    StorageClass,
    /// Image formats of types.
    ImageFormat,
    /// Image operands, by bit.
    ImageOperand,
    /// Dimensions of images.
    Dim,
    /// Another enumeration, with its name.
    Other(&'static str),
}

/// Use of a row by a module.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fact {
    /// Table of the row.
    pub table: Table,
    /// Number of the row in its table.
    pub number: u32,
    /// For instructions: types of the operation, such as `f32x3`, `f16>i32x2` for conversions, `f32m2x3` for matrices.
    /// Empty if the type does not matter.
    pub class: String,
}

#[derive(Default)]
struct Collect {
    list: Vec<Instruction>,
}

impl Consumer for Collect {
    fn initialize(&mut self) -> ParseAction {
        ParseAction::Continue
    }
    fn finalize(&mut self) -> ParseAction {
        ParseAction::Continue
    }
    fn consume_header(&mut self, _: ModuleHeader) -> ParseAction {
        ParseAction::Continue
    }
    fn consume_instruction(&mut self, inst: Instruction) -> ParseAction {
        self.list.push(inst);
        ParseAction::Continue
    }
}

/// A type, with the distinctions that classes make.
#[derive(Clone, Debug)]
enum Kind {
    Scalar(String),
    Vector(String, u32),
    Matrix(String, u32, u32),
    Pointer(u32, u32),
    Image(u32, u32),
    Struct(Vec<u32>),
    Other,
}

/// Uses of a module, each with the word offsets of its instructions.
pub type Facts = BTreeMap<Fact, Vec<u32>>;

/// Collects the uses of a module.
///
/// # Errors
/// The error of `rspirv` for the words.
pub fn facts(words: &[u32]) -> Result<Facts, String> {
    let mut collect = Collect::default();
    let mut reader = Reader::default();
    parse_words(reader.without_literals(words), &mut collect).map_err(|e| e.to_string())?;
    let at = std::mem::take(&mut reader.offsets);
    for (inst, at) in collect.list.iter().zip(at) {
        reader.at = at;
        reader.inst(inst);
    }
    for (c, at) in std::mem::take(&mut reader.declared) {
        if reader.needed.contains(&c) || DECLARED_IS_USED.iter().any(|d| *d as u32 == c) {
            reader.at = at;
            reader.add(Table::Capability, c, String::new());
        }
    }
    Ok(reader.out)
}

/// Capabilities whose use no single instruction or operand shows: their declaration counts as use.
const DECLARED_IS_USED: &[Capability] = &[
    Capability::Matrix,
    Capability::Shader,
    Capability::TessellationPointSize,
    Capability::GeometryPointSize,
    Capability::BFloat16DotProductKHR,
    Capability::BFloat16CooperativeMatrixKHR,
    Capability::Float8CooperativeMatrixEXT,
    Capability::UniformBufferArrayDynamicIndexing,
    Capability::SampledImageArrayDynamicIndexing,
    Capability::StorageBufferArrayDynamicIndexing,
    Capability::StorageImageArrayDynamicIndexing,
    Capability::InputAttachmentArrayDynamicIndexing,
    Capability::UniformTexelBufferArrayDynamicIndexing,
    Capability::StorageTexelBufferArrayDynamicIndexing,
    Capability::UniformBufferArrayNonUniformIndexing,
    Capability::SampledImageArrayNonUniformIndexing,
    Capability::StorageBufferArrayNonUniformIndexing,
    Capability::StorageImageArrayNonUniformIndexing,
    Capability::InputAttachmentArrayNonUniformIndexing,
    Capability::UniformTexelBufferArrayNonUniformIndexing,
    Capability::StorageTexelBufferArrayNonUniformIndexing,
    Capability::RuntimeDescriptorArray,
    Capability::ImageCubeArray,
    Capability::SampledCubeArray,
    Capability::ImageMSArray,
    Capability::StorageImageMultisample,
    Capability::StorageImageReadWithoutFormat,
    Capability::StorageImageWriteWithoutFormat,
    Capability::Int64ImageEXT,
    Capability::ImageReadWrite,
    Capability::ImageMipmap,
    Capability::Image1D,
    Capability::DotProductInput4x8BitPacked,
    Capability::DotProductInputAll,
    Capability::DotProductInput4x8Bit,
    Capability::VulkanMemoryModelDeviceScope,
    Capability::VariablePointers,
    Capability::VariablePointersStorageBuffer,
    Capability::WorkgroupMemoryExplicitLayoutKHR,
    Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR,
    Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR,
];

#[derive(Default)]
struct Reader {
    out: Facts,
    /// Word offset of each instruction that `rspirv` reads, and the index of the current one.
    offsets: Vec<u32>,
    at: u32,
    types: BTreeMap<u32, Kind>,
    values: BTreeMap<u32, u32>,
    constants: BTreeMap<u32, u32>,
    glsl: BTreeSet<u32>,
    opencl: BTreeSet<u32>,
    declared: BTreeMap<u32, u32>,
    needed: BTreeSet<u32>,
}

impl Reader {
    /// Removes what `rspirv` cannot read: each OpSpecConstantOp with literals, or with another number of indices than one,
    /// and what is newer.
    fn without_literals(&mut self, words: &[u32]) -> Vec<u32> {
        let (head, mut rest) = words.split_at(words.len().min(5));
        let mut out = head.to_vec();
        self.at = head.len() as u32;
        while let Some(&first) = rest.first() {
            let (inst, tail) = rest.split_at(((first >> 16) as usize).clamp(1, rest.len()));
            let inner = inst.get(3).and_then(|op| Op::from_u32(*op));
            let number = first & 0xffff;
            match (number == Op::SpecConstantOp as u32, inner) {
                _ if grammar::instruction(number).is_some() && Op::from_u32(number).is_none() => {
                    self.add(Table::Instruction, number, String::new());
                }
                _ if number == Op::Capability as u32 && newer::CAPABILITIES.contains(&inst[1]) => {
                    self.add(Table::Capability, inst[1], String::new());
                }
                _ if number == Op::Decorate as u32
                    && newer::decoration(inst[2]).is_some_and(|d| d as u32 != inst[2]) =>
                {
                    self.add(Table::Decoration, inst[2], String::new());
                }
                _ if number == Op::Decorate as u32 && inst[2] == newer::UTF_ENCODED => {}
                _ if number == Op::TypeFloat as u32
                    && inst.get(3).is_some_and(|&encoding| FPEncoding::from_u32(encoding).is_none()) =>
                {
                    self.types.insert(inst[1], Kind::Scalar(format!("f{}", inst[2])));
                }
                (
                    true,
                    Some(
                        Op::VectorShuffle
                        | Op::CompositeExtract
                        | Op::CompositeInsert
                        | Op::AccessChain
                        | Op::InBoundsAccessChain
                        | Op::PtrAccessChain
                        | Op::InBoundsPtrAccessChain,
                    ),
                ) => {
                    self.add(Table::Instruction, Op::SpecConstantOp as u32, String::new());
                    self.add(Table::Other("SpecConstantOp"), inst[3], String::new());
                }
                _ => {
                    self.offsets.push(self.at);
                    out.extend_from_slice(inst);
                }
            }
            self.at += inst.len() as u32;
            rest = tail;
        }
        out
    }

    /// Records the capabilities that an instruction needs.
    fn needs(&mut self, inst: &Instruction, class: &str) {
        // An instruction with several capabilities needs one of them, which depends on its type.
        if let [one] = inst.class.capabilities {
            self.needed.insert(*one as u32);
        } else if !format!("{:?}", inst.class.opcode).starts_with("AtomicF") {
            self.needed.extend(inst.class.capabilities.iter().map(|c| *c as u32));
        }
        for operand in &inst.operands {
            self.needed.extend(operand.required_capabilities().iter().map(|c| *c as u32));
        }
        use Capability as C;
        let list: &[Capability] = match inst.class.opcode {
            Op::Load | Op::Store => {
                let pointer = inst.operands.first().and_then(Operand::id_ref_any).unwrap_or(0);
                let pointer = self.values.get(&pointer).and_then(|ty| self.types.get(ty));
                let Some(Kind::Pointer(at, _)) = pointer else { return };
                let bits = class.split('x').next().unwrap_or("").get(1..).unwrap_or("");
                match (StorageClass::from_u32(*at), bits) {
                    (Some(StorageClass::StorageBuffer), "16") => &[C::StorageBuffer16BitAccess],
                    (Some(StorageClass::Uniform), "16") => &[C::UniformAndStorageBuffer16BitAccess],
                    (Some(StorageClass::PushConstant), "16") => &[C::StoragePushConstant16],
                    (Some(StorageClass::Input | StorageClass::Output), "16") => &[C::StorageInputOutput16],
                    (Some(StorageClass::StorageBuffer), "8") => &[C::StorageBuffer8BitAccess],
                    (Some(StorageClass::Uniform), "8") => &[C::UniformAndStorageBuffer8BitAccess],
                    (Some(StorageClass::PushConstant), "8") => &[C::StoragePushConstant8],
                    _ => &[],
                }
            }
            op => match (format!("{op:?}").starts_with("Atomic"), class) {
                (true, "u64" | "i64") => &[C::Int64Atomics],
                (true, "f16") if op == Op::AtomicFAddEXT => &[C::AtomicFloat16AddEXT],
                (true, "f32") if op == Op::AtomicFAddEXT => &[C::AtomicFloat32AddEXT],
                (true, "f64") if op == Op::AtomicFAddEXT => &[C::AtomicFloat64AddEXT],
                (true, "f16") => &[C::AtomicFloat16MinMaxEXT],
                (true, "f32") => &[C::AtomicFloat32MinMaxEXT],
                (true, "f64") => &[C::AtomicFloat64MinMaxEXT],
                (false, c) if c.contains("f16") => &[C::Float16],
                (false, c) if c.contains("f64") => &[C::Float64],
                (false, c) if c.contains("i64") || c.contains("u64") => &[C::Int64],
                (false, c) if c.contains("i16") || c.contains("u16") => &[C::Int16],
                (false, c) if c.contains("i8") || c.contains("u8") => &[C::Int8],
                _ => &[],
            },
        };
        self.needed.extend(list.iter().map(|c| *c as u32));
    }

    fn add(&mut self, table: Table, number: u32, class: String) {
        let list = self.out.entry(Fact { table, number, class }).or_default();
        if list.last() != Some(&self.at) {
            list.push(self.at);
        }
    }

    fn ty(&self, id: u32) -> Option<&Kind> {
        self.types.get(&id)
    }

    /// Class of a type. A pointer has the class of its pointee, a structure that of its first member.
    fn class(&self, id: u32) -> String {
        match self.ty(id) {
            Some(Kind::Scalar(s)) => s.clone(),
            Some(Kind::Vector(s, n)) => format!("{s}x{n}"),
            Some(Kind::Matrix(s, c, r)) => format!("{s}m{c}x{r}"),
            Some(Kind::Pointer(_, to)) => self.class(*to),
            Some(Kind::Struct(list)) => list.first().map_or(String::new(), |m| self.class(*m)),
            _ => String::new(),
        }
    }

    /// Class of the value of an operand.
    fn operand(&self, inst: &Instruction, at: usize) -> String {
        match inst.operands.get(at).and_then(Operand::id_ref_any) {
            Some(id) => self.values.get(&id).map_or(String::new(), |ty| self.class(*ty)),
            None => String::new(),
        }
    }

    fn inst(&mut self, inst: &Instruction) {
        let op = inst.class.opcode;
        if let (Some(ty), Some(id)) = (inst.result_type, inst.result_id) {
            self.values.insert(id, ty);
        }
        if let Some(id) = inst.result_id {
            self.define(op, id, inst);
        }
        let result = inst.result_type.map_or(String::new(), |ty| self.class(ty));
        let class = match op {
            Op::FOrdEqual
            | Op::FUnordEqual
            | Op::FOrdNotEqual
            | Op::FUnordNotEqual
            | Op::FOrdLessThan
            | Op::FUnordLessThan
            | Op::FOrdGreaterThan
            | Op::FUnordGreaterThan
            | Op::FOrdLessThanEqual
            | Op::FUnordLessThanEqual
            | Op::FOrdGreaterThanEqual
            | Op::FUnordGreaterThanEqual
            | Op::IEqual
            | Op::INotEqual
            | Op::UGreaterThan
            | Op::SGreaterThan
            | Op::UGreaterThanEqual
            | Op::SGreaterThanEqual
            | Op::ULessThan
            | Op::SLessThan
            | Op::ULessThanEqual
            | Op::SLessThanEqual
            | Op::IsNan
            | Op::IsInf
            | Op::Any
            | Op::All
            | Op::Dot
            | Op::BitCount
            | Op::IAddCarry
            | Op::ISubBorrow
            | Op::UMulExtended
            | Op::SMulExtended
            | Op::VectorExtractDynamic
            | Op::MatrixTimesVector
            | Op::MatrixTimesMatrix
            | Op::Transpose => self.operand(inst, 0),
            Op::SDot | Op::UDot | Op::SUDot | Op::SDotAccSat | Op::UDotAccSat | Op::SUDotAccSat => {
                format!("{}>{result}", self.operand(inst, 0))
            }
            Op::GroupNonUniformAllEqual | Op::VectorTimesMatrix => self.operand(inst, 1),
            Op::ConvertFToU
            | Op::ConvertFToS
            | Op::ConvertSToF
            | Op::ConvertUToF
            | Op::UConvert
            | Op::SConvert
            | Op::FConvert => {
                // The class names the number of components once, in the result.
                let from = self.operand(inst, 0);
                format!("{}>{result}", from.split('x').next().unwrap_or(""))
            }
            Op::Bitcast => format!("{}>{result}", self.operand(inst, 0)),
            Op::Store => self.operand(inst, 1),
            Op::ImageWrite => self.operand(inst, 2),
            Op::AtomicStore => self.operand(inst, 3),
            Op::ExtInst => {
                let set = inst.operands.first().and_then(Operand::id_ref_any).unwrap_or(0);
                if self.glsl.contains(&set)
                    && let Some(Operand::LiteralExtInstInteger(n)) = inst.operands.get(1)
                {
                    use spirv::GlslStd450Op as G;
                    let class = match G::from_u32(*n) {
                        Some(
                            G::PackSnorm4x8
                            | G::PackUnorm4x8
                            | G::PackSnorm2x16
                            | G::PackUnorm2x16
                            | G::PackHalf2x16
                            | G::PackDouble2x32
                            | G::UnpackSnorm4x8
                            | G::UnpackUnorm4x8
                            | G::UnpackSnorm2x16
                            | G::UnpackUnorm2x16
                            | G::UnpackHalf2x16
                            | G::UnpackDouble2x32,
                        ) => String::new(),
                        Some(G::Length | G::Distance | G::Determinant) => self.operand(inst, 2),
                        _ => result.clone(),
                    };
                    let row = rspirv::grammar::GLSL_STD_450_INSTRUCTION_TABLE.lookup_opcode(*n);
                    self.needed.extend(row.into_iter().flat_map(|r| r.capabilities).map(|c| *c as u32));
                    self.add(Table::Glsl, *n, class);
                }
                if self.opencl.contains(&set)
                    && let Some(Operand::LiteralExtInstInteger(n)) = inst.operands.get(1)
                {
                    self.add(Table::OpenCl, *n, result.clone());
                }
                String::new()
            }
            _ => result,
        };
        self.needs(inst, &class);
        self.accesses(op, inst);
        self.add(Table::Instruction, op as u32, class);
        if op == Op::SpecConstantOp
            && let Some(Operand::LiteralSpecConstantOpInteger(inner)) = inst.operands.first()
        {
            self.add(Table::Other("SpecConstantOp"), *inner as u32, String::new());
        }
        for operand in &inst.operands {
            self.enumerant(op, operand);
        }
    }

    /// Records accesses to memory of a storage class, and to images of a dimension and a format.
    fn accesses(&mut self, op: Op, inst: &Instruction) {
        let Some(id) = inst.operands.first().and_then(Operand::id_ref_any) else { return };
        let Some(ty) = self.values.get(&id).copied() else { return };
        let name = format!("{op:?}");
        match self.types.get(&ty) {
            Some(Kind::Pointer(class, _)) if matches!(op, Op::Load | Op::Store | Op::CopyMemory) => {
                let class = *class;
                self.add(Table::Other("access"), class, name);
            }
            Some(Kind::Image(dim, format)) if name.starts_with("Image") => {
                let (dim, format) = (*dim, *format);
                self.add(Table::Other("access dim"), dim, name.clone());
                self.add(Table::Other("access format"), format, name);
            }
            _ => {}
        }
    }

    fn define(&mut self, op: Op, id: u32, inst: &Instruction) {
        let word = |at: usize| match inst.operands.get(at) {
            Some(Operand::LiteralBit32(v)) => *v,
            Some(o) => o.id_ref_any().unwrap_or(0),
            None => 0,
        };
        let scalar = |ty: u32| match self.types.get(&ty) {
            Some(Kind::Scalar(s)) => s.clone(),
            _ => String::new(),
        };
        let kind = match op {
            Op::TypeBool => Kind::Scalar("bool".into()),
            Op::TypeInt => Kind::Scalar(format!("{}{}", if word(1) == 1 { 'i' } else { 'u' }, word(0))),
            Op::TypeFloat => Kind::Scalar(format!("f{}", word(0))),
            Op::TypeVector => Kind::Vector(scalar(word(0)), word(1)),
            Op::TypeVectorIdEXT => {
                let n = self.constants.get(&word(1)).copied().unwrap_or(0);
                Kind::Vector(scalar(word(0)), n)
            }
            Op::TypeMatrix => match self.types.get(&word(0)) {
                Some(Kind::Vector(s, rows)) => Kind::Matrix(s.clone(), word(1), *rows),
                _ => Kind::Other,
            },
            Op::TypePointer => match inst.operands.first() {
                Some(Operand::StorageClass(class)) => Kind::Pointer(*class as u32, word(1)),
                _ => Kind::Other,
            },
            Op::TypeImage => match (inst.operands.get(1), inst.operands.get(6)) {
                (Some(Operand::Dim(dim)), Some(Operand::ImageFormat(format))) => {
                    Kind::Image(*dim as u32, *format as u32)
                }
                _ => Kind::Other,
            },
            Op::TypeSampledImage => match self.types.get(&word(0)) {
                Some(Kind::Image(dim, format)) => Kind::Image(*dim, *format),
                _ => Kind::Other,
            },
            Op::TypeStruct => Kind::Struct(inst.operands.iter().filter_map(Operand::id_ref_any).collect()),
            Op::Constant => {
                self.constants.insert(id, word(0));
                return;
            }
            Op::ExtInstImport => {
                if matches!(inst.operands.first(), Some(Operand::LiteralString(s)) if s == "GLSL.std.450") {
                    self.glsl.insert(id);
                }
                if matches!(inst.operands.first(), Some(Operand::LiteralString(s)) if s == "OpenCL.std") {
                    self.opencl.insert(id);
                }
                return;
            }
            _ => return,
        };
        self.types.insert(id, kind);
    }

    fn enumerant(&mut self, op: Op, operand: &Operand) {
        let none = String::new;
        match operand {
            Operand::Capability(v) => {
                self.declared.insert(*v as u32, self.at);
            }
            Operand::Decoration(v) => self.add(Table::Decoration, *v as u32, none()),
            Operand::BuiltIn(v) => self.add(Table::BuiltIn, *v as u32, none()),
            Operand::ExecutionMode(v) => self.add(Table::Mode, *v as u32, none()),
            Operand::StorageClass(v) => self.add(Table::StorageClass, *v as u32, none()),
            Operand::ImageFormat(v) => self.add(Table::ImageFormat, *v as u32, none()),
            Operand::Dim(v) => self.add(Table::Dim, *v as u32, none()),
            Operand::ImageOperands(v) => {
                for bit in v.iter() {
                    self.add(Table::ImageOperand, bit.bits(), none());
                }
            }
            Operand::SourceLanguage(v) => self.add(Table::Other("SourceLanguage"), *v as u32, none()),
            Operand::ExecutionModel(v) => self.add(Table::Other("ExecutionModel"), *v as u32, none()),
            Operand::AddressingModel(v) => self.add(Table::Other("AddressingModel"), *v as u32, none()),
            Operand::MemoryModel(v) => self.add(Table::Other("MemoryModel"), *v as u32, none()),
            Operand::FPRoundingMode(v) => self.add(Table::Other("FPRoundingMode"), *v as u32, none()),
            Operand::GroupOperation(v) => self.add(Table::Other("GroupOperation"), *v as u32, none()),
            Operand::SamplerAddressingMode(v) => {
                self.add(Table::Other("SamplerAddressingMode"), *v as u32, none());
            }
            Operand::SamplerFilterMode(v) => self.add(Table::Other("SamplerFilterMode"), *v as u32, none()),
            Operand::AccessQualifier(v) => self.add(Table::Other("AccessQualifier"), *v as u32, none()),
            Operand::FPFastMathMode(v) => self.mask("FPFastMathMode", v.bits()),
            Operand::SelectionControl(v) => self.mask("SelectionControl", v.bits()),
            Operand::LoopControl(v) => self.mask("LoopControl", v.bits()),
            Operand::FunctionControl(v) => self.mask("FunctionControl", v.bits()),
            Operand::MemoryAccess(v) => self.mask("MemoryAccess", v.bits()),
            Operand::IdScope(id) => {
                if let Some(v) = self.constants.get(id) {
                    self.add(Table::Other("Scope"), *v, none());
                }
            }
            Operand::IdMemorySemantics(id) => {
                if let Some(v) = self.constants.get(id).copied() {
                    self.mask("MemorySemantics", v);
                }
            }
            _ => {}
        }
        // A memory access without operands counts as `None`.
        if matches!(op, Op::Load | Op::Store) {
            self.add(Table::Other("MemoryAccess"), 0, none());
        }
        if op == Op::ImageWrite || format!("{op:?}").starts_with("ImageSample") {
            self.add(Table::ImageOperand, 0, none());
        }
    }

    fn mask(&mut self, name: &'static str, bits: u32) {
        if bits == 0 {
            self.add(Table::Other(name), 0, String::new());
        }
        for bit in (0..32).map(|b| 1 << b).filter(|b| bits & b != 0) {
            self.add(Table::Other(name), bit, String::new());
        }
    }
}
