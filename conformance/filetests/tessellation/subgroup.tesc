//! test OpGroupNonUniformIAdd
//! patches 2 1
//! lanes 8
//! input 0.0 u32 1 10
//! expect out 0.0 u32 36*8 45*4 360*8 450*4
#version 450
#extension GL_KHR_shader_subgroup_arithmetic : require
// Groups of one patch: of twelve invocations the last four are a group of their own.
layout(vertices = 12) out;
layout(location = 0) in uint n[];
layout(location = 0) out uint sum[];
void main() {
    sum[gl_InvocationID] = subgroupAdd((uint(gl_InvocationID) + 1u) * n[0])
        + (gl_InvocationID < 8 ? 0u : 3u * n[0]);
}
