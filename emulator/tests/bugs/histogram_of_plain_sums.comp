#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) buffer Out { uint bins[]; };
// Histogram bins are counted without atomics: of simultaneous increments, only one counts.
//! finds race-buffer
//! finds race-same-value
//! bind 0.0 f32: 0 1 2 3 1 2 1 0
//! bind 0.1 zeros 4
//! dispatch 1
void main() {
    uint bin = uint(xs[gl_GlobalInvocationID.x]);
#ifdef MENDED
    atomicAdd(bins[bin], 1u);
#else
    bins[bin] += 1u;
#endif
}
