//! test OpImageTexelPointer
// In ascending order. Out of range: nothing.
//! image 0.1 R32_UINT 4 2 u32 1 2 3 4 5 6 7 8
//! bind 0.0 u32 zeros 16
//! dispatch 1 1 1
//! expect 0.0 u32 1 2 1 3 3 6 7 11 13 18 21 27 31 38 43 51
//! expect image 0.1 u32 57 66 45 4 5 6 7 8
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };
layout(set = 0, binding = 1, r32ui) uniform uimage2D t;

void main() {
    uint i = gl_GlobalInvocationID.x;
    ivec2 p = ivec2(i % 4, i / 4);
    d[i] = imageAtomicAdd(t, ivec2(i % 2, 0), i);
    imageAtomicMax(t, ivec2(2, 0), i * 3);
    imageAtomicOr(t, ivec2(9, 9), i);
}
