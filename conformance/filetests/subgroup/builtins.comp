//! test OpLoad
//! bind 0.0 u32 zeros 32
//! dispatch 1 1 1
//! lanes 8
//! expect 0.0 u32 204008 614008 1424008 3034008 6244008 12654008 25464008 51074008 204108 614108 1424108 3034108 6244108 12654108 25464108 51074108 204208 614208 1424208 3034208 6244208 12654208 25464208 51074208 204308 614308 1424308 3034308 6244308 12654308 25464308 51074308
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
    
    d[i] = gl_SubgroupSize + gl_SubgroupID * 100 + gl_NumSubgroups * 1000 + l * 10000 + (gl_SubgroupEqMask.x + gl_SubgroupLeMask.x + gl_SubgroupLtMask.x) * 100000;
}
