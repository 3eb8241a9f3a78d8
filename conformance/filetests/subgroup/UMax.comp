//! test OpGroupNonUniformUMax
// Reduction, inclusive and exclusive scan, clusters of four; invocation 5 of each subgroup is inactive.
//! bind 0.0 u32 zeros 64
//! dispatch 1 1 1
//! lanes 8
//! expect 0.0 u32 10 3 0 10*3 3 10*12 9 0*4 10*3 9 10*3 9 10 4 0 7 10 4 4 7 10 7 4 7 10 7*3 10 10 7 10 0*4 10*8
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
    uint x = (i * 7 + 3) % 11;
    d[i * 4] = subgroupMax(x);
    d[i * 4 + 1] = subgroupInclusiveMax(x);
    d[i * 4 + 2] = subgroupExclusiveMax(x);
    d[i * 4 + 3] = subgroupClusteredMax(x, 4);
}
