//! test OpGroupNonUniformIAdd, OpGroupNonUniformAny
// Lanes behind the last vertex are not active.
//! vertices 3
//! input 0.0 u32 4 5 6
//! expect out 0.0 u32 3 3 3
//! expect out 0.1 u32 0 0 0
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_vote : require
layout(location = 0) in uint n;
layout(location = 0) out uvec2 o;
void main() { o = uvec2(subgroupAdd(1u), subgroupAny(n == 0u) ? 1u : 0u); }
