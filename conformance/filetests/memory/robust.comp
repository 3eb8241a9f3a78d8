//! test OpLoad, OpStore
// Reads out of range give zero, writes are dropped; push constants and uniform blocks likewise.
//! bind 0.0 u32 1 2 3 4
//! bind 0.1 u32 zeros 16
//! bind 0.2 u32 10 20 30 40
//! dispatch 1 1 1
//! expect 0.1 u32 11 22 33 44 0*12
//! expect 0.0 u32 50 51 52 53
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer Out { uint d[]; };
layout(set = 0, binding = 2) uniform Block { uvec4 block[4]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    uint far = i * 0x10000000u + i;
    d[i] = a[i] + block[i / 4][i % 4] + (i > 3 ? a[far] : 0u);
    barrier();
    a[i] = 50 + i;
    if (i > 3) a[far] = 99;
}
