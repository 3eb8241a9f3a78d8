#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
// A mask of n bits for n = 32.
//! finds shift-too-wide
//! bind 0.0 f32: 1 2 4 8 16 24 31 32
//! bind 0.1 zeros 8
//! dispatch 1
void main() {
    uint i = gl_GlobalInvocationID.x;
    uint n = uint(xs[i]);
#ifdef MENDED
    uint mask = n == 0u ? 0u : 0xffffffffu >> (32u - n);
#else
    uint mask = (1u << n) - 1u;
#endif
    ys[i] = float(bitCount(mask));
}
