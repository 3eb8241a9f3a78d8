//! test OpLoad, OpStore
// Indices whose byte offsets pass 2^32 are out of range: uniform, from lane to lane, scattered, in records,
// in two dimensions, negative, and in workgroup memory.
//! bind 0.0 u32 1 2 3 4 5 6 7 8
//! bind 0.1 u32 zeros 128
//! bind 0.2 u32 0x40000000 8 0x20000000 0x10000001
//! dispatch 1 1 1
//! expect 0.1 u32 0*64 1 0*7 1 0*3 1 0*3 0*8 100*8 0*32
//! expect 0.0 u32 1 2 3 4 5 6 7 8
#version 450
layout(local_size_x = 8) in;
struct R { uint x, y; };
layout(set = 0, binding = 0) buffer A { uint a[]; };
layout(set = 0, binding = 0) buffer B { R b[]; };
layout(set = 0, binding = 0) buffer C { uint c[][2]; };
layout(set = 0, binding = 1) buffer Out { uint d[]; };
layout(set = 0, binding = 2) uniform Block { uvec4 far; };
shared uint s[16];
void main() {
    uint i = gl_GlobalInvocationID.x;
    s[i] = 100; s[i + 8] = 200;
    d[i] = a[far.x];
    d[8 + i] = a[far.x + i];
    d[16 + i] = a[far.x + (i * 5) % 8];
    d[24 + i] = b[far.z + i].y;
    d[32 + i] = c[far.z + i][1];
    d[40 + i] = c[i & 3][far.x + i];
    d[48 + i] = a[-int(i) - 1];
    d[56 + i] = s[far.x + i];
    // In range, with an index that wraps to the start: lanes before the wrap are out of range.
    d[64 + i] = a[i - (i == 0 ? 0u : 0x80000000u + i)];
    d[72 + i] = a[i * 0x40000000u];
    d[80 + i] = c[far.w * i + far.x][0];
    barrier();
    a[far.x] = 9;
    a[far.x + i] = 9;
    a[far.x + (i * 5) % 8] = 9;
    b[far.z + i].y = 9;
    c[far.z + i][1] = 9;
    atomicAdd(a[far.x + i], 9);
    s[far.x + i] = 9;
    s[far.x + (i * 5) % 8] = 9;
    barrier();
    d[88 + i] = s[i];
}
