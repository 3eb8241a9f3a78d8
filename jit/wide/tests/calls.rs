//! Calling conventions and the stack frame: arguments, registers that a call changes or preserves, large frames.
//!
//! Leaves the rules of single instructions to `units.rs`.

#![cfg(all(target_arch = "x86_64", unix))]
#![expect(unsafe_code, reason = "calls generated code")]

#[path = "support/mod.rs"]
mod support;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, StackSlotData, StackSlotKind, Value, types};
use cranelift_codegen::isa::CallConv;
use quadrille_wide::Level;
use support::{Code, compiled, flags, function};

#[test]
fn eight_arguments_of_the_system_v_convention() {
    let params = [types::I64; 8];
    let f = function(CallConv::SystemV, &params, |fb, p| {
        let mut all = p[0];
        for (i, &x) in p.iter().enumerate().skip(1) {
            let k = fb.ins().iconst(types::I64, i as i64 + 1);
            let x = fb.ins().imul(x, k);
            all = fb.ins().iadd(all, x);
        }
        vec![all]
    });
    for level in support::levels() {
        let code = Code::new(&compiled(&f, level).bytes);
        type F = extern "sysv64" fn(i64, i64, i64, i64, i64, i64, i64, i64) -> i64;
        // SAFETY: the code was compiled with this signature, and `code` keeps it mapped during the calls.
        let f: F = unsafe { std::mem::transmute(code.address()) };
        assert_eq!(f(1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000), 87_654_321);
    }
}

#[test]
fn arguments_and_calls_of_the_windows_convention() {
    extern "win64" fn callee(a: i64, b: f64, c: i64, d: f64, e: i64, f: f64) -> f64 {
        a as f64 + 10.0 * b + 100.0 * c as f64 + 1000.0 * d + 10_000.0 * e as f64 + 100_000.0 * f
    }
    let params = [types::I64, types::F64, types::I64, types::F64, types::I64, types::F64];
    let f = function(CallConv::WindowsFastcall, &params, |fb, p| {
        let mut sig = Signature::new(CallConv::WindowsFastcall);
        sig.params = params.iter().map(|&t| AbiParam::new(t)).collect();
        sig.returns.push(AbiParam::new(types::F64));
        let sig = fb.import_signature(sig);
        let g = fb.ins().iconst(types::I64, callee as *const () as i64);
        let call = fb.ins().call_indirect(sig, g, p);
        let r = fb.inst_results(call)[0];
        // Use many registers, among them callee-saved ones.
        let mut all = vec![r];
        for i in 0..14 {
            let k = fb.ins().f64const(f64::from(i));
            let x = fb.ins().fadd(p[1], k);
            all.push(x);
        }
        let mut sum = all[0];
        for &x in all[1..].iter().rev() {
            sum = fb.ins().fadd(sum, x);
        }
        vec![sum]
    });
    for level in support::levels() {
        let code = Code::new(&compiled(&f, level).bytes);
        type F = extern "win64" fn(i64, f64, i64, f64, i64, f64) -> f64;
        // SAFETY: the code was compiled with this signature, and `code` keeps it mapped during the calls.
        let f: F = unsafe { std::mem::transmute(code.address()) };
        let keep: Vec<f64> = (0..12).map(|i| std::hint::black_box(f64::from(i))).collect();
        assert_eq!(f(1, 2.0, 3.0 as i64, 4.0, 5, 6.0), 654_321.0 + 28.0 + 91.0);
        assert_eq!(keep.iter().sum::<f64>(), 66.0);
    }
}

/// Calls leave no vector and mask register, and few integer registers: all that is live over one goes through memory.
#[test]
fn values_live_over_a_call_are_spilled() {
    const VECTORS: usize = 40;
    const INTEGERS: usize = 20;
    extern "sysv64" fn callee() {}
    for (level, bits) in support::levels().into_iter().flat_map(|l| [128, 256, 512].map(|b| (l, b))) {
        if bits == 512 && level == Level::Avx2 {
            continue;
        }
        let n = bits as usize / 32;
        let ty = types::I32.by(n as u32).unwrap();
        let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
            let vectors: Vec<Value> =
                (0..VECTORS).map(|i| fb.ins().load(ty, flags(), p[0], (4 * n * i) as i32)).collect();
            let integers: Vec<Value> =
                (0..INTEGERS).map(|i| fb.ins().load(types::I64, flags(), p[0], 8 * i as i32)).collect();
            let masks: Vec<Value> =
                vectors.windows(2).map(|v| fb.ins().icmp(IntCC::SignedGreaterThan, v[0], v[1])).collect();
            let sig = fb.import_signature(Signature::new(CallConv::SystemV));
            let callee = fb.ins().iconst(types::I64, callee as *const () as i64);
            fb.ins().call_indirect(sig, callee, &[]);
            for (i, &mask) in masks.iter().enumerate() {
                // The larger of both.
                let v = fb.ins().bitselect(mask, vectors[i], vectors[i + 1]);
                fb.ins().store(flags(), v, p[0], (4 * n * (VECTORS + i)) as i32);
            }
            let mut sum = p[1];
            for &x in &integers {
                sum = fb.ins().imul(sum, p[2]);
                sum = fb.ins().iadd(sum, x);
            }
            vec![sum]
        });
        let code = compiled(&f, level);
        assert!(code.frame_bytes as usize >= 4 * n * VECTORS + 8 * (INTEGERS - 6), "{level:?} {bits}");
        let input: Vec<i32> =
            (0..(VECTORS * n) as i32).map(|i| i.wrapping_mul(0x9e37_79b9_u32 as i32)).collect();
        let mut memory: Vec<u8> = input.iter().flat_map(|w| w.to_le_bytes()).collect();
        let integers: Vec<i64> =
            memory.chunks(8).take(INTEGERS).map(|c| i64::from_le_bytes(c.try_into().unwrap())).collect();
        memory.resize(2 * memory.len(), 0);
        let sum = integers.iter().fold(3i64, |sum, &x| sum.wrapping_mul(5).wrapping_add(x));
        assert_eq!(Code::new(&code.bytes).call(&mut memory, 3, 5), sum, "{level:?} {bits}");
        let output = memory[4 * VECTORS * n..].chunks(4).map(|c| i32::from_le_bytes(c.try_into().unwrap()));
        let larger = input.iter().zip(&input[n..]).map(|(&a, &b)| a.max(b));
        assert!(output.take((VECTORS - 1) * n).eq(larger), "{level:?} {bits}");
    }
}

/// Vectors that a function passes on, without an instruction on them, keep all of their lanes.
#[test]
fn vectors_are_passed_on_whole() {
    for (level, bits) in support::levels().into_iter().flat_map(|l| [128, 256, 512].map(|b| (l, b))) {
        if bits == 512 && level == Level::Avx2 {
            continue;
        }
        let bytes = bits as i32 / 8;
        let ty = types::I32.by(bits / 32).unwrap();
        let second = function(CallConv::SystemV, &[ty; 2], |_, p| vec![p[1]]);
        let second = Code::new(&compiled(&second, level).bytes);
        let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
            let [x, y] = [0, bytes].map(|at| fb.ins().load(ty, flags(), p[0], at));
            let mut sig = Signature::new(CallConv::SystemV);
            sig.params = vec![AbiParam::new(ty); 2];
            sig.returns.push(AbiParam::new(ty));
            let sig = fb.import_signature(sig);
            let callee = fb.ins().iconst(types::I64, second.address() as i64);
            let call = fb.ins().call_indirect(sig, callee, &[x, y]);
            let v = fb.inst_results(call)[0];
            fb.ins().store(flags(), v, p[0], 0);
            vec![p[1]]
        });
        let mut memory: Vec<u8> = (1..=2 * bytes as u8).collect();
        let (_, want) = memory.split_at(bytes as usize);
        let want = want.to_vec();
        Code::new(&compiled(&f, level).bytes).call(&mut memory, 0, 0);
        assert_eq!(memory[..bytes as usize], want, "{level:?} {bits}");
    }
}

/// A call that preserves all registers leaves values where they are.
#[test]
fn values_live_over_a_preserving_call_stay_in_registers() {
    #[unsafe(naked)]
    extern "sysv64" fn callee(to: *mut u64, x: u64) {
        std::arch::naked_asm!("mov [rdi], rsi", "ret")
    }
    const VECTORS: i32 = 10;
    for (level, bits) in support::levels().into_iter().flat_map(|l| [256, 512].map(|b| (l, b))) {
        if bits == 512 && level == Level::Avx2 {
            continue;
        }
        let bytes = bits as i32 / 8;
        let ty = types::I32.by(bits / 32).unwrap();
        for conv in [CallConv::SystemV, CallConv::WindowsFastcall] {
            let f = function(conv, &[types::I64; 3], |fb, p| {
                let vectors: Vec<Value> =
                    (0..VECTORS).map(|i| fb.ins().load(ty, flags(), p[0], bytes * i)).collect();
                let mask = fb.ins().icmp(IntCC::SignedGreaterThan, vectors[0], vectors[1]);
                let mut sig = Signature::new(CallConv::PreserveAll);
                sig.params = vec![AbiParam::new(types::I64); 2];
                let sig = fb.import_signature(sig);
                let target = fb.ins().iconst(types::I64, callee as *const () as i64);
                fb.ins().call_indirect(sig, target, &[p[0], p[1]]);
                let larger = fb.ins().bitselect(mask, vectors[0], vectors[1]);
                fb.ins().store(flags(), larger, p[0], bytes);
                for (i, &v) in (2..).zip(&vectors[2..]) {
                    fb.ins().store(flags(), v, p[0], bytes * (VECTORS + 1 - i));
                }
                vec![fb.ins().iadd(p[1], p[2])]
            });
            let code = compiled(&f, level);
            assert_eq!(code.frame_bytes, 0, "{level:?} {bits} {conv}");
            let words = bytes as usize / 4;
            let row = |i: usize| (0..words).map(move |w| (1000 * i + w) as u32 ^ (w as u32 % 2 * 0xffff));
            let memory: Vec<u32> = (0..VECTORS as usize).flat_map(row).collect();
            let mut bytes: Vec<u8> = memory.iter().flat_map(|w| w.to_le_bytes()).collect();
            let code = Code::new(&code.bytes);
            let sum = match conv {
                CallConv::SystemV => code.call(&mut bytes, 3, 5),
                _ => {
                    // SAFETY: the code was compiled with this signature, and `code` keeps it mapped during the call.
                    let f: extern "win64" fn(*mut u8, i64, i64) -> i64 =
                        unsafe { std::mem::transmute(code.address()) };
                    f(bytes.as_mut_ptr(), 3, 5)
                }
            };
            assert_eq!(sum, 8, "{level:?} {bits} {conv}");
            let after: Vec<u32> =
                bytes.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
            assert_eq!(&after[..2], &[3, 0], "{level:?} {bits} {conv}");
            let larger: Vec<u32> = row(0).zip(row(1)).map(|(a, b)| a.max(b)).collect();
            assert_eq!(&after[words..2 * words], larger, "{level:?} {bits} {conv}");
            for i in 2..VECTORS as usize {
                let at = (VECTORS as usize + 1 - i) * words;
                assert!(after[at..at + words].iter().copied().eq(row(i)), "{level:?} {bits} {conv} {i}");
            }
        }
    }
}

#[test]
fn a_large_frame_is_touched_page_by_page() {
    let size = 3 << 16;
    let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
        let slot = fb.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, size, 6));
        let (low, high) = (
            fb.ins().stack_addr(types::I64, slot, 0),
            fb.ins().stack_addr(types::I64, slot, size as i32 - 64),
        );
        let v = fb.ins().load(types::I32X8, flags(), p[0], 0);
        fb.ins().store(flags(), v, low, 0);
        fb.ins().store(flags(), v, high, 0);
        let w = fb.ins().load(types::I32X8, flags(), high, 0);
        let (x, y) = (fb.ins().extractlane(w, 7), fb.ins().load(types::I32, flags(), low, 4));
        let x = fb.ins().iadd(x, y);
        let x = fb.ins().uextend(types::I64, x);
        let aligned = fb.ins().iconst(types::I64, 63);
        let off = fb.ins().band(low, aligned);
        let x = fb.ins().iadd(x, off);
        vec![x]
    });
    for level in support::levels() {
        let code = compiled(&f, level);
        assert!(code.frame_bytes >= size);
        let mut memory: Vec<u8> = (0..8u32).flat_map(|i| (i + 10).to_le_bytes()).collect();
        assert_eq!(Code::new(&code.bytes).call(&mut memory, 0, 0), 28);
    }
}
