#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
shared float sums[64];
// Invocations past the end of the data return before the barriers of a sum.
//! finds barrier-divergent
//! bind 0.0 f32: 1 2 3 4 5 6 7 8
//! bind 0.1 zeros 64
//! dispatch 1
void main() {
    uint i = gl_LocalInvocationIndex;
#ifdef MENDED
    sums[i] = i < uint(xs.length()) ? xs[i] : 0.0;
#else
    sums[i] = 0.0;
    if (i >= uint(xs.length())) return;
    sums[i] = xs[i];
#endif
    barrier();
    if (i == 0) {
        float sum = 0.0;
        for (uint k = 0; k < 64; k++) sum += sums[k];
        ys[0] = sum;
    }
}
