#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0, std430) buffer Data { float xs[]; };
shared float sums[16];
// Each round of a prefix sum reads values that its neighbours overwrite.
//! finds race-workgroup
//! bind 0.0 f32: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! dispatch 1
void main() {
    uint i = gl_LocalInvocationIndex;
    sums[i] = xs[i];
    barrier();
    for (uint d = 1; d < 16; d *= 2) {
        float before = i >= d ? sums[i - d] : 0.0;
#ifdef MENDED
        barrier();
#endif
        sums[i] += before;
        barrier();
    }
    xs[i] = sums[i];
}
