//! Ray tracing pipelines: every stage and instruction, in the interpreter and in generated code, on one and on several
//! threads, with vectors of every width.

#![cfg(feature = "glsl")]

mod rays;

use quadrille::rays::AccelerationStructure;
use quadrille::*;
use rays::{Placed, Program, boxes, devices, floats, scene, triangles};

/// Casts a ray at each cell of a grid of 8x8 over [0, 1]² from z = 1 downwards.
const GRID: &str = "
    layout(location = 0) rayPayloadEXT vec4 payload;
    void main() {
        vec2 at = (vec2(gl_LaunchIDEXT.xy) + 0.5) / vec2(gl_LaunchSizeEXT.xy);
        payload = vec4(9, 9, 9, 0);
        traceRayEXT(scene, 0u, 0xff, 0, 0, 0, vec3(at, 1.0), 0.0, vec3(0, 0, -1), 10.0, 0);
        uint cell = gl_LaunchIDEXT.y * gl_LaunchSizeEXT.x + gl_LaunchIDEXT.x;
        for (int c = 0; c < 4; c++) put(cell * 4 + c, payload[c]);
    }";

const MISS: &str = "
    layout(location = 0) rayPayloadInEXT vec4 payload;
    void main() { payload.xyz = vec3(-1.0); }";

const HIT: &str = "
    layout(location = 0) rayPayloadInEXT vec4 payload;
    hitAttributeEXT vec2 weights;
    void main() { payload.xyz = vec3(gl_HitTEXT, float(gl_PrimitiveID), weights.x); }";

/// Any-hit: counts its invocations, and ignores triangle 1.
const SIEVE: &str = "
    layout(location = 0) rayPayloadInEXT vec4 payload;
    void count() { payload.w += 1.0; }
    void main() {
        count();
        if (gl_PrimitiveID == 1) ignoreIntersectionEXT;
    }";

const fn triangle_group(closest_hit: usize) -> ShaderGroup {
    ShaderGroup::Triangles { closest_hit: Some(closest_hit), any_hit: None }
}

/// The lower left half of the unit square at z = 0 and at z = 0.5, the upper right half at z = -1.
fn halves(device: &Device, opaque: bool) -> AccelerationStructure {
    let lower = |z: f32| [[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]];
    let upper = |z: f32| [[1.0, 1.0, z], [0.0, 1.0, z], [1.0, 0.0, z]];
    let level = triangles(device, &[vec![lower(0.0), lower(0.5), upper(-1.0)]], opaque);
    scene(device, &[Placed::new(level)])
}

/// Cells of the grid, with the horizontal position of their centres, and whether they lie in the lower left half.
fn cells() -> impl Iterator<Item = (usize, f32, bool)> {
    (0..64).map(|i| {
        let [x, y] = [i % 8, i / 8].map(|n| n as f32 / 8.0 + 0.0625);
        (i, x, x + y <= 1.0)
    })
}

#[test]
fn rays_hit_triangles_or_miss() {
    let program = Program {
        shaders: &[(Stage::RayGeneration, GRID), (Stage::Miss, MISS), (Stage::ClosestHit, HIT)],
        groups: &[ShaderGroup::General(0), ShaderGroup::General(1), triangle_group(2)],
        miss: vec![(Some(1), vec![])],
        hit: vec![(Some(2), vec![])],
        size: [8, 8, 1],
        words: 256,
        ..Program::default()
    };
    let hits = floats(&program.everywhere(|device| halves(device, true)));
    for (i, x, lower) in cells() {
        let want = if lower { [0.5, 1.0, x, 0.0] } else { [2.0, 2.0, 1.0 - x, 0.0] };
        assert_eq!(hits[4 * i..4 * i + 4], want, "cell {i}");
    }
    // An empty scene.
    let misses = floats(&program.everywhere(|device| scene(device, &[])));
    assert!(misses.chunks(4).all(|cell| cell == [-1.0, -1.0, -1.0, 0.0]));
}

#[test]
fn any_hit_shaders_ignore_and_count() {
    let program = |sieve: &'static str| {
        let shaders = [
            (Stage::RayGeneration, GRID),
            (Stage::Miss, MISS),
            (Stage::ClosestHit, HIT),
            (Stage::AnyHit, sieve),
        ];
        let program = Program {
            shaders: &shaders,
            groups: &[
                ShaderGroup::General(0),
                ShaderGroup::General(1),
                ShaderGroup::Triangles { closest_hit: Some(2), any_hit: Some(3) },
            ],
            miss: vec![(Some(1), vec![])],
            hit: vec![(Some(2), vec![])],
            size: [8, 8, 1],
            words: 256,
            ..Program::default()
        };
        floats(&program.everywhere(|device| halves(device, false)))
    };
    let hits = program(SIEVE);
    for (i, x, lower) in cells() {
        let want = if lower { [1.0, 0.0, x] } else { [2.0, 2.0, 1.0 - x] };
        assert_eq!(hits[4 * i..4 * i + 3], want, "cell {i}");
        assert!((1.0..=3.0).contains(&hits[4 * i + 3]), "cell {i}");
    }
    // Of two triangles behind each other, the first one that is found ends the ray.
    let ended = SIEVE.replace("if (gl_PrimitiveID == 1) ignoreIntersectionEXT;", "terminateRayEXT;");
    for (i, hit) in program(ended.leak()).chunks(4).enumerate() {
        assert_eq!(hit[3], 1.0, "cell {i}");
        assert!(hit[0] > 0.0);
    }
}

/// Spheres in boxes: the intersection shader reports both intersections of a sphere of radius 1 around the origin of its
/// object, with the normal and its kind.
const SPHERE: &str = "
    hitAttributeEXT vec3 normal;
    void main() {
        vec3 o = gl_ObjectRayOriginEXT, d = gl_ObjectRayDirectionEXT;
        float a = dot(d, d), b = dot(o, d), c = dot(o, o) - 1.0;
        float q = b * b - a * c;
        if (q < 0.0) return;
        for (int k = 0; k < 2; k++) {
            float t = (-b + (k == 0 ? -sqrt(q) : sqrt(q))) / a;
            normal = o + t * d;
            float before = gl_RayTmaxEXT;
            bool kept = reportIntersectionEXT(t, 10u + uint(k));
            if (kept != (gl_RayTmaxEXT < before)) results[511] = 1u;
        }
    }";

const SPHERE_HIT: &str = "
    layout(location = 0) rayPayloadInEXT vec4 payload;
    hitAttributeEXT vec3 normal;
    void main() { payload = vec4(gl_HitTEXT, normal.x, normal.z, float(gl_HitKindEXT)); }";

/// Any-hit of spheres: ignores front sides of instance 1.
const HOLLOW: &str = "
    layout(location = 0) rayPayloadInEXT vec4 payload;
    hitAttributeEXT vec3 normal;
    void main() { if (gl_InstanceCustomIndexEXT == 1 && gl_HitKindEXT == 10u) ignoreIntersectionEXT; }";

/// Also with lane groups that are smaller and larger than those of the shader that traces.
#[test]
fn intersection_shaders_report_hits_in_boxes() {
    let sizes =
        [Stage::Intersection, Stage::AnyHit, Stage::ClosestHit].map(|stage| [(stage, 4), (stage, 16)]);
    let sizes = std::iter::once(None).chain(sizes.into_iter().flatten().map(Some));
    for (lanes, opaque) in sizes.flat_map(|lanes| [(lanes, true), (lanes, false)]) {
        let program = Program {
            shaders: &[
                (Stage::RayGeneration, GRID),
                (Stage::Miss, MISS),
                (Stage::ClosestHit, SPHERE_HIT),
                (Stage::Intersection, SPHERE),
                (Stage::AnyHit, HOLLOW),
            ],
            lanes,
            groups: &[
                ShaderGroup::General(0),
                ShaderGroup::General(1),
                ShaderGroup::Procedural { intersection: 3, closest_hit: Some(2), any_hit: Some(4) },
            ],
            miss: vec![(Some(1), vec![])],
            hit: vec![(Some(2), vec![])],
            size: [8, 8, 1],
            words: 512,
            ..Program::default()
        };
        let words = program.everywhere(|device| {
            let level = boxes(device, &[[-1.0, -1.0, -1.0, 1.0, 1.0, 1.0]], opaque);
            // A sphere of radius 0.5 in the left half, and one in the right half.
            let at = |x: f32, custom_index| Placed {
                scale: 0.25,
                at: [x, 0.5, -2.0],
                custom_index,
                ..Placed::new(level.clone())
            };
            scene(device, &[at(0.25, 0), at(0.75, 1)])
        });
        assert_eq!(words[511], 0, "reports agree with the t maximum");
        let hits = floats(&words);
        for (i, x, _) in cells() {
            let y = (i / 8) as f32 / 8.0 + 0.0625;
            let (center, hollow) = if x < 0.5 { (0.25, false) } else { (0.75, !opaque) };
            let (u, v) = ((x - center) / 0.25, (y - 0.5) / 0.25);
            let q = 1.0 - u * u - v * v;
            let hit = &hits[4 * i..4 * i + 4];
            if q < 0.0 {
                assert_eq!(hit, [-1.0, -1.0, -1.0, 0.0], "cell {i}");
                continue;
            }
            let z = if hollow { -q.sqrt() } else { q.sqrt() };
            let want = [3.0 - 0.25 * z, u, z, if hollow { 11.0 } else { 10.0 }];
            for (got, want) in hit.iter().zip(want) {
                assert!((got - want).abs() < 1e-4, "cell {i}: {hit:?}, wanted {want:?}");
            }
        }
    }
}

/// Two mirrors, at z = 0 and z = 1, between which a ray bounces until the recursion depth is reached.
#[test]
fn recursion_ends_at_the_depth_of_the_pipeline() {
    let raygen = "
        layout(location = 0) rayPayloadEXT uvec2 payload;
        void main() {
            payload = uvec2(0, gl_LaunchIDEXT.x);
            traceRayEXT(scene, 0u, 0xff, 0, 0, 0, vec3(0.25, 0.25, 0.5), 0.001, vec3(0, 0, -1), 10.0, 0);
            results[2 * gl_LaunchIDEXT.x] = payload.x;
            results[2 * gl_LaunchIDEXT.x + 1] = payload.y;
        }";
    let mirror = "
        layout(location = 0) rayPayloadInEXT uvec2 payload;
        layout(location = 1) rayPayloadEXT uvec2 next;
        void main() {
            vec3 at = gl_WorldRayOriginEXT + gl_HitTEXT * gl_WorldRayDirectionEXT;
            next = uvec2(payload.x + 1u, payload.y * 3u);
            traceRayEXT(scene, 0u, 0xff, 0, 0, 0, at, 0.001, -gl_WorldRayDirectionEXT, 10.0, 1);
            payload = next;
        }";
    for depth in [1, 4, LIMITS.max_ray_recursion_depth] {
        let program = Program {
            shaders: &[(Stage::RayGeneration, raygen), (Stage::ClosestHit, mirror)],
            groups: &[ShaderGroup::General(0), triangle_group(1)],
            depth,
            hit: vec![(Some(1), vec![])],
            size: [11, 1, 1],
            ..Program::default()
        };
        let results = program.everywhere(|device| {
            let mirror = |z: f32| [[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]];
            scene(device, &[Placed::new(triangles(device, &[vec![mirror(0.0), mirror(1.0)]], true))])
        });
        let power = 3u32.wrapping_pow(depth);
        for (i, result) in results.chunks(2).take(11).enumerate() {
            assert_eq!(result, [depth, (i as u32).wrapping_mul(power)], "invocation {i} of depth {depth}");
        }
    }
}

#[test]
fn callable_shaders_call_callable_shaders() {
    let raygen = "
        struct Data { uint n; bool odd; uint8_t small; double wide; float16_t half_; };
        layout(location = 3) callableDataEXT Data data;
        void main() {
            uint i = gl_LaunchIDEXT.x;
            data.n = i; data.odd = i % 2u == 1u; data.small = uint8_t(200); data.wide = 0.1lf; data.half_ = float16_t(0.5);
            executeCallableEXT(i % 4u, 3);
            results[i * 4] = data.n;
            results[i * 4 + 1] = uint(data.odd) + uint(data.small) * 2u;
            results[i * 4 + 2] = uint(data.wide == 0.1lf + double(i % 4u));
            put(i * 4 + 3, float(data.half_));
        }";
    // Callable 0 and 1 change the data; 2 calls the one that its record names; 3 is null.
    let change = "
        struct Data { uint n; bool odd; uint8_t small; double wide; float16_t half_; };
        layout(shaderRecordEXT) buffer Record { uint add; };
        layout(location = 0) callableDataInEXT Data data;
        void main() {
            data.n += add; data.odd = !data.odd; data.small += uint8_t(100); data.wide += double(add % 10u); data.half_ *= float16_t(3.0);
        }";
    let relay = "
        struct Data { uint n; bool odd; uint8_t small; double wide; float16_t half_; };
        layout(shaderRecordEXT) buffer Record { uint index; };
        layout(location = 0) callableDataInEXT Data data;
        void main() { data.wide += 1.0lf; executeCallableEXT(index, 0); }";
    let program = Program {
        shaders: &[(Stage::RayGeneration, raygen), (Stage::Callable, change), (Stage::Callable, relay)],
        groups: &[ShaderGroup::General(0), ShaderGroup::General(1), ShaderGroup::General(2)],
        callable: vec![(Some(1), vec![1000]), (Some(1), vec![2001]), (Some(2), vec![1]), (None, vec![])],
        size: [13, 1, 1],
        ..Program::default()
    };
    let results = program.everywhere(|device| scene(device, &[]));
    for (i, result) in results.chunks(4).take(13).enumerate() {
        let i = i as u32;
        let (add, calls) = [(1000, 1), (2001, 1), (2001, 1), (0, 0)][i as usize % 4];
        let odd = (i + calls) % 2;
        let small = (200 + 100 * calls) % 256;
        let half = if calls == 1 { 1.5f32 } else { 0.5 };
        // Wide values grow by the last digit of what is added, and by 1 in the relay.
        let wide = u32::from(i % 4 != 3);
        assert_eq!(result, [i + add, odd + 2 * small, wide, half.to_bits()], "invocation {i}");
    }
}

/// Spec: Vulkan, "Ray Tracing Pipeline Stack": nothing else limits the nesting of callable shaders.
#[test]
fn callable_shaders_nest_as_deeply_as_the_stack_allows() {
    let raygen = "layout(location = 0) callableDataEXT uvec2 data;
        void main() { data = uvec2(100u, 0u); executeCallableEXT(0u, 0); results[0] = data.y; }";
    let down = "layout(location = 0) callableDataInEXT uvec2 data;
        void main() { data.y++; if (--data.x > 0u) executeCallableEXT(0u, 0); }";
    let program = Program {
        shaders: &[(Stage::RayGeneration, raygen), (Stage::Callable, down)],
        groups: &[ShaderGroup::General(0), ShaderGroup::General(1)],
        callable: vec![(Some(1), vec![])],
        ..Program::default()
    };
    for device in devices() {
        let ready = program.ready(&device, &scene(&device, &[]));
        let of = |group| ready.pipeline.group_stack_bytes(group, GroupShader::General).unwrap() as u32;
        for (depth, want) in [(0, 31..=31), (50, 50..=51), (120, 100..=100)] {
            ready.run(&[], |commands| {
                commands.set_ray_tracing_stack_size(of(0) + depth * of(1));
                commands.trace_rays(&ready.tables, [1; 3]);
            });
            let got = ready.results(1)[0];
            assert!(want.contains(&got), "{got} nested shaders instead of {want:?}");
        }
    }
}

#[test]
fn records_hold_data_and_offsets_select_them() {
    let raygen = "
        layout(shaderRecordEXT) buffer Record { uint of[3]; } record;
        layout(location = 0) rayPayloadEXT uint payload;
        void main() {
            // Offset 1 and stride 2 of hit groups; miss shader 1.
            vec3 from = vec3(0.25 + float(gl_LaunchIDEXT.x), 0.25, 1.0);
            payload = record.of[gl_LaunchIDEXT.x % 3u];
            traceRayEXT(scene, 0u, 0xff, 1, 2, 1, from, 0.0, vec3(0, 0, -1), 10.0, 0);
            results[gl_LaunchIDEXT.x] = payload;
        }";
    let add = "
        layout(shaderRecordEXT) buffer Record { uint zero; uint add; };
        layout(location = 0) rayPayloadInEXT uint payload;
        void main() { payload += add + zero; }";
    let program = Program {
        shaders: &[(Stage::RayGeneration, raygen), (Stage::Miss, add), (Stage::ClosestHit, add)],
        groups: &[ShaderGroup::General(0), ShaderGroup::General(1), triangle_group(2)],
        raygen: (Some(0), vec![1, 2, 3]),
        miss: vec![(Some(1), vec![0, 7]), (Some(1), vec![0, 100])],
        hit: (0..8).map(|k| (Some(2), vec![0, 1000 * (k + 1)])).collect(),
        size: [6, 1, 1],
        ..Program::default()
    };
    let results = program.everywhere(|device| {
        let at = |x: f32| vec![[[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0]]];
        let two = triangles(device, &[at(0.0), at(1.0)], true);
        let instance =
            |x: f32, record_offset| Placed { at: [x, 0.0, 0.0], record_offset, ..Placed::new(two.clone()) };
        scene(device, &[instance(0.0, 0), instance(2.0, 3)])
    });
    // Record: offset of the instance, plus twice the geometry, plus 1.
    let add = [2000, 4000, 5000, 7000, 100, 100];
    let want: Vec<u32> = (0..6).map(|i| i % 3 + 1 + add[i as usize]).collect();
    assert_eq!(results[..6], want);
}

/// Tells everything that a shader can know of its ray and hit.
#[test]
fn shaders_read_everything_of_a_ray_and_its_hit() {
    let raygen = "
        layout(location = 0) rayPayloadEXT uint payload;
        void main() {
            payload = gl_LaunchIDEXT.z * 128u;
            vec3 from = vec3(gl_LaunchIDEXT.z == 0u ? 0.5 : 50.0, 0.5, 5.0);
            traceRayEXT(scene, gl_RayFlagsNoOpaqueEXT, 0x1f3, 0, 0, 0, from, 0.5, vec3(0, 0, -2), 100.0, 0);
        }";
    let ray = "
        layout(location = 0) rayPayloadInEXT uint payload;
        void next(float x) { put(payload++, x); }
        void next(vec3 v) { next(v.x); next(v.y); next(v.z); }
        void next(mat4x3 m) { for (int c = 0; c < 4; c++) next(m[c]); }
        void ray() {
            next(vec3(gl_LaunchIDEXT)); next(vec3(gl_LaunchSizeEXT));
            next(gl_WorldRayOriginEXT); next(gl_WorldRayDirectionEXT);
            next(gl_RayTminEXT); next(gl_RayTmaxEXT);
            next(float(gl_IncomingRayFlagsEXT)); next(float(gl_CullMaskEXT));
        }";
    let hit = "
        void hit() {
            ray();
            next(vec3(gl_PrimitiveID, gl_InstanceID, gl_InstanceCustomIndexEXT)); next(float(gl_GeometryIndexEXT));
            next(gl_ObjectRayOriginEXT); next(gl_ObjectRayDirectionEXT);
            next(gl_HitTEXT); next(float(gl_HitKindEXT));
            next(gl_ObjectToWorldEXT); next(gl_WorldToObjectEXT);
            for (int v = 0; v < 3; v++) next(gl_HitTriangleVertexPositionsEXT[v]);
        }";
    let miss = format!("{ray} void main() {{ ray(); }}");
    let any = format!("{ray}{hit} void main() {{ hit(); payload -= 61u; }}");
    let closest = format!("{ray}{hit} void main() {{ payload += 61u; hit(); }}");
    let program = Program {
        shaders: &[
            (Stage::RayGeneration, raygen),
            (Stage::Miss, &miss),
            (Stage::ClosestHit, &closest),
            (Stage::AnyHit, &any),
        ],
        groups: &[
            ShaderGroup::General(0),
            ShaderGroup::General(1),
            ShaderGroup::Triangles { closest_hit: Some(2), any_hit: Some(3) },
        ],
        miss: vec![(Some(1), vec![])],
        hit: vec![(Some(2), vec![])],
        size: [1, 1, 2],
        words: 256,
        ..Program::default()
    };
    let triangle = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let results = floats(&program.everywhere(|device| {
        let level = triangles(device, &[vec![[[-9.0; 3]; 3]], vec![[[-9.0; 3]; 3], triangle]], true);
        let far = Placed { at: [0.0, 0.0, 90.0], ..Placed::new(level.clone()) };
        let placed = Placed { scale: 2.0, at: [0.0, 0.0, -1.0], custom_index: 77, ..Placed::new(level) };
        scene(device, &[far, placed])
    }));
    let ray = |x: f32, z: f32, t_max: f32| {
        vec![0.0, 0.0, z, 1.0, 1.0, 2.0, x, 0.5, 5.0, 0.0, 0.0, -2.0, 0.5, t_max, 2.0, 243.0]
    };
    let mut want = ray(0.5, 0.0, 3.0);
    want.extend([1.0, 1.0, 77.0, 1.0]);
    want.extend([0.25, 0.25, 3.0, 0.0, 0.0, -1.0, 3.0, 254.0]);
    want.extend([2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, -1.0]);
    want.extend([0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.5]);
    want.extend(triangle.as_flattened());
    assert_eq!(want.len(), 61);
    assert_eq!(results[..want.len()], want, "any-hit");
    assert_eq!(results[61..61 + want.len()], want, "closest hit");
    let want = ray(50.0, 1.0, 100.0);
    assert_eq!(results[128..128 + want.len()], want, "miss");
}

/// Rays of launch 0 have the flags of the push constant, those of launch 1 have none. A box lies above a triangle.
#[test]
fn flags_skip_triangles_and_boxes() {
    let raygen = "
        #extension GL_EXT_ray_flags_primitive_culling : require
        layout(primitive_culling);
        layout(push_constant) uniform Push { uint flags; };
        layout(location = 0) rayPayloadEXT uint payload;
        void main() {
            payload = 0u;
            uint of = gl_LaunchIDEXT.x == 0u ? flags : 0u;
            traceRayEXT(scene, of, 0xff, 0, 1, 0, vec3(0.25, 0.25, 5.0), 0.0, vec3(0, 0, -1), 10.0, 0);
            results[gl_LaunchIDEXT.x] = payload;
        }";
    let hit = "
        layout(location = 0) rayPayloadInEXT uint payload;
        void main() { payload += gl_HitKindEXT; }";
    let miss = "
        layout(location = 0) rayPayloadInEXT uint payload;
        void main() { payload += 1000u; }";
    let bound = "void main() { reportIntersectionEXT(2.0, 7u); }";
    let triangle = vec![[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]];
    let place = |device: &Device| {
        let level = boxes(device, &[[0.0, 0.0, 2.0, 1.0, 1.0, 3.0]], true);
        let below = Placed {
            record_offset: 1,
            ..Placed::new(triangles(device, std::slice::from_ref(&triangle), true))
        };
        scene(device, &[Placed::new(level), below])
    };
    let shaders = [
        (Stage::RayGeneration, raygen),
        (Stage::ClosestHit, hit),
        (Stage::Intersection, bound),
        (Stage::Miss, miss),
    ];
    let groups = [
        ShaderGroup::General(0),
        ShaderGroup::Procedural { intersection: 2, closest_hit: Some(1), any_hit: None },
        triangle_group(1),
        ShaderGroup::General(3),
    ];
    let program = |flags: u32| Program {
        shaders: &shaders,
        groups: &groups,
        hit: vec![(Some(1), vec![]), (Some(2), vec![])],
        miss: vec![(Some(3), vec![])],
        push: vec![flags],
        size: [2, 1, 1],
        ..Program::default()
    };
    // Spec: SPIR-V, Ray Flags.
    const SKIP_CLOSEST_HIT: u32 = 8;
    const CULL_BACK: u32 = 0x10;
    const CULL_FRONT: u32 = 0x20;
    const SKIP_TRIANGLES: u32 = 0x100;
    const SKIP_AABBS: u32 = 0x200;
    for (flags, want) in [
        (0, 7),
        (SKIP_TRIANGLES, 7),
        (SKIP_AABBS, 254),
        (SKIP_AABBS | CULL_BACK, 254),
        (SKIP_AABBS | CULL_FRONT, 1000),
        (SKIP_TRIANGLES | SKIP_AABBS, 1000),
        (SKIP_CLOSEST_HIT, 0),
    ] {
        assert_eq!(program(flags).everywhere(place)[..2], [want, 7], "flags {flags:#x}");
    }
    // The pipeline can skip them, too.
    let device = Device::new(DeviceOptions::default()).unwrap();
    for (skip_triangles, skip_aabbs, want) in [(true, false, 7), (false, true, 254), (true, true, 1000)] {
        let program = program(0);
        let desc = RayTracingPipelineDesc {
            stages: program.stages(&device),
            groups: program.groups.to_vec(),
            skip_triangles,
            skip_aabbs,
            ..RayTracingPipelineDesc::new(&Program::layout(&device))
        };
        let pipeline = device.create_ray_tracing_pipeline(&desc).unwrap();
        let ready = program.ready_with(&device, &place(&device), pipeline);
        ready.run(&program.push, |c| {
            c.trace_rays(&ready.tables, program.size);
        });
        assert_eq!(ready.results(2), [want; 2]);
    }
}

#[test]
fn sizes_and_tables_are_read_from_memory() {
    let program = Program {
        shaders: &[(Stage::RayGeneration, GRID), (Stage::Miss, MISS)],
        groups: &[ShaderGroup::General(0), ShaderGroup::General(1)],
        miss: vec![(Some(1), vec![])],
        words: 256,
        ..Program::default()
    };
    let usage = BufferUsage::INDIRECT | BufferUsage::SHADER_DEVICE_ADDRESS;
    for device in devices() {
        let ready = program.ready(&device, &scene(&device, &[]));
        let ShaderBindingTables { raygen, miss, hit, callable } = ready.tables;
        let words = |n: u64| [n as u32, (n >> 32) as u32];
        let mut all: Vec<u32> = [raygen.address, raygen.size].into_iter().flat_map(words).collect();
        for r in [miss, hit, callable] {
            all.extend([r.address, r.size, r.stride].into_iter().flat_map(words));
        }
        all.extend([4, 2, 1, 0]);
        assert_eq!(all.len(), 26);
        let memory = device.create_buffer_with(&all, usage).unwrap();
        let address = memory.device_address().unwrap();
        let count = || ready.results(256).iter().filter(|&&word| f32::from_bits(word) == -1.0).count();
        ready.run(&[], |c| {
            c.trace_rays_indirect(&ready.tables, address + 88);
        });
        assert_eq!(count(), 3 * 8);
        ready.out.write(0, &[0u32; 256]).unwrap();
        ready.run(&[], |c| {
            c.trace_rays_indirect2(address);
        });
        assert_eq!(count(), 3 * 8);
        // More invocations than the limit: nothing is traced.
        memory.write(88, &[1u32 << 31, 4, 4]).unwrap();
        ready.out.write(0, &[0u32; 256]).unwrap();
        ready.run(&[], |c| {
            c.trace_rays_indirect2(address);
        });
        assert_eq!(count(), 0);
    }
}

#[test]
fn libraries_add_their_groups() {
    let device = Device::new(DeviceOptions::default()).unwrap();
    let hits = Program { shaders: &[(Stage::Miss, MISS), (Stage::ClosestHit, HIT)], ..Program::default() };
    let layout = Program::layout(&device);
    let library = RayTracingPipelineDesc {
        stages: hits.stages(&device),
        groups: vec![ShaderGroup::General(0), triangle_group(1)],
        is_library: true,
        ..RayTracingPipelineDesc::new(&layout)
    };
    let library = device.create_ray_tracing_pipeline(&library).unwrap();
    let program = Program {
        shaders: &[(Stage::RayGeneration, GRID)],
        miss: vec![(Some(1), vec![])],
        hit: vec![(Some(2), vec![])],
        size: [8, 8, 1],
        words: 256,
        ..Program::default()
    };
    let desc = RayTracingPipelineDesc {
        stages: program.stages(&device),
        groups: vec![ShaderGroup::General(0)],
        libraries: vec![library.clone()],
        ..RayTracingPipelineDesc::new(&layout)
    };
    let pipeline = device.create_ray_tracing_pipeline(&desc).unwrap();
    assert_eq!(pipeline.group_count(), 3);
    let ready = program.ready_with(&device, &halves(&device, true), pipeline);
    ready.run(&[], |c| {
        c.trace_rays(&ready.tables, program.size);
    });
    let hits = floats(&ready.results(256));
    assert_eq!((hits[0], hits[252]), (0.5, 2.0));
    let mut commands = device.create_command_buffer();
    assert!(commands.bind_ray_tracing_pipeline(&library).end().is_err());
}
