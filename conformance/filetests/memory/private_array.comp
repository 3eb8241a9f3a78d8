//! test OpVariable
// Function and Private arrays indexed dynamically, one with an initializer.
//! bind 0.0 u32 zeros 16
//! dispatch 1 1 1
//! expect 0.0 u32 1301001 1104160 1407253 1102503 1505595 1308561 1103976 1406967 1102349 1505407 1308261 1103830 1406777 1109461 1505271 1308071
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };


uint table[5] = uint[5](3, 1, 4, 1, 5);
void main() {
    uint i = gl_GlobalInvocationID.x;
    uint a[8];
    for (uint k = 0; k < 8; k++) a[k] = k * i;
    a[(i * 3) % 8] = 1000;
    uint s = 0;
    for (uint k = 0; k < 8; k++) s += a[k] * (k + 1);
    table[i % 5] += 10;
    d[i] = s + table[(i + 1) % 5] + table[i % 5] * 100000;
}
