//! Constants of kernels that are addresses: variables of the module, and pointer arithmetic on them.
//!
//! The module's variables lie in one buffer ([`super::kernel`]), whose address only a launch knows. Until then such a
//! constant is [`DATA_BASE`] plus an offset in that buffer. Leaves the address of the buffer to `lower`, for constants in
//! functions, and to the host, for constants in the buffer itself.
//!
//! Spec: SPIR-V OpSpecConstantOp, "under the Kernel capability".

use std::rc::Rc;

use rustc_hash::FxHashMap;
use spirv::{Op, StorageClass};

use super::kernel::{DATA_BASE, data_layout};
use super::module::Inst;
use super::sizes::Types;
use super::types::{Type, Units};
use crate::error::{Error, Result};

impl Types<'_> {
    /// `true` for a variable of a kernel's module, and for a constant that OpSpecConstantOp makes of pointers.
    pub(super) fn is_address(&self, inst: &Inst) -> bool {
        let m = self.module;
        let pointer = matches!(m.ty(inst.ty), Ok(Type::Address { .. }));
        pointer && (inst.op == Op::SpecConstantOp || inst.op == Op::Variable && m.is_global(inst))
    }

    /// Offset of each of the module's variables in their buffer.
    pub(super) fn data_offsets(&mut self) -> Result<Rc<FxHashMap<u32, u32>>> {
        if let Some(known) = &self.data_offsets {
            return Ok(known.clone());
        }
        let (offsets, _) = data_layout(self)?;
        Ok(self.data_offsets.insert(Rc::new(offsets)).clone())
    }

    /// Bits of a constant for which [`Types::is_address`] holds.
    pub(super) fn const_address(&mut self, inst: &Inst, left: u32) -> Result<u64> {
        let m = self.module;
        if inst.op == Op::Variable {
            let offset = self.data_offsets()?.get(&inst.id).copied();
            let offset = offset.ok_or_else(|| {
                let (class, _) = m.variable(inst.id).unwrap_or((StorageClass::Generic, 0));
                m.unsupported(inst, format!("address of a variable of class {class:?} as a constant"))
            })?;
            return Ok(DATA_BASE + u64::from(offset));
        }
        let number = m.operand(inst, 0)?;
        let operands = m.operands_from(inst, 1);
        let base = *operands.first().ok_or_else(|| Error::invalid("operands are missing"))?;
        let address = match *self.before(base, inst, left)? {
            [address] => address,
            _ => return Err(Error::invalid("base is not a pointer")),
        };
        let Type::Address { pointee, .. } = *m.ty(m.type_of(base)?)? else {
            return Err(Error::unsupported("a constant pointer that is made of an integer"));
        };
        let (element, indices) = match (Op::from_u32(number), operands) {
            (Some(Op::Bitcast | Op::PtrCastToGeneric | Op::GenericCastToPtr), [_]) => return Ok(address),
            (Some(Op::AccessChain | Op::InBoundsAccessChain), [_, indices @ ..]) => (None, indices),
            (Some(Op::PtrAccessChain | Op::InBoundsPtrAccessChain), [_, element, indices @ ..]) => {
                (Some(*element), indices)
            }
            _ => {
                return Err(Error::unsupported(format!("constant pointer by instruction {number}")));
            }
        };
        let mut at = address;
        if let Some(element) = element {
            let (size, align) = self.natural(pointee)?;
            let step = self.const_step(element, size.next_multiple_of(align.max(1)))?;
            at = at.wrapping_add(step);
        }
        let mut ty = pointee;
        for &index in indices {
            let (step, inner) = match m.ty(ty)? {
                Type::Struct { members } => {
                    let member = self.const_u32(index)?;
                    let inner = members.get(member as usize).copied();
                    let inner = inner.ok_or_else(|| Error::invalid("member outside of a structure"))?;
                    (u64::from(self.member_offset(ty, member, Units::Natural)?), inner)
                }
                Type::Array { elem, .. } => {
                    let stride = self.array_stride(ty, Units::Natural)?;
                    (self.const_step(index, stride)?, *elem)
                }
                Type::Vector { elem, .. } => {
                    let bytes = self.scalar(*elem)?.bytes();
                    (self.const_step(index, bytes)?, *elem)
                }
                _ => return Err(Error::invalid("too many indices")),
            };
            at = at.wrapping_add(step);
            ty = inner;
        }
        Ok(at)
    }

    /// A constant index, which is signed, times the distance of elements.
    fn const_step(&mut self, index: u32, stride: u32) -> Result<u64> {
        let ty = self.module.type_of(index)?;
        let unused = 64 - self.scalar(ty)?.bits().unwrap_or(64);
        let index = ((self.const_scalar(index)? << unused) as i64) >> unused;
        Ok(index.wrapping_mul(i64::from(stride)) as u64)
    }
}
