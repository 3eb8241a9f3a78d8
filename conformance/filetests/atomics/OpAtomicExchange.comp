//! test OpAtomicExchange
// In ascending order: each gets what the one before it put.
//! bind 0.0 u32 77
//! bind 0.1 u32 zeros 16
//! dispatch 2 1 1
//! expect 0.0 u32 115
//! expect 0.1 u32 77 100 101 102 103 104 105 106 107 108 109 110 111 112 113 114
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer B { uint b; };
layout(set = 0, binding = 1) buffer Old { uint old[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    old[i] = atomicExchange(b, 100 + i);
}
