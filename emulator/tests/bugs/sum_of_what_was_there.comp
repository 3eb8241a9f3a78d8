#version 450
layout(local_size_x = 4) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
// A sum that starts with the arbitrary value of its variable.
//! finds uninitialized-variable
//! bind 0.0 f32: 1 2 3 4
//! bind 0.1 zeros 4
//! dispatch 1
void main() {
    float sum;
#ifdef MENDED
    sum = 0.0;
#endif
    for (int k = 0; k < 4; k++) sum += xs[k];
    ys[gl_GlobalInvocationID.x] = sum;
}
