//! test OpImageSparseSampleDrefExplicitLod, OpImageSparseDrefGather
// reference < texel. The gather compares 5 with 5, 6, 2, 1 (i0 j1, i1 j1, i1 j0, i0 j0).
//! image 0.1 R32_SFLOAT 4 2 f32 0 1 2 3 4 5 6 7
//! sampler 0.1 nearest clamp less
//! bind 0.0 f32 zeros 16
//! dispatch 1 1 1
//! expect 0.0 f32 3010 3010 3010 3010 3011 3011 3011 3011
#version 450
#extension GL_ARB_sparse_texture2 : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DShadow t;

void main() {
    uint i = gl_GlobalInvocationID.x;
    ivec2 p = ivec2(i % 4, i / 4);
    vec2 c = (vec2(p) + 0.5) / vec2(4.0, 2.0);
    float a;
    vec4 g;
    int code = sparseTextureLodARB(t, vec3(c, 3.5), 0.0, a);
    d[i] = (sparseTexelsResidentARB(code) ? 1000.0 : 0.0) + a;
    code = sparseTextureGatherARB(t, vec2(0.5, 0.5), 5.0, g);
    d[i] += (sparseTexelsResidentARB(code) ? 2000.0 : 0.0) + g.x + 10.0 * g.y + 100.0 * g.z + 1000.0 * g.w;
}
