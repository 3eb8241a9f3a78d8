//! Speed of building, updating and tracing on one thread, for scenes of a thousand to five million triangles.
//!
//! Throughput counts triangles and rays. The CPU time of the thread is measured, so that other programs disturb little.
//! Structures of each quality are traced by primary rays, shadow rays and diffuse bounces, whose hits are opaque; `confirm` traces primary
//! rays whose every hit is a candidate that is confirmed. If the machine has Embree 4 (`libembree4.so.4`), it builds
//! and traces the same on one thread, and its hits are compared.

#[path = "rays/embree.rs"]
mod embree;
mod scene;

use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput};
use embree::Embree;
use quadrille_rays::*;

/// Scenes, by name and number of triangles.
const SCENES: [(&str, usize); 3] = [("1k", 1000), ("250k", 250_000), ("5m", 5_000_000)];
const QUALITIES: [(&str, Quality); 3] =
    [("fast_build", Quality::FastBuild), ("balanced", Quality::Balanced), ("fast_trace", Quality::FastTrace)];
/// Rays of a measurement.
const RAYS: usize = 1 << 16;

fn geometry(positions: &[Point], opaque: bool) -> Geometry<'_> {
    let triangles = Triangles { positions, indices: None, transform: None };
    Geometry { primitives: Primitives::Triangles(triangles), opaque, no_duplicates: false, opacity: None }
}

fn build(positions: &[Point], quality: Quality) -> BottomLevel {
    let options = BuildOptions { quality, allow_update: true };
    BottomLevel::build(&[geometry(positions, true)], options).expect("the scene is valid")
}

/// CPU time of the thread.
fn thread_time() -> Duration {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(t.tv_sec as u64, t.tv_nsec as u32)
}

/// Measures the CPU time of a function.
fn measure(group: &mut BenchmarkGroup<'_, WallTime>, id: BenchmarkId, mut f: impl FnMut()) {
    group.bench_function(id, |b| {
        b.iter_custom(|rounds| {
            let start = thread_time();
            (0..rounds).for_each(|_| f());
            thread_time() - start
        });
    });
}

fn building(c: &mut Criterion, name: &str, positions: &[Point]) {
    let mut group = c.benchmark_group("build");
    group.throughput(Throughput::Elements(positions.len() as u64 / 3)).sample_size(10);
    for (quality_name, quality) in QUALITIES {
        let id = BenchmarkId::new(quality_name, name);
        measure(&mut group, id, || drop(build(black_box(positions), quality)));
    }
    let structure = build(positions, Quality::Balanced);
    let geometries = [geometry(positions, true)];
    measure(&mut group, BenchmarkId::new("update", name), || drop(black_box(structure.update(&geometries))));
    group.finish();
}

fn tracing(c: &mut Criterion, name: &str, positions: &[Point]) {
    let mut sets = None;
    for (quality_name, quality) in QUALITIES {
        let instance = Instance::new(Arc::new(build(positions, quality)));
        let top = TopLevel::build(&[instance], BuildOptions::default()).expect("the scene is valid");
        let [primary, shadow, diffuse] = sets.get_or_insert_with(|| scene::rays(&top, RAYS));
        let mut group = c.benchmark_group(format!("trace_{quality_name}"));
        let mut query = RayQuery::default();
        let mut trace_all = |row: &str, rays: &[Ray], trace: &mut dyn FnMut(&mut RayQuery, &Ray)| {
            group.throughput(Throughput::Elements(rays.len() as u64)).sample_size(20);
            let id = BenchmarkId::new(row, name);
            measure(&mut group, id, || rays.iter().for_each(|ray| trace(&mut query, ray)));
        };
        let mut closest = |query: &mut RayQuery, ray: &Ray| {
            black_box(query.closest(&top, ray, RayFlags::NONE, 0xff));
        };
        trace_all("primary", primary, &mut closest);
        trace_all("diffuse", diffuse, &mut closest);
        trace_all("shadow", shadow, &mut |query, ray| {
            black_box(query.any(&top, ray, RayFlags::NONE, 0xff));
        });
        trace_all("confirm", primary, &mut |query, ray| {
            query.initialize(ray, RayFlags::NO_OPAQUE, 0xff);
            while query.proceed(&top) {
                query.confirm();
            }
            black_box(query.committed());
        });
        group.finish();
        side_by_side(c, quality_name, name, &top, [primary, diffuse, shadow]);
    }
}

/// Traces the same rays in groups of 16, as shaders do.
fn side_by_side(c: &mut Criterion, quality: &str, name: &str, top: &TopLevel, sets: [&Vec<Ray>; 3]) {
    let mut group = c.benchmark_group(format!("trace_{quality}"));
    let mut queries: [RayQuery; 16] = std::array::from_fn(|_| RayQuery::default());
    for (row, rays, flags) in [
        ("primary_groups", sets[0], RayFlags::OPAQUE),
        ("diffuse_groups", sets[1], RayFlags::OPAQUE),
        ("shadow_groups", sets[2], RayFlags::OPAQUE | RayFlags::TERMINATE_ON_FIRST_HIT),
    ] {
        group.throughput(Throughput::Elements(rays.len() as u64)).sample_size(20);
        measure(&mut group, BenchmarkId::new(row, name), || {
            for rays in rays.chunks(queries.len()) {
                let mut started: Vec<&mut RayQuery> = Vec::with_capacity(rays.len());
                for (query, ray) in queries.iter_mut().zip(rays) {
                    query.initialize(ray, flags, 0xff);
                    started.push(query);
                }
                black_box(RayQuery::proceed_all(&mut started, top));
                started.iter().for_each(|query| _ = black_box(query.committed()));
            }
        });
    }
    group.finish();
}

/// Builds and traces the same with Embree.
fn compared(c: &mut Criterion, embree: &Embree, name: &str, positions: &[Point]) {
    let top = TopLevel::build(
        &[Instance::new(Arc::new(build(positions, Quality::FastTrace)))],
        BuildOptions::default(),
    );
    let top = top.expect("the scene is valid");
    let [primary, shadow, diffuse] = scene::rays(&top, RAYS);
    for (quality_name, quality) in embree::QUALITIES {
        let mut group = c.benchmark_group("build");
        group.throughput(Throughput::Elements(positions.len() as u64 / 3)).sample_size(10);
        measure(&mut group, BenchmarkId::new(quality_name, name), || {
            drop(embree.build(black_box(positions), quality))
        });
        group.finish();
        let scene = embree.build(positions, quality);
        agree(&top, &scene, &diffuse);
        let mut group = c.benchmark_group(format!("trace_{quality_name}"));
        let mut trace_all = |row: &str, rays: &[Ray], trace: &mut dyn FnMut(&Ray)| {
            group.throughput(Throughput::Elements(rays.len() as u64)).sample_size(20);
            measure(&mut group, BenchmarkId::new(row, name), || rays.iter().for_each(&mut *trace));
        };
        let mut closest = |ray: &Ray| _ = black_box(scene.closest(ray));
        trace_all("primary", &primary, &mut closest);
        trace_all("diffuse", &diffuse, &mut closest);
        trace_all("shadow", &shadow, &mut |ray| _ = black_box(scene.any(ray)));
        group.finish();
    }
}

/// Checks that all rays but one in a thousand, which pass edges, hit at the same distance.
fn agree(top: &TopLevel, scene: &embree::Scene<'_>, rays: &[Ray]) {
    let mut query = RayQuery::default();
    let same = |ray: &&Ray| match (query.closest(top, ray, RayFlags::NONE, 0xff), scene.closest(ray)) {
        (Some(ours), Some(theirs)) => (ours.t - theirs).abs() <= 1e-4 * theirs.abs().max(0.01),
        (ours, theirs) => ours.is_none() && theirs.is_none(),
    };
    let agreeing = rays.iter().filter(same).count();
    assert!(agreeing * 1000 >= rays.len() * 999, "{agreeing} of {} rays agree with Embree", rays.len());
}

fn main() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
    pool.expect("one thread").install(|| {
        let embree = Embree::load();
        let mut c = Criterion::default()
            .measurement_time(Duration::from_secs(2))
            .warm_up_time(Duration::from_millis(300))
            .configure_from_args();
        for (name, count) in SCENES {
            let positions = scene::triangles(count);
            building(&mut c, name, &positions);
            tracing(&mut c, name, &positions);
            if let Some(embree) = &embree {
                compared(&mut c, embree, name, &positions);
            }
        }
        c.final_summary();
    });
}
