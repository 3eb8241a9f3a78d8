//! Ray queries in WGSL, as wgpu's shaders write them.

use quadrille::{Device, DeviceOptions, ShaderTest};

/// Casts a ray at each cell of a grid over [0, 1]² from z = 1 downwards.
const GRID: &str = "
    enable wgpu_ray_query;
    @group(0) @binding(0) var scene: acceleration_structure;
    @group(0) @binding(1) var<storage, read_write> hits: array<vec4f>;
    @compute @workgroup_size(8, 8)
    fn main(@builtin(global_invocation_id) id: vec3u) {
        let at = (vec2f(id.xy) + 0.5) / 8.0;
        var query: ray_query;
        rayQueryInitialize(&query, scene, RayDesc(0u, 0xffu, 0.0, 10.0, vec3f(at, 1.0), vec3f(0.0, 0.0, -1.0)));
        while rayQueryProceed(&query) {}
        let hit = rayQueryGetCommittedIntersection(&query);
        var found = vec4f(-1.0);
        if hit.kind == RAY_QUERY_INTERSECTION_TRIANGLE {
            found = vec4f(hit.t, f32(hit.primitive_index), hit.barycentrics);
        }
        hits[id.y * 8u + id.x] = found;
    }";

#[test]
fn committed_intersections_of_triangles() {
    // The lower left half of the unit square at z = 0.5, and the upper right half at z = -1.
    let scene = [
        [[0.0, 0.0, 0.5], [1.0, 0.0, 0.5], [0.0, 1.0, 0.5]],
        [[1.0, 1.0, -1.0], [0.0, 1.0, -1.0], [1.0, 0.0, -1.0]],
    ];
    for interp in [false, true] {
        let device = Device::new(DeviceOptions { interp, ..DeviceOptions::default() }).unwrap();
        let test = ShaderTest::wgsl(GRID).unwrap().on(&device).triangles(0, 0, &scene, true);
        let run = test.bind_zeros::<[f32; 4]>(0, 1, 64).dispatch([1, 1, 1]).unwrap();
        for (i, hit) in run.read::<[f32; 4]>(0, 1).unwrap().into_iter().enumerate() {
            let (x, y) = ((i % 8) as f32 / 8.0 + 0.0625, (i / 8) as f32 / 8.0 + 0.0625);
            // The diagonal belongs to both halves; the first is nearer.
            let want = if x + y <= 1.0 { [0.5, 0.0, x, y] } else { [2.0, 1.0, 1.0 - x, 1.0 - y] };
            assert_eq!(hit, want, "cell {i}");
        }
    }
}
