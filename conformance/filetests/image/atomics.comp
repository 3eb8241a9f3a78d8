//! test OpImageTexelPointer
//! image 0.1 R32_UINT 1 1 u32 12
//! bind 0.0 u32 zeros 8
//! expect 0.0 u32 12 9 20 4 6 3 77 5
//! expect image 0.1 u32 88
#version 460
// Every atomic on a texel: the old value is the result.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };
layout(set = 0, binding = 1, r32ui) uniform uimage2D a;
void main() {
    ivec2 p = ivec2(0);
    d[0] = imageAtomicMin(a, p, 9u);
    d[1] = imageAtomicMax(a, p, 20u);
    d[2] = imageAtomicAnd(a, p, 6u);
    d[3] = imageAtomicOr(a, p, 2u);
    d[4] = imageAtomicXor(a, p, 5u);
    d[5] = imageAtomicAdd(a, p, 74u);
    d[6] = imageAtomicExchange(a, p, 5u);
    d[7] = imageAtomicCompSwap(a, p, 5u, 88u);
}
