#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
// The limits of a clamp come from a range that may be reversed.
//! finds clamp-order
//! bind 0.0 f32: 0 1 2 3 4 5 6 7
//! bind 0.1 zeros 8
//! dispatch 1
void main() {
    uint i = gl_GlobalInvocationID.x;
    float a = 3.5, b = xs[i];
#ifdef MENDED
    ys[i] = clamp(3.0, min(a, b), max(a, b));
#else
    ys[i] = clamp(3.0, a, b);
#endif
}
