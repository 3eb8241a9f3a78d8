#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { float ys[]; };
// A prefix sum by shuffles adds values that the first lanes get from lanes that do not exist.
//! finds subgroup-inactive
//! bind 0.0 f32: 1 2 3 4 5 6 7 8
//! bind 0.1 zeros 8
//! dispatch 1
void main() {
    uint i = gl_GlobalInvocationID.x;
    float sum = xs[i];
    for (uint d = 1; d < gl_SubgroupSize; d *= 2) {
        float other = subgroupShuffleUp(sum, d);
#ifdef MENDED
        if (gl_SubgroupInvocationID >= d) sum += other;
#else
        sum += other;
#endif
    }
    ys[i] = sum;
}
