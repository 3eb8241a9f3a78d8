#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
// A field of a packed word that starts in its last bits.
//! finds bit-field-out-of-range
//! bind 0.0 f32: 0 4 8 12 16 20 24 28
//! bind 0.1 zeros 8
//! dispatch 1
void main() {
    uint i = gl_GlobalInvocationID.x;
    int offset = int(xs[i]);
#ifdef MENDED
    ys[i] = float(bitfieldExtract(0x12345678u, offset, min(8, 32 - offset)));
#else
    ys[i] = float(bitfieldExtract(0x12345678u, offset, 8));
#endif
}
