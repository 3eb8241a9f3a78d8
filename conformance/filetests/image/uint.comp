//! test OpImageRead, OpImageWrite
//! image 0.1 R32_UINT 4 2 u32 1 2 3 4 5 6 7 0xffffffff
//! bind 0.0 u32 zeros 16
//! dispatch 1 1 1
//! expect 0.0 u32 1 2 3 4 5 6 7 0xffffffff 0*8
//! expect image 0.1 u32 6 7 8 9 10 11 12 4
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };
layout(set = 0, binding = 1, r32ui) uniform uimage2D t;

void main() {
    uint i = gl_GlobalInvocationID.x;
    ivec2 p = ivec2(i % 4, i / 4);
    uvec4 v = imageLoad(t, p);
    d[i] = v.x;
    imageStore(t, p, v + 5);
}
