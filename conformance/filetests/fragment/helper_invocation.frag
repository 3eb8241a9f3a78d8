//! test OpDPdx
//! pixels 8 4
//! covered 10101010 00000000 01010101 00000000
//! expect out 0.0 f32 1 _ 1 _ 1 _ 1 _ _*8 _ -1 _ -1 _ -1 _ -1
#version 460
// The neighbours of what is covered are helpers: a derivative sees them.
layout(location = 0) out float o;
void main() { o = dFdx(gl_HelperInvocation ? 1.0 : 0.0); }
