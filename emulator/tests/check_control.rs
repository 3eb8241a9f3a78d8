//! Undefined control flow is reported, and defined control flow is not.
#![cfg(feature = "glsl")]

use crate::checks::{self, check, kinds, shown};
use quadrille::{Error, Format, ShaderTest, TestImage};

/// Findings in a compute shader of 64 invocations; the body begins in line 10.
fn compute(body: &str) -> Vec<String> {
    let source = format!(
        "#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 64) in; shared uint shared_words[64];
layout(set = 0, binding = 0, std430) buffer Out {{ uint out_words[]; }};
void main() {{ uint i = gl_LocalInvocationIndex; uint k = 0;
{body}
out_words[i] = k; }}"
    );
    let test = ShaderTest::glsl(&source).unwrap_or_else(|e| panic!("{body}: {e:?}")).bind(0, 0, &[7u32; 65]);
    kinds(&check(test, |t| t.dispatch([1, 1, 1])))
}

#[test]
fn barriers() {
    let finds = |body: &str, line: u32| {
        assert_eq!(compute(body), [format!("barrier-divergent:{line}")], "{body}");
    };
    finds("if (i < 32) barrier();", 10);
    finds("if (i >= 40) return;\nbarrier();", 11);
    finds("if (i != 3) { shared_words[i] = 1; barrier(); }", 10);
    finds("for (uint n = 0; n < i / 32 + 1; n++) barrier();", 10);
    // One barrier that all reach, but in different iterations.
    finds("for (uint n = 0; n < 2; n++) if (n == i / 32) barrier();", 10);
    let silent = |body: &str| assert_eq!(compute(body), [""; 0], "{body}");
    silent("barrier();");
    silent("if (gl_NumWorkGroups.x == 1) barrier();");
    silent("for (uint n = 0; n < 4; n++) { barrier(); if (i > n) k++; }");
    silent("if (i < 32) k = 1;\nbarrier();\nif (i > 40) return;");
    // Two different barriers, each reached by all invocations.
    silent("uint n = i; while (n > 64) n--;\nbarrier(); k = n; barrier();");
    // Iterations count from the start of each loop around the barrier.
    silent("uint c = 0; while (c < i / 32) c++;\nfor (uint n = 0; n < 3; n++) barrier();\nk = c;");
    silent("for (uint m = 0; m < 3; m++) for (uint n = 0; n <= m; n++) barrier();");
}

#[test]
fn both_arms_of_a_branch_are_two_barriers() {
    assert_eq!(
        compute("if (i < 32)\nbarrier();\nelse\nbarrier();"),
        ["barrier-divergent:11", "barrier-divergent:13"]
    );
}

#[test]
fn subgroups() {
    // No lane is below lane 0, and lane 0 uses the result.
    assert_eq!(compute("k = subgroupShuffleUp(i, 1);"), ["subgroup-inactive:10"]);
    assert_eq!(compute("k = subgroupShuffle(i, 99);"), ["subgroup-inactive:10"]);
    assert_eq!(compute("if (i % 2 == 0) k = subgroupShuffleXor(i, 1);"), ["subgroup-inactive:10"]);
    let silent = |body: &str| assert_eq!(compute(body), [""; 0], "{body}");
    silent("uint up = subgroupShuffleUp(i, 1); if (gl_SubgroupInvocationID > 0) k = up;");
    silent("uint up = subgroupShuffleUp(i, 1); k = gl_SubgroupInvocationID > 0 ? up : 0;");
    silent("k = subgroupShuffleXor(i, 1);");
    silent("k = subgroupAdd(i);");
    silent("if (i % 2 == 0) k = subgroupAdd(i);");
    silent("if (i % 2 == 0) k = subgroupBroadcastFirst(i);");
}

/// Results over a subgroup that depend on how many invocations it has. There are 8 here, and 32 on other devices.
#[test]
fn sizes_of_subgroups() {
    let sum = "uint s = subgroupAdd(i);\n";
    let finds = |body: &str| {
        assert_eq!(compute(body), ["subgroup-size-assumed:10"], "{body}");
    };
    finds(&format!(
        "{sum}if (i % 32 == 0) shared_words[i / 32] = s;\nbarrier(); if (i < 2) k = shared_words[i];"
    ));
    finds(&format!("{sum}if ((i & 31) == 0) atomicAdd(out_words[64], s);"));
    // The workgroup is not one subgroup.
    finds(&format!("{sum}if (i == 0) atomicAdd(out_words[64], s);"));
    finds("uint s = subgroupInclusiveAdd(i);\nif (i == 63) atomicAdd(out_words[64], s);");
    finds("if (gl_SubgroupInvocationID == 31) atomicAdd(out_words[64], subgroupAdd(i));");
    let silent = |body: &str| assert_eq!(compute(body), [""; 0], "{body}");
    silent(&format!(
        "{sum}if (gl_SubgroupInvocationID == 0) shared_words[gl_SubgroupID] = s;\nbarrier(); if (i < 8) k = shared_words[i];"
    ));
    silent(&format!("{sum}if (subgroupElect()) atomicAdd(out_words[64], s);"));
    silent(&format!("{sum}if (i % gl_SubgroupSize == 0) atomicAdd(out_words[64], s);"));
    silent(&format!("{sum}if (i % 4 == 0) shared_words[i] = s;"));
    silent("if (gl_SubgroupInvocationID == 7) atomicAdd(out_words[64], subgroupAdd(i));");
    silent("k = subgroupAdd(uint(gl_SubgroupInvocationID != 31));");
    // Those with an index up to 40, of which each takes its own.
    silent(&format!("{sum}if (i < 41) shared_words[i] = s;"));
    // All subgroups have the same, one is enough.
    silent("uint s = subgroupAdd(1);\nif (i == 0) out_words[64] = s;");
    silent(&format!("{sum}if (i == 0) out_words[64] = s;\nk = s + 1;"));
    // Two levels: the first subgroup sums up what the others have left.
    silent(&format!(
        "{sum}if (subgroupElect()) shared_words[gl_SubgroupID] = s;
barrier(); if (i < 8) {{ uint all = subgroupAdd(shared_words[i]); if (i == 0) out_words[64] = all; }}"
    ));
}

/// A loop that serves one value per iteration: the check must know where invocations reconverge.
#[test]
fn reconvergence() {
    let body = "uint mine = i % 3;
while (true) {
  uint first = subgroupBroadcastFirst(mine);
  if (first == mine) { k = subgroupAdd(1); break; }
}";
    assert_eq!(compute(body), ["subgroup-reconvergence:13"]);
    let uniform = body.replace("i % 3", "gl_SubgroupID");
    assert_eq!(compute(&uniform), [""; 0]);
    let after = "uint mine = i % 3;
while (true) {
  uint first = subgroupBroadcastFirst(mine);
  uint n = subgroupAdd(first == mine ? 1 : 0);
  if (first == mine) { k = n; break; }
}";
    assert_eq!(compute(after), [""; 0]);
}

#[test]
fn loops_without_end() {
    let hangs = |body: &str| {
        let source = format!(
            "#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) buffer Out {{ uint out_words[]; }};
layout(set = 0, binding = 1, std430) readonly buffer In {{ uint in_words[]; }};
void main() {{ uint i = gl_LocalInvocationIndex; uint k = 0;
{body}
out_words[i] = k; }}"
        );
        let (session, device) = checks::device();
        let test = ShaderTest::glsl(&source).unwrap().on(&device);
        let test = test.bind(0, 0, &[0u32; 8]);
        let test = if body.contains("in_words") { test.bind(0, 1, &[5u32; 8]) } else { test };
        let run = test.dispatch([1, 1, 1]);
        let found = session.reports.take();
        (matches!(run, Err(Error::DeviceLost(_))), kinds(&found), shown(&found))
    };
    for body in [
        "while (k < in_words[i]) { if (i != 3) k++; }",
        // A cycle of three states.
        "uint n = i;\nfor (;;) { n = (n + 1) % 3; if (n == in_words[0]) break; } k = n;",
        "float x = 1e9; while (x < 2e9) x += 1.0; k = uint(x);",
    ] {
        let (lost, kinds, text) = hangs(body);
        let line = 6 + body.contains('\n') as u32;
        assert_eq!((lost, kinds), (true, vec![format!("no-progress:{line}")]), "{body}\n{text}");
    }
    for body in [
        "while (k < in_words[i]) k++;",
        "uint n = 27; while (n != 1) { n = n % 2 == 0 ? n / 2 : 3 * n + 1; k++; }",
        "for (uint a = 0; a < 9; a++) for (uint b = 0; b < 9; b++) k += a;",
        "for (uint a = 0; a < 9; a++) { uint b = 0; while (b < 3) b++; k += b; }",
        "while (atomicAdd(out_words[i], 1) < 20) {}",
    ] {
        let (lost, kinds, text) = hangs(body);
        assert_eq!((lost, kinds), (false, Vec::new()), "{body}\n{text}");
    }
}

/// Findings in a fragment shader of an image of 8 x 8 pixels, with a mipmapped texture; the body begins in line 6.
fn fragment(body: &str, levels: u32) -> Vec<String> {
    let source = format!(
        "#version 450
#extension GL_EXT_demote_to_helper_invocation : require
#extension GL_EXT_terminate_invocation : require
layout(set = 0, binding = 0) uniform sampler2D tex; layout(location = 0) out vec4 color;
void main() {{ vec2 p = gl_FragCoord.xy; vec2 uv = p / 8.0; color = vec4(0); ivec2 at = ivec2(p);
{body}
}}"
    );
    let texels: Vec<u8> = (0..levels).flat_map(|l| vec![200; (64 >> (2 * l)) * 4]).collect();
    let mut image = TestImage::new_2d(Format::R8G8B8A8_UNORM, (8, 8), texels);
    image.levels = levels;
    let test = ShaderTest::glsl_fragment(&source).unwrap_or_else(|e| panic!("{body}: {e:?}"));
    let test = if body.contains("tex,") { test.bind_shape(0, 0, 0, image) } else { test };
    kinds(&check(test, |t| t.draw(8, 8)))
}

#[test]
fn derivatives() {
    let finds = |body: &str, kind: &str| {
        assert_eq!(fragment(body, 3), [format!("{kind}:6")], "{body}");
    };
    finds("if (at.x % 2 == 0) color.x = dFdx(p.x * p.x);", "derivative-divergent");
    finds("if (at.x + at.y == 5) return; color.x = fwidth(p.x);", "derivative-divergent");
    finds("if (at.x > 2) color = texture(tex, uv);", "implicit-lod-divergent");
    finds("if (at.x == 3) discard; color = texture(tex, uv);", "derivative-after-discard");
    finds("if (at.x == 3) discard; color.x = dFdx(p.x * p.x);", "derivative-after-discard");
    finds("if (at.x == 3) terminateInvocation; color.x = fwidth(p.y);", "derivative-after-discard");
    // Of a quad, the one is gone and the other elsewhere.
    finds("if (at == ivec2(3)) discard; if (at != ivec2(2)) color.x = dFdx(p.x);", "derivative-divergent");
    let silent = |body: &str, levels| assert_eq!(fragment(body, levels), [""; 0], "{body}");
    silent("if (at.x > 3) color.x = dFdx(p.x * p.x);", 3);
    // Whole quads, those that go on as helpers, and derivatives before.
    silent("if (at.x > 3) discard; color = texture(tex, uv) + dFdx(p.x);", 3);
    silent("if (at.x == 3) demote; color = texture(tex, uv) + dFdx(p.x);", 3);
    silent("color.x = dFdx(p.x * p.x); if (at.x == 3) terminateInvocation;", 3);
    silent("color = texture(tex, uv); if (at.x == 3) discard;", 3);
    silent("if (at.x > 3) color = texture(tex, uv);", 3);
    silent("if (at.x > 2) color = textureLod(tex, uv, 0.0);", 3);
    silent("vec2 dx = dFdx(uv), dy = dFdy(uv); if (at.x > 2) color = textureGrad(tex, uv, dx, dy);", 3);
    // With a single level, the level of detail does not matter.
    silent("if (at.x > 2) color = texture(tex, uv);", 1);
    silent("if (at.x > 2) color = texelFetch(tex, at, 0);", 3);
}

#[test]
fn indices_of_descriptors() {
    let found = |index: &str| {
        let source = format!(
            "#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) buffer Out {{ uint out_words[]; }};
layout(set = 0, binding = 1, std430) readonly buffer In {{ uint word; }} many[2];
void main() {{ uint i = gl_LocalInvocationIndex;
out_words[i] = many[{index}].word; }}"
        );
        let test = ShaderTest::glsl(&source).unwrap_or_else(|e| panic!("{index}: {e:?}"));
        let test = test.bind(0, 0, &[0u32; 8]).bind_at(0, 1, 0, &[3u32]).bind_at(0, 1, 1, &[4u32]);
        kinds(&check(test, |t| t.dispatch([1, 1, 1])))
    };
    assert_eq!(found("i % 2"), ["descriptor-index-nonuniform:7"]);
    assert_eq!(found("nonuniformEXT(i % 2)"), [""; 0]);
    assert_eq!(found("gl_WorkGroupID.x + 1"), [""; 0]);
    assert_eq!(found("1"), [""; 0]);
}
