//! test OpImageSparseSampleExplicitLod, OpImageSparseFetch, OpImageSparseGather, OpImageSparseRead, OpImageSparseTexelsResident
// Every texel is resident; 1000 stands for that. The gather's components are (i0, j1), (i1, j1), (i1, j0),
// (i0, j0).
//! image 0.1 R32_SFLOAT 4 2 f32 0 1 2 3 4 5 6 7
//! image 0.2 R32_SFLOAT 4 2 f32 10 11 12 13 14 15 16 17
//! sampler 0.1 nearest clamp
//! bind 0.0 f32 zeros 32
//! dispatch 1 1 1
//! expect 0.0 f32 1000 1001 1002 1003 1000 1001 1002 1003 1004 1005 1006 1007 1010 1011 1012 1013 5 1 0 6 2 1 7 3 2 7 3 3 0
#version 450
#extension GL_ARB_sparse_texture2 : require
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t;
layout(set = 0, binding = 2, r32f) uniform image2D s;

float with_code(int code, float v) {
    return (sparseTexelsResidentARB(code) ? 1000.0 : 2000.0) + v;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    vec4 v;
    vec2 c = (vec2(i, 0) + 0.5) / vec2(4.0, 2.0);
    int code = sparseTextureLodARB(t, c, 0.0, v);
    d[i] = with_code(code, v.x);
    code = sparseTexelFetchARB(t, ivec2(i, 0), 0, v);
    d[4 + i] = with_code(code, v.x);
    code = sparseTextureGatherARB(t, vec2(float(i) / 4.0 + 0.125, 0.5), v);
    d[8 + i] = with_code(code, v.x);
    d[16 + 3 * i] = v.y;
    d[17 + 3 * i] = v.z;
    d[18 + 3 * i] = v.w;
    code = sparseImageLoadARB(s, ivec2(i, 0), v);
    d[12 + i] = with_code(code, v.x);
}
