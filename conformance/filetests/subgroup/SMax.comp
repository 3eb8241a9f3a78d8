//! test OpGroupNonUniformSMax
// Reduction, inclusive and exclusive scan, clusters of four; invocation 5 of each subgroup is inactive.
//! bind 0.0 i32 zeros 64
//! dispatch 1 1 1
//! lanes 8
//! expect 0.0 i32 5 -2 -2147483648 5*3 -2 5*12 4 0*4 5*3 4 5*3 4 5 -1 -2147483648 2 5 -1 -1 2 5 2 -1 2 5 2*3 5 5 2 5 0*4 5*8
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
layout(set = 0, binding = 0) buffer Out { int d[]; };

void main() {
    uint i = gl_GlobalInvocationID.x, l = gl_SubgroupInvocationID;
    if (l == 5) return;
    int x = int((i * 7 + 3) % 11) - 5;
    d[i * 4] = subgroupMax(x);
    d[i * 4 + 1] = subgroupInclusiveMax(x);
    d[i * 4 + 2] = subgroupExclusiveMax(x);
    d[i * 4 + 3] = subgroupClusteredMax(x, 4);
}
