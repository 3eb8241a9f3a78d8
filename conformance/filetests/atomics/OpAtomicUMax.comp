//! test OpAtomicUMax
// On a buffer and on workgroup memory, without and with the old value.
//! bind 0.0 u32 0 0
//! bind 0.1 u32 zeros 32
//! dispatch 1 1 1
//! expect 0.0 u32 93 93
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer B { uint b, result; };
layout(set = 0, binding = 1) buffer Old { uint old[]; };
shared uint s;
void main() {
    uint i = gl_LocalInvocationIndex;
    if (i == 0) s = 0;
    barrier();
    atomicMax(b, i * 3);
    old[i] = atomicMax(s, i * 3);
    barrier();
    if (i == 0) result = s;
}
