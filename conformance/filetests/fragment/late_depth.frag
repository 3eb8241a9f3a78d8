//! test OpAtomicIAdd
// As early_depth.frag, but the test comes after the shader, which writes memory.
//! pixels 8 4
//! depth greater 0.5
//! bind 0.0 u32 7
//! expect 0.0 u32 39
#version 460
layout(set = 0, binding = 0) buffer B { uint n; };
void main() { atomicAdd(n, 1u); }
