//! Ten kernels of `assets/kernels` beside PoCL, in one run on the same inputs.
//!
//! `cargo bench -p quadrille-conformance --features benchmarks --bench opencl [-- [--seconds S] [KERNEL...]]`. A row prints
//! the time until the first result and the median of launches, of both, and the ratios; the ratio of compiling is that of
//! the first results less a launch. Both launch by turns for S seconds each, and the ratio of launches is the median of those
//! of the turns. Results are compared. PoCL compiles from source with its own front end; Quadrille takes
//! what `clang` makes of it, whose time is printed apart.
//! Caches of PoCL are off. Without OpenCL's loader, a platform named PoCL or `clang` the benchmark says so and ends.
//!
//! `api` has OpenCL's C interface.

#![expect(unsafe_code, reason = "a client of a C interface")]

mod api;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use api::OpenCl;
use quadrille::apps::kernel::{Kernel, KernelDesc, Range};
use quadrille::{Device, DeviceOptions};

/// An argument of a kernel.
enum Argument {
    Buffer(Vec<u8>),
    Value(Vec<u8>),
    Local(usize),
}

/// A kernel with its input.
struct Row {
    name: &'static str,
    arguments: Vec<Argument>,
    global: [u32; 3],
    local: [u32; 3],
    /// Arguments whose contents are compared: as floats with a relative tolerance, or as bits.
    results: Vec<(usize, Option<f32>)>,
}

fn floats(values: impl IntoIterator<Item = f32>) -> Argument {
    Argument::Buffer(values.into_iter().flat_map(f32::to_le_bytes).collect())
}

fn words(values: impl IntoIterator<Item = u32>) -> Argument {
    Argument::Buffer(values.into_iter().flat_map(u32::to_le_bytes).collect())
}

fn zeros(bytes: usize) -> Argument {
    Argument::Buffer(vec![0; bytes])
}

fn word(value: u32) -> Argument {
    Argument::Value(value.to_le_bytes().into())
}

/// Numbers that look random, the same in every run.
fn noise(n: u32) -> impl Iterator<Item = u32> {
    let mut state = 0x9e37_79b9u32;
    (0..n).map(move |_| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    })
}

/// Floats between `low` and `high`.
fn between(n: u32, low: f32, high: f32) -> impl Iterator<Item = f32> {
    noise(n).map(move |v| low + (high - low) * (v >> 8) as f32 / (1 << 24) as f32)
}

fn line(n: u32) -> [u32; 3] {
    [n, 1, 1]
}

fn row(
    name: &'static str,
    arguments: Vec<Argument>,
    global: [u32; 3],
    local: [u32; 3],
    results: Vec<(usize, Option<f32>)>,
) -> Row {
    Row { name, arguments, global, local, results }
}

/// The kernels over vectors and matrices.
fn dense() -> Vec<Row> {
    let (many, side, bodies) = (1u32 << 22, 512u32, 4096u32);
    let matrix = || floats(between(side * side, -1.0, 1.0));
    vec![
        row(
            "vadd",
            vec![floats(between(many, 0.0, 1.0)), floats(between(many, 0.0, 1.0)), zeros(4 * many as usize)],
            line(many),
            line(256),
            vec![(2, None)],
        ),
        row(
            "reduce",
            vec![floats(between(many, 0.0, 1.0)), zeros(4 * many as usize / 256), Argument::Local(1024)],
            line(many),
            line(256),
            vec![(1, None)],
        ),
        row(
            "scan",
            vec![words(noise(many)), zeros(4 * many as usize), Argument::Local(1024)],
            line(many),
            line(256),
            vec![(1, None)],
        ),
        row(
            "matmul",
            vec![matrix(), matrix(), zeros(4 * (side * side) as usize), word(side)],
            [side, side, 1],
            [16, 16, 1],
            vec![(2, Some(1e-3))],
        ),
        row(
            "nbody",
            vec![floats(between(4 * bodies, 0.1, 1.0)), zeros(16 * bodies as usize), word(bodies)],
            line(bodies),
            line(64),
            vec![(1, Some(1e-3))],
        ),
    ]
}

/// The other kernels.
fn others() -> Vec<Row> {
    let (matrix_rows, each) = (1u32 << 18, 16u32);
    vec![
        row(
            "mandelbrot",
            vec![zeros(4 << 20), word(1024), word(1024), word(256)],
            [1024, 1024, 1],
            [64, 1, 1],
            vec![(0, None)],
        ),
        row(
            "blackscholes",
            vec![
                floats(between(1 << 20, 10.0, 100.0)),
                floats(between(1 << 20, 10.0, 100.0)),
                floats(between(1 << 20, 0.2, 2.0)),
                zeros(4 << 20),
                zeros(4 << 20),
                Argument::Value(0.05f32.to_le_bytes().into()),
                Argument::Value(0.2f32.to_le_bytes().into()),
            ],
            line(1 << 20),
            line(64),
            vec![(3, Some(1e-3)), (4, Some(1e-3))],
        ),
        row(
            "spmv",
            vec![
                words((0..=matrix_rows).map(|i| i * each)),
                words(noise(matrix_rows * each).map(|v| v % matrix_rows)),
                floats(between(matrix_rows * each, -1.0, 1.0)),
                floats(between(matrix_rows, -1.0, 1.0)),
                zeros(4 * matrix_rows as usize),
            ],
            line(matrix_rows),
            line(64),
            vec![(4, Some(1e-3))],
        ),
        row(
            "histogram",
            vec![words(noise(1 << 20)), zeros(1024), word(64)],
            line((1 << 22) / 64),
            line(256),
            Vec::new(),
        ),
        row(
            "fft",
            vec![floats(between(2 << 20, -1.0, 1.0)), zeros(8 << 20)],
            line(1 << 19),
            line(128),
            vec![(1, Some(1e-3))],
        ),
    ]
}

/// Rounds in which each of both launches for a while.
const ROUNDS: u32 = 9;

/// A kernel that has run once.
struct Ready<'a> {
    /// Time until the first result.
    first: Duration,
    results: Vec<Vec<u8>>,
    launch: Box<dyn FnMut() -> Result<(), String> + 'a>,
}

/// Medians of launches by turns, and the median of the ratios of the rounds. Both meet the same noise of the machine.
struct Turns {
    ours: Duration,
    theirs: Duration,
    ratio: f64,
}

impl Turns {
    fn of(ours: &mut Ready<'_>, theirs: &mut Ready<'_>, seconds: f64) -> Result<Turns, String> {
        // The second tier is compiled meanwhile.
        median(0.3, &mut ours.launch)?;
        median(0.3, &mut theirs.launch)?;
        let (mut rounds, seconds) = (Vec::new(), seconds / f64::from(ROUNDS));
        for _ in 0..ROUNDS {
            rounds.push([median(seconds, &mut ours.launch)?, median(seconds, &mut theirs.launch)?]);
        }
        let middle = |mut all: Vec<f64>| {
            all.sort_by(f64::total_cmp);
            all[all.len() / 2]
        };
        let [ours, theirs] =
            [0, 1].map(|k| middle(rounds.iter().map(|round| round[k].as_secs_f64()).collect()));
        let ratio = middle(rounds.iter().map(|[a, b]| b.as_secs_f64() / a.as_secs_f64()).collect());
        let [ours, theirs] = [ours, theirs].map(Duration::from_secs_f64);
        Ok(Turns { ours, theirs, ratio })
    }
}

/// Launches until `seconds` have passed, at least five times; the median.
fn median(seconds: f64, mut launch: impl FnMut() -> Result<(), String>) -> Result<Duration, String> {
    let (start, mut all) = (Instant::now(), Vec::new());
    while all.len() < 5 || start.elapsed().as_secs_f64() < seconds {
        let before = Instant::now();
        launch()?;
        all.push(before.elapsed());
    }
    all.sort();
    Ok(all[all.len() / 2])
}

fn ours<'a>(device: &'a Device, row: &Row, spirv: &[u32]) -> Result<Ready<'a>, String> {
    let text = |e: quadrille::Error| e.to_string();
    let start = Instant::now();
    let desc = KernelDesc { words: spirv, entry: Some(row.name), ..KernelDesc::default() };
    let mut kernel = Kernel::new(device, &desc).map_err(text)?;
    let made = start.elapsed();
    for (i, argument) in row.arguments.iter().enumerate() {
        match argument {
            Argument::Buffer(bytes) => kernel.set_buffer(i, bytes),
            Argument::Value(bytes) => kernel.set_value(i, bytes),
            Argument::Local(bytes) => kernel.set_local(i, *bytes as u32),
        }
        .map_err(text)?;
    }
    let range = Range { global: row.global, local: Some(row.local), dimensions: 3, ..Range::default() };
    let start = Instant::now();
    kernel.launch(&range).map_err(text)?;
    let first = made + start.elapsed();
    let results = row.results.iter().map(|&(i, _)| kernel.read(i).map_err(text)).collect::<Result<_, _>>()?;
    let launch = Box::new(move || kernel.launch(&range).map_err(text));
    Ok(Ready { first, results, launch })
}

fn theirs<'a>(cl: &'a OpenCl, row: &Row, source: &str) -> Result<Ready<'a>, String> {
    let start = Instant::now();
    let mut kernel = cl.kernel(source, row.name)?;
    let made = start.elapsed();
    for (i, argument) in row.arguments.iter().enumerate() {
        match argument {
            Argument::Buffer(bytes) => kernel.set_buffer(i, bytes),
            Argument::Value(bytes) => kernel.set_value(i, bytes),
            Argument::Local(bytes) => kernel.set_local(i, *bytes),
        }?;
    }
    let [global, local] = [row.global, row.local].map(|size| size.map(|n| n as usize));
    let start = Instant::now();
    kernel.run(global, local)?;
    let first = made + start.elapsed();
    let results = row.results.iter().map(|&(i, _)| kernel.read(i)).collect::<Result<_, _>>()?;
    let launch = Box::new(move || kernel.run(global, local));
    Ok(Ready { first, results, launch })
}

/// Compares results; a message about the first difference.
fn compare(row: &Row, ours: &Ready<'_>, theirs: &Ready<'_>) -> Result<(), String> {
    for ((a, b), &(argument, tolerance)) in ours.results.iter().zip(&theirs.results).zip(&row.results) {
        for (i, (x, y)) in a.chunks_exact(4).zip(b.chunks_exact(4)).enumerate() {
            let bits = |v: &[u8]| u32::from_le_bytes([v[0], v[1], v[2], v[3]]);
            let (x, y) = (bits(x), bits(y));
            let (fx, fy) = (f32::from_bits(x), f32::from_bits(y));
            let near = tolerance.is_some_and(|t| (fx - fy).abs() <= t * fx.abs().max(1.0));
            if x != y && !near {
                return Err(format!("argument {argument}, element {i}: {x:#x} ({fx}), PoCL {y:#x} ({fy})"));
            }
        }
    }
    Ok(())
}

/// SPIR-V of a file by `clang`, and the time that it takes.
fn compile(path: &Path) -> Result<(Vec<u32>, Duration), String> {
    let out = std::env::temp_dir().join(format!("quadrille-{}.spv", std::process::id()));
    let start = Instant::now();
    let status = Command::new("clang")
        .args(["-c", "-x", "cl", "-cl-std=CL3.0", "--target=spirv64", "-O0"])
        .args([path, Path::new("-o"), &out])
        .status();
    let took = start.elapsed();
    match status {
        Ok(status) if status.success() => {}
        Ok(status) => return Err(format!("clang: {status}")),
        Err(e) => return Err(format!("clang: {e}")),
    }
    let bytes = std::fs::read(&out).map_err(|e| e.to_string())?;
    // The file is temporary, and is not needed any more.
    let _ = std::fs::remove_file(&out);
    Ok((bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect(), took))
}

fn run(seconds: f64, wanted: &[String]) -> Result<(), String> {
    let cl = OpenCl::new("Portable Computing Language")?;
    let device = Device::new(DeviceOptions::default()).map_err(|e| e.to_string())?;
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../assets/kernels");
    println!("{}", cl.name);
    println!(
        "kernel        first: clang  Quadrille      PoCL  ratio  compiling   each: Quadrille      PoCL  ratio"
    );
    let mut rows = dense();
    rows.extend(others());
    for row in rows.iter().filter(|row| wanted.is_empty() || wanted.iter().any(|w| w == row.name)) {
        let path = folder.join(format!("{}.cl", row.name));
        let source = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
        let (spirv, clang) = compile(&path)?;
        let mut a = ours(&device, row, &spirv)?;
        let mut b = theirs(&cl, row, &source)?;
        compare(row, &a, &b)?;
        let each = Turns::of(&mut a, &mut b, seconds)?;
        let ms = |d: Duration| d.as_secs_f64() * 1e3;
        let ratio = |a: Duration, b: Duration| b.as_secs_f64() / a.as_secs_f64();
        println!(
            "{:12} {:8.1} ms {:7.2} ms {:6.1} ms {:6.2} {:10.1} {:13.3} ms {:6.3} ms {:6.2}",
            row.name,
            ms(clang),
            ms(a.first),
            ms(b.first),
            ratio(a.first, b.first),
            ratio(a.first.saturating_sub(each.ours), b.first.saturating_sub(each.theirs)),
            ms(each.ours),
            ms(each.theirs),
            each.ratio,
        );
    }
    Ok(())
}

fn main() {
    // SAFETY: no other thread runs yet. PoCL would otherwise read kernels that an earlier run compiled.
    unsafe { std::env::set_var("POCL_KERNEL_CACHE", "0") };
    let (mut seconds, mut wanted) = (1.0, Vec::new());
    let mut arguments = std::env::args().skip(1).filter(|a| a != "--bench");
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seconds" => seconds = arguments.next().and_then(|s| s.parse().ok()).unwrap_or(seconds),
            _ => wanted.push(argument),
        }
    }
    if let Err(e) = run(seconds, &wanted) {
        println!("not measured: {e}");
    }
}
