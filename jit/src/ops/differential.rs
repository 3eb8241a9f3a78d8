//! Compares the code of `lower` with the result of `eval`, bit by bit, for every row. It covers every type, special and
//! pseudo-random operands, operands that are varying, uniform and constant, and every host level and lane count. All
//! NaNs count as equal.
#![expect(unsafe_code, reason = "calls kernels")]

use super::value::{to_f64, wrap};
use super::*;
use crate::cpu::{CpuLevel, Tier};
use crate::ir::op::Sig;
use crate::lane::{ICmp, build_kernel};

const INTS: [Ty; 4] = [Ty::I8, Ty::I16, Ty::I32, Ty::I64];
const FLOATS: [Ty; 3] = [Ty::F16, Ty::F32, Ty::F64];

/// Operand and result types that the signature of an operation allows.
pub(super) fn signatures(op: Op) -> Vec<(Vec<Ty>, Ty)> {
    let same = |tys: &[Ty], n: usize| tys.iter().map(|&t| (vec![t; n], t)).collect::<Vec<_>>();
    let test = |tys: &[Ty], n: usize| tys.iter().map(|&t| (vec![t; n], Ty::Bool)).collect::<Vec<_>>();
    let cross = |from: &[Ty], to: &[Ty]| {
        let pair = |&f: &Ty| to.iter().map(move |&t| (vec![f], t)).filter(|(f, t)| f[0] != *t);
        from.iter().flat_map(pair).collect::<Vec<_>>()
    };
    let bits = [&INTS[..], &[Ty::Bool]].concat();
    let numbers = [&INTS[..], &FLOATS[..]].concat();
    let all = [&numbers[..], &[Ty::Bool]].concat();
    match op.sig() {
        Sig::UnF if op == Op::QuantizeToF16 => same(&[Ty::F32], 1),
        Sig::UnF => same(&FLOATS, 1),
        Sig::BinF => same(&FLOATS, 2),
        Sig::TriF => same(&FLOATS, 3),
        Sig::TestF => test(&FLOATS, 1),
        Sig::CmpF => test(&FLOATS, 2),
        Sig::UnI => same(&INTS, 1),
        Sig::BinI => same(&INTS, 2),
        Sig::TriI => same(&INTS, 3),
        Sig::Shift => {
            INTS.iter().flat_map(|&t| [Ty::I8, Ty::I32, Ty::I64].map(|n| (vec![t, n], t))).collect()
        }
        Sig::Packed => vec![(vec![Ty::I32; 2], Ty::I32)],
        Sig::Extract => INTS.iter().map(|&t| (vec![t, Ty::I32, Ty::I32], t)).collect(),
        Sig::Insert => INTS.iter().map(|&t| (vec![t, t, Ty::I32, Ty::I32], t)).collect(),
        Sig::CmpI => test(&INTS, 2),
        Sig::UnBits => same(&bits, 1),
        Sig::BinBits => same(&bits, 2),
        Sig::Select => all.iter().map(|&t| (vec![Ty::Bool, t, t], t)).collect(),
        Sig::FToI => cross(&FLOATS, &INTS),
        Sig::IToF => cross(&INTS, &FLOATS),
        Sig::FToF => cross(&FLOATS, &FLOATS),
        Sig::IToI => cross(&INTS, &INTS),
        Sig::Bitcast => {
            let mut list = cross(&numbers, &numbers);
            list.retain(|(f, t)| f[0].bits() == t.bits());
            list
        }
        Sig::FI => FLOATS.iter().map(|&t| (vec![t, Ty::I32], t)).collect(),
        Sig::FToI32 => FLOATS.iter().map(|&t| (vec![t], Ty::I32)).collect(),
        Sig::Const | Sig::Free => vec![],
    }
}

/// SplitMix64 generator.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Occasionally a power of two, for which some operations have shorter forms.
    fn constant(&mut self, ty: Ty) -> u64 {
        if ty.is_int() && self.next() & 1 == 0 {
            return wrap(ty, 1 << (self.next() % u64::from(ty.bytes() * 8)));
        }
        self.operand(ty)
    }

    fn operand(&mut self, ty: Ty) -> u64 {
        let r = self.next();
        let kind = self.next() % 4;
        if ty == Ty::Bool {
            return r & 1;
        }
        if ty.is_int() {
            let special = [0, 1, 2, 3, 7, 31, 32, 33, u64::MAX, u64::MAX - 1, 1 << 63, !(1 << 63)];
            let w = ty.bytes() * 8;
            return match kind {
                0 => wrap(ty, special[(r % 12) as usize]),
                1 => wrap(ty, [1 << (w - 1), (1 << (w - 1)) - 1][(r & 1) as usize]),
                2 => wrap(ty, r % 64),
                _ => wrap(ty, r >> (r & 31)),
            };
        }
        let specials = [
            0.0,
            1.0,
            0.5,
            2.0,
            1.5,
            2.5,
            f64::INFINITY,
            f64::NAN,
            65504.0,
            65520.0,
            1e-7,
            6e-5,
            2147483648.0,
            4294967296.0,
            1e19,
            3e38,
            1e-40,
            1e-45,
            127.5,
            255.5,
            0.499_999_97,
        ];
        let sign = if self.next() & 1 == 0 { 1.0 } else { -1.0 };
        match kind {
            0 => value::from_f64(ty, sign * specials[(r % specials.len() as u64) as usize]),
            1 => value::from_f64(ty, sign * (r % 4096) as f64 / 256.0),
            2 => value::from_f64(ty, sign * (r as f64 / 1.8e19) * 100.0),
            _ => wrap(ty, r),
        }
    }
}

/// Form in which an operation receives an operand.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Varying,
    Uniform,
    Constant,
}

fn modes(n: usize) -> Vec<Vec<Mode>> {
    use Mode::*;
    match n {
        1 => vec![vec![Varying], vec![Uniform]],
        2 => vec![
            vec![Varying, Varying],
            vec![Uniform, Uniform],
            vec![Varying, Uniform],
            vec![Uniform, Varying],
            vec![Varying, Constant],
            vec![Constant, Varying],
            vec![Uniform, Constant],
        ],
        3 => vec![
            vec![Varying, Varying, Varying],
            vec![Uniform, Uniform, Uniform],
            vec![Varying, Constant, Constant],
            vec![Uniform, Varying, Uniform],
            vec![Varying, Uniform, Uniform],
        ],
        _ => vec![
            vec![Varying; 4],
            vec![Uniform; 4],
            vec![Varying, Varying, Constant, Constant],
            vec![Varying, Varying, Uniform, Uniform],
        ],
    }
}

// Offsets of rows of 32 64-bit lanes: operands, uniform operands, results.
const ROW: usize = 256;
const UNIFORMS: usize = 4;
const RESULTS: usize = 8;
const ROWS: usize = 16;

pub(super) fn wide_ty(ty: Ty) -> bool {
    ty.bytes() == 8
}

/// Converts memory words to a value; narrow types occupy 32-bit words.
pub(super) fn decode(b: &mut LaneBuilder, ty: Ty, raw: Lane) -> Lane {
    match ty {
        Ty::Bool => {
            let zero = b.i32(0);
            b.icmp(ICmp::Ne, raw, zero)
        }
        Ty::F16 => {
            let f = b.f16_bits_to_f32(raw);
            b.retype(f, ty)
        }
        _ if wide_ty(ty) => b.bitcast(raw, ty),
        Ty::F32 => b.bitcast(raw, ty),
        _ => b.retype(raw, ty),
    }
}

pub(super) fn encode(b: &mut LaneBuilder, value: Lane) -> Lane {
    match b.ty(value) {
        Ty::Bool => b.bool_to_i32(value),
        Ty::F16 => {
            let f = b.retype(value, Ty::F32);
            b.f32_to_f16_bits(f)
        }
        Ty::F32 => b.bitcast(value, Ty::I32),
        Ty::F64 => b.bitcast(value, Ty::I64),
        Ty::I64 => value,
        // No mask here: the operation must have normalized the high bits.
        _ => b.retype(value, Ty::I32),
    }
}

fn write(memory: &mut [u8], row: usize, lane: usize, ty: Ty, bits: u64) {
    let size = if wide_ty(ty) { 8 } else { 4 };
    let at = row * ROW + lane * size;
    memory[at..at + size].copy_from_slice(&bits.to_le_bytes()[..size]);
}

fn read(memory: &[u8], row: usize, lane: usize, ty: Ty) -> u64 {
    let size = if wide_ty(ty) { 8 } else { 4 };
    let mut bits = [0; 8];
    bits[..size].copy_from_slice(&memory[row * ROW + lane * size..][..size]);
    u64::from_le_bytes(bits)
}

fn same(ty: Ty, a: u64, b: u64) -> bool {
    a == b || ty.is_float() && to_f64(ty, a).is_nan() && to_f64(ty, b).is_nan()
}

fn check(op: Op, tys: &[Ty], result: Ty, lanes: u32, cpu: CpuLevel, tier: Tier) {
    let mut random = Random(op as u64 * 1000 + u64::from(lanes));
    let modes = modes(tys.len());
    let constants: Vec<Vec<u64>> =
        modes.iter().map(|_| tys.iter().map(|&t| random.constant(t)).collect()).collect();
    let kernel = build_kernel(lanes, cpu, tier, |b, arg| {
        for (m, (modes, constants)) in modes.iter().zip(&constants).enumerate() {
            let operands: Vec<Lane> = (0..tys.len())
                .map(|i| {
                    let raw = if wide_ty(tys[i]) { Ty::I64 } else { Ty::I32 };
                    match modes[i] {
                        Mode::Constant => b.bits(tys[i], constants[i]),
                        Mode::Varying => {
                            let raw = b.load_row(raw, arg, (i * ROW) as i32);
                            decode(b, tys[i], raw)
                        }
                        Mode::Uniform => {
                            let raw = b.load(raw, arg, ((UNIFORMS + i) * ROW) as i32);
                            decode(b, tys[i], raw)
                        }
                    }
                })
                .collect();
            let r = lower(b, op, result, &operands);
            assert_eq!(b.ty(r), result, "{} {tys:?}: type", op.name());
            let varies = modes.contains(&Mode::Varying);
            assert!(varies || b.is_uniform(r), "{} {tys:?} {modes:?}: uniformity", op.name());
            let r = encode(b, r);
            let r = b.splat(r);
            b.store_row(r, arg, ((RESULTS + m) * ROW) as i32);
        }
    })
    .unwrap_or_else(|e| panic!("{} {tys:?} -> {result:?}: {e}", op.name()));
    let mut memory = vec![0u8; ROWS * ROW];
    for _ in 0..12 {
        let values: Vec<Vec<u64>> =
            tys.iter().map(|&t| (0..lanes + 1).map(|_| random.operand(t)).collect()).collect();
        for (i, &ty) in tys.iter().enumerate() {
            for (lane, &bits) in values[i][..lanes as usize].iter().enumerate() {
                write(&mut memory, i, lane, ty, bits);
            }
            write(&mut memory, UNIFORMS + i, 0, ty, values[i][lanes as usize]);
        }
        // SAFETY: the kernel reads and writes rows below `ROWS` at its argument, all of which `memory` has.
        unsafe { (kernel.entry())(memory.as_mut_ptr().cast()) };
        for (m, modes) in modes.iter().enumerate() {
            for lane in 0..lanes as usize {
                let args: Vec<u64> = (0..tys.len())
                    .map(|i| match modes[i] {
                        Mode::Varying => values[i][lane],
                        Mode::Uniform => values[i][lanes as usize],
                        Mode::Constant => constants[m][i],
                    })
                    .collect();
                let want = eval(op, tys, result, &args);
                let got = read(&memory, RESULTS + m, lane, result);
                // A lane holds an f16 as a number, so the payload of a NaN is lost.
                let payload = op == Op::Bitcast && tys[0] == Ty::F16 && to_f64(tys[0], args[0]).is_nan();
                assert!(
                    same(result, got, want) || payload,
                    "{} {tys:?} -> {result:?} of {args:x?}: {got:x}, not {want:x} ({modes:?}, lane {lane} of \
                     {lanes}, {cpu:?}, {tier:?})",
                    op.name()
                );
            }
        }
    }
}

fn check_all(lanes: u32, cpu: CpuLevel, tier: Tier) {
    for &op in Op::ALL.iter().filter(|&&op| has_row(op)) {
        let signatures = signatures(op);
        assert!(!signatures.is_empty(), "{}", op.name());
        for (tys, result) in signatures {
            check(op, &tys, result, lanes, cpu, tier);
        }
    }
}

#[test]
fn eight_lanes_at_the_lowest_level() {
    check_all(8, CpuLevel::V2, Tier::First);
}

#[test]
fn eight_lanes_optimized() {
    check_all(8, CpuLevel::V3, Tier::Optimized);
}

#[test]
fn four_lanes() {
    check_all(4, CpuLevel::V4, Tier::First);
}

#[test]
fn sixteen_lanes() {
    check_all(16, CpuLevel::V2, Tier::Optimized);
}

#[test]
fn thirty_two_lanes() {
    check_all(32, CpuLevel::V4, Tier::Optimized);
}
