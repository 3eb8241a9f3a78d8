#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
// The average of logarithms of luminances, with a black pixel among them.
//! finds log-domain
//! bind 0.0 f32: 1 2 0 4 5 6 7 8
//! bind 0.1 zeros 8
//! dispatch 1
void main() {
    uint i = gl_GlobalInvocationID.x;
    float sum = 0.0;
    for (uint k = 0; k < 8; k++) {
#ifdef MENDED
        sum += log(max(xs[k], 1e-4));
#else
        sum += log(xs[k]);
#endif
    }
    ys[i] = sum / 8.0;
}
