//! test OpImageSampleImplicitLod
//! image 0.1 R32_SFLOAT 2d 4x4 levels 2 f32 iota 16 100 101 102 103
//! sampler 0.1 nearest clamp
//! pixels 8 4
//! target R32G32B32A32_SFLOAT
//! expect target f32 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10 906 101 500 10
#version 460
// Sampling with constant offsets, at the centre of texel (1, 1).
layout(set = 0, binding = 1) uniform sampler2D a;
layout(location = 0) out vec4 o;
void main() {
    vec2 p = vec2(0.375) + 0.0 * gl_FragCoord.xy;
    vec3 q = vec3(p * 2.0, 2.0);
    ivec2 one = ivec2(0);
    float s = textureOffset(a, p, ivec2(1, 0)).x + textureProjOffset(a, q, ivec2(0, 1)).x * 100.0;
    float t = textureProjLodOffset(a, q, 1.0, ivec2(1, 0)).x;
    float u = textureGradOffset(a, p, vec2(0.0), vec2(0.0), ivec2(-1, -1)).x + textureProjGrad(a, q, vec2(0.0), vec2(0.0)).x * 100.0;
    float v = textureProjGradOffset(a, q, vec2(0.0), vec2(0.0), ivec2(1, 1)).x;
    o = vec4(s, t, u, v);
}
