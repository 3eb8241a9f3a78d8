//! Calls of imported built-in functions ([`crate::spirv::imports`]), which have the code of the instructions that they stand
//! for.

use spirv::{MemorySemantics, Scope, StorageClass};

use super::super::{Lower, atomic};
use super::{image, pointer};
use crate::error::Result;
use crate::ir::{self, AtomicOp, Imm, Op, Value};
use crate::spirv::imports::Import;
use crate::spirv::module::Inst;

/// Flags of OpenCL C: memory of the workgroup, and of buffers.
const LOCAL_FENCE: u32 = 1;
const GLOBAL_FENCE: u32 = 2;

/// A call of an imported function.
pub fn call<'m>(lower: &mut Lower<'m>, inst: &Inst, import: Import, args: &'m [u32]) -> Result<()> {
    let result = match import {
        Import::Query(op, first) => {
            let enumerant = image::query_channel(lower, &Inst { op, ..*inst }, args)?[0];
            let ty = lower.types.scalar(inst.ty)?;
            let first = lower.constant(ty, u64::from(first));
            Lower::one(lower.op(Op::IAdd, ty, &[enumerant, first]))
        }
        Import::Atomic(op) => {
            let (pointer, value) = (lower.id_at(args, 0)?, lower.id_at(args, 1)?);
            let value = lower.scalar(value)?;
            Lower::one(modify(lower, inst, pointer, op, value)?)
        }
        Import::Count(op) => {
            let (pointer, ty) = (lower.id_at(args, 0)?, lower.types.scalar(inst.ty)?);
            let one = lower.constant(ty, 1);
            Lower::one(modify(lower, inst, pointer, op, one)?)
        }
        // `find` has chosen by the sign.
        Import::Ordered(..) => return Err(crate::Error::Internal("an operation without a sign".into())),
        Import::Fence => return fence(lower, None),
        Import::SubgroupBarrier => return fence(lower, Some(Scope::Subgroup as u32)),
        Import::FlagsOf => {
            let address = lower.id_at(args, 0)?;
            let address = lower.scalar(address)?;
            let rows = [(StorageClass::CrossWorkgroup, GLOBAL_FENCE), (StorageClass::Workgroup, LOCAL_FENCE)];
            Lower::one(pointer::by_class_of(lower, address, &rows)?)
        }
        Import::ToClass(class) => {
            let address = lower.id_at(args, 0)?;
            pointer::explicit(lower, inst, address, class)?
        }
    };
    lower.define(inst, result)
}

fn modify(lower: &mut Lower<'_>, inst: &Inst, pointer: u32, op: AtomicOp, value: Value) -> Result<Value> {
    let ty = lower.types.scalar(inst.ty)?;
    // The forms without a stated order are at least relaxed; a stronger one orders no less here.
    let semantics = MemorySemantics::RELAXED.bits();
    lower.note_known_order(ir::Order { execution: None, scope: Scope::Device as u32, semantics });
    match op {
        AtomicOp::Exchange => atomic::bits(lower, pointer, op, ty, &[value]),
        _ => atomic::atomic(lower, pointer, op, ty, &[value]),
    }
}

fn fence(lower: &mut Lower<'_>, execution: Option<u32>) -> Result<()> {
    let semantics = MemorySemantics::ACQUIRE_RELEASE
        | MemorySemantics::WORKGROUP_MEMORY
        | MemorySemantics::CROSS_WORKGROUP_MEMORY;
    let scope = execution.unwrap_or(Scope::Workgroup as u32);
    lower.note_known_order(ir::Order { execution, scope, semantics: semantics.bits() });
    lower.emit(Op::MemoryBarrier, &[], Imm::None, &[]);
    Ok(())
}
