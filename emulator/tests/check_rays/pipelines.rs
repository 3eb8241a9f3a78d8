//! Ray tracing pipelines: what shaders exchange, and shader binding tables.

use super::{cube, found, triangle};
use crate::rays::{Program, Ready};
use quadrille::rays::{AccelerationStructure, BuildRange, GeometryData, StructureBuild, StructureGeometry};
use quadrille::*;

const HIT: ShaderGroup = ShaderGroup::Triangles { closest_hit: Some(1), any_hit: None };

/// A ray generation shader whose rays begin at z = 1, over the triangle in even invocations.
fn raygen(before: &str, after: &str) -> String {
    format!(
        "layout(location = 0) rayPayloadEXT vec4 payload;
        void main() {{
            uint i = gl_LaunchIDEXT.x; vec3 from = vec3(i % 2u == 0u ? 0.25 : 5.0, 0.25, 1.0);
            {before}
            #line 10
            traceRayEXT(scene, 0u, 0xff, 0, 0, 0, from, 0.0, vec3(0, 0, -1), 10.0, 0);
            {after}
        }}"
    )
}

/// Findings of a ray generation, a closest-hit and a miss shader.
#[track_caller]
fn trace(raygen: &str, hit: &str, miss: &str) -> Vec<String> {
    let header = "layout(location = 0) rayPayloadInEXT vec4 payload;\n#line 20\n";
    let [hit, miss] = [hit, miss].map(|body| format!("{header}{body}"));
    let shaders = [(Stage::RayGeneration, raygen), (Stage::ClosestHit, &*hit), (Stage::Miss, &*miss)];
    let program = Program {
        shaders: &shaders,
        groups: &[ShaderGroup::General(0), HIT, ShaderGroup::General(2)],
        hit: vec![(Some(1), vec![])],
        miss: vec![(Some(2), vec![])],
        size: [37, 1, 1],
        ..Program::default()
    };
    found(|device| drop(program.run(device, &triangle(device, true))))
}

const READ: &str = "put(i, payload.x + payload.w);";

#[test]
fn somebody_writes_the_payload_before_it_is_read() {
    let (set, nothing) = ("void main() { payload = vec4(1); }", "void main() {}");
    // The caller writes all; the called shaders write all; both write a part.
    assert_eq!(trace(&raygen("payload = vec4(0);", READ), nothing, nothing), [""; 0]);
    assert_eq!(trace(&raygen("", READ), set, set), [""; 0]);
    let part = "void main() { payload.xyz = vec3(1); }";
    assert_eq!(trace(&raygen("payload.w = 2.0;", READ), part, part), [""; 0]);
    assert_eq!(trace(&raygen("", "put(i, payload.x);"), part, part), [""; 0]);
    // Nobody writes it, or only one of the called shaders does.
    let wrong = ["unwritten-payload:11"];
    assert_eq!(trace(&raygen("", READ), nothing, nothing), wrong);
    assert_eq!(trace(&raygen("", READ), set, nothing), wrong);
    assert_eq!(trace(&raygen("", READ), nothing, set), wrong);
    assert_eq!(trace(&raygen("payload.y = 2.0;", READ), part, part), wrong);
    // Called shaders read it.
    let read = "void main() { put(gl_LaunchIDEXT.x, payload.y); }";
    assert_eq!(trace(&raygen("", ""), nothing, read), ["unwritten-payload:20"]);
    assert_eq!(trace(&raygen("", ""), read, nothing), ["unwritten-payload:20"]);
    assert_eq!(trace(&raygen("payload.y = 1.0;", ""), read, read), [""; 0]);
    let own = "void main() { payload.y = 3.0; put(gl_LaunchIDEXT.x, payload.y); }";
    assert_eq!(trace(&raygen("", ""), own, own), [""; 0]);
    // A copy of an unwritten component alone is not a mistake; its use is one.
    let copy = "void main() { payload.x = payload.y; }";
    assert_eq!(trace(&raygen("", ""), nothing, copy), ["unwritten-payload:20"]);
    // The second trace passes what the first one has returned.
    let again = "payload.w = 0.0; traceRayEXT(scene, 0u, 0xff, 0, 0, 0, from, 0.0, vec3(0, 0, -1), 10.0, 0); put(i, payload.w);";
    assert_eq!(trace(&raygen("", again), part, part), [""; 0]);
}

#[test]
fn callable_data_is_written_before_it_is_read() {
    let raygen = |before: &str| {
        format!(
            "struct Data {{ uint n; bool odd; uint8_t small; double wide; }};
            layout(location = 1) callableDataEXT Data data;
            void main() {{ {before}
            #line 10
            executeCallableEXT(0, 1);
            results[gl_LaunchIDEXT.x] = data.n + uint(data.odd) + uint(data.small) + uint(data.wide); }}"
        )
    };
    let callable = |body: &str| {
        format!(
            "struct Data {{ uint n; bool odd; uint8_t small; double wide; }};
            layout(location = 1) callableDataInEXT Data data;
            #line 20
            void main() {{ {body} }}"
        )
    };
    let run = |before: &str, body: &str| {
        let (raygen, callable) = (raygen(before), callable(body));
        let program = Program {
            shaders: &[(Stage::RayGeneration, &raygen), (Stage::Callable, &callable)],
            groups: &[ShaderGroup::General(0), ShaderGroup::General(1)],
            callable: vec![(Some(1), vec![])],
            size: [9, 1, 1],
            ..Program::default()
        };
        found(|device| drop(program.run(device, &quadrille_scene(device))))
    };
    let all = "data = Data(1u, true, uint8_t(3), 0.5lf);";
    assert_eq!((run(all, ""), run("", all)), (vec![], vec![]));
    assert_eq!(run(all, "data.n += uint(data.wide);"), [""; 0]);
    let parts = ["data.n = 1u;", "data.odd = true;", "data.small = uint8_t(2);", "data.wide = 1.0lf;"];
    for skipped in 0..4 {
        let some: String = parts.iter().enumerate().filter(|(k, _)| *k != skipped).map(|(_, s)| *s).collect();
        assert_eq!(run(&some, ""), ["unwritten-payload:11"], "without {}", parts[skipped]);
        assert_eq!(run(&some, parts[skipped]), [""; 0]);
    }
    assert_eq!(
        run("data.odd = true; data.small = uint8_t(2); data.wide = 1.0lf;", "data.n++;"),
        ["unwritten-payload:20"]
    );
}

fn quadrille_scene(device: &Device) -> AccelerationStructure {
    crate::rays::scene(device, &[])
}

/// Findings of an intersection shader with this body, and of the any-hit and closest-hit shaders of its hits.
#[track_caller]
fn boxes(intersection: &str, any_hit: &str, closest_hit: &str) -> Vec<String> {
    let raygen = raygen("payload = vec4(0);", READ);
    let [intersection, any_hit, closest_hit] =
        [(intersection, 20), (any_hit, 30), (closest_hit, 40)].map(|(body, line)| {
            let payload = if line == 20 { "" } else { "layout(location = 0) rayPayloadInEXT vec4 payload;" };
            format!("{payload} hitAttributeEXT vec3 normal;\n#line {line}\nvoid main() {{ {body} }}")
        });
    let program = Program {
        shaders: &[
            (Stage::RayGeneration, &raygen),
            (Stage::Intersection, &intersection),
            (Stage::AnyHit, &any_hit),
            (Stage::ClosestHit, &closest_hit),
        ],
        groups: &[
            ShaderGroup::General(0),
            ShaderGroup::Procedural { intersection: 1, any_hit: Some(2), closest_hit: Some(3) },
        ],
        hit: vec![(Some(1), vec![])],
        size: [37, 1, 1],
        ..Program::default()
    };
    found(|device| drop(program.run(device, &cube(device))))
}

#[test]
fn intersection_shaders_write_the_attributes_that_are_read() {
    let report = "reportIntersectionEXT(0.5, 1u);";
    let read = "payload.x = normal.z;";
    assert_eq!(boxes(&format!("normal = vec3(1); {report}"), read, read), [""; 0]);
    assert_eq!(boxes(report, "", ""), [""; 0]);
    assert_eq!(boxes(report, read, ""), ["unwritten-hit-attribute:30"]);
    assert_eq!(boxes(report, "", read), ["unwritten-hit-attribute:40"]);
    assert_eq!(
        boxes(&format!("normal.xy = vec2(1); {report}"), "payload.x = normal.x;", read),
        ["unwritten-hit-attribute:40"]
    );
    // Only the accepted hit counts: the second one, which lacks the attribute's last component, is behind the first.
    let two = "normal = vec3(1); reportIntersectionEXT(0.5, 1u); reportIntersectionEXT(0.75, 1u);";
    assert_eq!(boxes(two, "", read), [""; 0]);
    // Hit kinds and distances.
    assert_eq!(boxes("reportIntersectionEXT(0.5, 127u);", "", ""), [""; 0]);
    assert_eq!(boxes("reportIntersectionEXT(0.5, 128u + gl_LaunchIDEXT.x);", "", ""), ["invalid-hit:20"]);
    let nan = "reportIntersectionEXT(intBitsToFloat(0x7fc00000 + int(gl_LaunchIDEXT.y)), 1u);";
    assert_eq!(boxes(nan, "", ""), ["invalid-hit:20"]);
}

#[test]
fn attributes_of_triangles_have_two_components() {
    let hit = |body: &str| {
        let hit = format!("hitAttributeEXT vec3 normal;\nvoid main() {{ {body} }}");
        trace(&raygen("payload = vec4(0);", READ), &hit, "void main() {}")
    };
    assert_eq!(hit("payload.x = normal.x + normal.y;"), [""; 0]);
    assert_eq!(hit("payload.x = normal.z;"), ["unwritten-hit-attribute:21"]);
}

/// A program whose shader binding tables a test changes.
fn tables(change: impl Fn(&mut Ready)) -> Vec<String> {
    let header = "layout(location = 0) rayPayloadInEXT vec4 payload;\n";
    let set = format!("{header}void main() {{ payload = vec4(1); }}");
    let callable = "layout(location = 1) callableDataInEXT uint data; void main() { data = 1u; }";
    let raygen = "layout(location = 0) rayPayloadEXT vec4 payload;
        layout(location = 1) callableDataEXT uint data;
        void main() {
            uint i = gl_LaunchIDEXT.x; vec3 from = vec3(i % 2u == 0u ? 0.25 : 5.0, 0.25, 1.0);
            payload = vec4(0); data = 0u;
            #line 10
            traceRayEXT(scene, 0u, 0xff, 0, 0, 0, from, 0.0, vec3(0, 0, -1), 10.0, 0);
            executeCallableEXT(0, 1);
            put(i, payload.x); results[i + 40] = data;
        }";
    let program = Program {
        shaders: &[
            (Stage::RayGeneration, raygen),
            (Stage::ClosestHit, &set),
            (Stage::Miss, &set),
            (Stage::Callable, callable),
            (Stage::Intersection, "void main() {}"),
        ],
        groups: &[
            ShaderGroup::General(0),
            HIT,
            ShaderGroup::General(2),
            ShaderGroup::General(3),
            ShaderGroup::Procedural { intersection: 4, any_hit: None, closest_hit: Some(1) },
        ],
        hit: vec![(Some(1), vec![])],
        miss: vec![(Some(2), vec![])],
        callable: vec![(Some(3), vec![])],
        size: [37, 1, 1],
        words: 128,
        ..Program::default()
    };
    found(|device| {
        let mut ready = program.ready(device, &triangle(device, true));
        change(&mut ready);
        ready.run(&[], |commands| {
            commands.trace_rays(&ready.tables, program.size);
        });
    })
}

/// Writes a handle to a record at an address.
fn write(ready: &Ready, address: u64, handle: &[u8]) {
    ready.memory.write(address - ready.memory.device_address().unwrap(), handle).unwrap();
}

#[test]
fn records_name_suitable_groups_of_the_pipeline() {
    assert_eq!(tables(|_| {}), [""; 0]);
    let group = |ready: &Ready, n| ready.pipeline.group_handle(n).unwrap();
    // Null is allowed, and so are tables without memory.
    assert_eq!(tables(|ready| write(ready, ready.tables.hit.address, &[0; 32])), [""; 0]);
    assert_eq!(tables(|ready| ready.tables.miss = Region::default()), [""; 0]);
    type Place = fn(&Ready) -> u64;
    let each: [(Place, &str); 3] = [
        (|r| r.tables.hit.address, "bad-shader-record:10"),
        (|r| r.tables.miss.address, "bad-shader-record:10"),
        (|r| r.tables.callable.address, "bad-shader-record:11"),
    ];
    for (address, wrong) in each {
        // Other bytes; a handle with one bit flipped; a group of another kind; a record past the end.
        assert_eq!(tables(|r| write(r, address(r), &[7; 32])), [wrong]);
        let flipped = |r: &mut Ready| {
            let mut handle = group(r, 1);
            handle[9] ^= 1;
            write(r, address(r), &handle);
        };
        assert_eq!(tables(flipped), [wrong]);
        assert_eq!(tables(|r| write(r, address(r), &group(r, 0))), [wrong]);
    }
    assert_eq!(tables(|r| write(r, r.tables.hit.address, &group(r, 4))), ["bad-shader-record:10"]);
    assert_eq!(tables(|r| r.tables.hit.size = 16), ["bad-shader-record:10"]);
    assert_eq!(tables(|r| r.tables.callable.size = 16), ["bad-shader-record:11"]);
    assert_eq!(tables(|r| r.tables.callable.size = 0), [""; 0]);
    // The record of the ray generation shader belongs to the command.
    assert_eq!(tables(|r| write(r, r.tables.raygen.address, &[7; 32])), ["bad-shader-record:0"]);
}

#[test]
fn rays_and_structures_of_pipelines_are_checked() {
    let nothing = "void main() {}";
    let with = |origin: &str| raygen("payload = vec4(0);", READ).replace("from, 0.0", origin);
    assert_eq!(trace(&with("from, 0.0"), nothing, nothing), [""; 0]);
    assert_eq!(trace(&with("from / float(gl_LaunchIDEXT.y), 0.0"), nothing, nothing), ["invalid-ray:10"]);
    assert_eq!(trace(&with("from, -1.0"), nothing, nothing), ["invalid-ray:10"]);
    assert_eq!(trace(&with("from, 11.0"), nothing, nothing), ["invalid-ray:10"]);
}

/// Spec: Vulkan, VUID-vkCmdTraceRaysKHR-maxPipelineRayRecursionDepth-03679.
#[test]
fn traces_are_nested_as_deep_as_the_pipeline_allows() {
    let hit =
        "layout(location = 0) rayPayloadInEXT vec4 payload; layout(location = 1) rayPayloadEXT vec4 next;
        void main() {
            payload = vec4(1); next = vec4(0);
            #line 20
            traceRayEXT(scene, 0u, 0xff, 0, 0, 0, vec3(5.0, 5.0, 1.0), 0.0, vec3(0, 0, -1), 10.0, 1);
        }";
    let miss = "layout(location = 0) rayPayloadInEXT vec4 payload; void main() { payload = vec4(2); }";
    let raygen = raygen("payload = vec4(0);", READ);
    let run = |depth: u32| {
        let program = Program {
            shaders: &[(Stage::RayGeneration, &*raygen), (Stage::ClosestHit, hit), (Stage::Miss, miss)],
            groups: &[ShaderGroup::General(0), HIT, ShaderGroup::General(2)],
            depth,
            hit: vec![(Some(1), vec![])],
            miss: vec![(Some(2), vec![])],
            size: [37, 1, 1],
            ..Program::default()
        };
        found(|device| drop(program.run(device, &triangle(device, true))))
    };
    assert_eq!(run(2), [""; 0]);
    assert_eq!(run(1), ["recursion-too-deep:20"]);
}

/// Findings of a trace in a structure that the same command buffer builds, with a dependency in between.
fn built(dependency: Option<Dependency>) -> Vec<String> {
    let options = DeviceOptions { explicit_order: true, ..DeviceOptions::default() };
    let (session, device) = crate::checks::device_with(&options);
    let scene = triangle(&device, true);
    let raygen = raygen("payload = vec4(0);", READ);
    let program = Program {
        shaders: &[(Stage::RayGeneration, &raygen)],
        groups: &[ShaderGroup::General(0)],
        ..Program::default()
    };
    let ready = program.ready(&device, &scene);
    let instances = device.create_buffer_with(&[[0u32; 16]], crate::rays::INPUT).unwrap();
    let data = GeometryData::Instances { data: instances.device_address().unwrap(), pointers: false };
    let geometries = vec![(StructureGeometry::new(data, GeometryFlags::NONE), BuildRange::default())];
    let build = StructureBuild { flags: BuildFlags::NONE, update: None, dst: scene.clone(), geometries };
    session.reports.take();
    ready.run(&[], |commands| {
        commands.build_acceleration_structures(&[build]);
        if let Some(dependency) = dependency {
            commands.pipeline_barriers(&[Barrier { dependency, of: BarrierOf::Memory }]);
        }
        commands.trace_rays(&ready.tables, program.size);
    });
    session.reports.take().iter().map(super::short).collect()
}

#[test]
fn traces_wait_for_builds() {
    let (build, trace) = (1 << 25, 1 << 21);
    let (read, write) = (1 << 21, 1 << 22);
    let right = Dependency { src_stages: build, src_access: write, dst_stages: trace, dst_access: read };
    assert_eq!(built(Some(right)), [""; 0]);
    for wrong in [
        None,
        Some(Dependency { src_access: 0, ..right }),
        Some(Dependency { dst_access: 1 << 5, ..right }),
        Some(Dependency { dst_stages: 1 << 11, ..right }),
        Some(Dependency { src_stages: 1 << 11, ..right }),
    ] {
        assert_eq!(built(wrong), ["race-commands:10"], "{wrong:?}");
    }
}
