//! Writes a random program as CLIF, operation by operation ([`super::flow`] writes its control flow). The program under
//! test has vectors of its width and intrinsics. The oracle has several vectors of 128 bits instead, and the
//! lane-by-lane reference of intrinsics.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    AbiParam, AtomicRmwOp, ConstantData, Endianness, ExtFuncData, ExternalName, Function, InstBuilder,
    MemFlagsData, Signature, StackSlotData, StackSlotKind, Type, UserFuncName, Value, types,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use quadrille_wide::intrinsics::Intrinsic;

use super::numbers::{hard, hard32};
use super::program::{Program, ROWS, Ty};
use crate::support::Random;

/// Size of the memory that programs read. Memory of the same size that they write follows, then their results.
pub const INPUT: i32 = 4096;
pub const OUTPUT: i32 = 8192;
/// Size of each result, in bytes.
pub const RESULT: i32 = 64;

extern "C" fn mix(a: i64, b: i64) -> i64 {
    a.wrapping_mul(31) ^ b.rotate_left(7)
}

pub struct Writer<'a> {
    pub fb: FunctionBuilder<'a>,
    /// Number of 128-bit vectors per value; 1 for a native vector of `bits` bits.
    pub parts: usize,
    pub native: bool,
    pub bits: u32,
    pub memory: Value,
    pub values: Vec<Option<Vec<Value>>>,
}

pub fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}
pub fn le() -> MemFlagsData {
    MemFlagsData::new().with_endianness(Endianness::Little)
}

/// The element type of a vector type.
pub fn lane(ty: Ty) -> Option<Type> {
    Some(match ty {
        Ty::V8 => types::I8,
        Ty::V16 => types::I16,
        Ty::V32 | Ty::M32 => types::I32,
        Ty::V64 | Ty::M64 => types::I64,
        Ty::Vf32 => types::F32,
        Ty::Vf64 => types::F64,
        _ => return None,
    })
}

/// Writes a program as `fn(memory, a, b) -> i64`.
pub fn write(p: &Program, bits: u32, native: bool, config: TargetFrontendConfig) -> Function {
    let mut sig = Signature::new(CallConv::SystemV);
    sig.params = vec![AbiParam::new(types::I64); 3];
    sig.returns.push(AbiParam::new(types::I64));
    let mut f = Function::with_name_signature(UserFuncName::user(0, 0), sig);
    let mut ctx = FunctionBuilderContext::new();
    let mut fb = FunctionBuilder::new(&mut f, &mut ctx);
    let entry = fb.create_block();
    fb.append_block_params_for_function_params(entry);
    fb.switch_to_block(entry);
    let params = fb.block_params(entry).to_vec();
    let parts = if native { 1 } else { bits as usize / 128 };
    let mut w = Writer { fb, parts, native, bits, memory: params[0], values: vec![None; p.types.len()] };
    w.nodes(&p.nodes);
    for (i, &v) in p.outputs.iter().enumerate() {
        let at = OUTPUT + RESULT * i as i32;
        for (k, x) in w.get(v).into_iter().enumerate() {
            w.fb.ins().store(flags(), x, params[0], at + 16 * k as i32);
        }
    }
    let r = w.fb.ins().iadd(params[1], params[2]);
    w.fb.ins().return_(&[r]);
    w.fb.seal_all_blocks();
    w.fb.finalize(config);
    f
}

const INTS: [IntCC; 10] = [
    IntCC::Equal,
    IntCC::NotEqual,
    IntCC::SignedLessThan,
    IntCC::SignedGreaterThanOrEqual,
    IntCC::SignedGreaterThan,
    IntCC::SignedLessThanOrEqual,
    IntCC::UnsignedLessThan,
    IntCC::UnsignedGreaterThanOrEqual,
    IntCC::UnsignedGreaterThan,
    IntCC::UnsignedLessThanOrEqual,
];
const FLOATS: [FloatCC; 14] = [
    FloatCC::Ordered,
    FloatCC::Unordered,
    FloatCC::Equal,
    FloatCC::NotEqual,
    FloatCC::OrderedNotEqual,
    FloatCC::UnorderedOrEqual,
    FloatCC::LessThan,
    FloatCC::LessThanOrEqual,
    FloatCC::GreaterThan,
    FloatCC::GreaterThanOrEqual,
    FloatCC::UnorderedOrLessThan,
    FloatCC::UnorderedOrLessThanOrEqual,
    FloatCC::UnorderedOrGreaterThan,
    FloatCC::UnorderedOrGreaterThanOrEqual,
];

impl Writer<'_> {
    pub fn get(&self, v: usize) -> Vec<Value> {
        self.values[v].clone().expect("a value before its use")
    }

    /// The type of one part.
    pub fn ty(&self, ty: Ty) -> Type {
        let bits = if self.native { self.bits } else { 128 };
        match (ty, lane(ty)) {
            (_, Some(l)) => l.by(bits / l.bits()).expect("a vector"),
            (Ty::Bool, _) => types::I8,
            (Ty::I32, _) => types::I32,
            (Ty::I64, _) => types::I64,
            (Ty::F32, _) => types::F32,
            _ => types::F64,
        }
    }

    pub fn count(&self, ty: Ty) -> usize {
        if lane(ty).is_some() { self.parts } else { 1 }
    }

    // Operations.

    /// Emits one instruction per part.
    pub fn each(
        &mut self,
        a: &[Vec<Value>],
        f: impl Fn(&mut FunctionBuilder, &[Value]) -> Value,
    ) -> Vec<Value> {
        let n = a.iter().map(|x| x.len()).max().unwrap_or(1);
        let part = |i: usize| a.iter().map(|x| x[i.min(x.len() - 1)]).collect::<Vec<Value>>();
        (0..n).map(|i| f(&mut self.fb, &part(i))).collect()
    }

    pub fn vector_const(&mut self, ty: Type, bytes: &[u8]) -> Value {
        let c = self.fb.func.dfg.constants.insert(ConstantData::from(bytes));
        self.fb.ins().vconst(ty, c)
    }

    /// The lanes of all parts.
    pub fn lanes(&mut self, parts: &[Value]) -> Vec<Value> {
        let mut out = Vec::new();
        for &p in parts {
            for i in 0..self.fb.func.dfg.value_type(p).lane_count() {
                out.push(self.fb.ins().extractlane(p, i as u8));
            }
        }
        out
    }

    /// Combines lanes into parts.
    pub fn from_lanes(&mut self, ty: Type, lanes: &[Value]) -> Vec<Value> {
        let n = ty.lane_count() as usize;
        let mut out = Vec::new();
        for c in lanes.chunks(n) {
            let mut v = self.vector_const(ty, &vec![0; ty.bytes() as usize]);
            for (i, &x) in c.iter().enumerate() {
                v = self.fb.ins().insertlane(v, x, i as u8);
            }
            out.push(v);
        }
        out
    }

    pub fn intrinsic(&mut self, i: Intrinsic, args: &[Value], out: Option<Type>) -> Vec<Value> {
        let mut sig = Signature::new(CallConv::SystemV);
        sig.params = args.iter().map(|&a| AbiParam::new(self.fb.func.dfg.value_type(a))).collect();
        sig.returns.extend(out.map(AbiParam::new));
        let signature = self.fb.import_signature(sig);
        let name = ExternalName::user(self.fb.func.declare_imported_user_function(i.name()));
        let f = self.fb.import_function(ExtFuncData { name, signature, colocated: true, patchable: false });
        let call = self.fb.ins().call(f, args);
        self.fb.inst_results(call).to_vec()
    }

    pub fn call(&mut self, f: usize, args: &[Value], out: Type) -> Value {
        let mut sig = Signature::new(CallConv::SystemV);
        sig.params = args.iter().map(|&a| AbiParam::new(self.fb.func.dfg.value_type(a))).collect();
        sig.returns.push(AbiParam::new(out));
        let sig = self.fb.import_signature(sig);
        let f = self.fb.ins().iconst(types::I64, f as i64);
        let call = self.fb.ins().call_indirect(sig, f, args);
        self.fb.inst_results(call)[0]
    }

    pub fn imm(&mut self, ty: Type, k: i64) -> Value {
        self.fb.ins().iconst(ty, k)
    }

    /// `x & mask`.
    pub fn masked(&mut self, x: Value, mask: i64) -> Value {
        let t = self.fb.func.dfg.value_type(x);
        let m = self.imm(t, mask);
        self.fb.ins().band(x, m)
    }

    pub fn op(&mut self, row: usize, a: &[Vec<Value>], k: u64) -> Vec<Value> {
        let row = &ROWS[row];
        let out = self.ty(row.out);
        let n_parts = self.count(row.out);
        let input = (k % (INPUT as u64 - 64)) as i32;
        let memory = self.memory;
        let vector = lane(row.out).is_some();
        match row.name {
            "iconst" => {
                let v = [0, 1, -1, i64::from(i32::MIN), i64::from(i32::MAX), k as i64 >> (k % 64), k as i64]
                    [k as usize % 7];
                let v = if row.out == Ty::I32 { i64::from(v as u32) } else { v };
                vec![self.fb.ins().iconst(out, v)]
            }
            "fconst" if row.out == Ty::F32 => vec![self.fb.ins().f32const(hard32(k))],
            "fconst" => vec![self.fb.ins().f64const(f64::from(hard32(k)))],
            "vconst" => {
                let mut r = Random(k);
                let n = self.bits as usize / 8;
                let bytes: Vec<u8> = match k % 4 {
                    0 => vec![0; n],
                    1 if row.out != Ty::Vf32 && row.out != Ty::Vf64 => vec![255; n],
                    // 1.5, and lanes that differ from those of narrower types.
                    2 => {
                        let word = [0x3fc0_0000u32, 0x0404_0404, 0x0003_0003, 7][(k >> 2) as usize % 4];
                        word.to_le_bytes().repeat(n / 4)
                    }
                    _ => (0..n / 8).flat_map(|_| hard(&mut r).to_le_bytes()).collect(),
                };
                let part = n / self.parts;
                (0..self.parts).map(|i| self.vector_const(out, &bytes[i * part..(i + 1) * part])).collect()
            }
            "load" => {
                let o = if k.is_multiple_of(3) { input } else { input & !63 };
                (0..n_parts).map(|i| self.fb.ins().load(out, flags(), memory, o + 16 * i as i32)).collect()
            }
            "load8" => vec![self.fb.ins().uload8(types::I32, flags(), memory, input)],
            "load16" if k.is_multiple_of(2) => {
                vec![self.fb.ins().uload16(types::I32, flags(), memory, input)]
            }
            "load16" => vec![self.fb.ins().sload16(types::I32, flags(), memory, input)],
            "load at" => {
                let x = self.masked(a[0][0], 63);
                let x = self.fb.ins().uextend(types::I64, x);
                let n = self.imm(types::I64, (k % 4) as i64);
                let x = self.fb.ins().ishl(x, n);
                let p = self.fb.ins().iadd(memory, x);
                let at = input % 2048;
                (0..n_parts).map(|i| self.fb.ins().load(out, flags(), p, at + 16 * i as i32)).collect()
            }
            "splat load" => {
                let x = self.fb.ins().load(types::F32, flags(), memory, input);
                let v = self.fb.ins().splat(out, x);
                vec![v; n_parts]
            }
            "atomic load" => {
                let at = self.imm(types::I64, i64::from(INPUT) + 8 * (k as i64 & 63));
                let p = self.fb.ins().iadd(memory, at);
                vec![self.fb.ins().atomic_load(types::I32, flags(), p)]
            }
            "atomic_rmw" => {
                use AtomicRmwOp::*;
                let at = self.imm(types::I64, i64::from(INPUT) + 8 * (k as i64 & 63));
                let p = self.fb.ins().iadd(memory, at);
                let op = [Add, Sub, And, Or, Xor, Xchg, Nand, Smin, Smax, Umin, Umax][(k >> 8) as usize % 11];
                vec![self.fb.ins().atomic_rmw(out, flags(), op, p, a[0][0])]
            }
            "atomic_cas" => {
                let at = self.imm(types::I64, i64::from(INPUT) + 8 * (k as i64 & 63));
                let p = self.fb.ins().iadd(memory, at);
                vec![self.fb.ins().atomic_cas(flags(), p, a[0][0], a[1][0])]
            }
            "slot" => {
                let size = if vector { self.bits / 8 } else { 8 };
                let slot =
                    self.fb.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, size, 4));
                let p = self.fb.ins().stack_addr(types::I64, slot, 0);
                for (i, &x) in a[0].iter().enumerate() {
                    self.fb.ins().store(flags(), x, p, 16 * i as i32);
                }
                (0..n_parts).map(|i| self.fb.ins().load(out, flags(), p, 16 * i as i32)).collect()
            }
            "call" => {
                vec![self.call(mix as extern "C" fn(i64, i64) -> i64 as usize, &[a[0][0], a[1][0]], out)]
            }
            "divide" => {
                let b = self.masked(a[1][0], 0x7fff);
                let one = self.imm(out, 1);
                let b = self.fb.ins().bor(b, one);
                let x = a[0][0];
                vec![match k % 4 {
                    0 => self.fb.ins().udiv(x, b),
                    1 => self.fb.ins().urem(x, b),
                    2 => self.fb.ins().sdiv(x, b),
                    _ => self.fb.ins().srem(x, b),
                }]
            }
            "shift constant" => {
                let n = self.imm(types::I32, (k >> 8) as i64 & 127);
                self.each(a, |fb, a| match k % 3 {
                    0 => fb.ins().ishl(a[0], n),
                    1 => fb.ins().ushr(a[0], n),
                    _ => fb.ins().sshr(a[0], n),
                })
            }
            "bool" => vec![self.fb.ins().uextend(types::I32, a[0][0])],
            "flip" => {
                let one = self.imm(types::I8, 1);
                vec![self.fb.ins().bxor(a[0][0], one)]
            }
            "narrow" if !vector => {
                let small = if k.is_multiple_of(2) { types::I8 } else { types::I16 };
                let x = self.fb.ins().ireduce(small, a[0][0]);
                let n = self.imm(types::I32, (k >> 4) as i64 & 31);
                let x = match k >> 10 & 3 {
                    0 => self.fb.ins().ushr(x, n),
                    1 => self.fb.ins().sshr(x, n),
                    2 => self.fb.ins().iadd(x, x),
                    _ => x,
                };
                vec![if k >> 12 & 1 == 0 {
                    self.fb.ins().uextend(out, x)
                } else {
                    self.fb.ins().sextend(out, x)
                }]
            }
            "uextend" => vec![self.fb.ins().uextend(out, a[0][0])],
            "sextend" => vec![self.fb.ins().sextend(out, a[0][0])],
            "ireduce" => vec![self.fb.ins().ireduce(out, a[0][0])],
            "fpromote" => vec![self.fb.ins().fpromote(out, a[0][0])],
            "fdemote" => vec![self.fb.ins().fdemote(out, a[0][0])],
            "icmp" => {
                let cc = INTS[k as usize % 10];
                self.each(a, |fb, a| fb.ins().icmp(cc, a[0], a[1]))
            }
            "icmp zero" => {
                let z = self.vector_const(out, &vec![0; out.bytes() as usize]);
                let cc = INTS[k as usize % 10];
                self.each(a, |fb, a| fb.ins().icmp(cc, a[0], z))
            }
            "fcmp" => {
                let cc = FLOATS[k as usize % 14];
                let split = vector && !self.native;
                self.each(a, |fb, a| match cc {
                    FloatCC::OrderedNotEqual if split => {
                        let (x, y) = (
                            fb.ins().fcmp(FloatCC::NotEqual, a[0], a[1]),
                            fb.ins().fcmp(FloatCC::Ordered, a[0], a[1]),
                        );
                        fb.ins().band(x, y)
                    }
                    FloatCC::UnorderedOrEqual if split => {
                        let (x, y) = (
                            fb.ins().fcmp(FloatCC::Equal, a[0], a[1]),
                            fb.ins().fcmp(FloatCC::Unordered, a[0], a[1]),
                        );
                        fb.ins().bor(x, y)
                    }
                    _ => fb.ins().fcmp(cc, a[0], a[1]),
                })
            }
            "min max" => self.each(a, |fb, a| {
                let c = match k % 2 {
                    0 => fb.ins().fcmp(FloatCC::LessThan, a[0], a[1]),
                    _ => fb.ins().fcmp(FloatCC::LessThan, a[1], a[0]),
                };
                if vector {
                    let c = fb.ins().bitcast(out, le(), c);
                    fb.ins().bitselect(c, a[0], a[1])
                } else {
                    fb.ins().select(c, a[0], a[1])
                }
            }),
            "round" => self.each(a, |fb, a| match k % 4 {
                0 => fb.ins().floor(a[0]),
                1 => fb.ins().ceil(a[0]),
                2 => fb.ins().trunc(a[0]),
                _ => fb.ins().nearest(a[0]),
            }),
            "fma neg" => self.each(a, |fb, a| {
                let x = if k & 1 != 0 { fb.ins().fneg(a[0]) } else { a[0] };
                let y = if k & 2 != 0 { fb.ins().fneg(a[1]) } else { a[1] };
                let z = if k & 4 != 0 { fb.ins().fneg(a[2]) } else { a[2] };
                fb.ins().fma(x, y, z)
            }),
            "fcvt_from_sint" => self.each(a, |fb, a| fb.ins().fcvt_from_sint(out, a[0])),
            "fcvt_from_uint" => self.each(a, |fb, a| fb.ins().fcvt_from_uint(out, a[0])),
            "fcvt_to_sint_sat" => self.each(a, |fb, a| fb.ins().fcvt_to_sint_sat(out, a[0])),
            "fcvt_to_uint_sat" => self.each(a, |fb, a| fb.ins().fcvt_to_uint_sat(out, a[0])),
            "cvtt2dq" => self.each(a, |fb, a| fb.ins().x86_cvtt2dq(out, a[0])),
            "blend" => self.each(a, |fb, a| {
                let t = fb.func.dfg.value_type(a[1]);
                let mask = fb.func.dfg.value_type(a[0]);
                if k.is_multiple_of(2) || mask.lane_bits() != 32 {
                    let c = if mask == t { a[0] } else { fb.ins().bitcast(t, le(), a[0]) };
                    return fb.ins().bitselect(c, a[1], a[2]);
                }
                if mask == t {
                    return fb.ins().blendv(a[0], a[1], a[2]);
                }
                let (x, y) = (fb.ins().bitcast(mask, le(), a[1]), fb.ins().bitcast(mask, le(), a[2]));
                let r = fb.ins().blendv(a[0], x, y);
                fb.ins().bitcast(t, le(), r)
            }),
            "fma kept" => self.each(a, |fb, a| {
                let t = fb.func.dfg.value_type(a[1]);
                let x = if k & 1 != 0 { fb.ins().fneg(a[1]) } else { a[1] };
                let r = fb.ins().fma(x, a[2], a[3]);
                let c = fb.ins().bitcast(t, le(), a[0]);
                fb.ins().bitselect(c, r, a[1 + (k >> 4) as usize % 3])
            }),
            "compare within" => self.each(a, |fb, a| {
                let m = if fb.func.dfg.value_type(a[1]).lane_type().is_float() {
                    // Cranelift does not support the other conditions for vectors.
                    fb.ins().fcmp(
                        FLOATS[[0, 1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13][(k >> 1) as usize % 12]],
                        a[1],
                        a[2],
                    )
                } else {
                    fb.ins().icmp(INTS[(k >> 1) as usize % 10], a[1], a[2])
                };
                let m = if k >> 6 & 1 == 0 { m } else { fb.ins().bnot(m) };
                if k.is_multiple_of(2) { fb.ins().band(a[0], m) } else { fb.ins().band(m, a[0]) }
            }),
            "blend zero" => {
                let z = self.vector_const(out, &vec![0; out.bytes() as usize]);
                self.each(a, |fb, a| fb.ins().bitselect(a[0], a[1], z))
            }
            "vany_true" | "vall_true" => {
                let any = row.name == "vany_true";
                let mut all: Option<Value> = None;
                for &x in &a[0] {
                    let x = if any { self.fb.ins().vany_true(x) } else { self.fb.ins().vall_true(x) };
                    all = Some(match all {
                        None => x,
                        Some(y) if any => self.fb.ins().bor(x, y),
                        Some(y) => self.fb.ins().band(x, y),
                    });
                }
                all.into_iter().collect()
            }
            "vhigh_bits" if self.native => vec![self.fb.ins().vhigh_bits(out, a[0][0])],
            "vhigh_bits" => {
                let mut all: Option<Value> = None;
                for (i, &x) in a[0].iter().enumerate() {
                    let lanes = self.fb.func.dfg.value_type(x).lane_count() as i64;
                    let mut x = self.fb.ins().vhigh_bits(types::I32, x);
                    if out == types::I64 {
                        x = self.fb.ins().uextend(out, x);
                    }
                    let n = self.imm(types::I32, lanes * i as i64);
                    let x = self.fb.ins().ishl(x, n);
                    all = Some(all.map_or(x, |y| self.fb.ins().bor(x, y)));
                }
                all.into_iter().collect()
            }
            _ => self.lane_op(row.name, row.args, row.out, a, k),
        }
    }
}
