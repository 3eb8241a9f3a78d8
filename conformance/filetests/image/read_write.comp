//! test OpImageRead, OpImageWrite, OpImageQuerySize
// Out of range: reads give 0, writes are dropped.
//! image 0.1 R32_SFLOAT 4 2 f32 0 1 2 3 4 5 6 7
//! bind 0.0 f32 zeros 16
//! dispatch 1 1 1
//! expect 0.0 f32 400 401 402 403 404 405 406 407 400*8
//! expect image 0.1 f32 0 10 20 30 40 50 60 70
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1, r32f) uniform image2D t;

void main() {
    uint i = gl_GlobalInvocationID.x;
    ivec2 p = ivec2(i % 4, i / 4);
    d[i] = imageLoad(t, p).x + float(imageSize(t).x) * 100.0;
    memoryBarrier();
    barrier();
    imageStore(t, p, vec4(10.0 * float(i), 0.0, 0.0, 0.0));
}
