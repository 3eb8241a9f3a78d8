//! Output for people is bounded, and no text of a source can control the terminal.

use crate::common::{Folder, bad, quadrille};

#[test]
fn an_error_far_to_the_right_is_shown_in_part() {
    let folder = Folder::new("terminal-long");
    // Beyond the maximum width of a format.
    let before = " ".repeat(70_000);
    let text =
        format!("fn f() {{{before}let x = nothing;{before}}}\n@compute @workgroup_size(1) fn main() {{}}\n");
    let file = folder.write("a.wgsl", text);
    let column = "fn f() {".len() + before.len() + "let x = ".len() + 1;
    let said = bad(&["inspect", &file]);
    assert!(said.contains(&format!("a.wgsl:1:{column}")), "{said}");
    assert!(said.contains("nothing;"), "{said}");
    let widest = said.lines().map(|line| line.chars().count()).max();
    assert!(widest < Some(1000), "{widest:?}");

    let test = "shader = \"a.wgsl\"\n[[test]]\nname = \"x\"\ndispatch = [1, 1, 1]\n";
    folder.write("a.test.toml", test);
    let out = quadrille(&["test", &folder.path("a.test.toml")]);
    assert_eq!(out.status.code(), Some(1));
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(said.contains(&format!("a.wgsl:1:{column}")), "{said}");
    assert!(said.lines().all(|line| line.chars().count() < 1000));
}

/// A module that prints a text, with a source file of this name.
fn printing(text: &str, file: &str) -> String {
    format!(
        "OpCapability Shader
OpExtension \"SPV_KHR_non_semantic_info\"
%print = OpExtInstImport \"NonSemantic.DebugPrintf\"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
%file = OpString \"{file}\"
%text = OpString \"{text}\"
OpSource GLSL 450 %file
%void = OpTypeVoid
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%l = OpLabel
OpLine %file 1 1
%p = OpExtInst %void %print 1 %text
OpReturn
OpFunctionEnd
"
    )
}

#[test]
fn no_text_of_a_source_reaches_the_terminal_as_a_command() {
    let folder = Folder::new("terminal-escapes");
    let wrong =
        folder.write("wr\u{1b}[31mong.wgsl", "fn f() { let \u{9b}2J\u{1b}]0;title\u{7} = \u{202e}1; }\n");
    let prints = folder.write("a.spvasm", printing("red \u{1b}[31m", "b\u{1b}[2J.comp"));
    folder.write("prints.spvasm", printing("red \u{1b}[31m", "b\u{1b}[2J.comp"));
    let test = "shader = \"prints.spvasm\"\n[[test]]\nname = \"\\u001b[2J\"\ndispatch = [1, 1, 1]\n\
        printed = [\"other\"]\n[[test]]\nname = \"skipped\"\nskip = \"\\u001b[31m\"\ndispatch = [1, 1, 1]\n";
    let tests = folder.write("t.test.toml", test);
    for words in [
        vec!["inspect", &wrong],
        vec!["check", &wrong],
        vec!["run", &prints, "--dispatch", "1"],
        vec!["profile", "--measure", "0", &prints, "--dispatch", "1"],
        vec!["inspect", &prints, "--emit", "reflect"],
        vec!["test", &tests],
        vec!["test", &tests, "--format", "github"],
        vec!["run", &folder.path("none\u{1b}[2J.comp"), "--dispatch", "1"],
    ] {
        let out = quadrille(&words);
        for text in [&out.stdout, &out.stderr] {
            let text = String::from_utf8_lossy(text);
            let obeyed =
                text.chars().find(|c| (c.is_control() && *c != '\n' && *c != '\t') || *c == '\u{202e}');
            assert_eq!(obeyed, None, "{words:?}: {text:?}");
        }
    }
    // The control sequences are still shown, in escaped form.
    let out = quadrille(&["run", &prints, "--dispatch", "1"]);
    assert!(String::from_utf8_lossy(&out.stderr).contains("red <U+001B>[31m"), "{out:?}");
}

/// Functions that are called once each, for which glslang takes quadratic time.
#[test]
fn a_source_has_no_more_than_its_budget() {
    let folder = Folder::new("terminal-budget");
    let n = 20_000;
    let mut text = "#version 450\nlayout(local_size_x = 1) in;\n".to_owned();
    (0..n).for_each(|i| text += &format!("void a{i}() {{}}\n"));
    text += "void main() {\n";
    (0..n).for_each(|i| text += &format!("  a{i}();\n"));
    let said = in_a_second(&folder.write("calls.comp", text + "}\n"));
    assert!(said.contains("budget of 1 s") && said.contains("calls.comp"), "{said}");
}

/// Standard error of `inspect` for a file that it refuses, with a budget of one second.
fn in_a_second(file: &str) -> String {
    let start = std::time::Instant::now();
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(["inspect", file])
        .env("QUADRILLE_COMPILE_BUDGET", "1")
        .env("QUADRILLE_CACHE", "0")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(1), "{said}");
    // Without the budget it would take a minute of CPU time.
    assert!(start.elapsed() < std::time::Duration::from_secs(40), "{:?}", start.elapsed());
    said
}

/// Cases of a switch, for which glslang takes quadratic time. No instruction has room for as many.
#[test]
fn a_switch_has_no_more_than_its_budget() {
    let folder = Folder::new("terminal-switch");
    let mut text =
        "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer B { uint v[]; };\n\
        void main() {\n  switch (v[0]) {\n"
            .to_owned();
    (0..60_000).for_each(|i| text += &format!("  case {i}: v[1] = {}; break;\n", i * 7 + 1));
    let said = in_a_second(&folder.write("switch.comp", text + "  }\n}\n"));
    assert!(said.contains("budget of 1 s") || said.contains("at most 65,535 words"), "{said}");
}

/// Spec: SPIR-V, Physical Layout: the length of an instruction has 16 bits.
#[test]
fn what_no_instruction_can_hold_is_refused() {
    let folder = Folder::new("terminal-words");
    let run = |n: u32| {
        let elements: Vec<String> = (0..n).map(|i| format!("{}u", i % 10)).collect();
        let source = format!(
            "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer B {{ uint v[]; }};\n\
             const uint t[{n}] = uint[]({});\nvoid main() {{ v[1] = t[v[0]]; }}\n",
            elements.join(",")
        );
        let file = folder.write("table.comp", source);
        quadrille(&["run", &file, "--dispatch", "1", "--bind", "0.0=u32:65528,9", "--read", "0.0:u32"])
    };
    let out = run(65_532);
    assert_eq!(String::from_utf8_lossy(&out.stdout), "0.0: 65528, 8\n", "{out:?}");
    let said = String::from_utf8_lossy(&run(65_533).stderr).into_owned();
    assert!(said.contains("at most 65,535 words") && said.contains("table.comp"), "{said}");
}

#[test]
fn twenty_thousand_tests_begin_soon() {
    let folder = Folder::new("terminal-many");
    folder.write("a.wgsl", "@compute @workgroup_size(1) fn main() {}\n");
    let list = |n: usize| {
        let mut text = "shader = \"a.wgsl\"\n".to_owned();
        (0..n).for_each(|i| text += &format!("[[test]]\nname = \"t{i}\"\ndispatch = [1, 1, 1]\n"));
        let file = folder.write("many.test.toml", text);
        let out = quadrille(&["test", &file, "--list"]);
        assert!(out.status.success());
        assert_eq!(String::from_utf8_lossy(&out.stdout).lines().count(), n);
    };
    // Comparing 200,000 names with each other would take far too long.
    list(200_000);
}
