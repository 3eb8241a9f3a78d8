//! test OpLoad, OpStore, OpUDiv
// Indices that are quotients of values that advance from lane to lane: in range, with dividends that wrap, which lead out of
// the buffer and back into it, and in records whose last lane ends with the buffer.
//! bind 0.0 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20
//! bind 0.1 u32 zeros 48
//! bind 0.2 u32 0xfffffff0 8 0x3ffffffc 0
//! bind 0.3 u32 zeros 8
//! bind 0.4 u16 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30
//! dispatch 1 1 1
//! expect 0.1 u32 3 4 5 6 7 8 9 10 4 6 8 10 12 14 16 18 0 0 0 0 1 2 3 4 1 3 0 0 0 0 0 0 401 805 1209 1613 2017 2421 2825 29 1 5 9 13 17 0 0 0
//! expect 0.3 u32 104 105 106 107 0 0 0 0
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer Out { uint d[]; };
layout(set = 0, binding = 2) uniform Block { uvec4 far; };
layout(set = 0, binding = 3) buffer B { uint e[]; };
layout(set = 0, binding = 4) readonly buffer Pairs { u16vec2 pairs[]; };
void main() {
    uint i = gl_LocalInvocationID.x;
    d[i] = a[(far.y + i * 4) / 4];
    d[8 + i] = a[(far.y + i * 8) / 4 + 1];
    d[16 + i] = a[(far.x + i * 4) / 4];
    d[24 + i] = a[(far.x + i * 8) / 4 - far.z];
    uint pair = (far.w + 4 * i) / 2;
    d[32 + i] = uint(pairs[pair].x) + 100 * uint(pairs[pair + 1].y);
    d[40 + i] = a[(far.w + 16 * i) / 4];
    e[(far.x + i * 4) / 4] = 100 + i;
}
