//! test OpAccessChain
//! patches 1 3
//! input 0.0 f32 1 2 3
//! input 1.0 f32 10 20 30
//! input 2.0 f32 100 200 300
//! input 2.1 f32 0.5 0.25 0.125
//! bind 0.0 u32 2 0 1
//! expect out 0.0 f32 102 0 13
//! expect out 1.0 f32 0 5 0
//! expect out 2.0 f32 7 0 0
//! expect out 3.0 f32 0 0 9
//! expect patch 8.0 f32 4
//! expect patch 9.0 f32 0
//! expect patch 10.0 f32 6
//! expect patch TessLevelOuter.2 f32 20
//! expect patch TessLevelOuter.0 f32 21
//! expect patch TessLevelOuter.1 f32 22
#version 450
// Elements below the vertex by numbers that are not constant, in inputs, outputs and outputs of the patch.
layout(vertices = 3) out;
layout(location = 0) in vec2 a[][3];
layout(set = 0, binding = 0) buffer B { uint at[3]; };
layout(location = 0) out float r[];
layout(location = 1) out float row[][3];
layout(location = 8) patch out float of_patch[3];
void main() {
    int i = gl_InvocationID;
    uint k = at[i];
    float v = 0.0;
    // a[2][0] for the third vertex, a[i][k] else.
    if (i == 0) v = a[1][0].x + a[0][k].x;
    if (i == 1) v = a[7][k].x;
    if (i == 2) v = a[2][0].x + a[0][k].x;
    r[gl_InvocationID] = v;
    if (i == 0) row[gl_InvocationID][k - 1] = 7.0;
    if (i == 1) row[gl_InvocationID][k] = 5.0;
    if (i == 2) row[gl_InvocationID][k + 1] = 9.0;
    if (i != 1) of_patch[k == 2 ? 0 : 2] = 4.0 + float(i);
    gl_TessLevelOuter[k] = 20.0 + float(i);
}
