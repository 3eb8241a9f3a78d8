//! Hit objects: each instruction, in the interpreter and in generated code, on one and on several threads, with vectors
//! of every width.

#![cfg(feature = "glsl")]

mod rays;

use quadrille::rays::AccelerationStructure;
use quadrille::*;
use rays::{Placed, Program, boxes, floats, scene, triangles};

const MISS: &str = "
    layout(location = 0) rayPayloadInEXT vec4 payload;
    void main() { payload = vec4(-1.0, gl_RayTminEXT, gl_RayTmaxEXT, gl_WorldRayOriginEXT.x); }";

const HIT: &str = "
    layout(location = 0) rayPayloadInEXT vec4 payload;
    hitAttributeEXT vec2 weights;
    void main() { payload = vec4(gl_HitTEXT, gl_PrimitiveID, weights.x, gl_InstanceCustomIndexEXT); }";

const OTHER: &str = "
    layout(location = 0) rayPayloadInEXT vec4 payload;
    void main() { payload = vec4(100.0); }";

/// Adds 1 to the last component of the payload for each candidate.
const COUNT: &str = "
    layout(location = 0) rayPayloadInEXT vec4 payload;
    void main() { payload.w += 1.0; }";

const RAY: &str = "scene, FLAGS, 0xff, 1, 2, 1, origin, 0.25, vec3(0, 0, -1), 8.0, 0";

const GROUPS: &[ShaderGroup] = &[
    ShaderGroup::General(0),
    ShaderGroup::General(1),
    ShaderGroup::Triangles { closest_hit: Some(2), any_hit: Some(4) },
    ShaderGroup::Triangles { closest_hit: Some(3), any_hit: None },
];

/// Runs the body of a ray generation shader for rays of two invocations: the first one hits the triangle, whose record has
/// number 1 + 1, and the second one misses it.
fn run(body: &str) -> [Vec<u32>; 2] {
    run_in(body, |device| {
        triangles(device, &[vec![[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]], false)
    })
}

/// As [`run`], with another bottom level.
fn run_in(body: &str, level: impl Fn(&Device) -> AccelerationStructure) -> [Vec<u32>; 2] {
    let raygen = format!(
        "layout(location = 0) rayPayloadEXT vec4 payload;
        layout(location = 0) hitObjectAttributeEXT vec2 weights;
        layout(buffer_reference, std430, hitobjectshaderrecordext) buffer Record {{ uint data; }};
        void main() {{
            vec3 origin = vec3(10.5 + 100.0 * float(gl_LaunchIDEXT.x), 0.5, 1.0);
            payload = vec4(9, 9, 9, 0);
            hitObjectEXT object;
            uint to = 24 * gl_LaunchIDEXT.x;
            {}
        }}",
        body
    );
    let program = Program {
        shaders: &[
            (Stage::RayGeneration, &raygen),
            (Stage::Miss, MISS),
            (Stage::ClosestHit, HIT),
            (Stage::ClosestHit, OTHER),
            (Stage::AnyHit, COUNT),
        ],
        groups: GROUPS,
        miss: vec![(None, vec![]), (Some(1), vec![5, 6])],
        hit: vec![(None, vec![]), (Some(3), vec![0]), (Some(2), vec![7])],
        size: [2, 1, 1],
        words: 48,
        ..Program::default()
    };
    let words = program.everywhere(|device| {
        let level = level(device);
        let placed = Placed {
            scale: 2.0,
            at: [10.0, 0.0, 0.0],
            custom_index: 77,
            record_offset: 1,
            ..Placed::new(level)
        };
        scene(device, &[placed])
    });
    [words[..24].to_vec(), words[24..].to_vec()]
}

/// Kinds of the object: 1 for a hit, 2 for a miss, 4 for an empty one.
const KIND: &str = "results[to] = uint(hitObjectIsHitEXT(object)) | uint(hitObjectIsMissEXT(object)) << 1
    | uint(hitObjectIsEmptyEXT(object)) << 2;";

const PAYLOAD: &str = "for (int c = 0; c < 4; c++) put(to + 1 + c, payload[c]);";

#[test]
fn traces_fill_hit_objects_and_shaders_run_later() {
    for (execute, runs) in [
        ("hitObjectTraceRayEXT(object, RAY); hitObjectExecuteShaderEXT(object, 0);", true),
        (
            "hitObjectTraceRayEXT(object, RAY); reorderThreadEXT(object); hitObjectExecuteShaderEXT(object, 0);",
            true,
        ),
        (
            "hitObjectTraceRayEXT(object, RAY); reorderThreadEXT(object, 3u, 2u); hitObjectReorderExecuteEXT(object, 0);",
            true,
        ),
        (
            "hitObjectTraceRayEXT(object, RAY); reorderThreadEXT(1u, 1u); hitObjectReorderExecuteEXT(object, 1u, 2u, 0);",
            true,
        ),
        ("hitObjectTraceReorderExecuteEXT(object, RAY);", true),
        ("hitObjectTraceRayEXT(object, RAY);", false),
    ] {
        let execute = execute.replace("RAY", &RAY.replace("FLAGS", "0u"));
        let [hit, miss] = run(&format!("{execute} {KIND} {PAYLOAD}"));
        let [h, m] = [&hit, &miss].map(|words| floats(&words[1..5]));
        assert_eq!((hit[0], miss[0]), (1, 2), "{execute}");
        match runs {
            // The any-hit shader counts first, and the closest hit shader replaces the payload.
            true => {
                assert_eq!((h, m), (vec![1.0, 0.0, 0.25, 77.0], vec![-1.0, 0.25, 8.0, 110.5]), "{execute}")
            }
            false => assert_eq!((h, m), (vec![9.0, 9.0, 9.0, 1.0], vec![9.0, 9.0, 9.0, 0.0])),
        }
    }
}

#[test]
fn hit_objects_know_their_hits() {
    let body = "hitObjectTraceRayEXT(object, RAY);
        put(to + 1, hitObjectGetRayTMinEXT(object));
        put(to + 2, hitObjectGetRayTMaxEXT(object));
        results[to + 3] = hitObjectGetRayFlagsEXT(object);
        put(to + 4, hitObjectGetWorldRayOriginEXT(object).x);
        put(to + 5, hitObjectGetWorldRayDirectionEXT(object).z);
        put(to + 6, hitObjectGetObjectRayOriginEXT(object).x);
        put(to + 7, hitObjectGetObjectRayDirectionEXT(object).z);
        put(to + 8, hitObjectGetObjectToWorldEXT(object)[3].x);
        put(to + 9, hitObjectGetWorldToObjectEXT(object)[3].x);
        results[to + 10] = hitObjectGetInstanceCustomIndexEXT(object);
        results[to + 11] = hitObjectGetInstanceIdEXT(object);
        results[to + 12] = hitObjectGetGeometryIndexEXT(object);
        results[to + 13] = hitObjectGetPrimitiveIndexEXT(object);
        results[to + 14] = hitObjectGetHitKindEXT(object);
        results[to + 15] = hitObjectGetShaderBindingTableRecordIndexEXT(object);
        weights = vec2(3.0);
        if (hitObjectIsHitEXT(object)) hitObjectGetAttributesEXT(object, 0);
        put(to + 16, weights.x);
        vec3 positions[3];
        hitObjectGetIntersectionTriangleVertexPositionsEXT(object, positions);
        put(to + 17, positions[1].x);
        results[to + 18] = uint(any(notEqual(hitObjectGetShaderRecordBufferHandleEXT(object), uvec2(0))));
        results[to + 19] = Record(hitObjectGetShaderRecordBufferHandleEXT(object)).data;";
    let [hit, miss] = run(&format!("{} {KIND}", body.replace("RAY", &RAY.replace("FLAGS", "1u"))));
    let f = f32::to_bits;
    let floats_of_hit = [0.25, 1.0].map(f);
    assert_eq!((hit[0], &hit[1..3], hit[3]), (1, &floats_of_hit[..], 1));
    assert_eq!(floats(&hit[4..10]), [10.5, -1.0, 0.25, -0.5, 10.0, -5.0]);
    assert_eq!(hit[10..16], [77, 0, 0, 0, 0xfe, 2]);
    assert_eq!((floats(&hit[16..18]), hit[18]), (vec![0.25, 1.0], 1));
    assert_eq!((miss[0], floats(&miss[1..3]), miss[3]), (2, vec![0.25, 8.0], 1));
    assert_eq!((floats(&miss[4..6]), miss[15]), (vec![110.5, -1.0], 1));
    assert_eq!((floats(&miss[16..17]), miss[18]), (vec![3.0], 1));
    assert_eq!((hit[19], miss[19]), (7, 5));
}

#[test]
fn hit_objects_are_recorded() {
    let record = |body: &str| {
        let [hit, miss] = run(&format!("{body} {KIND} hitObjectExecuteShaderEXT(object, 0); {PAYLOAD}"));
        [hit, miss].map(|words| (words[0], floats(&words[1..5])))
    };
    let nothing = (4, vec![9.0, 9.0, 9.0, 0.0]);
    // Nothing runs for empty objects.
    assert_eq!(record("hitObjectRecordEmptyEXT(object);"), [nothing.clone(), nothing.clone()]);
    let missed = "hitObjectRecordMissEXT(object, 0u, 1u, origin, 0.5, vec3(0, 1, 0), 3.0);";
    assert_eq!(record(missed), [10.5, 110.5].map(|x| (2, vec![-1.0, 0.5, 3.0, x])));
    let query = "rayQueryEXT query;
        rayQueryInitializeEXT(query, scene, 1u, 0xff, origin, 0.25, vec3(0, 0, -1), 8.0);";
    let unfinished = format!("{query} hitObjectRecordFromQueryEXT(object, query, 2u, 0);");
    assert_eq!(record(&unfinished), [nothing.clone(), nothing.clone()]);
    let done =
        format!("{query} rayQueryProceedEXT(query); hitObjectRecordFromQueryEXT(object, query, 2u, 0);");
    assert_eq!(record(&done), [(1, vec![1.0, 0.0, 0.25, 77.0]), nothing.clone()]);
    // Another record.
    let other = format!("{done} hitObjectSetShaderBindingTableRecordIndexEXT(object, 1u);");
    assert_eq!(record(&other), [(1, vec![100.0; 4]), nothing.clone()]);
    // Records that do not exist, or are null, run nothing.
    for index in ["0u", "3u", "0xffffffffu"] {
        let none = format!("{done} hitObjectSetShaderBindingTableRecordIndexEXT(object, {index});");
        assert_eq!(record(&none), [(1, vec![9.0, 9.0, 9.0, 0.0]), nothing.clone()]);
    }
}

#[test]
fn arrays_of_hit_objects_have_elements_of_their_own() {
    let body = "hitObjectEXT list[3];
        for (int i = 0; i < 3; i++) hitObjectRecordEmptyEXT(list[i]);
        uint at = 1 + gl_LaunchIDEXT.x;
        hitObjectTraceRayEXT(list[at], RAY);
        for (int i = 0; i < 3; i++) {
            results[to + i] = uint(hitObjectIsHitEXT(list[i])) | uint(hitObjectIsMissEXT(list[i])) << 1
                | uint(hitObjectIsEmptyEXT(list[i])) << 2;
        }";
    let [hit, miss] = run(&body.replace("RAY", &RAY.replace("FLAGS", "0u")));
    assert_eq!((&hit[..3], &miss[..3]), (&[4, 1, 4][..], &[4, 4, 2][..]));
}

/// Spec: SPIR-V, OpHitObjectRecordFromQueryEXT: hits in boxes have the attribute and the kind of the instruction.
#[test]
fn hits_in_boxes_have_a_kind_and_an_attribute() {
    let body = "rayQueryEXT query;
        rayQueryInitializeEXT(query, scene, 0u, 0xff, origin, 0.25, vec3(0, 0, -1), 8.0);
        while (rayQueryProceedEXT(query)) rayQueryGenerateIntersectionEXT(query, 2.5);
        weights = vec2(5.0, 6.0);
        hitObjectRecordFromQueryEXT(object, query, 2u, 0, 0x42u);
        weights = vec2(0.0);
        hitObjectGetAttributesEXT(object, 0);
        put(to + 1, weights.y);
        put(to + 2, hitObjectGetRayTMaxEXT(object));
        results[to + 3] = hitObjectGetHitKindEXT(object);";
    let [hit, miss] =
        run_in(&format!("{body} {KIND}"), |device| boxes(device, &[[0.0, 0.0, -0.5, 1.0, 1.0, 0.0]], false));
    assert_eq!((hit[0], floats(&hit[1..3]), hit[3]), (1, vec![6.0, 2.5], 0x42));
    assert_eq!(miss[0], 4);
}
