//! Writes a random program as CLIF: with vectors of its width and intrinsics, or, for the oracle, with several of
//! 128 bits and what those mean lane by lane.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    AbiParam, AtomicRmwOp, BlockArg, ConstantData, Endianness, ExtFuncData, ExternalName, Function,
    InstBuilder, JumpTableData, MemFlagsData, Signature, StackSlotData, StackSlotKind, Type, UserFuncName,
    Value, types,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use quadrille_wide::intrinsics::Intrinsic;

use super::program::{Node, Program, ROWS, Ty};
use crate::support::Random;

/// Bytes that programs read; behind them as many that they write, then their results.
pub const INPUT: i32 = 4096;
pub const OUTPUT: i32 = 8192;
/// Bytes of each result.
pub const RESULT: i32 = 64;

extern "C" fn mix(a: i64, b: i64) -> i64 {
    a.wrapping_mul(31) ^ b.rotate_left(7)
}

extern "C" fn through_half(x: f32) -> f32 {
    half::f16::from_f32(x).to_f32()
}

struct Writer<'a> {
    fb: FunctionBuilder<'a>,
    /// Vectors of 128 bits for each value, or one of this many bits.
    parts: usize,
    native: bool,
    bits: u32,
    memory: Value,
    values: Vec<Option<Vec<Value>>>,
}

fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}
fn le() -> MemFlagsData {
    MemFlagsData::new().with_endianness(Endianness::Little)
}

/// The element of a vector type.
fn lane(ty: Ty) -> Option<Type> {
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

/// `fn(memory, a, b) -> i64` of a program.
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
    fn get(&self, v: usize) -> Vec<Value> {
        self.values[v].clone().expect("a value before its use")
    }

    /// The type of one part.
    fn ty(&self, ty: Ty) -> Type {
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

    fn count(&self, ty: Ty) -> usize {
        if lane(ty).is_some() { self.parts } else { 1 }
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for n in nodes {
            match n {
                Node::Op { row, args, k, out } => {
                    let args: Vec<Vec<Value>> = args.iter().map(|&a| self.get(a)).collect();
                    let r = self.op(*row, &args, *k);
                    self.values[*out] = Some(r);
                }
                Node::If { cond, then, other, merged } => {
                    let (a, b, end) =
                        (self.fb.create_block(), self.fb.create_block(), self.fb.create_block());
                    if merged.len() % 2 == 1 {
                        self.fb.set_cold_block(b);
                    }
                    let c = self.get(*cond)[0];
                    self.fb.ins().brif(c, a, &[], b, &[]);
                    for (block, nodes, first) in [(a, then, true), (b, other, false)] {
                        self.fb.switch_to_block(block);
                        self.nodes(nodes);
                        let args: Vec<usize> = merged.iter().map(|m| if first { m.0 } else { m.1 }).collect();
                        let args = self.args(&args);
                        self.fb.ins().jump(end, &args);
                    }
                    self.fb.switch_to_block(end);
                    for m in merged {
                        self.params(end, m.0, m.2);
                    }
                }
                Node::Loop { rounds, body, carried } => self.repeat(*rounds, body, carried),
                Node::Switch { index, arms, merged } => self.switch(*index, arms, merged),
            }
        }
    }

    fn args(&self, values: &[usize]) -> Vec<BlockArg> {
        values.iter().flat_map(|&v| self.get(v)).map(BlockArg::Value).collect()
    }

    /// Parameters of a block for value `out`, as many as `like` has parts.
    fn params(&mut self, block: cranelift_codegen::ir::Block, like: usize, out: usize) {
        let types: Vec<Type> = self.get(like).iter().map(|&v| self.fb.func.dfg.value_type(v)).collect();
        let params = types.into_iter().map(|t| self.fb.append_block_param(block, t)).collect();
        self.values[out] = Some(params);
    }

    fn repeat(&mut self, rounds: u32, body: &[Node], carried: &[(usize, usize, usize)]) {
        let (head, inside, end) = (self.fb.create_block(), self.fb.create_block(), self.fb.create_block());
        let zero = self.fb.ins().iconst(types::I32, 0);
        let first: Vec<usize> = carried.iter().map(|c| c.0).collect();
        let mut args = self.args(&first);
        args.push(BlockArg::Value(zero));
        self.fb.ins().jump(head, &args);
        for c in carried {
            self.params(head, c.0, c.2);
        }
        let round = self.fb.append_block_param(head, types::I32);
        self.fb.switch_to_block(head);
        let last = self.fb.ins().iconst(types::I32, i64::from(rounds));
        let more = self.fb.ins().icmp(IntCC::UnsignedLessThan, round, last);
        self.fb.ins().brif(more, inside, &[], end, &[]);
        self.fb.switch_to_block(inside);
        self.nodes(body);
        let one = self.fb.ins().iconst(types::I32, 1);
        let next = self.fb.ins().iadd(round, one);
        let nexts: Vec<usize> = carried.iter().map(|c| c.1).collect();
        let mut args = self.args(&nexts);
        args.push(BlockArg::Value(next));
        self.fb.ins().jump(head, &args);
        self.fb.switch_to_block(end);
    }

    fn switch(&mut self, index: usize, arms: &[Vec<Node>], merged: &[(Vec<usize>, usize)]) {
        let blocks: Vec<_> = arms.iter().map(|_| self.fb.create_block()).collect();
        let end = self.fb.create_block();
        let pool = &mut self.fb.func.dfg.value_lists;
        let calls: Vec<_> =
            blocks.iter().map(|&b| cranelift_codegen::ir::BlockCall::new(b, [], pool)).collect();
        let table = self.fb.create_jump_table(JumpTableData::new(calls[0], &calls[1..]));
        let x = self.get(index)[0];
        let three = self.fb.ins().iconst(types::I32, 5);
        let x = self.fb.ins().band(x, three);
        self.fb.ins().br_table(x, table);
        for (i, nodes) in arms.iter().enumerate() {
            self.fb.switch_to_block(blocks[i]);
            self.nodes(nodes);
            let args: Vec<usize> = merged.iter().map(|m| m.0[i]).collect();
            let args = self.args(&args);
            self.fb.ins().jump(end, &args);
        }
        self.fb.switch_to_block(end);
        for m in merged {
            self.params(end, m.0[0], m.1);
        }
    }

    // Operations.

    /// One instruction for each part.
    fn each(&mut self, a: &[Vec<Value>], f: impl Fn(&mut FunctionBuilder, &[Value]) -> Value) -> Vec<Value> {
        let n = a.iter().map(|x| x.len()).max().unwrap_or(1);
        let part = |i: usize| a.iter().map(|x| x[i.min(x.len() - 1)]).collect::<Vec<Value>>();
        (0..n).map(|i| f(&mut self.fb, &part(i))).collect()
    }

    fn vector_const(&mut self, ty: Type, bytes: &[u8]) -> Value {
        let c = self.fb.func.dfg.constants.insert(ConstantData::from(bytes));
        self.fb.ins().vconst(ty, c)
    }

    /// The lanes of all parts.
    fn lanes(&mut self, parts: &[Value]) -> Vec<Value> {
        let mut out = Vec::new();
        for &p in parts {
            for i in 0..self.fb.func.dfg.value_type(p).lane_count() {
                out.push(self.fb.ins().extractlane(p, i as u8));
            }
        }
        out
    }

    /// Parts of lanes.
    fn from_lanes(&mut self, ty: Type, lanes: &[Value]) -> Vec<Value> {
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

    fn intrinsic(&mut self, i: Intrinsic, args: &[Value], out: Option<Type>) -> Vec<Value> {
        let mut sig = Signature::new(CallConv::SystemV);
        sig.params = args.iter().map(|&a| AbiParam::new(self.fb.func.dfg.value_type(a))).collect();
        sig.returns.extend(out.map(AbiParam::new));
        let signature = self.fb.import_signature(sig);
        let name = ExternalName::user(self.fb.func.declare_imported_user_function(i.name()));
        let f = self.fb.import_function(ExtFuncData { name, signature, colocated: true, patchable: false });
        let call = self.fb.ins().call(f, args);
        self.fb.inst_results(call).to_vec()
    }

    fn call(&mut self, f: usize, args: &[Value], out: Type) -> Value {
        let mut sig = Signature::new(CallConv::SystemV);
        sig.params = args.iter().map(|&a| AbiParam::new(self.fb.func.dfg.value_type(a))).collect();
        sig.returns.push(AbiParam::new(out));
        let sig = self.fb.import_signature(sig);
        let f = self.fb.ins().iconst(types::I64, f as i64);
        let call = self.fb.ins().call_indirect(sig, f, args);
        self.fb.inst_results(call)[0]
    }

    fn imm(&mut self, ty: Type, k: i64) -> Value {
        self.fb.ins().iconst(ty, k)
    }

    /// `x & mask`.
    fn masked(&mut self, x: Value, mask: i64) -> Value {
        let t = self.fb.func.dfg.value_type(x);
        let m = self.imm(t, mask);
        self.fb.ins().band(x, m)
    }

    fn op(&mut self, row: usize, a: &[Vec<Value>], k: u64) -> Vec<Value> {
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
                    2 => 1.5f32.to_le_bytes().repeat(n / 4),
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

    /// Bits, lanes, intrinsics; what is left is one instruction for each part.
    fn lane_op(&mut self, name: &str, args: &[Ty], to: Ty, a: &[Vec<Value>], k: u64) -> Vec<Value> {
        let out = self.ty(to);
        let vector = lane(to).is_some();
        match name {
            "bits" => {
                let float = matches!(args[0], Ty::F32 | Ty::F64 | Ty::Vf32 | Ty::Vf64);
                let canonical = if float { self.canonical(&a[0]) } else { a[0].clone() };
                let same = self.fb.func.dfg.value_type(canonical[0]) == out;
                if same {
                    canonical
                } else {
                    self.each(&[canonical], |fb, a| fb.ins().bitcast(out, le(), a[0]))
                }
            }
            "splat" => {
                let v = self.fb.ins().splat(out, a[0][0]);
                vec![v; self.parts]
            }
            "splat narrow" => {
                let x = self.fb.ins().ireduce(out.lane_type(), a[0][0]);
                let v = self.fb.ins().splat(out, x);
                vec![v; self.parts]
            }
            "extractlane" | "extractlane narrow" => {
                let n = self.fb.func.dfg.value_type(a[0][0]).lane_count() as usize;
                let i = k as usize % (n * a[0].len());
                let x = self.fb.ins().extractlane(a[0][i / n], (i % n) as u8);
                vec![if name == "extractlane" { x } else { self.fb.ins().uextend(out, x) }]
            }
            "insertlane" | "insertlane narrow" => {
                let n = out.lane_count() as usize;
                let i = k as usize % (n * a[0].len());
                let x = if name == "insertlane" {
                    a[1][0]
                } else {
                    self.fb.ins().ireduce(out.lane_type(), a[1][0])
                };
                let mut v = a[0].clone();
                v[i / n] = self.fb.ins().insertlane(v[i / n], x, (i % n) as u8);
                v
            }
            "scalar_to_vector" => {
                let mut v = vec![self.fb.ins().scalar_to_vector(out, a[0][0])];
                while v.len() < self.parts {
                    v.push(self.vector_const(out, &[0; 16]));
                }
                v
            }
            "widen" => {
                let (high, signed) = (k & 1 != 0, k & 2 != 0);
                let widen = |fb: &mut FunctionBuilder, x: Value, high: bool| match (signed, high) {
                    (false, false) => fb.ins().uwiden_low(x),
                    (false, true) => fb.ins().uwiden_high(x),
                    (true, false) => fb.ins().swiden_low(x),
                    (true, true) => fb.ins().swiden_high(x),
                };
                if self.parts == 1 {
                    return vec![widen(&mut self.fb, a[0][0], high)];
                }
                let from = if high { self.parts } else { 0 };
                (from..from + self.parts).map(|j| widen(&mut self.fb, a[0][j / 2], j % 2 == 1)).collect()
            }
            "narrow" => {
                let both: Vec<Value> = a[0].iter().chain(&a[1]).copied().collect();
                let pairs: Vec<(Value, Value)> = both.chunks(2).map(|c| (c[0], c[1])).collect();
                pairs
                    .into_iter()
                    .map(|(x, y)| {
                        if k.is_multiple_of(2) {
                            self.fb.ins().snarrow(x, y)
                        } else {
                            self.fb.ins().unarrow(x, y)
                        }
                    })
                    .collect()
            }
            "shift lanes" | "swizzle" | "permute" | "permute2" | "gather" | "load masked"
            | "store masked" | "half" | "truncate" | "mask bits" | "mask narrow" | "mask half" => {
                if self.native {
                    self.native_intrinsic(name, to, a, k)
                } else {
                    self.lanewise(name, to, a, k)
                }
            }
            _ => self.each(a, |fb, a| plain(fb, name, a, vector)),
        }
    }

    /// Every NaN the same one.
    fn canonical(&mut self, a: &[Value]) -> Vec<Value> {
        let t = self.fb.func.dfg.value_type(a[0]);
        let nan = match (t.lane_type(), t.is_vector()) {
            (types::F32, false) => self.fb.ins().f32const(f32::NAN),
            (types::F64, false) => self.fb.ins().f64const(f64::NAN),
            (types::F32, true) => {
                self.vector_const(t, &f32::NAN.to_le_bytes().repeat(t.bytes() as usize / 4))
            }
            _ => self.vector_const(t, &f64::NAN.to_le_bytes().repeat(t.bytes() as usize / 8)),
        };
        self.each(&[a.to_vec()], |fb, a| {
            let c = fb.ins().fcmp(FloatCC::Unordered, a[0], a[0]);
            if t.is_vector() {
                let c = fb.ins().bitcast(t, le(), c);
                fb.ins().bitselect(c, nan, a[0])
            } else {
                fb.ins().select(c, nan, a[0])
            }
        })
    }

    /// The address that masked accesses begin at.
    fn scratch(&mut self, k: u64) -> Value {
        let at = self.imm(types::I64, i64::from(INPUT) + 1024 + (k % 1024) as i64);
        self.fb.ins().iadd(self.memory, at)
    }

    fn native_intrinsic(&mut self, name: &str, to: Ty, a: &[Vec<Value>], k: u64) -> Vec<Value> {
        use Intrinsic::*;
        let out = self.ty(to);
        let x = a.iter().map(|v| v[0]).collect::<Vec<Value>>();
        match name {
            "shift lanes" => {
                let wide = to == Ty::V64;
                let n = out.bytes() as usize / out.lane_type().bytes() as usize;
                let most =
                    [63u64.to_le_bytes().to_vec(), 127u64.to_le_bytes().to_vec()][usize::from(wide)].clone();
                let most = most[..out.lane_type().bytes() as usize].repeat(n);
                let m = self.vector_const(out, &most);
                let n = self.fb.ins().band(x[1], m);
                let i = [ShlLanes, UshrLanes, SshrLanes][k as usize % if wide { 2 } else { 3 }];
                self.intrinsic(i, &[x[0], n], Some(out))
            }
            "swizzle" => {
                let n = self.imm(types::I32, k as i64 & 255);
                self.intrinsic(SwizzleQuads, &[x[0], n], Some(out))
            }
            "permute" => self.intrinsic(Permute, &x, Some(out)),
            "permute2" => self.intrinsic(Permute2, &x, Some(out)),
            "gather" => {
                let i = self.gather_index(x[0], k);
                let n = self.imm(types::I32, (k >> 8) as i64 & 3);
                let base = self.gather_base(k);
                let which = if k >> 12 & 1 == 0 { Gather } else { GatherUnsigned };
                self.intrinsic(which, &[base, i, n, x[1], x[2]], Some(out))
            }
            "load masked" => {
                let p = self.scratch(k);
                let other = match k >> 20 & 1 {
                    0 => x[1],
                    _ => self.vector_const(out, &vec![0; out.bytes() as usize]),
                };
                self.intrinsic(LoadMasked, &[p, x[0], other], Some(out))
            }
            "store masked" => {
                let p = self.scratch(k);
                self.intrinsic(StoreMasked, &[p, x[0], x[1]], None);
                vec![self.fb.ins().load(types::I32, flags(), p, 0)]
            }
            "half" => {
                let bits = types::I16.by((out.lane_count()).max(8)).expect("halves");
                let h = self.intrinsic(F32ToF16, &x, Some(bits));
                self.intrinsic(F16ToF32, &h, Some(out))
            }
            "truncate" => {
                let n = self.bits / 32;
                let narrow = out.lane_type();
                let small = narrow.by(n.max(128 / narrow.bits())).expect("a vector");
                let t = self.intrinsic(Truncate, &x, Some(small));
                // Sign-extended back to 32 bits, and looked at as what it should be.
                let back = types::I32.by(n).expect("a vector");
                let w = self.intrinsic(
                    if k.is_multiple_of(2) { WidenSigned } else { WidenUnsigned },
                    &t,
                    Some(back),
                );
                vec![self.fb.ins().bitcast(out, le(), w[0])]
            }
            "mask bits" => self.intrinsic(MaskFromBits, &x, Some(out)),
            "mask narrow" => self.intrinsic(MaskNarrow, &x, Some(out)),
            _ => self.intrinsic(if k.is_multiple_of(2) { MaskLow } else { MaskHigh }, &x, Some(out)),
        }
    }

    fn gather_index(&mut self, x: Value, _k: u64) -> Value {
        let t = self.fb.func.dfg.value_type(x);
        let m = self.vector_const(t, &127u32.to_le_bytes().repeat(t.bytes() as usize / 4));
        self.fb.ins().band(x, m)
    }
    fn gather_base(&mut self, k: u64) -> Value {
        let at = self.imm(types::I64, (k >> 16) as i64 & 1023);
        self.fb.ins().iadd(self.memory, at)
    }

    /// What intrinsics mean, one lane after the other.
    fn lanewise(&mut self, name: &str, to: Ty, a: &[Vec<Value>], k: u64) -> Vec<Value> {
        let out = self.ty(to);
        let n = self.bits as usize / out.lane_bits() as usize;
        let l: Vec<Vec<Value>> =
            a.iter().map(|v| if lane_of(self, v[0]) { self.lanes(v) } else { v.clone() }).collect();
        let mut r = Vec::new();
        match name {
            "shift lanes" => {
                let bits = i64::from(out.lane_bits());
                let t = out.lane_type();
                for i in 0..n {
                    let x = l[0][i];
                    let s = self.masked(l[1][i], 2 * bits - 1);
                    let (zero, width, last) = (self.imm(t, 0), self.imm(t, bits), self.imm(t, bits - 1));
                    let over = self.fb.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, s, width);
                    r.push(match k as usize % if to == Ty::V64 { 2 } else { 3 } {
                        0 => {
                            let y = self.fb.ins().ishl(x, s);
                            self.fb.ins().select(over, zero, y)
                        }
                        1 => {
                            let y = self.fb.ins().ushr(x, s);
                            self.fb.ins().select(over, zero, y)
                        }
                        _ => {
                            let s = self.fb.ins().select(over, last, s);
                            self.fb.ins().sshr(x, s)
                        }
                    });
                }
            }
            "swizzle" => r = (0..n).map(|i| l[0][i / 4 * 4 + (k as usize >> (2 * (i % 4)) & 3)]).collect(),
            "permute" | "permute2" => {
                let two = name == "permute2";
                let all: Vec<Value> =
                    if two { l[0].iter().chain(&l[1]).copied().collect() } else { l[0].clone() };
                let index = l[if two { 2 } else { 1 }].clone();
                let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, 4 * all.len() as u32, 4);
                let slot = self.fb.create_sized_stack_slot(slot);
                let p = self.fb.ins().stack_addr(types::I64, slot, 0);
                for (i, &x) in all.iter().enumerate() {
                    self.fb.ins().store(flags(), x, p, 4 * i as i32);
                }
                for i in 0..n {
                    let j = self.masked(index[i], all.len() as i64 - 1);
                    let j = self.fb.ins().uextend(types::I64, j);
                    let two = self.imm(types::I64, 2);
                    let j = self.fb.ins().ishl(j, two);
                    let at = self.fb.ins().iadd(p, j);
                    r.push(self.fb.ins().load(types::I32, flags(), at, 0));
                }
            }
            "gather" => {
                let base = self.gather_base(k);
                for i in 0..n {
                    let x = self.masked(l[0][i], 127);
                    let x = self.fb.ins().uextend(types::I64, x);
                    let s = self.imm(types::I64, (k >> 8) as i64 & 3);
                    let x = self.fb.ins().ishl(x, s);
                    let p = self.fb.ins().iadd(base, x);
                    let v = self.fb.ins().load(types::F32, flags(), p, 0);
                    r.push(self.fb.ins().select(l[1][i], v, l[2][i]));
                }
            }
            "load masked" => {
                let p = self.scratch(k);
                let zero = self.imm(types::I32, 0);
                for i in 0..n {
                    let v = self.fb.ins().load(types::I32, flags(), p, 4 * i as i32);
                    let other = if k >> 20 & 1 == 0 { l[1][i] } else { zero };
                    r.push(self.fb.ins().select(l[0][i], v, other));
                }
            }
            "store masked" => {
                let p = self.scratch(k);
                for i in 0..self.bits as usize / 32 {
                    let v = self.fb.ins().load(types::I32, flags(), p, 4 * i as i32);
                    let v = self.fb.ins().select(l[0][i], l[1][i], v);
                    self.fb.ins().store(flags(), v, p, 4 * i as i32);
                }
                return vec![self.fb.ins().load(types::I32, flags(), p, 0)];
            }
            "half" => {
                for i in 0..n {
                    let f = through_half as extern "C" fn(f32) -> f32 as usize;
                    r.push(self.call(f, &[l[0][i]], types::F32));
                }
            }
            "truncate" => {
                let t = types::I32X4;
                let mut words = Vec::new();
                for &x in &l[0] {
                    let y = self.fb.ins().ireduce(out.lane_type(), x);
                    words.push(match k % 2 {
                        0 => self.fb.ins().sextend(types::I32, y),
                        _ => self.fb.ins().uextend(types::I32, y),
                    });
                }
                let parts = self.from_lanes(t, &words);
                return parts.into_iter().map(|p| self.fb.ins().bitcast(out, le(), p)).collect();
            }
            "mask bits" => {
                for i in 0..n {
                    let s = self.imm(types::I32, i as i64);
                    let b = self.fb.ins().ushr(a[0][0], s);
                    let b = self.masked(b, 1);
                    r.push(self.fb.ins().ineg(b));
                }
            }
            "mask narrow" => {
                let both: Vec<Value> = l[0].iter().chain(&l[1]).copied().collect();
                r = both.into_iter().map(|x| self.fb.ins().ireduce(types::I32, x)).collect();
            }
            _ => {
                let from = if k.is_multiple_of(2) { 0 } else { n };
                r = (from..from + n).map(|i| self.fb.ins().sextend(types::I64, l[0][i])).collect();
            }
        }
        self.from_lanes(out, &r)
    }
}

fn lane_of(w: &Writer, v: Value) -> bool {
    w.fb.func.dfg.value_type(v).is_vector()
}

/// An operation that CLIF has under its own name.
fn plain(fb: &mut FunctionBuilder, name: &str, a: &[Value], _vector: bool) -> Value {
    match name {
        "iadd" => fb.ins().iadd(a[0], a[1]),
        "isub" => fb.ins().isub(a[0], a[1]),
        "imul" => fb.ins().imul(a[0], a[1]),
        "band" => fb.ins().band(a[0], a[1]),
        "bor" => fb.ins().bor(a[0], a[1]),
        "bxor" => fb.ins().bxor(a[0], a[1]),
        "bnot" => fb.ins().bnot(a[0]),
        "ineg" => fb.ins().ineg(a[0]),
        "iabs" => fb.ins().iabs(a[0]),
        "ishl" => fb.ins().ishl(a[0], a[1]),
        "ushr" => fb.ins().ushr(a[0], a[1]),
        "sshr" => fb.ins().sshr(a[0], a[1]),
        "rotl" => fb.ins().rotl(a[0], a[1]),
        "rotr" => fb.ins().rotr(a[0], a[1]),
        "smin" => fb.ins().smin(a[0], a[1]),
        "smax" => fb.ins().smax(a[0], a[1]),
        "umin" => fb.ins().umin(a[0], a[1]),
        "umax" => fb.ins().umax(a[0], a[1]),
        "umulhi" => fb.ins().umulhi(a[0], a[1]),
        "smulhi" => fb.ins().smulhi(a[0], a[1]),
        "clz" => fb.ins().clz(a[0]),
        "ctz" => fb.ins().ctz(a[0]),
        "popcnt" => fb.ins().popcnt(a[0]),
        "select" => fb.ins().select(a[0], a[1], a[2]),
        "bitselect" => fb.ins().bitselect(a[0], a[1], a[2]),
        "fadd" => fb.ins().fadd(a[0], a[1]),
        "fsub" => fb.ins().fsub(a[0], a[1]),
        "fmul" => fb.ins().fmul(a[0], a[1]),
        "fdiv" => fb.ins().fdiv(a[0], a[1]),
        "fma" => fb.ins().fma(a[0], a[1], a[2]),
        "sqrt" => fb.ins().sqrt(a[0]),
        "fneg" => fb.ins().fneg(a[0]),
        "fabs" => fb.ins().fabs(a[0]),
        _ => panic!("an operation without a meaning: {name}"),
    }
}

/// Bits that are often special floats or integers.
pub fn hard(r: &mut Random) -> u64 {
    let (a, b) = (r.next(), r.next());
    u64::from(hard32(a).to_bits()) | u64::from(hard32(b).to_bits()) << 32
}

fn hard32(k: u64) -> f32 {
    const SPECIAL: [u32; 16] = [
        0,
        0x8000_0000,
        0x3f80_0000,
        0xbf80_0000,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0000,
        0x4f00_0000,
        0x4f80_0000,
        0xcf00_0000,
        1,
        0x7f7f_ffff,
        0x3f00_0000,
        0x3fc0_0000,
        0xffff_ffff,
        0x0080_0000,
    ];
    let bits = (k >> 8) as u32;
    f32::from_bits(match k % 8 {
        0 | 1 => SPECIAL[bits as usize % 16],
        2 | 3 => bits,
        // Of moderate size.
        4 | 5 => (bits & 0x807f_ffff) | (112 + bits % 31) << 23,
        6 => bits & 0xff,
        _ => (bits % 2048).wrapping_sub(1024),
    })
}
