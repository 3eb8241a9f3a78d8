//! test OpAtomicFAddEXT, OpAtomicExchange
// In ascending order. Out of range: nothing.
//! image 0.1 R32_SFLOAT 4 2 f32 1 2 3 4 5 6 7 8
//! bind 0.0 f32 zeros 8
//! dispatch 1 1 1
//! expect 0.0 f32 1 1.5 2.5 4 6 8.5 11.5 15
//! expect image 0.1 f32 19 2 3 4 5 6 7 7
#version 450
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1, r32f) uniform image2D t;

void main() {
    uint i = gl_GlobalInvocationID.x;
    d[i] = imageAtomicAdd(t, ivec2(0, 0), 0.5 * float(i + 1u));
    imageAtomicExchange(t, ivec2(3, 1), float(i));
    imageAtomicAdd(t, ivec2(9, 9), 1.0);
}
