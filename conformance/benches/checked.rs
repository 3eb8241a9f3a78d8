//! Cost of checked execution: ten kernels (`assets/kernels`) and three pictures of the gallery, compiled, interpreted,
//! checked, and checked without alarms in compiled code.
//!
//! `cargo bench -p quadrille-conformance --features benchmarks --bench checked [-- --threads N --only NAME --width PIXELS]`. Each runs for a
//! fifth of a second, at least twice; the shortest time counts. Prints a table: the time of compiled code, and the
//! other times as multiples of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use quadrille::apps::compute::{Compute, ComputeDesc};
use quadrille::apps::inputs::Inputs;
use quadrille::apps::picture::{Renderer, RendererDesc};
use quadrille::check::{self, Session};
use quadrille::frontend::{self, Language, Options, Stage};
use quadrille::{Device, DeviceOptions, Opt};
use quadrille_conformance::assets;

/// Number of invocations of a kernel.
const N: u32 = 1 << 14;
/// Width of a picture, whose aspect ratio is 16 to 9.
const WIDTH: u32 = 160;
const PICTURES: [(&str, &str); 3] = [
    ("still_life.glsl", include_str!("../../assets/shaders/still_life.glsl")),
    ("plasma.frag", include_str!("../../assets/shaders/plasma.frag")),
    ("julia.wgsl", include_str!("../../assets/shaders/julia.wgsl")),
];

/// Mode of execution.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Compiled,
    Interpreted,
    Checked,
    /// The interpreter runs everything under the watcher.
    CheckedWhole,
}

const WAYS: [Way; 4] = [Way::Compiled, Way::Interpreted, Way::Checked, Way::CheckedWhole];

fn device(way: Way, threads: usize) -> Device {
    let checked = matches!(way, Way::Checked | Way::CheckedWhole);
    let watch = checked.then(|| check::watching(&Arc::new(Session::default())));
    let interp = matches!(way, Way::Interpreted | Way::CheckedWhole);
    let options = DeviceOptions { threads, opt: Opt::Speed, interp, watch, ..DeviceOptions::default() };
    Device::new(DeviceOptions { budget: Duration::ZERO, ..options }).expect("the options are valid")
}

/// Shortest time of a run.
fn least(mut run: impl FnMut()) -> Duration {
    let start = Instant::now();
    let mut least = Duration::MAX;
    for k in 0.. {
        let before = Instant::now();
        run();
        least = least.min(before.elapsed());
        if k > 0 && start.elapsed() > Duration::from_millis(200) {
            break;
        }
    }
    least
}

fn kernel(device: &Device, spv: &[u8]) -> Duration {
    let words = assets::words(spv);
    let desc = ComputeDesc { words: &words, entry: None, specialization: &[], push: &[] };
    let mut kernel = Compute::new(device, &desc).expect("the asset is supported");
    // One of the kernels gathers from all 2^16 elements.
    let floats = (0..(1u32 << 16) + 512).map(|i| (i as f32 / 1024.0 - 8.0).to_bits());
    let bytes: Vec<u8> = floats.flat_map(u32::to_le_bytes).collect();
    for binding in kernel.unbound().map(|b| b.binding).collect::<Vec<_>>() {
        kernel.bind(0, binding, &bytes).expect("the kernel has the binding");
    }
    least(|| kernel.dispatch([N / 64, 1, 1]).expect("the kernel runs"))
}

fn picture(device: &Device, name: &str, source: &str, width: u32) -> Duration {
    let options = Options { relaxed: true, ..Options::named(name) };
    let shadertoy = frontend::is_shadertoy(source);
    let language = Language::of_path(name.as_ref()).unwrap_or(Language::Glsl);
    let words = match shadertoy {
        true => frontend::compile_shadertoy(source, &options),
        false => frontend::compile(source.as_bytes(), language, Stage::Fragment, &options),
    };
    let words = words.expect("the asset is valid");
    let height = width * 9 / 16;
    let desc = RendererDesc { words: &words, shadertoy, width, height, ..RendererDesc::default() };
    let mut renderer = Renderer::new(device, &desc).expect("the asset is supported");
    let inputs = Inputs::new(width, height, 1.25, 75);
    least(|| drop(renderer.render(&inputs).expect("it is drawn")))
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let option = |name: &str| words.get(words.iter().position(|w| w == name)? + 1);
    let number = |name: &str| option(name).and_then(|n| n.parse::<u32>().ok());
    let wanted = |name: &str| option("--only").is_none_or(|only| only == name);
    let devices = WAYS.map(|way| device(way, number("--threads").unwrap_or(1) as usize));
    let row = |name: &str, times: [Duration; 4]| {
        let [compiled, others @ ..] = times.map(|t| t.as_secs_f64());
        let factors: Vec<String> = others.iter().map(|t| format!("{:.1}", t / compiled)).collect();
        println!(
            "| {name} | {:.2} | {} | {:.2} |",
            compiled * 1e3,
            factors.join(" | "),
            others[1] / others[0]
        );
    };
    println!(
        "| | compiled, ms | interpreted, times that | checked, times that | checked without compiled code, times that | \
         checked / interpreted |"
    );
    println!("|---|---:|---:|---:|---:|---:|");
    for &(name, spv) in assets::KERNELS.iter().filter(|k| wanted(k.0)) {
        row(name, [0, 1, 2, 3].map(|way| kernel(&devices[way], spv)));
    }
    for (name, source) in PICTURES.into_iter().filter(|p| wanted(p.0)) {
        let width = number("--width").unwrap_or(WIDTH);
        row(name, [0, 1, 2, 3].map(|way| picture(&devices[way], name, source, width)));
    }
}
