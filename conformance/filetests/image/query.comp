//! test OpImageQuerySizeLod, OpImageQueryLevels
//! image 0.1 R32_SFLOAT 4 2 f32 0 1 2 3 4 5 6 7
//! bind 0.0 f32 zeros 16
//! dispatch 1 1 1
//! expect 0.0 f32 124*16
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t;

void main() {
    uint i = gl_GlobalInvocationID.x;
    ivec2 p = ivec2(i % 4, i / 4);
    ivec2 s = textureSize(t, 0);
    d[i] = float(s.x + s.y * 10 + textureQueryLevels(t) * 100);
}
