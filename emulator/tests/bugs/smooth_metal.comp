#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
// The microfacet term of a surface without roughness, seen edge-on: 0 / 0.
//! finds nan-surfaced
//! bind 0.0 f32: 0 0.1 0.2 0.3 0.4 0.5 0.6 0.7
//! bind 0.1 zeros 8
//! dispatch 1
void main() {
    uint i = gl_GlobalInvocationID.x;
    float n_v = xs[i], a = 0.0;
#ifdef MENDED
    n_v = max(n_v, 1e-4);
#endif
    ys[i] = 2.0 * n_v / (n_v + sqrt(a + (1.0 - a) * n_v * n_v));
}
