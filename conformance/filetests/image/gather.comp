//! test OpImageGather
// (i0, j1), (i1, j1), (i1, j0), (i0, j0) of the first row.
//! image 0.1 R32_SFLOAT 4 2 f32 0 1 2 3 4 5 6 7
//! sampler 0.1 nearest clamp
//! bind 0.0 f32 zeros 16
//! dispatch 1 1 1
//! expect 0.0 f32 4510 5621 6732 7733
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t;

void main() {
    uint i = gl_GlobalInvocationID.x;
    ivec2 p = ivec2(i % 4, i / 4);
    vec4 g = textureGather(t, (vec2(p) + 1.0) / vec2(4.0, 2.0));
    d[i] = g.x * 1000.0 + g.y * 100.0 + g.z * 10.0 + g.w;
}
