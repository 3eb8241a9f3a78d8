#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
// The mean with both neighbours; the first and the last element have only one.
//! finds buffer-out-of-bounds
//! bind 0.0 f32: 1 2 3 4 5 6 7 8
//! bind 0.1 zeros 8
//! dispatch 1
void main() {
    uint i = gl_GlobalInvocationID.x;
    uint before = i - 1, behind = i + 1;
#ifdef MENDED
    before = i == 0 ? 0 : i - 1;
    behind = min(i + 1, uint(xs.length()) - 1);
#endif
    ys[i] = (xs[before] + xs[i] + xs[behind]) / 3.0;
}
