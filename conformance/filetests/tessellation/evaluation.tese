//! test OpLoad, OpStore
//! modes domain: Some(Triangles), spacing: Some(Equal), order: Some(Ccw), point_mode: false
//! patches 1 3
//! given primitive_id 9
//! input Position.0 f32 0 8 0
//! input Position.1 f32 0 0 4
//! input 1.0 f32 1 2 3
//! patch TessLevelOuter.1 f32 5
//! patch TessLevelInner.0 f32 6
//! patch 3.1 u32 70
//! coords f32 1 0 0 0 1 0 0 0 1 0.5 0.25 0.25 0.25 0.5 0.25 0 0.5 0.5 0.5 0.5 0 0.5 0 0.5 0.125 0.125 0.75
//! expect out Position.0 f32 0 8 0 2 4 4 4 0 1
//! expect out Position.1 f32 0 0 4 1 1 2 0 2 3
//! expect out Position.3 f32 1*9
//! expect out 0.0 f32 1 2 3 1.75 2 2.5 1.5 2 2.625
//! expect out 0.1 f32 11*9
//! expect out 0.2 f32 0*9
//! expect out 2.0 u32 9*9
//! expect out 2.1 u32 3*9
//! expect out 2.2 u32 70*9
//! expect out 2.3 u32 0*9
#version 450
layout(triangles, equal_spacing, ccw) in;
layout(location = 1) in float a[];
layout(location = 3) patch in uvec2 p;
layout(location = 0) out vec3 v;
layout(location = 2) out uvec4 ids;
void main() {
    vec3 c = gl_TessCoord;
    vec2 xy = c.x * gl_in[0].gl_Position.xy + c.y * gl_in[1].gl_Position.xy + c.z * gl_in[2].gl_Position.xy;
    gl_Position = vec4(xy, 0.0, 1.0);
    // The fourth vertex is past the end: 0.
    v = vec3(c.x * a[0] + c.y * a[1] + c.z * a[2], gl_TessLevelOuter[1] + gl_TessLevelInner[0], a[3]);
    ids = uvec4(gl_PrimitiveID, gl_PatchVerticesIn, p.y, p.x);
}
