//! test OpStore
//! vertices 2
//! expect out ClipDistance.0 f32 0 1
//! expect out ClipDistance.1 f32 -1 -2
//! expect out CullDistance.0 f32 5 6
//! expect out PointSize.0 f32 3 4
//! expect out Layer.0 u32 2 3
//! expect out ViewportIndex.0 u32 1 2
#version 460
#extension GL_ARB_shader_viewport_layer_array : require
// Everything that a vertex tells the rasterizer.
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; float gl_CullDistance[1]; };
void main() {
    float v = float(gl_VertexIndex);
    gl_Position = vec4(v, 0, 0, 1);
    gl_PointSize = 3.0 + v;
    gl_ClipDistance[0] = v;
    gl_ClipDistance[1] = -1.0 - v;
    gl_CullDistance[0] = 5.0 + v;
    gl_Layer = 2 + gl_VertexIndex;
    gl_ViewportIndex = 1 + gl_VertexIndex;
}
