//! test OpAtomicIAdd, OpImageRead, OpImageWrite, OpAtomicUMax, OpAtomicCompareExchange
// 64-bit texels; in ascending order. Out of range: nothing.
//! image 0.1 R64_UINT 4 1 u32 1 1 2 0 3 0 4 0
//! bind 0.0 u32 zeros 8
//! dispatch 1 1 1
//! expect 0.0 u32 1 1 4294967295 1 4294967293 2 4294967291 3
//! expect image 0.1 u32 4294967289 4 7 4294967295 3 0 77 5
#version 450
#extension GL_EXT_shader_image_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 4) in;
layout(set = 0, binding = 0) buffer Out { uint64_t d[]; };
layout(set = 0, binding = 1, r64ui) coherent uniform u64image2D t;

void main() {
    uint i = gl_GlobalInvocationID.x;
    d[i] = imageAtomicAdd(t, ivec2(0, 0), 0xfffffffeul);
    imageAtomicMax(t, ivec2(1, 0), 0xffffffff00000007ul - uint64_t(i));
    imageAtomicCompSwap(t, ivec2(3, 0), 4ul, 76ul + 0x500000000ul);
    imageAtomicAdd(t, ivec2(9, 9), 1ul);
    memoryBarrierImage();
    barrier();
    if (i == 3) imageStore(t, ivec2(3, 0), u64vec4(imageLoad(t, ivec2(3, 0)).x + imageLoad(t, ivec2(3, 0)).w));
}
