#version 450
// Divergent integer loop.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = i + 1u, n = 0u;
    while (x != 1u && n < 200u) {
        x = (x & 1u) == 0u ? x >> 1 : 3u * x + 1u;
        n++;
    }
    b[i] = n;
}
