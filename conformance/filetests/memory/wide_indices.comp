//! test OpLoad, OpStore, OpAccessChain
//! newer
// 64-bit indexing: indices of 64 and 32 bits, whose byte offsets lie in the buffer, pass 2^32, pass 2^64 or are negative;
// uniform, from lane to lane, and scattered; in records and rows. Out of range, reads give zero, and stores and atomics
// do nothing.
//! bind 0.0 u32 1 2 3 4 5 6 7 8
//! bind 0.1 u32 zeros 128
//! bind 0.2 u64 0x40000000 3 0x4000000000000000 0x4000000000000001 0xffffffffffffffff 0x100000001 0x8000000000000000 0x20000000
//! bind 0.3 u64 0 7 0x4000000000000002 0xfffffffffffffffe 5 0x40000004 0x100000000 2
//! dispatch 1 1 1
//! expect 0.0 u32 1 2 103 4 5 106 7 8
//! expect 0.1 u32 0*8 4*8 4 5 6 7 8 0*3 0*8
//! expect 0.1 +128 u32 1 8 0 0 6 0 0 3
//! expect 0.1 +160 u32 2 4 6 8 0*4 0 1 2 3 4 5 6 7 0*8 2 0 0 0 0 0 0 6
//! expect 0.1 +288 u32 0 0 0 0 0 0 0 0 8 8 8 8 8 8 8 8 0*8 3 0*7
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_64bit_indexing : require
#pragma shader_64bit_indexing
layout(local_size_x = 8) in;
struct R { uint x, y; };
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 0) buffer B { R b[]; };
layout(set = 0, binding = 0) buffer C { uint c[][2]; };
layout(set = 0, binding = 1) buffer Out { uint d[]; };
layout(set = 0, binding = 2) uniform Block { u64vec2 far[4]; };
layout(set = 0, binding = 3) buffer List { uint64_t list[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    uint64_t own = list[i];
    // 2^30, 3, 3 + i, 2^62 and 2^62 + 1 + i, whose product with 4 passes 2^64.
    d[i] = a[far[0].x];
    d[8 + i] = a[far[0].y];
    d[16 + i] = a[far[0].y + i];
    d[24 + i] = a[far[1].x] + a[far[1].y + i];
    d[32 + i] = a[own];
    d[40 + i] = b[i].y;
    // Negative: -1 + i, and the same in 32 bits.
    d[48 + i] = a[int64_t(far[2].x) + i];
    d[56 + i] = a[far[3].x + i] + b[far[2].y + i].y;
    // Rows of two: the second index is of 32 bits.
    d[64 + i] = c[own][1];
    d[72 + i] = c[far[3].y + i][1];
    d[80 + i] = c[i - i + 3][1];
    d[88 + i] = a[-int(i) - 1];
    d[96 + i] = i == 0 ? uint(a[i + 2]) : a[0x80000000u + i];
    memoryBarrierBuffer();
    barrier();
    a[far[0].x + i] = 9;
    a[far[1].x + i] = 9;
    a[far[3].y + i] = 9;
    a[int64_t(far[2].x) - i] = 9;
    atomicAdd(a[far[1].x + i], 9);
    atomicAdd(a[far[2].y + 1], 9);
    if (own == 5ul) atomicAdd(a[own], 100);
    if (own == 2ul) a[own] += 100;
}
