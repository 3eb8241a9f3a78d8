//! test OpImageRead, OpImageWrite, OpImageQuerySamples
//! image 0.1 R32_SFLOAT 2d 2x1 samples 4 f32 iota 8
//! image 0.2 R32_SFLOAT 2d_array 1x1 layers 2 samples 4 f32 iota 8
//! bind 0.0 f32 zeros 4
//! expect 0.0 f32 5 6 4 4
//! expect image 0.1 f32 0 1 2 3 4 5 60 7
//! expect image 0.2 f32 0 1 2 3 4 61 6 7
#version 460
// Storage images with samples.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1, r32f) uniform image2DMS a;
layout(set = 0, binding = 2, r32f) uniform image2DMSArray b;
void main() {
    d[0] = imageLoad(a, ivec2(1, 0), 2).x;
    d[1] = imageLoad(b, ivec3(0, 0, 1), 2).x;
    d[2] = float(imageSamples(a));
    d[3] = float(imageSamples(b));
    imageStore(a, ivec2(0, 0), 3, vec4(60.0));
    imageStore(b, ivec3(0, 0, 1), 1, vec4(61.0));
}
