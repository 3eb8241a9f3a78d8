//! Sessions over recordings: floats with encodings of their own, and cooperative matrices.
#![cfg(feature = "glsl")]

mod common;

use std::sync::Arc;

use common::five;
use quadrille::frontend::Language;
use quadrille_debug::{Session, Way};

/// Text and type of an expression at the end of the recording.
fn at_end(session: &mut Session, text: &str) -> (String, String) {
    let lane = session.lane();
    session.evaluate(lane, text).map_or_else(|e| (format!("error: {e}"), String::new()), |a| (a.text, a.ty))
}

fn ended(source: &str) -> Session {
    let mut session = Session::new(Arc::new(five(source, Language::Glsl)), Language::Glsl);
    session.go(Way::Forward);
    session
}

/// Numbers that each type represents exactly are shown as such, those that it rounds as the rounded number.
#[test]
fn small_floats_are_numbers() {
    let mut s = ended(
        "#version 450
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer B { bfloat16_t first; floate4m3_t second; floate5m2_t third[2]; float n; } b;
void main() {
    float x = 1.5 + float(gl_LocalInvocationID.x);
    bfloat16_t narrow = bfloat16_t(x / 3.0);
    bf16vec2 pair = bf16vec2(x, -x);
    floate4m3_t small = floate4m3_t(1.0 + x);
    floate4m3_t none = floate4m3_t(1000.0);
    fe5m2vec3 many = fe5m2vec3(x, 0.25, 1e6);
    if (gl_LocalInvocationID.x == 5u) {
        b.first = narrow;
        b.second = small;
        b.third[1] = many.y;
    }
    b.n = float(narrow) + float(pair.x) + float(none);
}
",
    );
    // 6.5 / 3 = 2.1666, whose bfloat16 is 0x400b = 2.171875. E4M3 has 7, 7.5 and 8; it has neither 1000 nor infinity.
    for (name, text, ty) in [
        ("narrow", "2.171875", "bfloat16_t"),
        ("pair", "bf16vec2(6.5, -6.5)", "bf16vec2"),
        ("pair.y", "-6.5", "bfloat16_t"),
        ("small", "7.5", "floate4m3_t"),
        ("none", "NaN", "floate4m3_t"),
        // 6.5 lies between 6 and 7, of which 6 is even; 1e6 is past the greatest number.
        ("many", "fe5m2vec3(6.0, 0.25, inf)", "fe5m2vec3"),
        ("b.first", "2.171875", "bfloat16_t"),
        ("b.second", "7.5", "floate4m3_t"),
        ("b.third[1]", "0.25", "floate5m2_t"),
    ] {
        assert_eq!(at_end(&mut s, name), (text.to_owned(), ty.to_owned()), "{name}");
    }
    let (text, _) = at_end(&mut s, "narrow + 1.0");
    assert!(text.contains("bfloat16_t, which expressions do not support"), "{text}");
}

/// Each invocation sees its own elements: of a row-major matrix of 16 columns in a subgroup of 8 invocations, invocation 5
/// holds the columns 5 and 13.
#[test]
fn matrices_are_the_elements_of_the_invocation() {
    let mut s = ended(
        "#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_bfloat16 : require
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer B { float n; } b;
shared float numbers[256];
void main() {
    for (uint k = gl_LocalInvocationID.x; k < 256; k += 8) numbers[k] = float(k);
    barrier();
    coopmat<float, gl_ScopeSubgroup, 8, 16, gl_MatrixUseAccumulator> sum;
    coopMatLoad(sum, numbers, 0, 16, gl_CooperativeMatrixLayoutRowMajor);
    coopmat<bfloat16_t, gl_ScopeWorkgroup, 8, 8, gl_MatrixUseA> half_of = coopmat<bfloat16_t, gl_ScopeWorkgroup, 8, 8, gl_MatrixUseA>(0.5);
    b.n = sum[3] + float(half_of[1]);
}
",
    );
    let ty = "coopmat<float, gl_ScopeSubgroup, 8, 16, gl_MatrixUseAccumulator>";
    let elements: Vec<String> = (0..16).map(|i| format!("{}.0", 8 * i + 5)).collect();
    assert_eq!(at_end(&mut s, "sum"), (format!("{ty}[{}]", elements.join(", ")), ty.to_owned()));
    assert_eq!(at_end(&mut s, "sum[3]"), ("29.0".into(), "float".into()));
    let ty = "coopmat<bfloat16_t, gl_ScopeWorkgroup, 8, 8, gl_MatrixUseA>";
    assert_eq!(at_end(&mut s, "half_of"), (format!("{ty}[{}]", ["0.5"; 8].join(", ")), ty.to_owned()));
    assert_eq!(at_end(&mut s, "half_of[7]"), ("0.5".into(), "bfloat16_t".into()));
}
