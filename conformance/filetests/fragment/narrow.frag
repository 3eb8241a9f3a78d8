//! test OpLoad, OpStore
// 16-bit inputs are interpolated as 32-bit ones and then rounded.
//! pixels 8 4
//! plane 0.0 f32 1 0.5 0
//! plane 1.0 u32 0xffffffff
//! expect out 0.0 f32 1.25 1.75 2.25 2.75 3.25 3.75 4.25 4.75 1.25 1.75 2.25 2.75 3.25 3.75 4.25 4.75 1.25 1.75 2.25 2.75 3.25 3.75 4.25 4.75 1.25 1.75 2.25 2.75 3.25 3.75 4.25 4.75
//! expect out 0.1 f32 -1*32
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 0) in float16_t h;
layout(location = 1) flat in int16_t n;
layout(location = 0) out f16vec2 o;
void main() { o = f16vec2(h, float16_t(n)); }
