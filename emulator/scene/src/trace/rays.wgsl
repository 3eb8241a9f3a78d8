// Rays through the scene.

struct Hit {
    found: bool,
    t: f32,
    instance: u32,
    primitive: u32,
    barycentrics: vec2f,
    world: mat4x3f,
}

// The nearest surface. Partial coverage is decided at random.
fn nearest(origin: vec3f, direction: vec3f, range: vec2f, flags: u32) -> Hit {
    var query: ray_query;
    rayQueryInitialize(&query, scene, RayDesc(flags, 0xffu, range.x, range.y, origin, direction));
    while rayQueryProceed(&query) {
        let candidate = rayQueryGetCandidateIntersection(&query);
        let part = coverage(candidate.instance_custom_data, candidate.primitive_index, candidate.barycentrics);
        if random_at(candidate.instance_index, candidate.primitive_index) < part {
            rayQueryConfirmIntersection(&query);
        }
    }
    let found = rayQueryGetCommittedIntersection(&query);
    var hit: Hit;
    hit.found = found.kind == RAY_QUERY_INTERSECTION_TRIANGLE;
    if hit.found {
        hit.t = found.t;
        hit.instance = found.instance_custom_data;
        hit.primitive = found.primitive_index;
        hit.barycentrics = found.barycentrics;
        hit.world = found.object_to_world;
    }
    return hit;
}

// The nearest instance that the camera sees and that covers at least half of its place, or NONE.
fn first_covered(origin: vec3f, direction: vec3f, range: vec2f) -> u32 {
    var query: ray_query;
    rayQueryInitialize(&query, scene, RayDesc(RAY_FLAG_CULL_BACK_FACING, 0xffu, range.x, range.y, origin, direction));
    while rayQueryProceed(&query) {
        let candidate = rayQueryGetCandidateIntersection(&query);
        let part = coverage(candidate.instance_custom_data, candidate.primitive_index, candidate.barycentrics);
        if part >= 0.5 {
            rayQueryConfirmIntersection(&query);
        }
    }
    let found = rayQueryGetCommittedIntersection(&query);
    return select(NONE, found.instance_custom_data, found.kind == RAY_QUERY_INTERSECTION_TRIANGLE);
}

// True if nothing is between a point and another one at a distance.
fn is_free(origin: vec3f, direction: vec3f, distance: f32) -> bool {
    var query: ray_query;
    rayQueryInitialize(&query, scene, RayDesc(RAY_FLAG_TERMINATE_ON_FIRST_HIT, 0xffu, 0.0, distance, origin, direction));
    while rayQueryProceed(&query) {
        let candidate = rayQueryGetCandidateIntersection(&query);
        let part = coverage(candidate.instance_custom_data, candidate.primitive_index, candidate.barycentrics);
        if random_at(candidate.instance_index, candidate.primitive_index) < part {
            rayQueryConfirmIntersection(&query);
        }
    }
    return rayQueryGetCommittedIntersection(&query).kind == RAY_QUERY_INTERSECTION_NONE;
}

// A point beside a surface, outside of the rounding error of its position: Waechter and Binder, "A Fast and Robust Method
// for Avoiding Self-Intersection".
fn beside(position: vec3f, normal: vec3f) -> vec3f {
    let steps = vec3i(256.0 * normal);
    let moved = bitcast<vec3f>(bitcast<vec3i>(position) + select(steps, -steps, position < vec3f(0.0)));
    return select(moved, position + normal / 65536.0, abs(position) < vec3f(1.0 / 32.0));
}
