//! Bits, lanes and intrinsics of random programs, and their lane-by-lane reference.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, StackSlotData, StackSlotKind, Value, types};
use cranelift_frontend::FunctionBuilder;
use quadrille_wide::intrinsics::Intrinsic;

use super::emit::{INPUT, Writer, flags, lane, le};
use super::plain::plain;
use super::program::Ty;

extern "C" fn through_half(x: f32) -> f32 {
    half::f16::from_f32(x).to_f32()
}

impl Writer<'_> {
    /// Emits operations on bits and lanes, and intrinsics; all other operations are one instruction per part.
    pub fn lane_op(&mut self, name: &str, args: &[Ty], to: Ty, a: &[Vec<Value>], k: u64) -> Vec<Value> {
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
            "signed field" => self.each(a, |fb, a| signed_field(fb, a[0], k)),
            "shift lanes" | "swizzle" | "shuffle bytes" | "permute" | "permute2" | "gather"
            | "load masked" | "store masked" | "half" | "truncate" | "mask bits" | "mask narrow"
            | "mask half" => {
                if self.native {
                    self.native_intrinsic(name, to, a, k)
                } else {
                    self.lanewise(name, to, a, k)
                }
            }
            _ => self.each(a, |fb, a| plain(fb, name, a, vector)),
        }
    }

    /// Replaces every NaN by the same one.
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

    /// The address at which masked accesses start.
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
            "shuffle bytes" => self.intrinsic(ShuffleBytes, &x, Some(out)),
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
                // Sign-extend back to 32 bits, and reinterpret as the expected type.
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

    /// The address of words in memory, one after another.
    fn on_stack(&mut self, words: &[Value]) -> Value {
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, 4 * words.len() as u32, 4);
        let slot = self.fb.create_sized_stack_slot(slot);
        let p = self.fb.ins().stack_addr(types::I64, slot, 0);
        for (i, &x) in words.iter().enumerate() {
            self.fb.ins().store(flags(), x, p, 4 * i as i32);
        }
        p
    }

    /// A word of four bytes, each of which an index selects from 16 bytes at `p + group`.
    fn shuffled_bytes(&mut self, p: Value, group: i64, index: Value) -> Value {
        let mut word = self.imm(types::I32, 0);
        for byte in 0..4 {
            let shift = self.imm(types::I32, 8 * byte);
            let i = self.fb.ins().ushr(index, shift);
            let (near, sign) = (self.masked(i, 15), self.masked(i, 128));
            let (near, group) = (self.fb.ins().uextend(types::I64, near), self.imm(types::I64, group));
            let at = self.fb.ins().iadd(p, group);
            let at = self.fb.ins().iadd(at, near);
            let x = self.fb.ins().uload8(types::I32, flags(), at, 0);
            let zero = self.imm(types::I32, 0);
            let x = self.fb.ins().select(sign, zero, x);
            let x = self.fb.ins().ishl(x, shift);
            word = self.fb.ins().bor(word, x);
        }
        word
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

    /// Emits the reference of intrinsics, lane by lane.
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
            "shuffle bytes" => {
                let p = self.on_stack(&l[0]);
                r = (0..n).map(|i| self.shuffled_bytes(p, i as i64 / 4 * 16, l[1][i])).collect();
            }
            "permute" | "permute2" => {
                let two = name == "permute2";
                let all: Vec<Value> =
                    if two { l[0].iter().chain(&l[1]).copied().collect() } else { l[0].clone() };
                let index = l[if two { 2 } else { 1 }].clone();
                let p = self.on_stack(&all);
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

/// Masks and shifts of a vector by amounts that `k` determines, and the extension of the sign of the low bits.
fn signed_field(fb: &mut FunctionBuilder, x: Value, k: u64) -> Value {
    let ty = fb.func.dfg.value_type(x);
    let mut y = x;
    for step in (0..3).map(|i| k >> (8 * i)) {
        let n = (step >> 2 & 31) as u32;
        let amount = fb.ins().iconst(types::I32, [i64::from(n), 8, 16][(step >> 5 & 7) as usize % 3]);
        y = match step & 3 {
            0 => {
                let mask: u32 = if n.is_multiple_of(2) { u32::MAX >> n } else { 0xff << (n & 24) };
                let mask = fb.ins().iconst(types::I32, i64::from(mask));
                let mask = fb.ins().splat(ty, mask);
                fb.ins().band(y, mask)
            }
            1 => fb.ins().ushr(y, amount),
            2 => fb.ins().sshr(y, amount),
            _ => fb.ins().ishl(y, amount),
        };
    }
    let amount = fb.ins().iconst(types::I32, [24, 16, 8, 29][(k >> 24) as usize & 3]);
    let up = fb.ins().ishl(y, amount);
    fb.ins().sshr(up, amount)
}
