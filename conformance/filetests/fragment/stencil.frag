//! test OpStore
//! pixels 8 4
//! expect out FragStencilRef.0 u32 5*8 9*8 5*8 9*8
#version 460
#extension GL_ARB_shader_stencil_export : require
// The stencil value of each pixel.
void main() { gl_FragStencilRefARB = (int(gl_FragCoord.y) & 1) == 0 ? 5 : 9; }
