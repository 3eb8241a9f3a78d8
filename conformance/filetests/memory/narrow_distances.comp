//! test OpUMod, OpLoad
// Sixteen bytes of narrow scalars for each invocation, at distances from the first that the index tells: four places that the
// invocations read in turn.
//! bind 0.0 u16 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
//! bind 0.1 u16 0x3c00 0x4000 0x4200 0x4400 0x4500 0x4600 0x4700 0x4800 0x4880 0x4900 0x4980 0x4a00 0x4a80 0x4b00 0x4b80 0x4c00 0x4c40 0x4c80 0x4cc0 0x4d00 0x4d40 0x4d80 0x4dc0 0x4e00 0x4e40 0x4e80 0x4ec0 0x4f00 0x4f40 0x4f80 0x4fc0 0x5000
//! bind 0.2 u8 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64
//! bind 0.3 u32 zeros 48
//! dispatch 1 1 1
//! expect 0.3 u32 204 492 780 1068 204 492 780 1068 204 492 780 1068 204 492 780 1068 204 492 780 1068 204 492 780 1068 204 492 780 1068 204 492 780 1068 1496 3672 5848 8024 1496 3672 5848 8024 1496 3672 5848 8024 1496 3672 5848 8024
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 16) in;
layout(std430, binding = 0) readonly buffer Shorts { uint16_t shorts[]; };
layout(std430, binding = 1) readonly buffer Halves { float16_t halves[]; };
layout(std430, binding = 2) readonly buffer Bytes { uint8_t bytes[]; };
layout(std430, binding = 3) buffer Out { uint d[]; };
void main() {
    uint i = gl_LocalInvocationIndex, at = i % 4 * 8;
    d[i] = uint(shorts[at]) + 2 * uint(shorts[at + 1]) + 3 * uint(shorts[at + 2]) + 4 * uint(shorts[at + 3])
        + 5 * uint(shorts[at + 4]) + 6 * uint(shorts[at + 5]) + 7 * uint(shorts[at + 6]) + 8 * uint(shorts[at + 7]);
    d[16 + i] = uint(float(halves[at]) + 2 * float(halves[at + 1]) + 3 * float(halves[at + 2])
        + 4 * float(halves[at + 3]) + 5 * float(halves[at + 4]) + 6 * float(halves[at + 5])
        + 7 * float(halves[at + 6]) + 8 * float(halves[at + 7]));
    uint first = i % 4 * 16;
    d[32 + i] = uint(bytes[first]) + 2 * uint(bytes[first + 1]) + 3 * uint(bytes[first + 2])
        + 4 * uint(bytes[first + 3]) + 5 * uint(bytes[first + 4]) + 6 * uint(bytes[first + 5])
        + 7 * uint(bytes[first + 6]) + 8 * uint(bytes[first + 7]) + 9 * uint(bytes[first + 8])
        + 10 * uint(bytes[first + 9]) + 11 * uint(bytes[first + 10]) + 12 * uint(bytes[first + 11])
        + 13 * uint(bytes[first + 12]) + 14 * uint(bytes[first + 13]) + 15 * uint(bytes[first + 14])
        + 16 * uint(bytes[first + 15]);
}
