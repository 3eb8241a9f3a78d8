#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
// A normal matrix of an object with scale 0.
//! finds singular-matrix
//! bind 0.0 f32: 1 2 3 4 5 6 7 0
//! bind 0.1 zeros 8
//! dispatch 1
void main() {
    uint i = gl_GlobalInvocationID.x;
    mat3 m = mat3(xs[i]);
#ifdef MENDED
    ys[i] = xs[i] == 0.0 ? 0.0 : transpose(inverse(m))[0][0];
#else
    ys[i] = transpose(inverse(m))[0][0];
#endif
}
