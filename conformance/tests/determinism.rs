//! The same bytes with 1, 2 and 7 threads, in both tiers, at every host level, twice: the kernels and
//! pictures of the benchmarks, through the `quadrille` API; and every scene, through the driver, with other
//! numbers of threads and lanes, orders of tiles, tiers, host levels, and in the interpreter.

use quadrille::apps::compute::{Compute, ComputeDesc};
use quadrille::{CpuLevel, Device, DeviceOptions, Format, Opt, Result, ShaderTest};
use quadrille_conformance::assets;

/// Every device that must give the same bytes, with what it is.
fn devices() -> Vec<(String, Device)> {
    let base = DeviceOptions { interp: false, ..DeviceOptions::default() };
    let mut list = Vec::new();
    for opt in [Opt::None, Opt::Speed] {
        for threads in [1, 2, 7] {
            list.push(DeviceOptions { threads, opt, cpu: CpuLevel::host(), ..base.clone() });
        }
        for cpu in CpuLevel::ALL.into_iter().filter(|c| *c < CpuLevel::host()) {
            list.push(DeviceOptions { threads: 2, opt, cpu, ..base.clone() });
        }
    }
    let name = |o: &DeviceOptions| format!("{} threads, {:?}, {:?}", o.threads, o.opt, o.cpu);
    list.into_iter().map(|o| (name(&o), Device::new(o).expect("the options are valid"))).collect()
}

/// Runs `f` twice on every device and compares with the first result.
fn same(what: &str, devices: &[(String, Device)], f: impl Fn(&Device) -> Result<Vec<u8>>) {
    let mut first: Option<Vec<u8>> = None;
    for (name, device) in devices {
        for _ in 0..2 {
            let got = f(device).unwrap_or_else(|e| panic!("{what}, {name}: {e}"));
            assert!(got.iter().any(|b| *b != got[0]), "{what}, {name}: all bytes are the same");
            let first = first.get_or_insert_with(|| got.clone());
            if let Some(i) = (0..got.len()).find(|&i| got[i] != first[i]) {
                panic!("{what}, {name}: byte {i} is {}, on the first device {}", got[i], first[i]);
            }
        }
    }
}

#[test]
fn kernels() {
    const INVOCATIONS: u32 = 4096;
    let devices = devices();
    for (name, bytes) in assets::KERNELS {
        let words = assets::words(bytes);
        same(name, &devices, |device| {
            let desc = ComputeDesc { words: &words, entry: None, specialization: &[], push: &[] };
            let mut run = Compute::new(device, &desc)?;
            let data: Vec<u8> =
                (0..INVOCATIONS).flat_map(|i| (i as f32 / 512.0 - 1.0).to_bits().to_le_bytes()).collect();
            for binding in run.unbound().map(|b| b.binding).collect::<Vec<_>>() {
                run.bind(0, binding, &data)?;
            }
            run.dispatch([INVOCATIONS / 64, 1, 1])?;
            run.read(0, 1)
        });
    }
}

#[test]
fn pictures() {
    let (width, height) = (96, 54);
    let devices = devices();
    for (name, bytes) in assets::COMPILE {
        let words = assets::words(bytes);
        same(name, &devices, |device| {
            let test = ShaderTest::spirv(&words).on(device).target(Format::R8G8B8A8_UNORM);
            let lights: Vec<f32> = (0..68).map(|i| (i % 7) as f32 * 0.25 + 0.1).collect();
            let test = match *name {
                "large" => test.bind(0, 0, &lights),
                "small" => test.push(&[1.5f32]),
                _ => test.push(&[width as f32, height as f32, 1.5]),
            };
            test.draw(width, height)?.read_target()
        });
    }
}

/// The driver takes its options from the environment: each run is a process of its own.
#[test]
fn scenes() {
    const RUNS: [&[(&str, &str)]; 8] = [
        &[("THREADS", "1"), ("OPT", "none")],
        &[("THREADS", "2"), ("OPT", "speed"), ("PARTS", "backwards")],
        &[("THREADS", "5"), ("CPU", "v2")],
        &[("THREADS", "5"), ("CPU", "v3"), ("LANES", "4"), ("PARTS", "backwards")],
        &[("THREADS", "2"), ("LANES", "16")],
        &[("THREADS", "5"), ("LANES", "32"), ("OPT", "speed"), ("PROOFS", "check")],
        &[("THREADS", "2"), ("ORDER", "relaxed"), ("CPU", "v2"), ("OPT", "speed")],
        &[("THREADS", "2"), ("INTERP", "1"), ("PROOFS", "check")],
    ];
    let run = |options: &[(&str, &str)]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_quadrille-conformance"));
        command.args(["scenes", "--check"]);
        for (name, value) in options {
            command.env(format!("QUADRILLE_{name}"), value);
        }
        let out = command.output().expect("the program of this package runs");
        let text = String::from_utf8_lossy(&out.stdout) + String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{options:?}: {text}");
    };
    // Two at a time: most of a run is compiling on one thread.
    std::thread::scope(|s| {
        let halves = RUNS.split_at(RUNS.len() / 2);
        s.spawn(move || halves.0.iter().for_each(|o| run(o)));
        s.spawn(move || halves.1.iter().for_each(|o| run(o)));
    });
}
