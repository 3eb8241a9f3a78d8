//! test OpGroupNonUniformFMul
// Reduction, inclusive and exclusive scan, clusters of four; invocation 5 of each subgroup is inactive.
//! bind 0.0 f32 zeros 64
//! dispatch 1 1 1
//! lanes 8
//! expect 0.0 f32 24 1 1 6 24 2 1 6 24 6 2 6 24 6*3 24 12 6 4 0*4 24 12 12 4 24 24 12 4 54 3 1 18 54 3 3 18 54 6 3 18 54 18 6 18 54 18 18 3 0*4 54 54 18 3 54*3 3
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 16) in;
layout(set = 0, binding = 0) buffer Out { float d[]; };

void main() {
    uint i = gl_GlobalInvocationID.x, l = gl_SubgroupInvocationID;
    if (l == 5) return;
    float x = float(i % 3 + 1);
    d[i * 4] = subgroupMul(x);
    d[i * 4 + 1] = subgroupInclusiveMul(x);
    d[i * 4 + 2] = subgroupExclusiveMul(x);
    d[i * 4 + 3] = subgroupClusteredMul(x, 4);
}
