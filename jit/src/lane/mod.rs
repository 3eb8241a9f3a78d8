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
pub(crate) mod apart;
mod backend;
mod blocks;
mod calls;
mod compare;
mod control;
mod convert;
mod fused;
mod halves;
mod kept;
mod kernel;
mod known;
mod masked;
mod mem;
mod offset;
mod pressure;
mod quads;
mod quotient;
mod rare;
mod records;
mod shape;
mod stack;
mod steady;
#[cfg(test)]
mod tests;
mod twice;
mod update;
mod variables;
mod wide;
mod words;

use cranelift_codegen::ir::{self as cl, InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_frontend::FunctionBuilder;
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
pub use variables::LaneVar;

use crate::cpu::{CpuLevel, Tier};
use crate::ir::Ty;

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
    /// I32 that advances by a constant unless its dividend wraps.
    Quotient(Box<quotient::Quotient>),
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
    stack: stack::Stack,
    /// Kind of access for gathers.
    gather_access: mem::Access,
    /// True if the halves that the next operation makes or converts need not keep signaling NaNs.
    pub(crate) quiets_halves: bool,
    /// For each complement of a truth value: the truth value.
    complements: FxHashMap<Lane, Lane>,
    variables: variables::Variables,
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
            stack: stack::Stack::default(),
            gather_access: mem::Access::Plain,
            quiets_halves: false,
            complements: FxHashMap::default(),
            variables: variables::Variables::default(),
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
            Parts::Affine { .. } | Parts::Quotient(_) | Parts::Varying(_) => false,
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
            Parts::Affine { .. } | Parts::Quotient(_) | Parts::Offset(_) | Parts::Varying(_) => {
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
            Parts::Quotient(q) => self.quotients(&q),
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

    pub(crate) fn flags() -> MemFlagsData {
        MemFlagsData::new().with_notrap()
    }
}
