//! Random shaders of rays and of cooperative matrices give the same results interpreted and compiled, with lane groups of every size, with vectors
//! of every width and on any number of threads.

use quadrille::{CpuLevel, Device, DeviceOptions, Opt};
use quadrille_conformance::random::{matrices, rays};
use quadrille_jit::{env, testing};

/// Devices, the interpreter first.
fn devices() -> Vec<(String, Device)> {
    let base = DeviceOptions { threads: 1, opt: Opt::None, interp: false, ..DeviceOptions::default() };
    let mut list = vec![("interpreter".to_owned(), DeviceOptions { interp: true, ..base.clone() })];
    for lanes in [4, 16, 32] {
        list.push((format!("S = {lanes}"), DeviceOptions { lanes, threads: 4, ..base.clone() }));
        list.push((
            format!("interpreter, S = {lanes}"),
            DeviceOptions { lanes, interp: true, ..base.clone() },
        ));
    }
    for cpu in testing::cpu_levels() {
        list.push((format!("{cpu:?}"), DeviceOptions { cpu, opt: Opt::Speed, ..base.clone() }));
    }
    list.push(("proofs".into(), DeviceOptions { check_proofs: true, cpu: CpuLevel::current(), ..base }));
    list.into_iter().map(|(name, options)| (name, Device::new(options).unwrap())).collect()
}

/// Results of `run` on all devices, which must be equal.
#[track_caller]
fn compare(
    what: &str,
    source: &str,
    run: impl Fn(&Device) -> Result<Vec<u32>, quadrille::Error>,
) -> Vec<u32> {
    let mut results = devices().into_iter().map(|(name, device)| {
        let got = run(&device).unwrap_or_else(|e| panic!("{what} on {name}: {e}\n{source}"));
        (name, got)
    });
    let (_, first) = results.next().unwrap();
    for (name, got) in results {
        assert_eq!(got.len(), first.len(), "{what} on {name}: number of words");
        let differs = (0..first.len()).find(|&i| first[i] != got[i]);
        assert_eq!(differs, None, "{what} on {name}: first word that differs\n{source}");
    }
    first
}

/// A sample of the seeds, or those of `QUADRILLE_SEEDS`; `.ci/run` runs more.
fn seeds() -> std::ops::Range<u64> {
    env::seeds().unwrap_or(0..2)
}

#[test]
fn ray_queries_have_one_result() {
    for seed in seeds() {
        let source = rays::queries(seed);
        let words = compare(&format!("seed {seed}"), &source, |device| {
            rays::run_queries(&source, device, device.options().lanes)
        });
        assert!(words.iter().any(|&w| w != words[0]), "seed {seed} shows nothing");
    }
}

#[test]
fn ray_tracing_pipelines_have_one_result() {
    for seed in seeds() {
        let shaders = rays::pipeline(seed);
        let source = shaders.join("\n");
        let words = compare(&format!("seed {seed}"), &source, |device| rays::run_pipeline(&shaders, device));
        assert!(words.iter().any(|&w| w != words[0]), "seed {seed} shows nothing");
    }
}

#[test]
fn cooperative_matrices_have_one_result() {
    for seed in seeds() {
        let source = matrices::program(seed);
        let words = compare(&format!("seed {seed}"), &source, |device| matrices::run(&source, device));
        assert!(words.iter().any(|&w| w != words[0]), "seed {seed} shows nothing");
    }
}
