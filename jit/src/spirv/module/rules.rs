//! Rules of the specification that are checked once for the whole module, in one pass over its instructions.
//!
//! Leaves to lowering the rules that lowering checks anyway (types of operands, order of definitions, structured
//! control flow). Spec: SPIR-V, 2.4 "Logical Layout of a Module", 2.16 "Validation Rules".

use rustc_hash::FxHashMap;
use spirv::{Decoration, ExecutionMode, Op, StorageClass};

use super::{EntryPoint, Inst, Merge, Module};
use crate::error::{Error, Result};
use crate::ir::Stage;
use crate::spirv::types::Type;
use crate::spirv::{cooperative, grammar, newer};

/// Groups of mutually exclusive decorations.
const EXCLUSIVE: &[&[Decoration]] = &[
    &[Decoration::Flat, Decoration::NoPerspective],
    &[Decoration::Patch, Decoration::Centroid, Decoration::Sample],
    &[Decoration::RowMajor, Decoration::ColMajor],
    &[Decoration::Block, Decoration::BufferBlock],
];

/// Groups of execution modes; a tessellation entry point has at most one mode of each group.
const TESSELLATION_MODES: &[&[ExecutionMode]] = &[
    &[ExecutionMode::SpacingEqual, ExecutionMode::SpacingFractionalEven, ExecutionMode::SpacingFractionalOdd],
    &[ExecutionMode::Triangles, ExecutionMode::Quads, ExecutionMode::Isolines],
    &[ExecutionMode::VertexOrderCw, ExecutionMode::VertexOrderCcw],
];

/// Groups of execution modes; a geometry entry point has exactly one mode of each group.
const GEOMETRY_MODES: &[&[ExecutionMode]] = &[
    &[
        ExecutionMode::InputPoints,
        ExecutionMode::InputLines,
        ExecutionMode::InputLinesAdjacency,
        ExecutionMode::Triangles,
        ExecutionMode::InputTrianglesAdjacency,
    ],
    &[ExecutionMode::OutputPoints, ExecutionMode::OutputLineStrip, ExecutionMode::OutputTriangleStrip],
];

/// Groups of execution modes; a mesh entry point has exactly one mode of each group.
const MESH_MODES: &[&[ExecutionMode]] = &[
    &[ExecutionMode::OutputPoints, ExecutionMode::OutputLinesEXT, ExecutionMode::OutputTrianglesEXT],
    &[ExecutionMode::OutputVertices],
    &[ExecutionMode::OutputPrimitivesEXT],
];

/// Section of the module that an instruction belongs to, if its place is fixed. Spec: 2.4.
fn section(op: Op) -> Option<u32> {
    Some(match op {
        Op::Capability => 1,
        Op::Extension => 2,
        Op::ExtInstImport => 3,
        Op::MemoryModel => 4,
        Op::EntryPoint => 5,
        Op::ExecutionMode | Op::ExecutionModeId => 6,
        Op::String | Op::SourceExtension | Op::Source | Op::SourceContinued => 7,
        Op::Name | Op::MemberName => 8,
        Op::ModuleProcessed => 9,
        Op::Decorate
        | Op::DecorateId
        | Op::DecorateString
        | Op::MemberDecorate
        | Op::MemberDecorateString
        | Op::MemberDecorateIdEXT
        | Op::DecorationGroup
        | Op::GroupDecorate
        | Op::GroupMemberDecorate => 10,
        Op::Variable => 11,
        op if op.is_type() || grammar::is_constant(op) => 11,
        Op::Function => 12,
        _ => return None,
    })
}

impl Module {
    /// Checks the rules for every instruction, entry point and function.
    pub(super) fn check_rules(&self) -> Result<()> {
        let (mut last, mut in_function) = (0, false);
        let (mut memory_models, mut n_entries) = (0, 0);
        let mut types: FxHashMap<(Op, &[u32]), u32> = FxHashMap::default();
        for inst in &self.insts {
            if !self.check_place(inst, &mut last, &mut in_function)? {
                continue;
            }
            match inst.op {
                Op::MemoryModel => {
                    memory_models += 1;
                    if memory_models > 1 {
                        return Err(self.invalid(inst, "a second memory model"));
                    }
                }
                Op::EntryPoint => {
                    self.check_entry(inst, n_entries)?;
                    n_entries += 1;
                }
                Op::Variable => self.check_variable(inst)?,
                Op::ExecutionMode | Op::ExecutionModeId => self.check_mode(inst)?,
                Op::Decorate if self.decorates(inst, Decoration::LinkageAttributes) => {
                    self.check_linkage(inst)?;
                }
                Op::Decorate if self.decorates(inst, newer::TRANSPOSE) => self.check_transposed(inst)?,
                Op::TypeStruct => self.check_struct(inst)?,
                Op::TypeArray | Op::TypeRuntimeArray => {
                    if self.deco(inst.id, Decoration::ArrayStride) == Some(0) {
                        return Err(self.invalid(inst, "ArrayStride is 0"));
                    }
                }
                // Aggregates and pointers may be declared more than once.
                Op::TypePointer => self.check_pointee(inst)?,
                Op::TypeForwardPointer | Op::TypeUntypedPointerKHR => {}
                op if op.is_type() => {
                    if let Some(first) = types.insert((op, self.operands(inst)), inst.id) {
                        return Err(self.invalid(inst, format!("type %{first} is declared twice")));
                    }
                }
                _ => {}
            }
        }
        if memory_models == 0 {
            return Err(Error::invalid("module without OpMemoryModel"));
        }
        if n_entries == 0 {
            return Err(Error::invalid("module without an entry point"));
        }
        self.functions.values().try_for_each(|f| self.check_blocks(f))
    }

    /// Checks the place of an instruction: `last` is the section before it. Returns `false` if no other rule of the
    /// declarations applies to it.
    fn check_place(&self, inst: &Inst, last: &mut u32, in_function: &mut bool) -> Result<bool> {
        match inst.op {
            Op::Function => {
                *in_function = true;
                *last = 12;
                if !self.functions.contains_key(&inst.id) && self.import(inst.id).is_none() {
                    let name = self.name(inst.id);
                    let what = format!("import of function %{} '{name}', which has no body", inst.id);
                    return Err(match self.kernels {
                        true => self.unsupported(inst, what),
                        false => self.invalid(inst, "function without a body; linking is not supported"),
                    });
                }
            }
            Op::FunctionEnd => *in_function = false,
            Op::FunctionCall if self.entries_of.contains_key(&self.operands(inst)[0]) => {
                return Err(self.invalid(inst, "an entry point is called"));
            }
            op if cooperative::functions(op, self.operands(inst))
                .is_some_and(|called| called.iter().any(|id| self.entries_of.contains_key(id))) =>
            {
                return Err(self.invalid(inst, "an entry point is called"));
            }
            _ if *in_function => return Ok(false),
            op => {
                let Some(section) = section(op) else { return Ok(false) };
                if section < *last {
                    return Err(self.invalid(inst, "out of order: belongs to an earlier section"));
                }
                *last = section;
            }
        }
        Ok(true)
    }

    /// Checks the operand of OpacityMicromapIdKHR. Spec: SPV_KHR_opacity_micromap.
    fn check_mode(&self, inst: &Inst) -> Result<()> {
        let operands = self.operands(inst);
        if operands.get(1) != Some(&newer::OPACITY_MICROMAP_ID) {
            return Ok(());
        }
        let constant = operands.get(2).and_then(|&id| self.def(id));
        let constant = constant.filter(|def| inst.op == Op::ExecutionModeId && def.op.is_constant());
        match constant.and_then(|def| self.types.get(&def.ty)) {
            Some(Type::Bool) => Ok(()),
            _ => Err(self
                .invalid(inst, "OpacityMicromapIdKHR needs OpExecutionModeId and a constant of OpTypeBool")),
        }
    }

    /// Checks the interface and execution modes of entry point number `n`.
    fn check_entry(&self, inst: &Inst, n: usize) -> Result<()> {
        let Some(entry) = self.entry_points.get(n) else { return Ok(()) };
        let mut interface = entry.interface.clone();
        interface.sort_unstable();
        if self.words[1] >= 0x0001_0400
            && let Some(pair) = interface.windows(2).find(|p| p[0] == p[1])
        {
            return Err(self.invalid(inst, format!("%{} appears twice in the interface", pair[0])));
        }
        match entry.stage {
            Stage::TessellationControl | Stage::TessellationEvaluation => {
                return TESSELLATION_MODES.iter().try_for_each(|set| self.check_modes(inst, entry, set, 0));
            }
            Stage::Geometry => {
                return GEOMETRY_MODES.iter().try_for_each(|set| self.check_modes(inst, entry, set, 1));
            }
            Stage::Fragment => {}
            Stage::Mesh => {
                MESH_MODES.iter().try_for_each(|set| self.check_modes(inst, entry, set, 1))?;
                return self.check_payloads(inst, entry);
            }
            Stage::Task => return self.check_payloads(inst, entry),
            Stage::Vertex
            | Stage::Compute
            | Stage::RayGeneration
            | Stage::Intersection
            | Stage::AnyHit
            | Stage::ClosestHit
            | Stage::Miss
            | Stage::Callable => return Ok(()),
        }
        let has = |mode| entry.modes.iter().any(|m| m.0 == mode);
        if has(ExecutionMode::OriginLowerLeft) {
            return Err(self.invalid(inst, "OriginLowerLeft is not allowed under Vulkan"));
        }
        if !has(ExecutionMode::OriginUpperLeft) {
            return Err(self.invalid(inst, "fragment entry point without OriginUpperLeft"));
        }
        let depth = [ExecutionMode::DepthGreater, ExecutionMode::DepthLess, ExecutionMode::DepthUnchanged];
        if depth.into_iter().filter(|&mode| has(mode)).count() > 1 {
            return Err(self.invalid(inst, "more than one of DepthGreater, DepthLess, DepthUnchanged"));
        }
        Ok(())
    }

    /// Checks that an entry point has at least `least` of the modes in `set`, and at most one.
    fn check_modes(
        &self,
        inst: &Inst,
        entry: &EntryPoint,
        set: &[ExecutionMode],
        least: usize,
    ) -> Result<()> {
        let has = |mode: &&ExecutionMode| entry.modes.iter().any(|m| m.0 == **mode);
        let found = set.iter().filter(has).count();
        if (least..=1).contains(&found) {
            return Ok(());
        }
        let much = if found == 0 { "none" } else { "more than one" };
        Err(self.invalid(inst, format!("{much} of {set:?}")))
    }

    /// Checks that an entry point has at most one task payload.
    fn check_payloads(&self, inst: &Inst, entry: &EntryPoint) -> Result<()> {
        let is_payload =
            |id: &&u32| matches!(self.variable(**id), Ok((StorageClass::TaskPayloadWorkgroupEXT, _)));
        match entry.interface.iter().filter(is_payload).count() {
            0 | 1 => Ok(()),
            n => Err(self.invalid(inst, format!("{n} payloads"))),
        }
    }

    /// Checks that floats of 4 and 6 bits are only in memory without a layout. Spec: SPV_EXT_ocp_microscaling_types.
    fn check_pointee(&self, inst: &Inst) -> Result<()> {
        let Some(Type::Pointer { class, pointee } | Type::Address { class, pointee }) =
            self.types.get(&inst.id)
        else {
            return Ok(());
        };
        match class {
            StorageClass::Function | StorageClass::Private => Ok(()),
            class if self.is_of_part_bytes(*pointee) => {
                Err(self.invalid(inst, format!("floats of 4 or 6 bits in storage class {class:?}")))
            }
            _ => Ok(()),
        }
    }

    /// `true` for an instruction that decorates with this.
    fn decorates(&self, inst: &Inst, with: Decoration) -> bool {
        self.operands(inst).get(1) == Some(&newer::decoration_number(with))
    }

    /// Checks that a conversion of cooperative matrices is transposed. Spec: SPV_EXT_cooperative_matrix_maintenance1.
    fn check_transposed(&self, inst: &Inst) -> Result<()> {
        let Some(target) = self.operands(inst).first().and_then(|&id| self.def(id)) else { return Ok(()) };
        let converts = matches!(
            target.op,
            Op::ConvertFToU
                | Op::ConvertFToS
                | Op::ConvertSToF
                | Op::ConvertUToF
                | Op::UConvert
                | Op::SConvert
                | Op::FConvert
                | Op::CooperativeMatrixConvertNV
        );
        let is_matrix = matches!(self.types.get(&target.ty), Some(Type::CooperativeMatrix(_)));
        if converts && is_matrix || target.op == Op::DecorationGroup {
            return Ok(());
        }
        Err(self
            .invalid(inst, "CooperativeMatrixTransposeEXT is only for conversions of cooperative matrices"))
    }

    fn check_variable(&self, inst: &Inst) -> Result<()> {
        let Some(Type::Pointer { class, .. } | Type::Address { class, .. }) = self.types.get(&inst.ty) else {
            return Ok(());
        };
        let said = self.operands(inst).first().copied();
        // The translator of LLVM declares constants of kernels so.
        let function = *class == StorageClass::Function && !self.has_kernels();
        if said != Some(*class as u32) || function {
            return Err(self.invalid(inst, "storage class does not fit the variable's place or type"));
        }
        self.check_exclusive(inst, &|d| self.deco(inst.id, d).is_some())
    }

    /// Checks what is exported or imported. Imports of functions without a body are refused with the function. Compilers
    /// of OpenCL C import built-in variables, which the device has.
    fn check_linkage(&self, inst: &Inst) -> Result<()> {
        const IMPORT: u32 = spirv::LinkageType::Import as u32;
        let operands = self.operands(inst);
        let (target, name) = (operands[0], self.string(inst, 2));
        if self.entries_of.contains_key(&target) {
            return Err(self.invalid(inst, "LinkageAttributes of an entry point"));
        }
        if operands.last() != Some(&IMPORT) {
            return Ok(());
        }
        if self.functions.contains_key(&target) {
            return Err(self.invalid(inst, format!("import of '{name}', a function with a body")));
        }
        match self.def(target) {
            Some(variable) if variable.op == Op::Variable => Err(match self.initializer(variable) {
                Some(_) => self.invalid(inst, format!("import of '{name}', a variable with an initializer")),
                None if self.deco(target, Decoration::BuiltIn).is_some() => return Ok(()),
                None => self.unsupported(inst, format!("import of variable '{name}'")),
            }),
            _ => Ok(()),
        }
    }

    fn check_struct(&self, inst: &Inst) -> Result<()> {
        self.check_exclusive(inst, &|d| self.deco(inst.id, d).is_some())?;
        let is_block =
            |id| [Decoration::Block, Decoration::BufferBlock].into_iter().any(|d| self.deco(id, d).is_some());
        let outer = is_block(inst.id);
        for (i, &member) in self.operands(inst).iter().enumerate() {
            self.check_exclusive(inst, &|d| self.member_deco(inst.id, i as u32, d).is_some())?;
            if outer && is_block(member) {
                return Err(self.invalid(inst, format!("member {i} is a Block inside a Block")));
            }
        }
        Ok(())
    }

    fn check_exclusive(&self, inst: &Inst, has: &dyn Fn(Decoration) -> bool) -> Result<()> {
        for set in EXCLUSIVE {
            let mut found = set.iter().filter(|&&d| has(d));
            if let (Some(a), Some(b)) = (found.next(), found.next()) {
                return Err(self.invalid(inst, format!("both {a:?} and {b:?}")));
            }
        }
        Ok(())
    }

    /// Checks the variables and merge blocks of a function.
    fn check_blocks(&self, function: &super::Function) -> Result<()> {
        let mut merges: FxHashMap<u32, u32> = FxHashMap::default();
        for (n, block) in function.blocks.iter().enumerate() {
            if let Some(Merge::Selection(merge) | Merge::Loop(merge, _)) = block.merge
                && let Some(other) = merges.insert(merge, block.label)
            {
                let inst = self.insts.get(block.body.end).unwrap_or(&self.insts[block.end]);
                return Err(self.invalid(inst, format!("%{merge} is the merge block of %{other} already")));
            }
            for inst in self.insts[block.body.clone()].iter().filter(|i| i.op == Op::Variable) {
                if n != 0 {
                    return Err(self.invalid(inst, "variable outside of the function's first block"));
                }
                let class = self.operands(inst).first().copied();
                if class != Some(StorageClass::Function as u32) {
                    return Err(self.invalid(inst, "storage class is not Function in a function"));
                }
            }
        }
        Ok(())
    }
}
