//! test OpControlBarrier
// Values live across barriers; divergent work between them.
//! bind 0.0 u32 zeros 16
//! dispatch 1 1 1
//! expect 0.0 u32 600 1560 2560 3480 4440 5440 6360 7320 8320 9240 10200 11200 12120 13096 14144 15208
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };


shared uint a[16];
void main() {
    uint i = gl_LocalInvocationIndex;
    uint keep = i * 1000, sum = 0;
    for (uint k = 0; k < 4; k++) {
        a[(i + k) % 16] = i + k;
        barrier();
        uint x = a[15 - i];
        for (uint j = 0; j < i % 3; j++) x += j;
        sum = sum * 3 + x;
        barrier();
    }
    d[gl_GlobalInvocationID.x] = sum + keep;
}
