//! test OpConvertUToPtr, OpLoad, OpStore
// A promise that pointers do not overlap. Buffer i of the list below has the address (i + 1) << 40.
//! bind 0.0 u64 0x20000000000 0x30000000000
//! bind 0.1 u32 5
//! bind 0.2 u32 7
//! dispatch 1 1 1
//! expect 0.1 u32 12
//! expect 0.2 u32 7
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word { uint w; };
layout(set = 0, binding = 0) buffer L { uint64_t list[]; };
layout(set = 0, binding = 1) buffer A { uint a; };
layout(set = 0, binding = 2) buffer B { uint b; };
void add(restrict Word to, restrict Word from) { to.w += from.w; }
void main() {
    restrict Word x = Word(list[0]);
    restrict Word y = Word(list[1]);
    add(x, y);
    if (list[0] == 0ul) a = b;
}
