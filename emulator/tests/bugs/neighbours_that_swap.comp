#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) buffer Data { float xs[]; };
// A sorting round in which all neighbours swap at the same time, instead of every other pair.
//! finds race-buffer
//! bind 0.0 f32: 8 7 6 5 4 3 2 1
//! dispatch 1
void main() {
    uint i = gl_GlobalInvocationID.x;
#ifdef MENDED
    if (i % 2 == 1) return;
#endif
    if (i + 1 < uint(xs.length())) {
        float a = xs[i], b = xs[i + 1];
        if (a > b) {
            xs[i] = b;
            xs[i + 1] = a;
        }
    }
}
