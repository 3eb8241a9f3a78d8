#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
// A blur whose radius shrinks to 0: the weight of the center is exp(0 / 0).
//! finds nan-surfaced
//! bind 0.0 f32: 0 1 2 3 4 5 6 7
//! bind 0.1 zeros 8
//! dispatch 1
void main() {
    uint i = gl_GlobalInvocationID.x;
    float sigma = xs[i], sum = 0.0;
#ifdef MENDED
    sigma = max(sigma, 1e-3);
#endif
    for (int x = -2; x <= 2; x++) sum += exp(-float(x * x) / (2.0 * sigma * sigma));
    ys[i] = sum;
}
