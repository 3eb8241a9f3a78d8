//! Checks of rays: each mistake is found, with its line, and its correction is not reported; on any number of threads.

#![cfg(feature = "glsl")]

mod checks;
#[allow(dead_code, reason = "checks need only part of the programs")]
mod rays;

#[path = "check_rays/pipelines.rs"]
mod pipelines;
#[path = "check_rays/races.rs"]
mod races;

use quadrille::rays::{AccelerationStructure, AccelerationStructureDesc};
use quadrille::*;
use quadrille_check::Report;

/// A checked device with some threads.
fn device(threads: usize) -> (std::sync::Arc<quadrille_check::Session>, Device) {
    checks::device_with(&DeviceOptions { threads, ..DeviceOptions::default() })
}

/// `kind:line` of each report, which must be the same for any number of threads.
#[track_caller]
fn found(run: impl Fn(&Device)) -> Vec<String> {
    let lists = [1, 4].map(|threads| {
        let (session, device) = device(threads);
        run(&device);
        session.reports.take()
    });
    let [one, four] = lists.each_ref().map(|list| checks::shown(list));
    assert_eq!(one, four);
    if std::env::var_os("QUADRILLE_FILETEST_TEXT").is_some() {
        println!("{one}");
    }
    lists[0].iter().map(short).collect()
}

fn short(report: &Report) -> String {
    format!("{}:{}", report.kind, report.at.line)
}

/// One triangle over the lower left half of the unit square at z = 0.
fn triangle(device: &Device, opaque: bool) -> AccelerationStructure {
    let list = vec![[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]];
    rays::scene(device, &[rays::Placed::new(rays::triangles(device, &[list], opaque))])
}

/// The unit cube.
fn cube(device: &Device) -> AccelerationStructure {
    let level = rays::boxes(device, &[[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]], false);
    rays::scene(device, &[rays::Placed::new(level)])
}

/// Findings of ray queries with this body, whose first line is line 1; `zero` is a zero that no compiler knows.
#[track_caller]
fn query(body: &str, scene: impl Fn(&Device) -> AccelerationStructure) -> Vec<String> {
    let source = format!(
        "#version 460
        #extension GL_EXT_ray_query : require
        #extension GL_EXT_ray_tracing_position_fetch : require
        layout(local_size_x = 8) in;
        layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
        layout(set = 0, binding = 1) buffer Out {{ float results[8]; }};
        layout(push_constant) uniform Push {{ float zero; uint flags; }};
        #define AT results[gl_LocalInvocationIndex]
        void main() {{
        rayQueryEXT q, used;
        if (flags == 99u) rayQueryInitializeEXT(used, scene, 0u, 0xff, vec3(zero), AT, vec3(1), 1.0);
        // Reports have the numbers of `#line` if the text asks for them.
        #define NUMBER __LINE__
        #line 1
        {body}
        }}"
    );
    found(|device| {
        let test = ShaderTest::glsl(&source).unwrap_or_else(|e| panic!("{e}")).on(device);
        let test = test.structure(0, 0, &scene(device)).bind_zeros::<f32>(0, 1, 8);
        test.push(&[0u32, 0]).dispatch([1, 1, 1]).unwrap();
    })
}

/// A body that initializes a query with this ray, and reads the type of the committed intersection.
fn cast(origin: &str, least: &str, direction: &str, most: &str) -> String {
    format!(
        "rayQueryInitializeEXT(q, scene, flags, 0xff, {origin}, {least}, {direction}, {most});
        while (rayQueryProceedEXT(q)) {{}}
        AT = float(rayQueryGetIntersectionTypeEXT(q, true));"
    )
}

const DOWN: &str =
    "rayQueryInitializeEXT(q, scene, 0u, 0xff, vec3(0.25, 0.25, 2), 0.0, vec3(0, 0, -1), 10.0);";

#[test]
fn rays_are_finite_and_their_intervals_are_not_empty() {
    let (origin, down) = ("vec3(0.25, 0.25, 1)", "vec3(0, 0, -1)");
    let right = [cast(origin, "0.0", down, "10.0"), cast(origin, "-0.0", down, "1.0 / zero")];
    for body in right {
        assert_eq!(query(&body, |d| triangle(d, true)), [""; 0], "{body}");
    }
    let nan = "intBitsToFloat(0x7fc00000 + floatBitsToInt(zero))";
    for body in [
        cast(&format!("vec3({nan}, 0, 1)"), "0.0", down, "10.0"),
        cast("vec3(0, 1.0 / zero, 1)", "0.0", down, "10.0"),
        cast("vec3(zero / zero, 0, 1)", "0.0", down, "10.0"),
        cast(origin, "0.0", "vec3(0, 0, -1.0 / zero)", "10.0"),
        cast(origin, "0.0", &format!("vec3({nan})"), "10.0"),
        cast(origin, "2.0", down, "1.0"),
        cast(origin, "-1.0 + zero", down, "10.0"),
        cast(origin, nan, down, "10.0"),
        cast(origin, "0.0", down, nan),
    ] {
        assert_eq!(query(&body, |d| triangle(d, true)), ["invalid-ray:1"], "{body}");
    }
    let zero = cast(origin, "0.0", "vec3(zero)", "10.0");
    assert_eq!(query(&zero, |d| triangle(d, true)), ["zero-ray-direction:1"]);
    let flags = |bits: &str| cast(origin, "0.0", down, "10.0").replace("flags", bits);
    for (bits, count) in
        [("0x300u", 1), ("0x30u", 1), ("0x3u", 1), ("0xc1u", 1), ("0x115u", 1), ("0x215u", 0)]
    {
        let wrong = vec!["ray-flags-conflict:1"; count];
        assert_eq!(query(&flags(bits), |d| triangle(d, true)), wrong, "{bits}");
    }
}

#[test]
fn queries_are_initialized_first() {
    let get = "AT = rayQueryGetRayTMinEXT(q);";
    assert_eq!(query(get, |d| triangle(d, true)), ["ray-query-uninitialized:1"]);
    let read = format!("{DOWN}\n{get}");
    assert_eq!(query(&read, |d| triangle(d, true)), [""; 0]);
    let proceed = "while (rayQueryProceedEXT(q)) {}";
    assert_eq!(query(proceed, |d| triangle(d, true)), ["ray-query-uninitialized:1"]);
    // Half of the invocations have initialized their query.
    let half = format!("if (gl_LocalInvocationIndex < 4u) {{ {DOWN} }}\n{get}");
    assert_eq!(query(&half, |d| triangle(d, true)), ["ray-query-uninitialized:2"]);
    // Other queries of an array are not initialized with one of them.
    let array = format!(
        "rayQueryEXT a[2]; {}\nAT = rayQueryGetRayTMinEXT(a[1 - int(flags)]);",
        DOWN.replace("(q", "(a[flags]")
    );
    assert_eq!(query(&array, |d| triangle(d, true)), ["ray-query-uninitialized:2"]);
    assert_eq!(query(&array.replace("1 - ", ""), |d| triangle(d, true)), [""; 0]);
}

/// Each read of an intersection, where `$` selects the committed one or the candidate; `true` if it must be a triangle.
const GETTERS: [(&str, bool); 12] = [
    ("rayQueryGetIntersectionTEXT(q, $)", false),
    ("float(rayQueryGetIntersectionInstanceCustomIndexEXT(q, $))", false),
    ("float(rayQueryGetIntersectionInstanceIdEXT(q, $))", false),
    ("float(rayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetEXT(q, $))", false),
    ("float(rayQueryGetIntersectionGeometryIndexEXT(q, $))", false),
    ("float(rayQueryGetIntersectionPrimitiveIndexEXT(q, $))", false),
    ("rayQueryGetIntersectionObjectRayDirectionEXT(q, $).x", false),
    ("rayQueryGetIntersectionObjectRayOriginEXT(q, $).x", false),
    ("rayQueryGetIntersectionObjectToWorldEXT(q, $)[0].x", false),
    ("rayQueryGetIntersectionWorldToObjectEXT(q, $)[0].x", false),
    ("rayQueryGetIntersectionBarycentricsEXT(q, $).x", true),
    ("float(rayQueryGetIntersectionFrontFaceEXT(q, $))", true),
];

#[test]
fn committed_intersections_are_read_if_there_is_one() {
    let all = |proceed: &str, guard: &str| {
        let mut body = format!("{DOWN} vec3 p[3]; {proceed}\n{guard} {{");
        for (getter, _) in &GETTERS {
            body += &format!("\nAT += {};", getter.replace('$', "true"));
        }
        body + "\nrayQueryGetIntersectionTriangleVertexPositionsEXT(q, true, p); AT += p[0].x; }"
    };
    let proceed = "while (rayQueryProceedEXT(q)) {}";
    let hit = "if (rayQueryGetIntersectionTypeEXT(q, true) == 1u)";
    assert_eq!(query(&all(proceed, hit), |d| triangle(d, true)), [""; 0]);
    assert_eq!(query(&all(proceed, hit), |d| rays::scene(d, &[])), [""; 0]);
    let every: Vec<String> = (3..16).map(|line| format!("ray-query-state:{line}")).collect();
    assert_eq!(query(&all(proceed, ""), |d| rays::scene(d, &[])), every);
    // Nothing is committed before the traversal.
    assert_eq!(query(&all("", ""), |d| triangle(d, true)), every);
}

#[test]
fn operations_fit_the_candidate() {
    let with = |body: &str| format!("{DOWN}\nwhile (rayQueryProceedEXT(q)) {{\n{body} }}");
    let (confirm, generate) =
        ("rayQueryConfirmIntersectionEXT(q);", "rayQueryGenerateIntersectionEXT(q, 1.0);");
    let in_triangle = |body: &str| query(&with(body), |d| triangle(d, false));
    let in_box = |body: &str| query(&with(body), cube);
    assert_eq!((in_triangle(confirm), in_box(generate)), (vec![], vec![]));
    assert_eq!(in_triangle(generate), ["ray-query-state:3"]);
    assert_eq!(in_box(confirm), ["ray-query-state:3"]);
    let opaque = "AT = float(rayQueryGetIntersectionCandidateAABBOpaqueEXT(q));";
    assert_eq!((in_triangle(opaque), in_box(opaque)), (vec!["ray-query-state:3".into()], vec![]));
    for (getter, triangle) in &GETTERS {
        let body = format!("AT += {};", getter.replace('$', "false"));
        assert_eq!(in_triangle(&body), [""; 0], "{body}");
        // The distance of a candidate AABB is unknown.
        let wrong = *triangle || getter.contains("TEXT");
        assert_eq!(in_box(&body), vec!["ray-query-state:3"; usize::from(wrong)], "{body}");
    }
}

#[test]
fn candidates_exist_while_the_traversal_proceeds() {
    let complete = format!("{DOWN}\nwhile (rayQueryProceedEXT(q)) {{}}\n");
    for (body, begun) in [
        ("rayQueryConfirmIntersectionEXT(q);", true),
        ("rayQueryTerminateEXT(q);", true),
        ("AT = float(rayQueryGetIntersectionTypeEXT(q, false));", true),
        ("AT = float(rayQueryGetIntersectionInstanceIdEXT(q, false));", true),
        ("AT = float(rayQueryProceedEXT(q));", false),
    ] {
        let after = format!("{complete}{body}");
        assert_eq!(query(&after, |d| triangle(d, true)), ["ray-query-state:3"], "{body}");
        let before = format!("{DOWN}\n\n{body}");
        assert_eq!(
            query(&before, |d| triangle(d, true)),
            vec!["ray-query-state:3"; usize::from(begun)],
            "{body}"
        );
    }
    // A terminated query returns false once more, and a query may be initialized again.
    let again = format!("{DOWN}\nwhile (rayQueryProceedEXT(q)) rayQueryTerminateEXT(q);\n{complete}");
    assert_eq!(query(&again, |d| triangle(d, false)), [""; 0]);
}

#[test]
fn generated_hits_are_in_the_interval() {
    let hit = |t: &str| {
        let body =
            format!("{DOWN} while (rayQueryProceedEXT(q)) {{\nrayQueryGenerateIntersectionEXT(q, {t}); }}");
        query(&body, cube)
    };
    assert_eq!((hit("0.0"), hit("10.0"), hit("1.5")), (vec![], vec![], vec![]));
    for t in ["10.5", "zero - 0.5", "zero / zero"] {
        assert_eq!(hit(t), ["invalid-hit:2"], "{t}");
    }
    // A second hit is not behind the first one.
    let twice = |t: &str| {
        let first = "rayQueryGenerateIntersectionEXT(q, 1.5);";
        let second = format!("rayQueryGenerateIntersectionEXT(q, {t});");
        query(&format!("{DOWN} while (rayQueryProceedEXT(q)) {{ {first}\n{second} }}"), cube)
    };
    assert_eq!((twice("1.25"), twice("1.75")), (vec![], vec!["invalid-hit:2".into()]));
}

#[test]
fn structures_are_built_and_alive() {
    let body = format!("{}\n", cast("vec3(0.25, 0.25, 1)", "0.0", "vec3(0, 0, -1)", "10.0"));
    let unbuilt = |device: &Device| {
        let usage = BufferUsage::ACCELERATION_STRUCTURE_STORAGE | BufferUsage::SHADER_DEVICE_ADDRESS;
        let buffer = device.create_bound_buffer(BufferDesc { size: 4096, usage }).unwrap();
        let desc = AccelerationStructureDesc { buffer: &buffer, offset: 0, size: 4096 };
        device.create_acceleration_structure(&desc).unwrap()
    };
    assert_eq!(query(&body, unbuilt), ["structure-not-built:1"]);
    let bottom = |device: &Device| {
        rays::triangles(device, &[vec![[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]], true)
    };
    assert_eq!(query(&body, bottom), ["structure-not-built:1"]);
    assert_eq!(query(&body, |d| triangle(d, true)), [""; 0]);
    // By address: a living structure, a destroyed one, an address without a structure, and null.
    let source = "#version 460
        #extension GL_EXT_ray_query : require
        #extension GL_EXT_ray_tracing : require
        #extension GL_ARB_gpu_shader_int64 : require
        layout(local_size_x = 8) in;
        layout(push_constant) uniform Push { uint64_t at; };
        layout(set = 0, binding = 1) buffer Out { uint results[8]; };
        void main() {
            rayQueryEXT q;
            // Reports have the numbers of `#line` if the text asks for them.
            #define NUMBER __LINE__
            #line 1
            rayQueryInitializeEXT(q, accelerationStructureEXT(at), 0u, 0xff, vec3(0), 0.0, vec3(1), 1.0);
            results[gl_LocalInvocationIndex] = uint(rayQueryProceedEXT(q));
        }";
    let run = |device: &Device, address: u64| {
        let test = ShaderTest::glsl(source).unwrap().on(device).push(&[address]);
        test.bind_zeros::<u32>(0, 1, 8).dispatch([1, 1, 1]).unwrap();
    };
    let destroyed = |device: &Device| {
        let address = triangle(device, true).device_address();
        run(device, address);
    };
    assert_eq!(found(destroyed), ["structure-destroyed:1"]);
    let living = |device: &Device| {
        let scene = triangle(device, true);
        run(device, scene.device_address());
    };
    assert_eq!(found(living), [""; 0]);
    assert_eq!(
        (found(|d| run(d, 1 << 40)), found(|d| run(d, 0))),
        (vec!["structure-not-built:1".into()], vec![])
    );
}
