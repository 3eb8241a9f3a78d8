//! Compares generated code with the interpreter, on whole modules.
#![expect(unsafe_code, reason = "calls lane functions")]

mod random;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::*;
use crate::abi::{BindingLayout, Ctx, DESCRIPTOR_BYTES, Descriptor, MAX_SETS, PUSH_BYTES};
use crate::ir::{self, End, Imm, Node, Region, Stage, StageKind};
use crate::spirv::Module;
use crate::testing;

/// A dispatch; its buffers are bound to set 0, from binding 0 on.
struct Job<'a> {
    words: &'a [u32],
    buffers: Vec<Vec<u32>>,
    push: Vec<u32>,
    groups: [u32; 3],
}

fn layout(n: usize) -> Layout {
    let bindings = (0..n as u32).map(|b| BindingLayout::new(0, b, b * DESCRIPTOR_BYTES, 1)).collect();
    Layout { bindings }
}

/// Options for eight lanes, at the lowest CPU level.
fn options(layout: &Layout, tier: Tier) -> CompileOptions<'_> {
    CompileOptions { lanes: 8, tier, layout, cpu: CpuLevel::V2, image_ops: &NoImageOps, missing: false }
}

fn run(job: &Job, f: &LaneFn) -> Vec<Vec<u32>> {
    let (buffers, done) = run_until(job, f, &AtomicU32::new(0));
    assert_eq!(done, abi::DONE);
    buffers
}

/// Runs a job; returns the buffers and the result of the call.
fn run_until(job: &Job, f: &LaneFn, stop: &AtomicU32) -> (Vec<Vec<u32>>, u32) {
    let mut buffers: Vec<Vec<u32>> = job.buffers.clone();
    let sizes: Vec<u64> = buffers.iter().map(|b| 4 * b.len() as u64).collect();
    buffers.iter_mut().for_each(|b| b.resize(b.len() + 16, 0));
    let set: Vec<Descriptor> = buffers
        .iter_mut()
        .zip(&sizes)
        .map(|(b, &size)| Descriptor { ptr: b.as_mut_ptr() as u64, size })
        .collect();
    let mut push = [0u32; PUSH_BYTES / 4];
    push[..job.push.len()].copy_from_slice(&job.push);
    let meta = f.meta();
    let mut scratch = vec![[0u128; 4]; meta.scratch_bytes / 64 + 1];
    let mut shared = vec![[0u128; 4]; meta.shared_bytes / 64 + 1];
    let align = |v: &mut Vec<[u128; 4]>| v.as_mut_ptr().cast::<u8>();
    // SAFETY: `Ctx` has integer, float and raw pointer fields only, for which all zeros is valid.
    let mut ctx: Ctx = unsafe { std::mem::zeroed() };
    ctx.sets = [set.as_ptr().cast(); MAX_SETS];
    ctx.push = push.as_ptr().cast();
    ctx.stop = stop.as_ptr();
    ctx.scratch = align(&mut scratch);
    ctx.shared = align(&mut shared);
    ctx.num_workgroups = job.groups;
    // SAFETY: `ctx` points to `set`, `push`, `stop`, `scratch` and `shared`, which live to the end of this function and
    // have the sizes that `meta` and the layout require. The buffers of `set` have 64 bytes more than their sizes say.
    // No other thread uses any of them but `stop`, which is atomic.
    let r = unsafe { f.call(&mut ctx, 0, job.groups.iter().product()) };
    buffers.iter_mut().zip(&sizes).for_each(|(b, s)| b.truncate(*s as usize / 4));
    (buffers, r)
}

/// Compares all variants with the interpreter.
fn check(name: &str, job: &Job) {
    let module = Module::parse(job.words).unwrap();
    let shader = module.lower("main", Stage::Compute, &[]).unwrap();
    let layout = layout(job.buffers.len());
    for lanes in [8, 4, 16, 32] {
        if lanes != 8 && shader.observes_subgroup {
            continue;
        }
        let slow = crate::interp::build(Arc::new(shader.clone()), &layout, lanes, &NoImageOps).unwrap();
        let want = run(job, &slow);
        for tier in [Tier::First, Tier::Optimized] {
            for cpu in testing::cpu_levels() {
                let opts = CompileOptions { lanes, cpu, ..options(&layout, tier) };
                let f = compile(&shader, &opts).unwrap_or_else(|e| panic!("{name}: {e}"));
                let got = run(job, &f);
                for (k, (g, w)) in got.iter().zip(&want).enumerate() {
                    if let Some(i) = (0..g.len()).find(|&i| g[i] != w[i]) {
                        panic!(
                            "{name}: buffer {k}, word {i}: {:#x}, interpreter {:#x} (S = {lanes}, {tier:?}, {cpu:?})",
                            g[i], w[i]
                        );
                    }
                }
            }
        }
    }
}

/// Checks a module of `testdata` on arbitrary numbers.
fn check_text(name: &str, text: &str) {
    let words = crate::spirv::asm::assemble(text).unwrap();
    let buffers = vec![(0..256u32).map(|i| i.wrapping_mul(2_654_435_761) >> 7).collect(), vec![0; 256]];
    check(name, &Job { words: &words, buffers, push: Vec::new(), groups: [3, 1, 1] });
}

#[test]
fn divergent_control_flow() {
    check_text("divergent.comp", include_str!("testdata/divergent.spvasm"));
}

#[test]
fn barriers_in_a_loop() {
    check_text("barrier.comp", include_str!("testdata/barrier.spvasm"));
}

/// A loop counter's test must not disable the poll of the stop flag if a lane that fails the test may stay in the loop.
#[test]
fn long_loops_stop() {
    let words = crate::spirv::asm::assemble(include_str!("testdata/counted.spvasm")).unwrap();
    let shader = Module::parse(&words).unwrap().lower("main", Stage::Compute, &[]).unwrap();
    let layout = layout(1);
    let job = Job { words: &words, buffers: vec![vec![0]], push: Vec::new(), groups: [1, 1, 1] };
    for tier in [Tier::First, Tier::Optimized] {
        let opts = options(&layout, tier);
        let f = compile(&shader, &opts).unwrap();
        let stop = AtomicU32::new(0);
        std::thread::scope(|s| {
            s.spawn(|| {
                std::thread::sleep(std::time::Duration::from_millis(20));
                stop.store(1, Ordering::Relaxed);
            });
            assert_eq!(run_until(&job, &f, &stop).1, abi::STOPPED, "{tier:?}");
        });
    }
}

/// Generated code and the interpreter both verify claims. Neither finds a broken one with correct bounds; both find one
/// with halved bounds. The results are correct in any case.
#[test]
fn false_claims_are_seen() {
    let input: Vec<u32> = (0..20).map(|i| i + 100).collect();
    let jobs = [
        (include_str!("testdata/barrier.spvasm"), vec![(0..256).collect(), vec![0; 256]]),
        (include_str!("testdata/copy.spvasm"), vec![input, vec![0; 32]]),
    ];
    for (text, buffers) in jobs {
        let words = crate::spirv::asm::assemble(text).unwrap();
        let shader = Module::parse(&words).unwrap().lower("main", Stage::Compute, &[]).unwrap();
        let job = Job { words: &words, buffers, push: Vec::new(), groups: [2, 1, 1] };
        let layout = layout(job.buffers.len());
        let want =
            run(&job, &crate::interp::build(Arc::new(shader.clone()), &layout, 8, &NoImageOps).unwrap());
        for lies in [false, true] {
            let opts = options(&layout, Tier::Optimized);
            ledger::LIES.set(lies);
            let code = compile_checked(&shader, &opts);
            ledger::LIES.set(false);
            let code = code.unwrap();
            let claims = code.claims().unwrap();
            assert!(claims.dropped > 0 && !claims.list.is_empty());
            let slow = crate::interp::build_checked(claims, &layout, &NoImageOps).unwrap();
            for f in [&code, &slow] {
                let (got, end) = run_until(&job, f, &AtomicU32::new(0));
                assert_eq!(end, if lies { abi::BROKEN_CLAIM } else { abi::DONE });
                let text = f.broken_claim();
                assert_eq!(text.is_some(), lies);
                assert!(text.is_none_or(|t| t.contains("`main`, instruction ")), "{:?}", f.broken_claim());
                assert_eq!(got, want);
            }
        }
    }
}

#[test]
fn groups_that_nobody_sees_fill_the_widest_vectors() {
    let levels = testing::cpu_levels();
    let words = crate::spirv::asm::assemble(include_str!("testdata/copy.spvasm")).unwrap();
    let shader = Module::parse(&words).unwrap().lower("main", Stage::Compute, &[]).unwrap();
    let layout = layout(2);
    // Other processors than x86-64 have vectors of 128 bits at every level.
    let wide = [(CpuLevel::V3, "ymm"), (CpuLevel::V4, "zmm")];
    for (cpu, registers) in wide.into_iter().filter(|(cpu, _)| levels.contains(cpu) && cpu.wide().is_some()) {
        let opts = CompileOptions { cpu, ..options(&layout, Tier::Optimized) };
        let mut listing = Listing::default();
        let f = compile_listed(&shader, &opts, Some(&mut listing)).unwrap();
        assert!(listing.asm.contains(registers), "{cpu:?}:\n{}", listing.asm);
        assert_eq!(f.meta().lanes, 8);
    }
}

/// A module that copies with workgroups of this size, with these lines in place of the store.
fn copy_by(size: u32, lines: &str) -> Vec<u32> {
    let text = include_str!("testdata/copy.spvasm");
    let text = text.replace("LocalSize 16 1 1", &format!("LocalSize {size} 1 1"));
    let text = text.replace("OpStore %out_at %word", lines);
    let text = text.replace("%u0 = ", "%bool = OpTypeBool\n%u5 = OpConstant %uint 5\n%u2 = OpConstant %uint 2\n%u264 = OpConstant %uint 264\n%u0 = ");
    crate::spirv::asm::assemble(&text).unwrap()
}

/// Adjacent workgroups run as one loop where they are in range; results at the edges of buffers and at the ends of rows
/// do not change.
#[test]
fn workgroups_side_by_side() {
    for (size, words, groups) in [
        (16, 40, [5, 1, 1]),
        (16, 1000, [61, 2, 1]),
        (64, 1030, [17, 3, 2]),
        (64, 256, [4, 1, 1]),
        (64, 5000, [100, 1, 1]),
        (48, 0, [3, 1, 1]),
    ] {
        let buffers = vec![(0..words).map(|i| i ^ 0x55).collect(), vec![7; words as usize + 3]];
        let name = format!("{size} {words} {groups:?}");
        check(
            &name,
            &Job { words: &copy_by(size, "OpStore %out_at %word"), buffers, push: Vec::new(), groups },
        );
    }
}

/// Lines that store `x`: a loop over `k`, from 0 to a limit in steps of 5, steps it from the word to `x2` by the lines of the
/// body and of the continue construct.
fn in_a_loop(limit: &str, body: &str, next: &str) -> String {
    format!(
        "OpBranch %head
        %head = OpLabel
        %x = OpPhi %uint %word %start %x2 %next
        %k = OpPhi %uint %u0 %start %k2 %next
        OpLoopMerge %after %next None
        OpBranch %test
        %test = OpLabel
        %more = OpULessThan %bool %k {limit}
        OpBranchConditional %more %body %after
        %body = OpLabel
        {body}
        OpBranch %next
        %next = OpLabel
        {next}
        %k2 = OpIAdd %uint %k %u5
        OpBranch %head
        %after = OpLabel
        OpStore %out_at %x"
    )
}

/// Groups with more lanes than a 32-bit mask has bits call helpers in parts.
#[test]
fn groups_of_many_lanes_call_helpers_in_parts() {
    // A short loop with a dependency between iterations gets many vectors per value.
    let lines = &in_a_loop("%u5", "", "%x2 = OpIMul %uint %x %x");
    for words in [50u32, 100, 128] {
        let buffers = vec![(0..words).map(|i| i * 3).collect(), (0..words - 9).collect()];
        let name = format!("a chain of {words}");
        let (words, groups) = (&copy_by(64, lines), [2, 1, 1]);
        check(&name, &Job { words, buffers, push: Vec::new(), groups });
    }
}

/// No code is generated for memory whose base comes from no look-up; see `ir::provenance`.
#[test]
fn memory_without_a_look_up_gets_no_code() {
    let inst = |op: Op, args: &[u32], results: &[u32], imm: Imm| {
        let values = |list: &[u32]| list.iter().map(|&v| Value(v)).collect();
        Node::Inst(Inst { op, args: values(args), results: values(results), imm, src: Src::default() })
    };
    let of = |base: u32| Shader {
        values: vec![Ty::I64, Ty::I64, Ty::I64, Ty::I64, Ty::Buffer, Ty::I32],
        body: Region {
            nodes: vec![
                inst(Op::Const, &[], &[0], Imm::Bits(64)),
                inst(Op::AddressBuffer, &[0], &[1, 2], Imm::None),
                inst(Op::IAdd, &[1, 0], &[3], Imm::None),
                inst(Op::BufferAt, &[base, 2], &[4], Imm::None),
                inst(Op::Const, &[], &[5], Imm::Bits(0)),
                inst(
                    Op::StoreBuffer,
                    &[4, 5, 5],
                    &[],
                    Imm::Mem(ir::Mem { offset: 0, stride: 4, ordered: false }),
                ),
            ],
            end: End::Return,
        },
        writes_memory: true,
        ..Shader::empty(StageKind::Compute, "main")
    };
    let layout = layout(0);
    for tier in [Tier::First, Tier::Optimized] {
        compile_checked(&of(1), &options(&layout, tier)).unwrap_or_else(|e| panic!("{tier:?}: {e}"));
        for base in [0, 2, 3] {
            let refused = compile_checked(&of(base), &options(&layout, tier));
            assert!(
                matches!(&refused, Err(Error::Internal(e)) if e.contains("not those of one buffer")),
                "{base} {tier:?}"
            );
        }
    }
}

/// A load in a loop asks for memory ahead of it, even beyond the end of the buffer; a load outside of loops does not, nor does
/// one whose lanes read apart, unless the loop waits at barriers.
#[test]
fn loads_in_loops_prefetch() {
    let loads = |index: &str, wait: &str| {
        let body = format!(
            "{wait}
            %far = OpIAdd %uint {index} %k
            %far_at = OpAccessChain %ptr_word %in %u0 %far
            %far_word = OpLoad %uint %far_at"
        );
        let lines = in_a_loop("%len", &body, "%x2 = OpIAdd %uint %x %far_word");
        copy_by(64, &format!("%len = OpArrayLength %uint %in 0\n{lines}"))
    };
    let wait = "OpControlBarrier %u2 %u2 %u264";
    let modules = [
        ("a load in a loop", loads("%me", ""), true),
        ("a load in no loop", copy_by(64, "OpStore %out_at %word"), false),
        ("lanes apart", loads("%word", ""), false),
        ("lanes apart behind a barrier", loads("%word", wait), true),
    ];
    let (levels, layout) = (testing::cpu_levels(), layout(2));
    for (name, words, expected) in &modules {
        let buffers = vec![(0..100).map(|i| i * i).collect(), vec![0; 128]];
        check(name, &Job { words, buffers, push: Vec::new(), groups: [2, 1, 1] });
        for &cpu in levels.iter().filter(|cpu| cpu.wide().is_some()) {
            let shader = Module::parse(words).unwrap().lower("main", Stage::Compute, &[]).unwrap();
            let opts = CompileOptions { cpu, ..options(&layout, Tier::Optimized) };
            let mut listing = Listing::default();
            compile_listed(&shader, &opts, Some(&mut listing)).unwrap();
            assert_eq!(listing.asm.contains("prefetcht0"), *expected, "{name}, {cpu:?}:\n{}", listing.asm);
        }
    }
}

/// Loads whose indices differ by a small constant request the same lines once.
#[test]
fn loads_of_the_same_lines_prefetch_once() {
    let loads = |other: &str| {
        let body = format!(
            "%far = OpIAdd %uint %me %k
            %far_at = OpAccessChain %ptr_word %in %u0 %far
            %far_word = OpLoad %uint %far_at
            %other = OpIAdd %uint %far {other}
            %other_at = OpAccessChain %ptr_word %in %u0 %other
            %other_word = OpLoad %uint %other_at
            %both = OpIAdd %uint %far_word %other_word"
        );
        let lines = in_a_loop("%len", &body, "%x2 = OpIAdd %uint %x %both");
        copy_by(64, &format!("%len = OpArrayLength %uint %in 0\n{lines}"))
    };
    let (levels, layout) = (testing::cpu_levels(), layout(2));
    for cpu in levels.into_iter().filter(|cpu| cpu.wide().is_some()) {
        let [near, far] = ["%u2", "%u264"].map(|other| {
            let words = loads(other);
            let buffers = vec![(0..100).map(|i| i * i).collect(), vec![0; 128]];
            check(other, &Job { words: &words, buffers, push: Vec::new(), groups: [2, 1, 1] });
            let shader = Module::parse(&words).unwrap().lower("main", Stage::Compute, &[]).unwrap();
            let opts = CompileOptions { cpu, ..options(&layout, Tier::Optimized) };
            let mut listing = Listing::default();
            compile_listed(&shader, &opts, Some(&mut listing)).unwrap();
            listing.asm.matches("prefetcht0").count()
        });
        assert!(0 < near && near < far, "{cpu:?}: {near} and {far}");
    }
}

/// Of stores of several lanes that overlap, those of the last lane stay, whatever instruction stores them.
#[test]
fn stores_that_overlap_end_with_the_last_lane() {
    let words = crate::spirv::asm::assemble(include_str!("testdata/overlap.spvasm")).unwrap();
    let places: [fn(u32) -> u32; 4] = [|i| i, |i| 63 - i, |i| i * 7 % 64, |i| i / 3 * 2];
    for (k, place) in places.into_iter().enumerate() {
        // The last place is out of range in part.
        let buffers = vec![(0..64).map(place).collect(), vec![7; 64]];
        check(&format!("places {k}"), &Job { words: &words, buffers, push: Vec::new(), groups: [1, 1, 1] });
    }
}

/// A value that is used on one side of a barrier only is computed there; one that crosses it, each time a group is entered, and
/// so is what it is made of.
#[test]
fn values_that_cross_no_barrier_are_computed_at_their_place() {
    let lines = |second: &str| {
        format!(
            "%inner = OpIMul %uint %me %u5
            %product = OpIMul %uint %inner %me
            %mixed = OpBitwiseXor %uint %product %u5
            %first = OpIAdd %uint %word %mixed
            OpControlBarrier %u2 %u2 %u264
            %second = OpIAdd %uint %first {second}
            OpStore %out_at %second"
        )
    };
    let module = |second| {
        let lines = lines(second);
        let constants = "%u2 = OpConstant %uint 2\n%u264 = OpConstant %uint 264\n%main = OpFunction";
        let text = include_str!("testdata/copy.spvasm").replace("LocalSize 16 1 1", "LocalSize 64 1 1");
        let text = text.replace("OpStore %out_at %word", &lines).replace("%main = OpFunction", constants);
        let text = text.replace("%u0 = ", "%u5 = OpConstant %uint 5\n%u0 = ");
        crate::spirv::asm::assemble(&text).unwrap()
    };
    // Branches before the value is computed: those that lead to a group, and those in it.
    let branches = ["%mixed", "%u5"].map(|second| {
        let words = module(second);
        let buffers = vec![(0..100).map(|i| i * i).collect(), vec![0; 128]];
        check("a barrier", &Job { words: &words, buffers, push: Vec::new(), groups: [2, 1, 1] });
        let shader = Module::parse(&words).unwrap().lower("main", Stage::Compute, &[]).unwrap();
        let mut listing = Listing::default();
        compile_listed(&shader, &options(&layout(2), Tier::First), Some(&mut listing)).unwrap();
        let (before, _) = listing.clif.split_once("bxor").unwrap();
        before.matches("brif").count()
    });
    assert!(branches[0] < branches[1], "{branches:?}");
}

/// A quotient of numbers of the workgroup is computed once, though two paths and a remainder need it.
#[test]
fn quotients_are_shared_by_paths_and_remainders() {
    let body = "%groups = OpLoad %v3 %group
        %number = OpCompositeExtract %uint %groups 0
        %low = OpULessThan %bool %word %u9
        OpSelectionMerge %end None
        OpBranchConditional %low %one %other
        %one = OpLabel
        %above_1 = OpIAdd %uint %number %u9
        %below_1 = OpIAdd %uint %number %u1
        %rest_1 = OpUMod %uint %above_1 %below_1
        %all_1 = OpIMul %uint %rest_1 %me
        OpStore %out_at %all_1
        OpBranch %end
        %other = OpLabel
        %above_2 = OpIAdd %uint %number %u9
        %below_2 = OpIAdd %uint %number %u1
        %whole_2 = OpUDiv %uint %above_2 %below_2
        %all_2 = OpIAdd %uint %whole_2 %me
        OpStore %out_at %all_2
        OpBranch %end
        %end = OpLabel";
    let text = include_str!("testdata/copy.spvasm")
        .replace("\"main\" %id", "\"main\" %id %group")
        .replace("OpDecorate %id", "OpDecorate %group BuiltIn WorkgroupId\nOpDecorate %id")
        .replace("%u0 = ", "%bool = OpTypeBool\n%u1 = OpConstant %uint 1\n%u9 = OpConstant %uint 9\n%u0 = ")
        .replace("%id = OpVariable", "%group = OpVariable %ptr_in Input\n%id = OpVariable")
        .replace("OpStore %out_at %word", body);
    let words = crate::spirv::asm::assemble(&text).unwrap();
    let buffers = vec![(0..60).map(|i| i * 7 % 20).collect(), vec![0; 60]];
    check("quotients", &Job { words: &words, buffers, push: Vec::new(), groups: [4, 1, 1] });
    // The number of a workgroup is a remainder itself.
    let others = text.replace("OpUMod", "OpIMul").replace("OpUDiv", "OpIMul");
    let divisions = [words, crate::spirv::asm::assemble(&others).unwrap()].map(|words| {
        let shader = Module::parse(&words).unwrap().lower("main", Stage::Compute, &[]).unwrap();
        let mut listing = Listing::default();
        compile_listed(&shader, &options(&layout(2), Tier::Optimized), Some(&mut listing)).unwrap();
        listing.clif.matches("udiv").count()
    });
    assert_eq!(divisions[0], divisions[1] + 1);
}

/// Two paths load a half that is a signaling NaN: one copies all its bits, the other one makes it quiet.
#[test]
fn halves_that_are_copied_are_not_those_that_are_converted() {
    let copy = "%half_at_1 = OpAccessChain %ptr_push_half %push %i0
        %half_1 = OpLoad %half %half_at_1
        %copy_1 = OpBitcast %ushort %half_1
        %word_1 = OpUConvert %uint %copy_1
        %word_at_1 = OpAccessChain %ptr_word %copies %i0 %me
        OpStore %word_at_1 %word_1";
    let convert = "%half_at_2 = OpAccessChain %ptr_push_half %push %i0
        %half_2 = OpLoad %half %half_at_2
        %float_2 = OpFConvert %float %half_2
        %bits_2 = OpBitcast %uint %float_2
        %word_at_2 = OpAccessChain %ptr_word %floats %i0 %me
        OpStore %word_at_2 %bits_2";
    for [one, other] in [[copy, convert], [convert, copy]] {
        let text = include_str!("testdata/halves.spvasm").replace("; one", one).replace("; other", other);
        let words = crate::spirv::asm::assemble(&text).unwrap();
        let buffers = vec![vec![0; 32]; 2];
        check("halves", &Job { words: &words, buffers, push: vec![0x7d00], groups: [2, 1, 1] });
    }
}

/// In a workgroup of one group, barriers wait for nothing.
#[test]
fn workgroups_of_one_group_have_no_barriers() {
    let text = include_str!("testdata/barrier.spvasm").replace("LocalSize 12 3 1", "LocalSize 32 1 1");
    let text = text.replace("%19 = OpConstant %6 36", "%19 = OpConstant %6 32");
    let text = text.replace("%92 = OpConstant %6 35", "%92 = OpConstant %6 31");
    let text = text.replace("%102 = OpConstant %6 12", "%102 = OpConstant %6 32");
    let text = text.replace("%103 = OpConstant %6 3", "%103 = OpConstant %6 1");
    let words = crate::spirv::asm::assemble(&text).unwrap();
    for len in [128u32, 75] {
        let buffers = vec![(0..len).map(|i| i.wrapping_mul(2_654_435_761) >> 7).collect(), vec![0; 128]];
        check("barrier of 32", &Job { words: &words, buffers, push: Vec::new(), groups: [3, 1, 1] });
    }
}
