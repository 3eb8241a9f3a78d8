#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
// A binary search whose lower end does not move when two elements are left.
//! finds no-progress
//! lost
//! bind 0.0 f32: 1 2 3 4 5 6 7 8
//! bind 0.1 zeros 8
//! dispatch 1
void main() {
    uint i = gl_GlobalInvocationID.x;
    uint low = 0, high = 8;
    while (low < high) {
        uint middle = (low + high) / 2;
        if (xs[middle % 8] < float(i) + 0.5)
#ifdef MENDED
            low = middle + 1;
#else
            low = middle;
#endif
        else
            high = middle;
    }
    ys[i] = float(low);
}
