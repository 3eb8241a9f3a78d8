//! Races in ray tracing pipelines: shaders that run for one launch are one invocation, and launches race.

use super::{found, triangle};
use crate::rays::Program;
use quadrille::*;

/// Sorted findings of 8 launches with these bodies of shaders: of the ray generation shader, whose first line is line 10, of the
/// closest-hit shader (line 20), the miss shader (30) and the callable shader (40). The rays of even launches hit. Launches
/// are the lanes of one group, which execute their statements together.
#[track_caller]
fn launch(raygen: &str, hit: &str, miss: &str, callable: &str) -> Vec<String> {
    let raygen = format!(
        "layout(location = 0) rayPayloadEXT uint payload; layout(location = 1) callableDataEXT uint data;
        void main() {{
            uint i = gl_LaunchIDEXT.x; vec3 from = vec3(i % 2u == 0u ? 0.25 : 5.0, 0.25, 1.0); payload = data = i;
            #line 10
            {raygen}
        }}"
    );
    let shader = |declaration: &str, line: u32, body: &str| {
        format!(
            "layout(location = 0) {declaration} uint payload;
            void main() {{ uint i = gl_LaunchIDEXT.x;
            #line {line}
            {body} }}"
        )
    };
    let hit = shader("rayPayloadInEXT", 20, hit);
    let miss = shader("rayPayloadInEXT", 30, miss);
    let callable = shader("callableDataInEXT", 40, callable);
    let shaders = [
        (Stage::RayGeneration, &*raygen),
        (Stage::ClosestHit, &*hit),
        (Stage::Miss, &*miss),
        (Stage::Callable, &*callable),
    ];
    let program = Program {
        shaders: &shaders,
        groups: &[
            ShaderGroup::General(0),
            ShaderGroup::Triangles { closest_hit: Some(1), any_hit: None },
            ShaderGroup::General(2),
            ShaderGroup::General(3),
        ],
        hit: vec![(Some(1), vec![])],
        miss: vec![(Some(2), vec![])],
        callable: vec![(Some(3), vec![])],
        size: [8, 1, 1],
        ..Program::default()
    };
    let mut kinds = found(|device| drop(program.run(device, &triangle(device, true))));
    kinds.sort();
    kinds
}

const TRACE: &str = "traceRayEXT(scene, 0u, 0xff, 0, 0, 0, from, 0.0, vec3(0, 0, -1), 10.0, 0);";
const CALL: &str = "executeCallableEXT(0, 1);";

#[test]
fn launches_race() {
    assert_eq!(launch("results[i] = i;", "", "", ""), [""; 0]);
    assert_eq!(launch("results[i / 2u] = i;", "", "", ""), ["race-buffer:10"]);
    // Hit shaders of even launches, and miss shaders of odd ones.
    assert_eq!(launch(TRACE, "results[i] = i;", "results[i] = i;", ""), [""; 0]);
    assert_eq!(launch(TRACE, "results[i / 4u] = i;", "", ""), ["race-buffer:20"]);
    assert_eq!(launch(TRACE, "results[i / 2u] = i;", "results[i / 2u] = i;", ""), ["race-buffer:20"]);
    // Shaders that only read race with others that write.
    let read = "payload = results[i ^ 1u];";
    assert_eq!(launch(TRACE, "results[i] = i;", read, ""), ["race-buffer:20"]);
    assert_eq!(launch(TRACE, "results[i] = i;", "payload = results[i];", ""), [""; 0]);
    assert_eq!(launch(TRACE, "", read, ""), [""; 0]);
}

#[test]
fn shaders_of_a_launch_are_ordered() {
    let after = |body: &str| format!("{TRACE} {body}");
    // Called shaders write what the caller has written, and reads afterwards.
    let around = format!("results[i] = 1u; {TRACE} payload = results[i]; results[i] = 2u;");
    assert_eq!(launch(&around, "results[i] += i;", "results[i] = payload;", ""), [""; 0]);
    assert_eq!(launch(&after("payload = results[i ^ 2u];"), "results[i] = i;", "", ""), ["race-buffer:10"]);
    let both = format!("results[i] = 1u; {CALL} {TRACE} {CALL}");
    assert_eq!(launch(&both, "results[i] += 1u;", "", "results[i] += 2u;"), [""; 0]);
    assert_eq!(launch(&both, "", "", "results[i / 2u] += i + 1u;"), ["race-buffer:10", "race-buffer:40"]);
}

#[test]
fn atomics_of_nested_shaders_are_ordered() {
    let add = "atomicAdd(results[9], 1u);";
    let all = format!("{add} {CALL} {TRACE}");
    assert_eq!(launch(&all, add, add, add), [""; 0]);
    // A plain read is ordered with the own atomics only. It races with those of other launches in the closest-hit shader
    // and, for the first launch, in the miss shader.
    let read = format!("{all} results[i] = results[9];");
    assert_eq!(launch(&read, add, add, add), ["race-buffer:10", "race-buffer:10"]);
    let own = format!("atomicAdd(results[i], 1u); {CALL} {TRACE} results[i] += 1u;");
    let nested = "atomicAdd(results[i], 1u);";
    assert_eq!(launch(&own, nested, nested, nested), [""; 0]);
}

/// An acquire or a release of a called shader orders the accesses of its caller, and the other way round.
#[test]
fn synchronization_crosses_calls() {
    let publish = "memoryBarrierBuffer(); atomicExchange(results[9], 1u);";
    let seen = "if (atomicAdd(results[9], 0u) == 1u)";
    let raygen = |publish: &str, seen: &str| {
        format!("if (i == 0u) {{ results[8] = 5u; {publish} }} {seen} results[i + 10u] = results[8];")
    };
    let acquire = format!("{seen} memoryBarrierBuffer();");
    // The caller publishes, a called shader acquires.
    assert_eq!(launch(&raygen(publish, CALL), "", "", &acquire), [""; 0]);
    assert_eq!(launch(&raygen(publish, CALL), "", "", ""), ["race-buffer:10"]);
    // A called shader publishes, the caller acquires.
    assert_eq!(launch(&raygen(CALL, &acquire), "", "", publish), [""; 0]);
    assert_eq!(
        launch(&raygen(CALL, &acquire), "", "", "atomicExchange(results[9], 1u);"),
        ["race-buffer:10"]
    );
    // An acquire of one launch orders no accesses of the others.
    let own = format!("if (i == 2u) {{ {acquire} }}");
    assert_eq!(launch(&raygen(CALL, &own), "", "", publish), ["race-buffer:10"]);
}
