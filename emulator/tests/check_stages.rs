//! Checked stages: inputs that the previous stage does not provide are reported, and so is state that commands do not
//! set.
#![cfg(feature = "glsl")]

use crate::checks::{self, VERTEX};
use quadrille::ShaderTest;

/// `kind: message` of each finding when an image is drawn with these stages.
fn found(vertex: &str, fragment: &str) -> Vec<String> {
    let test = ShaderTest::glsl_fragment(fragment).unwrap().vertex_glsl(vertex, 3).unwrap();
    let found = checks::check(test, |t| t.draw(8, 8));
    found.iter().map(|r| format!("{}: {}", r.kind, r.message)).collect()
}

/// A fragment shader with these inputs and this colour.
fn color(inputs: &str, value: &str) -> String {
    format!("#version 450\nlayout(location = 0) out vec4 c;\n{inputs}\nvoid main() {{ c = {value}; }}")
}

/// Checks that there is exactly one finding, since each variable has one report.
#[track_caller]
fn finds(found: &[String], start: &str) {
    assert!(found.len() == 1 && found[0].starts_with(start), "{found:#?}");
}

#[test]
fn inputs_have_outputs() {
    let missing = color("layout(location = 2) in vec4 glow;", "glow");
    finds(
        &found(VERTEX, &missing),
        "input-without-output: `glow` (location 2) is read, but the previous stage does not write it",
    );
    // Inputs are checked by component, and only used components count.
    let wide = |use_of: &str| color("layout(location = 1) in vec4 b;", use_of);
    finds(
        &found(VERTEX, &wide("b")),
        "input-without-output: `b.z` and `b.w` (location 1) are read, but the previous stage does not write them",
    );
    let twice = color("layout(location = 2) in vec4 g;", "g.x > 0 ? g.wzyx : vec4(1)");
    finds(&found(VERTEX, &twice), "input-without-output: `g` (location 2) is read");
    assert_eq!(found(VERTEX, &wide("vec4(b.xy, 0, 1)")), [""; 0]);
    assert_eq!(found(VERTEX, &color("layout(location = 0) in vec4 a;", "a")), [""; 0]);
    assert_eq!(
        found(VERTEX, &color("layout(location = 2) in vec4 g;", "gl_FragCoord.x > 99 ? g : vec4(1)")),
        [""; 0]
    );
    // An output that is declared but never written does not count as an output.
    let silent = VERTEX.replace("a = vec4(p, 1, 1);", "");
    finds(
        &found(&silent, &color("layout(location = 0) in vec4 a;", "a")),
        "input-without-output: `a` (location 0)",
    );
    assert_eq!(found(&silent, &color("layout(location = 1) in vec2 b;", "b.xyxy")), [""; 0]);
}

#[test]
fn push_constants_are_set() {
    let source = "#version 450
        layout(local_size_x = 4) in;
        layout(push_constant) uniform P { uint n; uint list[3]; } p;
        layout(set = 0, binding = 0) buffer B { uint b[]; };
        void main() { uint i = gl_LocalInvocationIndex; b[i] = WHAT; }";
    let found = |what: &str, push: &[u32]| {
        let test = ShaderTest::glsl(&source.replace("WHAT", what)).unwrap().loose();
        let test = test.bind(0, 0, &[0u32; 4]).push(push);
        let found = checks::check(test, |t| t.dispatch([1, 1, 1]));
        found.iter().map(|r| format!("{}: {}", r.kind, r.message)).collect::<Vec<_>>()
    };
    finds(
        &found("p.n + p.list[i % 3]", &[1, 2]),
        "unset-push-constant: `p.list[1]` is read, but no command has set it",
    );
    assert_eq!(found("p.n + p.list[i % 3]", &[1, 2, 3, 4]), [""; 0]);
    assert_eq!(found("p.n + p.list[0]", &[1, 2]), [""; 0]);
    finds(&found("p.list[i]", &[1, 2, 3, 4]), "index-out-of-range: index 3 of 3 elements");
}
