//! test OpSelectionMerge, OpBranchConditional, OpBranch, OpLabel
//! bind 0.0 u32 zeros 16
//! dispatch 1 1 1
//! expect 0.0 u32 1 3 1 3 1 13 1 3 1 2 1 2 1 2 1 2
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };


void main() {
    uint i = gl_GlobalInvocationID.x;
    uint r = 0;
    if (i % 2 == 0) {
        r = 1;
    } else if (i > 7) {
        r = 2;
    } else {
        r = 3;
    }
    if (i == 5) r += 10;
    d[i] = r;
}
