//! test OpLoad
//! vertices 3
//! given base_vertex -2
//! given base_instance 5
//! given instance 6
//! given draw_index 9
//! given view_index 3
//! expect out 0.0 i32 -2 -2 -2
//! expect out 0.1 u32 5 5 5
//! expect out 0.2 u32 9 9 9
//! expect out 0.3 u32 3 3 3
//! expect out 1.0 u32 6 6 6
//! expect out 1.1 u32 0 0 0
//! expect out 1.2 u32 0 1 2
#version 460
#extension GL_EXT_multiview : require
#extension GL_EXT_device_group : require
// What a draw tells its vertices.
layout(location = 0) out uvec4 a;
layout(location = 1) out uvec3 b;
void main() {
    a = uvec4(uint(gl_BaseVertex), uint(gl_BaseInstance), uint(gl_DrawID), uint(gl_ViewIndex));
    b = uvec3(uint(gl_InstanceIndex), uint(gl_DeviceIndex), uint(gl_VertexIndex));
}
