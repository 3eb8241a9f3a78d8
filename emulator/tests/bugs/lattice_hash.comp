#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
// A hash of a noise cell: cells left of the origin are negative, and are converted from float to uint.
//! finds conversion-out-of-range
//! bind 0.0 f32: -2.5 -1.5 -0.5 0.5 1.5 2.5 3.5 4.5
//! bind 0.1 zeros 8
//! dispatch 1
void main() {
    uint i = gl_GlobalInvocationID.x;
#ifdef MENDED
    uint cell = uint(int(floor(xs[i])));
#else
    uint cell = uint(floor(xs[i]));
#endif
    ys[i] = float((cell * 747796405u) >> 8);
}
