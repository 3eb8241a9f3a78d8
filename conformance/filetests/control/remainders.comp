//! test OpUMod, OpUDiv, OpLoopMerge
// A number of groups from a remainder of a remainder of a remainder of a remainder of the invocation's index: loops that begin
// at it, and results of selections by it.
//! bind 0.0 u32 zeros 1024
//! bind 0.1 u32 9
//! dispatch 1 1 1
//! expect 0.0 u32 6 6 6 6 6 6 6 6
//! expect 0.0 +124 u32 6 4 4
//! expect 0.0 +252 u32 4 6 6
//! expect 0.0 +4092 u32 4
#version 450
layout(local_size_x = 1024) in;
layout(std430, binding = 0) buffer Out { uint d[]; };
layout(std430, binding = 1) buffer In { uint n; };
void main() {
    uint i = gl_LocalInvocationIndex;
    uint g = (((i % 512u) % 256u) % 128u) % 64u / 32u;
    uint masked = (((i & 511u) & 255u) & 127u) & 63u;
    uint sum = 0u;
    for (uint k = g; k < n; k += 2u) {
        sum += k % 3u;
    }
    if (masked / 32u == 0u) {
        sum += 1u;
    }
    d[i] = sum;
}
