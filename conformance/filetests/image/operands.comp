//! test OpImageSampleExplicitLod, OpImageGather, OpImageFetch
//! image 0.1 R32_SFLOAT 2d 4x4 levels 3 f32 iota 16 100 101 102 103 200
//! sampler 0.1 nearest clamp
//! bind 0.0 f32 zeros 32
//! expect 0.0 f32 103 200 5 100 200 5 10 11 9 8 5 4 6 5 9 10 6 10 0 8 2 9 3 102
#version 460
// Image operands: level, gradients, offsets constant and not, four offsets.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D a;
const ivec2 four[4] = { ivec2(1, 1), ivec2(-2, -2), ivec2(-2, 1), ivec2(1, -2) };
void main() {
    int v = int(gl_NumWorkGroups.x);
    d[0] = textureLod(a, vec2(0.75), 1.0).x;
    d[1] = textureLod(a, vec2(0.75), 2.0).x;
    d[2] = textureGrad(a, vec2(0.3), vec2(0.25, 0.0), vec2(0.0, 0.25)).x;
    d[3] = textureGrad(a, vec2(0.3), vec2(0.5, 0.0), vec2(0.0, 0.1)).x;
    d[4] = textureGrad(a, vec2(0.3), vec2(1.0, 0.0), vec2(0.0, 0.0)).x;
    d[5] = textureLodOffset(a, vec2(0.1), 0.0, ivec2(1, 1)).x;
    d[6] = texelFetchOffset(a, ivec2(1, 1), 0, ivec2(1, 1)).x;
    d[7] = texelFetch(a, ivec2(3, 2), 0).x;
    vec4 g = textureGatherOffset(a, vec2(0.25), ivec2(v - 1, v));
    d[8] = g.w + 5.0; d[9] = g.x; d[10] = g.w + 1.0; d[11] = g.w;
    g = textureGatherOffset(a, vec2(0.5), ivec2(v - 1, v - 1));
    d[12] = g.z; d[13] = g.w; d[14] = g.x; d[15] = g.y;
    d[16] = textureGatherOffset(a, vec2(0.5), ivec2(v - 1, 0)).z;
    g = textureGatherOffsets(a, vec2(0.5), four);
    d[17] = g.x + 0.0; d[18] = g.y; d[19] = g.z; d[20] = g.w;
    d[21] = texelFetchOffset(a, ivec2(0, 1), 0, ivec2(1, 1)).x;
    d[22] = textureLodOffset(a, vec2(0.6, 0.1), 0.0, ivec2(1, 0)).x;
    d[23] = texelFetch(a, ivec2(0, 1), 1).x;
}
