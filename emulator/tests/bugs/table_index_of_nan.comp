#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
// A table index computed from a quotient that is 0 / 0 for the first entry.
//! finds conversion-out-of-range
//! bind 0.0 f32: 0 1 2 3 4 5 6 7
//! bind 0.1 zeros 8
//! dispatch 1
void main() {
    uint i = gl_GlobalInvocationID.x;
    float x = xs[i];
#ifdef MENDED
    float q = x == 0.0 ? 0.0 : x / (x + x);
#else
    float q = x / (x + x);
#endif
    ys[i] = xs[int(q * 7.0)];
}
