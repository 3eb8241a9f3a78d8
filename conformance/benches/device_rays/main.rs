//! Speed of acceleration structures and rays of any Vulkan driver, by one Vulkan program.
//!
//! `VK_DRIVER_FILES=DRIVER.json cargo bench -p quadrille-conformance --features benchmarks --bench device_rays [-- [SECONDS] [ROW...]]`. The
//! scenes and rays are those of `--bench rays`, made from a seed, so that every driver traces the same. A row is
//! run for at least SECONDS (default 1) and prints medians of its submissions: millions of triangles or rays per second
//! and per second of CPU time, and the number of rays that hit, in which drivers agree but for spheres that a ray only
//! grazes. ROW selects rows that contain it, such as `250k` or `query/`. A row that the driver cannot run says so.

#![expect(unsafe_code, reason = "a Vulkan client")]

mod device;
#[path = "../gpu/mod.rs"]
mod gpu;
mod programs;
#[path = "../scene/mod.rs"]
mod scene;
mod structures;

use std::sync::Arc;

use device::Gpu;
use gpu::Options;
use quadrille_rays::{
    BottomLevel, BuildOptions, Geometry, Instance, Point, Primitives, Ray, TopLevel, Triangles,
};
use structures::{Shape, Structure};

/// Scenes, by name and number of triangles.
const SCENES: [(&str, usize); 3] = [("1k", 1000), ("250k", 250_000), ("5m", 5_000_000)];
/// Rays of a dispatch.
const RAYS: usize = 1 << 18;
/// Largest scene whose triangles become spheres.
const MOST_SPHERES: usize = 1 << 20;

/// The scene as the host sees it, from which its rays are made.
fn on_host(positions: &[Point]) -> TopLevel {
    let triangles = Triangles { positions, indices: None, transform: None };
    let geometry = Geometry {
        primitives: Primitives::Triangles(triangles),
        opaque: true,
        no_duplicates: false,
        opacity: None,
    };
    let bottom = BottomLevel::build(&[geometry], BuildOptions::default()).expect("the scene is valid");
    TopLevel::build(&[Instance::new(Arc::new(bottom))], BuildOptions::default()).expect("the scene is valid")
}

/// Rays as the shaders read them: origin and least distance, direction and greatest distance.
fn words(rays: &[Ray]) -> Vec<[f32; 8]> {
    let one = |r: &Ray| {
        let ([a, b, c], [x, y, z]) = (r.origin, r.direction);
        [a, b, c, r.tmin, x, y, z, r.tmax.min(1e30)]
    };
    rays.iter().map(one).collect()
}

/// Builds of each preference, and an update.
fn builds(gpu: &Gpu, options: &Options, name: &str, positions: &[Point]) {
    for (row, fast) in [("build_fast", true), ("build_good", false)] {
        let row = format!("{name} {row}");
        if options.selects(&row) {
            let shape = Shape { fast_build: fast, ..Shape::opaque(positions) };
            let structure = Structure::bottom(gpu, &shape);
            let rate = options.rate(positions.len() / 3, || structure.build(gpu));
            println!("{row:24} {rate}");
        }
    }
    let row = format!("{name} update");
    if options.selects(&row) {
        let structure = Structure::bottom(gpu, &Shape::opaque(positions));
        let rate = options.rate(positions.len() / 3, || structure.update(gpu));
        println!("{row:24} {rate}");
    }
}

/// Traces rays by a ray query and by a ray tracing pipeline.
fn trace(gpu: &Gpu, options: &Options, row: &str, scene: &Structure, what: programs::What, rays: &[Ray]) {
    let input = gpu.buffer_with(&words(rays));
    let hits = gpu.buffer(rays.len() as u64 * 8);
    for kind in [programs::Kind::Query, programs::Kind::Pipeline] {
        let (name, what_name) = row.split_once(' ').unwrap_or((row, ""));
        let row = format!("{name} {}/{what_name}", kind.name());
        if !options.selects(&row) {
            continue;
        }
        let Some(program) = programs::Program::new(gpu, kind, what) else {
            println!("{row:24} not supported by the driver");
            continue;
        };
        let run = program.record(gpu, scene, [&input, &hits], rays.len() as u32);
        let rate = options.rate(rays.len(), || gpu.submit(run));
        let count = hits.read::<[f32; 2]>().iter().filter(|hit| hit[0] >= 0.0).count();
        println!("{row:24} {rate}   {count} of {} hit", rays.len());
    }
}

/// Creation of ray tracing pipelines with few and with many hit groups: thousands of hit groups per second.
fn groups(gpu: &Gpu, options: &Options) {
    for count in [16, 1000] {
        let row = format!("{count} hit_groups");
        if !options.selects(&row) {
            continue;
        }
        let Some(program) = programs::Program::new(gpu, programs::Kind::Pipeline, programs::What::Closest)
        else {
            println!("{row:24} not supported by the driver");
            continue;
        };
        println!("{row:24} {}   thousands", options.rate(1000 * count, program.creation(gpu, count)));
    }
}

fn main() {
    let options = Options::parse();
    let gpu = Gpu::new();
    println!("{}\n{:24} {:>9} {:>9}", gpu.name(), "", "M/s", "M/CPU s");
    groups(&gpu, &options);
    for (name, count) in SCENES {
        let of_another =
            |row: &String| SCENES.iter().any(|(other, _)| *other != name && row.starts_with(other));
        if !options.rows.is_empty() && options.rows.iter().all(of_another) {
            continue;
        }
        let positions = scene::triangles(count);
        builds(&gpu, &options, name, &positions);
        let [primary, shadow, diffuse] = scene::rays(&on_host(&positions), RAYS);
        let opaque = Structure::scene(&gpu, &Shape::opaque(&positions));
        for (what, rays) in [("primary", &primary), ("diffuse", &diffuse)] {
            trace(&gpu, &options, &format!("{name} {what}"), &opaque, programs::What::Closest, rays);
        }
        trace(&gpu, &options, &format!("{name} shadow"), &opaque, programs::What::Any, &shadow);
        drop(opaque);
        let shape = Shape { opaque: false, ..Shape::opaque(&positions) };
        let sieve = Structure::scene(&gpu, &shape);
        trace(&gpu, &options, &format!("{name} alpha"), &sieve, programs::What::Alpha, &primary);
        drop(sieve);
        if count <= MOST_SPHERES {
            let spheres = Structure::scene(&gpu, &Shape { spheres: true, ..Shape::opaque(&positions) });
            trace(&gpu, &options, &format!("{name} spheres"), &spheres, programs::What::Spheres, &primary);
        }
    }
}
