//! test OpAtomicIAdd
//! feature layout fragment in: early_fragment_tests
// Spec: Vulkan, "Early Fragment Tests": the depth test fails everywhere, so that no fragment runs.
//! pixels 8 4
//! depth greater 0.5
//! bind 0.0 u32 7
//! expect 0.0 u32 7
#version 460
layout(early_fragment_tests) in;
layout(set = 0, binding = 0) buffer B { uint n; };
void main() { atomicAdd(n, 1u); }
