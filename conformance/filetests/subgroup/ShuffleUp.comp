//! test OpGroupNonUniformShuffleUp
// Out of range is undefined; Quadrille gives 0.
//! bind 0.0 u32 zeros 32
//! dispatch 1 1 1
//! lanes 8
//! expect 0.0 u32 0 0 1 2 3 4 5 6 0 0 9 10 11 12 13 14 0 0 17 18 19 20 21 22 0 0 25 26 27 28 29 30
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };


void main() {
    uint i = gl_GlobalInvocationID.x, l = gl_SubgroupInvocationID;
    
    d[i] = subgroupShuffleUp(i + 1, 2);
}
