//! test OpSwitch
// All invocations take the same case, one with a negative literal.
//! bind 0.0 u32 zeros 16
//! bind 0.1 i32 -1 0 0 0
//! dispatch 1 1 1
//! expect 0.0 u32 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };


layout(set = 0, binding = 1) uniform Which { int which; };
void main() {
    uint i = gl_GlobalInvocationID.x, r = i;
    switch (which) {
        case -1: r *= 2; break;
        case 5: r += 7; break;
        default: r = 0;
    }
    d[i] = r;
}
