//! test OpDPdx, OpDPdy, OpFwidth
// Quads are squares: differences of values that depend on x and y.
//! bind 0.0 f32 zeros 16
//! bind 0.1 u32 zeros 16
//! lanes 4 8 16
//! dispatch 1 1 1
//! expect 0.0 f32 110*16
//! expect 0.1 u32 iota 16
#version 450
#extension GL_NV_compute_shader_derivatives : require
layout(local_size_x = 4, local_size_y = 4) in;
layout(derivative_group_quadsNV) in;
layout(set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) buffer Ids { uint ids[]; };

void main() {
    vec2 p = vec2(gl_LocalInvocationID.xy);
    float v = 10.0 * p.x + 100.0 * p.y;
    uint at = gl_LocalInvocationID.y * 4 + gl_LocalInvocationID.x;
    d[at] = dFdx(v) + dFdy(v);
    ids[at] = fwidth(v) == 110.0 ? gl_LocalInvocationIndex : 99;
}
