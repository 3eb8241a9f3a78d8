//! test OpAtomicCompareExchange
// Only the invocation whose turn it is succeeds: 0 -> 1 -> 2 -> ...
//! bind 0.0 u32 0 5
//! bind 0.1 u32 zeros 16
//! dispatch 1 1 1
//! expect 0.0 u32 16 17
//! expect 0.1 u32 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer B { uint b; uint c; };
layout(set = 0, binding = 1) buffer Old { uint old[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    old[i] = atomicCompSwap(b, i, i + 1);
    atomicCompSwap(c, i, i + 4);                 // 5 -> 9 -> 13 -> 17
}
