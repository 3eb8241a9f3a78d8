//! Sizes of types: the number of scalars ("leaves") of a type, and the offsets of the leaves.
//!
//! [`Units`] lists the three ways to place leaves. Array lengths make sizes depend on specialization constants, so
//! every user of sizes goes through [`Types`].

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use spirv::{Decoration, StorageClass};

use super::heap::HEAP_DESCRIPTOR_BYTES;
use super::module::Module;
use super::types::{
    Components, Cooperative, MAX_COMPONENTS, MAX_LEAVES, MatrixLayout, SmallFloat, Type, Units,
};
use crate::error::{Error, Result};
use crate::ir::{HIT_WORDS, Ty};

/// `true` for storage classes whose pointers lead into a buffer that a descriptor describes.
fn in_buffer(class: StorageClass) -> bool {
    matches!(class, StorageClass::StorageBuffer | StorageClass::Uniform | StorageClass::PushConstant)
}

/// `true` for storage classes whose pointers are values at run time; all other pointers exist only during lowering.
pub fn is_pointer_value(class: StorageClass) -> bool {
    in_buffer(class) || matches!(class, StorageClass::Workgroup | StorageClass::PhysicalStorageBuffer)
}

/// Maximum number of types whose sizes depend on each other, which bounds recursion.
const MAX_OPEN: u32 = 8;

/// Subgroup size if the caller of the front end states none.
pub const DEFAULT_LANES: u32 = 8;

/// Sizes and layouts of types, with a given specialization.
pub struct Types<'m> {
    /// The module.
    pub module: &'m Module,
    /// Bits of the given specialization constants, by SpecId: one word, or the words of an array's data.
    pub(super) spec: FxHashMap<u32, SmallVec<[u64; 1]>>,
    /// Subgroup size, on which the scalars of cooperative matrices depend.
    pub(super) lanes: u32,
    /// `true` under 64-bit indexing, on which the scalars of pointers into buffers depend.
    pub(super) wide_indexing: bool,
    /// `true` if the size of a cooperative matrix has been asked for.
    pub(super) is_cooperative: bool,
    /// Number of types whose constants are being evaluated.
    open: u32,
    /// Number of constants that are being evaluated.
    pub(super) levels: u32,
    /// Evaluated constants.
    pub(super) consts: FxHashMap<u32, Rc<[u64]>>,
    /// Number of scalars of the evaluated constants.
    pub(super) const_scalars: usize,
    /// Offset of each of a kernel module's variables, once they are known.
    pub(super) data_offsets: Option<Rc<FxHashMap<u32, u32>>>,
    leaves: FxHashMap<u32, u32>,
    longest: FxHashMap<u32, u32>,
    natural: FxHashMap<u32, (u32, u32)>,
    explicit: FxHashMap<(u32, MatrixLayout), u32>,
    offsets: FxHashMap<(u32, Units), Box<[Option<u32>]>>,
}

impl<'m> Types<'m> {
    /// Creates the sizes of `m` with the specialization constants `spec` (SpecId, bits). An array of data has an entry
    /// for each eight of its bytes, in order.
    pub fn new(m: &'m Module, spec: &[(u32, u64)]) -> Self {
        let mut words = FxHashMap::<u32, SmallVec<[u64; 1]>>::default();
        for &(id, bits) in spec {
            words.entry(id).or_default().push(bits);
        }
        Types {
            module: m,
            spec: words,
            lanes: DEFAULT_LANES,
            wide_indexing: false,
            is_cooperative: false,
            open: 0,
            levels: 0,
            consts: FxHashMap::default(),
            const_scalars: 0,
            data_offsets: None,
            leaves: FxHashMap::default(),
            longest: FxHashMap::default(),
            natural: FxHashMap::default(),
            explicit: FxHashMap::default(),
            offsets: FxHashMap::default(),
        }
    }

    /// Evaluates constants on which the size of a type depends. They may be parts of composites, whose types have sizes
    /// that depend on constants again.
    pub(super) fn sized<T>(&mut self, evaluate: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.open >= MAX_OPEN {
            return Err(Error::Limit(format!("sizes of more than {MAX_OPEN} types depend on each other")));
        }
        self.open += 1;
        let found = evaluate(self);
        self.open -= 1;
        found
    }

    /// Length of an array type; 0 for runtime arrays.
    pub fn array_len(&mut self, ty: u32) -> Result<u32> {
        match self.module.ty(ty)? {
            Type::Array { len, .. } => {
                let bits = self.sized(|types| types.const_scalar(*len))?;
                match u32::try_from(bits) {
                    Ok(n) if n > 0 && n <= i32::MAX as u32 => Ok(n),
                    _ => Err(Error::invalid(format!("array length {bits} of type %{ty}"))),
                }
            }
            _ => Ok(0),
        }
    }

    /// Number of components of the vector type `ty`.
    fn components(&mut self, ty: u32, n: Components) -> Result<u32> {
        let n = match n {
            Components::Literal(n) => u64::from(n),
            Components::Constant(id) => self.sized(|types| types.const_scalar(id))?,
        };
        match u32::try_from(n) {
            Ok(n @ 1..=MAX_COMPONENTS) => Ok(n),
            Ok(0) => Err(Error::invalid(format!("vector type %{ty} has no components"))),
            _ => Err(Error::Limit(format!("vector type %{ty} has {n} components, at most {MAX_COMPONENTS}"))),
        }
    }

    /// Number of scalars in a value of the type; images, samplers and pointers to them count as 1.
    pub fn leaves(&mut self, ty: u32) -> Result<u32> {
        if let Some(&n) = self.leaves.get(&ty) {
            return Ok(n);
        }
        let m = self.module;
        let n: u64 = match m.ty(ty)? {
            Type::Void | Type::Function { .. } => 0,
            Type::Vector { n, .. } => u64::from(self.components(ty, *n)?),
            Type::Matrix { rows, columns, .. } => u64::from(rows * columns),
            Type::CooperativeMatrix(_) => u64::from(self.cooperative(ty)?.scalars),
            Type::Array { elem, .. } => u64::from(self.array_len(ty)?) * u64::from(self.leaves(*elem)?),
            Type::Struct { members } => {
                let mut n = 0u64;
                for &member in members {
                    n += u64::from(self.leaves(member)?);
                }
                n
            }
            Type::RuntimeArray { .. } => return Err(Error::invalid("a runtime array has no values")),
            Type::Pointer { class, .. } if in_buffer(*class) => 3,
            Type::HitObject => HIT_WORDS as u64,
            Type::TensorLayout { .. } | Type::TensorView { .. } => u64::from(self.tensor_words(ty)?),
            _ => 1,
        };
        if n > u64::from(MAX_LEAVES) {
            return Err(Error::Limit(format!("type %{ty} has {n} scalars, at most {MAX_LEAVES}")));
        }
        self.leaves.insert(ty, n as u32);
        Ok(n as u32)
    }

    /// Greatest number of components of the vectors in a type.
    pub(super) fn longest_vector(&mut self, ty: u32) -> Result<u32> {
        if let Some(&n) = self.longest.get(&ty) {
            return Ok(n);
        }
        let m = self.module;
        let n = match m.ty(ty)? {
            Type::Vector { .. } => self.leaves(ty)?,
            Type::Array { elem, .. } | Type::RuntimeArray { elem } => self.longest_vector(*elem)?,
            Type::Struct { members } => {
                let mut most = 0;
                for &member in members {
                    most = most.max(self.longest_vector(member)?);
                }
                most
            }
            _ => 0,
        };
        self.longest.insert(ty, n);
        Ok(n)
    }

    /// Appends the IR type of each leaf.
    pub fn leaf_types(&mut self, ty: u32, out: &mut Vec<Ty>) -> Result<()> {
        let m = self.module;
        let t = m.ty(ty)?;
        if let Some(scalar) = t.scalar() {
            out.push(scalar);
            return Ok(());
        }
        if self.leaves(ty)? == 0 {
            return Ok(());
        }
        match t {
            Type::Vector { elem, .. } => {
                let n = self.leaves(ty)? as usize;
                out.extend(std::iter::repeat_n(self.scalar(*elem)?, n));
            }
            Type::Matrix { elem, rows, columns, .. } => {
                out.extend(std::iter::repeat_n(self.scalar(*elem)?, (rows * columns) as usize));
            }
            Type::CooperativeMatrix(_) => {
                let matrix = self.cooperative(ty)?;
                out.extend(std::iter::repeat_n(matrix.elem, matrix.scalars as usize));
            }
            Type::Array { elem, .. } => {
                let start = out.len();
                self.leaf_types(*elem, out)?;
                let one = out[start..].to_vec();
                for _ in 1..self.array_len(ty)? {
                    out.extend_from_slice(&one);
                }
            }
            Type::Struct { members } => {
                for &member in members {
                    self.leaf_types(member, out)?;
                }
            }
            Type::Image(_) | Type::Sampler | Type::SampledImage { .. } => out.push(Ty::Image),
            Type::HitObject => out.extend([Ty::I32; HIT_WORDS]),
            Type::TensorLayout { .. } | Type::TensorView { .. } => {
                let n = self.tensor_words(ty)?;
                out.extend(std::iter::repeat_n(Ty::I32, n as usize));
            }
            // The device address of the structure.
            Type::AccelerationStructure => out.push(Ty::I64),
            // Base address and size of the buffer, and the offset.
            Type::Pointer { class, .. } if in_buffer(*class) => {
                out.extend([Ty::I64, Ty::I64, if self.wide_indexing { Ty::I64 } else { Ty::I32 }]);
            }
            Type::Pointer { class: StorageClass::Workgroup, .. } => out.push(Ty::I32),
            Type::Pointer { class, .. } => {
                return Err(Error::unsupported(format!("pointers to {class:?} as values")));
            }
            _ => return Err(Error::invalid(format!("type %{ty} cannot be the type of a value here"))),
        }
        Ok(())
    }

    /// IR type of a scalar type.
    pub fn scalar(&self, ty: u32) -> Result<Ty> {
        self.module.ty(ty)?.scalar().ok_or_else(|| Error::invalid(format!("type %{ty} is not a scalar")))
    }

    /// IR type of the components of a scalar, vector or matrix type.
    pub fn component(&self, ty: u32) -> Result<Ty> {
        match self.module.ty(ty)? {
            Type::Vector { elem, .. }
            | Type::Matrix { elem, .. }
            | Type::CooperativeMatrix(Cooperative { elem, .. }) => self.scalar(*elem),
            _ => self.scalar(ty),
        }
    }

    /// The small float that the components of a scalar, vector or cooperative matrix type are.
    pub fn small_float(&self, ty: u32) -> Option<SmallFloat> {
        let elem = match self.module.ty(ty) {
            Ok(Type::Vector { elem, .. } | Type::CooperativeMatrix(Cooperative { elem, .. })) => *elem,
            _ => ty,
        };
        match self.module.ty(elem) {
            Ok(Type::SmallFloat(small)) => Some(*small),
            _ => None,
        }
    }

    /// `true` if the type's components are signed integers.
    pub fn is_signed(&self, ty: u32) -> bool {
        let elem = match self.module.ty(ty) {
            Ok(Type::Vector { elem, .. } | Type::CooperativeMatrix(Cooperative { elem, .. })) => *elem,
            _ => ty,
        };
        matches!(self.module.ty(elem), Ok(Type::Int { signed: true, .. }))
    }

    /// Units of the layout of `units`: kernels have natural layouts, and no decorations that state others.
    fn layout(&self, units: Units) -> Units {
        match units {
            Units::Explicit if self.module.has_kernels() => Units::Natural,
            units => units,
        }
    }

    /// Offset of a struct member, in `units`.
    pub fn member_offset(&mut self, ty: u32, member: u32, units: Units) -> Result<u32> {
        let units = self.layout(units);
        let offsets = match self.offsets.get(&(ty, units)) {
            Some(known) => known,
            None => {
                let found = self.find_offsets(ty, units)?;
                self.offsets.entry((ty, units)).or_insert(found)
            }
        };
        match offsets.get(member as usize) {
            Some(Some(at)) => Ok(*at),
            Some(None) => {
                Err(Error::invalid(format!("member {member} of struct %{ty} in a buffer has no Offset")))
            }
            None => Err(Error::invalid(format!("struct %{ty} has no member {member}"))),
        }
    }

    /// Offsets of all members of a struct; `None` for those without the decoration.
    fn find_offsets(&mut self, ty: u32, units: Units) -> Result<Box<[Option<u32>]>> {
        let m = self.module;
        let Type::Struct { members } = m.ty(ty)? else {
            return Err(Error::invalid(format!("type %{ty} is not a struct")));
        };
        let limit = || Error::Limit(format!("size of type %{ty}"));
        let packed = m.deco(ty, Decoration::CPacked).is_some();
        let mut out = Vec::with_capacity(members.len());
        let mut at = 0u32;
        for (i, &member) in members.iter().enumerate() {
            match units {
                Units::Explicit => out.push(match m.member_deco(ty, i as u32, Decoration::OffsetIdEXT) {
                    Some(constant) => Some(self.const_u32(constant)?),
                    None => m.member_deco(ty, i as u32, Decoration::Offset),
                }),
                Units::Leaves => {
                    out.push(Some(at));
                    at = at.checked_add(self.leaves(member)?).ok_or_else(limit)?;
                }
                Units::Natural => {
                    let (size, align) = self.natural(member)?;
                    at = at.checked_next_multiple_of(if packed { 1 } else { align }).ok_or_else(limit)?;
                    out.push(Some(at));
                    at = at.checked_add(size).ok_or_else(limit)?;
                }
            }
        }
        Ok(out.into())
    }

    /// Distance between elements of an array type, in `units`.
    pub fn array_stride(&mut self, ty: u32, units: Units) -> Result<u32> {
        let m = self.module;
        let (Type::Array { elem, .. } | Type::RuntimeArray { elem }) = m.ty(ty)? else {
            return Err(Error::invalid(format!("type %{ty} is not an array")));
        };
        match self.layout(units) {
            Units::Leaves => self.leaves(*elem),
            Units::Explicit => match m.deco(ty, Decoration::ArrayStrideIdEXT) {
                Some(constant) => self.const_u32(constant),
                None => m
                    .deco(ty, Decoration::ArrayStride)
                    .ok_or_else(|| Error::invalid(format!("array %{ty} in a buffer has no ArrayStride"))),
            },
            Units::Natural => {
                let (size, align) = self.natural(*elem)?;
                Ok(size.next_multiple_of(align))
            }
        }
    }

    /// Matrix layout of a struct member.
    pub fn member_matrix(&self, ty: u32, member: u32) -> MatrixLayout {
        MatrixLayout {
            stride: self.module.member_deco(ty, member, Decoration::MatrixStride).unwrap_or(0),
            row_major: self.module.member_deco(ty, member, Decoration::RowMajor).is_some(),
        }
    }

    /// Strides (columns, rows) of a matrix type, in `units`.
    pub fn matrix_strides(&self, ty: u32, units: Units, layout: MatrixLayout) -> Result<(u32, u32)> {
        let Type::Matrix { elem, rows, .. } = self.module.ty(ty)? else {
            return Err(Error::invalid(format!("type %{ty} is not a matrix")));
        };
        let size = self.scalar(*elem)?.bytes();
        Ok(match units {
            Units::Leaves => (*rows, 1),
            Units::Natural => (rows * size, size),
            Units::Explicit if layout.stride == 0 => {
                return Err(Error::invalid(format!("matrix %{ty} in a buffer has no MatrixStride")));
            }
            Units::Explicit if layout.row_major => (size, layout.stride),
            Units::Explicit => (layout.stride, size),
        })
    }

    /// Size and alignment in bytes of a type in workgroup memory.
    pub fn natural(&mut self, ty: u32) -> Result<(u32, u32)> {
        if let Some(&known) = self.natural.get(&ty) {
            return Ok(known);
        }
        let known = self.find_natural(ty)?;
        self.natural.insert(ty, known);
        Ok(known)
    }

    fn find_natural(&mut self, ty: u32) -> Result<(u32, u32)> {
        let m = self.module;
        let limit = || Error::Limit(format!("size of type %{ty}"));
        Ok(match m.ty(ty)? {
            Type::Bool => (4, 4),
            Type::Int { bits, .. } | Type::Float { bits } => (bits / 8, bits / 8),
            Type::SmallFloat(small) => (small.held().bytes(), small.held().bytes()),
            Type::Address { .. } => (8, 8),
            Type::Event => (4, 4),
            // Spec: OpenCL C, "Alignment of Types": a vector is as large as the next power of two of components, and
            // so aligned.
            Type::Vector { elem, .. } if m.has_kernels() => {
                let size = self.natural(*elem)?.0 * self.leaves(ty)?.next_power_of_two();
                (size, size)
            }
            Type::Vector { elem, .. } => {
                let (size, align) = self.natural(*elem)?;
                (size * self.leaves(ty)?, align)
            }
            Type::Matrix { elem, rows, columns, .. } => {
                let (size, align) = self.natural(*elem)?;
                (size * rows * columns, align)
            }
            Type::Array { elem, .. } => {
                let (size, align) = self.natural(*elem)?;
                let n = self.array_len(ty)?;
                (size.next_multiple_of(align).checked_mul(n).ok_or_else(limit)?, align)
            }
            Type::Struct { members } => {
                let (mut end, mut most) = (0u32, 1);
                let packed = m.deco(ty, Decoration::CPacked).is_some();
                for &member in members {
                    let (size, align) = self.natural(member)?;
                    let align = if packed { 1 } else { align };
                    end = end
                        .checked_next_multiple_of(align)
                        .and_then(|e| e.checked_add(size))
                        .ok_or_else(limit)?;
                    most = most.max(align);
                }
                (end.checked_next_multiple_of(most).ok_or_else(limit)?, most)
            }
            _ => return Err(Error::invalid(format!("type %{ty} cannot be in workgroup memory"))),
        })
    }

    /// Bytes from the start of a type to its last byte under explicit layout; runtime arrays count as empty.
    pub fn explicit_size(&mut self, ty: u32, layout: MatrixLayout) -> Result<u32> {
        if let Some(&known) = self.explicit.get(&(ty, layout)) {
            return Ok(known);
        }
        let known = self.find_explicit_size(ty, layout)?;
        self.explicit.insert((ty, layout), known);
        Ok(known)
    }

    fn find_explicit_size(&mut self, ty: u32, layout: MatrixLayout) -> Result<u32> {
        let m = self.module;
        let limit = || Error::Limit(format!("size of type %{ty}"));
        let t = m.ty(ty)?;
        if let Some(scalar) = t.scalar() {
            return Ok(scalar.bytes().max(1));
        }
        match t {
            Type::Vector { elem, .. } => Ok(self.scalar(*elem)?.bytes() * self.leaves(ty)?),
            Type::Matrix { rows, columns, elem, .. } => {
                let size = self.scalar(*elem)?.bytes();
                let (column, row) = self.matrix_strides(ty, Units::Explicit, layout)?;
                let far = |stride: u32, n: u32| stride.checked_mul(n - 1).ok_or_else(limit);
                far(column, *columns)?
                    .checked_add(far(row, *rows)?)
                    .and_then(|n| n.checked_add(size))
                    .ok_or_else(limit)
            }
            Type::Array { elem, .. } => {
                let n = self.array_len(ty)?;
                let stride = self.array_stride(ty, Units::Explicit)?;
                let one = self.explicit_size(*elem, layout)?;
                stride.checked_mul(n - 1).and_then(|at| at.checked_add(one)).ok_or_else(limit)
            }
            Type::RuntimeArray { .. } => Ok(0),
            Type::Struct { members } => {
                let mut end = 0;
                for (i, &member) in members.iter().enumerate() {
                    let at = self.member_offset(ty, i as u32, Units::Explicit)?;
                    let size = self.explicit_size(member, self.member_matrix(ty, i as u32))?;
                    end = end.max(at.checked_add(size).ok_or_else(limit)?);
                }
                Ok(end)
            }
            Type::Image(_) | Type::Sampler | Type::BufferDescriptor => Ok(HEAP_DESCRIPTOR_BYTES),
            _ => Err(Error::invalid(format!("type %{ty} cannot be in a buffer"))),
        }
    }
}
