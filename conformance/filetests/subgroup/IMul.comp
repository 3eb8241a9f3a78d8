//! test OpGroupNonUniformIMul
// Reduction, inclusive and exclusive scan, clusters of four; invocation 5 of each subgroup is inactive.
//! bind 0.0 u32 zeros 64
//! dispatch 1 1 1
//! lanes 8
//! expect 0.0 u32 720 1 1 24 720 2 1 24 720 6 2 24 720 24 6 24 720 120 24 30 0*4 720 240 120 30 720 720 240 30 600 4 1 40 600 20 4 40 600 20 20 40 600 40 20 40 600 120 40 15 0*4 600 600 120 15 600*3 15
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
    uint x = i % 5 + 1;
    d[i * 4] = subgroupMul(x);
    d[i * 4 + 1] = subgroupInclusiveMul(x);
    d[i * 4 + 2] = subgroupExclusiveMul(x);
    d[i * 4 + 3] = subgroupClusteredMul(x, 4);
}
