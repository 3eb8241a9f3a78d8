//! The ten compute kernels (`assets/kernels`) compared with versions that are written by hand with 128- and 512-bit
//! intrinsics.
//!
//! Rows per kernel, all on one thread with the same inputs: `ours`, the optimized tier through the device, `hand 128`,
//! and `hand 512` if the processor has AVX-512. The work is repeated within one dispatch, so that its submission does
//! not count. Before the measurement, all versions must give the same bits. A table of the ratios ends the run.
//!
//! Needs x86-64 with AVX2 and FMA; elsewhere it only prints a message.

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

    use crate::hand::{A, B, Kernel, N, v128, v512};

    /// Contents of `a`.
    #[derive(Clone, Copy)]
    enum Input {
        /// Floats from -16 to 16.
        Floats,
        /// Random bits.
        Words,
    }

    struct Row {
        name: &'static str,
        input: Input,
        /// Number of passes over all elements within one dispatch.
        repeats: u32,
    }

    const fn row(name: &'static str, input: Input, repeats: u32) -> Row {
        Row { name, input, repeats }
    }

    const ROWS: [Row; 10] = [
        row("saxpy", Input::Floats, 32),
        row("fma", Input::Floats, 2),
        row("mandelbrot", Input::Floats, 2),
        row("transcendental", Input::Floats, 8),
        row("gather", Input::Floats, 16),
        row("stencil", Input::Floats, 32),
        row("hash", Input::Words, 2),
        row("collatz", Input::Words, 2),
        row("reduce", Input::Floats, 32),
        row("histogram", Input::Words, 16),
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

    /// Hand-written versions that the processor can run, with their names.
    fn versions() -> Vec<(&'static str, [Kernel; 10])> {
        let mut all = vec![("hand 128", v128::ALL)];
        if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
            all.push(("hand 512", v512::ALL));
        }
        all
    }

    #[expect(unsafe_code, reason = "calls functions that need optional processor features")]
    fn call(kernel: Kernel, a: &A, b: &mut B) {
        // SAFETY: all kernels are from `versions`, and `main` has checked that the processor has AVX2 and FMA.
        unsafe { kernel(a, b) }
    }

    /// Loop for Criterion; `best` keeps the shortest time of one iteration among the samples.
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
        let versions = versions();
        let mut table = Vec::new();
        for (number, row) in ROWS.iter().enumerate() {
            table.push(measure(&mut c, &device, row, number, &versions));
        }
        let names: Vec<&str> = versions.iter().map(|v| v.0).collect();
        println!("| kernel | ours, ns per element | {} | ours / the best by hand |", names.join(" | "));
        println!("|---|---:{}|---:|", "|---:".repeat(names.len()));
        for (row, times) in ROWS.iter().zip(table) {
            let each = |t: &Duration| t.as_secs_f64() * 1e9 / (N as f64 * f64::from(row.repeats));
            let times: Vec<f64> = times.iter().map(each).collect();
            let best = times[1..].iter().copied().fold(f64::MAX, f64::min);
            let cells: Vec<String> = times.iter().map(|t| format!("{t:.3}")).collect();
            println!("| {} | {} | {:.2} |", row.name, cells.join(" | "), times[0] / best);
        }
    }

    /// Shortest times of all passes over the elements: ours, then the hand-written versions.
    fn measure(
        c: &mut Criterion,
        device: &Device,
        row: &Row,
        number: usize,
        versions: &[(&str, [Kernel; 10])],
    ) -> Vec<Duration> {
        let (_, spv) = assets::KERNELS.iter().find(|k| k.0 == row.name).expect("the asset is there");
        let words = assets::words(spv);
        let desc = ComputeDesc { words: &words, entry: None, specialization: &[], push: &[] };
        let mut ours = Compute::new(device, &desc).expect("the asset is supported");
        let a: Box<[u32]> = (0..size_of::<A>() / 4).map(|i| word(row.input, i)).collect();
        let a: Box<A> = a.try_into().expect("the length is that of the type");
        let start: Box<[u32]> = a[..N].into();
        let start: Box<B> = start.try_into().expect("the length is that of the type");
        for binding in ours.unbound().map(|b| b.binding).collect::<Vec<_>>() {
            let data = if binding == 0 { bytes(&*a) } else { bytes(&*start) };
            ours.bind(0, binding, &data).expect("the kernel has the binding");
        }

        let groups = [N as u32 / 64, row.repeats, 1];
        ours.dispatch(groups).expect("the kernel runs");
        let got = assets::words(&ours.read(0, 1).expect("b is bound"));
        for (name, kernels) in versions {
            let mut b = start.clone();
            (0..row.repeats).for_each(|_| call(kernels[number], &a, &mut b));
            if let Some(i) = (0..N).find(|&i| got[i] != b[i]) {
                panic!("{}: b[{i}] is {:#x} and by {name} {:#x}", row.name, got[i], b[i]);
            }
        }

        let mut best = vec![Duration::MAX; 1 + versions.len()];
        let mut group = c.benchmark_group(format!("by hand/{}", row.name));
        group.sample_size(20).throughput(Throughput::Elements(N as u64 * u64::from(row.repeats)));
        group.bench_function("ours", |bench| {
            bench.iter_custom(|n| time(n, &mut best[0], || ours.dispatch(groups).expect("the kernel runs")));
        });
        let mut b = start;
        for ((name, kernels), best) in versions.iter().zip(&mut best[1..]) {
            group.bench_function(*name, |bench| {
                bench.iter_custom(|n| {
                    time(n, best, || {
                        (0..row.repeats)
                            .for_each(|_| call(kernels[number], black_box(&a), black_box(&mut b)));
                    })
                });
            });
        }
        group.finish();
        best
    }
}
