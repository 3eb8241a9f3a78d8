//! test OpFunctionCall
//! bind 0.0 u32 zeros 16
//! dispatch 1 1 1
//! expect 0.0 u32 0 25 12 1 0 57 104 186 0 90 168 282 0 122 232 378
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };


uint a(uint x) { return x * 2 + 1; }
uint b(uint x) { uint s = 0; for (uint k = 0; k < x % 4; k++) s += a(x + k); return s; }
uint c(uint x) { return x % 2 == 0 ? b(x) : a(b(x + 1)); }
void main() {
    uint i = gl_GlobalInvocationID.x;
    d[i] = c(i) + (i > 5 ? c(i * 3) : 0);
}
