//! Pointers of kernels: arithmetic, casts between storage classes, generic pointers, copies by a workgroup.
//!
//! A place keeps the 64-bit sum of its dynamic offsets ([`Place::wide`]), as the language defines pointer arithmetic,
//! and makes one 32-bit offset of it at the access. Arithmetic stays within the buffer: it changes the offset in the buffer
//! only, modulo 2^40 and from -2^39 on, so that a pointer before the start is the lesser number. Offsets from the start of a
//! buffer that are negative or too large become the largest offset, which is out of range of everything.

use std::borrow::Cow;

use smallvec::smallvec;
use spirv::{Op as SpvOp, StorageClass};

use super::super::place::{Place, Root};
use super::super::{Lower, Scalars, Val, arith};
use super::UNITS;
use crate::abi::{HALF_INSIDE, INSIDE};
use crate::error::{Error, Result};
use crate::ir::{self, End, Imm, Node, Note, Op, Region, Ty, Value};
use crate::spirv::grammar;
use crate::spirv::kernel::{PRIVATE_BASE, SHARED_BASE};
use crate::spirv::module::Inst;
use crate::spirv::types::Type;

impl Lower<'_> {
    /// The place that a pointer of a storage class leads to.
    pub(in crate::spirv::lower) fn address_place(
        &mut self,
        class: StorageClass,
        pointee: u32,
        address: Value,
    ) -> Result<Place> {
        let (root, base) = match class {
            StorageClass::CrossWorkgroup | StorageClass::UniformConstant => (Root::Address(address), None),
            StorageClass::Generic => (Root::Generic(address), None),
            StorageClass::Workgroup => (Root::Shared(UNITS), Some(SHARED_BASE)),
            StorageClass::Function => (Root::Private, Some(PRIVATE_BASE)),
            other => return Err(Error::unsupported(format!("pointers to {other:?} in kernels"))),
        };
        let mut place = Place::new(root, pointee);
        if let Some(base) = base {
            let base = self.constant(Ty::I64, base);
            place.wide = Some(self.op(Op::ISub, Ty::I64, &[address, base]));
        }
        Ok(place)
    }

    /// The pointer to a place, as a number. It leads into the buffer of the pointer that it was made of: arithmetic never
    /// leads from one buffer into another.
    pub(in crate::spirv::lower) fn kernel_pointer(&mut self, place: &Place) -> Result<Scalars> {
        let base = match place.root {
            Root::Address(address) | Root::Generic(address) => address,
            Root::Shared(_) => self.constant(Ty::I64, SHARED_BASE),
            Root::Private => self.constant(Ty::I64, PRIVATE_BASE),
            _ => {
                return Err(Error::unsupported(
                    "pointers to built-ins or other variables without memory as values",
                ));
            }
        };
        let sum = self.offsets(place).into_iter().fold(base, |sum, v| self.op(Op::IAdd, Ty::I64, &[sum, v]));
        if sum == base || !matches!(place.root, Root::Address(_)) {
            return Ok(smallvec![sum]);
        }
        // The offset lies between -2^39 and 2^39, so that pointers are in the order of their numbers.
        let start = if self.kernel.starts.contains(&base) { base } else { self.buffer_start(base) };
        let (half, inside) = (self.constant(Ty::I64, HALF_INSIDE), self.constant(Ty::I64, INSIDE));
        let lowest = self.op(Op::ISub, Ty::I64, &[start, half]);
        let raised = self.op(Op::IAdd, Ty::I64, &[sum, half]);
        let raised = self.op(Op::And, Ty::I64, &[raised, inside]);
        Ok(smallvec![self.op(Op::IAdd, Ty::I64, &[lowest, raised])])
    }

    /// The parts of the offset of a place (I64).
    pub(in crate::spirv::lower) fn offsets(&mut self, place: &Place) -> Scalars {
        let mut parts: Scalars = place.wide.into_iter().collect();
        if place.offset != 0 {
            parts.push(self.constant(Ty::I64, u64::from(place.offset)));
        }
        for &(index, stride) in &place.dynamic {
            let index = self.op(Op::UConvert, Ty::I64, &[index]);
            let stride = self.constant(Ty::I64, u64::from(stride));
            parts.push(self.op(Op::IMul, Ty::I64, &[index, stride]));
        }
        parts
    }

    /// Adds `index * stride` to a place in memory; the index is signed. A `len` of 0 means unknown. Returns `false` for
    /// variables without memory.
    pub(in crate::spirv::lower) fn kernel_index(
        &mut self,
        p: &mut Place,
        id: u32,
        stride: u32,
        len: u32,
    ) -> Result<bool> {
        if !matches!(p.root, Root::Address(_) | Root::Generic(_) | Root::Shared(_) | Root::Private) {
            return Ok(false);
        }
        let m = self.module;
        let wide = match (m.def(id), m.ty(m.type_of(id)?)?) {
            (Some(def), Type::Int { bits, .. }) if grammar::is_constant(def.op) => {
                let unused = 64 - bits;
                let index = ((self.types.const_scalar(id)? << unused) as i64) >> unused;
                let step = index.wrapping_mul(i64::from(stride));
                let at = u32::try_from(step).ok().and_then(|step| p.offset.checked_add(step));
                if let Some(at) = at.filter(|&at| at < 1 << 30) {
                    p.offset = at;
                    return Ok(true);
                }
                self.constant(Ty::I64, step as u64)
            }
            _ => {
                let index = self.scalar(id)?;
                let index = self.extended(index, true)?;
                if self.noted && len != 0 {
                    p.indices.push((self.i32_of(index, true)?, len));
                }
                self.scaled(index, stride)
            }
        };
        p.wide = Some(match p.wide {
            Some(before) => self.op(Op::IAdd, Ty::I64, &[before, wide]),
            None => wide,
        });
        Ok(true)
    }

    /// Makes one 32-bit offset of the offsets of a place, for an access. It counts from the start of a buffer or of other
    /// memory: the offset of the pointer in its buffer is a part of it.
    pub(in crate::spirv::lower) fn settle<'p>(&mut self, place: &'p Place) -> Cow<'p, Place> {
        if !self.is_kernel() {
            return self.around(place);
        }
        let middle = match place.root {
            Root::Address(address) => !self.kernel.starts.contains(&address),
            _ => false,
        };
        if !middle && place.wide.is_none() {
            return Cow::Borrowed(place);
        }
        let mut place = place.clone();
        let mut terms = match place.root {
            // The class is known at the access only.
            Root::Generic(address) => {
                if let Some(wide) = place.wide.take() {
                    place.root = Root::Generic(self.op(Op::IAdd, Ty::I64, &[address, wide]));
                }
                return Cow::Owned(place);
            }
            Root::Address(address) if middle => {
                place.root = Root::Address(self.buffer_start(address));
                smallvec![address]
            }
            _ => Scalars::new(),
        };
        terms.extend(self.offsets(&place));
        (place.wide, place.offset) = (None, 0);
        place.dynamic.clear();
        let strides = Imm::Strides(smallvec![1; terms.len()]);
        let total = self.emit(Op::Offset, &terms, strides, &[Ty::I32])[0];
        place.dynamic.push((total, 1));
        Cow::Owned(place)
    }

    /// The address at which the buffer of an address begins.
    fn buffer_start(&mut self, address: Value) -> Value {
        let (half, number) = (self.constant(Ty::I64, HALF_INSIDE), self.constant(Ty::I64, !INSIDE));
        let raised = self.op(Op::IAdd, Ty::I64, &[address, half]);
        self.op(Op::And, Ty::I64, &[raised, number])
    }

    /// Applies `access` to the place that a generic pointer leads to: in a buffer, in workgroup memory, or in private
    /// memory. `tys` are the types of its results.
    pub(in crate::spirv::lower) fn by_class(
        &mut self,
        place: &Place,
        tys: &[Ty],
        private: bool,
        access: &mut dyn FnMut(&mut Self, &Place) -> Result<Scalars>,
    ) -> Result<Scalars> {
        let address = self.kernel_pointer(place)?[0];
        let results = self.new_var(tys.to_vec(), "");
        let (shared, private_base) =
            (self.constant(Ty::I64, SHARED_BASE), self.constant(Ty::I64, PRIVATE_BASE));
        let is_buffer = self.op(Op::ULt, Ty::Bool, &[address, shared]);
        let is_shared = self.op(Op::ULt, Ty::Bool, &[address, private_base]);
        let mut arm = |lower: &mut Self, class: StorageClass| -> Result<Region> {
            let saved = std::mem::take(&mut lower.cur);
            lower.forget();
            let at = lower.address_place(class, place.ty, address)?;
            let at = Place { ordered: place.ordered, ..at };
            let at = lower.near(&at);
            let scalars = access(lower, &at)?;
            for (i, &v) in scalars.iter().enumerate() {
                lower.emit(Op::VarSet, &[v], Imm::Var { var: results, elem: i as u32 }, &[]);
            }
            let nodes = std::mem::replace(&mut lower.cur, saved);
            lower.forget();
            Ok(Region { nodes, end: End::Yield(Vec::new()) })
        };
        let buffer = arm(self, StorageClass::CrossWorkgroup)?;
        let workgroup = arm(self, StorageClass::Workgroup)?;
        let rest = if private { arm(self, StorageClass::Function)? } else { Region::default() };
        let inner =
            ir::If { cond: is_shared, then: workgroup, els: rest, results: Vec::new(), src: self.src };
        let els = Region { nodes: vec![Node::If(Box::new(inner))], end: End::Yield(Vec::new()) };
        self.push_if(is_buffer, buffer, els);
        Ok(tys.iter().enumerate().map(|(i, &ty)| self.get_var(results, i as u32, ty)).collect())
    }

    /// Loads the value that a generic pointer leads to.
    pub(in crate::spirv::lower) fn load_generic(&mut self, place: &Place) -> Result<Scalars> {
        let mut tys = Vec::new();
        self.types.leaf_types(place.ty, &mut tys)?;
        let private = self.has_private();
        self.by_class(place, &tys, private, &mut |lower, at| lower.load(at))
    }

    /// Stores the value that a generic pointer leads to.
    pub(in crate::spirv::lower) fn store_generic(&mut self, place: &Place, scalars: &[Value]) -> Result<()> {
        let private = self.has_private();
        let store = &mut |lower: &mut Self, at: &Place| {
            lower.store(at, scalars)?;
            Ok(Scalars::new())
        };
        self.by_class(place, &[], private, store).map(|_| ())
    }
}

/// OpBitcast, also of pointers: a place of another type.
pub fn bitcast<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    if let Type::Address { pointee, .. } = *lower.module.ty(inst.ty)? {
        let id = lower.id_at(operands, 0)?;
        return match lower.val(id)? {
            Val::Place(mut place) => {
                // Other casts of a variable without memory are for instructions that ignore it.
                let pointers = lower.holds_address(inst.ty)
                    && matches!(lower.module.ty(place.ty)?, Type::Address { .. });
                if pointers || !matches!(place.root, Root::Var(_)) {
                    (place.ty, place.step) = (pointee, 0);
                }
                lower.bind(inst.id, Val::Place(place));
                Ok(())
            }
            value => cast_value(lower, inst, value),
        };
    }
    let scalars = arith::bitcast(lower, inst, operands)?;
    lower.define(inst, scalars)
}

/// Binds a number as a pointer.
fn cast_value(lower: &mut Lower<'_>, inst: &Inst, value: Val) -> Result<()> {
    match value {
        Val::Scalars(list) => match list[..] {
            [v] if lower.ty(v).bits() == Some(64) => {
                let v = lower.cast(v, Ty::I64);
                lower.define(inst, smallvec![v])
            }
            _ => Err(Error::invalid("a pointer is made of a value of another size")),
        },
        Val::Place(place) => {
            lower.bind(inst.id, Val::Place(place));
            Ok(())
        }
        Val::Memory(_) => Err(Error::invalid("a pointer is made of an aggregate")),
    }
}

/// OpPtrCastToGeneric, OpGenericCastToPtr: pointers are the same numbers in every storage class.
pub fn cast_pointer<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    let id = lower.id_at(operands, 0)?;
    let Type::Address { .. } = *lower.module.ty(inst.ty)? else {
        return Err(Error::invalid("result type is not a pointer of a kernel"));
    };
    match lower.val(id)? {
        // The storage class is known here, but not after this instruction.
        Val::Place(Place { root: Root::Generic(_), .. }) => {
            let scalars = lower.scalars(id)?;
            lower.define(inst, scalars)
        }
        value => cast_value(lower, inst, value),
    }
}

/// `true` for pointers of a storage class, by their numbers.
fn is_of(lower: &mut Lower<'_>, pointer: Value, class: StorageClass) -> Result<Value> {
    let (shared, private) = (lower.constant(Ty::I64, SHARED_BASE), lower.constant(Ty::I64, PRIVATE_BASE));
    let below_shared = lower.op(Op::ULt, Ty::Bool, &[pointer, shared]);
    let below_private = lower.op(Op::ULt, Ty::Bool, &[pointer, private]);
    Ok(match class {
        StorageClass::CrossWorkgroup => below_shared,
        StorageClass::Workgroup => {
            let above = lower.op(Op::Not, Ty::Bool, &[below_shared]);
            lower.op(Op::And, Ty::Bool, &[above, below_private])
        }
        StorageClass::Function => lower.op(Op::Not, Ty::Bool, &[below_private]),
        other => return Err(Error::invalid(format!("generic pointers do not lead to {other:?}"))),
    })
}

/// OpGenericCastToPtrExplicit.
pub fn cast_explicit<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (id, class) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let class = StorageClass::from_u32(class).ok_or_else(|| Error::invalid("unknown storage class"))?;
    explicit(lower, inst, id, class)
}

/// A pointer as one of a storage class; null if it is of another.
pub(super) fn explicit(lower: &mut Lower<'_>, inst: &Inst, id: u32, class: StorageClass) -> Result<Scalars> {
    if !matches!(lower.module.ty(inst.ty)?, Type::Address { .. }) {
        return Err(Error::invalid("result type is not a pointer of a kernel"));
    }
    let pointer = lower.scalar(id)?;
    let fits = is_of(lower, pointer, class)?;
    let null = lower.constant(Ty::I64, 0);
    Ok(Lower::one(lower.op(Op::Select, Ty::I64, &[fits, pointer, null])))
}

/// OpGenericPtrMemSemantics: the memory that a pointer leads to.
pub fn pointer_semantics<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let id = lower.id_at(operands, 0)?;
    let pointer = lower.scalar(id)?;
    let rows = [
        (StorageClass::CrossWorkgroup, spirv::MemorySemantics::CROSS_WORKGROUP_MEMORY.bits()),
        (StorageClass::Workgroup, spirv::MemorySemantics::WORKGROUP_MEMORY.bits()),
    ];
    Ok(Lower::one(by_class_of(lower, pointer, &rows)?))
}

/// The number of the row with the storage class of a pointer, or else 0.
pub(super) fn by_class_of(
    lower: &mut Lower<'_>,
    pointer: Value,
    rows: &[(StorageClass, u32)],
) -> Result<Value> {
    if lower.ty(pointer) != Ty::I64 {
        return Err(Error::invalid("operand is not a pointer of a kernel"));
    }
    let mut out = lower.i32(0);
    for &(class, bits) in rows {
        let hit = is_of(lower, pointer, class)?;
        let bits = lower.i32(bits);
        out = lower.op(Op::Select, Ty::I32, &[hit, bits, out]);
    }
    Ok(out)
}

/// OpGroupAsyncCopy: the invocations of the workgroup take turns at copying the elements, and the copy is done at once.
/// The last invocation begins, so that an invocation rarely copies elements that it has also written itself: no order
/// exists between these accesses, and checks look for races between invocations.
pub fn group_copy<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    let at = |i: usize| lower.id_at(operands, i);
    let (scope, to, from) = (at(0)?, at(1)?, at(2)?);
    let (count, stride, event) = (at(3)?, at(4)?, at(5)?);
    super::group::need_workgroup(lower, scope)?;
    let (to_ty, from_ty) = (lower.module.type_of(to)?, lower.module.type_of(from)?);
    let into_shared = match (lower.module.ty(to_ty)?, lower.module.ty(from_ty)?) {
        (Type::Address { class: StorageClass::Workgroup, .. }, Type::Address { .. }) => true,
        (Type::Address { .. }, Type::Address { class: StorageClass::Workgroup, .. }) => false,
        _ => return Err(Error::invalid("one of the pointers must lead to workgroup memory")),
    };
    let (to, from) = (lower.place(to)?, lower.place(from)?);
    let [count, stride] = [count, stride].map(|id| lower.scalar(id));
    let (count, stride) = (count?, stride?);
    let mut wide = |v: Value| match lower.ty(v) {
        Ty::I64 => v,
        _ => lower.op(Op::UConvert, Ty::I64, &[v]),
    };
    let (count, stride) = (wide(count), wide(stride));
    // Events are the ids of their copies, unless an operand shares the event of an earlier copy.
    let (shared, own, none) = (lower.scalar(event)?, lower.i32(inst.id), lower.i32(0));
    let is_none = lower.op(Op::IEq, Ty::Bool, &[shared, none]);
    let event = lower.op(Op::Select, Ty::I32, &[is_none, own, shared]);
    if lower.noted {
        let pointers = [lower.kernel_pointer(&to)?[0], lower.kernel_pointer(&from)?[0]];
        let args = [event, pointers[0], pointers[1], count, stride];
        lower.emit(Op::Note, &args, Imm::Note(Note::GroupCopy), &[]);
    }
    let size = lower.shader.local_size.iter().product::<u32>();
    let first =
        lower.emit(Op::BuiltIn, &[], Imm::BuiltIn(ir::BuiltIn::LocalInvocationIndex, 0), &[Ty::I32])[0];
    let (one, last) = (lower.i32(1), lower.i32(size - 1));
    let (next, is_last) =
        (lower.op(Op::IAdd, Ty::I32, &[first, one]), lower.op(Op::IEq, Ty::Bool, &[first, last]));
    let zero = lower.i32(0);
    let first = lower.op(Op::Select, Ty::I32, &[is_last, zero, next]);
    let first = lower.op(Op::UConvert, Ty::I64, &[first]);
    let size = lower.constant(Ty::I64, u64::from(size));
    lower.each_from(first, size, count, &mut |lower, i| {
        let far = lower.op(Op::IMul, Ty::I64, &[i, stride]);
        let (to_at, from_at) = if into_shared { (i, far) } else { (far, i) };
        let (to, from) = (lower.past(&to, to_at)?, lower.past(&from, from_at)?);
        let scalars = lower.load(&from)?;
        lower.store(&to, &scalars)
    })?;
    lower.define(inst, smallvec![event])
}

/// OpGroupWaitEvents: copies are done at once, but by all invocations of the workgroup.
pub fn wait_group_events<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let scope = lower.id_at(operands, 0)?;
    super::group::need_workgroup(lower, scope)?;
    if lower.noted {
        let (count, list) = (lower.id_at(operands, 1)?, lower.id_at(operands, 2)?);
        let (count, list) = (lower.scalar(count)?, lower.place(list)?);
        let count = match lower.ty(count) {
            Ty::I64 => count,
            _ => lower.op(Op::UConvert, Ty::I64, &[count]),
        };
        let (first, step) = (lower.constant(Ty::I64, 0), lower.constant(Ty::I64, 1));
        lower.each_from(first, step, count, &mut |lower, i| {
            let event = lower.past(&list, i)?;
            let event = lower.load(&event)?;
            lower.emit(Op::Note, &event, Imm::Note(Note::GroupWait), &[]);
            Ok(())
        })?;
    }
    let semantics = spirv::MemorySemantics::ACQUIRE_RELEASE
        | spirv::MemorySemantics::WORKGROUP_MEMORY
        | spirv::MemorySemantics::CROSS_WORKGROUP_MEMORY;
    let workgroup = spirv::Scope::Workgroup as u32;
    lower.note_known_order(ir::Order {
        execution: Some(workgroup),
        scope: workgroup,
        semantics: semantics.bits(),
    });
    lower.workgroup_barrier();
    Ok(())
}

impl Lower<'_> {
    /// The element of an array that begins at a place, by a 64-bit index.
    pub(in crate::spirv::lower) fn past(&mut self, place: &Place, index: Value) -> Result<Place> {
        let stride = self.kernel_stride(place.ty)?;
        let stride = self.constant(Ty::I64, u64::from(stride));
        let step = self.op(Op::IMul, Ty::I64, &[index, stride]);
        let mut place = place.clone();
        if !self.is_kernel() || matches!(place.root, Root::Var(_)) {
            return Err(Error::unsupported("pointer arithmetic on a variable without memory"));
        }
        place.wide = Some(match place.wide {
            Some(before) => self.op(Op::IAdd, Ty::I64, &[before, step]),
            None => step,
        });
        Ok(place)
    }

    /// A loop over the 64-bit numbers `first`, `first + step`, ... below `end`.
    fn each_from(
        &mut self,
        first: Value,
        step: Value,
        end: Value,
        body: &mut dyn FnMut(&mut Self, Value) -> Result<()>,
    ) -> Result<()> {
        let var = self.new_var(vec![Ty::I64], "");
        let at = Imm::Var { var, elem: 0 };
        self.emit(Op::VarSet, &[first], at.clone(), &[]);
        let label = self.new_label();
        let src = self.src;
        let saved = std::mem::take(&mut self.cur);
        self.forget();
        self.loop_depth += 1;
        let i = self.get_var(var, 0, Ty::I64);
        let inside = self.op(Op::ULt, Ty::Bool, &[i, end]);
        let leaves = self.breaks(label);
        self.push_if(inside, Region::default(), Region { nodes: Vec::new(), end: leaves });
        body(self, i)?;
        let next = self.op(Op::IAdd, Ty::I64, &[i, step]);
        self.emit(Op::VarSet, &[next], at, &[]);
        self.loop_depth -= 1;
        let nodes = std::mem::replace(&mut self.cur, saved);
        self.forget();
        let body = Region { nodes, end: End::Yield(Vec::new()) };
        let node = ir::Loop { label, params: Vec::new(), body, results: Vec::new(), src };
        self.cur.push(Node::Loop(Box::new(node)));
        self.work(1)
    }
}

/// `true` for operands that are the address of a load or store of the pointer's own type, and for literals.
pub(super) fn keeps_plain(op: SpvOp, operand: usize) -> bool {
    match op {
        SpvOp::Load | SpvOp::CopyMemory | SpvOp::LifetimeStart | SpvOp::LifetimeStop => true,
        SpvOp::Store => operand != 1,
        SpvOp::AccessChain | SpvOp::InBoundsAccessChain => operand == 0,
        SpvOp::ExtInst => operand == 1,
        SpvOp::CompositeExtract | SpvOp::Switch | SpvOp::BranchConditional => operand >= 1,
        SpvOp::CompositeInsert | SpvOp::VectorShuffle | SpvOp::ImageSampleExplicitLod | SpvOp::ImageRead => {
            operand >= 2
        }
        SpvOp::ImageWrite => operand >= 3,
        _ => false,
    }
}
