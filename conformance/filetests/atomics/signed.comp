//! test OpAtomicSMin, OpAtomicSMax
//! bind 0.0 i32 0 0
//! dispatch 1 1 1
//! expect 0.0 i32 -20 11
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer B { int low, high; };
void main() {
    int i = int(gl_LocalInvocationIndex);
    atomicMin(low, i - 20);
    atomicMax(high, i - 20);
}
