#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
shared float tile[10];
// A tile is loaded for a filter, but its border is not.
//! finds uninitialized-workgroup
//! bind 0.0 f32: 1 2 3 4 5 6 7 8
//! bind 0.1 zeros 8
//! dispatch 1
void main() {
    uint i = gl_LocalInvocationIndex;
    tile[i + 1] = xs[i];
#ifdef MENDED
    if (i == 0) {
        tile[0] = xs[0];
        tile[9] = xs[7];
    }
#endif
    barrier();
    ys[i] = tile[i] + tile[i + 1] + tile[i + 2];
}
