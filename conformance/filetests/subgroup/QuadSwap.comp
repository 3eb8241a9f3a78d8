//! test OpGroupNonUniformQuadSwap
//! bind 0.0 u32 zeros 32
//! dispatch 1 1 1
//! lanes 8 4 16 32
//! expect 0.0 u32 30201 20300 10003 102 70605 60704 50407 40506 111009 101108 90811 80910 151413 141512 131215 121314 191817 181916 171619 161718 232221 222320 212023 202122 272625 262724 252427 242526 313029 303128 292831 282930
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
    
    d[i] = subgroupQuadSwapHorizontal(i) + subgroupQuadSwapVertical(i) * 100 + subgroupQuadSwapDiagonal(i) * 10000;
}
