#version 450
// A running mean of three values; the ends repeat.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer Source { float source[]; };
layout(set = 0, binding = 1) writeonly buffer Result { float result[]; };

void main() {
    int at = int(gl_GlobalInvocationID.x), last = source.length() - 1;
    if (at > last) return;
    result[at] = (source[max(at - 1, 0)] + source[at] + source[min(at + 1, last)]) / 3.0;
}
