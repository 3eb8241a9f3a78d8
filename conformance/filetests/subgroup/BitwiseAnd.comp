//! test OpGroupNonUniformBitwiseAnd
// Reduction, inclusive and exclusive scan, clusters of four; invocation 5 of each subgroup is inactive.
//! bind 0.0 u32 zeros 64
//! dispatch 1 1 1
//! lanes 8
//! expect 0.0 u32 4294967072 4294967294 4294967295 4294967280 4294967072 4294967292 4294967294 4294967280 4294967072 4294967288 4294967292 4294967280 4294967072 4294967280 4294967288 4294967280 4294967072 4294967264 4294967280 4294967087 0*4 4294967072 4294967200 4294967264 4294967087 4294967072 4294967072 4294967200 4294967087 4294967072 4294967294 4294967295 4294967280 4294967072 4294967292 4294967294 4294967280 4294967072 4294967288 4294967292 4294967280 4294967072 4294967280 4294967288 4294967280 4294967072 4294967264 4294967280 4294967087 0*4 4294967072 4294967200 4294967264 4294967087 4294967072 4294967072 4294967200 4294967087
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
    uint x = ~(1u << l);
    d[i * 4] = subgroupAnd(x);
    d[i * 4 + 1] = subgroupInclusiveAnd(x);
    d[i * 4 + 2] = subgroupExclusiveAnd(x);
    d[i * 4 + 3] = subgroupClusteredAnd(x, 4);
}
