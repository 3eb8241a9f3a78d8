//! test OpLoad, OpControlBarrier
//! newer
//! wide
// 64-bit indexing: offsets that advance from lane to lane, computed from values on the other side of a barrier, where several groups
// of lanes take turns.
//! bind 0.0 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40
//! bind 0.1 u32 zeros 64
//! bind 0.2 u64 4 1
//! dispatch 1 1 1
//! expect 0.1 u32 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36
//! expect 0.1 +128 u32 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_64bit_indexing : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer Out { uint d[]; };
layout(set = 0, binding = 2) uniform Block { uint64_t first, one; };
shared uint s[32];
void main() {
    uint64_t at = uint64_t(gl_LocalInvocationIndex) * one + first;
    uint64_t to = uint64_t(gl_LocalInvocationIndex) + 32ul;
    uint64_t from = uint64_t(gl_LocalInvocationIndex) + first;
    s[31 - gl_LocalInvocationIndex] = gl_LocalInvocationIndex + 1;
    barrier();
    uint other = s[uint(from) & 31u];
    d[at - first] = a[from];
    barrier();
    d[to] = a[at - first] + (other == 0 ? 1u : 0u) + 37u;
}
