//! test OpGroupNonUniformUMin
// Reduction, inclusive and exclusive scan, clusters of four; invocation 5 of each subgroup is inactive.
//! bind 0.0 u32 zeros 64
//! dispatch 1 1 1
//! lanes 8
//! expect 0.0 u32 1 3 4294967295 2 1 3 3 2 1 3 3 2 1 2 3 2 1 2 2 1 0*4 1 1 2 1*5 0 4 4294967295 0*3 4 0*12 2 0*7 2 0*3 2
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
    d[i * 4] = subgroupMin(x);
    d[i * 4 + 1] = subgroupInclusiveMin(x);
    d[i * 4 + 2] = subgroupExclusiveMin(x);
    d[i * 4 + 3] = subgroupClusteredMin(x, 4);
}
