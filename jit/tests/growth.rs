//! Large modules: the size of every form grows in proportion to the source, all variants give the same results, and
//! compilation ends in time. Modules that would grow faster are refused with the name of a limit.

mod ways;

use std::time::Duration;

use quadrille_jit::abi::{BindingLayout, Layout};
use quadrille_jit::call::LaneFn;
use quadrille_jit::codegen::{self, CompileOptions, Listing, NoImageOps};
use quadrille_jit::ir::{Shader, Stage};
use quadrille_jit::spirv::Module;
use quadrille_jit::{CpuLevel, Error, Tier, budget, env, ir, passes};
use ways::parts::{Parts, lines};

/// Maximum CPU time of a shape on a slow machine: a guard against hangs, not a measurement.
const HANG: Duration = Duration::from_secs(60);

/// Size of the large shapes: a quarter, or all of it with `QUADRILLE_VARIANTS=all`.
fn size(whole: usize) -> usize {
    if env::is_on(env::VARIANTS) { whole } else { whole / 4 }
}

fn cpu_time() -> Duration {
    quadrille_jit::sys::clock::thread_cpu()
}

/// Text of a module with 8 invocations: `%y` is the element `%x` (the invocation number) of the buffer at `%at`.
fn text(p: &Parts) -> String {
    let names = "OpDecorate %buf DescriptorSet 0
OpDecorate %buf Binding 0
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %rt ArrayStride 4\n";
    let types = "%rt = OpTypeRuntimeArray %u32
%block = OpTypeStruct %rt
%pblock = OpTypePointer StorageBuffer %block
%pu = OpTypePointer StorageBuffer %u32
%buf = OpVariable %pblock StorageBuffer\n";
    let body = "%at = OpAccessChain %pu %buf %c0 %x\n%y = OpLoad %u32 %at\n";
    let whole = Parts {
        names: names.to_owned() + &p.names,
        types: types.to_owned() + &p.types,
        locals: p.locals.clone(),
        body: body.to_owned() + &p.body,
        functions: p.functions.clone(),
        ..Parts::default()
    };
    whole.text(8)
}

fn constants(n: usize) -> String {
    lines(n, |i| format!("%k{i} = OpConstant %u32 {}", 1000 + i))
}

/// Copies an array of `n` numbers, with a store and a load between the copies.
fn big_copy(n: usize) -> Parts {
    Parts {
        types: format!(
            "%n = OpConstant %u32 {n}\n%arr = OpTypeArray %u32 %n\n%parr = OpTypePointer Function %arr\n\
             %null = OpConstantNull %arr\n"
        ),
        locals: "%ax = OpVariable %parr Function %null\n%ay = OpVariable %parr Function\n".into(),
        body: "%px = OpAccessChain %pfun %ax %y\nOpStore %px %y\n%l1 = OpLoad %arr %ax\nOpStore %ay %l1\n\
               %py = OpAccessChain %pfun %ay %x\nOpStore %py %c1\n%l2 = OpLoad %arr %ay\nOpStore %ax %l2\n\
               %r1 = OpLoad %u32 %px\n%e1 = OpCompositeExtract %u32 %l1 3\n%r2 = OpIAdd %u32 %r1 %e1\n\
               %qx = OpAccessChain %pfun %ax %x\n%r3 = OpLoad %u32 %qx\n%r4 = OpIMul %u32 %r2 %r3\n\
               OpStore %at %r4\n"
            .into(),
        ..Parts::default()
    }
}

/// A module whose decoration groups apply `decorations` decorations to `targets` ids, with one instruction per 60,000
/// ids.
fn grouped(decorations: u32, targets: u32) -> Vec<u32> {
    let mut words = vec![0x0723_0203, 0x10300, 0, 0x3f_ffff, 0];
    let mut op = |code: u32, operands: &[u32]| {
        words.push((operands.len() as u32 + 1) << 16 | code);
        words.extend(operands);
    };
    let (main, group) = (u32::from_le_bytes(*b"main"), 10);
    op(17, &[1]);
    op(14, &[0, 1]);
    op(15, &[5, 1, main, 0]);
    op(16, &[1, 17, 1, 1, 1]);
    // Decoration DescriptorSet.
    (0..decorations).for_each(|i| op(71, &[group, 34, i]));
    op(73, &[group]);
    let all: Vec<u32> = (100..100 + targets).collect();
    for part in all.chunks(60_000) {
        op(74, &[&[group], part].concat());
    }
    op(19, &[2]);
    op(33, &[3, 2]);
    op(54, &[2, 1, 0, 3]);
    op(248, &[4]);
    op(253, &[]);
    op(56, &[]);
    words
}

#[test]
fn groups_decorate_in_proportion_to_the_module() {
    // 9.6 MB of words that request 600 million decorations of 8 bytes.
    let error = Module::parse(&grouped(250, 2_400_000)).unwrap_err();
    assert!(matches!(&error, Error::Limit(what) if what.contains("groups")), "{error}");
    // Any distribution is accepted up to the number of words, and a small module may use the whole fixed allowance.
    for (decorations, targets) in [(4, 200_000), (250, 200), (1, 60_000)] {
        Module::parse(&grouped(decorations, targets)).unwrap_or_else(|e| panic!("{decorations}: {e}"));
    }
}

/// A sum of `n` loads.
fn additions(n: usize) -> Parts {
    let mut body = "%s0 = OpIAdd %u32 %y %y\n".to_owned();
    body += &lines(n, |i| {
        format!(
            "%p{i} = OpAccessChain %pu %buf %c0 %x\n%l{i} = OpLoad %u32 %p{i}\n%s{} = OpIAdd %u32 %s{i} %l{i}",
            i + 1
        )
    });
    body += &format!("OpStore %at %s{n}\n");
    Parts { body, ..Parts::default() }
}

/// A switch with `n` targets; case `i` stores `1000 + i`, and the default stores 1. `literals` returns the literals of
/// case `i`.
fn switch(n: usize, literals: impl Fn(usize) -> Vec<u32>) -> Parts {
    let pairs: String =
        (0..n).flat_map(|i| literals(i).into_iter().map(move |l| format!(" {l} %t{i}"))).collect();
    let mut body = format!(
        "OpSelectionMerge %sm None\nOpSwitch %y %other{pairs}\n%other = OpLabel\nOpStore %at %c1\nOpBranch %sm\n"
    );
    body += &lines(n, |i| format!("%t{i} = OpLabel\nOpStore %at %k{i}\nOpBranch %sm"));
    body += "%sm = OpLabel\n";
    Parts { types: constants(n), body, ..Parts::default() }
}

/// A switch with `n` targets; case `i` sets a variable to `1000 + i`.
fn choice(n: usize) -> Parts {
    let pairs: String = (0..n).map(|i| format!(" {i} %t{i}")).collect();
    let mut body = format!("OpSelectionMerge %sm None\nOpSwitch %y %sm{pairs}\n");
    body += &lines(n, |i| format!("%t{i} = OpLabel\nOpStore %chosen %k{i}\nOpBranch %sm"));
    body += "%sm = OpLabel\n%got = OpLoad %u32 %chosen\nOpStore %at %got\n";
    let locals = "%chosen = OpVariable %pfun Function %c1\n".into();
    Parts { types: constants(n), locals, body, ..Parts::default() }
}

/// `n` variables that a loop rotates: each takes the value of the next.
fn rotation(n: usize) -> Parts {
    let mut body = format!(
        "OpStore %v{n} %y\nOpBranch %h\n%h = OpLabel\nOpLoopMerge %m %t None\nOpBranch %b\n%b = OpLabel\n\
         %l = OpLoad %u32 %count\n%cx = OpULessThan %bool %l %most\nOpBranchConditional %cx %t %m\n\
         %t = OpLabel\n%ln = OpIAdd %u32 %l %c1\nOpStore %count %ln\n"
    );
    body += &lines(n, |i| format!("%o{i} = OpLoad %u32 %v{}\nOpStore %v{i} %o{i}", i + 1));
    body += "OpBranch %h\n%m = OpLabel\n%s0 = OpIAdd %u32 %y %y\n";
    body += &lines(n, |i| format!("%q{i} = OpLoad %u32 %v{i}\n%s{} = OpIAdd %u32 %s{i} %q{i}", i + 1));
    body += &format!("OpStore %at %s{n}\n");
    Parts {
        types: "%most = OpConstant %u32 3\n".into(),
        locals: "%count = OpVariable %pfun Function %c0\n".to_owned()
            + &lines(n + 1, |i| format!("%v{i} = OpVariable %pfun Function %c0")),
        body,
        ..Parts::default()
    }
}

/// `n` consecutive selections.
fn selections(n: usize) -> Parts {
    let body = lines(n, |i| {
        format!(
            "%c{i}x = OpIEqual %bool %y %k{i}\nOpSelectionMerge %m{i} None\n\
             OpBranchConditional %c{i}x %t{i} %m{i}\n%t{i} = OpLabel\nOpStore %at %k{i}\nOpBranch %m{i}\n\
             %m{i} = OpLabel"
        )
    });
    Parts { types: constants(n), body, ..Parts::default() }
}

fn lower(p: &Parts) -> Result<Shader, Error> {
    ways::module(&text(p)).lower("main", Stage::Compute, &[])
}

fn compile(shader: &Shader, tier: Tier, listing: Option<&mut Listing>) -> Result<(), Error> {
    lane_fn(shader, tier, listing).map(|_| ())
}

fn lane_fn(shader: &Shader, tier: Tier, listing: Option<&mut Listing>) -> Result<LaneFn, Error> {
    let layout = Layout { bindings: vec![BindingLayout::new(0, 0, 0, 1)] };
    let cpu = CpuLevel::current();
    let options =
        CompileOptions { lanes: 8, tier, layout: &layout, cpu, image_ops: &NoImageOps, missing: false };
    codegen::compile_listed(shader, &options, listing)
}

fn run(p: &Parts, buffer: &[u32]) -> Vec<u32> {
    ways::compute(&text(p), &[], &[buffer.to_vec()]).remove(0)
}

#[test]
fn copies_of_large_arrays() {
    let out = run(&big_copy(1000), &[3, 5, 7, 3, 999, 2, 900, 1000]);
    let want: Vec<u32> = [3u32, 5, 7, 3, 999, 2, 900, 1000]
        .iter()
        .zip(0u32..)
        .map(|(&y, x)| {
            // x[y] = y; then element x becomes 1.
            let at = |i: u32| {
                if i == x {
                    1
                } else if i == y && y < 1000 {
                    y
                } else {
                    0
                }
            };
            let third = if y == 3 { 3 } else { 0 };
            let r1 = if y < 1000 { at(y) } else { 0 };
            (r1 + third) * at(x)
        })
        .collect();
    assert_eq!(out, want);
}

#[test]
fn long_switches() {
    let ys = [0, 63, 64, 299, 300, 7, u32::MAX, 150];
    let stored = |case: Option<u32>| case.map_or(1, |i| 1000 + i);
    let want: Vec<u32> = ys.iter().map(|&y| stored((y < 300).then_some(y))).collect();
    assert_eq!(run(&switch(300, |i| vec![i as u32]), &ys), want);
    // Several literals per target, in no particular order.
    let want: Vec<u32> = ys.iter().map(|&y| stored((y < 300).then_some(y % 100))).collect();
    assert_eq!(run(&switch(100, |i| [200, 0, 100].map(|l| l + i as u32).to_vec()), &ys), want);
}

/// More carried values than a Cranelift block takes, so they stay in memory, and more links than the uniformity
/// analysis follows.
#[test]
fn many_carried_values() {
    for n in [200, 4_000] {
        let out = run(&rotation(n), &[1, 2, 3, 4, 5, 6, 7, 8]);
        // After three iterations, the last three variables hold the value of `%v{n}`.
        let want: Vec<u32> = (1..=8u32).map(|y| 2 * y + 3 * y).collect();
        assert_eq!(out, want);
    }
}

/// Number of lines of the IR before and after the passes, and of Cranelift's IR.
fn sizes(p: &Parts) -> [usize; 3] {
    let shader = lower(p).unwrap_or_else(|e| panic!("{e}"));
    let mut listing = Listing::default();
    compile(&shader, Tier::First, Some(&mut listing)).unwrap_or_else(|e| panic!("{e}"));
    [shader.to_string(), listing.ir, listing.clif].map(|text| text.lines().count())
}

#[test]
fn forms_grow_in_proportion() {
    let by_number = |n| switch(n, |i| vec![i as u32]);
    let shapes: [(&str, &dyn Fn(usize) -> Parts); 5] = [
        ("copies", &big_copy),
        ("additions", &additions),
        ("switch", &by_number),
        ("rotation", &rotation),
        ("selections", &selections),
    ];
    for (name, shape) in shapes {
        let (small, large) = (sizes(&shape(520)), sizes(&shape(4 * 520)));
        for (a, b) in small.into_iter().zip(large) {
            // Allows 20 % above proportional growth, for the depth of searches.
            assert!(10 * b <= 48 * a, "{name}: from {small:?} to {large:?}");
        }
    }
}

/// The values of all cases merge in one block, which takes the backtracking allocator minutes.
#[test]
fn many_choices_end() {
    // An instruction has at most 65,535 words.
    let cases = if env::is_on(env::VARIANTS) { 32_000 } else { 12_000 };
    let shader = lower(&choice(cases)).unwrap_or_else(|e| panic!("{e}"));
    let start = cpu_time();
    compile(&shader, Tier::Optimized, None).unwrap_or_else(|e| panic!("{e}"));
    let took = cpu_time() - start;
    assert!(took < HANG, "{took:?}");
    let n = size(12_000);
    let last = n as u32 - 1;
    let ys = [0, 63, 64, 299, 300, 7, u32::MAX, last];
    let want: Vec<u32> = ys.iter().map(|&y| if y <= last { 1000 + y } else { 1 }).collect();
    assert_eq!(run(&choice(n), &ys), want);
}

#[test]
fn large_shapes_end() {
    let by_number = |n| switch(n, |i| vec![i as u32]);
    for (name, parts) in [
        ("copy", big_copy(size(60_000))),
        ("additions", additions(size(8_000))),
        ("switch", by_number(size(20_000))),
    ] {
        for tier in [Tier::First, Tier::Optimized] {
            let start = cpu_time();
            let result = lower(&parts).and_then(|shader| compile(&shader, tier, None));
            assert!(result.is_ok(), "{name}: {result:?}");
            let took = cpu_time() - start;
            // A quarter that takes a sixteenth of the time may grow with the square.
            let most = if env::is_on(env::VARIANTS) { HANG } else { HANG / 8 };
            assert!(took < most, "{name}: {took:?}");
        }
    }
}

/// The first tier gives each value a stack slot. Functions for which a thread's stack is too small are of the optimized tier
/// at once, where that has wider vectors.
#[test]
fn deep_functions_skip_the_first_tier() {
    let of_second = [20, 9_000].map(|n| {
        let shader = lower(&additions(n)).unwrap_or_else(|e| panic!("{e}"));
        lane_fn(&shader, Tier::First, None).unwrap_or_else(|e| panic!("{e}")).as_second().is_some()
    });
    assert_eq!(of_second, [false, CpuLevel::current() >= CpuLevel::V3]);
}

/// `n` values without variables, all of which a loop with three iterations reads after `n` selections; each selection
/// changes one of them for the invocation with its number.
fn long_lives(n: usize) -> Parts {
    let mut body = lines(n, |i| format!("%l{i} = OpIMul %u32 %y %k{i}")) + "OpBranch %p0\n%p0 = OpLabel\n";
    body += &lines(n, |i| {
        format!(
            "%c{i}x = OpIEqual %bool %y %k{i}\nOpSelectionMerge %p{0} None\n\
             OpBranchConditional %c{i}x %t{i} %p{0}\n%t{i} = OpLabel\nOpStore %at %k{i}\nOpBranch %p{0}\n\
             %p{0} = OpLabel\n%r{i} = OpPhi %u32 %l{i} %p{i} %c1 %t{i}",
            i + 1
        )
    });
    body += &format!(
        "OpBranch %h\n%h = OpLabel\n%s0 = OpPhi %u32 %y %p{n} %s{n} %t\n%l = OpPhi %u32 %c0 %p{n} %ln %t\n\
         OpLoopMerge %m %t None\nOpBranch %b\n%b = OpLabel\n%lx = OpULessThan %bool %l %most\n\
         OpBranchConditional %lx %sum %m\n%sum = OpLabel\n"
    );
    body += &lines(n, |i| format!("%s{} = OpIAdd %u32 %s{i} %r{}", i + 1, n - 1 - i));
    body += "OpBranch %t\n%t = OpLabel\n%ln = OpIAdd %u32 %l %c1\nOpBranch %h\n%m = OpLabel\n\
             OpStore %at %s0\n";
    let types = constants(n) + "%most = OpConstant %u32 3\n";
    Parts { types, body, ..Parts::default() }
}

/// Values that are live across thousands of blocks, which no variable holds, are kept in memory.
#[test]
fn values_with_long_lives_are_kept_in_memory() {
    // The largest groups take four times the code of those that are compiled below.
    const N: u32 = 1_500;
    // The sample is just too large for registers and variables.
    let lives = if env::is_on(env::VARIANTS) { 6 * N } else { 5_400 };
    let ys = [0, 1, 999, 1000, 1001, 1000 + N - 1, u32::MAX, 0x1234_5678];
    let of = |y: u32| {
        let one = |i: u32| if y == 1000 + i { 1 } else { y.wrapping_mul(1000 + i) };
        let sum = (0..N).map(one).fold(0u32, u32::wrapping_add);
        y.wrapping_add(sum.wrapping_mul(3))
    };
    let shader = lower(&long_lives(lives as usize)).unwrap_or_else(|e| panic!("{e}"));
    let start = cpu_time();
    compile(&shader, Tier::First, None).unwrap_or_else(|e| panic!("{e}"));
    let took = cpu_time() - start;
    assert!(took < HANG, "{took:?}");
    let want: Vec<u32> = ys.iter().map(|&y| of(y)).collect();
    assert_eq!(run(&long_lives(N as usize), &ys), want);
}

/// Values in memory have the same results as values in registers: the interpreter runs what the pass leaves.
#[test]
fn values_in_memory_have_the_same_results() {
    let by_number = |n| switch(n, |i| vec![i as u32]);
    let shapes: [(&str, Parts); 7] = [
        ("lives", long_lives(40)),
        ("copies", big_copy(20)),
        ("additions", additions(20)),
        ("switch", by_number(20)),
        ("choice", choice(20)),
        ("rotation", rotation(20)),
        ("selections", selections(20)),
    ];
    let ys = [0, 1, 7, 1000, 1001, 1039, u32::MAX, 19];
    for (name, parts) in shapes {
        let want = run(&parts, &ys);
        for span in [0, 5, passes::LONG] {
            let mut shader = lower(&parts).unwrap_or_else(|e| panic!("{e}"));
            let vars = shader.vars.len();
            passes::optimize(&mut shader, Tier::Optimized).unwrap_or_else(|e| panic!("{name}: {e}"));
            let uniformity =
                passes::uniformity::analyse(&shader, 8).unwrap_or_else(|e| panic!("{name}: {e}"));
            passes::spill(&mut shader, &uniformity, span).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(span > 0 || shader.vars.len() > vars, "{name}: nothing was moved");
            ir::verify(&shader).unwrap_or_else(|e| panic!("{name}, {span}: {e}"));
            assert_eq!(ways::run_all(shader, &[ys.to_vec()]).remove(0), want, "{name}, {span}");
        }
    }
}

/// Functions that each call the next function twice.
fn doubling(n: usize) -> Parts {
    let call = |i: usize| {
        format!(
            "%f{i} = OpFunction %u32 None %fu\n%fa{i} = OpFunctionParameter %u32\n%fl{i} = OpLabel\n\
             %fr{i} = OpFunctionCall %u32 %f{0} %fa{i}\n%fs{i} = OpFunctionCall %u32 %f{0} %fr{i}\n\
             OpReturnValue %fs{i}\nOpFunctionEnd",
            i + 1
        )
    };
    Parts {
        types: "%fu = OpTypeFunction %u32 %u32\n".into(),
        body: "%v0 = OpFunctionCall %u32 %f0 %y\nOpStore %at %v0\n".into(),
        functions: lines(n, call)
            + &format!(
                "%f{n} = OpFunction %u32 None %fu\n%fa{n} = OpFunctionParameter %u32\n%fl{n} = OpLabel\n\
                 %fr{n} = OpIMul %u32 %fa{n} %fa{n}\nOpReturnValue %fr{n}\nOpFunctionEnd\n"
            ),
        ..Parts::default()
    }
}

/// A loop with `n` breaks, each of which carries `n` variables.
fn breaks(n: usize) -> Parts {
    let mut body =
        "OpBranch %h\n%h = OpLabel\nOpLoopMerge %m %t None\nOpBranch %b\n%b = OpLabel\n".to_owned();
    body += &lines(n, |i| {
        format!(
            "%c{i}x = OpIEqual %bool %y %k{i}\nOpSelectionMerge %s{i} None\n\
             OpBranchConditional %c{i}x %m %s{i}\n%s{i} = OpLabel\nOpStore %v{i} %k{i}"
        )
    });
    body += "OpBranch %t\n%t = OpLabel\nOpBranch %h\n%m = OpLabel\n";
    let locals = lines(n, |i| format!("%v{i} = OpVariable %pfun Function"));
    Parts { types: constants(n), locals, body, ..Parts::default() }
}

#[test]
fn explosions_are_refused_by_name() {
    let limit = |r: Result<(), Error>, name: &str| match r {
        Err(Error::Limit(m)) => assert!(m.contains(name), "{m}"),
        other => panic!("{name}: {other:?}"),
    };
    limit(lower(&doubling(60)).map(|_| ()), "IR nodes");
    limit(lower(&breaks(4000)).and_then(|s| compile(&s, Tier::First, None)), "carried by control flow");
    limit(all_vertices(100_000), "scalars, at most");
    all_vertices(1_000).unwrap_or_else(|e| panic!("{e}"));
}

/// Lowers a mesh shader that loads an output of `n` vertices as a whole.
fn all_vertices(n: u32) -> Result<(), Error> {
    let text = format!(
        "OpCapability MeshShadingEXT\nOpExtension \"SPV_EXT_mesh_shader\"\nOpMemoryModel Logical GLSL450\n\
         OpEntryPoint MeshEXT %main \"main\" %out\nOpExecutionMode %main LocalSize 1 1 1\n\
         OpExecutionMode %main OutputVertices 3\nOpExecutionMode %main OutputPrimitivesEXT 1\n\
         OpExecutionMode %main OutputTrianglesEXT\nOpDecorate %out Location 0\n\
         %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%u = OpTypeInt 32 0\n%n = OpConstant %u {n}\n\
         %f = OpTypeFloat 32\n%v = OpTypeVector %f 4\n%all = OpTypeArray %v %n\n\
         %p = OpTypePointer Output %all\n%out = OpVariable %p Output\n\
         %main = OpFunction %void None %fn\n%l = OpLabel\n%x = OpLoad %all %out\nOpReturn\nOpFunctionEnd\n"
    );
    ways::module(&text).lower("main", Stage::Mesh, &[]).map(|_| ())
}

#[test]
fn the_budget_ends_every_step() {
    let in_time = |f: &mut dyn FnMut() -> Result<(), Error>| {
        let r = budget::within(Duration::from_millis(1), "main", f);
        assert!(matches!(&r, Err(Error::Limit(m)) if m.contains("compile_budget")), "{r:?}");
    };
    let module = ways::module(&text(&selections(20_000)));
    in_time(&mut || Module::parse(module.words()).map(|_| ()));
    in_time(&mut || module.lower("main", Stage::Compute, &[]).map(|_| ()));
    let shader = module.lower("main", Stage::Compute, &[]).unwrap_or_else(|e| panic!("{e}"));
    in_time(&mut || compile(&shader, Tier::First, None));
}
