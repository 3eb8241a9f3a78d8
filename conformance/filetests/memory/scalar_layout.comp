//! test OpAccessChain, OpLoad
// Scalar block layout in storage and uniform buffers, std430 in a uniform buffer, relaxed vec3 after a float.
//! bind 0.0 u32 zeros 40
//! bind 0.1 f32 1 2 3 4 5 6 7 8 9 10
//! bind 0.2 u16 1 2 3 4 5 6 7 8 9 10 11 12 13 14
//! bind 0.3 f32 1 2 3 4 5 6 7 8 9 10 11 12
//! dispatch 1 1 1
//! expect 0.0 u32 1 2 3 4 5 6 7 8 2 3 4 5 6 7 8 9 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 0*8
#version 450
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };
layout(scalar, set = 0, binding = 1) buffer Vectors { vec3 v[3]; };
layout(scalar, set = 0, binding = 2) uniform Narrow { u16vec3 n[4]; };
layout(std430, set = 0, binding = 3) uniform Floats { float f[12]; };
layout(scalar, set = 0, binding = 3) buffer Mixed { float first; vec3 rest[3]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    d[i] = uint(v[i / 3][i % 3]);
    d[8 + i] = uint(n[(i + 1) / 3][(i + 1) % 3]);
    d[16 + i] = uint(rest[i / 3][i % 3]);
    d[24 + i] = uint(f[i]);
}
