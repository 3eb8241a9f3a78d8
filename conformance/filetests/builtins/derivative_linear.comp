//! test OpDPdxFine, OpDPdyCoarse
// Quads are four invocations in a row; the second image's levels are chosen by derivatives.
//! image 0.1 R32_SFLOAT 4 1 f32 0 1 2 3
//! sampler 0.1 nearest clamp
//! bind 0.0 f32 zeros 8
//! lanes 8
//! dispatch 1 1 1
//! expect 0.0 f32 21 21.5 25 25.5 109 109.5 113 113.5
#version 450
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 8) in;
layout(derivative_group_linearNV) in;
layout(set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t;

void main() {
    uint i = gl_LocalInvocationIndex;
    float v = float(i * i);
    d[i] = dFdxFine(v) + 5.0 * dFdyCoarse(v) + 0.5 * texture(t, vec2((float(i % 2) + 0.5) / 4.0, 0.5)).x;
}
