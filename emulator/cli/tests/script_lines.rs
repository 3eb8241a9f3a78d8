//! Lines of shaders within scripts: every subcommand counts them from the start of the script, and names the script.
#![cfg(feature = "glsl")]

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{Folder, good, quadrille};
use quadrille::testing::{self, Requirement};

/// Line 9 divides by zero; line 11 never runs.
const AMBER: &str = "#!amber
# A comment, so that lines differ.
SHADER compute half GLSL
#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer Values { uint v[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    v[i] = 12u / v[i + 4];
    if (i > 9u) {
        v[i] = 1u;
    }
}
END
BUFFER values DATA_TYPE uint32 SIZE 8 FILL 0
PIPELINE compute halves
  ATTACH half
  BIND BUFFER values AS storage DESCRIPTOR_SET 0 BINDING 0
END
RUN halves 1 1 1
EXPECT values IDX 0 EQ 0 0 0 0
";

/// The same shader as a virtual file.
fn virtual_file() -> String {
    let shader = AMBER.replace("SHADER compute half GLSL", "VIRTUAL_FILE half.comp");
    shader.replace("END\nBUFFER", "END\nSHADER compute half GLSL VIRTUAL_FILE half.comp\nBUFFER")
}

/// The same lines in VkScript.
const VKSCRIPT: &str = "[require]

[compute shader]
#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer Values { uint v[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    v[i] = 12u / v[i + 4];
    if (i > 9u) {
        v[i] = 1u;
    }
}
[test]
ssbo 0 32
compute 1 1 1
probe ssbo uint 0 0 == 0
";

/// The scripts, with their names.
fn scripts() -> [(&'static str, String); 3] {
    [("a.amber", AMBER.to_owned()), ("virtual.amber", virtual_file()), ("a.shader_test", VKSCRIPT.to_owned())]
}

/// Reads a tracefile as LCOV's own tools do: records of files with the hit counts of lines. Checks that its totals are
/// right. Spec: geninfo(1), TRACEFILE FORMAT.
fn read_lcov(text: &str) -> BTreeMap<String, BTreeMap<u32, u64>> {
    let mut files = BTreeMap::new();
    let (mut name, mut lines) = (None, BTreeMap::new());
    for line in text.lines() {
        let (key, value) = line.split_once(':').unwrap_or((line, ""));
        match key {
            "TN" => assert!(name.is_none()),
            "SF" => assert!(name.replace(value.to_owned()).is_none(), "{text}"),
            "DA" => {
                let (line, hits) = value.split_once(',').unwrap();
                assert!(lines.insert(line.parse().unwrap(), hits.parse().unwrap()).is_none(), "{text}");
            }
            "LF" => assert_eq!(value.parse(), Ok(lines.len())),
            "LH" => assert_eq!(value.parse(), Ok(lines.values().filter(|hits| **hits > 0).count())),
            "FN" | "FNDA" | "FNF" | "FNH" | "BRDA" | "BRF" | "BRH" => assert!(name.is_some()),
            "end_of_record" => {
                let name = name.take().unwrap();
                assert!(files.insert(name, std::mem::take(&mut lines)).is_none(), "{text}");
            }
            _ => panic!("{line} is no line of a tracefile"),
        }
    }
    assert!(name.is_none());
    files
}

/// Checks that the files in a tracefile exist, and that `genhtml` accepts it, if this machine has it.
fn usable(lcov: &str, folder: &Folder) -> BTreeMap<String, BTreeMap<u32, u64>> {
    let files = read_lcov(&std::fs::read_to_string(lcov).unwrap());
    for (name, lines) in &files {
        let text = std::fs::read_to_string(name).unwrap_or_else(|e| panic!("{name}: {e}"));
        let last = *lines.keys().last().unwrap() as usize;
        assert!(last <= text.lines().count(), "{name} has no line {last}");
    }
    let out = folder.path("html");
    match Command::new("genhtml").args(["--branch-coverage", lcov, "-o", &out]).output() {
        Ok(done) => assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr)),
        Err(e) => testing::skipped(Requirement::Genhtml, &format!("genhtml does not start: {e}")),
    }
    files
}

/// The place of the only division by zero that `check` finds in a script.
fn division(file: &str) -> serde_json::Value {
    let out = quadrille(&["check", file, "--json"]);
    let text = String::from_utf8(out.stdout).unwrap();
    let reports: Vec<serde_json::Value> = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .filter(|json: &serde_json::Value| json["report"]["kind"] == "division-by-zero")
        .collect();
    assert_eq!(reports.len(), 1, "{file}: {text}");
    reports[0]["report"]["at"].clone()
}

#[test]
fn checks_say_the_lines_of_scripts() {
    let folder = Folder::new("lines-check");
    for (name, text) in scripts() {
        let file = folder.write(name, text);
        let at = division(&file);
        assert_eq!(at["line"], 9, "{name}: {at}");
        assert_eq!(at["file"], *file, "{name}: {at}");
    }
}

/// A `#line` of a shader does not count the lines of the script.
#[test]
fn lines_of_scripts_are_not_renumbered() {
    let folder = Folder::new("lines-numbered");
    for (name, text) in scripts() {
        let file = folder.write(name, text.replacen("void main", "#line 70\nvoid main", 1));
        let at = division(&file);
        assert_eq!(at["line"], 10, "{name}: {at}");
    }
}

#[test]
fn coverage_is_of_the_lines_of_scripts() {
    let folder = Folder::new("lines-coverage");
    for (n, (name, text)) in scripts().into_iter().enumerate() {
        let (file, lcov) = (folder.write(name, text), folder.path(&format!("{n}.lcov")));
        good(&["test", &file, "--coverage", &lcov]);
        let files = usable(&lcov, &folder);
        assert_eq!(files.keys().collect::<Vec<_>>(), [&file]);
        let lines = &files[&file];
        assert_eq!(
            [8, 9, 10, 11].map(|line| lines.get(&line).copied()),
            [Some(4), Some(4), Some(4), Some(0)]
        );
        assert!(lines.keys().all(|line| (8..=13).contains(line)), "{lines:?}");
    }
}

#[test]
fn the_debugger_shows_the_lines_of_scripts() {
    let folder = Folder::new("lines-debug");
    for (name, text) in scripts() {
        let file = folder.write(name, text);
        let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
            .args(["debug", &file, "--invocation", "1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(b"n\nquit\n").unwrap();
        let out = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
        let shown = format!("{file}:9\n    9      v[i] = 12u / v[i + 4];");
        assert!(out.contains(&shown), "{out}");
    }
}

/// A source that is compiled into the program, or an include without a file, is not in the tracefile, because no reader
/// could open it.
#[test]
fn tracefiles_name_files_that_are_there() {
    let folder = Folder::new("lines-files");
    let source = "#version 450
#include \"quadrille/assert.glsl\"
layout(local_size_x = 4) in;
layout(binding = 0) buffer Values { uint v[]; };
void main() {
    ASSERT(gl_LocalInvocationIndex < 9u);
    v[gl_LocalInvocationIndex] = 1u;
}
";
    folder.write("a.comp", source);
    let test = "shader = \"a.comp\"\n[[test]]\nname = \"a\"\ndispatch = [1, 1, 1]\n\
                bind = { \"0.0\" = \"u32: 0*4\" }\nexpect = { \"0.0\" = \"u32: 1*4\" }\n";
    let (file, lcov) = (folder.write("a.test.toml", test), folder.path("all.lcov"));
    good(&["test", &file, "--coverage", &lcov]);
    let files = usable(&lcov, &folder);
    let own = files.iter().find(|(name, _)| Path::new(name).ends_with("a.comp")).unwrap();
    assert_eq!(own.1.get(&7), Some(&4), "{files:?}");
}
