//! test OpAccessChain
//! modes domain: Some(Quads), spacing: Some(FractionalEven), order: Some(Cw), point_mode: false
//! patches 1 4
//! input 0.0 f32 1 2 3 4
//! input 1.0 f32 10 20 30 40
//! input 2.0 f64 0.5 1.5 2.5 3.5
//! patch 4.0 f32 100
//! patch 5.0 f32 200
//! patch 6.0 f64 7.25
//! patch TessLevelOuter.0 f32 1
//! patch TessLevelOuter.3 f32 4
//! coords f32 0 0 0 0 1 0 1 0 0 1 1 0 0.75 0.75 0
//! expect out 0.0 f32 1 12 30 31 40
//! expect out 0.1 f32 101 204 101 104 104
//! expect out 1.0 f64 7.75 8.75 9.75 10.75 10.75
#version 450
// Vertices and elements by numbers that differ from point to point.
layout(quads, fractional_even_spacing, cw) in;
layout(location = 0) in float a[][2];
layout(location = 2) in double d[];
layout(location = 4) patch in float p[2];
layout(location = 6) patch in double q;
layout(location = 0) out vec2 v;
layout(location = 1) out double w;
void main() {
    int i = int(round(gl_TessCoord.x)) * 2 + int(round(gl_TessCoord.y));
    int k = gl_TessCoord.x + gl_TessCoord.y == 1.0 ? 1 : 0;
    float first = k == 1 && i == 1 ? a[1][0] + a[0][k] : a[i][gl_TessCoord.x > 0.7 ? 1 : k];
    if (gl_TessCoord == vec3(1.0, 1.0, 0.0)) first -= 9.0;
    v = vec2(first, p[i == 1 ? 1 : 0] + gl_TessLevelOuter[i == 0 || i == 2 ? 0 : 3]);
    w = d[i] + q;
}
