//! The lane builder, which generates code that computes on S lanes at once.
//!
//! A [`Lane`] refers to a value: uniform (one scalar for the group) or varying (S scalars). Operations on uniform
//! operands stay scalar, so callers write one formula and pay only for its varying parts. All code generation uses this
//! module: the shader code generator, and the kernels of the rasterizer and the samplers, which see no Cranelift type.
//!
//! # Representation
//!
//! A varying value consists of vectors: of `f32` for F32 (and for F16, as the exact f32 value), of `i32` for 32-bit and
//! narrower integers (narrower ones zero-extended) and for Bool (all ones or zero), of `i64` and `f64` for 64-bit
//! types. Vectors have W bits, 128, 256 or 512, but no more than S lanes of 32 bits; callers do not see W. Indices of
//! the form `base + stride * lane` stay scalar until a vector is needed.
//!
//! # Control flow
//!
//! This module has only uniform branches ([`LaneBuilder::if_else`], [`LaneBuilder::while_loop`]). State that changes
//! across them is kept in a [`LaneVar`]. A value defined inside a branch must not be used outside of it.

mod across;
mod alu;
mod backend;
mod blocks;
mod calls;
mod compare;
mod convert;
mod fused;
mod kept;
mod kernel;
mod known;
mod masked;
mod mem;
mod offset;
mod pressure;
mod quads;
mod records;
mod shape;
mod steady;
#[cfg(test)]
mod tests;
mod update;
mod wide;
mod words;

use cranelift_codegen::ir::{self as cl, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};
use quadrille_wide::intrinsics::Intrinsic;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

pub(crate) use backend::{Built, Places};
pub use backend::{Listing as KernelListing, counts as backend_counts};
pub(crate) use blocks::Block;
pub use kernel::{Kernel, KernelFn, bind_kernel, build_kernel, build_kernel_listed};
pub(crate) use kernel::{build_function, too_dense};
pub(crate) use offset::{Line, Term};
pub(crate) use shape::element_type;
pub(crate) use update::{host_op, neutral};

use crate::cpu::{CpuLevel, Tier};
use crate::ir::Ty;

/// Maximum number of blocks placed at the end of a function.
const MAX_COLD_BLOCKS: u32 = 128;

/// Integer comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "self-explanatory: S is signed, U unsigned")]
pub enum ICmp {
    Eq,
    Ne,
    Slt,
    Sle,
    Sgt,
    Sge,
    Ult,
    Ule,
    Ugt,
    Uge,
}

/// Float comparison; ordered ones are false for NaN, unordered ones true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the SPIR-V instructions")]
pub enum FCmp {
    OrdEq,
    OrdNe,
    OrdLt,
    OrdLe,
    OrdGt,
    OrdGe,
    UnordEq,
    UnordNe,
    UnordLt,
    UnordLe,
    UnordGt,
    UnordGe,
    /// Neither is NaN.
    Ordered,
    /// At least one is NaN.
    Unordered,
}

/// A value of the function under construction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lane(u32);

/// A mutable variable, for state that crosses branches.
#[derive(Clone, Debug)]
pub struct LaneVar {
    ty: Ty,
    uniform: bool,
    /// `true` if the vectors hold the low bytes of the lanes.
    bytes: bool,
    vars: SmallVec<[Variable; 4]>,
}

pub(crate) type Vecs = SmallVec<[Value; 4]>;

/// Representation of a value.
#[derive(Clone, Debug)]
pub(crate) enum Parts {
    /// Known bits of a constant.
    Const(u64),
    /// One scalar.
    Uniform(Value),
    /// I32 `base + stride * lane`, wrapping.
    Affine { base: Value, stride: i32 },
    /// I32 byte offset, saturating.
    Offset(Box<offset::Offset>),
    /// Vectors.
    Varying(Vecs),
}

#[derive(Clone, Debug)]
pub(crate) struct Repr {
    pub ty: Ty,
    pub parts: Parts,
}

/// Builds a function on S lanes.
pub struct LaneBuilder<'f> {
    pub(crate) fb: FunctionBuilder<'f>,
    lanes: u32,
    cpu: CpuLevel,
    /// Vector width in bits.
    vector_bits: u32,
    reprs: Vec<Repr>,
    /// Vector constants created so far.
    constants: FxHashMap<(u32, SmallVec<[u32; 4]>), cl::Constant>,
    /// Declared functions that the back end expands inline.
    declared: FxHashMap<shape::Declared, cl::FuncRef>,
    /// Reusable stack space, and the number of its bytes in use.
    temporaries: Option<cl::StackSlot>,
    temporary_bytes: u32,
    /// Stack space of the whole function; see [`LaneBuilder::reserved`].
    reserved: Option<cl::StackSlot>,
    /// Kind of access for gathers.
    gather_access: mem::Access,
    /// For each complement of a truth value: the truth value.
    complements: FxHashMap<Lane, Lane>,
    /// Released variables. Cranelift keeps a list of blocks per variable that reaches to the last block that sets it.
    /// Without reuse, many variables in many blocks would take quadratic space.
    free: FxHashMap<Type, Vec<Variable>>,
    /// Number of cold blocks so far.
    n_cold: u32,
    /// Vectors of broadcast scalars in the current block.
    splats: FxHashMap<(Value, Type), Value>,
    splat_block: Option<Block>,
    known: known::Known,
    jumps: blocks::Jumps,
    kept: kept::Kept,
    calls: calls::Calls,
}

/// Scalar Cranelift type of a uniform value.
pub(crate) fn scalar_type(ty: Ty) -> Type {
    match ty {
        Ty::Bool => types::I8,
        Ty::I8 | Ty::I16 | Ty::I32 => types::I32,
        Ty::I64 | Ty::Buffer | Ty::Image => types::I64,
        Ty::F16 | Ty::F32 => types::F32,
        Ty::F64 => types::F64,
    }
}

pub(crate) fn is_wide(ty: Ty) -> bool {
    matches!(ty, Ty::I64 | Ty::F64 | Ty::Buffer | Ty::Image)
}

impl<'f> LaneBuilder<'f> {
    pub(crate) fn new(fb: FunctionBuilder<'f>, lanes: u32, (cpu, tier): (CpuLevel, Tier), w: u32) -> Self {
        LaneBuilder {
            fb,
            lanes,
            cpu,
            vector_bits: w.min(32 * lanes),
            reprs: Vec::with_capacity(1024),
            constants: FxHashMap::default(),
            declared: FxHashMap::default(),
            temporaries: None,
            reserved: None,
            temporary_bytes: 0,
            gather_access: mem::Access::Plain,
            complements: FxHashMap::default(),
            free: FxHashMap::default(),
            n_cold: 0,
            splats: FxHashMap::default(),
            splat_block: None,
            known: known::Known::new(tier),
            jumps: blocks::Jumps::default(),
            kept: kept::Kept::default(),
            calls: calls::Calls::default(),
        }
    }

    /// Number of lanes (S).
    pub fn lanes(&self) -> u32 {
        self.lanes
    }

    /// Sets the place of the code that is emitted from here on; 0 for none.
    pub(crate) fn comes_from(&mut self, place: u32) {
        self.calls.comes_from(place);
        let place = if place == 0 { cl::SourceLoc::default() } else { cl::SourceLoc::new(place) };
        self.fb.set_srcloc(place);
    }

    /// Host feature level of the code.
    pub fn cpu(&self) -> CpuLevel {
        self.cpu
    }

    pub(crate) fn push(&mut self, ty: Ty, parts: Parts) -> Lane {
        self.reprs.push(Repr { ty, parts });
        Lane(self.reprs.len() as u32 - 1)
    }

    pub(crate) fn repr(&self, l: Lane) -> &Repr {
        &self.reprs[l.0 as usize]
    }

    /// Type of a value.
    pub fn ty(&self, l: Lane) -> Ty {
        self.repr(l).ty
    }

    /// Returns true if the value is one scalar for the group.
    pub fn is_uniform(&self, l: Lane) -> bool {
        match &self.repr(l).parts {
            Parts::Const(_) | Parts::Uniform(_) => true,
            Parts::Offset(o) => o.stride == 0,
            Parts::Affine { .. } | Parts::Varying(_) => false,
        }
    }

    /// The bits of the value, if it is a constant.
    pub fn as_const(&self, l: Lane) -> Option<u64> {
        match self.repr(l).parts {
            Parts::Const(bits) => Some(bits),
            _ => None,
        }
    }

    /// The value of an I32, if it is a constant.
    pub(crate) fn const_u32(&self, l: Lane) -> Option<u32> {
        self.as_const(l).map(|bits| bits as u32)
    }

    /// `(base, stride)` of a value with the form `base + stride * lane` (wrapping), where base is uniform.
    pub fn as_affine(&mut self, l: Lane) -> Option<(Lane, i32)> {
        match self.repr(l).parts {
            Parts::Affine { base, stride } => Some((self.push(Ty::I32, Parts::Uniform(base)), stride)),
            _ => None,
        }
    }

    // Constants.

    /// Constant of any type from its bits (floats by their encoding, Bool 0 or 1).
    pub fn bits(&mut self, ty: Ty, bits: u64) -> Lane {
        self.push(ty, Parts::Const(bits))
    }
    /// F32 constant.
    pub fn f32(&mut self, v: f32) -> Lane {
        self.bits(Ty::F32, u64::from(v.to_bits()))
    }
    /// I32 constant.
    pub fn i32(&mut self, v: i32) -> Lane {
        self.bits(Ty::I32, u64::from(v as u32))
    }
    /// I32 constant from unsigned.
    pub fn u32(&mut self, v: u32) -> Lane {
        self.bits(Ty::I32, u64::from(v))
    }
    /// I64 constant.
    pub fn i64(&mut self, v: i64) -> Lane {
        self.bits(Ty::I64, v as u64)
    }
    /// Address constant. The code is then valid only in this process.
    pub fn ptr<T>(&mut self, p: *const T) -> Lane {
        self.i64(p as i64)
    }
    /// Bool constant.
    pub fn bool(&mut self, v: bool) -> Lane {
        self.bits(Ty::Bool, u64::from(v))
    }
    /// Lane indices: 0, 1, .. S - 1.
    pub fn lane_index(&mut self) -> Lane {
        let base = self.fb.ins().iconst(types::I32, 0);
        self.push(Ty::I32, Parts::Affine { base, stride: 1 })
    }
    /// `first`, `first + 1`, .. `first + S - 1`, for a uniform I32.
    pub(crate) fn lanes_from(&mut self, first: Lane) -> Lane {
        let base = self.scalar(first);
        self.push(Ty::I32, Parts::Affine { base, stride: 1 })
    }
    /// A different 32-bit constant in each lane (`words.len() == S`); `ty` is I32 or F32.
    pub fn row_const(&mut self, ty: Ty, words: &[u32]) -> Lane {
        assert_eq!(words.len(), self.lanes as usize);
        let (vt, per) = (self.vector_type(ty), self.per_vec(ty) as usize);
        let vecs = words.chunks(per).map(|w| self.vconst32(vt, w)).collect();
        self.push(ty, Parts::Varying(vecs))
    }

    // Materialization.

    /// The scalar of a uniform value.
    pub(crate) fn scalar(&mut self, l: Lane) -> Value {
        let Repr { ty, parts } = self.repr(l).clone();
        match parts {
            Parts::Uniform(v) => v,
            Parts::Const(bits) => match ty {
                Ty::F32 => self.f32_known(f32::from_bits(bits as u32)),
                Ty::F16 => self.f32_known(half::f16::from_bits(bits as u16).to_f32()),
                Ty::F64 => self.fb.ins().f64const(f64::from_bits(bits)),
                _ => {
                    let t = scalar_type(ty);
                    let imm = match t {
                        types::I32 => i64::from(bits as u32),
                        types::I8 => bits as i64 & 1,
                        _ => bits as i64,
                    };
                    self.int_known(t, imm)
                }
            },
            Parts::Offset(o) if o.stride == 0 => self.saturated_scalar(o.base),
            Parts::Affine { .. } | Parts::Offset(_) | Parts::Varying(_) => {
                panic!("uniform value expected, got {parts:?}")
            }
        }
    }

    /// The vectors of any value.
    pub(crate) fn vecs(&mut self, l: Lane) -> Vecs {
        let Repr { ty, parts } = self.repr(l).clone();
        let n = self.n_vecs(ty);
        let vt = self.vector_type(ty);
        match parts {
            Parts::Varying(v) => v,
            Parts::Offset(o) if o.stride == 0 => {
                let s = self.saturated_scalar(o.base);
                let v = self.fb.ins().splat(vt, s);
                SmallVec::from_elem(v, n)
            }
            Parts::Offset(o) => self.saturated(&o.terms),
            Parts::Const(bits) => {
                let v = match ty {
                    Ty::Bool => self.vconst32(vt, &[if bits != 0 { !0 } else { 0 }]),
                    Ty::F16 => self.vconst32(vt, &[half::f16::from_bits(bits as u16).to_f32().to_bits()]),
                    Ty::I64 | Ty::F64 | Ty::Buffer | Ty::Image => self.vconst64(vt, bits),
                    _ => self.vconst32(vt, &[bits as u32]),
                };
                SmallVec::from_elem(v, n)
            }
            Parts::Uniform(s) => {
                let v = if ty == Ty::Bool {
                    let wide = self.fb.ins().uextend(types::I32, s);
                    let mask = self.fb.ins().ineg(wide);
                    match self.has_mask_registers() {
                        true => self.intrinsic(Intrinsic::MaskFromBits, &[mask], vt),
                        false => self.fb.ins().splat(vt, mask),
                    }
                } else {
                    self.splat_scalar(vt, s)
                };
                SmallVec::from_elem(v, n)
            }
            Parts::Affine { base, stride } => {
                let (s, per) = (self.fb.ins().splat(vt, base), self.per_vec(ty));
                (0..n as u32)
                    .map(|i| {
                        let lanes = per * i..per * (i + 1);
                        let w: SmallVec<[u32; 16]> = lanes.map(|k| (stride as u32).wrapping_mul(k)).collect();
                        let c = self.vconst32(vt, &w);
                        self.fb.ins().iadd(s, c)
                    })
                    .collect()
            }
        }
    }

    /// Broadcasts a scalar to all lanes of a vector, once per block.
    fn splat_scalar(&mut self, vt: Type, s: Value) -> Value {
        let block = self.fb.current_block();
        if self.splat_block != block {
            self.splat_block = block;
            self.splats.clear();
        }
        if let Some(&v) = self.splats.get(&(s, vt)) {
            return v;
        }
        let v = self.fb.ins().splat(vt, s);
        self.splats.insert((s, vt), v);
        v
    }

    /// The same value in varying form.
    pub fn splat(&mut self, l: Lane) -> Lane {
        let ty = self.ty(l);
        let v = self.vecs(l);
        self.push(ty, Parts::Varying(v))
    }

    // Variables.

    /// Declares a mutable variable, which must be set before it is read on every path.
    pub fn declare(&mut self, ty: Ty, uniform: bool) -> LaneVar {
        self.declare_as(ty, uniform, false)
    }
    /// Declares a variable for values of type I8 in which [`Self::has_byte_rows`] keeps bytes.
    pub(crate) fn declare_bytes(&mut self) -> LaneVar {
        self.declare_as(Ty::I8, false, self.has_byte_rows())
    }
    fn declare_as(&mut self, ty: Ty, uniform: bool, bytes: bool) -> LaneVar {
        let mut var = LaneVar { ty, uniform, bytes, vars: SmallVec::new() };
        let (t, n) = (self.variable_type(&var), if uniform { 1 } else { self.n_vecs(ty) });
        let free = self.free.entry(t).or_default();
        var.vars.extend((0..n).map(|_| free.pop().unwrap_or_else(|| self.fb.declare_var(t))));
        var
    }
    /// Type of each of a variable's registers.
    fn variable_type(&self, var: &LaneVar) -> Type {
        match (var.uniform, var.bytes) {
            (true, _) => scalar_type(var.ty),
            (false, true) => types::I8X16,
            (false, false) => self.vector_type(var.ty),
        }
    }
    /// Releases a variable for reuse by [`Self::declare`]. The caller must not use it any more.
    pub fn release(&mut self, var: LaneVar) {
        let t = self.variable_type(&var);
        self.free.entry(t).or_default().extend(var.vars);
    }
    /// Reads a variable for the last time, and releases it.
    pub(crate) fn take(&mut self, var: LaneVar) -> Lane {
        let v = self.get(&var);
        self.release(var);
        v
    }
    /// Sets a variable. A uniform variable accepts only uniform values.
    pub fn set(&mut self, var: &LaneVar, value: Lane) {
        debug_assert_eq!(self.ty(value), var.ty);
        if var.uniform {
            let v = self.scalar(value);
            self.fb.def_var(var.vars[0], v);
        } else {
            for (i, v) in self.vecs(value).into_iter().enumerate() {
                let v = if var.bytes { self.bytes_of(v) } else { v };
                self.fb.def_var(var.vars[i], v);
            }
        }
    }
    /// Reads a variable.
    pub fn get(&mut self, var: &LaneVar) -> Lane {
        if var.uniform {
            let v = self.fb.use_var(var.vars[0]);
            self.push(var.ty, Parts::Uniform(v))
        } else {
            let mut v: Vecs = var.vars.iter().map(|&x| self.fb.use_var(x)).collect();
            if var.bytes {
                let words = self.int_vector();
                v.iter_mut().for_each(|v| *v = self.intrinsic(Intrinsic::WidenUnsigned, &[*v], words));
            }
            self.push(var.ty, Parts::Varying(v))
        }
    }

    /// Places a block at the end of the function, unless there are many already. The single-pass register allocator
    /// treats values used there as live all the way to the end.
    pub(crate) fn set_cold(&mut self, block: Block) {
        self.n_cold += 1;
        if self.n_cold <= MAX_COLD_BLOCKS {
            self.fb.set_cold_block(block);
        }
    }

    // Uniform control flow.

    /// Runs `then` if the uniform Bool is true, otherwise `els`.
    pub fn if_else(&mut self, cond: Lane, then: impl FnOnce(&mut Self), els: impl FnOnce(&mut Self)) {
        let c = self.scalar(cond);
        let (bt, be, merge) = (self.fb.create_block(), self.fb.create_block(), self.fb.create_block());
        self.fb.ins().brif(c, bt, &[], be, &[]);
        self.fb.seal_block(bt);
        self.fb.seal_block(be);
        self.fb.switch_to_block(bt);
        then(self);
        self.fb.ins().jump(merge, &[]);
        self.fb.switch_to_block(be);
        els(self);
        self.fb.ins().jump(merge, &[]);
        self.fb.seal_block(merge);
        self.fb.switch_to_block(merge);
    }

    /// Runs `then` if the uniform Bool is true.
    pub fn if_(&mut self, cond: Lane, then: impl FnOnce(&mut Self)) {
        self.if_else(cond, then, |_| {});
    }

    /// Runs `then` if the mask is true in any lane.
    pub fn if_any(&mut self, mask: Lane, then: impl FnOnce(&mut Self)) {
        let c = self.any(mask);
        self.if_(c, then);
    }

    /// Runs `body` while `cond` returns a uniform true. The loop does not poll the stop flag, so the number of
    /// iterations must be bounded.
    pub fn while_loop(&mut self, cond: impl FnOnce(&mut Self) -> Lane, body: impl FnOnce(&mut Self)) {
        let (head, inside, exit) = (self.fb.create_block(), self.fb.create_block(), self.fb.create_block());
        self.fb.ins().jump(head, &[]);
        self.fb.switch_to_block(head);
        let c = cond(self);
        let c = self.scalar(c);
        self.fb.ins().brif(c, inside, &[], exit, &[]);
        self.fb.seal_block(inside);
        self.fb.switch_to_block(inside);
        body(self);
        self.fb.ins().jump(head, &[]);
        self.fb.seal_block(head);
        self.fb.seal_block(exit);
        self.fb.switch_to_block(exit);
    }

    /// Runs `body(i)` for the uniform I32 i from `start` below `end` (unsigned).
    pub fn for_range(&mut self, start: Lane, end: Lane, body: impl FnOnce(&mut Self, Lane)) {
        let var = self.declare(Ty::I32, true);
        self.set(&var, start);
        let v = var.clone();
        self.while_loop(
            |b| {
                let i = b.get(&v);
                b.icmp(ICmp::Ult, i, end)
            },
            |b| {
                let i = b.get(&var);
                body(b, i);
                let one = b.i32(1);
                let next = b.iadd(i, one);
                b.set(&var, next);
            },
        );
        self.release(v);
    }

    /// Allocates stack space, aligned to a vector, and returns its address. Keep it small.
    pub fn stack(&mut self, bytes: u32) -> Lane {
        let align = self.vector_bytes().trailing_zeros() as u8;
        let data = cl::StackSlotData::new(cl::StackSlotKind::ExplicitSlot, bytes, align);
        let slot = self.fb.create_sized_stack_slot(data);
        let a = self.fb.ins().stack_addr(types::I64, slot, 0);
        self.push(Ty::I64, Parts::Uniform(a))
    }

    /// Temporary stack space, aligned to a vector; valid until an earlier mark is released.
    pub(crate) fn temporary(&mut self, bytes: u32) -> Lane {
        let align = self.vector_bytes().trailing_zeros() as u8;
        let data = cl::StackSlotData::new(cl::StackSlotKind::ExplicitSlot, 0, align);
        let slot = *self.temporaries.get_or_insert_with(|| self.fb.create_sized_stack_slot(data));
        let at = self.temporary_bytes;
        self.temporary_bytes += bytes.next_multiple_of(self.vector_bytes());
        let size = &mut self.fb.func.sized_stack_slots[slot].size;
        *size = (*size).max(self.temporary_bytes);
        let a = self.fb.ins().stack_addr(types::I64, slot, at as i32);
        self.push(Ty::I64, Parts::Uniform(a))
    }

    /// Address `at` in a stack space of `bytes` that belongs to the whole function, aligned to a vector. All calls pass
    /// the same size.
    pub(crate) fn reserved(&mut self, bytes: u32, at: u32) -> Lane {
        let align = self.vector_bytes().trailing_zeros() as u8;
        let data = cl::StackSlotData::new(cl::StackSlotKind::ExplicitSlot, bytes, align);
        let slot = *self.reserved.get_or_insert_with(|| self.fb.create_sized_stack_slot(data));
        let a = self.fb.ins().stack_addr(types::I64, slot, at as i32);
        self.push(Ty::I64, Parts::Uniform(a))
    }

    /// A mark of the temporary stack space in use.
    pub(crate) fn mark_temporaries(&self) -> u32 {
        self.temporary_bytes
    }

    /// Releases the temporary stack space allocated since the mark.
    pub(crate) fn release_temporaries(&mut self, mark: u32) {
        self.temporary_bytes = mark;
    }

    pub(crate) fn flags() -> MemFlagsData {
        MemFlagsData::new().with_notrap()
    }
}
