//! test OpGroupNonUniformBitwiseOr
// Reduction, inclusive and exclusive scan, clusters of four; invocation 5 of each subgroup is inactive.
//! bind 0.0 u32 zeros 64
//! dispatch 1 1 1
//! lanes 8
//! expect 0.0 u32 223 1 0 15 223 3 1 15 223 7 3 15 223 15 7 15 223 31 15 208 0*4 223 95 31 208 223 223 95 208 223 1 0 15 223 3 1 15 223 7 3 15 223 15 7 15 223 31 15 208 0*4 223 95 31 208 223 223 95 208
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
    uint x = 1u << l;
    d[i * 4] = subgroupOr(x);
    d[i * 4 + 1] = subgroupInclusiveOr(x);
    d[i * 4 + 2] = subgroupExclusiveOr(x);
    d[i * 4 + 3] = subgroupClusteredOr(x, 4);
}
