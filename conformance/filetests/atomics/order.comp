//! test OpAtomicIAdd
// Old values: invocations take effect in ascending order.
//! bind 0.0 u32 10
//! bind 0.1 u32 zeros 16
//! dispatch 1 1 1
//! expect 0.0 u32 146
//! expect 0.1 u32 10 11 13 16 20 25 31 38 46 55 65 76 88 101 115 130
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer B { uint b; };
layout(set = 0, binding = 1) buffer Old { uint old[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    old[i] = atomicAdd(b, i + 1);
}
