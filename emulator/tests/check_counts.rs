//! Counts of checks: each failing execution of an invocation counts once, regardless of the number of components.
//! Related errors merge into one report.
#![cfg(feature = "glsl")]

use crate::checks::descriptors::World;
use crate::checks::{self, VERTEX, check};
use quadrille::{DescriptorKind, Format, ShaderTest};
use quadrille_check::Report;

/// Findings in an image of 8 by 8 pixels with this body of the fragment shader.
fn picture(declared: &str, body: &str) -> Vec<Report> {
    let source = format!(
        "#version 450
        layout(location = 0) out vec4 c;
        {declared}
        void main() {{ vec2 p = gl_FragCoord.xy;
        {body}
        }}"
    );
    check(ShaderTest::glsl_fragment(&source).unwrap(), |t| t.draw(8, 8))
}

/// `kind variable count` of each report.
fn counts(found: &[Report]) -> Vec<String> {
    let text = |r: &Report| format!("{} {} {}", r.kind, r.variable.as_deref().unwrap_or("-"), r.count);
    found.iter().map(text).collect()
}

#[test]
fn pixels_count_once_whatever_the_components() {
    for body in [
        "c = vec4(normalize(p.xyx * 0.0), 1);",
        "c = sqrt(-p.xyxy);",
        "c = p.xyxy / 0.0 * 0.0;",
        "vec3 n = pow(vec3(-p, -1), vec3(0.5)); c = n.xyzz + n.zyxx;",
        "ivec4 i = ivec4(p.xyxy) / (ivec4(p.x) * 0); c = vec4(i);",
    ] {
        let found = picture("", body);
        let all: Vec<u64> = found.iter().map(|r| r.count).collect();
        assert_eq!(all, [64], "{body}\n{}", checks::shown(&found));
    }
    // Half of the pixels fail.
    let found = picture("", "c = p.x < 4 ? sqrt(-p.xyxy) : vec4(1);");
    assert_eq!(counts(&found), ["sqrt-negative - 32"], "{}", checks::shown(&found));
    // Each iteration of a loop is an execution, and so is each call.
    let found = picture("", "c = vec4(0); for (int i = 0; i < 3; i++) c += sqrt(-p.xyxy - i);");
    assert_eq!(found[0].count % 64, 0, "{}", checks::shown(&found));
    let declared = "layout(set = 0, binding = 0) buffer B { uint b[]; };
        vec4 root(vec4 x) { return sqrt(-x); }";
    let found = picture(
        declared,
        "c = max(root(p.xyxy) * 0, 0); c = vec4(1); p = root(p.xyxy).xy; c.x = root(p.yxyx).x;",
    );
    assert!(!found.is_empty() && found.iter().all(|r| r.count % 64 == 0), "{}", checks::shown(&found));
}

#[test]
fn rounds_and_stores_count_one_by_one() {
    let run = |body: &str| {
        let source = format!(
            "#version 450
            layout(local_size_x = 16) in;
            layout(set = 0, binding = 0) buffer A {{ vec4 a[]; }};
            layout(set = 0, binding = 1) buffer Z {{ int zero; float minus; }};
            shared uvec4 w[2];
            void main() {{ uint i = gl_LocalInvocationIndex;
            {body}
            }}"
        );
        let mut test = ShaderTest::glsl(&source).unwrap();
        if body.contains("a[") {
            test = test.bind_zeros::<f32>(0, 0, 16);
        }
        if body.contains("zero") || body.contains("minus") {
            test = test.bind_zeros::<u32>(0, 1, 2);
        }
        counts(&check(test, |t| t.dispatch([2, 1, 1])))
    };
    // 32 invocations, then 4 invocations with one existing vector each.
    assert_eq!(run("a[i + 4] = vec4(i);"), ["buffer-out-of-bounds buffer `A` 32"]);
    assert_eq!(run("if (i < 4 && gl_WorkGroupID.x == 0) a[i] = sqrt(-vec4(i + 1));"), ["sqrt-negative - 4"]);
    let rounds =
        "if (i == 0 && gl_WorkGroupID.x == 0) for (int k = 0; k < 4; k++) a[k] = sqrt(vec4(minus - 1));";
    assert_eq!(run(rounds), ["sqrt-negative - 4"]);
    let rounds = "for (int k = 0; k < 5; k++) if (i < 1) zero += 7 / (zero * 0);";
    assert!(run(rounds).iter().any(|c| c == "division-by-zero - 10"), "{:#?}", run(rounds));
    // A race on a vector is one report, and so is an uninitialized vector.
    assert_eq!(run("w[0] = uvec4(i);"), ["race-workgroup workgroup memory 30"]);
    assert_eq!(
        run("if (i == 0 && gl_WorkGroupID.x == 0) a[0] = vec4(w[0] + w[1]);"),
        ["uninitialized-workgroup w[0].x 1"]
    );
}

#[test]
fn what_one_mistake_makes_is_one_report() {
    // An uninitialized vector.
    for (body, variable) in [
        ("vec4 v; c = v;", "v"),
        ("vec4 v; c = vec4(v.x + v.y + v.z * v.w);", "v"),
        ("vec4 v; v.y = 1; c = vec4(v.x + v.y, v.z, 1, v.w);", "v.x"),
        ("struct S { vec3 a; float b[2]; } s; c = vec4(s.a, s.b[1]);", "s"),
        ("mat3 m; c = vec4(m * vec3(p, 1), 1);", "m[0].x"),
    ] {
        let found = picture("", body);
        assert_eq!(
            counts(&found),
            [format!("uninitialized-variable {variable} 64")],
            "{}",
            checks::shown(&found)
        );
    }
    // Two uninitialized vectors are two reports.
    let two = counts(&picture("", "vec4 v, w; if (p.x < 4) c = v; else c = w;"));
    assert_eq!(two, ["uninitialized-variable v 32", "uninitialized-variable w 32"]);
    // A missing texture, sampled in several places.
    let world = World::new(&[DescriptorKind::CombinedImageSampler]).unwrap();
    let found = world.run(
        "layout(set = 0, binding = 0) uniform sampler2D b[4];",
        "result = uint(textureLod(b[2], vec2(0.5), 0).x);
         result += uint(textureLod(b[2], vec2(0.7), 0).y);
         for (int i = 0; i < 3; i++) result += uint(textureLod(b[2], vec2(i), 0).z);",
    );
    assert_eq!(found.unwrap(), ["missing-descriptor: image `b[2]` is accessed, but none is bound there"]);
}

/// Lines are those of the source, whatever `#line` says, unless the shader asks for the numbers.
#[test]
fn reports_have_lines_of_the_source() {
    let source = "#version 450
layout(local_size_x = 8) in;
layout(binding = 0) buffer B { uint list[]; };
#line 70
void main() {
    list[0] = gl_LocalInvocationIndex;
}
";
    let found = |source: &str| {
        let test = ShaderTest::glsl(source).unwrap().bind_zeros::<u32>(0, 0, 8);
        checks::kinds(&check(test, |t| t.dispatch([1, 1, 1])))
    };
    assert_eq!(found(source), ["race-buffer:6"]);
    assert_eq!(found(&source.replace("= gl_", "= __LINE__ + gl_")), ["race-buffer:71"]);
}

/// Reports on stage interfaces and commands have the file, and the line of the declaration if the source text is known.
#[test]
fn reports_on_interfaces_have_a_file_and_a_line() {
    let fragment = "#version 450
layout(location = 3) in vec4 glow;
layout(location = 0) out vec4 c;
void main() { if (gl_FragCoord.x < 4) c = glow; }";
    let test = ShaderTest::glsl_fragment(fragment).unwrap().vertex_glsl(VERTEX, 3).unwrap();
    let mut found = check(test, |t| t.draw(8, 8));
    let lines = |found: &[Report]| -> Vec<(String, u32)> {
        found.iter().map(|r| (r.at.file.clone().unwrap_or_default(), r.at.line)).collect()
    };
    let file = found[0].at.file.clone().expect("a file");
    assert_eq!(lines(&found), [(file.clone(), 4), (file.clone(), 4)], "{}", checks::shown(&found));
    let mut sources = quadrille_check::Sources::default();
    sources.add(file.clone(), fragment);
    quadrille_check::declared(&mut found, &sources);
    found.sort_by_key(|r| r.at.line);
    let kinds: Vec<&str> = found.iter().map(|r| r.kind.id()).collect();
    assert_eq!(kinds, ["input-without-output", "unwritten-output"]);
    assert_eq!(lines(&found), [(file.clone(), 2), (file, 3)]);
}

/// Reports on vertex attributes have the file, and the line of the vertex input.
#[test]
fn reports_on_attributes_have_a_file_and_a_line() {
    let vertex = "#version 450
layout(location = 2) in vec4 tint;
layout(location = 3) in vec4 shade;
layout(location = 0) out vec4 a;
void main() {
    gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4 - 1, 0, 1);
    a = tint + shade;
}";
    let fragment = "#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 c;
void main() { c = a; }";
    // The first attribute has integers; the second one is missing.
    let test = ShaderTest::glsl_fragment(fragment).unwrap().vertex_glsl(vertex, 3).unwrap();
    let test = test.attribute(2, Format::R32G32B32A32_SINT, &[1i32; 12]).loose();
    let mut found = check(test, |t| t.draw(8, 8));
    let file = found[0].at.file.clone().expect("a file");
    let mut sources = quadrille_check::Sources::default();
    sources.add(file.clone(), vertex);
    quadrille_check::declared(&mut found, &sources);
    found.sort_by_key(|r| r.at.line);
    let all: Vec<_> = found.iter().map(|r| (r.kind.id(), r.at.file.as_ref(), r.at.line)).collect();
    let expected = [("attribute-type-mismatch", Some(&file), 2), ("missing-attribute", Some(&file), 3)];
    assert_eq!(all, expected, "{}", checks::shown(&found));
}
