#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
// Repetition of space with a period that may be 0.
//! finds remainder-by-zero
//! bind 0.0 f32: 0 1 2 3 4 5 6 7
//! bind 0.1 zeros 8
//! dispatch 1
void main() {
    uint i = gl_GlobalInvocationID.x;
    float period = xs[i];
#ifdef MENDED
    ys[i] = period == 0.0 ? 0.3 : mod(0.3, period);
#else
    ys[i] = mod(0.3, period);
#endif
}
