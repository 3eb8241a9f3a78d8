//! test OpLoad
//! pixels 8 4
//! given front_facing 1
//! given view_index 2
//! expect out 0.0 u32 1*32
//! expect out 0.1 u32 2*32
#version 460
#extension GL_EXT_multiview : require
layout(location = 0) out uvec2 a;
void main() { a = uvec2(gl_FrontFacing ? 1 : 0, uint(gl_ViewIndex)); }
