#version 450
// Integer arithmetic: 32 rounds.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint x = a[i] ^ i;
    for (int k = 0; k < 32; k++) {
        x ^= x >> 16;
        x *= 0x7feb352du;
        x ^= x >> 15;
        x *= 0x846ca68bu;
    }
    b[i] = x;
}
