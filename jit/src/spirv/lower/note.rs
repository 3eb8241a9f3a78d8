//! Emission of notes for observers, on request: see [`crate::ir::Note`].

use spirv::{GlslStd450Op as G, Op as S};

use super::{Lower, Scalars, Val};
use crate::error::Result;
use crate::ir::{Imm, MemoryOperands, Node, Note, Op, Operands, Order, Partial, Ty, Value, Var};
use crate::spirv::module::{ExtSet, Inst};
use crate::spirv::types::Type;

/// Memory-model part of memory operands or image operands.
#[derive(Clone, Copy, Default)]
pub(super) struct Said {
    /// `true` for NonPrivatePointer, NonPrivateTexel.
    pub non_private: bool,
    /// Scope id of MakePointerAvailable, MakeTexelAvailable.
    pub available: Option<u32>,
    /// Scope id of MakePointerVisible, MakeTexelVisible.
    pub visible: Option<u32>,
    /// Alignment in bytes; 0 if the instruction does not state it.
    pub aligned: u32,
}

/// Classifies an instruction that is defined for some operands only.
fn partial(op: S) -> Option<Partial> {
    Some(match op {
        S::UDiv => Partial::UDiv,
        S::SDiv => Partial::SDiv,
        S::UMod => Partial::UMod,
        S::SRem => Partial::SRem,
        S::SMod => Partial::SMod,
        S::FRem => Partial::FRem,
        S::FMod => Partial::FMod,
        S::ShiftLeftLogical => Partial::ShiftLeftLogical,
        S::ShiftRightLogical => Partial::ShiftRightLogical,
        S::ShiftRightArithmetic => Partial::ShiftRightArithmetic,
        S::BitFieldInsert => Partial::BitFieldInsert,
        S::BitFieldSExtract => Partial::BitFieldSExtract,
        S::BitFieldUExtract => Partial::BitFieldUExtract,
        S::ConvertFToU => Partial::ConvertFToU,
        S::ConvertFToS => Partial::ConvertFToS,
        _ => return None,
    })
}

/// `true` for shifts. WGSL takes the shift amount modulo the width; naga does not emit that operation. Spec: WGSL, "Bit
/// Expressions".
fn is_shift(partial: Partial) -> bool {
    use Partial::{ShiftLeftLogical, ShiftRightArithmetic, ShiftRightLogical};
    matches!(partial, ShiftLeftLogical | ShiftRightLogical | ShiftRightArithmetic)
}

/// Like [`partial`], for GLSL.std.450 instructions.
fn partial_glsl(number: u32) -> Option<Partial> {
    Some(match G::from_u32(number)? {
        G::Asin => Partial::Asin,
        G::Acos => Partial::Acos,
        G::Acosh => Partial::Acosh,
        G::Atanh => Partial::Atanh,
        G::Atan2 => Partial::Atan2,
        G::Pow => Partial::Pow,
        G::Log => Partial::Log,
        G::Log2 => Partial::Log2,
        G::Sqrt => Partial::Sqrt,
        G::InverseSqrt => Partial::InverseSqrt,
        G::MatrixInverse => Partial::MatrixInverse,
        G::FMin => Partial::FMin,
        G::FMax => Partial::FMax,
        G::FClamp => Partial::FClamp,
        G::NClamp => Partial::NClamp,
        G::UClamp => Partial::UClamp,
        G::SClamp => Partial::SClamp,
        G::SmoothStep => Partial::SmoothStep,
        G::Frexp => Partial::Frexp,
        G::FrexpStruct => Partial::FrexpStruct,
        G::Ldexp => Partial::Ldexp,
        G::Normalize => Partial::Normalize,
        _ => return None,
    })
}

/// Memory semantics of a barrier whose halves have these semantics: a release and an acquire are both.
fn both_halves(arrive: u32, wait: u32) -> u32 {
    const ACQUIRE: u32 = 2;
    const RELEASE: u32 = 4;
    const BOTH: u32 = 8;
    let all = arrive | wait;
    match all & (ACQUIRE | RELEASE) == ACQUIRE | RELEASE {
        true => all & !(ACQUIRE | RELEASE) | BOTH,
        false => all,
    }
}

impl Lower<'_> {
    /// Notes the operands and result of a lowered instruction, if it is defined for some operands only.
    pub(super) fn note_partial(&mut self, inst: &Inst, operands: &[u32]) -> Result<()> {
        let known = match inst.op {
            // Instructions of OpenCL.std have other numbers.
            S::ExtInst | S::ExtInstWithForwardRefsKHR => {
                let (set, number) = (self.module.operand(inst, 0)?, self.module.operand(inst, 1)?);
                match self.module.ext_set(set) {
                    Some(ExtSet::Glsl) => partial_glsl(number),
                    _ => None,
                }
            }
            op => partial(op),
        };
        let Some(partial) = known.filter(|&p| !(is_shift(p) && self.module.is_wgsl())) else { return Ok(()) };
        let mut result = self.scalars(inst.id)?;
        if partial == Partial::FrexpStruct {
            result.truncate(result.len() / 2);
        }
        let mut args = Scalars::new();
        for &id in operands.iter().take(partial.operands()) {
            let list = self.scalars(id)?;
            // The offset and count of a bit field instruction are scalars that apply to all components.
            args.extend((0..result.len()).map(|i| list[i.min(list.len() - 1)]));
        }
        args.extend(result);
        self.emit(Op::Note, &args, Imm::Note(Note::Partial(partial)), &[]);
        Ok(())
    }

    /// Notes an index into an object of `len` elements; 0 if the length is unknown.
    pub(super) fn note_index(&mut self, index: Value, len: u32) {
        self.note_element(index, len, false);
    }

    /// Like [`Self::note_index`]; `of_patch` is `true` for vertices of the patch that a tessellation stage takes.
    pub(super) fn note_element(&mut self, index: Value, len: u32, of_patch: bool) {
        if self.noted && len != 0 {
            self.emit(Op::Note, &[index], Imm::Note(Note::Index { len, of_patch }), &[]);
        }
    }

    /// Notes an index into a descriptor array, unless the instruction or one of its operands is NonUniform.
    pub(super) fn note_uniform_index(&mut self, index: Value) {
        let m = self.module;
        let non_uniform = |id: u32| m.deco(id, spirv::Decoration::NonUniform).is_some();
        let Some(inst) = m.def(self.src.id).filter(|_| self.noted) else { return };
        if !non_uniform(inst.id) && !m.operands(inst).iter().any(|&id| non_uniform(id)) {
            self.emit(Op::Note, &[index], Imm::Note(Note::UniformIndex), &[]);
        }
    }

    /// Notes the scopes and memory semantics of the atomic or barrier that follows; the operands are ids.
    pub(super) fn note_order(&mut self, execution: Option<u32>, operands: &[u32]) {
        if let (true, &[scope, semantics, ..]) = (self.noted, operands) {
            let mut number = |id: u32| self.types.const_u32(id).unwrap_or(0);
            let order = Order {
                execution: execution.map(&mut number),
                scope: number(scope),
                semantics: number(semantics),
            };
            self.note_known_order(order);
        }
    }

    /// Notes scopes and memory semantics that the instruction itself has.
    pub(super) fn note_known_order(&mut self, order: Order) {
        if self.noted {
            self.emit(Op::Note, &[], Imm::Note(Note::Order(order)), &[]);
        }
    }

    /// Notes the scopes of the second half of a split barrier, and the memory semantics of both halves.
    pub(super) fn note_wait(&mut self, execution: u32, operands: &[u32]) {
        if let (true, &[scope, semantics, ..]) = (self.noted, operands) {
            let mut number = |id: u32| self.types.const_u32(id).unwrap_or(0);
            let (execution, scope, own) = (Some(number(execution)), number(scope), number(semantics));
            let order = Order { execution, scope, semantics: both_halves(self.arrived, own) };
            self.emit(Op::Note, &[], Imm::Note(Note::Order(order)), &[]);
        }
    }

    /// Notes the indices of a place in a kernel, which is accessed now. Only accesses must be inside of arrays: a pointer
    /// one past the end is valid.
    pub(super) fn note_indices(&mut self, place: &super::place::Place) {
        place.indices.iter().for_each(|&(index, len)| self.note_index(index, len));
    }

    /// Keeps the memory operands of the current instruction: non-private, and the scopes of availability and
    /// visibility.
    pub(super) fn keep_operands(&mut self, of: &Said) {
        self.said_aligned = of.aligned;
        let mut scope = |id: Option<u32>| id.and_then(|id| self.types.const_u32(id).ok());
        let non_private = of.non_private;
        self.operands = MemoryOperands {
            reads: Operands { non_private, scope: scope(of.visible) },
            writes: Operands { non_private, scope: scope(of.available) },
        };
    }

    /// Notes the memory operands of the current instruction, if `access` is a memory access; `imm` is that of the access.
    pub(super) fn note_operands(&mut self, access: Op, imm: &Imm) {
        if self.noted
            && self.is_kernel()
            && let (Op::LoadBuffer | Op::StoreBuffer | Op::LoadShared | Op::StoreShared, Imm::Mem(mem)) =
                (access, imm)
            && (1..mem.stride).contains(&self.said_aligned)
        {
            self.emit(Op::Note, &[], Imm::Note(Note::Aligned(self.said_aligned)), &[]);
        }
        let memory = matches!(
            access,
            Op::LoadBuffer
                | Op::StoreBuffer
                | Op::LoadShared
                | Op::StoreShared
                | Op::ImageOp
                | Op::ImageWrite
        );
        if self.noted && memory && self.shader.vulkan_memory_model {
            let note = Imm::Note(Note::Operands(self.operands));
            self.emit(Op::Note, &[], note, &[]);
        }
    }

    /// Notes an instruction with an operand or a result that is a cooperative matrix. Instructions of called functions
    /// have notes of their own. Spec: OpTypeCooperativeMatrixKHR.
    pub(super) fn note_cooperation(&mut self, inst: &Inst) {
        if !self.noted {
            return;
        }
        let m = self.module;
        let operand = |at: usize| m.operands(inst).get(at).and_then(|&id| m.type_of(id).ok());
        let ty = match inst.op {
            S::FunctionCall | S::Undef => None,
            S::CooperativeMatrixStoreKHR | S::CooperativeMatrixStoreTensorNV | S::Store => operand(1),
            S::CompositeExtract => operand(0),
            _ => Some(inst.ty),
        };
        if let Some(ty) = ty
            && matches!(m.ty(ty), Ok(Type::CooperativeMatrix(_)))
            && let Ok(shape) = self.types.cooperative(ty)
        {
            self.note_alone(Note::Cooperates { of_workgroup: shape.of_workgroup });
        }
    }

    /// Notes that a variable is undefined again, and forgets its known values.
    pub(super) fn note_fresh(&mut self, var: Var) {
        if self.noted {
            self.known.remove(&var);
            self.emit(Op::Note, &[], Imm::Note(Note::Fresh(var)), &[]);
        }
    }

    /// Emits a note without arguments.
    pub(super) fn note_alone(&mut self, note: Note) {
        if self.noted {
            self.emit(Op::Note, &[], Imm::Note(note), &[]);
        }
    }

    /// Notes an instruction that ends a block and emits nothing, unless the last node is on the same line.
    pub(super) fn note_leaving(&mut self, end: &Inst) {
        use S::{
            Branch, IgnoreIntersectionKHR, Kill, Return, ReturnValue, TerminateInvocation, TerminateRayKHR,
        };
        let Some(debug) = &self.debug else { return };
        let ends = matches!(end.op, Kill | TerminateInvocation | IgnoreIntersectionKHR | TerminateRayKHR);
        let leaves = ends || matches!(end.op, Branch | Return | ReturnValue);
        let last = match self.cur.last() {
            Some(Node::Inst(inst)) => debug.line(inst.src),
            _ => 0,
        };
        let here = debug.line(self.src);
        if leaves && here != 0 && here != last {
            self.note_alone(Note::Leaves);
        }
    }

    /// Notes memory that is zero at the start of the shader because of an initializer.
    pub(super) fn note_zeros(&mut self, note: Note) {
        if self.noted {
            self.emit_first(Op::Note, &[], Imm::Note(note), &[]);
        }
    }

    /// Undefined values of an OpUndef at this place: fresh zeros, distinct from defined constants.
    pub(super) fn undefined(&mut self, tys: &[Ty], null: u64) -> Scalars {
        let (list, plain) = self.fresh(tys, null);
        self.emit(Op::Note, &plain, Imm::Note(Note::Undef), &[]);
        list
    }

    /// Zeros that are distinct from all other constants, and those of them that are plain.
    fn fresh(&mut self, tys: &[Ty], null: u64) -> (Scalars, Scalars) {
        let value = |lower: &mut Self, ty| match ty {
            Ty::Image => lower.emit_first(Op::NullImage, &[], Imm::None, &[ty])[0],
            _ => lower.emit_first(Op::Const, &[], Imm::Bits(null), &[ty])[0],
        };
        let list: Scalars = tys.iter().map(|&ty| value(self, ty)).collect();
        let plain: Scalars = list.iter().copied().filter(|&v| self.ty(v).is_plain()).collect();
        (list, plain)
    }

    /// The value of an OpUndef constant, if undefined values are noted.
    pub(super) fn noted_undef(&mut self, op: S, tys: &[Ty], null: u64) -> Option<Val> {
        (self.noted && op == S::Undef).then(|| {
            let (list, plain) = self.fresh(tys, null);
            self.emit_first(Op::Note, &plain, Imm::Note(Note::Undef), &[]);
            Val::Scalars(list)
        })
    }
}
