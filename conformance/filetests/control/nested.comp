//! test OpLoopMerge
// Loops in loops with breaks and continues of their own.
//! bind 0.0 u32 zeros 24
//! dispatch 3 1 1
//! expect 0.0 u32 1 0 4 32 2611 51404765 1387928682 3153119937 2611 51404765 1387928682 3153119937 2611 51404765 1387928682 3153119937 2611 51404765 1387928682 3153119937 2611 51404765 1387928682 3153119937
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };


void main() {
    uint i = gl_GlobalInvocationID.x, s = 0;
    for (uint a = 0; a < i % 4 + 1; a++) {
        bool done = false;
        for (uint b = 0; b < 5; b++) {
            if (b == a) continue;
            if (a + b > i) {
                done = true;
                break;
            }
            for (uint c = 0; c < b; c++) {
                s = s * 3 + c + a;
                if (s % 7 == 6) break;
            }
        }
        if (done && i % 2 == 1) break;
        s++;
    }
    d[i] = s;
}
