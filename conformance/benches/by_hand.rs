//! The ten compute kernels (`assets/kernels`) against versions written by hand with 128-bit intrinsics.
//!
//! Two rows per kernel, both on one thread with the same inputs: `ours`, the optimized tier through the
//! device, and `hand`. The work is repeated within one dispatch so that submitting it does not count.
//! Before anything is measured, both must give the same bits. A table of the ratios closes the run.
//!
//! Only for x86-64 with AVX2 and FMA; elsewhere it says so.

#[cfg(target_arch = "x86_64")]
mod hand;

#[cfg(target_arch = "x86_64")]
fn main() {
    if !(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")) {
        return println!("by_hand: this processor lacks AVX2 or FMA");
    }
    bench::run();
}

#[cfg(not(target_arch = "x86_64"))]
fn main() {
    println!("by_hand: only for x86-64");
}

#[cfg(target_arch = "x86_64")]
mod bench {
    use std::hint::black_box;
    use std::time::{Duration, Instant};

    use criterion::{Criterion, Throughput};
    use quadrille::apps::compute::{Compute, ComputeDesc};
    use quadrille::{Device, DeviceOptions, Opt};
    use quadrille_conformance::assets;

    use crate::hand::{self, A, B, Kernel, N};

    /// What `a` holds.
    #[derive(Clone, Copy)]
    enum Input {
        /// Floats from -16 to 16.
        Floats,
        /// All bits random.
        Words,
    }

    struct Row {
        name: &'static str,
        input: Input,
        /// Runs over all elements within one dispatch.
        repeats: u32,
        hand: Kernel,
    }

    const fn row(name: &'static str, input: Input, repeats: u32, hand: Kernel) -> Row {
        Row { name, input, repeats, hand }
    }

    const ROWS: [Row; 10] = [
        row("saxpy", Input::Floats, 32, hand::saxpy),
        row("fma", Input::Floats, 2, hand::fma),
        row("mandelbrot", Input::Floats, 2, hand::mandelbrot),
        row("transcendental", Input::Floats, 8, hand::transcendental),
        row("gather", Input::Floats, 16, hand::gather),
        row("stencil", Input::Floats, 32, hand::stencil),
        row("hash", Input::Words, 2, hand::hash),
        row("collatz", Input::Words, 2, hand::collatz),
        row("reduce", Input::Floats, 32, hand::reduce),
        row("histogram", Input::Words, 16, hand::histogram),
    ];

    fn word(input: Input, i: usize) -> u32 {
        match input {
            Input::Floats => ((i as f32 - 32_768.0) / 2048.0).to_bits(),
            Input::Words => {
                (i as u32).wrapping_mul(2_654_435_761) ^ ((i as u32).wrapping_mul(0x9e37_79b9) >> 15)
            }
        }
    }

    fn bytes(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|w| w.to_le_bytes()).collect()
    }

    #[expect(unsafe_code, reason = "calls functions that need AVX2 and FMA")]
    fn call(kernel: Kernel, a: &A, b: &mut B) {
        // SAFETY: `main` has checked that the processor has both.
        unsafe { kernel(a, b) }
    }

    /// Criterion's loop; `best` keeps the least time of one iteration among the samples.
    fn time(n: u64, best: &mut Duration, mut f: impl FnMut()) -> Duration {
        let start = Instant::now();
        (0..n).for_each(|_| f());
        let time = start.elapsed();
        *best = (*best).min(time / n as u32);
        time
    }

    pub fn run() {
        let mut c = Criterion::default().configure_from_args();
        let options =
            DeviceOptions { threads: 1, opt: Opt::Speed, interp: false, ..DeviceOptions::default() };
        let device = Device::new(options).expect("the options are valid");
        let mut table = Vec::new();
        for row in &ROWS {
            let (_, spv) = assets::KERNELS.iter().find(|k| k.0 == row.name).expect("the asset is there");
            let words = assets::words(spv);
            let desc = ComputeDesc { words: &words, entry: None, specialization: &[], push: &[] };
            let mut ours = Compute::new(&device, &desc).expect("the asset is supported");
            let a: Box<[u32]> = (0..size_of::<A>() / 4).map(|i| word(row.input, i)).collect();
            let a: Box<A> = a.try_into().expect("the length is that of the type");
            let b: Box<[u32]> = a[..N].into();
            let mut b: Box<B> = b.try_into().expect("the length is that of the type");
            for binding in ours.unbound().map(|b| b.binding).collect::<Vec<_>>() {
                let data = if binding == 0 { bytes(&*a) } else { bytes(&*b) };
                ours.bind(0, binding, &data).expect("the kernel has the binding");
            }

            let groups = [N as u32 / 64, row.repeats, 1];
            ours.dispatch(groups).expect("the kernel runs");
            (0..row.repeats).for_each(|_| call(row.hand, &a, &mut b));
            let got = assets::words(&ours.read(0, 1).expect("b is bound"));
            let differs = (0..N).find(|&i| got[i] != b[i]);
            if let Some(i) = differs {
                panic!("{}: b[{i}] is {:#x} and by hand {:#x}", row.name, got[i], b[i]);
            }

            let (mut best_ours, mut best_hand) = (Duration::MAX, Duration::MAX);
            let mut group = c.benchmark_group(format!("by hand/{}", row.name));
            group.sample_size(20).throughput(Throughput::Elements(N as u64 * u64::from(row.repeats)));
            group.bench_function("ours", |bench| {
                bench.iter_custom(|n| {
                    time(n, &mut best_ours, || ours.dispatch(groups).expect("the kernel runs"))
                });
            });
            group.bench_function("hand", |bench| {
                bench.iter_custom(|n| {
                    time(n, &mut best_hand, || {
                        (0..row.repeats).for_each(|_| call(row.hand, black_box(&a), black_box(&mut b)));
                    })
                });
            });
            group.finish();
            table.push((row, best_ours, best_hand));
        }
        println!("| kernel | ours, ns per element | by hand | ours / by hand |\n|---|---:|---:|---:|");
        for (row, ours, hand) in table {
            let each = |t: Duration| t.as_secs_f64() * 1e9 / (N as f64 * f64::from(row.repeats));
            let (ours, hand) = (each(ours), each(hand));
            println!("| {} | {ours:.3} | {hand:.3} | {:.2} |", row.name, ours / hand);
        }
    }
}
