#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
// Row and column of a pixel are computed with a width that is never set.
//! finds division-by-zero
//! bind 0.0 f32: 0 0 0 0 0 0 0 0
//! bind 0.1 zeros 8
//! dispatch 1
void main() {
    uint i = gl_GlobalInvocationID.x;
    uint width = uint(xs[0]);
#ifdef MENDED
    width = max(width, 1u);
#endif
    ys[i] = float(i / width);
}
