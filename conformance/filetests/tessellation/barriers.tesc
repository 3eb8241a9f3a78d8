//! test OpControlBarrier
//! patches 2 1
//! input 0.0 u32 1 1000
//! expect out 0.0 u32 496*32 31496*32
//! expect patch 1.0 u32 496 31496
#version 450
// 32 invocations are more than one group; what each step adds up the one before has left.
layout(vertices = 32) out;
layout(location = 0) in uint start[];
layout(location = 0) out uint sum[];
layout(location = 1) patch out uint total;
void main() {
    sum[gl_InvocationID] = gl_InvocationID;
    if (gl_InvocationID == 31) total = 0u;
    uint add = start[0] == 1u ? 0u : 31000u;
    uint other;
#define STEP(n) barrier(); other = sum[gl_InvocationID ^ n]; barrier(); sum[gl_InvocationID] += other;
    STEP(1)
    STEP(2)
    STEP(4)
    STEP(8)
    STEP(16)
    barrier();
    sum[gl_InvocationID] += add;
    barrier();
    if (gl_InvocationID == 7) total = sum[31];
}
