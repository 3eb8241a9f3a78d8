//! Overhead of the test runner: 10,000 small tests with the suite, and the same shaders with `ShaderTest` alone.
//!
//! `cargo bench -p quadrille-suite`. Each test has its own WGSL shader: module, pipeline, dispatch, comparison. The
//! suite also finds and reads 20,000 files and writes a line per test. CPU time is the relevant number, because other
//! work on the machine affects wall-clock time.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use quadrille::{Device, DeviceOptions, ShaderTest};
use quadrille_suite::report::text::{self, Style};
use quadrille_suite::{find, run};
use rustix::time::{ClockId, clock_gettime};

const TESTS: usize = 10_000;

fn shader(i: usize) -> String {
    format!(
        "@group(0) @binding(0) var<storage, read_write> v: array<f32>;
@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {{ v[id.x] = v[id.x] * 2.0 + f32({i}); }}
"
    )
}

fn cpu() -> Duration {
    let t = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(t.tv_sec as u64, t.tv_nsec as u32)
}

/// Runs `work` and prints its wall-clock time and CPU time; returns the CPU time in seconds.
fn timed(what: &str, work: impl FnOnce()) -> f64 {
    let (clock, before) = (Instant::now(), cpu());
    work();
    let (clock, cpu) = (clock.elapsed().as_secs_f64(), (cpu() - before).as_secs_f64());
    println!("{what:28} {clock:6.2} s, {cpu:6.2} s of CPU, {:7.0} tests/s", TESTS as f64 / clock);
    cpu
}

fn by_hand() {
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let device = Device::new(DeviceOptions { threads: 1, ..DeviceOptions::default() }).unwrap();
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= TESTS {
                        break;
                    }
                    let test = ShaderTest::wgsl(&shader(i)).unwrap().on(&device).bind(0, 0, &[1.0f32; 4]);
                    let v: Vec<f32> = test.dispatch([1; 3]).unwrap().read(0, 0).unwrap();
                    assert_eq!(v, [2.0 + i as f32; 4]);
                }
            });
        }
    });
}

fn by_suite(folder: &Path) {
    let tests = find::find(&[folder.to_path_buf()]).unwrap();
    assert_eq!(tests.len(), TESTS);
    let mut lines = String::new();
    let counts = run::run(tests, run::Options::default(), |report| {
        lines += &text::test(report, Style { color: false });
    });
    assert_eq!(counts.passed, TESTS);
    assert_eq!(lines.lines().count(), TESTS);
}

fn main() {
    let folder = std::env::temp_dir().join(format!("quadrille-small-tests-{}", std::process::id()));
    for i in 0..TESTS {
        let of = folder.join(format!("{:02}", i / 100));
        fs::create_dir_all(&of).unwrap();
        fs::write(of.join(format!("t{i}.wgsl")), shader(i)).unwrap();
        let test = format!(
            "shader = \"t{i}.wgsl\"\n[[test]]\nname = \"adds\"\ndispatch = [1, 1, 1]\n\
            bind = {{ \"0.0\" = \"f32: 1*4\" }}\nexpect = {{ \"0.0\" = \"f32: {}*4\" }}\n",
            2 + i
        );
        fs::write(of.join(format!("t{i}.test.toml")), test).unwrap();
    }
    let (mut alone, mut suite) = (f64::MAX, f64::MAX);
    for _ in 0..3 {
        alone = alone.min(timed("ShaderTest alone", by_hand));
        suite = suite.min(timed("suite", || by_suite(&folder)));
    }
    let share = (suite - alone) / suite;
    println!("the runner takes {:.1} % of the CPU time of the suite", 100.0 * share);
    fs::remove_dir_all(folder).unwrap();
}
