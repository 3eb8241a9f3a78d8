//! Pointers as compile-time places, and access chains. Leaves pointers that exist at run time to [`super::pointer`].

use smallvec::SmallVec;
use spirv::Decoration;

use super::{Lower, Val};
use crate::abi::HALF_INSIDE;
use crate::error::{Error, Result};
use crate::ir::{Op, Ty, Value, Var};
use crate::spirv::grammar;
use crate::spirv::heap::Heap;
use crate::spirv::module::Deco;
use crate::spirv::types::{MatrixLayout, Type, Units};

/// Target of a pointer.
#[derive(Clone, Debug)]
pub struct Place {
    /// Object that the place is in.
    pub(super) root: Root,
    /// Type id of the value at the place.
    pub(super) ty: u32,
    /// Static part of the offset: bytes in memory, scalars in variables, elements of bindings.
    pub(super) offset: u32,
    /// Dynamic part of the offset: indices (I32, unsigned) and their strides in the same unit.
    pub(super) dynamic: SmallVec<[(Value, u32); 2]>,
    /// Layout of the matrices inside the place.
    pub(super) matrix: MatrixLayout,
    /// Distance between the components of the vector at the place; 0 if the components are contiguous.
    pub(super) step: u32,
    /// `true` if the module orders the accesses: volatile, coherent, or made available or visible.
    pub(super) ordered: bool,
    /// Vertex (I32) of a per-vertex variable, once it is chosen.
    pub(super) vertex: Option<Value>,
    /// One past the last scalar that dynamic indices can select.
    pub(super) end: u32,
    /// Kernels, 64-bit indexing and addresses: 64-bit offset (I64), added to the other two.
    pub(super) wide: Option<Value>,
    /// Kernels: dynamic indices (I32) and the lengths of their arrays, of which an access takes note.
    pub(super) indices: Vec<(Value, u32)>,
}

/// Object that a pointer points into.
#[derive(Clone, Debug)]
pub(super) enum Root {
    /// A private variable.
    Var(Var),
    /// Ray queries, from this number on.
    Query(u32),
    /// An output variable, and the private variable that stands for it.
    Output(u32, Var),
    /// An input variable.
    Input(u32),
    /// A per-vertex or per-primitive variable, or an output of the patch: see [`super::vertices`].
    Record(u32),
    /// A buffer.
    Buffer { handle: Value, owner: Owner },
    /// Memory at a device address.
    Address(Value),
    /// Memory that a pointer of any storage class leads to.
    Generic(Value),
    /// Private memory of a kernel: see [`super::kernel`].
    Private,
    /// A binding (index into the shader's list); its descriptor is not chosen yet.
    Binding(u32),
    /// A resource variable that is mapped to heaps; its descriptor is not chosen yet.
    Mapped(u32),
    /// A descriptor heap.
    Heap(Heap),
    /// Workgroup memory.
    Shared(Units),
    /// Payload of the task workgroup.
    Payload { handle: Value, units: Units },
    /// A texel of a storage image.
    Texel(Box<Texel>),
}

/// A texel of a storage image.
#[derive(Clone, Debug)]
pub(super) struct Texel {
    /// Handle of the image.
    pub image: Value,
    /// Image type id.
    pub ty: u32,
    /// Binding of the image, if it has one.
    pub binding: Option<u32>,
    pub coord: SmallVec<[Value; 4]>,
    pub sample: Value,
}

/// Owner of a buffer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Owner {
    /// A binding (index into the shader's list).
    Binding(u32),
    /// Push constants.
    Push,
    /// The task payload.
    Payload,
    /// The data of a shader record.
    Record,
    /// A pointer that is known only at run time.
    Any,
}

/// Greatest stride with which the product of any signed index of 32 bits is an offset in a buffer, positive or negative.
const MOST_NEAR_STRIDE: u32 = (HALF_INSIDE >> 31) as u32 - 1;
/// Most bytes (or leaves) of a static offset after an index, so that offsets of members and components fit 32 bits.
const MOST_STATIC: u32 = 1 << 31;

impl Place {
    /// `true` if accesses must not be merged or forwarded. Those of workgroup memory may be whatever the module says: one thread
    /// runs a workgroup, and changes invocations at barriers only, so that nobody can observe them one by one.
    pub(super) fn keeps_order(&self) -> bool {
        self.ordered && !matches!(self.root, Root::Shared(_))
    }

    /// Adds `index * stride` to the static offset; a `len` of 0 means unknown. Returns `false`, and moves nothing, beyond the
    /// array and beyond [`MOST_STATIC`].
    pub(super) fn move_constant(&mut self, index: u32, stride: u32, len: u32) -> bool {
        let step = if index < len || len == 0 { index.checked_mul(stride) } else { None };
        let at = step.and_then(|step| self.offset.checked_add(step)).filter(|&at| at <= MOST_STATIC);
        self.offset = at.unwrap_or(self.offset);
        at.is_some()
    }

    pub(super) fn new(root: Root, ty: u32) -> Place {
        Place {
            root,
            ty,
            offset: 0,
            dynamic: SmallVec::new(),
            matrix: MatrixLayout::default(),
            step: 0,
            ordered: false,
            vertex: None,
            end: u32::MAX,
            wide: None,
            indices: Vec::new(),
        }
    }

    /// Step between the scalars that consecutive dynamic indices select: a common divisor of the strides.
    pub(super) fn step_of_indices(&self) -> u32 {
        self.dynamic.iter().fold(0, |g, &(_, stride)| gcd(g, stride)).max(1)
    }

    /// True if the place is in the descriptor array of a binding.
    pub(super) fn is_unchosen(&self) -> bool {
        matches!(self.root, Root::Binding(_) | Root::Mapped(_))
    }

    pub(super) fn units(&self) -> Units {
        match self.root {
            Root::Buffer { .. } | Root::Address(_) | Root::Heap(_) => Units::Explicit,
            Root::Generic(_) | Root::Private => Units::Natural,
            Root::Shared(units) | Root::Payload { units, .. } => units,
            _ => Units::Leaves,
        }
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl Lower<'_> {
    /// Returns the place of a pointer id.
    pub(super) fn place(&mut self, id: u32) -> Result<Place> {
        match self.val(id)? {
            Val::Place(p) => Ok(p),
            Val::Scalars(s) => self.pointer_place(id, self.module.type_of(id)?, &s),
            Val::Memory(_) => Err(Error::invalid(format!("id %{id} is not a pointer"))),
        }
    }

    /// Follows the indices of an access chain.
    pub(super) fn access(&mut self, mut p: Place, indices: &[u32]) -> Result<Place> {
        let m = self.module;
        for &id in indices {
            if self.choose_vertex(&mut p, id)? {
                continue;
            }
            match m.ty(p.ty)? {
                Type::Struct { .. } => {
                    self.choose_buffer(&mut p)?;
                    let member = self.types.const_u32(id)?;
                    self.member(&mut p, member)?;
                }
                Type::Array { elem, .. } | Type::RuntimeArray { elem } => {
                    let len = self.types.array_len(p.ty)?;
                    let stride = match p.root {
                        Root::Binding(_) | Root::Mapped(_) => self.count(*elem)?,
                        _ => self.types.array_stride(p.ty, p.units())?,
                    };
                    self.index(&mut p, id, stride, len)?;
                    p.ty = *elem;
                    p.step = 0;
                }
                Type::Matrix { column, columns, .. } => {
                    let (column_stride, row_stride) = self.types.matrix_strides(p.ty, p.units(), p.matrix)?;
                    self.index(&mut p, id, column_stride, *columns)?;
                    p.ty = *column;
                    p.step = row_stride;
                }
                Type::Vector { elem, .. } => {
                    let tight = self.tight(*elem, p.units())?;
                    let stride = if p.step == 0 { tight } else { p.step };
                    let n = self.types.leaves(p.ty)?;
                    self.index(&mut p, id, stride, n)?;
                    p.ty = *elem;
                    p.step = 0;
                }
                Type::CooperativeMatrix(matrix) => {
                    let len = self.types.leaves(p.ty)?;
                    self.index(&mut p, id, 1, len)?;
                    (p.ty, p.step) = (matrix.elem, 0);
                }
                _ => return Err(Error::invalid("too many indices")),
            }
        }
        Ok(p)
    }

    /// Descends to a member of the structure at a place.
    pub(super) fn member(&mut self, p: &mut Place, member: u32) -> Result<()> {
        let m = self.module;
        let Type::Struct { members } = m.ty(p.ty)? else {
            return Err(Error::invalid(format!("type %{} is not a struct", p.ty)));
        };
        let units = p.units();
        let step = self.types.member_offset(p.ty, member, units)?;
        let far = u64::from(p.offset) + u64::from(step);
        if far > u64::from(MOST_STATIC) && self.takes_wide_steps(p) {
            let far = self.constant(Ty::I64, far);
            p.offset = 0;
            self.move_wide(p, far);
        } else {
            p.offset = add(p.offset, step)?;
        }
        if units == Units::Explicit {
            let layout = self.types.member_matrix(p.ty, member);
            if layout != MatrixLayout::default() {
                p.matrix = layout;
            }
        }
        p.ordered |= is_ordered(m.member_decos(p.ty, member));
        p.ty = members[member as usize];
        p.step = 0;
        Ok(())
    }

    /// Follows literal indices, which must be in range.
    pub(super) fn part(&mut self, mut p: Place, indices: &[u32]) -> Result<Place> {
        let m = self.module;
        for &i in indices {
            let (stride, inner, step) = match m.ty(p.ty)? {
                Type::Struct { .. } => {
                    self.member(&mut p, i)?;
                    continue;
                }
                Type::Array { elem, .. } => (self.types.array_stride(p.ty, p.units())?, *elem, 0),
                Type::CooperativeMatrix(matrix) => (1, matrix.elem, 0),
                Type::Matrix { column, .. } => {
                    let (columns, rows) = self.types.matrix_strides(p.ty, p.units(), p.matrix)?;
                    (columns, *column, rows)
                }
                Type::Vector { elem, .. } => {
                    let tight = self.tight(*elem, p.units())?;
                    (if p.step == 0 { tight } else { p.step }, *elem, 0)
                }
                _ => return Err(Error::invalid("too many indices")),
            };
            p.offset = element(p.offset, i, stride)?;
            (p.ty, p.step) = (inner, step);
        }
        Ok(p)
    }

    /// Distance between the components of a vector whose components are contiguous.
    pub(super) fn tight(&self, elem: u32, units: Units) -> Result<u32> {
        Ok(match (units, self.types.scalar(elem)?) {
            (Units::Leaves, _) => 1,
            (_, Ty::Bool) => 4,
            (_, ty) => ty.bytes(),
        })
    }

    /// Number of descriptors in an element of a descriptor array.
    fn count(&mut self, ty: u32) -> Result<u32> {
        match self.module.ty(ty)? {
            Type::Array { elem, .. } => {
                let (n, inner) = (self.types.array_len(ty)?, self.count(*elem)?);
                n.checked_mul(inner).ok_or_else(|| Error::Limit("descriptor array".into()))
            }
            _ => Ok(1),
        }
    }

    /// Adds `index * stride` to a place. A `len` of 0 means unknown.
    fn index(&mut self, p: &mut Place, id: u32, stride: u32, len: u32) -> Result<()> {
        if self.is_kernel() && self.kernel_index(p, id, stride, len)? {
            return Ok(());
        }
        if self.wide_index(p, id, stride, len)? {
            return Ok(());
        }
        let m = self.module;
        if let (Some(def), &Type::Int { bits, signed }) = (m.def(id), m.ty(m.type_of(id)?)?)
            && grammar::is_constant(def.op)
        {
            let unused = 64 - bits;
            let high = self.types.const_scalar(id)? << unused;
            let index = if signed { ((high as i64) >> unused) as u64 } else { high >> unused };
            if u32::try_from(index).is_ok_and(|i| p.move_constant(i, stride, len)) {
                return Ok(());
            }
            if let Root::Address(address) = p.root {
                let index = self.constant(Ty::I64, index);
                let step = self.scaled(index, stride);
                self.move_address(p, address, step, false);
                return Ok(());
            }
        }
        let index = self.scalar(id)?;
        let signed = self.types.is_signed(m.type_of(id)?);
        // One of a signed type may lead to what is before an address, unless an array begins there. Spec: SPIR-V OpAccessChain,
        // "treated as a signed count". One of 32 bits of an unsigned type counts without a sign all the same, as in the languages:
        // its offset has 32 bits.
        if let Root::Address(address) = p.root
            && (self.ty(index) == Ty::I64 || signed && len == 0)
        {
            let narrow = self.ty(index) != Ty::I64 && stride <= MOST_NEAR_STRIDE;
            let index = self.extended(index, signed)?;
            let step = self.scaled(index, stride);
            // Checks tell of the address that the index leads to. The sum with a second product might not be near.
            let near = narrow && !self.noted && p.wide.is_none() && p.dynamic.is_empty();
            self.move_address(p, address, step, near);
            return Ok(());
        }
        let index = self.i32_of(index, signed)?;
        self.note_index(index, len);
        // Elements of size 0 all share one offset.
        if stride != 0 {
            if p.dynamic.is_empty() && len != 0 {
                p.end = p.offset.saturating_add(stride.saturating_mul(len));
            }
            p.dynamic.push((index, stride));
        }
        Ok(())
    }

    /// Converts an integer to I32; 64-bit integers saturate.
    pub(super) fn i32_of(&mut self, v: Value, signed: bool) -> Result<Value> {
        match self.ty(v) {
            Ty::I32 => Ok(v),
            Ty::I8 | Ty::I16 if signed => Ok(self.op(Op::SConvert, Ty::I32, &[v])),
            Ty::I8 | Ty::I16 => Ok(self.op(Op::UConvert, Ty::I32, &[v])),
            Ty::I64 => {
                let max = self.constant(Ty::I64, u64::from(u32::MAX));
                let v = self.op(Op::UMin, Ty::I64, &[v, max]);
                Ok(self.op(Op::UConvert, Ty::I32, &[v]))
            }
            _ => Err(Error::invalid("index is not an integer")),
        }
    }
}

pub(super) fn add(a: u32, b: u32) -> Result<u32> {
    a.checked_add(b).ok_or_else(|| Error::Limit("offset beyond 4 GiB".into()))
}

pub(super) fn element(at: u32, i: u32, stride: u32) -> Result<u32> {
    i.checked_mul(stride)
        .and_then(|step| at.checked_add(step))
        .ok_or_else(|| Error::Limit("offset beyond 4 GiB".into()))
}

/// `true` if the decorations contain Volatile or Coherent.
pub(super) fn is_ordered(decos: &[Deco]) -> bool {
    decos.iter().any(|d| matches!(d.0, Decoration::Volatile | Decoration::Coherent))
}
