//! Cases that random programs do not cover: calling conventions, frames, traps, refused functions, the instructions of
//! each level, and masks that stay in mask registers. Code is called by the convention of System V.

#![cfg(all(target_arch = "x86_64", unix))]
#![expect(unsafe_code, reason = "calls generated code")]

#[path = "random/mod.rs"]
mod random;
#[path = "support/mod.rs"]
mod support;

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    AbiParam, Endianness, ExtFuncData, ExternalName, Function, Inst, InstBuilder, MemFlagsData, Signature,
    StackSlotData, StackSlotKind, TrapCode, Type, UserExternalName, UserFuncName, Value, types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use quadrille_wide::intrinsics::Intrinsic;
use quadrille_wide::{Compiled, Compiler, Error, Level, Options, disassemble};
use support::Code;

fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

/// Builds a function of one block that returns the results of `body`.
fn function(
    conv: CallConv,
    params: &[Type],
    body: impl FnOnce(&mut FunctionBuilder, &[Value]) -> Vec<Value>,
) -> Function {
    let mut f = Function::with_name_signature(UserFuncName::user(0, 0), Signature::new(conv));
    f.signature.params = params.iter().map(|&t| AbiParam::new(t)).collect();
    let mut ctx = FunctionBuilderContext::new();
    let mut fb = FunctionBuilder::new(&mut f, &mut ctx);
    let entry = fb.create_block();
    fb.append_block_params_for_function_params(entry);
    fb.switch_to_block(entry);
    let params = fb.block_params(entry).to_vec();
    let out = body(&mut fb, &params);
    let returns = out.iter().map(|&v| AbiParam::new(fb.func.dfg.value_type(v))).collect();
    fb.func.signature.returns = returns;
    fb.ins().return_(&out);
    fb.seal_all_blocks();
    fb.finalize(support::cranelift().frontend_config());
    f
}

fn compiled(f: &Function, level: Level) -> Compiled {
    support::compile(f, level).unwrap_or_else(|e| panic!("{f}\n{e}"))
}

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

#[test]
fn names_are_relocations() {
    extern "C" fn twice(x: i64) -> i64 {
        2 * x
    }
    let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
        let mut sig = Signature::new(CallConv::SystemV);
        sig.params.push(AbiParam::new(types::I64));
        sig.returns.push(AbiParam::new(types::I64));
        let signature = fb.import_signature(sig);
        let name = fb.func.declare_imported_user_function(UserExternalName::new(7, 9));
        let data =
            ExtFuncData { name: ExternalName::user(name), signature, colocated: false, patchable: false };
        let g = fb.import_function(data);
        let once = fb.ins().call(g, &[p[1]]);
        let r = fb.inst_results(once)[0];
        let again = fb.ins().call(g, &[r]);
        vec![fb.inst_results(again)[0]]
    });
    for level in support::levels() {
        let mut code = compiled(&f, level);
        assert_eq!(code.relocs.len(), 1);
        let at = code.relocs[0].offset as usize;
        code.bytes[at..at + 8].copy_from_slice(&(twice as *const () as u64).to_le_bytes());
        assert_eq!(Code::new(&code.bytes).call(&mut [0; 64], 5, 0), 20);
    }
}

#[test]
fn traps_are_listed() {
    let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
        fb.ins().trapz(p[1], TrapCode::unwrap_user(3));
        vec![p[1]]
    });
    for level in support::levels() {
        let code = compiled(&f, level);
        let [(at, trap)] = code.traps[..] else { panic!("one trap") };
        assert_eq!(
            (trap, &code.bytes[at as usize..at as usize + 2]),
            (TrapCode::unwrap_user(3), &[0x0f, 0x0b][..])
        );
        assert_eq!(Code::new(&code.bytes).call(&mut [0; 64], 5, 0), 5);
    }
}

#[test]
fn what_has_no_rule_is_refused() {
    let fmin = |ty: Type| {
        function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
            let x = fb.ins().load(ty, flags(), p[0], 0);
            let y = fb.ins().fmin(x, x);
            fb.ins().store(flags(), y, p[0], 0);
            vec![p[1]]
        })
    };
    let error = |f: &Function, level| support::compile(f, level).err();
    assert!(matches!(error(&fmin(types::F32X8), Level::Avx2), Some(Error::Unsupported(..))));
    let wide = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
        let x = fb.ins().load(types::F32X16, flags(), p[0], 0);
        fb.ins().store(flags(), x, p[0], 64);
        vec![p[1]]
    });
    assert!(matches!(error(&wide, Level::Avx2), Some(Error::Unsupported(..))));
    assert!(error(&wide, Level::Avx512).is_none());
    let long = function(CallConv::SystemV, &[types::I128], |fb, p| vec![fb.ins().ireduce(types::I64, p[0])]);
    assert!(matches!(error(&long, Level::Avx2), Some(Error::Signature(_))));
}

fn intrinsic(fb: &mut FunctionBuilder, i: Intrinsic, args: &[Value], out: Type) -> Value {
    let call = intrinsic_call(fb, i, args, Some(out));
    fb.inst_results(call)[0]
}

fn intrinsic_call(fb: &mut FunctionBuilder, i: Intrinsic, args: &[Value], out: Option<Type>) -> Inst {
    let mut sig = Signature::new(CallConv::SystemV);
    sig.params = args.iter().map(|&a| AbiParam::new(fb.func.dfg.value_type(a))).collect();
    sig.returns = out.into_iter().map(AbiParam::new).collect();
    let signature = fb.import_signature(sig);
    let name = ExternalName::user(fb.func.declare_imported_user_function(i.name()));
    let f = fb.import_function(ExtFuncData { name, signature, colocated: true, patchable: false });
    fb.ins().call(f, args)
}

/// Indices from 2^31 on address memory above the base, or below it if they are signed.
#[test]
fn gathers_extend_their_indexes() {
    for (i, far) in [(Intrinsic::GatherUnsigned, 1i64 << 31), (Intrinsic::Gather, -(1 << 31))] {
        let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
            let away = fb.ins().iconst(types::I64, -far);
            let base = fb.ins().iadd(p[0], away);
            let index = fb.ins().load(types::I32X8, flags(), p[0], 64);
            let mask = fb.ins().icmp(IntCC::Equal, index, index);
            let (k, scale) = (fb.ins().iconst(types::I32, 7), fb.ins().iconst(types::I32, 0));
            let other = fb.ins().splat(types::I32X8, k);
            let v = intrinsic(fb, i, &[base, index, scale, mask, other], types::I32X8);
            fb.ins().store(flags(), v, p[0], 96);
            vec![p[1]]
        });
        for level in support::levels() {
            let words =
                (0..16u32).map(|i| 100 + i).chain([3, 0, 7, 1, 1, 2, 6, 5].map(|i| (1 << 31) + 4 * i));
            let mut memory: Vec<u8> = words.flat_map(u32::to_le_bytes).chain([0; 64]).collect();
            Code::new(&compiled(&f, level).bytes).call(&mut memory, 0, 0);
            let got: Vec<u32> =
                memory[96..128].chunks(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
            assert_eq!(got, [103, 100, 107, 101, 101, 102, 106, 105], "{i:?} {level:?}");
        }
    }
}

/// Small indices are scaled by the address; shifts that lose bits are not merged into it.
#[test]
fn gathers_scale_their_indexes() {
    // The index is `x >> right << left`, which the address shifts by `k`; `top` are the bits of x that are lost.
    for (right, left, k, top) in [
        (28, 2, 0, 0),
        (28, 1, 1, 0),
        (29, 0, 2, 0),
        (27, 5, 3, 0),
        (1, 2, 0, 1 << 31),
        (0, 3, 0, 7 << 29),
        (2, 3, 0, 1 << 31),
    ] {
        let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
            let x = fb.ins().load(types::I32X8, flags(), p[1], 0);
            let x = fb.ins().ushr_imm_u(x, right);
            let index = fb.ins().ishl_imm_u(x, left);
            let mask = fb.ins().icmp(IntCC::Equal, index, index);
            let (k, zero) = (fb.ins().iconst(types::I32, k), fb.ins().iconst(types::I32, 0));
            let other = fb.ins().splat(types::I32X8, zero);
            let v = intrinsic(fb, Intrinsic::GatherUnsigned, &[p[0], index, k, mask, other], types::I32X8);
            fb.ins().store(flags(), v, p[1], 32);
            vec![p[2]]
        });
        let xs: Vec<u32> = (0..8u32).map(|i| (i * 3 % 8) << right | top).collect();
        for level in support::levels() {
            let mut memory: Vec<u8> = (0..1024u32).flat_map(|i| (1000 + i).to_le_bytes()).collect();
            let mut own: Vec<u8> = xs.iter().flat_map(|x| x.to_le_bytes()).chain([0; 32]).collect();
            let address = own.as_mut_ptr() as i64;
            let want: Vec<u32> = xs
                .iter()
                .map(|&x| {
                    let at = (u64::from(x >> right << left) << k) as usize;
                    u32::from_le_bytes(memory[at..at + 4].try_into().unwrap())
                })
                .collect();
            Code::new(&compiled(&f, level).bytes).call(&mut memory, address, 0);
            let got: Vec<u32> =
                own[32..].chunks(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
            assert_eq!(got, want, "{right} {left} {k} {level:?}");
        }
    }
}

/// Products of signed bytes at the ends of their range are summed exactly, with the instruction for it and without.
#[test]
fn bytes_are_multiplied() {
    let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
        let a = fb.ins().load(types::I32X8, flags(), p[0], 0);
        let b = fb.ins().load(types::I32X8, flags(), p[0], 32);
        let v = intrinsic(fb, Intrinsic::DotBytes, &[a, b], types::I32X8);
        fb.ins().store(flags(), v, p[0], 64);
        vec![p[1]]
    });
    support::verify(&f);
    let values = [-128i8, 127, -1, 0, 1, 5, -77, 100];
    let bytes: Vec<i8> = (0..64).map(|i| values[(i * i / 3 + i / 32) % 8]).chain([0; 32]).collect();
    let want: Vec<i32> = (0..8)
        .map(|lane| (4 * lane..4 * lane + 4).map(|i| i32::from(bytes[i]) * i32::from(bytes[32 + i])).sum())
        .collect();
    for level in support::levels() {
        for vnni in [false, support::has_vnni(level)] {
            let code = Compiler::new().compile(&f, &Options { level, vnni, check: true }).expect("a rule");
            let mut memory: Vec<u8> = bytes.iter().map(|&b| b as u8).collect();
            Code::new(&code.bytes).call(&mut memory, 0, 0);
            let got: Vec<i32> =
                memory[64..].chunks(4).map(|c| i32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
            assert_eq!(got, want, "{level:?} {vnni}");
        }
    }
}

/// Lanes outside the mask are not accessed: their memory is unmapped.
#[test]
fn masked_accesses_stop_where_memory_ends() {
    let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
        let five = fb.ins().iconst(types::I32, 0b1_1111);
        let mask = intrinsic(fb, Intrinsic::MaskFromBits, &[five], types::I32X8);
        let nine = fb.ins().iconst(types::I32, 9);
        let other = fb.ins().splat(types::I32X8, nine);
        let v = intrinsic(fb, Intrinsic::LoadMasked, &[p[1], mask, other], types::I32X8);
        fb.ins().store(flags(), v, p[0], 0);
        vec![p[2]]
    });
    for level in support::levels() {
        let guarded = support::Guarded::new();
        let end = guarded.last(20);
        let mut memory = vec![1; 64];
        Code::new(&compiled(&f, level).bytes).call(&mut memory, end as i64, 0);
        let got: Vec<u32> =
            memory[..32].chunks(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
        assert_eq!(got, [0, 0, 0, 0, 0, 9, 9, 9], "{level:?}");
    }
}

/// A prefetch of memory that is there, of the end of a mapping and of no memory at all has no effect.
#[test]
fn prefetches_never_fault() {
    let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
        for at in [p[0], p[1]] {
            let ahead = fb.ins().iadd_imm_s(at, 64);
            let call = intrinsic_call(fb, Intrinsic::Prefetch, &[ahead], None);
            assert!(fb.func.dfg.inst_results(call).is_empty());
        }
        vec![p[2]]
    });
    for level in support::levels() {
        let guarded = support::Guarded::new();
        for address in [guarded.last(20) as i64, 0, -64] {
            let mut memory = vec![7; 64];
            let code = compiled(&f, level);
            assert_eq!(disassemble(&code.bytes).matches("prefetcht0").count(), 2, "{level:?}");
            Code::new(&code.bytes).call(&mut memory, address, 0);
            assert_eq!(memory, [7; 64]);
        }
    }
}

/// Every instruction decodes, and AVX2 code contains no AVX-512 instructions.
#[test]
fn levels_use_their_own_instructions() {
    use iced_x86::{Code as X86, Decoder, DecoderOptions};
    let isa = support::cranelift();
    let mut seen = 0;
    for seed in 0..40 {
        let p = random::of_seed(seed);
        let f = random::emit::write(&p, p.bits.min(256), true, isa.frontend_config());
        for level in [Level::Avx2, Level::Avx512] {
            let code = compiled(&f, level);
            for i in Decoder::with_ip(64, &code.bytes[..code.code_len], 0, DecoderOptions::NONE) {
                assert_ne!(
                    i.code(),
                    X86::INVALID,
                    "seed {seed} at {:x}\n{}",
                    i.ip(),
                    support::listing(&code)
                );
                let name = format!("{:?}", i.code());
                assert!(
                    level == Level::Avx512 || !name.starts_with("EVEX") && !name.contains("_kr"),
                    "{name}"
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 10_000, "{seen}");
}

/// Comparisons and a selection never leave mask registers: the second comparison is masked by the first, and the
/// selected sum is a masked addition.
#[test]
fn masks_stay_in_mask_registers() {
    let le = MemFlagsData::new().with_endianness(Endianness::Little);
    let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
        let [x, y, z] = [0, 64, 128].map(|at| fb.ins().load(types::F32X16, flags(), p[0], at));
        let (a, b) = (fb.ins().fcmp(FloatCC::LessThan, x, y), fb.ins().fcmp(FloatCC::GreaterThan, y, z));
        let m = fb.ins().band(a, b);
        let sum = fb.ins().fadd(x, z);
        let m = fb.ins().bitcast(types::F32X16, le, m);
        let r = fb.ins().bitselect(m, sum, x);
        fb.ins().store(flags(), r, p[0], 192);
        vec![p[1]]
    });
    let code = support::listing(&compiled(&f, Level::Avx512));
    let has = |what: &str| code.lines().filter(|l| l.contains(what)).count();
    assert_eq!((has("kandw"), has("vpmovm2d"), has("vpmovd2m")), (0, 0, 0), "{code}");
    assert_eq!(code.lines().filter(|l| l.contains("vcmp") && l.contains("{k")).count(), 1, "{code}");
    assert_eq!(code.lines().filter(|l| l.contains("vaddps") && l.contains("{k")).count(), 1, "{code}");
}

/// A multiply-add of some lanes, merged into one of its operands, is a single instruction.
#[test]
fn multiply_adds_of_some_lanes() {
    let le = MemFlagsData::new().with_endianness(Endianness::Little);
    for kept in 0..3 {
        let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
            let v = [0, 64, 128].map(|at| fb.ins().load(types::F32X16, flags(), p[0], at));
            let m = fb.ins().fcmp(FloatCC::LessThan, v[0], v[1]);
            let r = fb.ins().fma(v[0], v[1], v[2]);
            let m = fb.ins().bitcast(types::F32X16, le, m);
            let r = fb.ins().bitselect(m, r, v[kept]);
            fb.ins().store(flags(), r, p[0], 192);
            vec![p[1]]
        });
        let code = support::listing(&compiled(&f, Level::Avx512));
        let has = |what: &str| code.lines().filter(|l| l.contains(what) && l.contains("{k")).count();
        assert_eq!((has("vfmadd"), has("vpblendm")), (1, 0), "{code}");
    }
}

/// A constant becomes the last operand, in memory, and the complement of a comparison is a comparison.
#[test]
fn constants_are_operands() {
    let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
        let x = fb.ins().load(types::F32X16, flags(), p[0], 0);
        let [two, four] = [2.0, 4.0].map(|k| {
            let k = fb.ins().f32const(k);
            fb.ins().splat(types::F32X16, k)
        });
        let y = fb.ins().fmul(two, x);
        let y = fb.ins().fadd(two, y);
        let (a, b) = (fb.ins().fcmp(FloatCC::LessThan, x, y), fb.ins().fcmp(FloatCC::LessThan, four, y));
        let b = fb.ins().bnot(b);
        let m = fb.ins().band(a, b);
        let bits = fb.ins().vhigh_bits(types::I32, m);
        let r = fb.ins().uextend(types::I64, bits);
        vec![r]
    });
    let code = compiled(&f, Level::Avx512);
    let text = support::listing(&code);
    let has = |what: &str| text.lines().filter(|l| l.contains(what)).count();
    assert_eq!((has("{1to16}"), has("vbroadcastss"), has("knot") + has("kand")), (3, 0, 0), "{text}");
    if support::levels().contains(&Level::Avx512) {
        // x < 2 + 2 x, and not 4 < 2 + 2 x; NaN fulfils neither, so the complement does not matter.
        let lanes = [0.0, 1.0, 2.0, -3.0, f32::NAN, -1.0, 1.5, 0.5];
        let mut memory: Vec<u8> = lanes.iter().cycle().take(16).flat_map(|x: &f32| x.to_le_bytes()).collect();
        let want = lanes.iter().enumerate().fold(0, |m, (i, &x)| {
            let y = 2.0 + 2.0 * x;
            m | i64::from(x < y && y <= 4.0) << i
        });
        assert_eq!(Code::new(&code.bytes).call(&mut memory, 0, 0), want | want << 8);
    }
}

/// An atomic update whose old value is unused needs no loop.
#[test]
fn updates_without_an_old_value() {
    use cranelift_codegen::ir::AtomicRmwOp::*;
    for (op, name) in [(Add, "lock add"), (And, "lock and"), (Or, "lock or"), (Xor, "lock xor")] {
        let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
            fb.ins().atomic_rmw(types::I64, flags(), op, p[0], p[1]);
            vec![p[2]]
        });
        let code = compiled(&f, Level::Avx2);
        assert!(support::listing(&code).contains(name), "{}", support::listing(&code));
        let mut memory = 12u64.to_le_bytes().to_vec();
        Code::new(&code.bytes).call(&mut memory, 10, 0);
        let want = [12 + 10u64, 12 & 10, 12 | 10, 12 ^ 10]
            [[Add, And, Or, Xor].iter().position(|&o| o == op).unwrap()];
        assert_eq!(memory, want.to_le_bytes());
    }
}

/// Deep conditions, and conditions that share subexpressions repeatedly, cost no more than others.
#[test]
fn deep_conditions() {
    let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
        let mut c = fb.ins().icmp(IntCC::Equal, p[1], p[2]);
        let one = fb.ins().iconst(types::I8, 1);
        for _ in 0..100 {
            c = fb.ins().band(c, c);
        }
        for _ in 0..100_000 {
            c = fb.ins().bxor(c, one);
        }
        let r = fb.ins().select(c, p[1], p[2]);
        vec![r]
    });
    for level in support::levels() {
        let code = Compiler::new()
            .compile(&f, &Options { level, vnni: false, check: false })
            .expect("a rule for each");
        let code = Code::new(&code.bytes);
        assert_eq!((code.call(&mut [], 5, 5), code.call(&mut [], 5, 6)), (5, 6));
    }
}

/// The number of selection rules is known.
#[test]
fn rules_are_counted() {
    assert_eq!(quadrille_wide::rules(), 399);
}

/// Repeats `x = x * 0.5 + 0.25` `rounds` times in a loop with its exit test at the top, on a vector in memory.
fn repeated(rounds: i64) -> Function {
    function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
        let (head, body, exit) = (fb.create_block(), fb.create_block(), fb.create_block());
        let x = fb.append_block_param(head, types::F32X8);
        let i = fb.append_block_param(head, types::I32);
        let first = fb.ins().load(types::F32X8, flags(), p[0], 0);
        let zero = fb.ins().iconst(types::I32, 0);
        fb.ins().jump(head, &[first.into(), zero.into()]);
        fb.switch_to_block(head);
        let end = fb.ins().iconst(types::I32, rounds);
        let more = fb.ins().icmp(IntCC::SignedLessThan, i, end);
        fb.ins().brif(more, body, &[], exit, &[]);
        fb.switch_to_block(body);
        let [half, quarter] = [0.5, 0.25].map(|k| fb.ins().f32const(k));
        let [half, quarter] = [half, quarter].map(|k| fb.ins().splat(types::F32X8, k));
        let next = fb.ins().fma(x, half, quarter);
        let one = fb.ins().iconst(types::I32, 1);
        let i = fb.ins().iadd(i, one);
        fb.ins().jump(head, &[next.into(), i.into()]);
        fb.switch_to_block(exit);
        fb.ins().store(flags(), x, p[0], 32);
        vec![p[1]]
    })
}

/// A small loop keeps its constants in registers, and each iteration takes a single jump.
#[test]
fn loops_hold_constants_and_jump_once() {
    let f = repeated(10);
    for level in support::levels() {
        let compiled = compiled(&f, level);
        let code = support::listing(&compiled);
        let lines: Vec<&str> = code.lines().collect();
        let fused = lines.iter().position(|l| l.contains("vfmadd")).expect("a multiply-add");
        assert!(!lines[fused].contains('['), "{code}");
        let loads = lines[..fused].iter().filter(|l| l.contains("vbroadcastss")).count();
        assert_eq!(loads, 2, "{code}");
        // The only jump after the multiply-add is the test, which goes back to before the multiply-add.
        let hex = |t: &str| u64::from_str_radix(t.trim_end_matches('h'), 16).ok();
        let at = lines[fused].split_whitespace().next().and_then(hex);
        let goes_back = |l: &&&str| l.split_whitespace().last().and_then(hex) <= at;
        let jumps: Vec<_> = lines[fused..].iter().filter(|l| l.contains(" j")).collect();
        assert!(matches!(jumps[..], [l] if !l.contains("jmp") && goes_back(&l)), "{code}");
        let mut memory = [0u8; 64];
        memory[..32].copy_from_slice(&8f32.to_le_bytes().repeat(8));
        Code::new(&compiled.bytes).call(&mut memory, 0, 0);
        let want = (0..10).fold(8f32, |x, _| x * 0.5 + 0.25);
        assert_eq!(memory[32..], want.to_le_bytes().repeat(8), "{code}");
    }
}

/// Products with constants that shifts and additions can replace, and with similar constants.
#[test]
fn products_with_constants() {
    let numbers = [0, 1, 2, 3, 5, 6, 7, 8, 9, 31, 33, 1 << 31, (1 << 31) + 1, (1 << 31) - 1, u32::MAX];
    for k in numbers {
        let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
            let x = fb.ins().load(types::I32X8, flags(), p[0], 0);
            let k = fb.ins().iconst(types::I32, i64::from(k as i32));
            let k = fb.ins().splat(types::I32X8, k);
            let (left, right) = (fb.ins().imul(k, x), fb.ins().imul(x, k));
            let both = fb.ins().bor(left, right);
            fb.ins().store(flags(), both, p[0], 0);
            vec![p[1]]
        });
        for level in support::levels() {
            let words: [u32; 8] = std::array::from_fn(|i| 0x9e37_79b9u32.wrapping_mul(i as u32) >> i);
            let mut memory = words.map(u32::to_le_bytes).concat();
            Code::new(&compiled(&f, level).bytes).call(&mut memory, 0, 0);
            assert_eq!(memory, words.map(|x| x.wrapping_mul(k).to_le_bytes()).concat(), "{k} {level:?}");
        }
    }
}

/// Bits are tested for zero by a single instruction, also in the lanes of a mask.
#[test]
fn bits_are_tested_at_once() {
    let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
        let [x, y] = [0, 64].map(|at| fb.ins().load(types::I32X16, flags(), p[0], at));
        let zero = fb.ins().iconst(types::I32, 0);
        let zero = fb.ins().splat(types::I32X16, zero);
        let both = fb.ins().band(x, y);
        let none = fb.ins().icmp(IntCC::Equal, both, zero);
        let r = fb.ins().bitselect(none, x, y);
        fb.ins().store(flags(), r, p[0], 128);
        vec![p[1]]
    });
    if !support::levels().contains(&Level::Avx512) {
        return;
    }
    let code = compiled(&f, Level::Avx512);
    let text = support::listing(&code);
    assert!(text.contains("vptestnmd") && !text.contains("vpand") && !text.contains("vpcmp"), "{text}");
    let word = |i: usize| if i < 16 { 1u32 << i } else { 0x5555 << (i & 1) };
    let mut memory: Vec<u8> = (0..48).flat_map(|i| word(i).to_le_bytes()).collect();
    Code::new(&code.bytes).call(&mut memory, 0, 0);
    let want = |i: usize| if word(i) & word(i + 16) == 0 { word(i) } else { word(i + 16) };
    assert_eq!(memory[128..], (0..16).flat_map(|i| want(i).to_le_bytes()).collect::<Vec<u8>>());
}
