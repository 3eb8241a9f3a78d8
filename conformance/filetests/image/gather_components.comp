//! test OpImageGather
// Red, green, blue and alpha of the same texels, in any order: one gather. Texel (x, y) is 10 (x + 4 y) + component.
//! image 0.1 R8G8B8A8_UNORM 4 2 u8 0 1 2 3 10 11 12 13 20 21 22 23 30 31 32 33 40 41 42 43 50 51 52 53 60 61 62 63 70 71 72 73
//! image 0.2 R32G32B32A32_SFLOAT 4 2 f32 0 1 2 3 10 11 12 13 20 21 22 23 30 31 32 33 40 41 42 43 50 51 52 53 60 61 62 63 70 71 72 73
//! sampler 0.1 nearest clamp
//! sampler 0.2 nearest clamp
//! bind 0.0 f32 zeros 32
//! dispatch 1 1 1
//! expect 0.0 f32 40 60 10 10 41 61 11 11 42 62 12 12 43 63 13 13 9040 9060 9010 9010 9041 9061 9011 9011 9042 9062 9012 9012 9043 9063 9013 9013
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t;
layout(set = 0, binding = 2) uniform sampler2D u;

void main() {
    uint i = gl_GlobalInvocationID.x;
    vec2 p = (vec2(i % 2, 0) + 1.0) / vec2(4.0, 2.0);
    vec4 all[4];
    all[2] = textureGather(t, p, 2);
    all[0] = textureGather(t, p, 0);
    all[3] = textureGather(t, p, 3);
    all[1] = textureGather(t, p, 1);
    d[i] = round(255.0 * all[i / 4][i % 4]);
    // The same of floats, and beside it two components of another place.
    vec4 blue = textureGather(u, p, 2), red = textureGather(u, p, 0);
    vec4 alpha = textureGather(u, p, 3), green = textureGather(u, p, 1);
    vec4 other = textureGather(u, p + vec2(0.25, 0.0), 3) - textureGather(u, p + vec2(0.25, 0.0), 0);
    vec4 mine = i < 4 ? red : i < 8 ? green : i < 12 ? blue : alpha;
    d[16 + i] = mine[i % 4] + other.x * 3000.0;
}
