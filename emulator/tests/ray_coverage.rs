//! Coverage of shaders of ray tracing pipelines, with known counts, on one and on several threads.
#![cfg(feature = "glsl")]

#[allow(dead_code, reason = "coverage needs only part of the programs")]
mod rays;

use std::sync::Arc;

use quadrille::*;
use quadrille_profile::Recorder;
use rays::{Placed, Program, scene, triangles};

const RAYGEN: &str = "layout(location = 0) rayPayloadEXT uint payload;
void main() {
    vec3 from = vec3(0.25 + 2.0 * float(gl_LaunchIDEXT.x % 3u), 0.25, 1.0);
    payload = 0u;
    traceRayEXT(scene, 0u, 0xff, 0, 0, 0, from, 0.0, vec3(0, 0, -1), 10.0, 0);
    results[gl_LaunchIDEXT.x] = payload;
}";

/// The closest-hit shader, whose lines come after those of the other one, since both files have one name.
const HIT: &str = "#line 11
layout(location = 0) rayPayloadInEXT uint payload;
void main() {
    payload = 1u;
    if (gl_PrimitiveID == 1) {
        payload = 2u;
    }
    if (gl_PrimitiveID == 7) {
        payload = 3u;
    }
}";

#[test]
fn lines_of_closest_hit_shaders_are_counted() {
    for threads in [1, 4] {
        let recorder = Arc::new(Recorder::new());
        let watch = Some(Watching::new(recorder.clone()));
        let device = Device::new(DeviceOptions { threads, watch, ..DeviceOptions::default() }).unwrap();
        let program = Program {
            shaders: &[(Stage::RayGeneration, RAYGEN), (Stage::ClosestHit, HIT)],
            groups: &[
                ShaderGroup::General(0),
                ShaderGroup::Triangles { closest_hit: Some(1), any_hit: None },
            ],
            hit: vec![(Some(1), vec![])],
            size: [30, 1, 1],
            ..Program::default()
        };
        // Rays over triangle 0, over triangle 1, and over nothing.
        let at = |x: f32| [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0]];
        let level = triangles(&device, &[vec![at(0.0), at(2.0)]], true);
        let results = program.run(&device, &scene(&device, &[Placed::new(level)]));
        assert_eq!(results[..6], [1, 2, 0, 1, 2, 0]);
        let coverage = recorder.coverage();
        let count = |line: u32| coverage.files.values().filter_map(|f| f.lines.get(&line)).sum::<u64>();
        assert_eq!([3, 5, 6].map(count), [30; 3]);
        // Hits of the 20 rays: all, those of triangle 1, none.
        assert_eq!([13, 14, 15, 17, 18].map(count), [20, 20, 10, 20, 0]);
    }
}
