//! Ray tracing pipelines in the commands: `run`, `check`, `debug`, `profile` and tests in files.
#![cfg(feature = "glsl")]

use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::{Folder, good, quadrille};

const HEADER: &str = "#version 460\n#extension GL_EXT_ray_tracing : require\n";

/// Each launch traces a ray downwards at its x, and writes what the payload says.
const RAYGEN: &str = "layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) buffer Out { float results[]; };
layout(location = 0) rayPayloadEXT float payload;
void main() {
    vec3 from = vec3(float(gl_LaunchIDEXT.x) + 0.5, 0.25, 2.0);
    payload = 0.0;
    traceRayEXT(scene, 0u, 0xff, 0, 0, 0, from, 0.0, vec3(0, 0, -1), 10.0, 0);
    results[gl_LaunchIDEXT.x] = payload;
}";

const HIT: &str = "layout(location = 0) rayPayloadInEXT float payload;
layout(shaderRecordEXT) buffer Record { float factor; } record;
void main() {
    payload = gl_HitTEXT * record.factor;
}";

const BALL: &str = "void main() {
    if (gl_ObjectRayOriginEXT.x < 5.0) reportIntersectionEXT(3.5, 0u);
}";

const MISS: &str = "layout(location = 0) rayPayloadInEXT float payload;
void main() {
    payload = -1.0;
}";

/// A triangle at x from 1 to 2, and a box from 3 to 6, of which the intersection shader hits the part below 5.
const SCENE: &str = "0.0=triangles:1,0,0,2,0,0,1.5,1,0; boxes:3,0,0,6,1,1";

/// The files of the pipeline, and its results with 7 launches.
struct Files {
    folder: Folder,
    all: [String; 4],
}

const RESULTS: &str = "0.1: -1, 4, -1, 35, 35, -1, -1";

impl Files {
    fn new(name: &str) -> Files {
        let folder = Folder::new(name);
        let files = [("scene.rgen", RAYGEN), ("hit.rchit", HIT), ("ball.rint", BALL), ("sky.rmiss", MISS)];
        let all = files.map(|(name, source)| folder.write(name, format!("{HEADER}{source}")));
        Files { folder, all }
    }

    /// The arguments after the name of a command.
    fn arguments<'a>(&'a self, more: &[&'a str]) -> Vec<&'a str> {
        let options = ["--launch", "7x1", "--group", "hit.rchit=f32:2", "--group"];
        let options = options.into_iter().chain(["ball.rint+hit.rchit=f32:10", "--bind", SCENE, "--bind"]);
        let all = self.all.iter().map(String::as_str).chain(options).chain(["0.1=zeros:28"]);
        all.chain(more.iter().copied()).collect()
    }
}

/// Exit code, and the output for people on both streams.
fn told(command: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let out = quadrille(&[&[command], arguments].concat());
    let text = [out.stdout, out.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (out.status.code(), text.concat())
}

#[test]
fn groups_scene_and_results() {
    let files = Files::new("launch_run");
    let arguments = [&["run"][..], &files.arguments(&["--read", "0.1:f32"])].concat();
    assert_eq!(good(&arguments).trim(), RESULTS);
    // The same from files of numbers and meshes.
    let boxes: Vec<u8> = [3.0f32, 0.0, 0.0, 6.0, 1.0, 1.0].iter().flat_map(|x| x.to_le_bytes()).collect();
    let boxes = files.folder.write("boxes.bin", boxes);
    let obj = files.folder.write("t.obj", "v 1 0 0\nv 2 0 0\nv 1.5 1 0\nf 1 2 3\n");
    let scene = format!("0.0=triangles:{obj};boxes@1:{boxes}");
    let from_files: Vec<&str> = arguments.iter().map(|a| if *a == SCENE { &scene } else { *a }).collect();
    assert_eq!(good(&from_files).trim(), RESULTS);
}

#[test]
fn what_is_missing_is_named() {
    let files = Files::new("launch_missing");
    let all = files.arguments(&[]);
    let without = |what: &str, count: usize| {
        let at = all.iter().position(|a| a.ends_with(what)).unwrap();
        [&all[..at], &all[at + count..]].concat()
    };
    for (arguments, message) in [
        (without("scene.rgen", 1), "there is no ray generation shader"),
        (without("ball.rint", 1), "no shader is called `ball.rint`"),
        (without("--launch", 2), "--launch"),
        (
            [&all[..4], &["--launch", "7", "--bind", SCENE, "--bind", "0.1=zeros:28"]].concat(),
            "hit group record 1",
        ),
        ([&all[..4], &["--launch", "7", "--bind", "0.1=zeros:28"]].concat(), "nothing is bound to 0.0"),
        (
            all.iter().map(|a| if *a == SCENE { "0.0=f32:1" } else { *a }).collect(),
            "an acceleration structure there",
        ),
        (
            all.iter().map(|a| if *a == SCENE { "0.0=boxes:1" } else { *a }).collect(),
            "1 numbers are not a whole",
        ),
        (all.iter().map(|a| if *a == SCENE { "0.0=boxes:x.bin" } else { *a }).collect(), "cannot read x.bin"),
        ([&all[..], &["--group", "sky.rmiss+hit.rchit"]].concat(), "is a group alone"),
        ([&all[..], &["--recursion", "99"]].concat(), "recursion depth"),
    ] {
        let (code, text) = told("run", &arguments);
        assert!(code != Some(0) && text.contains(message), "{message}: {text}");
    }
    let (code, text) = told("check", &[files.all[0].as_str()]);
    assert!(code == Some(2) && text.contains("--launch is missing for the ray generation shader"), "{text}");
}

#[test]
fn checks_find_mistakes_of_rays() {
    let files = Files::new("launch_check");
    let (code, text) = told("check", &files.arguments(&[]));
    assert!(code == Some(0) && text.contains("nothing found"), "{text}");
    // A payload that nobody writes before the miss shader reads it, and a write past the end.
    files.folder.write("scene.rgen", format!("{HEADER}{RAYGEN}").replace("    payload = 0.0;\n", "\n"));
    files.folder.write("sky.rmiss", format!("{HEADER}{MISS}").replace("= -1.0", "+= 1.0"));
    let (code, text) = told("check", &files.arguments(&[]));
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("sky.rmiss:5:"), "{text}");
    let (code, text) = told("check", &files.arguments(&["--allow", "race-buffer", "--json"]));
    assert!(code == Some(1) && text.contains("sky.rmiss"), "{text}");
}

#[test]
fn a_launch_is_debugged_from_ray_generation_to_hit() {
    let files = Files::new("launch_debug");
    let arguments = files.arguments(&["--launch-id", "3"]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args([&["debug"][..], &arguments].concat())
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(b"record 1\nbreak 10\ncontinue\nprint payload\nprint from\n")
        .unwrap();
    let out = child.wait_with_output().unwrap();
    let text = [out.stdout, out.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    // The last recording, of the hit, is shown first; ray generation is the first one.
    assert!(out.status.success() && text.contains("hit.rchit:6"), "{text}");
    assert!(text.contains("payload = 35.0") && text.contains("from = vec3(3.5, 0.25, 2.0)"), "{text}");
    let (code, text) = told("debug", &files.arguments(&["--invocation", "3"]));
    assert!(code != Some(0) && text.contains("--launch has no such invocation"), "{text}");
}

#[test]
fn tests_in_files_launch() {
    let files = Files::new("launch_suite");
    let suite = "shader = 'scene.rgen'
[[test]]
name = 'hits and misses'
shaders = ['hit.rchit', 'ball.rint', 'sky.rmiss']
group = ['hit.rchit = f32: 2', 'ball.rint + hit.rchit = f32: 10']
launch = [7]
bind = { '0.0' = 'triangles: 1,0,0, 2,0,0, 1.5,1,0; boxes: 3,0,0, 6,1,1', '0.1' = 'zeros: 28' }
expect = { '0.1' = 'f32: -1, 4, -1, 35, 35, -1, -1' }
[[test]]
name = 'nothing'
shaders = ['sky.rmiss']
launch = [7]
bind = { '0.0' = 'triangles:', '0.1' = 'zeros: 28' }
expect = { '0.1' = 'f32: -1*7' }
[[test]]
name = 'no group'
shaders = ['sky.rmiss']
launch = [7]
bind = { '0.0' = 'triangles:; boxes:', '0.1' = 'zeros: 28' }
error = 'part 1 of the scene has hit group record 1'
";
    let file = files.folder.write("scene.test.toml", suite);
    let text = good(&["test", &file]);
    assert!(text.contains("3 passed"), "{text}");
    let (code, text) = told("check", &[&file]);
    assert!(code == Some(0), "{text}");
    let wrong =
        files.folder.write("wrong.test.toml", "[[test]]\nshader = 'a.comp'\ngroup = ['x']\ndispatch = [1]\n");
    let (code, text) = told("test", &[&wrong]);
    assert!(
        code != Some(0) && text.contains("only for tests with `launch`") && text.contains(":3:"),
        "{text}"
    );
}

/// Ray queries of compute shaders take scenes, too.
#[test]
fn ray_queries_have_scenes() {
    let folder = Folder::new("launch_query");
    let source = "#version 460
#extension GL_EXT_ray_query : require
layout(binding = 0) uniform accelerationStructureEXT scene;
layout(binding = 1) buffer Out { float t[]; };
void main() {
    rayQueryEXT q;
    rayQueryInitializeEXT(q, scene, 0u, 0xff, vec3(1.5, 0.25, 2.0), 0.0, vec3(0, 0, -1), 10.0);
    rayQueryProceedEXT(q);
    bool hit = rayQueryGetIntersectionTypeEXT(q, true) != 0u;
    t[0] = hit ? rayQueryGetIntersectionTEXT(q, true) : -1.0;
}";
    let shader = folder.write("query.comp", source);
    let run = |kind: &str| {
        let scene = format!("0.0={kind}:1,0,0,2,0,0,1.5,1,0");
        good(&[
            "run",
            &shader,
            "--dispatch",
            "1",
            "--bind",
            &scene,
            "--bind",
            "0.1=zeros:4",
            "--read",
            "0.1:f32",
        ])
    };
    // Triangles that are not opaque are candidates, which this shader does not confirm.
    assert_eq!(
        [run("opaque-triangles"), run("triangles")].map(|t| t.trim().to_owned()),
        ["0.1: 2", "0.1: -1"]
    );
}

#[test]
fn profiles_have_rows_of_ray_shaders() {
    let files = Files::new("launch_profile");
    let (code, text) = told("profile", &files.arguments(&["--measure", "0"]));
    assert_eq!(code, Some(0), "{text}");
    for row in ["scene.rgen:10", "hit.rchit:6", "sky.rmiss:5", "ball.rint:4"] {
        assert!(text.contains(row), "{row}: {text}");
    }
}
