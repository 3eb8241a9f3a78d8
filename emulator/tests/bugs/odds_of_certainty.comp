#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
// The odds of a probability of 1.
//! finds infinity-surfaced
//! bind 0.0 f32: 0.1 0.2 0.3 0.4 0.5 0.6 0.7 1.0
//! bind 0.1 zeros 8
//! dispatch 1
void main() {
    uint i = gl_GlobalInvocationID.x;
    float p = xs[i];
#ifdef MENDED
    p = min(p, 0.999999);
#endif
    ys[i] = p / (1.0 - p);
}
