//! test OpArrayLength
//! newer
// Lengths of 64 and of 32 bits with 64-bit indexing: nine words, two of the head, three whole vec2 and half of one; less than the
// head.
//! bind 0.0 u64 zeros 5
//! bind 0.1 u32 zeros 9
//! bind 0.2 u32 zeros 1
//! dispatch 1 1 1
//! expect 0.0 u64 3 0x100000003 5 0 3
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_64bit_indexing : require
#pragma shader_64bit_indexing
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint64_t d[]; };
layout(set = 0, binding = 1) buffer In { uint head[2]; vec2 tail[]; };
layout(set = 0, binding = 2) buffer Short { uint first[2]; uint rest[]; };
void main() {
    d[0] = uint64_t(tail.length64());
    d[1] = uint64_t(tail.length64()) + 0x100000000ul;
    d[2] = uint64_t(d.length64());
    d[3] = uint64_t(rest.length64());
    d[4] = tail.length();
}
