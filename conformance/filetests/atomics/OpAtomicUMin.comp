//! test OpAtomicUMin
// On a buffer and on workgroup memory, without and with the old value.
//! bind 0.0 u32 1000 0
//! bind 0.1 u32 zeros 32
//! dispatch 1 1 1
//! expect 0.0 u32 9 9
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer B { uint b, result; };
layout(set = 0, binding = 1) buffer Old { uint old[]; };
shared uint s;
void main() {
    uint i = gl_LocalInvocationIndex;
    if (i == 0) s = 1000;
    barrier();
    atomicMin(b, 40u - i);
    old[i] = atomicMin(s, 40u - i);
    barrier();
    if (i == 0) result = s;
}
