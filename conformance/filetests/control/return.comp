//! test OpReturn, OpReturnValue, OpFunctionCall, OpFunction, OpFunctionParameter, OpFunctionEnd
// Early returns from nested constructs, also from main.
//! bind 0.0 u32 zeros 16
//! dispatch 1 1 1
//! expect 0.0 u32 507*3 502 1500 503*4 504 504 4*5
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };


uint root(uint x) {
    if (x < 3) return 7;
    for (uint k = 0; k < 10; k++) {
        if (k * k > x) return k;
    }
    return 99;
}
void set(uint i, inout uint v) {
    if (i == 4) return;
    v = root(i);
}
void main() {
    uint i = gl_GlobalInvocationID.x;
    uint v = 1000;
    set(i, v);
    d[i] = v;
    if (i > 10) return;
    d[i] += 500;
}
