//! test OpSwitch
// `continue` of the loop from inside the switch.
//! bind 0.0 u32 zeros 16
//! dispatch 1 1 1
//! expect 0.0 u32 222 212 421 411 312 222 212 421 411 312 222 212 421 411 312 222
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };


void main() {
    uint i = gl_GlobalInvocationID.x, s = 0;
    for (uint k = 0; k < 8; k++) {
        bool leave = false;
        switch ((i + k) % 5) {
            case 0: continue;
            case 1: s += 1; break;
            case 2: if (k == 6) leave = true; else s += 10; break;
            default: s += 100; break;
        }
        if (leave) break;
    }
    d[i] = s;
}
