//! test OpControlBarrier, OpMemoryBarrier
// A barrier in a uniform loop.
//! bind 0.0 u32 zeros 96
//! dispatch 3 1 1
//! expect 0.0 u32 528*32 1552*32 2576*32
#version 450
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };


shared uint a[32];
void main() {
    uint i = gl_LocalInvocationIndex;
    a[i] = gl_GlobalInvocationID.x + 1;
    for (uint n = 16; n > 0; n >>= 1) {
        memoryBarrierShared();
        barrier();
        if (i < n) a[i] += a[i + n];
    }
    barrier();
    d[gl_GlobalInvocationID.x] = a[0];
}
