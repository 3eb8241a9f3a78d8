//! test OpLoad, OpStore
// Consecutive scalars of 8 and 16 bits for each lane, in order, scattered, from odd scalars on, and across the end of a
// buffer whose size is not a multiple of four bytes: scalars out of range read zero, and stores to them are dropped.
// Copies of half floats keep all bits.
//! bind 0.0 u16 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17
//! bind 0.1 u32 zeros 64
//! bind 0.2 u8 7 11 13 17 19 23 29 31 37 41 43 47 53 59 61 67 71 73 79 83 89 97 101 103 107 109 113 127 131 137
//! bind 0.3 u16 zeros 17
//! bind 0.4 u16 zeros 17
//! bind 0.5 u16 zeros 15
//! bind 0.6 u16 0x0000 0x7bff 0x3555 0x3c00 0xfe01 0x83ff 0xfc00 0x8000 0xfbff 0x1234 0xbc00 0x7e00 0x0400 0x7c01 0x0001 0x7c00 0x0000 0x7bff 0x3555 0x3c00 0xfe01 0x83ff 0xfc00 0x8000 0xfbff 0x1234 0xbc00 0x7e00 0x0400 0x7c01 0x0001 0x7c00
//! bind 0.7 u16 zeros 32
//! bind 0.8 u16 0x0001 0x83ff 0x0400 0x3c00 0xbc00 0x7bff 0x7c00 0xfc00 0x0001 0x83ff 0x0400 0x3c00 0xbc00 0x7bff 0x7c00 0xfc00 0x0001 0x83ff 0x0400 0x3c00 0xbc00 0x7bff 0x7c00 0xfc00 0x0001 0x83ff 0x0400 0x3c00 0xbc00 0x7bff 0x7c00 0xfc00
//! bind 0.9 u32 zeros 32
//! dispatch 1 1 1
//! expect 0.1 u32 4321 8765 13209 17653 17 0 0 0 4321 0 13209 0 17 8765 0 17653 1009 0 1413 0 17 1211 0 1615 13 14 15 16 17 0 0 0 4 14 8 0 12 6 16 10 5432 0 16542 0 0 10987 0 17 224 450 704 1004 1266 1606 1888 542 224 1606 704 542 1266 450 1888 1004
//! expect 0.3 u16 0 1 2 3 100 101 102 103 0 0 0 0 300 301 302 303 400
//! expect 0.4 u16 0 0 0 0 0 1 50 51 100 101 0 0 200 201 250 251 300
//! expect 0.5 u16 0 0 0 0 0 0 0 0 1 2 3 4 5 6 7
//! expect 0.7 u16 0x0000 0x7bff 0x3555 0x3c00 0xfe01 0x83ff 0xfc00 0x8000 0xfbff 0x1234 0xbc00 0x7e00 0x0400 0x7c01 0x0001 0x7c00 0x0000 0x7bff 0x3555 0x3c00 0xfe01 0x83ff 0xfc00 0x8000 0xfbff 0x1234 0xbc00 0x7e00 0x0400 0x7c01 0x0001 0x7c00
//! expect 0.9 u32 0x33800000 0xb87fc000 0x38800000 0x3f800000 0xbf800000 0x477fe000 0x7f800000 0xff800000 0x33800000 0xb87fc000 0x38800000 0x3f800000 0xbf800000 0x477fe000 0x7f800000 0xff800000 0x33800000 0xb87fc000 0x38800000 0x3f800000 0xbf800000 0x477fe000 0x7f800000 0xff800000 0x33800000 0xb87fc000 0x38800000 0x3f800000 0xbf800000 0x477fe000 0x7f800000 0xff800000
#version 450
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 8) in;
struct Odd { uint16_t first; u16vec4 rest; };
layout(scalar, binding = 0) readonly buffer Fours { u16vec4 fours[]; };
layout(scalar, binding = 0) readonly buffer Pairs { u16vec2 pairs[]; };
layout(scalar, binding = 0) readonly buffer Ones { uint16_t ones[]; };
layout(scalar, binding = 0) readonly buffer Odds { Odd odds[]; };
layout(scalar, binding = 1) buffer Out { uint d[]; };
layout(scalar, binding = 2) readonly buffer Bytes { u8vec4 bytes[]; };
layout(scalar, binding = 3) buffer OutFours { u16vec4 out_fours[]; };
layout(scalar, binding = 4) buffer OutPairs { u16vec2 out_pairs[]; };
layout(scalar, binding = 5) buffer OutOnes { uint16_t out_ones[]; };
layout(scalar, binding = 6) readonly buffer Halves { f16vec4 halves[]; };
layout(scalar, binding = 7) buffer OutHalves { f16vec4 out_halves[]; };
layout(scalar, binding = 8) readonly buffer Floats { f16vec4 floats[]; };
layout(scalar, binding = 9) buffer OutBits { uvec4 out_bits[]; };
uint digits(u16vec4 v) { return uint(v.x) + 10 * uint(v.y) + 100 * uint(v.z) + 1000 * uint(v.w); }
uint weighed(u8vec4 v) { return uint(v.x) + 3 * uint(v.y) + 5 * uint(v.z) + 7 * uint(v.w); }
void main() {
    uint i = gl_LocalInvocationIndex, j = (i * 5) % 8;
    d[i] = digits(fours[i]);
    d[8 + i] = digits(fours[j]);
    u16vec2 pair = pairs[j + 4];
    d[16 + i] = uint(pair.x) + 100 * uint(pair.y);
    d[24 + i] = uint(ones[i + 12]);
    d[32 + i] = uint(ones[2 * j + 3]);
    d[40 + i] = digits(odds[j].rest);
    d[48 + i] = weighed(bytes[i]);
    d[56 + i] = weighed(bytes[j]);
    if (i != 2) out_fours[j] = u16vec4(100 * j) + u16vec4(0, 1, 2, 3);
    if (i != 3) out_pairs[i + 2] = u16vec2(50 * i) + u16vec2(0, 1);
    out_ones[8 + i] = uint16_t(i + 1);
    out_halves[j] = halves[j];
    out_bits[j] = floatBitsToUint(vec4(floats[j]));
}
