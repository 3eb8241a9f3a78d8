//! Atomics and barriers.
//!
//! Scopes and semantics need no code: lane functions are sequentially consistent within a lane group, and their caller
//! decides in which order lane groups run, and which of them run in parallel. Loads, stores and exchanges of floats
//! operate on the bits of the floats.

use spirv::Op as SpvOp;

use super::place::{Place, Root};
use super::{Lower, Scalars};
use crate::error::{Error, Result};
use crate::ir::{AtomicOp, Imm, Mem, Note, Op, Ty, Value};
use crate::spirv::module::Inst;
use crate::spirv::types::{Type, UNTYPED};

/// Emits an atomic operation on the place of `pointer`.
pub(super) fn atomic(
    lower: &mut Lower<'_>,
    pointer: u32,
    op: AtomicOp,
    ty: Ty,
    operands: &[Value],
) -> Result<Value> {
    let place = lower.place(pointer)?;
    let mut place = lower.near(&place).into_owned();
    lower.choose_buffer(&mut place)?;
    if matches!(place.root, Root::Generic(_)) {
        let access = &mut |lower: &mut Lower<'_>, at: &Place| {
            atomic_at(lower, at.clone(), op, ty, operands).map(Lower::one)
        };
        return Ok(lower.by_class(&place, &[ty], false, access)?[0]);
    }
    atomic_at(lower, place, op, ty, operands)
}

/// Emits an atomic operation on a place.
fn atomic_at(lower: &mut Lower<'_>, place: Place, op: AtomicOp, ty: Ty, operands: &[Value]) -> Result<Value> {
    // 16-bit types: floats, and integers for loads, stores and exchanges of float bits.
    let plain = matches!(op, AtomicOp::Load | AtomicOp::Store | AtomicOp::Exchange);
    let narrow = ty == Ty::F16 || ty == Ty::I16 && plain;
    if !matches!(ty, Ty::I32 | Ty::I64 | Ty::F32 | Ty::F64) && !narrow {
        return Err(Error::unsupported(format!("atomics on {ty}")));
    }
    let writes = op != AtomicOp::Load;
    let mem = Mem { offset: place.offset, stride: ty.bytes(), ordered: true };
    let imm = Imm::Atomic(op, mem);
    let result = match place.root.clone() {
        root @ (Root::Buffer { .. } | Root::Address(_) | Root::Payload { .. }) => {
            let Some((handle, owner)) = lower.buffer_of(&root) else {
                return Err(Error::Internal("a buffer without a handle".into()));
            };
            if writes {
                lower.mark_buffer_written(owner)?;
            }
            let mut args: Scalars = [handle, lower.dynamic_offset(&place)].into_iter().collect();
            args.extend_from_slice(operands);
            lower.emit(Op::AtomicBuffer, &args, imm, &[ty])
        }
        Root::Shared(_) => {
            let mut args: Scalars = [lower.dynamic_offset(&place)].into_iter().collect();
            args.extend_from_slice(operands);
            lower.emit(Op::AtomicShared, &args, imm, &[ty])
        }
        Root::Texel(texel) => {
            if writes {
                lower.mark_written(texel.binding)?;
            }
            lower.texel_atomic(&texel, op, ty, operands)?
        }
        _ => return Err(Error::invalid("atomic on memory that is not shared between invocations")),
    };
    Ok(result[0])
}

/// Like [`atomic`], but operates on the bits of floats.
pub(super) fn bits(
    lower: &mut Lower<'_>,
    pointer: u32,
    op: AtomicOp,
    ty: Ty,
    operands: &[Value],
) -> Result<Value> {
    let int = ty.as_int();
    let operands: Vec<Value> = operands.iter().map(|&v| lower.cast(v, int)).collect();
    let old = atomic(lower, pointer, op, int, &operands)?;
    Ok(lower.cast(old, ty))
}

fn result_type(lower: &Lower<'_>, inst: &Inst) -> Result<Ty> {
    lower.types.scalar(inst.ty)
}

/// Returns `Invalid` unless a pointer leads to values of this type, as an untyped one does.
fn leads_to(lower: &Lower<'_>, pointer: u32, ty: Ty) -> Result<()> {
    let of_pointer = lower.module.type_of(pointer)?;
    let (Type::Pointer { pointee, .. } | Type::Address { pointee, .. }) = *lower.module.ty(of_pointer)?
    else {
        return Ok(());
    };
    if pointee != UNTYPED && lower.types.scalar(pointee)? != ty {
        return Err(Error::invalid("the type of an atomic is not the pointer's pointee type"));
    }
    Ok(())
}

/// OpAtomicLoad.
pub fn load<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let pointer = lower.id_at(operands, 0)?;
    lower.note_order(None, &operands[1..]);
    let ty = result_type(lower, inst)?;
    leads_to(lower, pointer, ty)?;
    Ok(Lower::one(bits(lower, pointer, AtomicOp::Load, ty, &[])?))
}

/// OpAtomicStore.
pub fn store<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let (pointer, value) = (lower.id_at(operands, 0)?, lower.id_at(operands, 3)?);
    lower.note_order(None, &operands[1..]);
    let value = lower.scalar(value)?;
    let ty = lower.ty(value);
    leads_to(lower, pointer, ty)?;
    bits(lower, pointer, AtomicOp::Store, ty, &[value])?;
    Ok(())
}

/// OpAtomicExchange.
pub fn exchange<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (pointer, value) = (lower.id_at(operands, 0)?, lower.id_at(operands, 3)?);
    lower.note_order(None, &operands[1..]);
    let value = lower.scalar(value)?;
    let ty = result_type(lower, inst)?;
    leads_to(lower, pointer, ty)?;
    Ok(Lower::one(bits(lower, pointer, AtomicOp::Exchange, ty, &[value])?))
}

/// OpAtomicCompareExchange.
pub fn compare_exchange<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let pointer = lower.id_at(operands, 0)?;
    let (value, comparator) = (lower.id_at(operands, 4)?, lower.id_at(operands, 5)?);
    lower.note_order(None, &operands[1..]);
    let (value, comparator) = (lower.scalar(value)?, lower.scalar(comparator)?);
    let ty = result_type(lower, inst)?;
    leads_to(lower, pointer, ty)?;
    Ok(Lower::one(atomic(lower, pointer, AtomicOp::CompareExchange, ty, &[value, comparator])?))
}

fn count(lower: &mut Lower<'_>, inst: &Inst, operands: &[u32], op: AtomicOp) -> Result<Scalars> {
    let pointer = lower.id_at(operands, 0)?;
    lower.note_order(None, &operands[1..]);
    let ty = result_type(lower, inst)?;
    leads_to(lower, pointer, ty)?;
    let one = lower.constant(ty, 1);
    Ok(Lower::one(atomic(lower, pointer, op, ty, &[one])?))
}

/// OpAtomicIIncrement.
pub fn increment<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    count(lower, inst, operands, AtomicOp::IAdd)
}

/// OpAtomicIDecrement.
pub fn decrement<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    count(lower, inst, operands, AtomicOp::ISub)
}

/// The other read-modify-write instructions.
pub fn rmw<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let op = match inst.op {
        SpvOp::AtomicIAdd => AtomicOp::IAdd,
        SpvOp::AtomicISub => AtomicOp::ISub,
        SpvOp::AtomicSMin => AtomicOp::SMin,
        SpvOp::AtomicUMin => AtomicOp::UMin,
        SpvOp::AtomicSMax => AtomicOp::SMax,
        SpvOp::AtomicUMax => AtomicOp::UMax,
        SpvOp::AtomicAnd => AtomicOp::And,
        SpvOp::AtomicOr => AtomicOp::Or,
        SpvOp::AtomicXor => AtomicOp::Xor,
        SpvOp::AtomicFAddEXT => AtomicOp::FAdd,
        SpvOp::AtomicFMinEXT => AtomicOp::FMin,
        SpvOp::AtomicFMaxEXT => AtomicOp::FMax,
        other => return Err(Error::unsupported(format!("instruction Op{other:?}"))),
    };
    let (pointer, value) = (lower.id_at(operands, 0)?, lower.id_at(operands, 3)?);
    lower.note_order(None, &operands[1..]);
    let value = lower.scalar(value)?;
    let ty = result_type(lower, inst)?;
    let float = matches!(op, AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax);
    if float != ty.is_float() {
        return Err(Error::invalid("operand type does not fit the atomic"));
    }
    leads_to(lower, pointer, ty)?;
    Ok(Lower::one(atomic(lower, pointer, op, ty, &[value])?))
}

/// OpControlBarrier. Execution scopes smaller than the workgroup only order memory, since the invocations of a subgroup
/// run together.
pub fn control_barrier<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let scope = lower.id_at(operands, 0)?;
    lower.note_order(Some(scope), operands.get(1..).unwrap_or_default());
    let scope = lower.types.const_u32(scope)?;
    match spirv::Scope::from_u32(scope) {
        Some(spirv::Scope::Workgroup) if lower.shader.stage.has_barriers() => {
            lower.workgroup_barrier();
            Ok(())
        }
        Some(spirv::Scope::Subgroup | spirv::Scope::Invocation) => {
            lower.emit(Op::MemoryBarrier, &[], Imm::None, &[]);
            Ok(())
        }
        _ => Err(Error::invalid(format!("execution scope {scope} of a barrier in this stage"))),
    }
}

/// OpControlBarrierArriveEXT: only orders memory. All invocations wait for each other at the wait, which is later than
/// they must. Spec: SPV_EXT_split_barrier.
pub fn barrier_arrive<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let scope = lower.id_at(operands, 0)?;
    split_scope(lower, scope)?;
    lower.note_order(None, operands.get(1..).unwrap_or_default());
    let semantics = lower.id_at(operands, 2)?;
    lower.arrived = lower.types.const_u32(semantics)?;
    lower.emit(Op::MemoryBarrier, &[], Imm::None, &[]);
    Ok(())
}

/// OpControlBarrierWaitEXT: a barrier with the memory semantics of both halves. Checks count accesses between the halves as
/// accesses before the barrier, so that they miss races of these.
pub fn barrier_wait<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let scope = lower.id_at(operands, 0)?;
    let is_workgroup = split_scope(lower, scope)?;
    lower.note_wait(scope, operands.get(1..).unwrap_or_default());
    match is_workgroup {
        true => lower.workgroup_barrier(),
        false => _ = lower.emit(Op::MemoryBarrier, &[], Imm::None, &[]),
    }
    Ok(())
}

/// Checks the execution scope of a split barrier; `true` if it is the workgroup.
fn split_scope(lower: &mut Lower<'_>, scope: u32) -> Result<bool> {
    let scope = lower.types.const_u32(scope)?;
    match spirv::Scope::from_u32(scope) {
        Some(spirv::Scope::Workgroup) if lower.shader.stage.has_barriers() => Ok(true),
        Some(spirv::Scope::Subgroup) => Ok(false),
        _ => Err(Error::invalid(format!("execution scope {scope} of a split barrier in this stage"))),
    }
}

impl Lower<'_> {
    /// A barrier of the workgroup.
    pub(super) fn workgroup_barrier(&mut self) {
        self.shader.has_barrier = true;
        self.emit(Op::ControlBarrier, &[], Imm::None, &[]);
    }
}

/// OpReadClockKHR: the same clock for all scopes, in nanoseconds.
pub fn read_clock<'m>(lower: &mut Lower<'m>, inst: &Inst, _: &'m [u32]) -> Result<Scalars> {
    let now = lower.emit(Op::ReadClock, &[], Imm::None, &[Ty::I64])[0];
    if lower.types.component(inst.ty)? == Ty::I64 {
        return Ok(Lower::one(now));
    }
    // Low word first.
    let amount = lower.i32(32);
    let high = lower.op(Op::ShrU, Ty::I64, &[now, amount]);
    Ok([now, high].into_iter().map(|v| lower.op(Op::UConvert, Ty::I32, &[v])).collect())
}

/// OpMemoryBarrier.
pub fn memory_barrier<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    lower.note_order(None, operands);
    lower.emit(Op::MemoryBarrier, &[], Imm::None, &[]);
    Ok(())
}

/// OpBeginInvocationInterlockEXT, OpEndInvocationInterlockEXT: the fragments of a pixel always run in order.
pub fn interlock<'m>(lower: &mut Lower<'m>, inst: &Inst, _: &'m [u32]) -> Result<()> {
    let begins = inst.op == SpvOp::BeginInvocationInterlockEXT;
    lower.note_alone(Note::Interlock { begins });
    Ok(())
}
