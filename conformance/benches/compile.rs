//! Compile time, in milliseconds per shader: each step and tier for a small fragment shader, one of about
//! 150 lines and one of about 600 (`assets/compile`, SPIR-V made by glslangValidator).
//!
//! `parse`: words to tables. `lower`: to shader IR. `promote`, `simplify`, `dce`: the passes, each after the
//! one before it. `code first`, `code optimized`: IR to a lane function, passes included. `whole`: words to
//! a lane function of the first tier.

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

fn bench(c: &mut Criterion) {
    for (name, words) in assets::COMPILE.iter().map(|(n, b)| (n, assets::words(b))) {
        let mut group = c.benchmark_group(format!("compile/{name}"));
        group.sample_size(10);
        let module = spirv::Module::parse(&words).expect("the asset is valid");
        let lower =
            |m: &spirv::Module| m.lower("main", Stage::Fragment, &[]).expect("the asset is supported");
        let shader = lower(&module);
        let layout = layout(&shader);
        let code = |shader: &Shader, tier| {
            let cpu = CpuLevel::host();
            let options = CompileOptions { lanes: 8, tier, layout: &layout, cpu, image_ops: &NoImageOps };
            compile(shader, &options).expect("the asset is supported")
        };
        group.bench_function("parse", |b| b.iter(|| spirv::Module::parse(black_box(&words))));
        group.bench_function("lower", |b| b.iter(|| lower(black_box(&module))));
        let steps: [(&str, fn(&mut Shader)); 3] =
            [("promote", passes::promote), ("simplify", passes::simplify), ("dce", passes::dce)];
        let mut before = shader.clone();
        for (step, pass) in steps {
            group.bench_function(step, |b| {
                b.iter_batched_ref(|| before.clone(), pass, BatchSize::LargeInput);
            });
            pass(&mut before);
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

criterion_group!(benches, bench);
criterion_main!(benches);
