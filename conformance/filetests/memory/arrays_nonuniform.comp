//! test OpAccessChain
//! bind 0.0 f32 zeros 28
//! bind 0.1[0] f32 10
//! bind 0.2[0] f32 20
//! image 0.3[0] R32_SFLOAT 1 1 f32 30
//! image 0.4[0] R32_SFLOAT 1 1 f32 40
//! image 0.5[0] R32_SFLOAT buffer 1 f32 50
//! image 0.6[0] R32_SFLOAT buffer 1 f32 60
//! image 0.8[0] R32_SFLOAT 1 1 f32 80
//! bind 0.1[1] f32 11
//! bind 0.2[1] f32 21
//! image 0.3[1] R32_SFLOAT 1 1 f32 31
//! image 0.4[1] R32_SFLOAT 1 1 f32 41
//! image 0.5[1] R32_SFLOAT buffer 1 f32 51
//! image 0.6[1] R32_SFLOAT buffer 1 f32 61
//! image 0.8[1] R32_SFLOAT 1 1 f32 81
//! bind 0.1[2] f32 12
//! bind 0.2[2] f32 22
//! image 0.3[2] R32_SFLOAT 1 1 f32 32
//! image 0.4[2] R32_SFLOAT 1 1 f32 42
//! image 0.5[2] R32_SFLOAT buffer 1 f32 52
//! image 0.6[2] R32_SFLOAT buffer 1 f32 62
//! image 0.8[2] R32_SFLOAT 1 1 f32 82
//! sampler 0.7 nearest clamp
//! lanes 8
//! expect 0.0 f32 11 21 31 41 51 61 81 10 20 30 40 50 60 80 12 22 32 42 52 62 82 11 21 31 41 51 61 81
#version 460
#extension GL_EXT_nonuniform_qualifier : require
// Arrays of every kind of resource, indexed per invocation; of any length.
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform U { float u; } us[];
layout(set = 0, binding = 2) buffer S { float s; } ss[];
layout(set = 0, binding = 3) uniform texture2D ts[];
layout(set = 0, binding = 4, r32f) uniform image2D is[];
layout(set = 0, binding = 5) uniform samplerBuffer bs[];
layout(set = 0, binding = 6, r32f) uniform imageBuffer js[];
layout(set = 0, binding = 7) uniform sampler p;
layout(set = 0, binding = 8) uniform sampler2D cs[];
void main() {
    uint n = gl_LocalInvocationIndex;
    uint i = (n * 2u + 1u) % 3u;
    d[7 * n] = us[nonuniformEXT(i)].u;
    d[7 * n + 1] = ss[nonuniformEXT(i)].s;
    d[7 * n + 2] = textureLod(sampler2D(ts[nonuniformEXT(i)], p), vec2(0.5), 0.0).x;
    d[7 * n + 3] = imageLoad(is[nonuniformEXT(i)], ivec2(0)).x;
    d[7 * n + 4] = texelFetch(bs[nonuniformEXT(i)], 0).x;
    d[7 * n + 5] = imageLoad(js[nonuniformEXT(i)], 0).x;
    d[7 * n + 6] = textureLod(cs[nonuniformEXT(i)], vec2(0.5), 0.0).x;
}
