//! test OpAccessChain
// An index of 32 bits of a signed type leads to what is before a device address, by lane and uniform; nothing is before the start
// of a buffer. Buffer i of the list below has the address (i + 1) << 40. Spec: SPIR-V OpAccessChain.
//! bind 0.0 u32 zeros 20
//! bind 0.1 u32 1 2 3 4 5 6 7 8
//! bind 0.2 u64 0x20000000010
//! bind 0.3 u32 0xfffffffc 0xffffffff 0xfffffffb 3
//! dispatch 1 1 1
//! expect 0.0 u32 2 3 4 5 1 2 3 4 4 4 4 4 0 0 0 0 8 8 8 8
//! expect 0.1 u32 101 102 103 104 5 6 7 8
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 4) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint w[]; };
layout(set = 0, binding = 0) buffer Out { uint d[]; };
layout(set = 0, binding = 2) buffer L { uint64_t list[]; };
layout(set = 0, binding = 3) uniform U { ivec4 k; };
void main() {
    int i = int(gl_LocalInvocationIndex);
    Words words = Words(list[0]);
    d[i] = words.w[i - 3];
    d[4 + i] = words.w[k.x + i];
    d[8 + i] = words.w[k.y];
    d[12 + i] = words.w[k.z];
    d[16 + i] = words.w[k.w];
    memoryBarrierBuffer();
    barrier();
    words.w[i - 4] = 101 + i;
}
