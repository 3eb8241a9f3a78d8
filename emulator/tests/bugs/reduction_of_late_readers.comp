#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
shared float sums[64];
// The rounds of a reduction without barriers in between, as if a workgroup were a single subgroup.
//! finds race-workgroup
//! bind 0.0 zeros 64
//! bind 0.1 zeros 1
//! dispatch 1
void main() {
    uint i = gl_LocalInvocationIndex;
    sums[i] = xs[i] + float(i);
    barrier();
    for (uint n = 32; n > 0; n /= 2) {
        if (i < n) sums[i] += sums[i + n];
#ifdef MENDED
        barrier();
#endif
    }
    if (i == 0) ys[0] = sums[0];
}
