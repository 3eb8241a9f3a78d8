#version 450
// Sum of a workgroup in shared memory: six barriers.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { float a[]; };
layout(set = 0, binding = 1) buffer B { float b[]; };
shared float s[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    s[l] = a[i];
    for (uint n = 32u; n > 0u; n >>= 1) {
        barrier();
        if (l < n) s[l] += s[l + n];
    }
    if (l == 0u) b[gl_WorkGroupID.x] = s[0];
}
