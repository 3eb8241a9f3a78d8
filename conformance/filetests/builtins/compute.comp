//! test OpLoad
// Every built-in input of compute shaders.
//! bind 0.0 u32 zeros 192
//! dispatch 3 2 1
//! expect 0.0 u32 12300 0 0 122 12300 101 1 122 12300 210 100 122 12300 311 101 122 12301 0 2 122 12301 101 3 122 12301 210 102 122 12301 311 103 122 12302 0 4 122 12302 101 5 122 12302 210 104 122 12302 311 105 122 12310 0 200 122 12310 101 201 122 12310 210 300 122 12310 311 301 122 12311 0 202 122 12311 101 203 122 12311 210 302 122 12311 311 303 122 12312 0 204 122 12312 101 205 122 12312 210 304 122 12312 311 305 122
#version 450
layout(local_size_x = 2, local_size_y = 2) in;
layout(set = 0, binding = 0) buffer Out { uvec4 d[]; };
void main() {
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uvec3 w = gl_WorkGroupID, n = gl_NumWorkGroups, l = gl_LocalInvocationID, g = gl_GlobalInvocationID;
    d[group * 4 + gl_LocalInvocationIndex] = uvec4(
        w.x + w.y * 10 + w.z * 7 + n.x * 100 + n.y * 1000 + n.z * 10000,
        l.x + l.y * 10 + gl_LocalInvocationIndex * 100,
        g.x + g.y * 100 + g.z * 7,
        gl_WorkGroupSize.x + gl_WorkGroupSize.y * 10 + gl_WorkGroupSize.z * 100);
}
