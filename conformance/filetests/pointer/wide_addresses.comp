//! test OpAccessChain, OpConvertUToPtr
//! newer
// 64-bit indexing at device addresses: an index of 32 bits whose product with the size of a record passes 2^32, and one of 64
// bits, which lead from one buffer to the next; both sizes negative. Buffer i of the list below has the address (i + 1) << 40.
//! bind 0.0 u32 zeros 40
//! bind 0.1 u32 1 2 3 4 5 6 7 8
//! bind 0.2 u32 11 12 13 14 15 16 17 18
//! bind 0.3 u64 0x20000000000 0x30000000000 0x20000000010 0x1ff00000000
//! bind 0.4 u32 0x10000000 1 0xf0000000 2
//! dispatch 1 1 1
//! expect 0.0 u32 11 13 15 17 11 12 13 14 1 2 3 4 1 3 5 7 0 0 0 0 11 16 13 18 15 12 17 14 0*8 1 3 5 7
//! expect 0.2 u32 111 12 13 114 15 16 17 18
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_64bit_indexing : require
#pragma shader_64bit_indexing
layout(local_size_x = 4) in;
struct Page { uint w[2]; uint rest[1022]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint w[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Pages { Page page[]; };
layout(set = 0, binding = 0) buffer Out { uint d[]; };
layout(set = 0, binding = 3) buffer L { uint64_t list[]; };
layout(set = 0, binding = 4) uniform U { uvec4 far; };
void main() {
    uint i = gl_LocalInvocationIndex;
    Pages pages = Pages(list[0]);
    Words words = Words(list[0]);
    // 2^28 pages of 2^12 bytes lie between two addresses.
    d[i] = Pages(list[0] + 8 * i).page[far.x].w[0];
    d[4 + i] = words.w[(1ul << 38) + i];
    d[8 + i] = Words(list[1]).w[int64_t(i) - (1l << 38)];
    d[12 + i] = Pages(list[1] + 8 * i).page[int(far.z)].w[0];
    // Between the buffers.
    d[16 + i] = pages.page[far.x - 1 - i].w[1];
    d[20 + i] = Words(list[0] + 4 * i).w[(1ul << 38) + (i & 1) * 4];
    d[24 + i] = Words(list[0] + 4 * i).w[(1ul << 38) + (1 - (i & 1)) * 4];
    d[28 + i] = words.w[(1ul << 37) + i];
    d[36 + i] = Words(list[3]).w[(1ul << 30) + 2 * i];
    memoryBarrierBuffer();
    barrier();
    if (i == 0) atomicAdd(words.w[1ul << 38], 100);
    if (i == 3) Pages(list[0] + 12).page[far.x].w[0] += 100;
}
