//! test OpLoad, OpControlBarrier
// A sum of a quotient and a remainder that is needed on both sides of a barrier, of an index that is not.
//! bind 0.0 u32 3 0
//! bind 0.1 u32 zeros 70
//! bind 0.2 u32 zeros 64
//! dispatch 1 1 1
//! expect 0.2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer First { uint first; uint written; };
layout(std430, binding = 1) buffer Table { uint table[]; };
layout(std430, binding = 2) buffer Out { uint d[]; };
void main() {
    uint i = gl_LocalInvocationIndex, x = i + first;
    uint at = x / 32u * 33u + x % 32u;
    table[at] = i + 1u;
    if (i == 0u) {
        written = 5u;
    }
    memoryBarrierBuffer();
    barrier();
    d[i] = table[at];
}
