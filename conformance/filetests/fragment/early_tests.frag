//! test OpExecutionMode
//! pixels 8 4
//! bind 0.0 u32 0
//! expect 0.0 u32 32
#version 460
layout(early_fragment_tests) in;
layout(set = 0, binding = 0) buffer B { uint n; };
void main() { atomicAdd(n, 1u); }
