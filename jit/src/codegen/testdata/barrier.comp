#version 450
layout(local_size_x = 12, local_size_y = 3) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
shared uint s[36];
void main() {
    uint l = gl_LocalInvocationIndex, i = gl_WorkGroupID.x * 36u + l;
    s[l] = a[i];
    uint sum = 0u;
    for (uint d = 1u; d < 36u; d *= 2u) {
        barrier();
        uint v = s[(l + d) % 36u];
        if ((v & 1u) != 0u) v += gl_LocalInvocationID.y; else atomicAdd(b[i], 1u);
        barrier();
        s[l] += v;
        sum = sum * 7u + v;
    }
    barrier();
    b[i] += sum ^ s[35u - l];
}
