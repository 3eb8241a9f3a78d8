//! test OpGroupNonUniformFAdd
// Reduction, inclusive and exclusive scan, clusters of four; invocation 5 of each subgroup is inactive.
//! bind 0.0 f32 zeros 64
//! dispatch 1 1 1
//! lanes 8
//! expect 0.0 f32 30 1 0 10 30 3 1 10 30 6 3 10 30 10 6 10 30 15 10 20 0*4 30 22 15 20 30 30 22 20 86 9 0 42 86 19 9 42 86 30 19 42 86 42 30 42 86 55 42 44 0*4 86 70 55 44 86 86 70 44
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
    float x = float(i + 1);
    d[i * 4] = subgroupAdd(x);
    d[i * 4 + 1] = subgroupInclusiveAdd(x);
    d[i * 4 + 2] = subgroupExclusiveAdd(x);
    d[i * 4 + 3] = subgroupClusteredAdd(x, 4);
}
