//! `quadrille test`: finding and running tests, its output and its files.

use std::path::Path;
use std::process::Output;
use std::time::{Duration, Instant};

use crate::common::{Folder, bad, good, quadrille, wrong};

const DOUBLE: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<f32>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) { v[id.x] *= 2.0; }
";

/// A folder with a shader, a test that passes, and one that fails.
fn two(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("double.wgsl", DOUBLE);
    folder.write(
        "double.test.toml",
        r#"shader = "double.wgsl"
[[test]]
name = "doubles"
dispatch = [3]
bind = { "0.0" = "f32: 1, 2, 3" }
expect = { "0.0" = "f32: 2, 4, 6" }

[[test]]
name = "triples"
dispatch = [3]
bind = { "0.0" = "f32: 1, 2, 3" }
expect = { "0.0" = "f32: 3, 6, 9" }
"#,
    );
    folder
}

fn stdout(out: &Output) -> String {
    String::from_utf8_lossy(&out.stdout).into_owned()
}

#[test]
fn a_line_per_test_and_a_summary() {
    let folder = two("suite-lines");
    let out = quadrille(&["test", &folder.path("")]);
    assert_eq!(out.status.code(), Some(1), "{}", String::from_utf8_lossy(&out.stderr));
    let text = stdout(&out);
    for part in [
        "Starting 2 tests",
        "PASS [",
        "double.test.toml::doubles",
        "FAIL [",
        "double.test.toml:12:12: binding 0.0: value 0 is 2, expected 3",
        "value 2 is 6, expected 9",
        "2 tests run: 1 passed, 1 failed",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let text = good(&["test", &folder.path(""), "--filter", "doubles"]);
    assert!(
        text.contains("Starting 1 test (1 more are not selected)") && text.contains("1 test run: 1 passed")
    );
}

#[test]
fn exit_codes() {
    let folder = two("suite-codes");
    let code = |args: &[&str]| quadrille(&[&["test"], args].concat()).status.code();
    let root = folder.path("");
    assert_eq!(code(&[&root, "--filter", "doubles"]), Some(0));
    assert_eq!(code(&[&root]), Some(1));
    assert_eq!(code(&[&root, "--shard", "3/2"]), Some(2));
    assert_eq!(code(&["no/such/folder"]), Some(2));
    let text = wrong(&["test", "no/such/folder"]);
    assert!(text.contains("cannot read no/such/folder: ") && !text.contains("os error"), "{text}");
    assert_eq!(code(&[&folder.path("double.wgsl")]), Some(2));
    assert_eq!(code(&[&root, "--filter", "doubles", "--junit", "/dev/null/x"]), Some(3));
    assert_eq!(code(&[&root, "--filter", "nothing is called so"]), Some(4));
}

#[test]
fn lists_and_shards_part_the_tests() {
    let folder = Folder::new("suite-shards");
    folder.write("double.wgsl", DOUBLE);
    let tests: String = (0..7)
        .map(|i| {
            format!(
                "[[test]]\nname = \"t{i}\"\ndispatch = [1]\n\
                bind = {{ \"0.0\" = \"f32: {i}\" }}\nexpect = {{ \"0.0\" = \"f32: {}\" }}\n",
                2 * i
            )
        })
        .collect();
    folder.write("many.test.toml", format!("shader = \"double.wgsl\"\n{tests}"));
    let root = folder.path("");
    let all: Vec<String> = good(&["test", &root, "--list"]).lines().map(str::to_owned).collect();
    assert_eq!(all.len(), 7);
    let mut parts = Vec::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let of_shard = good(&["test", &root, "--list", "--shard", shard]);
        parts.extend(of_shard.lines().map(str::to_owned));
        let text = good(&["test", &root, "--shard", shard]);
        assert!(text.contains(&format!("{} tests run", of_shard.lines().count())), "{text}");
    }
    parts.sort();
    assert_eq!(parts, all);
    // With few tests a shard may be empty, which is not an error.
    assert_eq!(quadrille(&["test", &root, "--shard", "8/9"]).status.code(), Some(0));
}

#[test]
fn json_junit_and_annotations() {
    let folder = two("suite-reports");
    let (root, junit) = (folder.path(""), folder.path("reports/junit.xml"));
    let text = stdout(&quadrille(&["test", &root, "--json", "--junit", &junit]));
    let lines: Vec<serde_json::Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert_eq!(lines[0]["test"]["outcome"], "passed");
    assert_eq!(lines[1]["test"]["outcome"], "failed");
    assert_eq!(lines[1]["test"]["failures"][0]["place"]["line"], 12);
    assert_eq!(lines[2]["summary"]["failed"], 1);
    let xml = std::fs::read_to_string(&junit).unwrap();
    for part in
        ["<testsuites", "tests=\"2\"", "failures=\"1\"", "name=\"doubles\"", "<failure", "value 0 is 2"]
    {
        assert!(xml.contains(part), "{part}\n{xml}");
    }
    // The attributes that the schema of the format allows.
    let first = xml.lines().find(|l| l.starts_with("<testsuites")).unwrap();
    let attributes: Vec<&str> =
        first.split('"').step_by(2).map(|a| a.split(' ').next_back().unwrap()).collect();
    assert_eq!(attributes, ["name=", "tests=", "failures=", "errors=", "time=", ">"], "{first}");
    let names: Vec<_> =
        std::fs::read_dir(folder.path("reports")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["junit.xml"]);
    let text = stdout(&quadrille(&["test", &root, "--format", "github"]));
    let annotation = text.lines().find(|l| l.starts_with("::error ")).unwrap();
    assert!(annotation.contains("double.test.toml,line=12,col=12,title="), "{annotation}");
    assert!(annotation.contains("%0Avalue 1 is 4, expected 6"), "{annotation}");
}

#[test]
fn results_do_not_depend_on_jobs() {
    let folder = two("suite-jobs");
    let root = folder.path("");
    // The times differ, so they are removed.
    let shown = |jobs: &str| {
        let text = stdout(&quadrille(&["test", &root, "--jobs", jobs]));
        text.lines().map(|l| l.split(']').next_back().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(shown("1"), shown("4"));
}

#[test]
fn goldens_are_blessed_and_compared() {
    let folder = Folder::new("suite-goldens");
    let shader = |blue: &str| {
        let text = format!(
            "@fragment fn main(@builtin(position) p: vec4f) -> @location(0) vec4f {{
                return vec4f(p.xy / 16.0, {blue}, 1.0);
            }}"
        );
        folder.write("ramp.wgsl", text)
    };
    shader("0.5");
    let table = |golden: &str| {
        folder.write(
            "ramp.test.toml",
            format!(
                "shader = \"ramp.wgsl\"\n[[test]]\nname = \"ramp\"\ndraw = \"16x16\"\ngolden = {golden}\n"
            ),
        )
    };
    table("\"goldens/ramp.png\"");
    let (root, out) = (folder.path(""), folder.path("out"));
    let args = ["test", &root, "--artifacts", &out];
    let text = stdout(&quadrille(&args));
    assert!(text.contains("there is no golden") && text.contains("QUADRILLE_BLESS=1"), "{text}");
    good(&[&args[..], &["--bless"]].concat());
    good(&args);
    let before = std::fs::read(folder.path("goldens/ramp.png")).unwrap();
    // A correct golden is not rewritten.
    good(&[&args[..], &["--bless"]].concat());
    assert_eq!(std::fs::read(folder.path("goldens/ramp.png")).unwrap(), before);

    shader("0.52");
    let html = folder.path("report.html");
    let text = stdout(&quadrille(&[&args[..], &["--html", &html]].concat()));
    assert!(text.contains("256 pixels differ, by up to 5, the first at (0, 0)"), "{text}");
    let written = |what: &str| {
        let folders = std::fs::read_dir(&out).unwrap().map(|e| e.unwrap().path());
        folders.map(|f| f.join(format!("ramp.{what}.png"))).find(|p| p.is_file()).expect(what)
    };
    let actual = image::open(written("actual")).unwrap().into_rgba8();
    assert_eq!(actual.get_pixel(0, 0).0[2], 133);
    assert_eq!(image::open(written("expected")).unwrap().into_rgba8().get_pixel(0, 0).0[2], 128);
    assert_eq!(image::open(written("difference")).unwrap().into_rgba8().dimensions(), (16, 16));
    let page = std::fs::read_to_string(&html).unwrap();
    assert_eq!(page.matches("data:image/png;base64,iVBOR").count(), 3);
    assert!(!page.contains("src=\"http") && !page.contains("href=\"http"));

    table("{ picture = \"goldens/ramp.png\", component = 5 }");
    good(&args);
    table("{ picture = \"goldens/ramp.png\", component = 4, pixels = 255 }");
    assert!(stdout(&quadrille(&args)).contains("256 pixels differ"));
    table("{ picture = \"goldens/ramp.png\", flip = 0.1 }");
    good(&args);
    table("{ picture = \"goldens/ramp.png\", flip = 0.0001 }");
    assert!(stdout(&quadrille(&args)).contains("FLIP error 0.0"));
}

#[test]
fn rendering_is_that_of_the_command() {
    let folder = Folder::new("suite-render");
    let toy = "void mainImage(out vec4 c, in vec2 p) { c = vec4(p / iResolution.xy, fract(iTime), 1.0); }";
    let toy = folder.write("toy.glsl", toy);
    let golden = folder.path("toy.png");
    good(&["render", &toy, "-o", &golden, "--size", "32x16", "--time", "0.25", "--quiet"]);
    let table = |time: &str| {
        let text = format!(
            "[[test]]\nname = \"toy\"\nshader = \"toy.glsl\"\nrender = \"32x16\"\ntime = {time}\ngolden = \"toy.png\"\n"
        );
        folder.write("toy.test.toml", text)
    };
    let test = table("0.25");
    good(&["test", &test]);
    table("0.5");
    let out = quadrille(&["test", &test, "--artifacts", &folder.path("out")]);
    assert_eq!(out.status.code(), Some(1));
}

/// Kernels of OpenCL: arguments in order, buffers by their number.
#[test]
fn kernels_are_tested() {
    let folder = Folder::new("suite-kernels");
    folder.write("pairs.spvasm", include_str!("shaders/pairs.spvasm"));
    folder.write("a.bin", [0f32, 1.0, 2.0, 3.0].map(f32::to_le_bytes).concat());
    let run = |keys: &str| {
        let text = format!("shader = \"pairs.spvasm\"\n[[test]]\nname = \"pairs\"\n{keys}\n");
        let out = quadrille(&["test", &folder.write("pairs.test.toml", text)]);
        (out.status.success(), stdout(&out))
    };
    let passes = |keys: &str| {
        let (done, text) = run(keys);
        assert!(done && text.contains("1 passed"), "{keys}\n{text}");
    };
    let arguments = "args = [\"f32: 0, 1, 2, 3\", \"zeros: 16\", [2.0, 7], \"local: 16\"]";
    passes(&format!(
        "entry = \"pairs\"\nglobal = [4]\nlocal = [4]\n{arguments}\n\
         expect = {{ \"1\" = \"f32: 16, 16, 24, 24\", \"0\" = {{ values = \"f32: 2\", first = 2 }} }}"
    ));
    passes(
        "global = [2, 1]\noffset = [2]\nargs = [\"a.bin\", \"zeros: 16\", \"2.0,7\", \"local:8\"]\n\
         expect = { \"1\" = \"f32: 0, 0, 24, 24\" }",
    );
    passes(&format!("global = [4]\nlocal = [0]\n{arguments}\nerror = \"workgroups of [0, 1, 1]\""));
    let fails = |keys: &str, says: &[&str]| {
        let (done, text) = run(keys);
        assert!(!done && says.iter().all(|part| text.contains(part)), "{says:?}\n{text}");
    };
    fails(
        &format!("global = [4]\n{arguments}\nexpect = {{ \"1\" = \"f32: 16, 16, 24, 25\" }}"),
        &["pairs.test.toml:6:12", "argument 1: value 3 is 24, expected 25"],
    );
    fails(
        &format!("global = [4]\n{arguments}\nexpect = {{ \"2\" = \"f32: 1\" }}"),
        &["neither a buffer nor an image"],
    );
    fails(
        &format!("global = [4]\n{arguments}\nexpect = {{ \"0.1\" = \"f32: 1\" }}"),
        &["number of an argument"],
    );
    fails(&format!("global = [4]\n{arguments}\ngolden = \"x.png\""), &["draws no picture"]);
    fails("global = [4]\nargs = [\"f32: 1\"]", &["argument 1 'out' is not set"]);
    fails("global = [4]\nargs = [\"f32: x\"]", &["pairs.test.toml:5:9", "argument 0: `x` is not a value"]);
    fails("global = [4]\nargs = [\"missing.bin\"]", &["argument 0: ", "missing.bin"]);
    fails("global = [4]\nargs = [true]", &["expected TYPE:VALUES"]);
    fails("global = [4]\nbind = { \"0.0\" = \"f32: 1\" }", &["a kernel has `args` instead of `bind`"]);
    fails("dispatch = [4]\nlocal = [4]", &["only for tests with `global`"]);
    fails("global = [4]\ndispatch = [4]", &["one of `dispatch`, `global`"]);
}

#[test]
fn errors_point_at_lines() {
    let folder = Folder::new("suite-errors");
    folder.write("double.wgsl", DOUBLE);
    folder.write("wrong.wgsl", "@compute @workgroup_size(1)\nfn main() {\n  let x = y;\n}\n");
    let fails = |text: &str, says: &[&str]| {
        let test = folder.write("x.test.toml", text);
        let text = stdout(&quadrille(&["test", &test]));
        for part in says {
            assert!(text.contains(part), "{part}\n{text}");
        }
    };
    fails("[[test]]\nname = 3\n", &["x.test.toml:2:8", "expected a string"]);
    fails("[[test]]\nnam = \"x\"\n", &["x.test.toml:2:1", "unknown field `nam`"]);
    fails("shader = \"double.wgsl\"\n", &["there is no [[test]]"]);
    fails("[[test]]\nname = \"a\"\n[[test]]\nname = \"a\"\n", &["x.test.toml:3:1", "two tests `a`"]);
    let test = |rest: &str| format!("shader = \"double.wgsl\"\n[[test]]\n{rest}\n");
    fails(&test("dispatch = [1]"), &["x.test.toml:1:10", "nothing is bound at set 0, binding 0 (v)"]);
    fails(
        &test("dispatch = [1]\ndraw = \"1x1\""),
        &["exactly one of `dispatch`, `global`, `launch`, `draw` and `render`"],
    );
    fails(&test("dispatch = [1]\nbind = { \"0.0\" = \"f33: 1\" }"), &["x.test.toml:4:18", "f33: 1"]);
    fails(
        &test("dispatch = [1]\nbind = { \"0\" = \"f32: 1\" }"),
        &["x.test.toml:4:10", "is not SET.BINDING"],
    );
    fails(&test("dispatch = [1]\nbind = { \"0.0\" = 3 }"), &["x.test.toml:4:18", "expected TYPE:VALUES"]);
    fails(
        &test("dispatch = [1]\nbind = { \"0.0\" = \"f32: 1\" }\nspec = { 7 = 1 }"),
        &["no specialization constant has id 7"],
    );
    fails(
        &test("dispatch = [1]\nbind = { \"0.0\" = \"f32: 1\" }\npush = [\"u32: 1\"]"),
        &["4 bytes of push constants for a shader that has 0"],
    );
    // An error in the shader.
    fails(
        "[[test]]\nshader = \"wrong.wgsl\"\ndispatch = [1]\n",
        &["wrong.wgsl:3:11: ", "wrong.wgsl is not valid WGSL", "3 |   let x = y;", "^"],
    );
    // An expected error is not a failure.
    let test = folder
        .write("x.test.toml", "[[test]]\nshader = \"wrong.wgsl\"\ndispatch = [1]\nerror = \"identifier\"\n");
    good(&["test", &test]);
}

#[test]
fn everything_that_a_table_says() {
    let folder = Folder::new("suite-keys");
    folder.write(
        "all.comp",
        "#version 450
#extension GL_EXT_debug_printf : require
#include \"scale.glsl\"
layout(local_size_x = 2) in;
layout(constant_id = 3) const float ADD = 0.0;
layout(push_constant) uniform P { float more; uint which; };
layout(binding = 0) readonly buffer A { float a[]; };
layout(binding = 1) buffer B { uint count; vec3 color; float b[]; };
layout(binding = 2) uniform sampler2D t;
layout(binding = 3, r32f) uniform image2D image;
void main() {
    uint i = gl_GlobalInvocationID.x;
    b[i] = a[i] * SCALE + ADD + more;
    atomicAdd(count, which);
    if (i == 0) {
        color = textureLod(t, vec2(0.5), 0.0).rgb;
        imageStore(image, ivec2(1, 0), vec4(7));
        debugPrintfEXT(\"ready %u\", which);
    }
}",
    );
    std::fs::create_dir_all(folder.path("lib")).unwrap();
    folder.write("lib/scale.glsl", "#define SCALE float(FACTOR)\n");
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbaImage::from_pixel(2, 2, image::Rgba([255, 0, 255, 255]))
        .write_to(&mut bytes, image::ImageFormat::Png)
        .unwrap();
    folder.write("pink.png", bytes.into_inner());
    let test = folder.write(
        "all.test.toml",
        r#"
shader = "all.comp"
include = ["lib"]
define = { FACTOR = 10 }
spec = { 3 = 0.5 }

[[test]]
name = "with what the file says"
dispatch = [1, 1, 1]
push = ["f32: 0.25", "u32: 3"]
bind = { "0.0" = "f32: 1, 2", "0.1" = "zeros: 40", "0.2" = "pink.png", "0.3" = { format = "R32_SFLOAT", size = [2, 1] } }
sampler = { "0.2" = "linear repeat" }
printed = ["[0, 0, 0] ready 3"]

[test.expect]
"0.1" = { members = { count = 6, color = [1.0, 0.0, 1.0], b = [10.75, 20.75, 0.0] } }
"0.3" = "f32: 0, 7"

[[test]]
name = "with its own"
define = { FACTOR = 2 }
spec = { 3 = 1 }
dispatch = [1]
push = ["f32: 0", "u32: 1"]
bind = { "0.0" = "f32: 1, 2", "0.1" = "zeros: 40", "0.2" = "pink.png", "0.3" = { format = "R32_SFLOAT", size = [2, 1] } }
[test.expect]
"0.1" = { values = "f32: 3.0001, 5", first = 7, tolerance = 0.001 }

[[test]]
name = "not yet"
skip = "some other day"
"#,
    );
    // `b` follows the vec3, at byte 28.
    let text = good(&["test", &test]);
    assert!(text.contains("2 passed, 1 skipped") && text.contains("not yet: some other day"), "{text}");
    let member = std::fs::read_to_string(&test).unwrap().replace("count = 6", "count = 7");
    folder.write("all.test.toml", member);
    let text = stdout(&quadrille(&["test", &test]));
    assert!(text.contains("count is 6, expected 7") && text.contains("[0, 0, 0] ready 3"), "{text}");
}

#[test]
fn assertions_and_prints_of_shaders() {
    let folder = Folder::new("suite-asserts");
    folder.write(
        "sum.comp",
        "#version 450
#extension GL_EXT_debug_printf : require
#include \"quadrille/assert.glsl\"
layout(local_size_x = 4) in;
void main() {
    debugPrintfEXT(\"x %u\", gl_GlobalInvocationID.x); ASSERT(gl_GlobalInvocationID.x < 3);
}
",
    );
    let test =
        folder.write("sum.test.toml", "[[test]]\nname = \"sum\"\nshader = \"sum.comp\"\ndispatch = [1]\n");
    let text = stdout(&quadrille(&["test", &test]));
    for part in
        ["sum.comp:6", "failed in 1 invocation", "6 |     debug", "invocation (3, 0, 0)", "[3, 0, 0] x 3"]
    {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

/// A shader that does not end fails alone; the tests beside it run as usual.
#[test]
fn tests_that_hang_fail_alone() {
    let folder = two("suite-hangs");
    folder.write(
        "forever.wgsl",
        "@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(1) fn main() { loop { v[0] += 1u; } }",
    );
    folder.write(
        "forever.test.toml",
        "shader = \"forever.wgsl\"\n[[test]]\nname = \"forever\"\ntimeout = 0.3\ndispatch = [1]\nbind = { \"0.0\" = \"u32: 0\" }\n",
    );
    let start = Instant::now();
    let text = stdout(&quadrille(&["test", &folder.path(""), "--jobs", "2"]));
    assert!(text.contains("3 tests run: 1 passed, 2 failed"), "{text}");
    assert!(text.contains("forever.wgsl") && text.contains("device lost"), "{text}");
    assert!(text.contains("0.3 s (`timeout` of the test, or --timeout)"), "{text}");
    // Guards against a hang: without the timeout this would not end.
    assert!(start.elapsed() < Duration::from_secs(100));
    let text = stdout(&quadrille(&["test", &folder.path(""), "--jobs", "1", "--fail-fast"]));
    assert!(text.contains("1 passed, 1 failed, 1 not run after a failure"), "{text}");
}

#[test]
fn finished_work_is_taken_from_the_journal() {
    let folder = two("suite-resume");
    let (root, out) = (folder.path(""), folder.path("out"));
    let args = ["test", &root, "--artifacts", &out, "--resume"];
    let first = stdout(&quadrille(&args));
    assert!(!first.contains("as before"), "{first}");
    // Truncates the journal in the middle of a line, as a power failure would.
    let journal = Path::new(&out).join("journal.jsonl");
    let text = std::fs::read_to_string(&journal).unwrap();
    assert_eq!(text.lines().count(), 2);
    std::fs::write(&journal, &text[..text.len() - 9]).unwrap();
    let second = stdout(&quadrille(&args));
    assert!(second.contains("1 passed, 1 failed, 1 taken from the journal"), "{second}");
    let third = stdout(&quadrille(&args));
    assert!(
        third.contains("2 taken from the journal") && third.contains("value 0 is 2, expected 3"),
        "{third}"
    );
    // A changed shader makes a different test.
    folder.write("double.wgsl", DOUBLE.replace("2.0", "3.0"));
    let fourth = stdout(&quadrille(&args));
    assert!(fourth.contains("1 passed, 1 failed") && !fourth.contains("journal"), "{fourth}");
    assert!(fourth.contains("value 0 is 3, expected 2"), "{fourth}");
}

/// A file whose inclusion failed counts for the journal.
#[test]
fn included_files_with_errors_count_for_the_journal() {
    let folder = Folder::new("suite-resume-include");
    let buffer = "layout(binding = 0) buffer B { float v[]; };";
    folder.write(
        "a.comp",
        format!("#version 450\n#include \"f.glsl\"\n{buffer}\nvoid main() {{ v[0] = f(); }}\n"),
    );
    folder.write("f.glsl", "float f() { return nothing; }\n");
    let of = "shader = \"a.comp\"\n[[test]]\ndispatch = [1]\nbind = { \"0.0\" = \"f32: 0\" }\n";
    let test = folder.write("a.test.toml", format!("{of}expect = {{ \"0.0\" = \"f32: 2\" }}\n"));
    let run = || stdout(&quadrille(&["test", &test, "--artifacts", &folder.path("out"), "--resume"]));
    assert!(run().contains("0 passed, 1 failed"));
    folder.write("f.glsl", "float f() { return 2.0; }\n");
    let text = run();
    assert!(text.contains("1 test run: 1 passed\n"), "{text}");
}

/// Files that a script loads and includes count like the script itself; so does a file that did not exist.
#[test]
fn files_of_scripts_and_goldens_count_for_the_journal() {
    let folder = Folder::new("suite-resume-files");
    let script = folder.write(
        "numbers.amber",
        "#!amber
SHADER compute copy GLSL
#version 450
#include \"factor.glsl\"
layout(binding = 0) buffer B { uint v[]; };
void main() { v[gl_GlobalInvocationID.x] *= FACTOR; }
END
BUFFER numbers DATA_TYPE uint32 SIZE 2 FILE TEXT numbers.txt
PIPELINE compute p
  ATTACH copy
  BIND BUFFER numbers AS storage DESCRIPTOR_SET 0 BINDING 0
END
RUN p 2 1 1
EXPECT numbers IDX 0 EQ 2 4
",
    );
    let out = folder.path("out");
    let run = || stdout(&quadrille(&["test", &script, "--artifacts", &out, "--resume"]));
    let counts = |text: &str, says: &str| assert!(text.contains(says), "{says}\n{text}");
    folder.write("factor.glsl", "#define FACTOR 2\n");
    counts(&run(), "numbers.txt");
    folder.write("numbers.txt", "1 2\n");
    counts(&run(), "1 test run: 1 passed\n");
    counts(&run(), "1 passed, 1 taken from the journal");
    folder.write("numbers.txt", "1 3\n");
    counts(&run(), "1 test run: 0 passed, 1 failed\n");
    folder.write("numbers.txt", "1 2\n");
    folder.write("factor.glsl", "#define FACTOR 3\n");
    // The message has the line of the script.
    counts(&run(), "14 | EXPECT numbers IDX 0 EQ 2 4");

    folder.write("white.wgsl", "@fragment fn main() -> @location(0) vec4f { return vec4f(1.0); }");
    let test = folder.write(
        "white.test.toml",
        "shader = \"white.wgsl\"\n[[test]]\ndraw = \"2x2\"\ngolden = \"white.png\"\n",
    );
    let run = |more: &[&str]| {
        stdout(&quadrille(&[&["test", &test, "--artifacts", &out, "--resume"], more].concat()))
    };
    counts(&run(&[]), "there is no golden");
    counts(&run(&["--bless"]), "1 test run: 1 passed\n");
    counts(&run(&[]), "1 test run: 1 passed");
    counts(&run(&[]), "1 passed, 1 taken from the journal");
}

#[test]
fn scripts_are_tests() {
    let folder = Folder::new("suite-scripts");
    folder.write("wrong.amber", "#!amber\nTHIS IS NO COMMAND\n");
    let out = quadrille(&["test", &folder.path("")]);
    assert_eq!(out.status.code(), Some(1), "{}", stdout(&out));
    for part in ["wrong.amber:2:", "2 | THIS IS NO COMMAND", "  | ^^^^"] {
        assert!(stdout(&out).contains(part), "{part}\n{}", stdout(&out));
    }
    assert!(bad(&["test", "--format", "xml"]).contains("possible values"));
}

/// A limit that is not a number, or below 0, would compare exactly, and an infinite one not at all.
#[test]
fn numbers_have_ranges() {
    let folder = Folder::new("suite-numbers");
    folder.write("double.wgsl", DOUBLE);
    let values = |key: &str| format!("expect = {{ \"0.0\" = {{ values = \"f32: 2\", {key} }} }}");
    let golden = |key: &str| format!("golden = {{ picture = \"a.png\", {key} }}");
    let cases = [
        (values("tolerance = nan"), "`tolerance` is NaN: give a finite number from 0 on"),
        (values("tolerance = inf"), "`tolerance` is inf"),
        (values("tolerance = -1"), "`tolerance` is -1"),
        (values("relative = nan"), "`relative` is NaN"),
        (golden("flip = nan"), "`flip` is NaN: give a number from 0 to 1"),
        (golden("flip = -1"), "`flip` is -1"),
        ("timeout = nan".into(), "`timeout` is NaN: give a number from 0.001 to 1000000"),
        ("timeout = -5".into(), "`timeout` is -5"),
        ("time = inf".into(), "`time` is inf: give a finite number"),
        ("mouse = [1]".into(), "`mouse` has two or four finite numbers"),
    ];
    let test = |keys: &str| {
        let head = "shader = \"double.wgsl\"\n[[test]]\nname = \"x\"\n";
        folder.write("x.test.toml", format!("{head}bind = {{ \"0.0\" = \"f32: 1\" }}\n{keys}\n"))
    };
    for (keys, message) in cases {
        let out = quadrille(&["test", &test(&format!("dispatch = [1]\n{keys}"))]);
        let text = stdout(&out) + &String::from_utf8_lossy(&out.stderr);
        assert!(!out.status.success() && text.contains(message), "{keys}: {text}");
        assert!(text.contains("x.test.toml:"), "{text}");
    }
    let out = quadrille(&["test", &test("draw = \"100000x1\"")]);
    assert!(stdout(&out).contains("`100000` is not a number of pixels from 1 to 16384"), "{}", stdout(&out));
    good(&[
        "test",
        &test(&format!("dispatch = [1]\ntimeout = 3\n{}", values("tolerance = 0, relative = 0.5"))),
    ]);
}
