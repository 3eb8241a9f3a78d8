//! Shaders of ray tracing pipelines in the debugger: the shaders of a launch are recordings in the order in which they
//! begin, with their variables.
#![cfg(feature = "glsl")]

#[allow(dead_code, reason = "the debugger uses only part of the programs")]
#[path = "../../tests/rays/mod.rs"]
mod rays;

use std::sync::Arc;

use quadrille::frontend::Language;
use quadrille::{Device, DeviceOptions, ShaderGroup, Stage, Watching};
use quadrille_debug::{MAX_BYTES, Recorder, Session, Stop, Stride, Target, Way};
use rays::Program;

const RAYGEN: &str = "layout(location = 0) rayPayloadEXT vec2 payload;
void main() {
    vec3 from = vec3(0.25, 0.25, float(gl_LaunchIDEXT.x));
    payload = vec2(from.z, 0.5);
    traceRayEXT(scene, 0u, 0xff, 0, 0, 0, from, 0.0, vec3(0, 0, 1), 10.0, 0);
    float total = payload.x + payload.y;
    put(gl_LaunchIDEXT.x, total);
}";

const MISS: &str = "layout(location = 0) rayPayloadInEXT vec2 payload;
void main() {
    float before = payload.x;
    payload.y = before * 2.0;
}";

/// Recordings of a launch.
fn record(launch: [u32; 3]) -> Vec<Session> {
    let recorder = Recorder::new(Target::Launch(launch), MAX_BYTES);
    let watch = Some(Watching::new(recorder.watch()));
    let device = Device::new(DeviceOptions { threads: 1, watch, ..DeviceOptions::default() }).unwrap();
    let program = Program {
        shaders: &[(Stage::RayGeneration, RAYGEN), (Stage::Miss, MISS)],
        groups: &[ShaderGroup::General(0), ShaderGroup::General(1)],
        miss: vec![(Some(1), vec![])],
        size: [12, 1, 1],
        ..Program::default()
    };
    let words = program.run(&device, &rays::scene(&device, &[]));
    assert_eq!(rays::floats(&words)[launch[0] as usize], 3.0 * launch[0] as f32);
    recorder.take().into_iter().map(|r| Session::new(Arc::new(r), Language::Glsl)).collect()
}

fn print(session: &mut Session, text: &str) -> String {
    let lane = session.lane();
    session.evaluate(lane, text).map_or_else(|e| format!("error: {e}"), |a| a.text)
}

/// Lines to which a session steps.
fn steps(session: &mut Session) -> Vec<u32> {
    let mut lines = vec![session.stack()[0].line];
    while session.step(Stride::Over, Way::Forward) == Stop::Step {
        lines.push(session.stack()[0].line);
    }
    lines
}

#[test]
fn a_launch_is_stepped_from_ray_generation_to_miss() {
    let mut sessions = record([9, 0, 0]);
    let stages: Vec<Stage> = sessions.iter().map(|s| s.recording().shader.stage).collect();
    assert_eq!(stages, [Stage::RayGeneration, Stage::Miss]);
    let [raygen, miss] = &mut sessions[..] else { panic!("two recordings") };
    let lines = steps(raygen);
    assert!(lines.starts_with(&[3, 4, 5, 6, 7]), "{lines:?}");
    assert_eq!((print(raygen, "payload"), print(raygen, "total")), ("vec2(9.0, 18.0)".into(), "27.0".into()));
    // Before the trace, the payload is what this shader wrote.
    while raygen.stack()[0].line != 5 {
        raygen.step(Stride::Over, Way::Backward);
    }
    assert_eq!(print(raygen, "payload.y"), "0.5");
    let lines = steps(miss);
    assert!(lines.starts_with(&[3, 4]), "{lines:?}");
    assert_eq!((print(miss, "before"), print(miss, "payload")), ("9.0".into(), "vec2(9.0, 18.0)".into()));
}

#[test]
fn other_launches_are_not_recorded() {
    let names: Vec<String> = record([3, 0, 0])
        .iter()
        .map(|s| quadrille_debug::name_of(&s.recording().who[s.recording().focus], [1; 3]))
        .collect();
    assert_eq!(names, ["launch (3, 0, 0)"; 2]);
}
