//! test OpLoopMerge
// A trip count that is the same for all.
//! bind 0.0 u32 zeros 16
//! bind 0.1 u32 9 0 0 0
//! dispatch 1 1 1
//! expect 0.0 u32 122068 2075193 4028318 5981443 7934568 9887693 11840818 13793943 15747068 17700193 19653318 21606443 23559568 25512693 27465818 29418943
#version 450
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };


layout(set = 0, binding = 1) uniform Count { uint n; };
void main() {
    uint i = gl_GlobalInvocationID.x, s = i;
    for (uint k = 0; k < n; k++) s = s * 5 + k;
    d[i] = s;
}
