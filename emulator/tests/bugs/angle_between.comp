#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
// The angle between two unit vectors: rounding makes their dot product slightly larger than 1.
//! finds asin-domain
//! bind 0.0 f32: 0.3 0.7 0.1 0.9 0.2 0.55 0.61 1.7
//! bind 0.1 zeros 8
//! dispatch 1
void main() {
    uint i = gl_GlobalInvocationID.x;
    vec3 a = normalize(vec3(xs[i], 1.0, xs[(i + 1) % 8])) * 1.0000001;
    float d = dot(a, a);
#ifdef MENDED
    d = clamp(d, -1.0, 1.0);
#endif
    ys[i] = acos(d);
}
