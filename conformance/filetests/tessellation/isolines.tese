//! test OpLoad
//! modes domain: Some(Isolines), spacing: Some(FractionalOdd), order: Some(Cw), point_mode: true
//! patches 1 2
//! input Position.0 f32 1 5
//! input Position.3 f32 1 3
//! input ClipDistance.0 f32 2 4
//! patch TessLevelInner.1 f32 7
//! coords f32 0 0 0 0.5 0 0 1 0 0 0.25 0.5 0
//! expect out Position.0 f32 1 3 5 2
//! expect out Position.3 f32 1 2 3 1.5
//! expect out PointSize.0 f32 7*4
//! expect out ClipDistance.0 f32 2 3 4 2.5
//! expect out ClipDistance.1 f32 0 0 0 0.5
//! expect out CullDistance.0 f32 0 0 0 0
#version 450
layout(isolines, fractional_odd_spacing, cw, point_mode) in;
in gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[1]; float gl_CullDistance[1]; } gl_in[gl_MaxPatchVertices];
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; float gl_CullDistance[1]; };
void main() {
    float u = gl_TessCoord.x;
    gl_Position = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, u);
    gl_PointSize = gl_TessLevelInner[1];
    gl_ClipDistance[0] = mix(gl_in[0].gl_ClipDistance[0], gl_in[1].gl_ClipDistance[0], u);
    gl_ClipDistance[1] = gl_TessCoord.y;
    gl_CullDistance[0] = gl_in[1].gl_CullDistance[0];
}
