//! test OpLoad
//! pixels 8 4
//! plane 0.0 u32 7
//! plane 0.1 u32 0xffffffff
// A flat input is its plane's value at the origin, whatever the slopes.
//! plane 1.0 f32 2.5 1 2
//! expect out 0.0 u32 7*32
//! expect out 0.1 u32 0xffffffff*32
//! expect out 0.2 u32 5*32
//! expect out 0.3 u32 1*32
#version 450
layout(location = 0) flat in uvec2 u;
layout(location = 1) flat in float f;
layout(location = 0) out uvec4 o;
void main() { o = uvec4(u, uint(f * 2.0), gl_FrontFacing ? 1 : 0); }
