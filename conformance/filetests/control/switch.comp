//! test OpSwitch
//! bind 0.0 u32 zeros 16
//! dispatch 1 1 1
//! expect 0.0 u32 1 32 30 4 4 99 99 1 32 30 4 4 99 99 1 32
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };


void main() {
    uint i = gl_GlobalInvocationID.x, r = 0;
    switch (i % 7) {
        case 0: r = 1; break;
        case 1: r = 2;          // falls through
        case 2: r += 30; break;
        case 3:
        case 4: r = 4; break;
        default: r = 99;
    }
    d[i] = r;
}
