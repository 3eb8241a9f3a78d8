#version 450
// Five reads of neighbours.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { float a[]; };
layout(set = 0, binding = 1) buffer B { float b[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    b[i] = 0.2 * (a[i] + a[max(i, 1u) - 1u] + a[i + 1u] + a[max(i, 256u) - 256u] + a[i + 256u]);
}
