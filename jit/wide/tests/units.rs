//! Cases that random programs do not cover: traps, refused functions, the instructions of each level, and masks that stay in
//! mask registers. Code is called by the convention of System V. Leaves calls and frames to `calls.rs`.

#![cfg(all(target_arch = "x86_64", unix))]

#[path = "random/mod.rs"]
mod random;
#[path = "support/mod.rs"]
mod support;

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    AbiParam, Endianness, ExtFuncData, ExternalName, Function, InstBuilder, MemFlagsData, Signature,
    TrapCode, Type, UserExternalName, Value, types,
};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::FunctionBuilder;
use quadrille_wide::intrinsics::Intrinsic;
use quadrille_wide::{Compiler, Error, Level, Options, disassemble};
use support::{Code, compiled, flags, function, intrinsic, intrinsic_call};

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

/// A long sum of products changes its register after every fourth, so that the register allocator does not treat it as a whole.
#[test]
fn long_sums_change_registers() {
    let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
        let [x, y] = [0, 32].map(|at| fb.ins().load(types::F32X8, flags(), p[0], at));
        let sum = (0..12).fold(x, |sum, _| fb.ins().fma(x, y, sum));
        fb.ins().store(flags(), sum, p[0], 0);
        vec![p[1]]
    });
    for level in support::levels() {
        let mut memory = [1f32.to_le_bytes(), 2f32.to_le_bytes()].map(|x| x.repeat(8)).concat();
        let code = compiled(&f, level);
        assert_eq!(disassemble(&code.bytes).matches("vmovaps").count(), 3, "{level:?}");
        Code::new(&code.bytes).call(&mut memory, 0, 0);
        assert_eq!(memory[..32], 25f32.to_le_bytes().repeat(8), "{level:?}");
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

/// A vector that is split into fields and put together again is the vector itself; anything else is computed.
#[test]
fn fields_are_put_together() {
    type Build = fn(&mut FunctionBuilder, Value, Value) -> Value;
    fn part(fb: &mut FunctionBuilder, x: Value, right: i64, bits: u32, left: i64) -> Value {
        let (right, left) = (fb.ins().iconst(types::I32, right), fb.ins().iconst(types::I32, left));
        let x = fb.ins().ushr(x, right);
        let mask = fb.ins().iconst(types::I32, i64::from(bits));
        let mask = fb.ins().splat(types::I32X8, mask);
        let x = fb.ins().band(x, mask);
        fb.ins().ishl(x, left)
    }
    fn joined(fb: &mut FunctionBuilder, parts: &[Value]) -> Value {
        parts[1..].iter().fold(parts[0], |sum, &part| fb.ins().bor(sum, part))
    }
    type Expected = fn(u32, u32) -> u32;
    let cases: [(Build, Expected, bool); 6] = [
        (
            |fb, x, _| {
                let p = [part(fb, x, 0, 0xffff, 0), part(fb, x, 16, u32::MAX, 16)];
                joined(fb, &p)
            },
            |x, _| x,
            true,
        ),
        (
            |fb, x, _| {
                let p: Vec<Value> = (0..4).map(|k| part(fb, x, 8 * k, 0xff, 8 * k)).collect();
                joined(fb, &p)
            },
            |x, _| x,
            true,
        ),
        // A bit is missing.
        (
            |fb, x, _| {
                let p = [part(fb, x, 0, 0x7fff, 0), part(fb, x, 16, u32::MAX, 16)];
                joined(fb, &p)
            },
            |x, _| x & 0xffff_7fff,
            false,
        ),
        // Fields of two vectors.
        (
            |fb, x, y| {
                let p = [part(fb, x, 0, 0xffff, 0), part(fb, y, 16, u32::MAX, 16)];
                joined(fb, &p)
            },
            |x, y| x & 0xffff | y & 0xffff_0000,
            false,
        ),
        // Fields in other places.
        (
            |fb, x, _| {
                let p = [part(fb, x, 0, 0xffff, 16), part(fb, x, 16, 0xffff, 0)];
                joined(fb, &p)
            },
            |x, _| x.rotate_left(16),
            false,
        ),
        // Bits that a shift has dropped.
        (
            |fb, x, _| {
                let p = [part(fb, x, 8, u32::MAX, 8), part(fb, x, 8, 0xff, 0)];
                joined(fb, &p)
            },
            |x, _| x & 0xffff_ff00 | x >> 8 & 0xff,
            false,
        ),
    ];
    for level in support::levels() {
        for (case, (build, expected, whole)) in cases.iter().enumerate() {
            let f = function(CallConv::SystemV, &[types::I64; 3], |fb, p| {
                let [x, y] = [0, 32].map(|at| fb.ins().load(types::I32X8, flags(), p[0], at));
                let sum = build(fb, x, y);
                fb.ins().store(flags(), sum, p[0], 0);
                vec![p[1]]
            });
            let code = compiled(&f, level);
            let computes = support::listing(&code).contains("vpslld");
            assert_eq!(computes, !whole, "case {case}, {level:?}");
            let mut memory = [0u8; 64];
            for (k, byte) in memory.iter_mut().enumerate() {
                *byte = (k * 37 + 129) as u8;
            }
            let words = |m: &[u8; 64]| -> Vec<u32> {
                m.chunks(4).map(|w| u32::from_le_bytes(w.try_into().expect("four bytes"))).collect()
            };
            let before = words(&memory);
            Code::new(&code.bytes).call(&mut memory, 0, 0);
            let wanted: Vec<u32> = (0..8).map(|k| expected(before[k], before[k + 8])).collect();
            assert_eq!(words(&memory)[..8], wanted, "case {case}, {level:?}");
        }
    }
}
