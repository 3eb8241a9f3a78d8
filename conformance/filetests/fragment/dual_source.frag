//! test OpStore
//! feature layout output: index = 0|1 (dual-source blending)
//! pixels 8 4
//! expect out 0.0 f32 1*32
//! expect out 0.0#1 f32 2*32
#version 460
// Two colours of one location, for blending.
layout(location = 0, index = 0) out float a;
layout(location = 0, index = 1) out float b;
void main() { a = 1.0; b = 2.0; }
