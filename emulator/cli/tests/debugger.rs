//! `quadrille debug`, at its prompt and in a browser, and `quadrille dap`.
#![cfg(feature = "glsl")]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{self, Folder, chromium};

/// A picture of stripes; the tests refer to its line numbers.
const PICTURE: &str = "#version 450
layout(location = 0) out vec4 color;
float stripe(float x) {
    float wave = sin(x * 0.5);
    return wave * 0.5 + 0.5;
}
void main() {
    vec2 at = gl_FragCoord.xy;
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 3; i++) {
        sum[i] = stripe(at.x + at.y * float(i));
    }
    color = vec4(sum, 1.0);
}
";

/// Runs the command with a script; returns standard output, standard error and success.
pub fn debug(arguments: &[&str], script: &str) -> (String, String, bool) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .arg("debug")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The command may have ended already.
    let _ = child.stdin.take().unwrap().write_all(script.as_bytes());
    let out = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&out.stdout), text(&out.stderr), out.status.success())
}

#[test]
fn a_pixel_at_the_prompt() {
    let folder = Folder::new("debug-pixel");
    let file = folder.write("stripes.frag", PICTURE);
    let script = "break 11 if i == 1\nc\np at\np at.x + at.y * float(i)\ns\nbt\nrc\nend\nquit\n";
    let (out, errors, ok) = debug(&[&file, "--pixel", "3,4", "--size", "16x16"], script);
    assert!(ok, "{errors}");
    for part in [
        "pixel (3, 4): lane ",
        "at = vec2(3.5, 4.5)",
        "at.x + at.y * float(i) = 8.0",
        ">#0 stripe ",
        "the invocation has ended\ncolor = vec4(",
    ] {
        assert!(out.contains(part), "{part:?} is not in:\n{out}");
    }
}

#[test]
fn functions_frames_and_what_is_no_line() {
    let folder = Folder::new("debug-functions");
    let file = folder.write("stripes.frag", PICTURE);
    let script = "break stripe if x > 4.0\nc\np x\nup\np i\ndown 1\nup 7\nbreak nowhere\nbreak 7 hit often\nbreak 9 hit 0\n\
                  break other.frag:3\nbreak\nbreak 7\n";
    let (out, errors, ok) = debug(&[&file, "--pixel", "3,4", "--size", "16x16"], script);
    assert!(ok, "{errors}");
    for part in [
        "breakpoint 1 at line 4",
        "x = 8.0",
        ">#1 main ",
        "i = 1",
        ">#0 stripe ",
        "there is no such frame: `where` lists 2",
        "`nowhere` is neither a line nor a function",
        "hit N: give a number from 1 on",
        "there is no file other.frag",
        "break [FILE:]LINE, or break FUNCTION",
        // Variables are declared at the head of a function.
        "breakpoint 2 at line 8",
    ] {
        assert!(out.contains(part), "{part:?} is not in:\n{out}");
    }
    // Neither a word nor 0 is the number of a hit.
    assert_eq!(out.matches("hit N: give a number").count(), 2, "{out}");
}

/// A mistake in a condition is reported when the condition is set, not when its line is reached.
#[test]
fn conditions_are_tried_when_they_are_set() {
    let folder = Folder::new("debug-conditions");
    let file = folder.write("stripes.frag", PICTURE);
    let script = "break 11 if i > \nbreak 11 if nowhere == 1\nbreak 11 if\nbreak 11 if i == 1\nc\np i\nwatch at if )\n";
    let (out, errors, ok) = debug(&[&file, "--pixel", "3,4", "--size", "16x16"], script);
    assert!(ok, "{errors}");
    for part in
        ["the condition `i >` fails: ", "the condition `nowhere == 1` fails: ", "the condition `)` fails: "]
    {
        assert!(out.contains(part), "{part:?} is not in:\n{out}");
    }
    assert!(out.contains("the condition `` fails: nothing to evaluate"), "{out}");
    assert_eq!(out.matches("at line 11").count(), 1, "{out}");
    assert!(out.contains("i = 1\n") && !out.contains("its condition fails"), "{out}");
}

#[test]
fn instructions_are_the_source_of_modules_without_lines() {
    let script = "list\nn\nn\nrn\nbreak main\nc\nbt\n";
    let (out, errors, ok) =
        debug(&[&common::asset("ripples.spvasm"), "--pixel", "3,4", "--size", "16x16"], script);
    assert!(ok, "{errors}");
    // The module has no OpLine, so its instructions are listed and stepped through, with their results.
    assert!(out.matches("main disassembly.spvasm:").count() >= 4, "{out}");
    let listed = out.lines().find(|l| l.starts_with('>')).unwrap_or_else(|| panic!("{out}"));
    assert!(listed.contains(" = Op"), "{listed}");
    assert!(out.contains("(output) = vec4("), "{out}");
}

#[test]
fn an_invocation_and_a_vertex() {
    let folder = Folder::new("debug-compute");
    let compute = folder.write(
        "add.comp",
        "#version 450\nlayout(local_size_x = 4) in;\nlayout(set = 0, binding = 0) buffer B { int n[]; };\n\
         void main() {\n    int mine = n[gl_GlobalInvocationID.x];\n    n[gl_GlobalInvocationID.x] = mine * 2;\n}\n",
    );
    let run = ["--dispatch", "1", "--bind", "0.0=i32:5,6,7,8"];
    let arguments = [&[compute.as_str(), "--invocation", "2"], &run[..]].concat();
    let (out, errors, ok) = debug(&arguments, "n\np mine\np @lanes mine\nend\np n[2]\n");
    assert!(ok, "{errors}");
    for part in ["mine = 7", "*  3  8", "n[2] = 14"] {
        assert!(out.contains(part), "{part:?} is not in:\n{out}");
    }
    let vertex = folder.write(
        "points.vert",
        "#version 450\nvoid main() {\n    float x = float(gl_VertexIndex);\n    gl_Position = vec4(x, 0.0, 0.0, 1.0);\n}\n",
    );
    let fragment = folder.write(
        "white.frag",
        "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1.0); }\n",
    );
    let arguments = [&vertex, &fragment, "--vertices", "3", "--vertex", "2", "--size", "8x8"];
    let (out, errors, ok) = debug(&arguments, "n\np x\n");
    assert!(ok && out.contains("x = 2.0"), "{out}{errors}");
}

#[test]
fn elements_of_arrays_of_buffers() {
    let folder = Folder::new("debug-array");
    let file = folder.write(
        "array.comp",
        "#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;
layout(binding = 0) buffer B { uint n; float list[]; } b[2];
void main() {
    uint g = gl_GlobalInvocationID.x;
    b[1].n = 7u;
    b[nonuniformEXT(g & 1u)].list[g] = 2.0;
    b[0].n = 8u;
}
",
    );
    let run = ["--dispatch", "1", "--bind", "0.0[0]=zeros:64", "--bind", "0.0[1]=zeros:64"];
    let script =
        "watch b[1].n\nc\nend\np b[0].n\np b[1].n + b[0].n\np b[g & 1u].list[g]\np b[1].list\np b\np b.n\n";
    let (out, errors, ok) = debug(&[&[file.as_str(), "--invocation", "3"], &run[..]].concat(), script);
    assert!(ok, "{errors}");
    let even = "{n: 8, list: [[0]: 2.0, [2]: 2.0, [4]: 2.0, [6]: 2.0]}";
    let odd = "[[1]: 2.0, [3]: 2.0, [5]: 2.0, [7]: 2.0]";
    for part in [
        "watch 1: b[1].n: not accessed -> 7\n",
        "b[0].n = 8\n",
        "b[1].n + b[0].n = 15\n",
        "b[g & 1u].list[g] = 2.0\n",
        &format!("b[1].list = {odd}\n"),
        &format!("b = [[0]: {even}, [1]: {{n: 7, list: {odd}}}]\n"),
    ] {
        assert!(out.contains(part), "{part:?} is not in:\n{out}");
    }
    assert!(!out.contains("b.n = "), "{out}");
}

const VERTEX: &str = "#version 450
void main() {
    vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0;
    gl_Position = vec4(at, 0, 1);
}
";
const CONTROL: &str = "#version 450
layout(vertices = 3) out;
void main() {
    float mine = float(gl_InvocationID) + 10.0 * float(gl_PrimitiveID);
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 2.0;
}
";
const EVALUATION: &str = "#version 450
layout(triangles) in;
void main() {
    vec3 t = gl_TessCoord;
    float sum = t.x + t.y + t.z;
    gl_Position = t.x * gl_in[0].gl_Position + t.y * gl_in[1].gl_Position + t.z * gl_in[2].gl_Position;
}
";
const GEOMETRY: &str = "#version 450
layout(triangles, invocations = 2) in;
layout(triangle_strip, max_vertices = 3) out;
void main() {
    float left = gl_in[0].gl_Position.x;
    int which = gl_InvocationID * 100 + gl_PrimitiveIDIn;
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        EmitVertex();
    }
}
";
const TASK: &str = "#version 450
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 2) in;
taskPayloadSharedEXT float height;
void main() {
    float up = float(gl_LocalInvocationIndex) + 1.0;
    if (gl_LocalInvocationIndex == 1) height = up;
    EmitMeshTasksEXT(2, 1, 1);
}
";
const MESH: &str = "#version 450
#extension GL_EXT_mesh_shader : require
layout(local_size_x = 4) in;
layout(triangles, max_vertices = 4, max_primitives = 2) out;
taskPayloadSharedEXT float height;
void main() {
    SetMeshOutputsEXT(4, 2);
    uint i = gl_LocalInvocationIndex;
    vec2 at = vec2(i & 1u, i >> 1) * height + float(gl_WorkGroupID.x);
    gl_MeshVerticesEXT[i].gl_Position = vec4(at - 1.0, 0, 1);
    gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
    gl_PrimitiveTriangleIndicesEXT[1] = uvec3(2, 1, 3);
}
";

#[test]
fn every_stage_in_tests_of_files() {
    let folder = Folder::new("debug-stages");
    for (name, text) in [
        ("white.frag", "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1.0); }\n"),
        ("corner.vert", VERTEX),
        ("all.tesc", CONTROL),
        ("all.tese", EVALUATION),
        ("all.geom", GEOMETRY),
        ("two.task", TASK),
        ("two.mesh", MESH),
    ] {
        folder.write(name, text);
    }
    let tests = folder.write(
        "stages.test.toml",
        r#"
shader = "white.frag"
[[test]]
name = "patches"
draw = "4x4"
vertex = "corner.vert"
tessellation-control = "all.tesc"
tessellation-evaluation = "all.tese"
patch = 3
vertices = 6
expect = { "color.0" = "u8: 255*64" }

[[test]]
name = "primitives"
draw = "4x4"
vertex = "corner.vert"
geometry = "all.geom"
vertices = 6
expect = { "color.0" = "u8: 255*64" }

[[test]]
name = "meshes"
draw = "4x4"
task = "two.task"
mesh = "two.mesh"
expect = { "color.0" = "u8: 255*64" }
"#,
    );
    for (invocation, script, parts) in [
        (
            &["--patch", "1,2"][..],
            "n\np mine\np @lanes mine\n",
            &["patch 1, invocation 2: lane ", "main ", "mine = 12.0", "*  0  "][..],
        ),
        (
            &["--point", "1,4"],
            "break 6 if abs(sum - 1.0) < 0.001\nc\np t\np t.x + t.y\n",
            &["patch 1, point 4 at (", "breakpoint 1", "t = vec3("],
        ),
        (&["--primitive", "1"], "n\nn\np which\np left\n", &["primitive 1, invocation 0", "which = 1\n"]),
        (&["--primitive", "1,1"], "n\nn\np which\n", &["primitive 1, invocation 1", "which = 101\n"]),
        (&["--task-invocation", "0,0,0,1,0,0"], "n\np up\nend\np height\n", &["up = 2.0", "height = 2.0"]),
        (
            &["--mesh-invocation", "1,0,0,3,0,0"],
            "n\nn\nn\np at\np height\n",
            &["invocation (7, 0, 0)", "at = vec2(3.0, 3.0)", "height = 2.0"],
        ),
        (&["--vertex", "5", "--filter", "primitives"], "n\np at\n", &["vertex 5", "at = vec2("]),
        (&["--pixel", "2,1", "--filter=meshes"], "end\n", &["c = vec4(1.0, 1.0, 1.0, 1.0)"]),
    ] {
        let (out, errors, ok) = debug(&[&[tests.as_str()], invocation].concat(), script);
        assert!(ok, "{invocation:?}: {errors}");
        for part in parts {
            assert!(out.contains(part), "{invocation:?}: {part:?} is not in:\n{out}");
        }
    }
    for (arguments, part) in [
        (&["--point", "9,0"][..], "point 0 of patch 9: the shader did not run there"),
        (&["--point", "0", "--size", "8x8"], "--size is not an option for tests"),
        (&["--patch", "0", "--filter", "nothing"], "--filter selects no test"),
        (&["--primitive", "1,2,3"], "give numbers"),
    ] {
        let (_, errors, ok) = debug(&[&[tests.as_str()], arguments].concat(), "");
        assert!(!ok && errors.contains(part), "{arguments:?}: {errors}");
    }
}

/// Built-ins that the shader does not use have their values nevertheless: 13 is invocation 3 of workgroup 2.
#[test]
fn built_ins_that_the_shader_does_not_use() {
    let folder = Folder::new("debug-builtins");
    let source = "#version 450
layout(local_size_x = 5) in;
layout(binding = 0) buffer Values { uint v[]; };
uint place() { return gl_WorkGroupID.x * 100u + gl_LocalInvocationIndex; }
void main() {
    v[gl_GlobalInvocationID.x] = 1u;
}
";
    let file = folder.write("builtins.comp", source);
    let arguments = [&file, "--invocation", "13", "--dispatch", "4", "--bind", "0.0=zeros:80"];
    let script = "p gl_LocalInvocationIndex\np gl_WorkGroupID\np gl_NumWorkGroups.x * 2u\np gl_WorkGroupSize.x\n\
                  p gl_LocalInvocationID.x + 1u\np gl_GlobalInvocationID.x\np place()\np gl_VertexIndex\n";
    let (out, errors, ok) = debug(&arguments, script);
    assert!(ok, "{errors}");
    for part in [
        "gl_LocalInvocationIndex = 3\n",
        "gl_WorkGroupID = uvec3(2, 0, 0)\n",
        "gl_NumWorkGroups.x * 2u = 8\n",
        "gl_WorkGroupSize.x = 5\n",
        "gl_LocalInvocationID.x + 1u = 4\n",
        "gl_GlobalInvocationID.x = 13\n",
        "place() = 203\n",
        "gl_VertexIndex: ",
    ] {
        assert!(out.contains(part), "{part:?} is not in:\n{out}");
    }
    let file = folder.write(
        "plain.frag",
        "#version 450
layout(location = 0) out vec4 color;
void main() {
    color = vec4(1.0);
}
",
    );
    let script = "p gl_FragCoord.xy\np gl_HelperInvocation\np gl_FragCoord.x > 3.0\n";
    let (out, errors, ok) = debug(&[&file, "--pixel", "5,2", "--size", "8x8"], script);
    assert!(ok, "{errors}");
    for part in
        ["gl_FragCoord.xy = vec2(5.5, 2.5)", "gl_HelperInvocation = false", "gl_FragCoord.x > 3.0 = true"]
    {
        assert!(out.contains(part), "{part:?} is not in:\n{out}");
    }
}

/// The files of a test may lie in a folder that the command line allows.
#[test]
fn tests_name_files_of_allowed_folders() {
    let folder = Folder::new("debug-allowed");
    folder.write(
        "shaders/one.wgsl",
        "@group(0) @binding(0) var<storage, read_write> v: array<f32>;
@compute @workgroup_size(1) fn main() { v[0] = 1.0; }",
    );
    let toml = "shader = \"../shaders/one.wgsl\"\n[[test]]\nname = \"a\"\ndispatch = [1]\nbind = { \"0.0\" = \"zeros: 4\" }\n";
    let test = folder.write("tests/one.test.toml", toml);
    let (_, errors, ok) = debug(&[&test, "--invocation", "0,0,0"], "quit\n");
    assert!(!ok && errors.contains("--allow-path"), "{errors}");
    let shaders = folder.path("shaders");
    let (out, errors, ok) = debug(&[&test, "--invocation", "0,0,0", "--allow-path", &shaders], "quit\n");
    assert!(ok && out.contains("one.wgsl:2"), "{out} {errors}");
    let (_, errors, ok) = debug(&[&test, "--invocation", "0,0,0", "--filter", "two"], "quit\n");
    assert!(!ok && errors.contains("--filter selects no test"), "{errors}");
}

/// Two triangles share the diagonal of the picture. Quads there run for both triangles, but each pixel is shaded only
/// for the one that covers it.
#[test]
fn helpers_shade_no_pixel() {
    let folder = Folder::new("debug-helpers");
    let vertex = folder.write(
        "two.vert",
        "#version 450
void main() {
    const vec2 at[6] = vec2[](vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(1, -1), vec2(1, 1), vec2(-1, 1));
    gl_Position = vec4(at[gl_VertexIndex], 0, 1);
}
",
    );
    let fragment = folder.write(
        "two.frag",
        "#version 450
layout(location = 0) out vec4 color;
void main() {
    float first = gl_PrimitiveID == 0 ? 1.0 : 0.0;
    color = vec4(first, dFdx(gl_FragCoord.x), gl_HelperInvocation ? 1.0 : 0.0, 1.0);
}
",
    );
    // The diagonal runs from top right to bottom left. Pixels above it belong to the first triangle, those below to the
    // second.
    for ([x, y], first) in
        [([3, 3], "1.0"), ([4, 4], "0.0"), ([3, 5], "0.0"), ([5, 1], "1.0"), ([2, 4], "1.0")]
    {
        let pixel = format!("{x},{y}");
        let line = [&vertex, &fragment, "--vertices", "6", "--size", "8x8", "--pixel", &pixel];
        let (out, errors, ok) = debug(&line, "n\np first\nend\n");
        assert!(ok, "{errors}");
        assert!(!out.contains("times)") && !out.contains("helper:"), "{pixel}: {out}");
        assert!(out.contains(&format!("first = {first}\n")), "{pixel}: {out}");
        assert!(out.contains(&format!("color = vec4({first}, 1.0, 0.0, 1.0)")), "{pixel}: {out}");
    }
}

#[test]
fn mistakes_are_explained() {
    let folder = Folder::new("debug-mistakes");
    let file = folder.write("stripes.frag", PICTURE);
    for (arguments, part) in [
        (vec![file.as_str()], "the invocation is missing"),
        (
            vec![&file, "--pixel", "8,7", "--size", "8x8"],
            "pixel (8, 7): the shader did not run there: the picture has 8x8 pixels",
        ),
        (vec![&file, "--pixel", "3"], "give numbers"),
        (vec![&file, "--pixel", "3,3", "--nonsense"], "--nonsense"),
        (vec!["nowhere.frag", "--pixel", "3,3"], "nowhere.frag"),
        (vec![&file, "--invocation", "3"], "--invocation needs --dispatch"),
        (vec!["--serve"], "<FILE>"),
    ] {
        let (_, errors, ok) = debug(&arguments, "");
        assert!(!ok && errors.contains(part), "{arguments:?}: {errors}");
    }
}

#[test]
fn an_editor_launches_a_pixel() {
    let folder = Folder::new("debug-dap");
    let file = folder.write("stripes.frag", PICTURE);
    let out = edit(&folder, &[&launch(&file, "")]);
    assert!(out.contains(r#""result":"vec2(3.5, 4.5)""#), "{out}");
}

/// Each launch starts in the folder of the adapter, even after launches that failed there.
#[test]
fn an_editor_launches_in_a_folder_again() {
    let folder = Folder::new("debug-dap-again");
    folder.write("shaders/stripes.frag", PICTURE);
    let [wrong, right] = ["none.frag", "stripes.frag"].map(|file| launch(file, r#""cwd":"shaders","#));
    let elsewhere = launch("stripes.frag", r#""cwd":"elsewhere","#);
    let out = edit(&folder, &[&wrong, &launch("none.frag", ""), &elsewhere, &right]);
    assert!(out.contains(r#""result":"vec2(3.5, 4.5)""#), "{out}");
    assert!(out.contains("elsewhere: ") && !out.contains("os error"), "{out}");
}

/// A request for the pixel (3, 4) of a file.
fn launch(file: &str, more: &str) -> String {
    format!(r#""launch","arguments":{{{more}"program":"{file}","pixel":[3,4],"args":["--size","16x16"]}}"#)
}

/// The answers of the adapter to an editor that sends these requests, and asks for `gl_FragCoord.xy`.
fn edit(folder: &Folder, launches: &[&str]) -> String {
    let last = [
        r#""configurationDone""#,
        r#""evaluate","arguments":{"expression":"gl_FragCoord.xy"}"#,
        r#""disconnect""#,
    ];
    let mut input = Vec::new();
    for (seq, body) in [r#""initialize","arguments":{}"#].iter().chain(launches).chain(&last).enumerate() {
        let text = format!(r#"{{"seq":{seq},"type":"request","command":{body}}}"#);
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .arg("dap")
        .current_dir(folder.path(""))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&input).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

/// A server that ends when this value is dropped.
struct Served(std::process::Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_page_in_a_browser() {
    let Some(browser) = chromium() else { return };
    let folder = Folder::new("debug-page");
    // A division by zero without visible effect, because opacity is clamped.
    let divides = "vec4(sum, 1.0 / (at.y - at.y))";
    let file = folder.write("stripes.frag", PICTURE.replace("vec4(sum, 1.0)", divides));
    let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(["debug", &file, "--size", "64x36", "--serve", "--cost", "--check"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut url = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let _served = Served(child);
    let url = url.trim();
    assert!(url.starts_with("http://127.0.0.1:") && url.contains("?token="), "{url}");
    let browse = |url: &str, arguments: &[&str]| {
        let out = Command::new(&browser)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--virtual-time-budget=20000",
            ])
            .arg(format!("--user-data-dir={}", folder.path("profile")))
            .args(arguments)
            .arg(url)
            .output()
            .unwrap();
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    // Without the full address nothing is shown.
    let dom = browse(url.split('?').next().unwrap(), &["--dump-dom"]);
    assert!(dom.contains("not the address that was printed") && !dom.contains("stripe("), "{dom}");

    let page = format!(
        "{url}&pixel=3,4&break=11&motion=continue&motion=continue&watch=at.x+*+2.0&history=sum&all=1&zoom=3"
    );
    let dom = browse(&page, &["--dump-dom"]);
    for part in [
        "data-ready=\"yes\"",
        "pixel (3, 4)",
        "float stripe(float x)",
        "at.x * 2.0",
        "7.0",
        "History of <span class=\"as-is\">sum</span>",
        "class=\"remark\">",
    ] {
        assert!(dom.contains(part), "{part:?} is not in:\n{dom}");
    }
    // The breakpoint is still set.
    let page = page.replace("&break=11", "");
    let shot = folder.path("shot.png");
    browse(&page, &[&format!("--screenshot={shot}"), "--window-size=1500,900"]);
    let picture = image::open(&shot).unwrap().into_rgb8();
    // The enlarged stripes are visible: many colours in the upper left part.
    let mut colors: Vec<[u8; 3]> = (50..400)
        .flat_map(|x| (100..250).map(move |y| (x, y)))
        .map(|(x, y)| picture.get_pixel(x, y).0)
        .collect();
    colors.sort_unstable();
    colors.dedup();
    assert!(colors.len() > 20, "{} colours", colors.len());
    if let Some(keep) = option_env!("CARGO_TARGET_TMPDIR") {
        picture.save(Path::new(keep).join("debug_page.png")).unwrap();
    }
    // The cost of pixels instead of the picture: all cost the same, so all have the maximum, which is white.
    let cost = folder.path("cost.png");
    browse(&format!("{url}&cost=1"), &[&format!("--screenshot={cost}"), "--window-size=1500,900"]);
    let picture = image::open(&cost).unwrap().into_rgb8();
    let shown =
        (50..400).flat_map(|x| (100..250).map(move |y| (x, y))).map(|(x, y)| picture.get_pixel(x, y).0);
    assert!(shown.clone().all(|c| c == [255; 3]), "{:?}", shown.clone().min());
}
