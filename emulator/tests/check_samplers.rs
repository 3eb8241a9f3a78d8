//! Checked samplers: invalid depth comparisons, and unnormalized coordinates where they are not allowed.
#![cfg(feature = "glsl")]

use crate::checks;
use quadrille::{AddressMode, CompareOp, Format, SamplerDesc, ShaderTest};

/// Kinds of the findings in an image of 8 by 8 pixels with this colour, with an image `t` and a sampler `s`.
fn picture(value: &str, format: Format, sampler: SamplerDesc) -> Vec<String> {
    let source = format!(
        "#version 450
        layout(location = 0) out vec4 c;
        layout(set = 0, binding = 0) uniform texture2D t;
        layout(set = 0, binding = 1) uniform sampler s;
        layout(set = 0, binding = 2) uniform samplerShadow d;
        void main() {{ vec2 p = gl_FragCoord.xy / 8; c = vec4({value}); }}"
    );
    let used = if value.contains(", d)") { 2 } else { 1 };
    let test = ShaderTest::glsl_fragment(&source).unwrap();
    let test = test.bind_image(0, 0, format, (4, 4), &[0.5f32; 16]).bind_sampler(0, used, sampler);
    let found = checks::check(test, |t| t.draw(8, 8));
    found.iter().map(|r| format!("{} {}", r.kind, r.count)).collect()
}

const COMPARED: &str = "texture(sampler2DShadow(t, d), vec3(p, 0.5))";

/// Spec: GLSL 4.60, "Texture Functions"; Vulkan, VUID-vkCmdDraw-None-06479.
#[test]
fn shadows_are_compared_by_samplers_that_compare_depths() {
    let plain = SamplerDesc::default();
    let compares = SamplerDesc { compare: Some(CompareOp::LessOrEqual), ..plain };
    let (depth, color) = (Format::D32_SFLOAT, Format::R32_SFLOAT);
    assert_eq!(picture(COMPARED, depth, compares), [""; 0]);
    assert_eq!(picture(COMPARED, depth, plain), ["comparison-disabled 64"]);
    assert_eq!(picture(COMPARED, color, compares), ["comparison-of-color 64"]);
    let gathered = "textureGather(sampler2DShadow(t, d), p, 0.5)";
    assert_eq!(picture(gathered, depth, compares), [""; 0]);
    assert_eq!(picture(gathered, depth, plain), ["comparison-disabled 64"]);
    // Without a comparison, either kind of image works.
    let read = "texture(sampler2D(t, s), p)";
    for (format, sampler) in [(depth, plain), (depth, compares), (color, plain)] {
        assert_eq!(picture(read, format, sampler), [""; 0]);
    }
}

/// Spec: Vulkan, VUID-vkCmdDraw-None-08610, VUID-vkCmdDraw-None-08611.
#[test]
fn coordinates_in_texels_have_no_implicit_level() {
    let texels = SamplerDesc {
        unnormalized: true,
        address: [AddressMode::ClampToEdge; 3],
        max_lod: 0,
        ..SamplerDesc::default()
    };
    let of = |value: &str, sampler| picture(value, Format::R32_SFLOAT, sampler);
    assert_eq!(of("textureLod(sampler2D(t, s), p * 4, 0)", texels), [""; 0]);
    assert_eq!(of("textureGather(sampler2D(t, s), p * 4)", texels), [""; 0]);
    for wrong in [
        "texture(sampler2D(t, s), p * 4)",
        "texture(sampler2D(t, s), p * 4, 0.5)",
        "textureLodOffset(sampler2D(t, s), p * 4, 0, ivec2(1, 0))",
        "textureProjLod(sampler2D(t, s), vec3(p * 4, 1), 0)",
    ] {
        assert_eq!(of(wrong, texels), ["unnormalized-sampling 64"], "{wrong}");
        assert_eq!(of(wrong, SamplerDesc::default()), [""; 0], "{wrong}");
    }
}
