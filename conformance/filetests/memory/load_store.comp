//! test OpLoad, OpStore, OpVariable, OpAccessChain, OpConstantComposite
// Structures, a matrix and a vector in std430, indexed dynamically.
//! bind 0.0 u32 zeros 16
//! bind 0.1 u32 5 1 0x41200000 2 0x41a00000 3 0x41f00000 4 0x42200000 0 0x3f800000 0x40000000 0x40400000 0x40800000 0 0 0x40c00000 0x40e00000 0x41000000 0
//! expect 0.1 +12 u32 2 _ 77
//! dispatch 1 1 1
//! expect 0.0 u32 6246 7437 8228 6419 7246 8437 6228 7419 8246 6437 7228 8419 6246 7437 8228 6419
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };


struct Pair { uint a; float b; };
layout(set = 0, binding = 1) buffer In { uint head; Pair pairs[4]; mat2 m; vec3 v; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    uint r = head + pairs[i % 4].a + uint(pairs[3 - i % 4].b);
    r += uint(m[i % 2][1]) * 100 + uint(v[i % 3]) * 1000;
    d[i] = r;
    barrier();
    if (i == 0) pairs[2].a = 77;
}
