//! Pointers as values: pointers in phis, selections, variables, memory and function arguments at run time.
//!
//! * Buffers (StorageBuffer and other classes with a descriptor): base and size of the descriptor's range (I64 each),
//!   byte offset (I32; with 64-bit indexing I64). Every access is checked against the range that the pointer came from.
//! * Workgroup: byte offset (I32). Null is 2^32 - 1, which is out of range.
//! * PhysicalStorageBuffer: the address (I64), looked up in the table of live buffers at each access.
//!
//! These three have no other representation; pointers of all other classes exist at compile time only. Spec: SPIR-V,
//! "Variable pointer"; SPV_KHR_physical_storage_buffer.

use std::borrow::Cow;

use smallvec::smallvec;
use spirv::{Decoration, Op as SpvOp, StorageClass};

use super::place::{Owner, Place, Root, is_ordered};
use super::{Lower, Scalars, Val};
use crate::abi::INSIDE;
use crate::error::{Error, Result};
use crate::ir::{Imm, Op, ResourceKind, Ty, Value};
use crate::spirv::grammar;
use crate::spirv::module::Inst;
use crate::spirv::types::{MatrixLayout, Type, UNTYPED, Units};

/// A null pointer to workgroup memory.
pub(super) const NULL_SHARED: u64 = 0xffff_ffff;
/// Most bytes of a constant step from a place at an offset of 64 bits from an address that is added to this offset. Sums of as
/// many as a module has room for are still offsets in a buffer, positive or negative.
const MOST_NEAR_STEP: u64 = 1 << 12;

impl Lower<'_> {
    /// Returns the place of a pointer value. `id` and `ty` belong to the pointer.
    pub(super) fn pointer_place(&mut self, id: u32, ty: u32, scalars: &[Value]) -> Result<Place> {
        if let (&Type::Address { class, pointee }, &[address]) = (self.module.ty(ty)?, scalars) {
            return self.address_place(class, pointee, address);
        }
        let Type::Pointer { class, pointee } = *self.module.ty(ty)? else {
            return Err(Error::invalid(format!("id %{id} is not a pointer")));
        };
        let (root, at) = match (class, scalars) {
            (StorageClass::PhysicalStorageBuffer, &[address]) => (Root::Address(address), None),
            (StorageClass::Workgroup, &[at]) => (Root::Shared(self.workgroup_units()?), Some(at)),
            (_, &[base, size, at]) => {
                let handle = self.buffer_at(base, size);
                (Root::Buffer { handle, owner: Owner::Any }, Some(at))
            }
            _ => return Err(Error::unsupported(format!("pointers to {class:?} as values"))),
        };
        let mut place = Place::new(root, pointee);
        match at {
            Some(at) if self.ty(at) == Ty::I64 => place.wide = Some(at),
            at => place.dynamic.extend(at.map(|at| (at, 1))),
        }
        (place.matrix, place.step) = self.pointer_layout(id, 16)?;
        place.ordered = self.ordered_anywhere();
        Ok(place)
    }

    /// Returns the pointer to a place as a value.
    pub(super) fn pointer_scalars(&mut self, place: &Place) -> Result<Scalars> {
        if self.is_kernel() {
            return self.kernel_pointer(place);
        }
        let mut place = place.clone();
        if matches!(self.module.ty(place.ty), Ok(Type::Struct { .. })) {
            self.choose_buffer(&mut place)?;
        }
        Ok(match place.root {
            Root::Buffer { handle, owner } => {
                if let Owner::Binding(b) = owner
                    && self.shader.bindings[b as usize].kind == ResourceKind::StorageBuffer
                {
                    // Stores through the pointer cannot be tracked, so the binding counts as written.
                    self.shader.bindings[b as usize].written = true;
                }
                let (base, size) = self.buffer_parts(handle);
                let at = match self.types.wide_indexing {
                    true => self.wide_total(&place),
                    false => self.total_offset(&place),
                };
                smallvec![base, size, at]
            }
            Root::Shared(_) => smallvec![self.total_offset(&place)],
            Root::Address(address) => smallvec![self.total_address(address, &place)],
            _ => return Err(Error::unsupported("pointers to private variables or resources as values")),
        })
    }

    /// Buffer and owner of a root, if it is in a buffer.
    pub(super) fn buffer_of(&mut self, root: &Root) -> Option<(Value, Owner)> {
        match *root {
            Root::Buffer { handle, owner } => Some((handle, owner)),
            Root::Payload { handle, .. } => Some((handle, Owner::Payload)),
            Root::Address(address) => {
                let parts = self.emit(Op::AddressBuffer, &[address], Imm::None, &[Ty::I64; 2]);
                Some((self.buffer_at(parts[0], parts[1]), Owner::Any))
            }
            _ => None,
        }
    }

    pub(super) fn buffer_at(&mut self, base: Value, size: Value) -> Value {
        let handle = self.emit(Op::BufferAt, &[base, size], Imm::None, &[Ty::Buffer])[0];
        self.parts.insert(handle, (base, size));
        handle
    }

    /// Base and size of a buffer.
    fn buffer_parts(&mut self, handle: Value) -> (Value, Value) {
        if let Some(&known) = self.parts.get(&handle) {
            return known;
        }
        // For descriptors loaded in the prelude, emit the parts in the prelude too, so that all uses share them.
        let first = self.handles.values().any(|&h| h == handle);
        let list = if first {
            self.emit_first(Op::BufferParts, &[handle], Imm::None, &[Ty::I64; 2])
        } else {
            self.emit(Op::BufferParts, &[handle], Imm::None, &[Ty::I64; 2])
        };
        if first {
            self.parts.insert(handle, (list[0], list[1]));
        }
        (list[0], list[1])
    }

    /// Sum of the static and dynamic offset of a place.
    fn total_offset(&mut self, place: &Place) -> Value {
        let mut place = place.clone();
        if place.dynamic.is_empty() {
            return self.i32(place.offset);
        }
        if place.offset != 0 {
            let offset = self.i32(place.offset);
            place.dynamic.push((offset, 1));
        }
        self.dynamic_offset(&place)
    }

    /// Moves a place at an address by a number of bytes (I64). Steps may be negative, and lead back from outside of a buffer, so
    /// that the sum of all of them is exact: it is a part of the address, or the 64-bit offset of a place that stays `near`.
    pub(super) fn move_address(&mut self, p: &mut Place, address: Value, step: Value, near: bool) {
        if near {
            let parts = self.offsets(p);
            p.wide = Some(parts.into_iter().fold(step, |sum, v| self.op(Op::IAdd, Ty::I64, &[sum, v])));
        } else {
            let from = self.total_address(address, p);
            p.root = Root::Address(self.op(Op::IAdd, Ty::I64, &[from, step]));
            p.wide = None;
        }
        p.offset = 0;
        p.dynamic.clear();
    }

    /// Makes one of 32 bits of a 64-bit offset from an address, for an access. It counts from a place in the buffer at most 2 GiB
    /// before the address, so that one look-up serves all lanes.
    pub(super) fn around<'p>(&mut self, place: &'p Place) -> Cow<'p, Place> {
        let (&Root::Address(address), Some(wide)) = (&place.root, place.wide) else {
            return Cow::Borrowed(place);
        };
        let [inside, most] = [INSIDE, 1 << 31].map(|bits| self.constant(Ty::I64, bits));
        let inside = self.op(Op::And, Ty::I64, &[address, inside]);
        let back = self.op(Op::UMin, Ty::I64, &[inside, most]);
        let sum = self.op(Op::IAdd, Ty::I64, &[back, wide]);
        let offset = self.emit(Op::Offset, &[sum], Imm::Strides(smallvec![1]), &[Ty::I32])[0];
        let mut place = place.clone();
        place.root = Root::Address(self.op(Op::ISub, Ty::I64, &[address, back]));
        place.wide = None;
        place.dynamic.push((offset, 1));
        Cow::Owned(place)
    }

    /// Rebases a place with a large offset, since an access reaches at most [`crate::abi::ADDRESS_REACH`] bytes past
    /// its address.
    pub(super) fn near<'p>(&mut self, place: &'p Place) -> Cow<'p, Place> {
        let mut place = self.settle(place);
        if let Root::Address(address) = place.root
            && place.offset >= 1 << 30
        {
            let offset = self.constant(Ty::I64, u64::from(place.offset));
            let place = place.to_mut();
            place.root = Root::Address(self.op(Op::IAdd, Ty::I64, &[address, offset]));
            place.offset = 0;
        }
        place
    }

    /// Address of a place.
    fn total_address(&mut self, address: Value, place: &Place) -> Value {
        self.offsets(place).into_iter().fold(address, |sum, v| self.op(Op::IAdd, Ty::I64, &[sum, v]))
    }

    /// Layout of workgroup memory: explicit if any workgroup variable is a block.
    fn workgroup_units(&self) -> Result<Units> {
        for &id in self.module.globals() {
            let (class, pointee) = self.module.variable(id)?;
            if class == StorageClass::Workgroup && self.module.deco(pointee, Decoration::Block).is_some() {
                return Ok(Units::Explicit);
            }
        }
        Ok(Units::Natural)
    }

    pub(super) fn is_untyped(&self, pointer_ty: u32) -> bool {
        matches!(self.module.ty(pointer_ty), Ok(Type::Pointer { pointee: UNTYPED, .. }))
    }

    /// Gives a place behind an untyped pointer the type of the access.
    pub(super) fn retype(&mut self, place: &mut Place, pointer: u32, ty: u32) -> Result<()> {
        match self.is_untyped(self.module.type_of(pointer)?) {
            true => self.see_as(place, ty),
            false => Ok(()),
        }
    }

    /// Reinterprets the memory at a place as another type.
    fn see_as(&mut self, place: &mut Place, ty: u32) -> Result<()> {
        if self.module.is_of_part_bytes(ty) {
            return Err(Error::invalid("floats of 4 or 6 bits behind an untyped pointer"));
        }
        if place.ty == ty {
            return Ok(());
        }
        let array = |t: &Type| matches!(t, Type::Array { .. } | Type::RuntimeArray { .. });
        if matches!(place.root, Root::Binding(_) | Root::Mapped(_)) {
            if self.module.ty(place.ty).is_ok_and(array) && array(self.module.ty(ty)?) {
                // An array of blocks of another type: the descriptor is still to be chosen.
                place.ty = ty;
                return Ok(());
            }
            self.choose_buffer(place)?;
        }
        if place.units() == Units::Leaves {
            return Err(Error::unsupported("untyped pointers to private variables"));
        }
        (place.ty, place.step) = (ty, 0);
        Ok(())
    }

    /// `true` if any decoration is Volatile or Coherent, since a pointer may lead to the decorated memory.
    pub(super) fn ordered_anywhere(&mut self) -> bool {
        if let Some(known) = self.ordered_anywhere {
            return known;
        }
        let m = self.module;
        let found = m.all_decorations().any(is_ordered);
        self.ordered_anywhere = Some(found);
        found
    }

    /// Matrix layout and vector component distance at a pointer, according to its access chain. `left` limits
    /// recursion.
    fn pointer_layout(&mut self, id: u32, left: u32) -> Result<(MatrixLayout, u32)> {
        let m = self.module;
        if let Some(Val::Place(p)) = self.frames.last().and_then(|f| f.locals.get(&id)) {
            return Ok((p.matrix, p.step));
        }
        let nothing = (MatrixLayout::default(), 0);
        let Some(def) = m.def(id).filter(|_| left > 0) else { return Ok(nothing) };
        let operands = m.operands(def);
        let at = |i: usize| operands.get(i).copied().unwrap_or(0);
        let first = match def.op {
            SpvOp::AccessChain | SpvOp::InBoundsAccessChain => 1,
            SpvOp::PtrAccessChain => 2,
            SpvOp::CopyObject => return self.pointer_layout(at(0), left - 1),
            SpvOp::Select | SpvOp::Phi => {
                let sources = if def.op == SpvOp::Select { vec![at(1), at(2)] } else { vec![at(0), at(2)] };
                for source in sources {
                    let found = self.pointer_layout(source, left - 1)?;
                    if found != nothing {
                        return Ok(found);
                    }
                }
                return Ok(nothing);
            }
            _ => return Ok(nothing),
        };
        let (mut layout, mut step) = self.pointer_layout(at(0), left - 1)?;
        let Type::Pointer { pointee: mut ty, .. } = *m.ty(m.type_of(at(0))?)? else { return Ok(nothing) };
        for &index in operands.get(first..).unwrap_or_default() {
            step = 0;
            ty = match m.ty(ty)? {
                Type::Struct { members } => {
                    let member = self.types.const_u32(index)?;
                    let own = self.types.member_matrix(ty, member);
                    if own != MatrixLayout::default() {
                        layout = own;
                    }
                    *members.get(member as usize).ok_or_else(|| Error::invalid("no such member"))?
                }
                Type::Array { elem, .. } | Type::RuntimeArray { elem } | Type::Vector { elem, .. } => *elem,
                Type::Matrix { column, .. } => {
                    if layout != MatrixLayout::default() {
                        step = self.types.matrix_strides(ty, Units::Explicit, layout)?.1;
                    }
                    *column
                }
                _ => return Err(Error::invalid("too many indices")),
            };
        }
        Ok((layout, step))
    }

    /// Moves a place by `element` (treated as signed) times the stride of the pointer type.
    fn move_by(&mut self, place: &mut Place, pointer: u32, element: u32) -> Result<()> {
        let m = self.module;
        if let Type::Address { pointee, .. } = *m.ty(m.type_of(pointer)?)? {
            if self.is_null(element) {
                return Ok(());
            }
            let stride = self.kernel_stride(pointee)?;
            place.indices.clear();
            return match self.kernel_index(place, element, stride, 0)? {
                true => Ok(()),
                false => Err(Error::unsupported("pointer arithmetic on a built-in variable")),
            };
        }
        let element_ty = m.type_of(element)?;
        let constant = match (m.ty(element_ty)?, m.def(element)) {
            (Type::Int { bits, .. }, Some(d)) if grammar::is_constant(d.op) => {
                let shift = 64 - bits;
                Some(((self.types.const_scalar(element)? << shift) as i64) >> shift)
            }
            _ => None,
        };
        if constant == Some(0) {
            return Ok(());
        }
        self.choose_buffer(place)?;
        let stride = self.pointer_stride(place, m.type_of(pointer)?)?;
        let at = constant
            .and_then(|e| u32::try_from(e).ok())
            .and_then(|e| e.checked_mul(stride))
            .and_then(|step| place.offset.checked_add(step));
        let by_address = matches!(place.root, Root::Address(_));
        let is_near = by_address && place.wide.is_some();
        // Checks tell of the address that a step leads to: an earlier one may have left the buffer.
        if let Some(at) = at
            && !is_near
            && !(by_address && self.noted)
        {
            place.offset = at;
            return Ok(());
        }
        let element = self.scalar(element)?;
        let wide = match self.ty(element) {
            Ty::I64 => element,
            Ty::I8 | Ty::I16 | Ty::I32 => self.op(Op::SConvert, Ty::I64, &[element]),
            _ => return Err(Error::invalid("element is not an integer")),
        };
        if let Root::Address(address) = place.root {
            let step = self.scaled(wide, stride);
            let short = |e: i64| e.unsigned_abs().saturating_mul(u64::from(stride)) <= MOST_NEAR_STEP;
            self.move_address(place, address, step, is_near && constant.is_some_and(short));
            return Ok(());
        }
        if self.has_wide_offsets(place) {
            // An element may be negative: the sum with the static offset counts.
            let (from, step) = (self.wide_total(place), self.wide_step(wide, true, stride)?);
            place.wide = Some(self.op(Op::IAdd, Ty::I64, &[from, step]));
            (place.offset, place.dynamic) = (0, smallvec![]);
            return Ok(());
        }
        let stride = self.constant(Ty::I64, u64::from(stride));
        let step = self.op(Op::IMul, Ty::I64, &[wide, stride]);
        let from = self.total_offset(place);
        let from = self.op(Op::UConvert, Ty::I64, &[from]);
        let to = self.op(Op::IAdd, Ty::I64, &[from, step]);
        // Offsets before the start saturate too.
        let max = self.constant(Ty::I64, u64::from(u32::MAX));
        let to = self.op(Op::UMin, Ty::I64, &[to, max]);
        let to = self.op(Op::UConvert, Ty::I32, &[to]);
        place.dynamic = smallvec![(to, 1)];
        place.offset = 0;
        Ok(())
    }

    /// Bytes between the elements of the array that a pointer points into.
    fn pointer_stride(&mut self, place: &Place, pointer_ty: u32) -> Result<u32> {
        if let Type::Address { pointee, .. } = *self.module.ty(pointer_ty)? {
            return self.kernel_stride(pointee);
        }
        match place.root {
            Root::Shared(Units::Natural) => {
                let (size, align) = self.types.natural(place.ty)?;
                Ok(size.next_multiple_of(align.max(1)).max(1))
            }
            Root::Shared(_) | Root::Buffer { .. } | Root::Address(_) => {
                match self.module.deco(pointer_ty, Decoration::ArrayStride) {
                    Some(stride) if stride != 0 => Ok(stride),
                    _ if self.is_untyped(pointer_ty) => Ok(1),
                    _ => Err(Error::invalid(format!("pointer type %{pointer_ty} has no ArrayStride"))),
                }
            }
            _ => Err(Error::unsupported("pointer arithmetic outside of buffers and workgroup memory")),
        }
    }

    /// Like [`Lower::pointer_stride`], for OpPtrDiff, which does not require its pointer types to have a stride.
    /// Without one, uses the stride of the module's arrays of the pointee type, which must agree.
    fn difference_stride(&mut self, place: &Place, pointer_ty: u32) -> Result<u32> {
        let declared = self.pointer_stride(place, pointer_ty);
        if declared.is_ok() {
            return declared;
        }
        let mut strides = self.module.array_strides(place.ty);
        match (strides.next(), strides.next()) {
            (Some(stride), None) if stride != 0 => Ok(stride),
            _ => declared,
        }
    }
}

/// OpPtrAccessChain.
pub fn ptr_access_chain<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    let (base, element) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let mut place = lower.place(base)?;
    lower.move_by(&mut place, base, element)?;
    let place = lower.access(place, &operands[2..])?;
    lower.bind(inst.id, Val::Place(place));
    Ok(())
}

/// OpUntypedAccessChainKHR, OpUntypedInBoundsAccessChainKHR: the base type is an operand.
pub fn untyped_access_chain<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    let (ty, base) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let mut place = lower.place(base)?;
    lower.see_as(&mut place, ty)?;
    let place = lower.access(place, &operands[2..])?;
    lower.bind(inst.id, Val::Place(place));
    Ok(())
}

/// OpUntypedPtrAccessChainKHR.
pub fn untyped_ptr_access_chain<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    let (ty, base) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let element = lower.id_at(operands, 2)?;
    let mut place = lower.place(base)?;
    lower.move_by(&mut place, base, element)?;
    // Indices go into the base type if there are any; otherwise the place keeps its type.
    if operands.len() > 3 {
        lower.see_as(&mut place, ty)?;
    }
    let place = lower.access(place, &operands[3..])?;
    lower.bind(inst.id, Val::Place(place));
    Ok(())
}

/// OpUntypedArrayLengthKHR.
pub fn untyped_array_length<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (ty, pointer) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let mut place = lower.place(pointer)?;
    lower.see_as(&mut place, ty)?;
    let member = lower.id_at(operands, 2)?;
    let to = lower.types.scalar(inst.ty)?;
    lower.length_of(place, member, to)
}

/// A pointer as a single number: its offset or address.
fn number(lower: &mut Lower<'_>, id: u32) -> Result<Value> {
    match lower.scalars(id)?[..] {
        [v] => Ok(v),
        [base, _, at] => {
            let at = match lower.ty(at) {
                Ty::I64 => at,
                _ => lower.op(Op::UConvert, Ty::I64, &[at]),
            };
            Ok(lower.op(Op::IAdd, Ty::I64, &[base, at]))
        }
        _ => Err(Error::invalid(format!("id %{id} is not a pointer"))),
    }
}

fn numbers(lower: &mut Lower<'_>, operands: &[u32]) -> Result<(Value, Value)> {
    let (a, b) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let (a, b) = (number(lower, a)?, number(lower, b)?);
    if lower.ty(a) != lower.ty(b) {
        return Err(Error::invalid("pointers of different storage classes"));
    }
    Ok((a, b))
}

/// OpPtrEqual, OpPtrNotEqual.
pub fn compare<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (a, b) = numbers(lower, operands)?;
    let op = if inst.op == SpvOp::PtrEqual { Op::IEq } else { Op::INe };
    Ok(Lower::one(lower.op(op, Ty::Bool, &[a, b])))
}

/// OpPtrDiff: the difference in elements.
pub fn diff<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (a, b) = numbers(lower, operands)?;
    let pointer = lower.id_at(operands, 0)?;
    let mut place = lower.place(pointer)?;
    lower.choose_buffer(&mut place)?;
    let stride = lower.difference_stride(&place, lower.module.type_of(pointer)?)?;
    let (from, to) = (lower.ty(a), lower.types.scalar(inst.ty)?);
    let bytes = lower.op(Op::ISub, from, &[a, b]);
    let stride = lower.constant(from, u64::from(stride));
    let elements = lower.op(Op::SDiv, from, &[bytes, stride]);
    if !to.is_int() {
        return Err(Error::invalid("the difference of pointers must be an integer"));
    }
    Ok(Lower::one(if to == from { elements } else { lower.op(Op::SConvert, to, &[elements]) }))
}

/// OpConvertPtrToU, OpConvertUToPtr: addresses are 64-bit integers; other widths are truncated or zero-extended.
pub fn convert<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let id = lower.id_at(operands, 0)?;
    let pointer = if inst.op == SpvOp::ConvertPtrToU { lower.module.type_of(id)? } else { inst.ty };
    let is_address = matches!(
        lower.module.ty(pointer)?,
        Type::Pointer { class: StorageClass::PhysicalStorageBuffer, .. } | Type::Address { .. }
    );
    if !is_address {
        return Err(Error::invalid("only addresses of physical storage buffers can be converted to numbers"));
    }
    let value = lower.scalar(id)?;
    let to = lower.types.scalar(inst.ty)?;
    if !to.is_int() || !lower.ty(value).is_int() {
        return Err(Error::invalid("an address must be an integer"));
    }
    Ok(Lower::one(if to == lower.ty(value) { value } else { lower.op(Op::UConvert, to, &[value]) }))
}
