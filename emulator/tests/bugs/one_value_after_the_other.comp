#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
// A loop serves one bin per iteration; the sum is in the branch that leaves the loop, where lanes may reconverge.
//! finds subgroup-reconvergence
//! bind 0.0 f32: 1 2 1 2 1 2 1 2
//! bind 0.1 zeros 8
//! dispatch 1
void main() {
    uint i = gl_GlobalInvocationID.x;
    float bin = xs[i], n = 0.0;
    while (true) {
        float first = subgroupBroadcastFirst(bin);
#ifdef MENDED
        float sum = subgroupAdd(first == bin ? 1.0 : 0.0);
        if (first == bin) {
            n = sum;
            break;
        }
#else
        if (first == bin) {
            n = subgroupAdd(1.0);
            break;
        }
#endif
    }
    ys[i] = n;
}
