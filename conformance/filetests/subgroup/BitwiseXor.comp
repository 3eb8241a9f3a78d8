//! test OpGroupNonUniformBitwiseXor
// Reduction, inclusive and exclusive scan, clusters of four; invocation 5 of each subgroup is inactive.
//! bind 0.0 u32 zeros 64
//! dispatch 1 1 1
//! lanes 8
//! expect 0.0 u32 7 0 0 12 7 3 0 12 7 5 3 12 7 12 5 12 7 0 12 11 0*4 7 18 0 11 7 7 18 11 31 24 0 60 31 3 24 60 31 29 3 60 31 60 29 60 31 24 60 35 0*4 31 50 24 35 31 31 50 35
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
layout(set = 0, binding = 0) buffer Out { uint d[]; };

void main() {
    uint i = gl_GlobalInvocationID.x, l = gl_SubgroupInvocationID;
    if (l == 5) return;
    uint x = i * 3;
    d[i * 4] = subgroupXor(x);
    d[i * 4 + 1] = subgroupInclusiveXor(x);
    d[i * 4 + 2] = subgroupExclusiveXor(x);
    d[i * 4 + 3] = subgroupClusteredXor(x, 4);
}
