//! test OpAccessChain, OpLoad, OpStore
// Variables of a few scalars that are indexed dynamically, in each invocation differently: arrays of two, three and four, components
// of a vector, some invocations inactive, in a loop; reads out of range are zero, and stores out of range are dropped.
//! bind 0.0 u32 zeros 16
//! bind 0.1 u32 zeros 64
//! bind 0.2 u32 zeros 32
//! bind 0.3 u32 zeros 32
//! dispatch 1 1 1
//! expect 0.0 u32 0 11 22 30 41 52 60 71 82 90 101 112 120 131 142 150
//! expect 0.1 u32 0x42c80000 0x3f000000 0x00000000 0x80000000 0x3f800000 0x40e00000 0x40000000 0xbf800000 0x40000000 0x40200000 0x42d00000 0xc0000000 0x40400000 0x40600000 0x40c00000 0x42c20000 0x40e00000 0x40900000 0x41000000 0xc0800000 0x40a00000 0x42d30000 0x41200000 0xc0a00000 0x40c00000 0x40d00000 0x42e00000 0xc0c00000 0x40e00000 0x40f00000 0x41600000 0x40e00000 0x42d80000 0x41080000 0x41800000 0xc1000000 0x41100000 0x42db0000 0x41900000 0xc1100000 0x41200000 0x41280000 0x40e00000 0xc1200000 0x41300000 0x41380000 0x41b00000 0x42b20000 0x42e00000 0x41480000 0x41c00000 0xc1400000 0x41500000 0x40e00000 0x41d00000 0xc1500000 0x41600000 0x41680000 0x43000000 0xc1600000 0x41700000 0x41780000 0x41f00000 0x42aa0000
//! expect 0.2 u32 0 0 1 0 2 1 4 2 6 4 9 6 12 9 16 12 20 16 25 20 30 25 36 30 42 36 49 42 56 49 64 56
//! expect 0.3 u32 0 10 0 10 0 10 1 59 2 58 3 57 4 56 0 10 0 10 0 10 0 10 0 10 0 10 0 10 0 10 0 10
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Threes { uint threes[]; };
layout(set = 0, binding = 1) buffer Vectors { vec4 vectors[]; };
layout(set = 0, binding = 2) buffer Twos { uint twos[]; };
layout(set = 0, binding = 3) buffer Outside { uint outside[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    uint a[3] = uint[](i * 10, i * 10 + 1, i * 10 + 2);
    threes[i] = a[i * 7 % 3];
    vec4 v = vec4(i, i + 0.5, i * 2, -float(i));
    v[i * 5 % 4] += 100.0;
    if (i % 3 == 1) v[i % 4] = 7.0;
    vectors[i] = v;
    uint c[2] = uint[](0, 0);
    for (uint k = 0; k <= i; k++) c[(k * k + i) % 2] += k;
    twos[i * 2] = c[0];
    twos[i * 2 + 1] = c[1];
    uint w[4] = uint[](1, 2, 3, 4);
    uint j = i - 3;
    outside[i * 2] = w[j];
    w[j] = 50;
    outside[i * 2 + 1] = w[0] + w[1] + w[2] + w[3];
}
