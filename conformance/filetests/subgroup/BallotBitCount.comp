//! test OpGroupNonUniformBallotBitCount
// Bits above the size of the subgroup do not count.
//! bind 0.0 u32 zeros 32
//! dispatch 1 1 1
//! lanes 8
//! expect 0.0 u32 14 114 124 224 224 234 334 344 14 114 124 224 224 234 334 344 14 114 124 224 224 234 334 344 14 114 124 224 224 234 334 344
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
    uvec4 m = uvec4(0xfa5, 1, 0, 0);
    d[i] = subgroupBallotBitCount(m) + subgroupBallotInclusiveBitCount(m) * 10 + subgroupBallotExclusiveBitCount(m) * 100;
}
