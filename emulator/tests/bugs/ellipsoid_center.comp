#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
// The distance bound of an ellipsoid, k0 * (k0 - 1) / k1, at its center, where both lengths are 0.
//! finds nan-surfaced
//! bind 0.0 f32: 0 1 2 3 4 5 6 7
//! bind 0.1 zeros 8
//! dispatch 1
void main() {
    uint i = gl_GlobalInvocationID.x;
    vec3 p = vec3(xs[i], 0.0, 0.0), r = vec3(1.0, 2.0, 3.0);
    float k0 = length(p / r), k1 = length(p / (r * r));
#ifdef MENDED
    k1 = max(k1, 1e-6);
#endif
    ys[i] = k0 * (k0 - 1.0) / k1;
}
