//! test OpAccessChain
//! patches 1 2
//! input 4.0 f32 1 2
//! input 4.1 f32 3 4
//! input 5.0 i32 -5 -6
//! input 6.0 f64 1.5 2.5
//! input PointSize.0 f32 8 9
//! input ClipDistance.0 f32 0.25 0.5
//! input ClipDistance.1 f32 -1 -2
//! expect out 2.0 f32 4 6
//! expect out 3.0 i32 -6 -5
//! expect out 4.0 f64 1.5 2.5
//! expect out PointSize.0 f32 9 8
//! expect out ClipDistance.1 f32 0.25 0.5
//! expect out ClipDistance.0 f32 -1 -2
//! expect patch 7.0 f32 1
//! expect patch 8.0 f64 3
//! expect patch 9.0 f32 10
//! expect patch 10.0 f64 20
#version 450
// Blocks of vertices and of the patch, arrays of blocks; 64 bits.
layout(vertices = 2) out;
in gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; } gl_in[gl_MaxPatchVertices];
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; } gl_out[];
layout(location = 4) in In { vec2 v; int n; double d; } i[];
layout(location = 2) out Out { float sum; int n; double d; } o[];
layout(location = 7) patch out P { float a; double b; } p[2];
void main() {
    int k = gl_InvocationID;
    o[gl_InvocationID].sum = i[k].v.x + i[k].v.y;
    o[gl_InvocationID].n = i[1 - k].n;
    o[gl_InvocationID].d = i[k].d;
    gl_out[gl_InvocationID].gl_PointSize = gl_in[1 - k].gl_PointSize;
    gl_out[gl_InvocationID].gl_ClipDistance[0] = gl_in[k].gl_ClipDistance[1];
    gl_out[gl_InvocationID].gl_ClipDistance[1] = gl_in[k].gl_ClipDistance[0];
    if (k == 0) { p[0].a = 1.0; p[1].a = 10.0; }
    p[k].b = k == 0 ? 3.0lf : 20.0lf;
}
