//! test OpConvertUToPtr, OpConvertPtrToU
//! feature extension: GL_EXT_buffer_reference(2)
// Device addresses: uniform and by lane, null, unknown and past the end; loads, stores, atomics, arithmetic.
// Buffer i of the list below has the address (i + 1) << 40.
//! bind 0.0 u32 zeros 64
//! bind 0.1 u32 1 2 3 4 5 6 7 8
//! bind 0.2 u32 11 12 13 14 15 16 17 18
//! bind 0.3 u64 0x20000000000
//! bind 0.4 u64 0x20000000000 0x30000000000 0x20000000010 0x3000000000c 0 0x90000000000 0x2000000001c 0x30000000020
//! dispatch 1 1 1
//! expect 0.0 u32 1 2 3 4 5 6 7 8 1 6 3 8 5 2 7 4 2 12 6 15 0 0 0 0 1 11 5 14 0 0 8 0
//! expect 0.0 +128 u32 8 0*7 0x200 0x300 0x200 0x300 0 0x900 0x200 0x300 1 12 3 14 5 16 7 18 1 2 3 4 5 6 7 8
//! expect 0.1 u32 1001 2 100 4 1005 6 102 1008
//! expect 0.2 u32 1011 12 101 1014 15 103 17 18
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 8) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint w[]; };
layout(set = 0, binding = 0) buffer Out { uint d[]; };
layout(set = 0, binding = 3) uniform U { Words words; };
layout(set = 0, binding = 4) buffer L { uint64_t list[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    Words mine = Words(list[i]);
    d[i] = words.w[i];
    d[8 + i] = words.w[(i * 5) % 8];
    d[16 + i] = mine.w[1];
    d[32 + i] = words.w[i + 7];
    d[40 + i] = uint(uint64_t(mine) >> 32);
    Words sel = (i & 1) == 0 ? words : Words(list[1]);
    d[48 + i] = sel.w[i];
    d[56 + i] = Words(list[0] + 4ul * i).w[0];
    barrier();
    mine.w[2] = 100 + i;
    barrier();
    d[24 + i] = atomicAdd(mine.w[0], 1000);
}
