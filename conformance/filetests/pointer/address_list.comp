//! test OpTypeForwardPointer
// A linked list: pointers in structures in buffers, to structures that hold such pointers; a row-major
// matrix, 8- and 16-bit members, copies of whole structures.
//! bind 0.0 u32 zeros 24
//! bind 0.1 u64 5 0x20000000010 7 0x20000000020 9 0
//! bind 0.2 f32 1 2 3 4 5 6
//! push u64 0x30000000000
//! dispatch 1 1 1
//! expect 0.0 u32 21 16 9 21 16 9 21 16 22 64 22 64 22 64 22 64 21*8
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 8) in;
layout(buffer_reference) buffer Node;
layout(buffer_reference, std430, buffer_reference_align = 8) buffer Node { uint value; Node next; };
layout(buffer_reference, std430, row_major, buffer_reference_align = 16) buffer Matrix { mat2x3 m; };
layout(set = 0, binding = 0) buffer Out { uint d[]; };
layout(push_constant) uniform P { Matrix matrix; };
uint total(Node n) {
    uint sum = 0;
    while (uint64_t(n) != 0ul) {
        sum += n.value;
        n = n.next;
    }
    return sum;
}
void main() {
    uint i = gl_LocalInvocationIndex;
    d[i] = total(Node(uvec2((i % 3) * 16, 0x200)));
    // Columns 1 3 5 and 2 4 6; rows are 8 bytes apart.
    vec3 c = matrix.m[i & 1];
    d[8 + i] = uint(c.x * c.y + c.z) + ((i & 1) == 1 ? 50u : 14u);
    d[16 + i] = total(Node(uvec2(0, 0x200)));
}
