//! test OpLoopMerge
// Each invocation leaves at another time, by the condition or by a break.
//! bind 0.0 u32 zeros 16
//! dispatch 1 1 1
//! expect 0.0 u32 304 304 705 1207 1207 1908 2710 2710 3711 4813 4813 6114 7516 7516 9117 10819
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };


void main() {
    uint i = gl_GlobalInvocationID.x, s = 0, k = 0;
    while (k < 20) {
        k++;
        if (k % 3 == 0) continue;
        if (k > i + 2) break;
        s += k;
    }
    d[i] = s * 100 + k;
}
