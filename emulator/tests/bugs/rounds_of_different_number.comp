#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
shared float tile[64];
// Tiles are loaded in a loop whose number of iterations depends on the invocation.
//! finds barrier-divergent
//! bind 0.0 f32: 1 2 3 4 5 6 7 8
//! bind 0.1 zeros 64
//! dispatch 1
void main() {
    uint i = gl_LocalInvocationIndex;
    float sum = 0.0;
#ifdef MENDED
    uint rounds = 3;
#else
    uint rounds = 2 + i / 32;
#endif
    for (uint round = 0; round < rounds; round++) {
        tile[i] = xs[(i + round) % 8];
        barrier();
        sum += tile[63 - i];
        barrier();
    }
    ys[i] = sum;
}
