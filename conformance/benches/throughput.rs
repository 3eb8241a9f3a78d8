//! Throughput through the device, in elements per second.
//!
//! `kernel/NAME`: ten compute kernels (`assets/kernels`) over 65,536 invocations; an iteration is a dispatch with
//! submission and wait, an element is an invocation. `fill/NAME`: fragment shaders over a picture of 640x360; an
//! element is a pixel. `gemm/TYPE`: products of matrices of 512 rows by cooperative matrices; an element is a
//! multiplication or an addition. All run in the optimized tier, on all processors and then on one thread.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use quadrille::apps::compute::{Compute, ComputeDesc};
use quadrille::frontend::{Options, compile_glsl};
use quadrille::{Device, DeviceOptions, Format, Opt, ShaderTest, Stage};
use quadrille_conformance::assets;

const INVOCATIONS: u32 = 65_536;

fn device(threads: usize) -> Device {
    let options = DeviceOptions { threads, opt: Opt::Speed, interp: false, ..DeviceOptions::default() };
    Device::new(options).expect("the options are valid")
}

fn kernels(c: &mut Criterion) {
    for threads in [0, 1] {
        let mut group = c.benchmark_group(if threads == 0 { "kernel" } else { "kernel, one thread" });
        group.sample_size(20).throughput(Throughput::Elements(u64::from(INVOCATIONS)));
        let device = device(threads);
        for (name, bytes) in assets::KERNELS {
            let words = assets::words(bytes);
            let desc = ComputeDesc { words: &words, entry: None, specialization: &[], push: &[] };
            let mut run = Compute::new(&device, &desc).expect("the asset is supported");
            let data: Vec<u8> =
                (0..INVOCATIONS).flat_map(|i| (i as f32 / 4096.0).to_bits().to_le_bytes()).collect();
            for binding in run.unbound().map(|b| b.binding).collect::<Vec<_>>() {
                run.bind(0, binding, &data).expect("the kernel has the binding");
            }
            group.bench_function(*name, |b| {
                b.iter(|| run.dispatch([INVOCATIONS / 64, 1, 1]).expect("the kernel runs"));
            });
        }
        group.finish();
    }
}

fn fill(c: &mut Criterion) {
    let (width, height) = (640, 360);
    let mut group = c.benchmark_group("fill");
    group.sample_size(10).throughput(Throughput::Elements(u64::from(width * height)));
    let device = device(0);
    for (name, bytes) in assets::COMPILE {
        let words = assets::words(bytes);
        let mut test = ShaderTest::spirv(&words).on(&device).target(Format::R8G8B8A8_UNORM);
        test = match *name {
            "large" => test.bind_zeros::<f32>(0, 0, 68),
            _ => test.push(&[width as f32, height as f32, 1.5]),
        };
        if *name == "small" {
            test = test.push(&[1.5f32]);
        }
        // One run before the measurement, so that a shader that does not run reports its error.
        test.clone().draw(width, height).expect("the picture is drawn");
        group.bench_function(*name, |b| {
            b.iter(|| test.clone().draw(width, height).expect("the picture is drawn"));
        });
    }
    group.finish();
}

/// Rows and columns of the matrices of `gemm`.
const SIDE: u32 = 512;

fn gemm(c: &mut Criterion) {
    for threads in [0, 1] {
        let mut group = c.benchmark_group(if threads == 0 { "gemm" } else { "gemm, one thread" });
        group.sample_size(10).throughput(Throughput::Elements(2 * u64::from(SIDE).pow(3)));
        let device = device(threads);
        for (name, factor, sum) in
            [("f16", "float16_t", "float"), ("f32", "float", "float"), ("s8", "int8_t", "int")]
        {
            let text = include_str!("../assets/gemm.comp");
            let text = format!(
                "#version 450\n#define N {SIDE}\n#define SHAPE 16\n#define BLOCK 4\n#define FACTOR {factor}\n#define SUM {sum}\n{text}"
            );
            let words = compile_glsl(&text, Stage::Compute, &Options::named("gemm.comp"));
            let words = words.expect("the shader is valid");
            let desc = ComputeDesc { words: &words, entry: None, specialization: &[], push: &[] };
            let mut run = Compute::new(&device, &desc).expect("the asset is supported");
            // Small numbers in each of the types.
            let data = vec![0x01; (4 * SIDE * SIDE) as usize];
            for binding in run.unbound().map(|b| b.binding).collect::<Vec<_>>() {
                run.bind(0, binding, &data).expect("the kernel has the binding");
            }
            // A workgroup has four subgroups of 8 invocations, each of which computes 64 rows and columns.
            let groups = (SIDE / 64).pow(2) / 4;
            group.bench_function(name, |b| {
                b.iter(|| run.dispatch([groups, 1, 1]).expect("the kernel runs"));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, kernels, fill, gemm);
criterion_main!(benches);
