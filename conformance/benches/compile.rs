//! Compile time in milliseconds per shader: each step and tier for a small fragment shader, one of about 150 lines and
//! one of about 600 (`assets/compile`, SPIR-V by glslangValidator).
//!
//! `parse`: words to tables. `lower`: to shader IR. `promote`, `simplify`, `dce`: the passes, each on the output of the
//! one before. `code first`, `code optimized`: IR to a lane function, including passes. `whole`: words to a lane
//! function of the first tier. `growth`: like `whole`, for synthetic shaders of a thousand parts, and of four and
//! sixteen times as many.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use quadrille_conformance::assets;
use quadrille_jit::abi::{BindingLayout, DESCRIPTOR_BYTES, Layout};
use quadrille_jit::codegen::{CompileOptions, NoImageOps, compile};
use quadrille_jit::ir::{Shader, Stage};
use quadrille_jit::{CpuLevel, Tier, passes, spirv};

fn layout(shader: &Shader) -> Layout {
    let place = |(i, b): (usize, &quadrille_jit::ir::Binding)| {
        BindingLayout::new(b.set, b.binding, i as u32 * DESCRIPTOR_BYTES, 1)
    };
    Layout { bindings: shader.bindings.iter().enumerate().map(place).collect() }
}

/// Options for code of the host, with eight lanes.
fn options(layout: &Layout, tier: Tier) -> CompileOptions<'_> {
    CompileOptions { lanes: 8, tier, layout, cpu: CpuLevel::host(), image_ops: &NoImageOps, missing: false }
}

fn bench(c: &mut Criterion) {
    for (name, words) in assets::COMPILE.iter().map(|(n, b)| (n, assets::words(b))) {
        let mut group = c.benchmark_group(format!("compile/{name}"));
        group.sample_size(10);
        let module = spirv::Module::parse(&words).expect("the asset is valid");
        let lower =
            |m: &spirv::Module| m.lower("main", Stage::Fragment, &[]).expect("the asset is supported");
        let shader = lower(&module);
        let layout = layout(&shader);
        let code =
            |shader: &Shader, tier| compile(shader, &options(&layout, tier)).expect("the asset is supported");
        group.bench_function("parse", |b| b.iter(|| spirv::Module::parse(black_box(&words))));
        group.bench_function("lower", |b| b.iter(|| lower(black_box(&module))));
        let steps: [(&str, fn(&mut Shader) -> quadrille_jit::Result<()>); 3] =
            [("promote", passes::promote), ("simplify", passes::simplify), ("dce", passes::dce)];
        let mut before = shader.clone();
        for (step, pass) in steps {
            group.bench_function(step, |b| {
                b.iter_batched_ref(|| before.clone(), pass, BatchSize::LargeInput);
            });
            pass(&mut before).expect("the asset is small");
        }
        group.bench_function("code first", |b| b.iter(|| code(black_box(&shader), Tier::First)));
        group.bench_function("code optimized", |b| b.iter(|| code(black_box(&shader), Tier::Optimized)));
        group.bench_function("whole", |b| {
            b.iter(|| {
                let module = spirv::Module::parse(black_box(&words)).expect("the asset is valid");
                code(&lower(&module), Tier::First)
            });
        });
        group.finish();
    }
}

/// A compute shader of `n` similar parts, as SPIR-V text.
fn shape(name: &str, n: usize) -> String {
    let list = |f: &dyn Fn(usize) -> String| (0..n).map(f).collect::<String>();
    let (types, locals, body) = match name {
        "additions" => {
            let add = |i| {
                format!(
                    "%p{i} = OpAccessChain %pu %buf %c0 %x\n%l{i} = OpLoad %u32 %p{i}\n%s{} = OpIAdd %u32 %s{i} %l{i}\n",
                    i + 1
                )
            };
            (
                String::new(),
                String::new(),
                format!("%s0 = OpIAdd %u32 %y %y\n{}OpStore %at %s{n}\n", list(&add)),
            )
        }
        "switch" => {
            let cases = list(&|i| format!(" {i} %t{i}"));
            let body = list(&|i| format!("%t{i} = OpLabel\nOpStore %at %k{i}\nOpBranch %sm\n"));
            let open = format!("OpSelectionMerge %sm None\nOpSwitch %y %sm{cases}\n");
            (
                list(&|i| format!("%k{i} = OpConstant %u32 {}\n", 1000 + i)),
                String::new(),
                open + &body + "%sm = OpLabel\n",
            )
        }
        _ => {
            let types = format!(
                "%n = OpConstant %u32 {n}\n%arr = OpTypeArray %u32 %n\n%parr = OpTypePointer Function %arr\n"
            );
            let locals = "%ax = OpVariable %parr Function\n%ay = OpVariable %parr Function\n".to_owned();
            let body = "%l1 = OpLoad %arr %ax\nOpStore %ay %l1\n%py = OpAccessChain %pfun %ay %y\n%r = OpLoad %u32 %py\nOpStore %at %r\n";
            (types, locals, body.to_owned())
        }
    };
    format!(
        "; Version: 1.3\nOpCapability Shader\nOpMemoryModel Logical GLSL450\n\
         OpEntryPoint GLCompute %main \"main\" %index\nOpExecutionMode %main LocalSize 8 1 1\n\
         OpDecorate %index BuiltIn LocalInvocationIndex\nOpDecorate %buf DescriptorSet 0\n\
         OpDecorate %buf Binding 0\nOpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n\
         OpDecorate %rt ArrayStride 4\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n\
         %u32 = OpTypeInt 32 0\n%pin = OpTypePointer Input %u32\n%pfun = OpTypePointer Function %u32\n\
         %c0 = OpConstant %u32 0\n%index = OpVariable %pin Input\n%rt = OpTypeRuntimeArray %u32\n\
         %block = OpTypeStruct %rt\n%pblock = OpTypePointer StorageBuffer %block\n\
         %pu = OpTypePointer StorageBuffer %u32\n%buf = OpVariable %pblock StorageBuffer\n{types}\
         %main = OpFunction %void None %fn\n%entry = OpLabel\n{locals}%x = OpLoad %u32 %index\n\
         %at = OpAccessChain %pu %buf %c0 %x\n%y = OpLoad %u32 %at\n{body}OpReturn\nOpFunctionEnd\n"
    )
}

/// Time by size, from words to a lane function of the first tier.
fn growth(c: &mut Criterion) {
    let mut group = c.benchmark_group("compile/growth");
    group.sample_size(10);
    for name in ["additions", "switch", "copy"] {
        for n in [1_000, 4_000, 16_000] {
            let words = spirv::asm::assemble(&shape(name, n)).expect("the shape is valid");
            group.bench_function(format!("{name} {n}"), |b| {
                b.iter(|| {
                    let module = spirv::Module::parse(black_box(&words)).expect("the shape is valid");
                    let shader = module.lower("main", Stage::Compute, &[]).expect("the shape is supported");
                    let layout = layout(&shader);
                    compile(&shader, &options(&layout, Tier::First)).expect("the shape is supported")
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, bench, growth);
criterion_main!(benches);
