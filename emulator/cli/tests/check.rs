//! `quadrille check`: its findings, their places, and its exit codes.
#![cfg(feature = "glsl")]

use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::{Folder, good, quadrille};

/// A sum over a workgroup that reads past the end of its buffer, lacks a barrier, and takes the square root of a
/// negative number.
const SUM: &str = "#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Values { float values[]; };
layout(set = 0, binding = 1) buffer Sums { float sums[]; };
shared float partial[64];
void main() {
    uint i = gl_LocalInvocationIndex;
    partial[i] = values[gl_GlobalInvocationID.x + 1];
    barrier();
    for (uint n = 32; n > 0; n /= 2) {
        if (i < n) partial[i] += partial[i + n];
    }
    barrier();
    if (i == 0) sums[gl_WorkGroupID.x] = sqrt(partial[0] - 1e6);
}
";

/// Exit code, and the output for people on both streams.
fn check(arguments: &[&str]) -> (Option<i32>, String) {
    let out = quadrille(&[&["check"], arguments].concat());
    let text = [out.stdout, out.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (out.status.code(), text.concat())
}

#[test]
fn mistakes_of_a_dispatch_are_told_with_their_lines() {
    let folder = Folder::new("check");
    let shader = folder.write("sum.comp", SUM);
    let options = ["--dispatch", "4", "--bind", "0.0=f32:1*256", "--bind", "0.1=zeros:16"];
    let all = [&[shader.as_str()], &options[..]].concat();
    let (code, text) = check(&all);
    assert_eq!(code, Some(1), "{text}");
    for (kind, line) in [("buffer-out-of-bounds", 8), ("race-workgroup", 11), ("sqrt-negative", 14)] {
        let at = text.find(&format!("error[{kind}]")).unwrap_or_else(|| panic!("{kind}\n{text}"));
        let place = text[at..].lines().nth(1).unwrap();
        assert!(place.contains(&format!("sum.comp:{line}:")), "{text}");
    }
    assert!(text.contains("workgroup (3, 0, 0), local invocation (63, 0, 0)"), "{text}");
    // With two kinds allowed, one error remains.
    let (code, text) =
        check(&[&all[..], &["--allow", "race-workgroup", "--allow", "sqrt-negative"]].concat());
    assert!(code == Some(1) && text.contains("1 error") && !text.contains("race"), "{text}");
    // Results for build servers.
    let sarif = folder.path("report.sarif");
    let (code, _) = check(&[&all[..], &["--json", "--sarif", &sarif]].concat());
    assert_eq!(code, Some(1));
    let sarif = std::fs::read_to_string(sarif).unwrap();
    assert!(sarif.contains("\"2.1.0\"") && sarif.contains("race-workgroup"), "{sarif}");
}

/// Reports, tables and files for other programs name lines of the file, whatever its `#line` says.
#[test]
fn lines_are_those_of_the_file() {
    let folder = Folder::new("check_numbered");
    let numbered = SUM.replacen("void main", "#line 1\nvoid main", 1);
    assert_ne!(numbered, SUM);
    let shader = folder.write("sum.comp", &numbered);
    let options = [shader.as_str(), "--dispatch", "4", "--bind", "0.0=f32:1*256", "--bind", "0.1=zeros:16"];
    let (_, text) = check(&options);
    for (kind, line) in [("buffer-out-of-bounds", 9), ("race-workgroup", 12), ("sqrt-negative", 15)] {
        let at = text.find(&format!("error[{kind}]")).unwrap_or_else(|| panic!("{kind}\n{text}"));
        let (place, shown) = (text[at..].lines().nth(1).unwrap(), text[at..].lines().nth(3).unwrap());
        assert!(place.contains(&format!("sum.comp:{line}:")), "{text}");
        assert!(shown.contains(numbered.lines().nth(line - 1).unwrap().trim()), "{text}");
    }
    let table = good(&[&["profile", "--measure=0"], &options[..]].concat());
    let line = table.lines().find(|l| l.contains("sqrt(partial[0]")).unwrap_or_else(|| panic!("{table}"));
    assert!(line.contains("sum.comp:15"), "{table}");
}

/// Spec: GLSL 4.60, 3.2: a carriage return, a line feed, and both together end one line.
#[test]
fn lines_end_in_carriage_returns_too() {
    let folder = Folder::new("check_returns");
    for end in ["\r", "\n\r", "\r\n"] {
        let shader = folder.write("sum.comp", SUM.replace('\n', end));
        let (_, text) =
            check(&[&shader, "--dispatch", "4", "--bind", "0.0=f32:1*256", "--bind", "0.1=zeros:16"]);
        for (kind, line) in [("buffer-out-of-bounds", 8), ("race-workgroup", 11), ("sqrt-negative", 14)] {
            let at = text.find(&format!("error[{kind}]")).unwrap_or_else(|| panic!("{kind}\n{text}"));
            let (place, shown) = (text[at..].lines().nth(1).unwrap(), text[at..].lines().nth(3).unwrap());
            assert!(place.contains(&format!("sum.comp:{line}:")), "{end:?}: {text}");
            assert!(shown.contains(SUM.lines().nth(line - 1).unwrap().trim()), "{end:?}: {text}");
        }
        let broken = SUM.replace("uint i =", "uint j =").replace('\n', end);
        let (_, text) = check(&[&folder.write("broken.comp", broken), "--dispatch", "4"]);
        assert!(text.contains("broken.comp:8:") && text.contains("'i'"), "{end:?}: {text}");
    }
}

#[test]
fn a_mended_shader_is_clean_and_an_unknown_kind_is_refused() {
    let folder = Folder::new("check_clean");
    let mended = SUM
        .replace("gl_GlobalInvocationID.x + 1", "gl_GlobalInvocationID.x")
        .replace("partial[i + n];\n", "partial[i + n];\n        barrier();\n")
        .replace("- 1e6", "+ 1e6");
    let shader = folder.write("sum.comp", &mended);
    let all = [shader.as_str(), "--dispatch", "4", "--bind", "0.0=f32:1*256", "--bind", "0.1=zeros:16"];
    let (code, text) = check(&all);
    assert!(code == Some(0) && text.contains("nothing found"), "{text}");
    let (code, text) = check(&[&all[..], &["--allow", "race-workgruop"]].concat());
    assert!(code == Some(2) && text.contains("race-workgroup"), "{text}");
    let (code, text) = check(&[&all[..], &["--allow", "race-buffer", "--deny", "race-buffer"]].concat());
    assert!(code == Some(2) && text.contains("contradict each other"), "{text}");
}

/// Reports show the lines of standard input, and its comments turn kinds off.
#[test]
fn standard_input_is_a_source() {
    let line = "values[0] = sqrt(-1.0 - values[0] * values[0]);";
    let check = |comment: &str| {
        let source = format!(
            "#version 450
layout(local_size_x = 1) in;
layout(binding = 0) buffer Values {{ float values[]; }};
void main() {{
    {line} {comment}
}}
"
        );
        let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
            .args([
                "check",
                "-",
                "--lang",
                "glsl",
                "--stage",
                "comp",
                "--dispatch",
                "1",
                "--bind",
                "0.0=f32:1",
            ])
            .env("NO_COLOR", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(source.as_bytes()).unwrap();
        let out = child.wait_with_output().unwrap();
        (out.status.code(), String::from_utf8(out.stdout).unwrap())
    };
    let (code, text) = check("");
    assert!(code == Some(1) && text.contains("standard input:5:") && text.contains(line), "{text}");
    let (code, text) = check("// quadrille-allow: sqrt-negative");
    assert!(code == Some(0) && text.contains("nothing found"), "{text}");
}

/// A check keeps a limited number of reports; errors are among them, and a warning says that there are more.
#[test]
fn many_notes_hide_no_error() {
    let folder = Folder::new("check_many");
    let notes = "values[i] += smoothstep(values[i] + 2.0, values[i], 0.5);\n".repeat(1001);
    let source = format!(
        "#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer Values {{ float values[]; }};
void main() {{
uint i = gl_GlobalInvocationID.x;
{notes}values[i] = sqrt(-1.0 - values[i] * values[i]);
}}
"
    );
    let shader = folder.write("many.comp", &source);
    let (code, text) = check(&[&shader, "--dispatch", "1", "--bind", "0.0=f32:1*8"]);
    assert_eq!(code, Some(1));
    assert!(text.contains("error[sqrt-negative]") && text.contains("1 error, 999 notes"), "{}", text.len());
    assert!(text.contains("warning: there are more mistakes"), "{}", text.len());
}

/// Reports on outputs have the file and the line of the declaration, and count each pixel once.
#[test]
fn reports_on_outputs_have_a_place() {
    let folder = Folder::new("check_outputs");
    let source = "#version 450
layout(location = 0) out vec4 color;
void main() {
    vec2 p = gl_FragCoord.xy;
    if (p.x < 4) color = sqrt(-p.xyxy);
}
";
    let shader = folder.write("half.frag", source);
    let sarif = folder.path("report.sarif");
    let (code, text) = check(&[&shader, "--size", "8x8", "--json", "--sarif", &sarif]);
    assert_eq!(code, Some(1), "{text}");
    let lines = text.lines().filter_map(|l| serde_json::from_str::<serde_json::Value>(l).ok());
    let reports: Vec<serde_json::Value> = lines.filter_map(|l| l.get("report").cloned()).collect();
    let told = |kind: &str| {
        let report = reports.iter().find(|r| r["kind"] == kind).unwrap_or_else(|| panic!("{kind}: {text}"));
        let file = report["at"]["file"].as_str().unwrap_or_default();
        assert!(file.ends_with("half.frag"), "{report}");
        (report["at"]["line"].as_u64(), report["count"].as_u64())
    };
    assert_eq!(told("unwritten-output"), (Some(2), Some(32)));
    assert_eq!(told("sqrt-negative"), (Some(5), Some(32)));
    assert_eq!(reports.len(), 2, "{text}");
    let log: serde_json::Value = serde_json::from_slice(&std::fs::read(sarif).unwrap()).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    let line = |r: &serde_json::Value| r["locations"][0]["physicalLocation"]["region"]["startLine"].as_u64();
    let mut lines: Vec<_> = results.iter().map(line).collect();
    lines.sort();
    assert_eq!(lines, [Some(2), Some(5)], "{log}");
}

/// Reports have the names of old versions, not those of the translation.
#[test]
fn reports_have_the_names_of_the_source() {
    let folder = Folder::new("check_old");
    let source = |value: &str| {
        let head = "#version 100\nprecision mediump float;\nvoid main() {\n  float a;\n";
        format!("{head}  if (gl_FragCoord.x > 1e6) a = 1.0;\n  gl_FragColor = vec4({value});\n}}\n")
    };
    let (code, text) = check(&["--json", &folder.write("old.frag", source("a")), "--size", "8x8"]);
    assert!(code == Some(1) && text.contains("written to `gl_FragColor.x`"), "{text}");
    assert!(!text.contains("qd_"), "{text}");
    let (code, text) = check(&[&folder.write("right.frag", source("1.0")), "--size", "8x8"]);
    assert!(code == Some(0) && text.contains("nothing found"), "{text}");
}

/// All options are known at once, in any order; those of other work are refused.
#[test]
fn options_belong_to_the_work() {
    let folder = Folder::new("check_options");
    let compute = folder.write("sum.comp", SUM);
    let picture = folder.write(
        "flat.frag",
        "#version 450\nlayout(location = 0) out vec4 color;\nvoid main() { color = vec4(1); }\n",
    );
    let tests = folder
        .write("flat.test.toml", "shader = \"flat.frag\"\n[[test]]\nname = \"draws\"\ndraw = \"8x8\"\n");
    let (code, text) = check(&["--json", "--allow", "race-buffer", &picture, "--size", "8x8"]);
    assert!(code == Some(0) && text.contains("\"summary\""), "{text}");
    let (code, text) = check(&["--filter", "draws", &tests]);
    assert!(code == Some(0) && text.contains("1 passed"), "{text}");
    for (arguments, message) in [
        (&[picture.as_str(), "--filter", "a"][..], "--filter is an option of tests"),
        (&[&picture, "--bind", "0.0=u32:1"], "--bind needs --dispatch"),
        (&[&picture, "--watch"], "--watch"),
        (&[&tests, "--size", "8x8"], "--size is not an option of tests"),
        (&[&compute], "--dispatch is missing"),
        (&[&compute, "--dispatch", "1", "--size", "8x8"], "--size is an option of pictures"),
        (&[&compute, &picture, "--dispatch", "1"], "--dispatch runs one shader"),
        (&[&picture, &picture, &picture], "at most two shaders"),
        (&[&picture, "--kinds"], "--kinds"),
        (&[], "<FILE>"),
    ] {
        let (code, text) = check(arguments);
        // Reports wrap long lines.
        let said = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(code == Some(2) && said.contains(message), "{arguments:?}: {text}");
    }
    let (code, text) = check(&["--kinds"]);
    assert!(code == Some(0) && text.contains("race-workgroup (error)"), "{text}");
}

/// The exit code tells what was found even if nobody reads the reports, and they are printed even if the file of --sarif
/// cannot be written.
#[test]
fn reports_without_a_reader_or_a_file() {
    let folder = Folder::new("check_unread");
    let shader = folder.write("sum.comp", SUM);
    let options = ["check", &shader, "--dispatch", "4", "--bind", "0.0=f32:1*256", "--bind", "0.1=zeros:16"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    let mut child = command.args(options).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let out = child.wait_with_output().unwrap();
    assert_eq!((out.status.code(), &out.stderr[..]), (Some(1), &b""[..]));
    // The name of a folder.
    let (code, text) = check(&[&options[1..], &["--sarif", &folder.path("")]].concat());
    assert!(code == Some(2) && text.contains("cannot write"), "{text}");
    assert!(text.contains("error[race-workgroup]"), "{text}");
}

/// Without a test that ran, nothing is said about shaders.
#[test]
fn tests_that_do_not_run_have_no_findings() {
    let folder = Folder::new("check_none");
    folder.write("flat.frag", "#version 450\nvoid main() {}\n");
    let tests = folder
        .write("flat.test.toml", "shader = \"flat.frag\"\n[[test]]\nname = \"draws\"\ndraw = \"8x8\"\n");
    for (more, code, says) in [
        (&["--list"][..], 0, "flat.test.toml::draws"),
        (&["--list", "--json"], 0, "flat.test.toml::draws"),
        (&["--filter", "other"], 4, "is selected"),
        (&["no/such/folder"], 2, "cannot read"),
    ] {
        let (found, text) = check(&[&[tests.as_str()], more].concat());
        assert!(found == Some(code) && text.contains(says), "{more:?}: {text}");
        assert!(!text.contains("nothing found") && !text.contains("summary"), "{more:?}: {text}");
    }
}
