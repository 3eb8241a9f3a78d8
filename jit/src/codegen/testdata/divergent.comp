#version 450
layout(local_size_x = 20) in;
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 1) buffer B { uint b[]; };
uint walk(uint x) {
    uint n = 0u;
    for (uint i = 0u; i < 40u; i++) {
        if ((x & 1u) == 0u) { x >>= 1u; continue; }
        if (x == 1u) break;
        for (uint j = 0u; j < (x & 3u); j++) {
            n += j;
            if (n > 50u) return n * 1000u;
        }
        switch (x % 5u) {
            case 0u: n += 3u;
            case 1u: n += 7u; break;
            case 2u: continue;
            default: n ^= x;
        }
        x = 3u * x + 1u;
    }
    return n;
}
void main() {
    uint i = gl_GlobalInvocationID.x;
    uint t[6];
    for (int k = 0; k < 6; k++) t[k] = a[i] + uint(k);
    if ((a[i] & 7u) == 5u) return;
    t[a[i] % 7u] += walk(a[i] & 0xfffu);
    uint s = 0u;
    for (int k = 0; k < 6; k++) s = s * 31u + t[(uint(k) + a[i]) % 6u];
    b[i] = s;
}
