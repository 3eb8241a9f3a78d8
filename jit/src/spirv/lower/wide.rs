//! 64-bit indexing: offsets in buffers that are sums of 64 bits.
//!
//! Without it, indices and strides make a byte offset of 32 bits, which saturates. With it, [`Place::wide`] is the dynamic
//! part of an offset in a buffer, and an index into a runtime array at a device address is added to the address. An index
//! is signed. One that leads out of every buffer is clamped, so that no product wraps back into the buffer; sums of addresses
//! wrap.
//!
//! Spec: Vulkan, "64-Bit Indexing"; SPV_EXT_shader_64bit_indexing.

use super::place::{Owner, Place, Root};
use super::{Lower, Scalars};
use crate::error::{Error, Result};
use crate::ir::{Op, Ty, Value};
use crate::spirv::grammar;
use crate::spirv::types::Type;

/// A distance that leads out of every buffer from anywhere in it. Sums of very many do not wrap.
const FARTHEST: i64 = 2 << crate::abi::ADDRESS_SHIFT;

impl Lower<'_> {
    /// `true` if the dynamic part of the offsets of a place is a sum of 64 bits.
    pub(super) fn has_wide_offsets(&self, p: &Place) -> bool {
        let buffer = matches!(p.root, Root::Buffer { owner: Owner::Binding(_) | Owner::Any, .. });
        self.types.wide_indexing && buffer
    }

    /// `true` if [`Lower::move_wide`] moves a place.
    pub(super) fn takes_wide_steps(&self, p: &Place) -> bool {
        self.has_wide_offsets(p) || self.types.wide_indexing && matches!(p.root, Root::Address(_))
    }

    /// Adds `index * stride` to a place with 64-bit indexing, and returns `true`, unless 32 bits are enough for it. A
    /// `len` of 0 means unknown.
    pub(super) fn wide_index(&mut self, p: &mut Place, id: u32, stride: u32, len: u32) -> Result<bool> {
        let in_buffer = self.has_wide_offsets(p);
        let at_address = self.types.wide_indexing && matches!(p.root, Root::Address(_)) && len == 0;
        if !in_buffer && !at_address {
            return Ok(false);
        }
        let m = self.module;
        if let (Some(def), Type::Int { bits, .. }) = (m.def(id), m.ty(m.type_of(id)?)?)
            && grammar::is_constant(def.op)
        {
            let unused = 64 - bits;
            let index = ((self.types.const_scalar(id)? << unused) as i64) >> unused;
            if u32::try_from(index).is_ok_and(|i| p.move_constant(i, stride, len)) {
                return Ok(true);
            }
        }
        let index = self.scalar(id)?;
        let signed = self.types.is_signed(m.type_of(id)?);
        if self.noted && len != 0 {
            let index = self.i32_of(index, signed)?;
            self.note_index(index, len);
        }
        let step = match at_address {
            true => {
                let index = self.extended(index, signed)?;
                self.scaled(index, stride)
            }
            false => self.wide_step(index, signed, stride)?,
        };
        self.move_wide(p, step);
        Ok(true)
    }

    /// An index in 64 bits. Indices are signed; only those of 8 and 16 bits may be of unsigned types.
    pub(super) fn extended(&mut self, index: Value, signed: bool) -> Result<Value> {
        match self.ty(index) {
            Ty::I64 => Ok(index),
            Ty::I8 | Ty::I16 if !signed => Ok(self.op(Op::UConvert, Ty::I64, &[index])),
            Ty::I8 | Ty::I16 | Ty::I32 => Ok(self.op(Op::SConvert, Ty::I64, &[index])),
            _ => Err(Error::invalid("index is not an integer")),
        }
    }

    /// `index * stride` (I64), where the index is signed. A product that leads out of every buffer is clamped.
    pub(super) fn wide_step(&mut self, index: Value, signed: bool, stride: u32) -> Result<Value> {
        let narrow = self.ty(index) != Ty::I64;
        let wide = self.extended(index, signed)?;
        let most = FARTHEST / i64::from(stride.max(1));
        let clamped = if narrow && most > i64::from(u32::MAX) {
            wide
        } else {
            let (low, high) = (self.constant(Ty::I64, -most as u64), self.constant(Ty::I64, most as u64));
            let wide = self.op(Op::SMax, Ty::I64, &[wide, low]);
            self.op(Op::SMin, Ty::I64, &[wide, high])
        };
        Ok(self.scaled(clamped, stride))
    }

    /// A product of 64 bits.
    pub(super) fn scaled(&mut self, index: Value, stride: u32) -> Value {
        match stride {
            1 => index,
            _ if stride.is_power_of_two() => {
                let amount = self.i32(stride.trailing_zeros());
                self.op(Op::Shl, Ty::I64, &[index, amount])
            }
            _ => {
                let stride = self.constant(Ty::I64, u64::from(stride));
                self.op(Op::IMul, Ty::I64, &[index, stride])
            }
        }
    }

    /// Moves a place in a buffer or at an address by a number of bytes (I64).
    pub(super) fn move_wide(&mut self, p: &mut Place, step: Value) {
        if let Root::Address(address) = p.root {
            self.move_address(p, address, step, false);
            return;
        }
        p.wide = Some(match p.wide {
            Some(before) => self.op(Op::IAdd, Ty::I64, &[before, step]),
            None => step,
        });
    }

    /// Sum (I64) of terms of 32 or 64 bits, unsigned, each times its stride.
    pub(super) fn wide_sum(&mut self, terms: &[(Value, u32)]) -> Value {
        let mut sum = None;
        for &(index, stride) in terms {
            let index = match self.ty(index) {
                Ty::I64 => index,
                _ => self.op(Op::UConvert, Ty::I64, &[index]),
            };
            let step = self.scaled(index, stride);
            sum = Some(match sum {
                Some(sum) => self.op(Op::IAdd, Ty::I64, &[sum, step]),
                None => step,
            });
        }
        sum.unwrap_or_else(|| self.constant(Ty::I64, 0))
    }

    /// The dynamic part (I64) of the offset of a place whose offsets have 64 bits.
    pub(super) fn wide_offset(&mut self, p: &Place) -> Value {
        let terms: Vec<(Value, u32)> =
            p.wide.map(|wide| (wide, 1)).into_iter().chain(p.dynamic.iter().copied()).collect();
        self.wide_sum(&terms)
    }

    /// Static and dynamic part (I64) of the offset of a place in a buffer.
    pub(super) fn wide_total(&mut self, p: &Place) -> Value {
        let dynamic = self.wide_offset(p);
        if p.offset == 0 {
            return dynamic;
        }
        let offset = self.constant(Ty::I64, u64::from(p.offset));
        self.op(Op::IAdd, Ty::I64, &[dynamic, offset])
    }

    /// Length of the runtime array at an offset in a buffer, as an integer of type `to`.
    pub(super) fn wide_length(&mut self, handle: Value, offset: u32, stride: u32, to: Ty) -> Result<Scalars> {
        let size = self.op(Op::BufferSize, Ty::I64, &[handle]);
        let offset = self.constant(Ty::I64, u64::from(offset));
        let most = self.op(Op::UMax, Ty::I64, &[size, offset]);
        let bytes = self.op(Op::ISub, Ty::I64, &[most, offset]);
        let stride = self.constant(Ty::I64, u64::from(stride));
        let n = self.op(Op::UDiv, Ty::I64, &[bytes, stride]);
        match to {
            Ty::I64 => Ok(Lower::one(n)),
            Ty::I32 => {
                let most = self.constant(Ty::I64, u64::from(u32::MAX));
                let n = self.op(Op::UMin, Ty::I64, &[n, most]);
                Ok(Lower::one(self.op(Op::UConvert, Ty::I32, &[n])))
            }
            _ => Err(Error::invalid("the length of an array is an integer of 32 or 64 bits")),
        }
    }

    /// The place of number `index` (I32 or I64, unsigned) in an array of values of `size` bytes that begins at a place.
    pub(super) fn nth_element(&mut self, base: &Place, index: Value, size: u32) -> Place {
        let mut place = base.clone();
        match self.ty(index) {
            Ty::I64 if !matches!(place.root, Root::Shared(_)) => {
                let step = self.scaled(index, size);
                self.move_wide(&mut place, step);
            }
            Ty::I64 => {
                let index = self.op(Op::UConvert, Ty::I32, &[index]);
                place.dynamic.push((index, size));
            }
            _ => place.dynamic.push((index, size)),
        }
        place
    }
}
