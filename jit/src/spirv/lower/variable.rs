//! Variables, and the instructions that load, store and copy through pointers.

use spirv::StorageClass;

use super::aggregate::MAX_SPLIT;
use super::note::Said;
use super::place::{Place, Root};
use super::{Lower, Scalars, Val};
use crate::error::{Error, Result};
use crate::ir::{Note, Op, Ty};
use crate::spirv::module::Inst;
use crate::spirv::types::{Type, Units};

/// `true` if memory operands forbid merging accesses.
pub(super) fn operands_ordered(mask: Option<&u32>) -> bool {
    let bits = spirv::MemoryAccess::from_bits_truncate(mask.copied().unwrap_or(0));
    bits.intersects(
        spirv::MemoryAccess::VOLATILE
            | spirv::MemoryAccess::MAKE_POINTER_AVAILABLE
            | spirv::MemoryAccess::MAKE_POINTER_VISIBLE,
    )
}

/// Splits memory operands into their memory-model part and the words after the operands.
pub(super) fn said(words: &[u32]) -> (Said, &[u32]) {
    use spirv::MemoryAccess as M;
    let Some((&mask, mut rest)) = words.split_first() else { return (Said::default(), words) };
    let bits = M::from_bits_truncate(mask);
    let mut next = |bit: M| {
        let (&word, tail) = rest.split_first().filter(|_| bits.contains(bit))?;
        rest = tail;
        Some(word)
    };
    // Operands follow the mask in the order of its bits.
    let aligned = next(M::ALIGNED).unwrap_or(0);
    let (available, visible) = (next(M::MAKE_POINTER_AVAILABLE), next(M::MAKE_POINTER_VISIBLE));
    (Said { non_private: bits.contains(M::NON_PRIVATE_POINTER), available, visible, aligned }, rest)
}

/// `true` if an id is a constant of zeros.
fn is_null(lower: &Lower<'_>, id: u32) -> bool {
    lower.module.def(id).is_some_and(|def| def.op == spirv::Op::ConstantNull)
}

/// OpVariable inside a function.
pub fn variable<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    let m = lower.module;
    let pointee = match m.ty(inst.ty)? {
        Type::Pointer { class: StorageClass::Function, pointee }
        | Type::Address { class: StorageClass::Function, pointee } => *pointee,
        _ => return Err(Error::invalid("a variable in a function must be of class Function")),
    };
    if lower.is_kernel()
        && let Some(place) = lower.kernel_variable(inst, pointee)?
    {
        if let Some(&initializer) = operands.get(1) {
            let scalars = lower.scalars(initializer)?;
            lower.store(&place, &scalars)?;
        }
        lower.bind(inst.id, Val::Place(place));
        return Ok(());
    }
    if let Some(place) = lower.local_query(pointee)? {
        lower.bind(inst.id, Val::Place(place));
        return Ok(());
    }
    let mut tys = Vec::new();
    lower.types.leaf_types(pointee, &mut tys)?;
    if tys.contains(&Ty::Image) {
        if tys.len() == 1 && lower.is_kernel() && lower.hold(inst) {
            return Ok(());
        }
        return Err(Error::unsupported("variables that hold images or samplers"));
    }
    let var = lower.new_var(tys.clone(), m.name(inst.id));
    let place = Place::new(Root::Var(var), pointee);
    let large = tys.len() as u32 > MAX_SPLIT;
    let null = |&id: &u32| m.def(id).is_some_and(|d| d.op == spirv::Op::ConstantNull && d.ty == pointee);
    match operands.get(1) {
        // Variables are zero at the start of the shader.
        Some(id) if large && null(id) && lower.loop_depth == 0 => lower.note_zeros(Note::Zeros(var)),
        Some(id) if large && null(id) => lower.zero(&place)?,
        None if large && lower.loop_depth > 0 => {
            lower.zero(&place)?;
            lower.note_fresh(var);
        }
        Some(&init) => {
            let scalars = lower.scalars(init)?;
            lower.store(&place, &scalars)?;
        }
        // In a loop, zero the variable again each time its declaration is reached.
        None if lower.loop_depth > 0 => {
            let zeros: Scalars = tys.iter().map(|&ty| lower.constant(ty, 0)).collect();
            lower.store(&place, &zeros)?;
            lower.note_fresh(var);
        }
        None => {}
    }
    lower.bind(inst.id, Val::Place(place));
    Ok(())
}

/// OpAccessChain, OpInBoundsAccessChain.
pub fn access_chain<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    let base = lower.id_at(operands, 0)?;
    let base = lower.place(base)?;
    let place = lower.access(base, &operands[1..])?;
    match lower.module.ty(inst.ty)? {
        Type::Pointer { .. } | Type::Address { .. } => {}
        _ => return Err(Error::invalid("result type is not a pointer")),
    }
    lower.bind(inst.id, Val::Place(place));
    Ok(())
}

/// OpLoad.
pub fn load<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    let pointer = lower.id_at(operands, 0)?;
    if let Some(image) = lower.held(pointer)? {
        return lower.define(inst, Lower::one(image));
    }
    let mut place = lower.place(pointer)?;
    lower.retype(&mut place, pointer, inst.ty)?;
    place.ordered |= operands_ordered(operands.get(1));
    lower.keep_operands(&said(operands.get(1..).unwrap_or_default()).0);
    lower.note_indices(&place);
    if lower.stays_in_memory(&place, inst.ty)? {
        return lower.load_aggregate(inst, &place);
    }
    let other = || Err(Error::invalid("the result type is not the pointer's pointee type"));
    let kind = std::mem::discriminant(lower.module.ty(inst.ty)?);
    if kind != std::mem::discriminant(lower.module.ty(place.ty)?) {
        return other();
    }
    let n = lower.types.leaves(place.ty)?;
    lower.take_apart(place.ty, n as usize)?;
    let scalars = lower.load(&place)?;
    let handles = scalars.iter().any(|&v| lower.ty(v) == Ty::Image);
    if handles && inst.ty != place.ty {
        return other();
    }
    lower.define(inst, scalars)
}

/// OpStore.
pub fn store<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let (pointer, object) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    if lower.keep_held(pointer, object)? {
        return Ok(());
    }
    let mut place = lower.place(pointer)?;
    let ty = lower.module.type_of(object)?;
    lower.retype(&mut place, pointer, ty)?;
    if !lower.same_scalars(place.ty, ty)? {
        return Err(Error::invalid("the object does not have the pointer's pointee type"));
    }
    place.ordered |= operands_ordered(operands.get(2));
    lower.keep_operands(&said(operands.get(2..).unwrap_or_default()).0);
    lower.note_indices(&place);
    match lower.val(object)? {
        Val::Memory(from) if from.ty == place.ty && !matches!(place.root, Root::Record(_)) => {
            lower.copy(&place, &from)
        }
        _ if is_null(lower, object) && lower.stays_in_memory(&place, ty)? => lower.zero(&place),
        _ => {
            let scalars = lower.scalars(object)?;
            lower.store(&place, &scalars)
        }
    }
}

/// OpCopyMemory.
pub fn copy_memory<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let (to_id, from_id) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let (mut to, mut from) = (lower.place(to_id)?, lower.place(from_id)?);
    // At most one of the two pointers is untyped.
    lower.retype(&mut to, to_id, from.ty)?;
    lower.retype(&mut from, from_id, to.ty)?;
    if !lower.same_scalars(to.ty, from.ty)? {
        return Err(Error::invalid("a copy between pointers with different pointee types"));
    }
    lower.keep_copied(&mut to, &mut from, operands.get(2..).unwrap_or_default());
    if lower.stays_in_memory(&from, to.ty)? {
        return lower.copy(&to, &from);
    }
    let n = lower.types.leaves(from.ty)?;
    lower.take_apart(from.ty, n as usize)?;
    let scalars = lower.load(&from)?;
    lower.store(&to, &scalars)
}

/// OpCopyObject, including copies of pointers.
pub fn copy_object<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    let id = lower.id_at(operands, 0)?;
    if lower.module.type_of(id)? != inst.ty {
        return Err(Error::invalid("result type is not that of the operand"));
    }
    match lower.val(id)? {
        Val::Scalars(s) => {
            lower.kept(s.len())?;
            lower.define(inst, s)
        }
        place => {
            lower.bind(inst.id, place);
            Ok(())
        }
    }
}

/// OpArrayLength.
pub fn array_length<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (pointer, member) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let place = lower.place(pointer)?;
    let to = lower.types.scalar(inst.ty)?;
    lower.length_of(place, member, to)
}

impl Lower<'_> {
    /// Returns true if values of two types have the same scalars, as those of the same type do. In memory, nothing else shows
    /// which type they have.
    fn same_scalars(&mut self, a: u32, b: u32) -> Result<bool> {
        if a == b {
            return Ok(true);
        }
        let n = self.types.leaves(a)?;
        if n != self.types.leaves(b)? {
            return Ok(false);
        }
        self.work(n as usize)?;
        let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
        self.types.leaf_types(a, &mut of_a)?;
        self.types.leaf_types(b, &mut of_b)?;
        Ok(of_a == of_b)
    }

    /// Applies the memory operands of a copy: the first set to the write; the second set, or else the first, to the
    /// read.
    pub(super) fn keep_copied(&mut self, to: &mut Place, from: &mut Place, words: &[u32]) {
        let (written, rest) = said(words);
        let others = if rest.is_empty() { words } else { rest };
        to.ordered |= operands_ordered(words.first());
        from.ordered |= operands_ordered(others.first());
        self.keep_operands(&written);
        let writes = self.operands.writes;
        let read = said(others).0;
        self.keep_operands(&read);
        self.operands.writes = writes;
        self.said_aligned = written.aligned.min(read.aligned);
    }

    /// Length of the runtime array at the end of a structure, as an integer of type `to`.
    pub(super) fn length_of(&mut self, mut place: Place, member: u32, to: Ty) -> Result<Scalars> {
        let lower = self;
        lower.choose_buffer(&mut place)?;
        let Some((handle, _)) = lower.buffer_of(&place.root) else {
            return Err(Error::invalid("only buffers can end in runtime arrays"));
        };
        let offset = lower.types.member_offset(place.ty, member, Units::Explicit)?;
        let array = match lower.module.ty(place.ty)? {
            Type::Struct { members } => members[member as usize],
            _ => return Err(Error::invalid("not a struct")),
        };
        let stride = lower.types.array_stride(array, Units::Explicit)?;
        if lower.types.wide_indexing {
            return lower.wide_length(handle, offset, stride, to);
        }
        if to != Ty::I32 {
            return Err(Error::invalid("a length that does not have 32 bits needs 64-bit indexing"));
        }
        let size = lower.op(Op::BufferSize, Ty::I32, &[handle]);
        let offset = lower.i32(offset);
        let most = lower.op(Op::UMax, Ty::I32, &[size, offset]);
        let bytes = lower.op(Op::ISub, Ty::I32, &[most, offset]);
        let stride = lower.i32(stride);
        Ok(Lower::one(lower.op(Op::UDiv, Ty::I32, &[bytes, stride])))
    }
}
