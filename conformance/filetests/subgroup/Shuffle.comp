//! test OpGroupNonUniformShuffle
//! bind 0.0 u32 zeros 32
//! dispatch 1 1 1
//! lanes 8
//! expect 0.0 u32 3 18 9 0 15 6 21 12 27 42 33 24 39 30 45 36 51 66 57 48 63 54 69 60 75 90 81 72 87 78 93 84
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
    
    d[i] = subgroupShuffle(i * 3, (l * 5 + 1) % 8);
}
