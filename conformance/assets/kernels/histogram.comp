#version 450
// Atomics on workgroup memory, then on the buffer.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
shared uint s[64];

void main() {
    uint i = gl_GlobalInvocationID.x;
    uint l = gl_LocalInvocationIndex;
    s[l] = 0u;
    barrier();
    atomicAdd(s[a[i] & 63u], 1u);
    barrier();
    atomicAdd(b[l], s[l]);
}
